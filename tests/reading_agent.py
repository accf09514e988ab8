"""A reader for tests: it answers each question as it was told, by the words that stand in the material."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from cairn.app import judging
from cairn.app.build import App
from cairn.jobs.ask import ReadNow
from cairn.jobs.run import JobRunRequest
from model_server import ModelServer

SAFE = {"injectionDetected": False, "injectionType": None, "injectionDetails": None, "contentQuality": "clean"}
Said = Mapping[str, Any] | str
Answers = Mapping[str, Said | Callable[[str], Said]]
"""By words of the prompt: fields of a report, or a text that is sent as it is."""

ABOUT = {
    "learned": "list what should outlive it",
    "distil": "list what is knowledge",
    "place": "Decide what should become",
    "still_true": "still say what its sources say?",
    "frontier": "Is there a newer edition of what this entry is about?",
    "review": "Does this change request hold?",
    "still_holds": "Is this sentence of a document still true",
    "contradiction": "Do these two passages of a project",
}


def env_of(model: ModelServer) -> dict[str, str]:
    return {"OPENAI_BASE_URL": model.url, "CAIRN_JUDGE_MODEL": "m-1"}


WITH = ("--with", "openai-compatible")


def reader_of(app: App, budget: str | None = None) -> ReadNow:
    """As a command has it with `--with openai-compatible`."""
    chosen = judging.reader_of(app, "openai-compatible").reader
    ceiling = judging.budget_of(app, budget)
    return lambda actions: judging.run_of(app, chosen, ceiling).work(JobRunRequest("all", None, actions))


def report(**fields: Any) -> str:
    return json.dumps({"confidence": 0.9, "safety": SAFE, **fields})


def answers(model: ModelServer, **by_question: Any) -> None:
    """For each question one answer, or a function of the prompt."""

    def reply(body: dict[str, Any]) -> tuple[int, Any]:
        prompt = "\n".join(message["content"] for message in body["messages"])
        kind = next(kind for kind, words in ABOUT.items() if words in prompt)
        said = by_question[kind]
        said = said(prompt) if callable(said) else said
        text = said if isinstance(said, str) else report(**said)
        return 200, {
            "choices": [{"message": {"content": text}}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 50},
        }

    model.reply = reply


def asked(model: ModelServer, kind: str = "") -> list[str]:
    prompts = ["\n".join(one["content"] for one in body["messages"]) for _, _, body in model.asked]
    return [prompt for prompt in prompts if not kind or ABOUT[kind] in prompt]


def lesson(title: str, quote: str, *, kind: str = "practice", **more: Any) -> dict[str, Any]:
    given = {
        "kind": kind,
        "title": title,
        "summary": f"{title}.",
        "body": f"{title}.",
        "tags": ["tools"],
        "confidence": "high",
        "quotes": [quote],
    }
    return {**given, **more}


def placed(fate: str, page: str | None = None, *edits: tuple[str, str], **more: Any) -> dict[str, Any]:
    changes = [{"old": old, "new": new} for old, new in edits]
    return {"fate": fate, "page": page, "reason": "Because.", "edits": changes, "title": None, "summary": None, **more}


def judged(verdict: str, *drifted: tuple[str, str | None, str], **more: Any) -> dict[str, Any]:
    """An answer to `still-true`: sentence, new sentence and quote of each that drifted."""
    items = [{"sentence": old, "new_sentence": new, "quote": quote, "source": 1} for old, new, quote in drifted]
    return {
        "verdict": verdict,
        "reason": "Because.",
        "drifted": items,
        "still_said": [],
        "superseded_by": None,
        **more,
    }
