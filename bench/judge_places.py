"""Candidates of an evaluation set beside the pages that exist, and what a reader makes of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from cairn.capture.capture_session import capture_session
from cairn.core.model.candidate import KnowledgeCandidate, ProposedNode, Quote
from cairn.core.model.change import Taint
from cairn.core.model.knowledge import Corpus
from cairn.core.session_log import sessions, spoken_at, text_of
from cairn.curate.ask_reader import Placing, Readers
from cairn.curate.curate import CurateOptions, curate
from cairn.curate.curated_pages import Neighbours, WorkPages, new_page
from cairn.curate.place_candidate import refused
from cairn.curate.place_material import PAGES
from cairn.curate.revise_page import revised, revision_in
from cairn.curate.second_look import PlaceLook, look_at_pages
from cairn.curate.shortlist import Near, best, keys_of
from cairn.errors import CairnError
from cairn.jobs.ask import Answer
from judge_room import AnswerParts, open_room, value_of
from judge_sets import Item, JudgeSet, has_words, normal
from judge_transcripts import session_id, write_transcript

CORPUS = Corpus("knowledge", "knowledge", "entries")
_WRITES = ("add", "modify", "contradict")
_UNASKED: Mapping[str, Any] = {"page": None, "edits": [], "title": None, "summary": None}


class PlaceBooth:
    def __init__(self, given: JudgeSet, folder: Path) -> None:
        self.given, self.folder = given, folder
        pages = [page_of(page) for page in given.base]
        self._paths = {page["id"]: path for page, (path, _) in zip(given.base, pages, strict=True)}
        self.app = open_room(folder, dict(pages))
        self._nears: dict[str, list[Near]] = {}
        self.unasked: list[str] = []
        """Items about which the curator did not ask although pages are near."""

    def ask(self) -> None:
        """Candidates come as from sessions, and the curator asks about all of them in one run."""
        if self.app.session_logs().names():
            self._ask_second()
            return
        for item in self.given.items:
            self._capture(item)
        before = self._placings
        curate(self.app, CurateOptions(everything=True), [self._candidate(item) for item in self.given.items])
        readers = Readers(self.app)
        self.unasked = [id for id, one in before.items() if self._is_asked(one) and readers.find(one.asked) is None]

    @staticmethod
    def _is_asked(placing: Placing) -> bool:
        return bool(placing.shown or placing.asked.input["others"])

    def _ask_second(self) -> None:
        """With the pages that a reader asked for, or described."""
        readers = Readers(self.app)
        for look in map(self._look, self.given.items):
            if look.added:
                readers.ask(look.placing.asked)

    def _capture(self, item: Item) -> None:
        id = self._id(item)
        file = write_transcript(self.folder / "transcripts", "claude-code", id, item["said"])
        capture_session(self.app, "claude", id, file)

    def _id(self, item: Item) -> str:
        return session_id(self.given.name, item["id"])

    @cached_property
    def _placings(self) -> dict[str, Placing]:
        """By item, the question that the curator asks first."""
        return {item["id"]: self._first(item) for item in self.given.items}

    def _first(self, item: Item) -> Placing:
        readers, candidate, near = Readers(self.app), self._candidate(item), self._near(item)
        return readers.placing(candidate, near, (), readers.others(candidate, near))

    @cached_property
    def _neighbours(self) -> Neighbours:
        self.app.update_graph()
        return Neighbours(self.app, WorkPages(self.app, {}))

    def _near(self, item: Item) -> list[Near]:
        if item["id"] not in self._nears:
            candidate = self._candidate(item)
            self._nears[item["id"]] = best(candidate, self._neighbours(candidate))
        return self._nears[item["id"]]

    def _look(self, item: Item) -> PlaceLook:
        """The question that was asked last: the second where a reader wants to see another page."""
        described = self._neighbours.described
        return look_at_pages(
            self._candidate(item), self._near(item), (), readers=Readers(self.app), described=described
        )

    def _candidate(self, item: Item) -> KnowledgeCandidate:
        given = item["candidate"]
        where, quote = self._quote(item)
        return KnowledgeCandidate(
            origin=f"{self._id(item)}:{given['kind']}:0",
            kind=given["kind"],
            title=given["title"],
            summary=given["summary"],
            body=given["body"],
            tags=tuple(given.get("tags", ())),
            confidence=given["confidence"],
            taint=Taint.MODEL,
            derived_from=(where,),
            quotes=(quote,),
        )

    def _quote(self, item: Item) -> tuple[str, Quote]:
        """The message that has most of the candidate's words; of several the last, and a person's for a practice."""
        kept = next(kept for kept in self._logs if kept.log.session_id == self._id(item))
        said = list(spoken_at(text_of(self.app.session_logs(), kept.name)))
        own = [one for one in said if one[0] == "user"] if item["candidate"]["kind"] == "practice" else said
        wanted = keys_of("\n".join(str(item["candidate"][name]) for name in ("title", "summary", "body")))
        _, text, start = max(own or said, key=lambda one: (len(wanted & keys_of(one[1])), one[2]))
        return kept.path, Quote(kept.path, text, start, start + len(text))

    @cached_property
    def _logs(self) -> Any:
        return sessions(self.app.session_logs())

    # --- what came of it -----------------------------------------------------------------------------------------

    def subjects(self, item: Item) -> Sequence[str]:
        return (f"candidate:{self._id(item)}:",)

    def label(self, item: Item) -> str:
        return str(item["expect"]["action"])

    def result(self, item: Item) -> Any:
        """Where no page is near, the curator adds without asking."""
        placing = self._placings[item["id"]]
        if reason := refused(self._candidate(item)):
            return {**_UNASKED, "fate": "drop", "reason": reason}
        if not self._is_asked(placing):
            return {**_UNASKED, "fate": "add", "reason": "no page is near"}
        return value_of(self._look(item).outcome)

    def raw(self, item: Item, report: Mapping[str, Any]) -> Any:
        return report

    def score(self, item: Item, result: Mapping[str, Any]) -> AnswerParts:
        wanted, said = item["expect"], result.get("fate")
        notes = tuple(self._notes(item, result))
        details = {f"{wanted['action']} answered as {said}": 1}
        right = int(said in _WRITES and not notes)
        return AnswerParts(
            right,
            int(said in _WRITES and not right),
            int(wanted["action"] in _WRITES and not right),
            notes,
            (),
            details,
        )

    def _notes(self, item: Item, result: Mapping[str, Any]) -> Iterator[str]:
        wanted, said = item["expect"], result.get("fate")
        if said != wanted["action"]:
            yield f"{said}, not {wanted['action']}: {result.get('reason')}"
            return
        if said not in ("modify", "contradict"):
            return
        if self._page_id(result.get("page")) != wanted["target"]:
            yield f"about {result.get('page')}, not {wanted['target']}"
            return
        yield from self._edit_notes(item, result)

    def _edit_notes(self, item: Item, result: Mapping[str, Any]) -> Iterator[str]:
        wanted = item["expect"]
        page = self._page(wanted["target"])
        changed = [str(edit.get("old")) for edit in result.get("edits") or ()]
        changed += [page.title] if result.get("title") else []
        changed += [page.summary] if result.get("summary") else []
        if wanted["action"] == "contradict" and wanted.get("old") and not _touch(wanted["old"], "\n".join(changed)):
            yield f"it leaves “{wanted['old'][:80]}” as it is"
        try:
            after = revised(page, revision_in({"title": None, "summary": None, **result}, page, self._shown_text(item)))
        except (CairnError, KeyError, TypeError) as problem:
            yield f"its edits can't be made: {problem}"
            return
        yield from self._page_notes(wanted, after)

    def _page_notes(self, wanted: Mapping[str, Any], after: ProposedNode) -> Iterator[str]:
        text = "\n".join((after.title, after.summary, after.body))
        if not has_words(text, wanted.get("new_words")):
            yield f"the page would not state {wanted['new_words']}"
        if wanted["action"] == "modify":
            lost = [word for word in wanted.get("keep_words") or () if normal(word) not in normal(text)]
            yield from (f"the page would lose “{word}”" for word in lost)

    def _page(self, id: str) -> Near:
        page = WorkPages(self.app, {}).near(self._paths[id])
        assert page is not None
        return page

    def _shown_text(self, item: Item) -> str:
        shown, target = self._look(item).placing.shown, item["expect"]["target"]
        return next((text for id, text in shown.items() if self._page_id(id) == target), "")

    def _page_id(self, name: str | None) -> str | None:
        """Of the base, of a page that Cairn calls so."""
        return next((id for id, path in self._paths.items() if Path(path).stem == name), None)

    def texts(self, result: Mapping[str, Any]) -> str:
        edits = [str(edit["new"]) for edit in result.get("edits", ())]
        return "\n".join((*edits, str(result.get("title")), str(result.get("summary"))))

    def measures(self) -> Mapping[str, Any]:
        """Of the candidates about a page, how often it stands among those that a reader sees, and at which place."""
        aimed = [item for item in self.given.items if item["expect"]["target"] is not None]
        ranks = {item["id"]: self._rank(item) for item in aimed}
        listed = [item["id"] for item in aimed if ranks[item["id"]] is None and self._is_listed(item)]
        shown = sum(rank is not None for rank in ranks.values())
        places = Counter(f"at place {rank}" for rank in ranks.values() if rank is not None)
        lacking = [item["id"] for item in aimed if item["expect"].get("old") and not self._has_old(item)]
        return {
            "candidates about a page": len(aimed),
            f"recall@{PAGES} of the right page": round(shown / len(aimed), 3) if aimed else None,
            **dict(sorted(places.items())),
            f"right page not among the {PAGES}": [id for id, rank in ranks.items() if rank is None],
            "of these, listed among the other pages": listed,
            **self._second_looks(aimed),
            "words that change not shown": lacking,
            "not asked although pages are near": self.unasked,
        }

    def _second_looks(self, aimed: Sequence[Item]) -> Mapping[str, Any]:
        """Once readers answered: how many were asked twice, and whether the right page was shown in either question."""
        looks = [(item, self._look(item)) for item in self.given.items]
        if not any(isinstance(look.outcome, Answer) for _, look in looks):
            return {}
        pages = {item["id"]: {self._page_id(id) for id in look.placing.shown} for item, look in looks if look.added}
        shown = [item for item in aimed if self._rank(item) or item["expect"]["target"] in pages.get(item["id"], ())]
        return {
            "asked a second time": sorted(pages),
            "right page shown in either question": round(len(shown) / len(aimed), 3) if aimed else None,
        }

    def _rank(self, item: Item) -> int | None:
        ids = [self._page_id(page["id"]) for page in self._pages(item)]
        return ids.index(item["expect"]["target"]) + 1 if item["expect"]["target"] in ids else None

    def _is_listed(self, item: Item) -> bool:
        others = self._placings[item["id"]].asked.input["others"]
        return any(self._page_id(one["id"]) == item["expect"]["target"] for one in others)

    def _has_old(self, item: Item) -> bool:
        old = item["expect"]["old"]
        return any(old in page[name] for page in self._pages(item) for name in ("title", "summary", "text"))

    def _pages(self, item: Item) -> Any:
        return self._placings[item["id"]].asked.input["pages"]


def _touch(wanted: str, changed: str) -> bool:
    """Whether most of the words in question are among those that an edit replaces."""
    words = normal(wanted).split()
    there = normal(changed)
    return normal(wanted) in there or sum(word in there for word in words) * 2 >= len(words)


def page_of(page: Item) -> tuple[str, str]:
    """The path of a page of the base, and its text, as Cairn writes one."""
    node = ProposedNode(page["title"], page["kind"], tuple(page["tags"]), page["summary"], page["body"], "high")
    made = new_page(CORPUS, node, page["id"].rpartition("/")[2], ())
    return made.path, made.text
