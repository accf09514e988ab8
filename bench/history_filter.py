"""Excludes mined cases that say nothing about `check --diff`, each for a reason that the report counts."""

import re
from collections.abc import Sequence

from history_definitions import CodeLine
from history_paths import PathKind, is_translation, kind_of
from history_stream import FileChange
from history_words import DocumentToken
from strangers_pages import MADE_BY_PROGRAM

ABOUT_THE_PAST = re.compile(r"\b(removed|deprecated|renamed|no longer)\b", re.IGNORECASE)
EVERY_PROGRAM = ("--help", "--version")
COMMAND = re.compile(r"^\s*(?:[$>#%]\s+)?(?:sudo\s+|npx\s+|\w+=\S+\s+)*([A-Za-z][\w./-]*)\s")
PLAIN_WORD = re.compile(r"-{0,2}[A-Z]?[a-z]+")
GENERATED = re.compile(r"generated|(^|/)(kdoc|javadoc|typedoc|apidocs?)/", re.IGNORECASE)
HEAD_LINES = 12
REWRITTEN = 0.5
SHORT_PAGE = 10


def page_reason(one: FileChange, lines: Sequence[str]) -> str:
    """Why no line of this change to a document counts, or nothing."""
    length = len(lines)
    if kind_of(one.path) is PathKind.PAST:
        return "document about the past"
    if is_translation(one.path):
        return "translation"
    if GENERATED.search(one.path) or any(MADE_BY_PROGRAM.search(line) for line in lines[:HEAD_LINES]):
        return "generated page"
    if one.deleted:
        return "page deleted"
    removed = sum(len(hunk.removed) for hunk in one.hunks)
    if length > SHORT_PAGE and removed > REWRITTEN * length:
        return "page rewritten"
    return ""


def line_reason(text: str) -> str:
    return "line about the past" if ABOUT_THE_PAST.search(text) else ""


def token_reason(
    token: DocumentToken, form: str, lines: Sequence[CodeLine], text: str, program: str, late: bool
) -> str:
    """Why this token does not count, or nothing. Late cases need more, because the fix may have had another reason."""
    if token.written in EVERY_PROGRAM:
        return "flag of every program"
    if token.shape == "flag" and runs_another_program(text, token.written, program):
        return "flag of another program"
    if form == "":
        return "no definition"
    if form == "local":
        return "only a local variable"
    if form == "dependency" or (token.shape != "path" and not lines):
        return "dependency of a manifest"
    if token.shape == "path" and "/" not in token.written:
        return "file name without a folder"
    if late and form != "symbol" and PLAIN_WORD.fullmatch(token.written):
        return "ordinary word"
    return ""


def runs_another_program(text: str, flag: str, program: str) -> bool:
    """Whether the text before the flag begins with a command that is not the project's own."""
    match = COMMAND.match(text.split(flag)[0])
    if not match or "`" in text.split(flag)[0] or not program:
        return False
    return program not in match[1].lower() and match[1].lower() not in program
