"""The questions of the features, and what follows from their answers. Add a line here for each."""

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.jobs.follow import Follow
    from cairn.jobs.question import Question

QUESTIONS: Final[tuple[str, ...]] = (
    "cairn.freshness.questions.still_true.question",
    "cairn.freshness.questions.still_holds.question",
    "cairn.freshness.questions.frontier.question",
    "cairn.freshness.questions.review.question",
    "cairn.observe.questions.contradiction.question",
    "cairn.curate.questions.learned.question",
    "cairn.curate.questions.distil.question",
    "cairn.curate.questions.place.question",
)
"""Modules that have a `QUESTION`."""

FOLLOW_UPS: Final[tuple[str, ...]] = (
    "cairn.curate.curate_sessions:follow_sessions",
    "cairn.curate.bootstrap:follow_documents",
    "cairn.curate.import_offer:follow_memory",
)
"""Functions, as `module:name`, that take the application and return a sentence for each thing they did; in the order in
which they are called."""


def load_questions() -> "list[Question]":
    return [import_module(name).QUESTION for name in QUESTIONS]


def follow_ups(app: "App") -> "list[Follow]":
    return [partial(_called, name, app) for name in FOLLOW_UPS]


def _called(name: str, app: "App") -> Any:
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)(app)
