"""Sessions of an evaluation set: captured from transcripts, read, and compared with what they teach."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from cairn.capture.capture_session import capture_session
from cairn.core.model.candidate import KnowledgeCandidate
from cairn.core.session_log import sessions
from cairn.curate.ask_reader import Readers
from cairn.curate.propose import ProposeOptions, candidates, propose_sessions
from judge_room import AnswerParts, open_room
from judge_sets import Item, JudgeSet, has_words
from judge_transcripts import HOSTS, session_id, write_transcript

Statement = Mapping[str, Any]
"""A lesson: `kind`, `title`, `summary`, `body`."""
README = "# Project\n\nA project.\n"


class SessionBooth:
    def __init__(self, given: JudgeSet, folder: Path, *, with_reader: bool = True) -> None:
        self.given, self.folder, self._with_reader = given, folder, with_reader
        self.app = open_room(folder, {"README.md": README})
        self._found: dict[str, list[KnowledgeCandidate]] = {}
        self._states: dict[str, str] = {}

    def ask(self) -> None:
        if not self.app.session_logs().names():
            for item in self.given.items:
                self._capture(item)
        propose_sessions(self.app, ProposeOptions(), Readers(self.app) if self._with_reader else None)
        ordered = sorted(candidates(self.app), key=_session_of)
        self._found = {session: list(some) for session, some in groupby(ordered, key=_session_of)}
        kept = sessions(self.app.session_logs())
        self._states = {one.log.session_id: one.log.proposal_status for one in kept}

    def _capture(self, item: Item) -> None:
        id = self._id(item)
        file = write_transcript(self.folder / "transcripts", item["host"], id, item["messages"])
        capture_session(self.app, HOSTS[item["host"]], id, file)  # type: ignore[arg-type]

    def _id(self, item: Item) -> str:
        return session_id(self.given.name, item["id"])

    def subjects(self, item: Item) -> Sequence[str]:
        return (f"session:{self._id(item)}@",)

    def label(self, item: Item) -> str:
        return "teaches" if item["expect"] else "nothing"

    def result(self, item: Item) -> list[Statement] | None:
        """What its log proposes, by explicit cues and by the reader."""
        if self._with_reader and self._state(item) == "pending":
            return None
        return [_statement(one) for one in self._found.get(self._id(item), ())]

    def raw(self, item: Item, report: Mapping[str, Any]) -> list[Statement]:
        given = report.get("candidates")
        return [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []

    def score(self, item: Item, result: Sequence[Statement]) -> AnswerParts:
        return match(item["expect"], result)

    def texts(self, result: Sequence[Statement]) -> str:
        return "\n".join(map(text_of, result))

    def measures(self) -> Mapping[str, Any]:
        skipped = [one for one in self.given.items if self._state(one) == "skipped"]
        failed = [one["id"] for one in self.given.items if self._state(one) == "failed"]
        lost = sum(bool(one["expect"]) for one in skipped)
        return {
            "sessions that no reader is asked about": len(skipped),
            "of these, sessions that teach something": lost,
            "sessions of which something was set aside": failed,
        }

    def _state(self, item: Item) -> str:
        return self._states.get(self._id(item), "skipped")


def _session_of(candidate: KnowledgeCandidate) -> str:
    return candidate.origin.rsplit(":", 2)[0]


def _statement(one: KnowledgeCandidate) -> Statement:
    named = {"kind": one.kind, "title": one.title, "summary": one.summary, "body": one.body}
    return {**named, "quotes": [quote.text for quote in one.quotes]}


def text_of(one: Statement) -> str:
    return "\n".join(str(one.get(name, "")) for name in ("title", "summary", "body"))


def match(expected: Sequence[Mapping[str, Any]], found: Sequence[Statement]) -> AnswerParts:
    """Each statement counts for one expectation whose words it has, of the same kind where there is a choice. One that
    has the words of an expectation that another one met already is neither right nor wrong by itself."""
    left = dict(enumerate(expected))
    met: dict[int, Statement] = {}
    open_ones: list[Statement] = []
    for one in sorted(found, key=lambda one: -_fit(one, expected)):
        number = next(iter(_fitting(one, left)), None)
        if number is None:
            open_ones.append(one)
        else:
            met[number] = one
            del left[number]
    kinds = sum(one.get("kind") != expected[number]["kind"] for number, one in met.items())
    missed = tuple(f"missed: {one['gist']}" for one in left.values())
    return AnswerParts(
        len(met), len(open_ones), len(left), missed, tuple(open_ones), {"right but of the other kind": kinds}
    )


def _fit(one: Statement, expected: Sequence[Mapping[str, Any]]) -> int:
    return sum(_is_met(one, wanted) + (one.get("kind") == wanted["kind"]) for wanted in expected)


def _fitting(one: Statement, left: Mapping[int, Mapping[str, Any]]) -> Iterator[int]:
    numbers = [number for number, wanted in left.items() if _is_met(one, wanted)]
    yield from sorted(numbers, key=lambda number: left[number]["kind"] != one.get("kind"))


def _is_met(one: Statement, wanted: Mapping[str, Any]) -> bool:
    return has_words(text_of(one), wanted["words"])
