"""What is waiting to be read, in words."""

from asked_jobs import ASK, NOON, asked, taken
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.ports.jobs import JobsWaiting
from cairn.jobs.action import action_of
from cairn.jobs.finish import JobEnd, finish
from cairn.jobs.waiting import together, waiting_line, waiting_words
from sample_questions.colours.question import QUESTION

COLOURS = action_of(QUESTION)
ACTIONS = {ASK.id: ASK, COLOURS.id: COLOURS}


def test_waiting_line_counts_what_is_queued_or_running():
    database = open_memory()
    store = database.jobs
    assert waiting_line(store.waiting(), ACTIONS) == ""
    asked(store, action=COLOURS)
    one = "1 paint is waiting to be read: run `cairn judge`, or ask your agent to."
    assert waiting_line(store.waiting(), ACTIONS) == one
    asked(store), asked(store, "b.md")
    taken(store)
    both = "1 paint and 2 documents for `test/ask` are waiting to be read: run `cairn judge`, or ask your agent to."
    assert waiting_line(store.waiting(), ACTIONS) == both
    finish(taken(store), JobEnd("completed"), store=store, now_ms=NOON)
    assert waiting_line(store.waiting(), ACTIONS).startswith("1 paint and 1 document ")
    database.close()


def test_kinds_with_the_same_noun_are_counted_together():
    found = [JobsWaiting("a/one", 2, 0), JobsWaiting("core/colours", 1, 0), JobsWaiting("b/two", 1_000, 0)]
    assert waiting_words(found, ACTIONS) == "1,002 questions and 1 paint"


def test_what_no_question_was_asked_about_yet_is_counted_with_the_queue():
    found = together(
        [JobsWaiting("a/one", 2, 700), JobsWaiting("b/two", 1, 0)], {"a/one": 3, "c/three": 1, "d/four": 0}
    )
    assert [(one.action_id, one.jobs, one.tokens) for one in found] == [
        ("a/one", 5, 700),
        ("b/two", 1, 0),
        ("c/three", 1, 0),
    ]
