"""Pairs of passages of an evaluation set, and whether a reader says that they disagree."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cairn.jobs.ask import AskedQuestion, ask, look_up
from cairn.observe.questions.contradiction.question import QUESTION
from judge_room import AnswerParts, open_room, value_of
from judge_sets import Item, JudgeSet

_PASSAGE = ("path", "headings", "text", "sources", "date")


class PairBooth:
    def __init__(self, given: JudgeSet, folder: Path) -> None:
        self.given = given
        self.app = open_room(folder, {"README.md": "# Project\n\nA project.\n"})

    def ask(self) -> None:
        for item in self.given.items:
            self._ask(item)

    def _ask(self, item: Item) -> None:
        ask(self._question(item), store=self.app.store.jobs, settings=self.app.settings, now_ms=self.app.clock.now_ms())

    def _question(self, item: Item) -> AskedQuestion:
        passages = {side: {name: item[side].get(name) for name in _PASSAGE} for side in ("a", "b")}
        return AskedQuestion(QUESTION, self._subject(item), passages)

    def _subject(self, item: Item) -> str:
        """The number keeps pairs of pages of the same name apart."""
        places = (f"{item[side]['path']}#{'/'.join(item[side]['headings'])}" for side in ("a", "b"))
        return f"pair:{self.given.items.index(item) + 1}:{'|'.join(places)}"

    def subjects(self, item: Item) -> Sequence[str]:
        return (self._subject(item),)

    def label(self, item: Item) -> str:
        if item["disagree"]:
            return "disagree"
        return "same subject, no disagreement" if item["same_subject"] else "other subject"

    def result(self, item: Item) -> Any:
        found = look_up(self._question(item), store=self.app.store.jobs)
        return value_of(found)

    def raw(self, item: Item, report: Mapping[str, Any]) -> Any:
        return report

    def score(self, item: Item, result: Mapping[str, Any]) -> AnswerParts:
        said, wanted = result.get("disagree") is True, item["disagree"]
        details = {"same subject told rightly": int(result.get("same_subject") == item["same_subject"])}
        if said and wanted and item["right"]:
            details |= {
                "a right side is known": 1,
                "right side named": int(result.get("right") == item["right"]),
                "wrong side named": int(result.get("right") in {"a", "b"} - {item["right"]}),
            }
        notes = () if said == wanted else (f"it says {'disagree' if said else 'agree'}: {result.get('why')}",)
        return AnswerParts(int(said and wanted), int(said and not wanted), int(wanted and not said), notes, (), details)

    def texts(self, result: Mapping[str, Any]) -> str:
        return f"{result.get('why')}\n{result.get('who_decides')}"

    def measures(self) -> Mapping[str, Any]:
        return {}
