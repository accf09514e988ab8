"""In how many modules of a package a function ran, while a program did one thing. Used by `house.py`."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TypeAlias

WATCH = '''
"""Appends the file of each function once, when it first runs; also in forked processes."""
import os, sys, threading
_PLACE = os.environ.get("HOUSE_FLOW")
_ROOT = os.environ.get("HOUSE_ROOT", "/nothing") + os.sep
_SEEN = set()
def _watch(frame, event, _):
    code = frame.f_code
    if event == "call" and code not in _SEEN:
        _SEEN.add(code)
        inside = code.co_filename.startswith(_ROOT)
        comprehension = code.co_name.startswith("<") and code.co_name != "<lambda>"
        if inside and code.co_flags & 1 and not comprehension:
            file = os.open(_PLACE, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(file, code.co_filename.encode() + b"\\n")
            os.close(file)
if _PLACE:
    sys.setprofile(_watch)
    threading.setprofile(_watch)
'''
"""Classes and modules run too, but are no functions: only those have fast locals."""
FLOWS = ("a scan (bar 80)", "an MCP search (bar 80)", "a curated page (bar 100)", "the detached step", "a refresh run")
PAGE = """---
name: limits
description: How often clients may call.
topics: [http]
volatility: fast-moving
last-reviewed: 2020-01-01
version-pin: null
sources:
  - url: {url}
---

# Limits

## Summary

Clients may call 100 times a minute.

## Deep Guidance

