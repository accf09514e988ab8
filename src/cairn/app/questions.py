"""The questions of the features, and what follows from their answers. Add a line here for each."""

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.core.ports.jobs import JobsWaiting
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
    "cairn.freshness.follow_answers:follow_freshness",
    "cairn.freshness.review_change:follow_reviews",
    "cairn.observe.follow_contradictions:follow_contradictions",
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


# --- what is waiting --------------------------------------------------------------------------------------------------


def waiting_line(app: "App", only: Sequence[str] = ()) -> str:
    from cairn.jobs.waiting import waiting_line

    return waiting_line([one for one in waiting(app) if not only or one.action_id in only], app.actions())


def waiting(app: "App") -> "list[JobsWaiting]":
    """Also sessions that no question was asked about yet: whoever has them read asks first."""
    from cairn.curate.propose import unread_sessions
    from cairn.curate.questions.learned.question import QUESTION
    from cairn.jobs.waiting import together

    queue = app.store.jobs.waiting() if _has_store(app) else ()
    return together(queue, {QUESTION.id: unread_sessions(app).unasked})


def _has_store(app: "App") -> bool:
    """Looking must not create one."""
    return not isinstance(app.store_location, Path) or app.store_location.exists()
