"""Answers made from the labels of a set: what the checks refuse of answers that are right. No reader is asked."""

import json
from collections.abc import Callable, Mapping
from html import unescape
from pathlib import Path
from typing import Any

from judge_room import JudgeBooth
from judge_sets import Item, JudgeSet

SAFE = {"injectionDetected": False, "injectionType": None, "injectionDetails": None, "contentQuality": "clean"}
_SUBJECT = '<user-content id="'
_SHORT, _LINE = 80, 140

Report = Callable[[Item, JudgeSet], Mapping[str, Any]]


def write_answers(booth: JudgeBooth, prompts: list[Path]) -> int:
    """Beside each prompt the right answer; how many. Of kinds whose labels have no quotes there are none."""
    made = _MADE.get(booth.given.kind)
    if made is None:
        raise SystemExit(f"labels of {booth.given.kind} have no quotes, so no answer can be made from them")
    for file in prompts:
        subject = unescape(file.read_text("utf-8").rpartition(_SUBJECT)[2].partition('"')[0])
        item = next(one for one in booth.given.items if any(map(subject.startswith, booth.subjects(one))))
        value = {"confidence": 0.9, "safety": SAFE, **made(item, booth.given)}
        file.with_suffix(".json").write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return len(prompts)


def _session(item: Item, _: JudgeSet) -> Mapping[str, Any]:
    return {"candidates": [_lesson(one) for one in item["expect"]]}


def _lesson(expected: Mapping[str, Any]) -> Mapping[str, Any]:
    gist = " ".join(expected["gist"].split())
    return {
        "kind": expected["kind"],
        "title": gist[:_SHORT].strip(),
        "summary": gist[:_LINE].strip(),
        "body": gist,
        "tags": ["bench"],
        "confidence": "high",
        "quotes": [expected["quote"]],
    }


def _pair(item: Item, _: JudgeSet) -> Mapping[str, Any]:
    quotes = {f"quote_{side}": item[side]["text"].partition("\n")[0] for side in ("a", "b")} if item["disagree"] else {}
    return {
        "same_subject": item["same_subject"],
        "disagree": item["disagree"],
        "quote_a": None,
        "quote_b": None,
        **quotes,
        "right": item["right"] or "unknown",
        "why": "The label says so.",
        "who_decides": None,
    }


def _place(item: Item, given: JudgeSet) -> Mapping[str, Any]:
    wanted, edits, summary = item["expect"], list[dict[str, str]](), None
    if wanted["action"] in ("modify", "contradict"):
        page = next(one for one in given.base if one["id"] == wanted["target"])
        added = " ".join(group[0] for group in wanted["new_words"] or ())
        new = f"{wanted['old']} {added}" if wanted["action"] == "modify" else item["candidate"]["summary"]
        if wanted["old"] in page["body"]:
            edits = [{"old": wanted["old"], "new": new}]
        else:
            summary = new[:_LINE].strip()
    page_id = wanted["target"].rpartition("/")[2] if wanted["target"] else None
    return {
        "fate": wanted["action"],
        "page": page_id,
        "reason": "The label says so.",
        "edits": edits,
        "title": None,
        "summary": summary,
    }


_MADE: Mapping[str, Report] = {"sessions": _session, "pairs": _pair, "places": _place}