Read it again.
"""
SITE = (
    b"<html><body><main><h1>Guide</h1><p>Clients may call 50 times a minute, and then have to wait.</p></main></body>"
)
SETTINGS = '{"corpora": {"knowledge": {"root": "knowledge", "layout": "entries"}}}'
TALK = (
    ("user", "Remember: every migration has to run twice, because the deploy repeats the last one."),
    ("assistant", "I wrote the migration of orders so that it can run twice. " * 12),
)
Files: TypeAlias = set[str]


class Watched:
    """Runs programs, and knows which files of the package they ran through."""

    def __init__(self, home: Path, package: Path, env: Mapping[str, str]) -> None:
        self._home, self._package = home, package
        (home / "watch").mkdir(parents=True, exist_ok=True)
        (home / "watch" / "sitecustomize.py").write_text(WATCH)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("CAIRN_", "PYTHON", "GIT_"))}
        parts = [os.fspath(home / "watch"), os.fspath(package.parent)]
        self._env = {**clean, "PYTHONPATH": os.pathsep.join(parts), "HOME": os.fspath(home), **env}
        self._number = 0

    def run(self, line: Sequence[str], cwd: Path, stdin: str = "", codes: Sequence[int] = (0, 1)) -> int:
        """The number of modules; `__init__` and extensions left out."""
        self._number += 1
        place = self._home / f"flow-{self._number}"
        env = {**self._env, "HOUSE_FLOW": os.fspath(place), "HOUSE_ROOT": os.fspath(self._package)}
        done = subprocess.run(line, cwd=cwd, env=env, input=stdin.encode(), capture_output=True, timeout=300)
        if done.returncode not in codes:
            sys.exit(f"{' '.join(line)} ended with {done.returncode}: {done.stderr.decode()}")
        return len(_counted(place, self._package)) if place.exists() else 0


def _counted(place: Path, package: Path) -> Files:
    names = {os.path.relpath(line, package) for line in place.read_text().splitlines()}
    return {name for name in names if not name.endswith("__init__.py") and not name.startswith("extensions" + os.sep)}


def measured(home: Path, own: Path, peers: Sequence[Path]) -> dict[str, dict[str, int]]:
    found = {own.name: cairn(home / "cairn", own)}
    for peer in peers:
        work = {"pre_commit": pre_commit, "importlinter": import_linter}[peer.name]
        found[peer.name] = {"flow: its main command": work(home / peer.name, peer)}
    return found


def cairn(home: Path, own: Path) -> dict[str, int]:
    home.mkdir()
    with _site() as port:
        root = _workspace(home / "work", f"http://127.0.0.1:{port}/limits")
        env = {"CAIRN_HOOK_DETACH": "0", "CAIRN_FETCH_ALLOW": f"127.0.0.1:{port}"}
        watched = Watched(home, own, env)
        line = [sys.executable, "-m", "cairn"]
        watched.run([*line, "init", "--no-scan"], root)
        scan = watched.run([*line, "scan"], root)
        search = watched.run([*line, "mcp"], root, _search())
        watched.run([*line, "note", "--keep", "Prices are whole numbers of cents, because sums were off by one."], root)
        page = watched.run([*line, "curate"], root)
        watched.run([*line, "hook", "stop"], root, _stop(home, root))
        watched.run([*line, "hook", "session-end"], root, _stop(home, root, "SessionEnd"))
        detached = watched.run([*line, "hook", "drain"], root)
        refresh = watched.run([*line, "freshness", "run"], root)
    counted = (scan, search, page, detached, refresh)
    return {f"flow: {name}": number for name, number in zip(FLOWS, counted, strict=True)}


def pre_commit(home: Path, package: Path) -> int:
    """A run with one hook."""
    hook = "- id: yes\n    name: yes\n    entry: python3 -c pass\n    language: system\n"
    files = {
        ".pre-commit-config.yaml": f"repos:\n- repo: local\n  hooks:\n  {hook}",
        "a.py": "x = 1\n",
    }
    root = _repository(home / "work", files)
    return Watched(home, package, {}).run([sys.executable, "-m", "pre_commit", "run", "--all-files"], root)


def import_linter(home: Path, package: Path) -> int:
    """One contract about a package of two modules."""
    contract = "[importlinter:contract:1]\nname = Layers\ntype = layers\nlayers =\n    shop.high\n    shop.low\n"
    files = {
        ".importlinter": f"[importlinter]\nroot_package = shop\n\n{contract}",
        "shop/__init__.py": "",
        "shop/high.py": "import shop.low\n",
        "shop/low.py": "",
    }
    root = _repository(home / "work", files)
    call = "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command as f; f()"
    return Watched(home, package, {}).run([sys.executable, "-c", call, "--no-cache"], root)


# --- material ---------------------------------------------------------------------------------------------------------


def _workspace(root: Path, url: str) -> Path:
    files = {
        ".gitignore": ".cairn/*\n!.cairn/settings.json\n",
        ".cairn/settings.json": SETTINGS,
        "README.md": "# Service\n\nSee [limits](knowledge/http/limits.md) and [nothing](nothing.md).\n",
        "knowledge/http/limits.md": PAGE.format(url=url),
    }
    return _repository(root, files)


def _repository(root: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    subprocess.run(["git", "-C", str(root), "config", "user.name", "Ada"], check=True)
    subprocess.run(["git", "-C", str(root), "config", "user.email", "ada@example.org"], check=True)
    subprocess.run(["git", *identity, "-C", str(root), "add", "-A"], check=True)
    subprocess.run(["git", *identity, "-C", str(root), "commit", "-q", "-m", "It begins"], check=True)
    return root


def _search() -> str:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "house", "version": "0"}}
    call = {"name": "search", "arguments": {"query": "how often may clients call"}}
    frames: list[dict[str, object]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized", "params": {}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    return "".join(json.dumps(frame) + "\n" for frame in frames)


def _stop(home: Path, root: Path, event: str = "Stop") -> str:
    session = "5f1c8d1e-6f3a-4b52-9c3e-0d8a6f2b7c11"
    talk = home / f"{session}.jsonl"
    lines = [
        {"type": role, "uuid": f"{role}-1", "sessionId": session, "message": {"role": role, "content": said}}
        for role, said in TALK
    ]
    talk.write_text("".join(json.dumps(line) + "\n" for line in lines))
    payload = {"session_id": session, "transcript_path": str(talk), "cwd": str(root), "hook_event_name": event}
    return json.dumps(payload)


@contextmanager
def _site() -> Iterator[int]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(SITE)))
            self.end_headers()
            self.wfile.write(SITE)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
