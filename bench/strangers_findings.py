"""Runs Cairn's commands in a work tree and reads their JSON, whichever of its known shapes it has."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from strangers_clones import git, quiet_environment

PLACE = re.compile(r"(?<![\w/.-])([\w@.][\w@./ -]*\.\w+):(\d+)\b")
HIDDEN = ("analyzerId", "kind", "rule", "lens", "extractor", "score", "reason")
"""Keys that would name the rule to the judge."""


class Finding(NamedTuple):
    rule: str
    severity: str
    message: str
    path: str
    line: int
    evidence: tuple[str, ...]
    places: frozenset[tuple[str, int]]
    dated: bool = False
    """A commit proves it."""

    @property
    def identity(self) -> tuple[str, int, str]:
        return self.path, self.line, self.message


class Ran(NamedTuple):
    command: str
    seconds: float
    code: int
    """The exit code; -1 for a run that took too long."""
    answer: dict[str, Any]
    crash: str
    """Why the run counts as a crash, or nothing."""


class Cairn:
    """The program under test, with a home folder of its own."""

    def __init__(self, program: Path, home: Path, timeout: float = 600) -> None:
        self.program = program
        self.environment = quiet_environment(home)
        self.timeout = timeout

    def run(self, root: Path, *args: str) -> Ran:
        started = time.perf_counter()
        command = [str(self.program), *args, "--json"]
        try:
            done = subprocess.run(
                command,
                cwd=root,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self.timeout,
            )
        except subprocess.TimeoutExpired:
            return Ran(args[0], self.timeout, -1, {}, f"no end after {self.timeout:.0f} s")
        seconds = time.perf_counter() - started
        answer, crash = understood(done.returncode, done.stdout, done.stderr.decode(errors="replace"))
        return Ran(args[0], seconds, done.returncode, answer, crash)

    def has_option(self, command: str, option: str) -> bool:
        helped = subprocess.run(
            [str(self.program), command, "--help"], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True
        )
        return option in helped.stdout.decode().split()

    def start(self, root: Path) -> Ran:
        """Makes the workspace without a question to anybody."""
        return self.run(root, "init", *(["--yes"] if self.has_option("init", "--yes") else []))

    def check(self, root: Path) -> Ran:
        return self.run(root, "check", *(["--yes"] if self.has_option("check", "--yes") else []))


def understood(code: int, out: bytes, err: str) -> tuple[dict[str, Any], str]:
    if "Traceback (most recent call last)" in err:
        return {}, err.strip().splitlines()[-1]
    try:
        answer = json.loads(out)
    except ValueError:
        return {}, f"exit code {code}, and stdout is not JSON: {(err or out.decode(errors='replace'))[:200]}"
    if not isinstance(answer, dict):
        return {}, "the JSON on stdout is not an object"
    if answer.get("ok") is False or code not in (0, 1):
        return answer, f"exit code {code}: {answer.get('error', {}).get('message', '')}"
    return answer, ""


def bare_git_log(root: Path) -> float:
    """Seconds of reading the history once, the better of two runs: the unit of all times."""

    def once() -> float:
        started = time.perf_counter()
        git(root, "log", "--raw", "-2000", "HEAD", check=False)
        return time.perf_counter() - started

    return min(once(), once())


def findings(answer: dict[str, Any]) -> list[Finding]:
    """All findings of an answer of `try`, `check` or `check --diff`, in its order."""
    rows: list[dict[str, Any]] = next((answer[key] for key in ("issues", "findings", "doubts") if key in answer), [])
    return [finding(row) for row in rows]


def finding(row: dict[str, Any]) -> Finding:
    nodes = row.get("nodeIds") or [""]
    path = str(row.get("path") or row.get("document") or row.get("file") or nodes[0])
    line = int(row.get("line") or 1)
    rule = str(row.get("analyzerId") or row.get("rule") or row.get("kind") or row.get("reason") or "")
    places = frozenset({(path, line), *places_in(row, path)})
    dated = any(proof.get("date") for proof in (row.get("data") or {}).get("evidence") or [])
    return Finding(rule, str(row.get("severity", "")), str(row["message"]), path, line, evidence(row), places, dated)


def places_in(value: Any, path: str) -> Iterator[tuple[str, int]]:
    """Yields each file and line that a finding names, at any depth."""
    if isinstance(value, str):
        yield from ((match[1], int(match[2])) for match in PLACE.finditer(value))
    elif isinstance(value, list):
        for one in value:
            yield from places_in(one, path)
    elif isinstance(value, dict):
        here = next((str(value[key]) for key in ("path", "document", "file", "node") if value.get(key)), path)
        if isinstance(value.get("line"), int):
            yield here, value["line"]
        if isinstance(value.get("lines"), list):
            yield from ((here, line) for line in value["lines"] if isinstance(line, int))
        for one in value.values():
            yield from places_in(one, here)


def evidence(row: dict[str, Any]) -> tuple[str, ...]:
    """What a reader of the finding is shown besides its sentence."""
    shown = [plain(one) for one in row.get("evidence") or []]
    shown += [str(row[key]) for key in ("because", "detail", "sentence") if row.get(key)]
    if "before" in row or "after" in row:
        shown.append(f"before: {row.get('before')} | after: {row.get('after')}")
    data = {key: value for key, value in (row.get("data") or {}).items() if key not in HIDDEN}
    shown += [f"{key}: {value if isinstance(value, str) else json.dumps(value)}" for key, value in data.items()]
    fix = row.get("fix")
    if fix:
        shown.append(f"Fix: {fix['summary'] if isinstance(fix, dict) else fix}")
    return tuple(shown)


def plain(one: Any) -> str:
    if not isinstance(one, dict):
        return str(one)
    place = f"{one.get('path', '')}:{one.get('line', '')}"
    return f"{place}: {one['text']}" if one.get("text") else place
