"""Sources of an evaluation set at two commits, and whether a reader finds what an entry no longer says rightly."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cairn.changes.write import write_file
from cairn.core.ports.jobs import ExecutionFilter, JobFilter
from cairn.jobs.ask import outcome_of
from cairn.lib.yaml.write import mapping_text
from judge_room import AnswerParts, cairn, commit, open_room, value_of
from judge_sets import Item, JudgeSet, has_words, normal
from strangers_clones import Repository, find_clone, git

ACTION = "core/still-true"
_DOUBTED = ("drifted", "superseded")
_NIGHT = "night.json"
_MOST = "500"


class SourceBooth:
    """The entries lie beside copies of the documents that they were written from. The copies change in one commit."""

    def __init__(self, given: JudgeSet, folder: Path, clones: Path) -> None:
        self.given = given._replace(items=tuple(one for one in given.items if _clone(one, clones)))
        self.folder, self._clones = folder, clones
        self.app = open_room(folder, dict(self._files("old")))
        self._night: Mapping[str, Any] = {}

    def _files(self, when: str) -> Iterator[tuple[str, str]]:
        for item in self.given.items:
            yield _copy(item), self._text(item, when)
            if when == "old":
                yield _page(item), _entry(item)

    def _text(self, item: Item, when: str) -> str:
        clone = _clone(item, self._clones)
        assert clone is not None
        return git(clone, "show", f"{item[when]}:{item['path']}").decode("utf-8", "replace")

    def ask(self) -> None:
        """The old text is what each entry was found right with; then one night after the change."""
        if not (self.folder / _NIGHT).is_file():
            cairn(self.app.root, self.app.env, "freshness", "stamp", *map(_page, self.given.items))
            commit(self.app.root, "Review")
            for path, text in self._files("new"):
                write_file(self.app.root, path, text)
            commit(self.app.root, "Change the documents")
        told = cairn(self.app.root, self.app.env, "freshness", "run", "--max", _MOST, "--json")
        self._night = json.loads(told)
        (self.folder / _NIGHT).write_text(told, "utf-8")

    # --- what came of it ------------------------------------------------------------------------------------------

    def subjects(self, item: Item) -> Sequence[str]:
        return (_page(item),)

    def label(self, item: Item) -> str:
        return str(item["verdict"])

    def result(self, item: Item) -> Any:
        """What a reader answered; of an entry that needed none, what the run found."""
        hash = self._question(item)
        if hash is not None:
            return value_of(outcome_of(hash, store=self.app.store.jobs))
        verdict = "current" if _page(item) in self._night["confirmed"] else "unverifiable"
        if any(one["path"] == _page(item) for one in self._night["drifted"]):
            verdict = "drifted"
        return {"verdict": verdict, "drifted": [], "reason": "nobody was asked"}

    def _question(self, item: Item) -> str | None:
        jobs = self.app.store.jobs
        rows = jobs.executions(ExecutionFilter(actions=(ACTION,), node=_page(item)))
        live = jobs.jobs(JobFilter(("queued", "running"), (ACTION,), _page(item)))
        hashes = [*(job.question_hash for job in live), *(row.question_hash for row in rows)]
        return next(iter(hashes), None)

    def raw(self, item: Item, report: Mapping[str, Any]) -> Any:
        return report

    def score(self, item: Item, result: Mapping[str, Any]) -> AnswerParts:
        said, wanted = result.get("verdict"), item["verdict"]
        doubted, right = said in _DOUBTED, wanted in _DOUBTED
        notes = () if doubted == right else (f"{said}, not {wanted}: {result.get('reason')}",)
        details = {f"{wanted} answered as {said}": 1, **self._sentences(item, result)}
        hit = int(doubted and right)
        return AnswerParts(hit, int(doubted) - hit, int(right) - hit, notes, (), details)

    def _sentences(self, item: Item, result: Mapping[str, Any]) -> dict[str, int]:
        found = [one for one in result.get("drifted") or () if isinstance(one, dict)]
        pairs = [(wanted, _about(wanted, found)) for wanted in item["drifted"]]
        met = [(wanted, one) for wanted, one in pairs if one is not None]
        worded = [(wanted, one) for wanted, one in met if wanted["new_words"]]
        right = sum(has_words(str(one.get("new_sentence") or ""), wanted["new_words"]) for wanted, one in worded)
        used = [one for _, one in met]
        return {
            "drifted sentences": len(pairs),
            "drifted sentences named": len(met),
            "sentences named that did not drift": sum(one not in used for one in found),
            "new sentences expected": len(worded),
            "new sentences right": right,
        }

    def texts(self, result: Mapping[str, Any]) -> str:
        return "\n".join(str(one.get("new_sentence")) for one in result.get("drifted") or ())

    def measures(self) -> Mapping[str, Any]:
        unasked = [item for item in self.given.items if self._question(item) is None]
        return {
            "entries that no reader was asked about": len(unasked),
            "of these, drifted": [item["id"] for item in unasked if item["verdict"] in _DOUBTED],
            "entries that failed": [one["path"] for one in self._night.get("failed", ())],
        }


def _about(wanted: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    sentence = normal(wanted["sentence"])
    return next((one for one in found if _same(sentence, normal(str(one.get("sentence", ""))))), None)


def _same(one: str, other: str) -> bool:
    return bool(other) and (one in other or other in one)


def _clone(item: Item, clones: Path) -> Path | None:
    return find_clone(clones, Repository(item["repository"], "HEAD"))


def _copy(item: Item) -> str:
    return f"upstream/{item['id']}/{item['path']}"


def _page(item: Item) -> str:
    return f"knowledge/notes/{item['id']}.md"


def _entry(item: Item) -> str:
    given = item["entry"]
    front = {
        "name": item["id"],
        "description": given["summary"],
        "topics": ["upstream"],
        "volatility": "evolving",
        "sources": [{"path": _copy(item)}],
    }
    return f"---\n{mapping_text(front)}---\n\n# {given['title']}\n\n## Deep Guidance\n\n{given['body'].strip()}\n"


def missing_clones(given: JudgeSet, clones: Path) -> list[str]:
    """Repositories that are not there; their items are left out."""
    return sorted({item["repository"] for item in given.items if not _clone(item, clones)})
