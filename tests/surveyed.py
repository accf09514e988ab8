"""Small repositories with a page, and what a survey of a change finds there."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cairn.adapters.files.local import LocalFiles
from cairn.adapters.vcs.git import Git
from cairn.freshness.diff.doubt import StaleSentence
from cairn.freshness.diff.survey import SurveyOptions, SurveyResult, survey
from cairn.freshness.states import span_of


def look(root: Path, rev: str = "HEAD", *, mentions: bool = False) -> SurveyResult:
    vcs = Git(root)
    return survey(span_of(vcs, rev), vcs, LocalFiles(root), options=SurveyOptions(mentions=mentions, project=root.name))


def short(doubts: tuple[StaleSentence, ...]) -> list[tuple[str, int, str, str]]:
    return [(doubt.document, doubt.line, str(doubt.reason), doubt.written) for doubt in doubts]


def page(*lines: str) -> str:
    return "\n".join(["# Page", "", *lines, ""])


class SurveyCase(NamedTuple):
    name: str
    before: Mapping[str, str]
    after: Mapping[str, str | None]
    doubts: Sequence[tuple[str, int, str, str]] = ()
    """(document, line, reason, written)"""


def found(line: int, reason: str, written: str, document: str = "a.md") -> tuple[str, int, str, str]:
    return (document, line, reason, written)


def one(code: str, old: str, new: str, text: str, *doubts: tuple[str, int, str, str], path: str = "app.py") -> tuple:  # type: ignore[type-arg]
    """A case with one file and one page."""
    assert old in code
    return {path: code, "a.md": text}, {path: code.replace(old, new)}, list(doubts)
