"""Plays the table of one sample against the installed program, and records what each command did."""

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import warm
from golden import samples
from golden.masks import Masks
from golden.table import Line, table_of
from program import clean_env
from repository import git, known
from website import Website

NOW_MS = 1_790_856_000_000
"""The first command's moment; each further one runs a minute later."""
_MINUTE = 60_000
_UNSEEN = (
    ".cairn/backups/",
    ".cairn/locks/",
    ".cairn/briefing",
    ".cairn/ledger/",
    ".cairn/spool/",
    ".cairn/hook-errors.log",
    "backup.db",
    "merged.jsonl",
)
"""Not compared by content: databases, and what holds a time or an id on every line."""


class Player:
    def __init__(self, sample: str, home: Path, site: Website, *, database: str = "sqlite", url: str = "") -> None:
        self.sample, self.database = samples.SAMPLES[sample], database
        self.home, self.root = home, home / "work"
        self._site = site
        self._now_ms = NOW_MS
        self._env = self._environment(url)
        self.sample.make(self.root)
        known(self.root, self.home / "state" / "cairn")
        samples.fill(self._site)
        folders = {os.fspath(self.root.resolve()): "<root>", os.fspath(home.resolve()): "<home>"}
        folders |= {os.fspath(self.root): "<root>", os.fspath(home): "<home>"}
        commits = git(self.root, "rev-list", "--reverse", "--all").split()
        self.masks = Masks({**folders, **({url: "<database>"} if url else {})}, commits)

    def play(self) -> Iterator[dict[str, Any]]:
        seen = self._tree()
        for line in table_of(self.sample.name):
            if line.is_step:
                self._step(line)
                seen = self._tree()
            elif line.only in (None, self.database):
                record, seen = self._ran(line, seen)
                yield record

    def _ran(self, line: Line, before: "Tree") -> tuple[dict[str, Any], "Tree"]:
        self._now_ms += _MINUTE
        self.masks.next_record()
        words = [self.masks.unmasked(word) for word in line.words]
        stdin = None if line.stdin is None else self._input(line.stdin)
        first = [("golden.sandbox", "prepare", str(self._now_ms), str(self._site.port))]
        env = {**self._env, **line.env}
        code, out, err = warm.run(words, cwd=self.root, env=env, stdin=stdin, timeout=120, first=first)
        after = self._tree()
        record: dict[str, Any] = {"command": line.text, "code": code, **self._told(out, line)}
        if os.environ.get("GOLDEN_SHOW") and err:
            sys.stderr.write(f"--- {line.text}\n{err.decode()}")
        if code == 70:
            record["log"] = err.decode()
        record |= self._changes(before, after)
        return record, after

    def _told(self, out: bytes, line: Line) -> dict[str, Any]:
        text = out.decode()
        try:
            return {"json": self.masks.value(json.loads(text))} if text.strip() else {"lines": 0}
        except ValueError:
            pass
        if line.words[0] == "mcp" or line.words[-1] == "--json":
            with_ids = [json.loads(one) for one in text.splitlines()]
            return {"messages": [self.masks.value(one) for one in sorted(with_ids, key=lambda one: str(one.get("id")))]}
        self.masks.text(text)  # ids that are first seen here have a name
        return {"lines": len(text.splitlines())}

    def _changes(self, before: "Tree", after: "Tree") -> dict[str, Any]:
        files = {name: digest for name, digest in after.files.items() if before.files.get(name) != digest}
        written = {self.masks.text(name): digest for name, digest in files.items()}
        removed = [self.masks.text(name) for name in before.files.keys() - after.files.keys()]
        events = [event for file, lines in after.events.items() for event in lines[len(before.events.get(file, ())) :]]
        refs = [self.masks.text(ref) for ref in after.refs.keys() - before.refs.keys()]
        moved = [self.masks.text(ref) for ref in after.refs if before.refs.get(ref) not in (None, after.refs[ref])]
        gone = [self.masks.text(ref) for ref in before.refs.keys() - after.refs.keys()]
        told = {
            "files": dict(sorted(written.items())),
            "removed": sorted(removed),
            "events": sorted(events),
            "refs": sorted(refs),
            "refsMoved": sorted(moved),
            "refsGone": sorted(gone),
        }
        return {name: value for name, value in told.items() if value}

    def _tree(self) -> "Tree":
        return Tree(self.root, self.masks)

    def _input(self, name: str) -> bytes:
        text = self.sample.texts[name]
        filled = text.replace("<now>", str(self._now_ms)).replace("<root>", os.fspath(self.root))
        return self.masks.unmasked(filled).encode()

    def _environment(self, url: str) -> dict[str, str]:
        folder = self.home / "bin"
        folder.mkdir(parents=True)
        (folder / "cairn").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cairn "$@"\n')
        (folder / "cairn").chmod(0o755)
        (folder / "git").symlink_to(shutil.which("git") or "git")
        given = {
            "PATH": os.fspath(folder),
            "HOME": os.fspath(self.home),
            "XDG_STATE_HOME": os.fspath(self.home / "state"),
            "CAIRN_HOOK_DETACH": "0",
            "CAIRN_FETCH_ALLOW": "127.0.0.1:8400",
            "GIT_CONFIG_NOSYSTEM": "1",
            "COLUMNS": "100",
        }
        return {**clean_env(), **samples.NO_KEYS, **given, **({"CAIRN_DB": url} if url else {})}

    # --- steps between commands ---------------------------------------------------------------------------------------

    def _step(self, line: Line) -> None:
        kind, *given = (self.masks.unmasked(word).replace("\\n", "\n") for word in line.words)
        getattr(self, f"_step_{kind[1:]}")(*given)

    def _step_write(self, name: str, text: str) -> None:
        samples.put(self.root, {name: text})

    def _step_text(self, name: str, text: str) -> None:
        samples.put(self.root, {name: self._input(text).decode()})

    def _step_append(self, name: str, text: str) -> None:
        with (self.root / name).open("a", encoding="utf-8") as file:
            file.write(text)

    def _step_replace(self, name: str, old: str, new: str) -> None:
        path = self.root / name
        text = path.read_text("utf-8")
        assert old in text, (name, old)
        path.write_text(text.replace(old, new), encoding="utf-8")

    def _step_delete(self, name: str) -> None:
        (self.root / name).unlink()

    def _step_move(self, name: str, to: str) -> None:
        (self.root / to).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).rename(self.root / to)

    def _step_commit(self, message: str) -> None:
        samples.commit(self.root, message, self._now_ms // 1000)

    def _step_git(self, *arguments: str) -> None:
        git(self.root, *arguments)

    def _step_page(self, path: str, text: str) -> None:
        self._site[path] = samples.SITE.format(text)


class Tree:
    """The files below a root, the lines of its ledgers, and its references."""

    def __init__(self, root: Path, masks: Masks) -> None:
        self.files: dict[str, str] = {}
        self.events: dict[str, list[str]] = {}
        for path in sorted(path for path in root.rglob("*") if path.is_file() or path.is_symlink()):
            self._take(path, path.relative_to(root).as_posix(), masks)
        self.refs = dict(_refs(root))

    def _take(self, path: Path, name: str, masks: Masks) -> None:
        if name.startswith(".cairn/ledger/") and name.endswith(".jsonl"):
            self.events[name] = [_event(line) for line in path.read_text("utf-8").splitlines()]
        elif not name.startswith((".git/", ".cairn/cairn.db")):
            compared = not name.startswith(_UNSEEN) and not path.is_symlink()
            self.files[name] = masks.digest(path.read_bytes()) if compared else ""


def _event(line: str) -> str:
    event: Mapping[str, Any] = json.loads(line)
    return f"{event['type']}: {' '.join(sorted(event['payload']))}"


def _refs(root: Path) -> Iterator[tuple[str, str]]:
    if (root / ".git").exists():
        for line in git(root, "for-each-ref", "--format=%(refname) %(objectname)").splitlines():
            name, _, commit = line.partition(" ")
            yield name, commit
