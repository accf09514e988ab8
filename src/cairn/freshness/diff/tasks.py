"""Doubts about tasks: a document runs `make docs` or `npm run docs`, and the change removed the target or script."""

import json
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from cairn.freshness.diff.definition import bounded
from cairn.freshness.diff.doubt import Doubt, Reason
from cairn.freshness.diff.pages import Pages
from cairn.freshness.diff.vanished import ChangedFile, is_product
from cairn.freshness.states import State

TaskNames = Callable[[str], Iterable[str]]
"""The tasks that the text of a file defines."""


def _scripts(text: str) -> Iterable[str]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    scripts = found.get("scripts") if isinstance(found, dict) else None
    return scripts.keys() if isinstance(scripts, dict) else ()


_TARGET = re.compile(r"^([A-Za-z][\w.-]*(?:[ \t]+[A-Za-z][\w.-]*)*)[ \t]*::?(?![=:])", re.MULTILINE)
_RECIPE = re.compile(r"^@?([A-Za-z][\w-]*+)(?:[ \t]++[^:=\n]*+)?:(?!=)", re.MULTILINE)
_RAKE = re.compile(r"^[ \t]*task[ (]+[:\"']?([a-z]\w*)", re.MULTILINE)


def _targets(text: str) -> Iterable[str]:
    return (name for found in _TARGET.finditer(text) for name in found[1].split())


class Runner(NamedTuple):
    """A program that runs tasks, and where they are defined."""

    files: re.Pattern[str]
    """Names of files that define tasks, or that may: what stands in one of them afterwards is not gone."""
    names: TaskNames
    call: str
    """How a line runs a task, up to its name."""


_OPTIONS = r"(?:\s+(?:-[\w-]+|\w+=\S*))*\s+"
RUNNERS = (
    Runner(
        re.compile(r"(?:GNU)?[Mm]akefile[\w.-]*|.*\.(?:mk|mak|cmake)(?:\.in)?|CMakeLists\.txt|configure[\w.]*"),
        _targets,
        rf"g?make{_OPTIONS}",
    ),
    Runner(re.compile(r"package\.json"), _scripts, r"(?:npm\s+run(?:-script)?|pnpm\s+run)\s+(?:-[\w-]+\s+)*"),
    Runner(
        re.compile(r"package\.json"),
        lambda text: (name for name in _scripts(text) if ":" in name),
        r"(?:yarn|pnpm|bun)\s+(?:run\s+)?",
    ),
    Runner(re.compile(r"\.?[Jj]ustfile|.*\.just"), lambda text: _RECIPE.findall(text), rf"just{_OPTIONS}"),
    Runner(re.compile(r"[Rr]akefile|.*\.rake|.*\.gemspec"), lambda text: _RAKE.findall(text), r"rake\s+(?:\w+:)*"),
)
"""`yarn name` also runs programs of packages; no program has a colon in its name."""


_USUAL = frozenset(["all", "build", "check", "clean", "install", "run", "start", "test"])
"""Tasks that any project has: where this one has no tasks left, a document may mean those of its reader."""


class _LostTask(NamedTuple):
    name: str
    file: ChangedFile
    runner: Runner


def task_doubts(files: Sequence[ChangedFile], pages: Pages, code: State) -> Iterator[Doubt]:
    """Lines that run a task which no file defines any more."""
    lost = [one for runner in RUNNERS for one in _lost(files, runner, code)]
    having = pages.having({_first(one.name) for one in lost})
    for one in lost:
        call = re.compile(rf"(?:^|[`$>;&|(])\s*{one.runner.call}{re.escape(one.name)}(?![\w:./=-])")
        for path in having.get(_first(one.name), ()):
            page = pages.page(path)
            for number, line in page.lines_with((one.name,)):
                runs = any(page.is_code(number, found) for found in call.finditer(line))
                if runs and not page.is_about_the_past(number):
                    yield _doubt(path, number, line, one)


def _first(name: str) -> str:
    """The word to look pages up by."""
    return re.split(r"[:.]", name)[0]


def _lost(files: Iterable[ChangedFile], runner: Runner, code: State) -> Iterator[_LostTask]:
    lost: dict[str, ChangedFile] = {}
    for file in files:
        if file.old and is_product(file.path) and runner.files.fullmatch(posixpath.basename(file.path)):
            gone = {*runner.names(_text(file.old))} - {*runner.names(_text(file.new or b""))}
            lost |= dict.fromkeys(gone, file)
    if not lost:
        return
    left = _definers(runner, code)
    for name, file in sorted(lost.items()):
        if not _stands(name, runner, left) and (left or name not in _USUAL):
            yield _LostTask(name, file, runner)


def _definers(runner: Runner, code: State) -> Collection[str]:
    paths = [path for path in code.facts() if runner.files.fullmatch(posixpath.basename(path))]
    return [_text(data) for data in code.read(sorted(paths)).values()]


def _stands(name: str, runner: Runner, texts: Iterable[str]) -> bool:
    """Whether some file still defines it, or may: tasks are made of variables and patterns, too, so that any place that
    has the name counts."""
    word = bounded(name)
    return any(word.search(text) or (runner.names is _targets and _matches(name, text)) for text in texts)


def _matches(name: str, text: str) -> bool:
    """Whether a rule for a pattern such as `test-%` fits."""
    patterns = re.findall(r"^([\w.-]*%[\w.-]*)[ \t]*:", text, re.MULTILINE)
    return any(re.fullmatch(re.escape(one).replace("%", ".+"), name) for one in patterns)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _doubt(path: str, number: int, line: str, one: _LostTask) -> Doubt:
    old = _text(one.file.old or b"").split("\n")
    at = next((row for row, text in enumerate(old, 1) if bounded(one.name).search(text)), 0)
    return Doubt(
        path, number, line, one.name, Reason.REMOVED,
        f"The task `{one.name}` no longer exists: removed from {one.file.path}.", one.file.path, None,
        old[at - 1].strip() if at else "", "", True, at, "Update or remove this sentence.",
    )  # fmt: skip
