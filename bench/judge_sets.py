"""Evaluation sets of `bench/judge.py`: reads a folder of JSON lines, and names what is wrong with it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Item = Mapping[str, Any]

KINDS = {
    "sessions": "sessions.jsonl",
    "places": "candidates.jsonl",
    "pairs": "pairs.jsonl",
    "sources": "sources.jsonl",
    "sentences": "sentences.jsonl",
}
"""By kind, the file that holds its items."""
BASE = "base.jsonl"
NEEDED = {
    "sessions": ("id", "host", "language", "messages", "expect", "never"),
    "places": ("id", "language", "candidate", "said", "expect"),
    "pairs": ("id", "language", "a", "b", "same_subject", "disagree", "right"),
    "sources": ("id", "repository", "path", "old", "new", "language", "entry", "verdict", "drifted"),
    "sentences": ("id", "repository", "commit", "page", "line", "code", "symbol", "holds", "new_words"),
}
ACTIONS = ("add", "modify", "contradict", "drop")
VERDICTS = ("current", "drifted", "superseded", "unverifiable")


class JudgeSet(NamedTuple):
    name: str
    kind: str
    items: tuple[Item, ...]
    base: tuple[Item, ...] = ()
    """Pages, of the kind `places`."""

    def item(self, id: str) -> Item:
        return next(one for one in self.items if one["id"] == id)


def read_set(folder: Path) -> JudgeSet:
    found = [kind for kind, name in KINDS.items() if (folder / name).is_file()]
    found = [kind for kind in found if kind != "places" or (folder / BASE).is_file()]
    if len(found) != 1:
        raise SystemExit(f"{folder}: expected one of {', '.join(KINDS.values())}, found {len(found)}")
    items = read_lines(folder / KINDS[found[0]])
    base = read_lines(folder / BASE) if found[0] == "places" else []
    return JudgeSet(folder.name, found[0], tuple(items), tuple(base))


def read_lines(path: Path) -> list[Any]:
    rows = []
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        try:
            rows += [json.loads(line)] if line.strip() else []
        except ValueError as error:
            raise SystemExit(f"{path}:{number}: not JSON: {error}") from None
    return rows


def problems(given: JudgeSet) -> list[str]:
    """What makes items unusable, or their labels impossible to meet. Nothing is repaired: labels are their authors'."""
    ids = [str(one.get("id")) for one in given.items]
    found = [f"{id}: two items have this id" for id in sorted({id for id in ids if ids.count(id) > 1})]
    for id, one in zip(ids, given.items, strict=True):
        missing = [name for name in NEEDED[given.kind] if name not in one]
        found += [f"{id}: `{name}` is missing" for name in missing]
        found += [] if missing else [f"{id}: {text}" for text in _CHECKS[given.kind](one, given)]
    return found


def usable(given: JudgeSet) -> JudgeSet:
    """Without items that have not the form."""
    whole = [one for one in given.items if all(name in one for name in NEEDED[given.kind])]
    return given._replace(items=tuple(whole))


def _session_problems(item: Item, _: JudgeSet) -> Iterator[str]:
    if item["host"] not in ("claude-code", "codex"):
        yield f"unknown host `{item['host']}`"
    for wanted in item["expect"]:
        if not any(wanted["quote"] in one["text"] for one in item["messages"]):
            yield f"the quote “{wanted['quote'][:60]}” is in no message"


def _place_problems(item: Item, given: JudgeSet) -> Iterator[str]:
    wanted = item["expect"]
    pages = {page["id"]: page for page in given.base}
    if wanted["action"] not in ACTIONS:
        yield f"unknown action `{wanted['action']}`"
    if wanted["target"] is not None and wanted["target"] not in pages:
        yield f"the base has no page `{wanted['target']}`"
    elif wanted["target"] and wanted.get("old"):
        page = pages[wanted["target"]]
        if wanted["old"] not in "\n".join((page["title"], page["summary"], page["body"])):
            yield f"the page does not have the words “{wanted['old'][:60]}”"


def _pair_problems(item: Item, _: JudgeSet) -> Iterator[str]:
    if item["disagree"] and not item["same_subject"]:
        yield "it disagrees about different subjects"
    if item["right"] is not None and not item["disagree"]:
        yield "one side is right although nothing disagrees"


def _source_problems(item: Item, _: JudgeSet) -> Iterator[str]:
    if item["verdict"] not in VERDICTS:
        yield f"unknown verdict `{item['verdict']}`"
    for one in item["drifted"]:
        if one["sentence"] not in f"{item['entry']['body']}\n{item['entry']['summary']}":
            yield f"the entry does not have the sentence “{one['sentence'][:60]}”"


def _sentence_problems(item: Item, _: JudgeSet) -> Iterator[str]:
    if "sentence" not in item and not ("at" in item and "sha256" in item):
        yield "it has neither its sentence nor where that stands"
    if item["holds"] is False and not item["new_words"]:
        yield "it is false, and no corrected words are expected"


_CHECKS = {
    "sessions": _session_problems,
    "places": _place_problems,
    "pairs": _pair_problems,
    "sources": _source_problems,
    "sentences": _sentence_problems,
}


# --- words that a right answer has ------------------------------------------------------------------------------------


def has_words(text: str, groups: Sequence[Sequence[str]] | None) -> bool:
    """Whether of each group at least one occurs."""
    plain = normal(text)
    return all(any(normal(word) in plain for word in group) for group in groups or ())


def normal(text: str) -> str:
    """Without case, and without what a Markdown mark, a typographic quote or a line break changes."""
    for old, new in (("’", "'"), ("‘", "'"), ("“", '"'), ("”", '"'), ("`", ""), ("**", ""), ("\u00a0", " ")):
        text = text.replace(old, new)
    return " ".join(text.split()).casefold()
