"""Doubts about the version of a language that a manifest requires: a document states the one before the change."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cairn.freshness.diff.definition import ChangedFile
from cairn.freshness.diff.doubt import StaleReason, StaleSentence
from cairn.freshness.diff.occurrence import Statement, WrittenPage
from cairn.freshness.diff.pages import SurveyedPages
from cairn.freshness.diff.vanished import Grep, is_product


class _Language(NamedTuple):
    manifest: re.Pattern[str]
    line: re.Pattern[str]
    """With the lowest version that is allowed."""
    called: str
    words: tuple[str, ...]
    """One of which a document has that states the version."""


_LOWEST = r"""[\s"'=:\[(]*+(?:(?:>=|\^|~>|~)\s*+)?v?(\d+(?:\.\d+)*)"""
LANGUAGES = (
    _Language(
        re.compile(r"pyproject\.toml|setup\.(?:py|cfg)"),
        re.compile(rf"\s*(?:requires-python|python_requires)\s*={_LOWEST}"),
        "Python",
        ("Python", "python"),
    ),
    _Language(
        re.compile(r"package\.json"), re.compile(rf".*\"node\"\s*:{_LOWEST}"), r"Node(?:\.?js)?", ("Node", "node")
    ),
    _Language(re.compile(r"go\.mod"), re.compile(r"go\s+(\d+(?:\.\d+)*)"), "Go(?:lang)?", ("Go", "Golang", "golang")),
    _Language(
        re.compile(r"Cargo\.toml"),
        re.compile(rf"\s*rust-version\s*={_LOWEST}"),
        "Rustc?|MSRV",
        ("Rust", "rustc", "MSRV"),
    ),
    _Language(re.compile(r"composer\.json"), re.compile(rf"\s*\"php\"\s*:{_LOWEST}"), "PHP", ("PHP", "php")),
    _Language(
        re.compile(r"[\w.-]+\.gemspec"), re.compile(rf".*required_ruby_version\s*={_LOWEST}"), "Ruby", ("Ruby", "ruby")
    ),
)


class VersionRequirement(NamedTuple):
    language: _Language
    old: str
    new: str
    path: str
    old_line: int
    line: int
    old_text: str
    text: str


def changed_requirements(files: Iterable[ChangedFile]) -> Iterator[VersionRequirement]:
    for file in files:
        name = posixpath.basename(file.path)
        for language in LANGUAGES if file.old and file.new and is_product(file.path) else ():
            if language.manifest.fullmatch(name):
                old, new = _required(file.old or b"", language), _required(file.new or b"", language)
                if old and new and old[1] != new[1]:
                    yield VersionRequirement(language, old[1], new[1], file.path, old[0], new[0], old[2], new[2])


def _required(data: bytes, language: _Language) -> tuple[int, str, str] | None:
    """The line, its number and the version, if exactly one line requires one."""
    lines = enumerate(data.decode("utf-8", "replace").split("\n"), 1)
    found = [(at, match[1], line.strip()) for at, line in lines if (match := language.line.match(line))]
    return found[0] if len(found) == 1 else None


def requirement_doubts(files: Iterable[ChangedFile], pages: SurveyedPages, grep: Grep) -> Iterator[StaleSentence]:
    """A bound such as `Python 3.8+` or `Go >= 1.21` is in doubt; a version without one is a note."""
    for one in changed_requirements(files):
        bound, plain = _written(one)
        documents = {path for paths in pages.having(one.language.words).values() for path in paths}
        for page in (pages.page(path) for path in sorted(documents)):
            for statement in page.statements if one.old in page.text else ():
                found = bound.search(statement.text) or plain.search(statement.text)
                if found and not page.is_about_the_past(statement.line):
                    certain = found.re is bound and not _is_left(one, grep)
                    yield _requirement_doubt(page, statement, found, one, certain=certain)


def _written(one: VersionRequirement) -> tuple[re.Pattern[str], re.Pattern[str]]:
    subject, version = rf"(?<![\w.-])(?:{one.language.called})\W{{1,4}}(?:version\s+)?", re.escape(one.old)
    ends = r"(?:\.x|\.0)?(?![\w-]|\.\d)"
    stated = rf"{subject}v?{version}(?:\.x|\.0)?[`*]{{0,3}}"
    bounds = (
        rf"{subject}(?:>=|≥|at least)\s*v?{version}{ends}",
        rf"\b(?i:at least|minimum|requires?)\s+[`*]{{0,3}}{subject}v?{version}{ends}",
        rf"\b(?i:minimum(?:\s+(?:supported|required))?)\s+(?:{one.language.called})\s+version\b"
        rf"(?:\s+\([\w\s]+\))?(?:\s+(?:of|for)\s+\S+)?(?:\s+is|:)\s+[`*]{{0,3}}v?{version}{ends}",
        rf"{stated}\s?\+",
        rf"{stated}\s*[,(]?\s*(?:or|and)\s+(?:newer|later|higher|greater|above|up|upwards|more recent)\b",
    )
    return re.compile("|".join(bounds)), re.compile(rf"{subject}v?{version}{ends}")


def _is_left(one: VersionRequirement, grep: Grep) -> bool:
    """Whether another manifest still requires the old version."""
    lines = ((path, one.language.line.match(line)) for path, line in grep([one.old]) if path != one.path)
    name = one.language.manifest
    return any(found and found[1] == one.old and name.fullmatch(posixpath.basename(path)) for path, found in lines)


def _requirement_doubt(
    page: WrittenPage, statement: Statement, found: re.Match[str], one: VersionRequirement, *, certain: bool
) -> StaleSentence:
    line = page.line_of(statement, found[0])
    fix = f"Write `{one.new}`." if certain else "Read the sentence; update it if it is no longer true."
    return StaleSentence(
        page.path, line, page.lines[line - 1], one.old, StaleReason.VALUE if certain else StaleReason.CHANGED,
        f"The required version is no longer `{one.old}`: it is `{one.new}`.", one.path, one.line,
        one.old_text, one.text, certain, one.old_line, fix,
    )  # fmt: skip
