"""What counts as learned more than once: the same statement, in several sessions, not taken back and not copied."""

import pytest

from cairn.capture.lessons import Saying, learned_more_than_once, meaning_of, mended, needs
from cairn.kernel.model.session import Segment
from cairn.kernel.model.turn import ToolCall

SAME = [
    ("Use pnpm, not npm", "Use pnpm instead of npm"),
    ("Use pnpm, not npm", "Always use `pnpm`, and not npm."),
    ("Never use npm", "Don't use npm"),
    ("Always run `make lint` before committing", "Run make lint before every commit"),
    ("In tests, use factories", "Use factories in the tests"),
    ("Use pnpm, not npm", "Use pnpm"),
]
APART = [
    ("Use pnpm, not npm", "Use npm, not pnpm"),
    ("Use pnpm, not npm", "Use pnpm, not yarn"),
    ("Never mock the database", "Mock the database"),
    ("Put tests beside the source", "Put the source beside tests"),
    ("Use port 8080 for the proxy", "Use port 8081 for the proxy"),
    ("Run the migrations before the tests", "Run the tests before the migrations"),
    ("Use mocks in unit tests", "Use mocks only in unit tests"),
    ("Deploy with `make ship`", "Deploy without `make ship`"),
    ("Log errors to stderr", "Log errors"),
    ("Use `user_id` as the key", "Use `user_ids` as the key"),
]


def saying(statement, session="one", *, day=1, **more):
    at = more.pop("at", f"2026-05-{day:02}T10:00:00Z")
    return Saying(statement, more.pop("quote", statement), more.pop("host", "claude"), session, at, **more)


def learned(*sayings):
    return [(lesson.statement, len(lesson.sayings)) for lesson in learned_more_than_once(sayings)]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_other_words(one, other):
    assert learned(saying(one), saying(other, "two", day=2)) == [(other, 2)]


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_only_looks_alike_stays_apart(one, other):
    assert meaning_of(one) != meaning_of(other)
    assert learned(saying(one), saying(other, "two", day=2)) == []


def test_one_session_says_it_once_however_often():
    assert learned(saying("Use pnpm"), saying("Use pnpm", day=2)) == []
    more = [saying("Use pnpm", "two", day=3), saying("Use pnpm", "two", day=4)]
    assert learned(saying("Use pnpm"), saying("Use pnpm", day=2), *more) == [("Use pnpm", 2)]


def test_two_hosts_with_one_id_are_two_sessions():
    assert learned(saying("Use pnpm"), saying("Use pnpm", day=2, host="codex")) == [("Use pnpm", 2)]


def test_what_was_taken_back_later_is_no_lesson():
    twice = [saying("Use pnpm, not npm"), saying("Use pnpm, not npm", "two", day=2)]
    assert learned(*twice, saying("Use npm, not pnpm", "three", day=3)) == []
    before = saying("Use npm, not pnpm", "zero", at="2026-04-01T10:00:00Z")
    assert learned(*twice, before) == [("Use pnpm, not npm", 2)]
    assert learned(saying("Never use npm"), saying("Never use npm", "two", day=2), saying("Use npm", "x", day=3)) == []


def test_use_it_belongs_to_neither_of_two_that_refuse_other_things():
    told = [saying("Use pnpm, not npm"), saying("Use pnpm, not yarn", "two", day=2), saying("Use pnpm", "three", day=3)]
    assert learned(*told) == []


@pytest.mark.parametrize(
    "copy",
    [
        {"message_id": "u-1"},  # the host began the new transcript with the old messages
        {"at": "2026-05-01T10:00:00Z"},
        {"began": "Add a lint package", "message": "No, use pnpm."},  # and gave them new times
        {"message": "Use pnpm. " + "This is a prompt that a program sends every night. " * 8},
    ],
)
def test_a_copy_of_a_message_is_not_said_twice(copy):
    first = saying("Use pnpm", **({"at": "2026-05-01T10:00:00Z"} | copy))
    again = {"day": 2} | copy
    assert learned(first, saying("Use pnpm", "two", **again)) == []
    assert learned(first, saying("Use pnpm", "two", **again), saying("Use pnpm", "three", day=9)) in (
        [("Use pnpm", 2)],
        [],  # of the prompt nothing is left, and one is too few
    )


@pytest.mark.parametrize(("by", "who"), [((True, True), "people"), ((False, False), "agents"), ((True, False), "both")])
def test_who_learned_it(by, who):
    told = [saying("Use pnpm", str(n), day=n, by_person=person) for n, person in enumerate(by, 1)]
    assert [lesson.learned_by for lesson in learned_more_than_once(told)] == [who]


def test_most_sessions_first():
    told = [saying("Use tabs", str(n), day=n) for n in (1, 2)] + [saying("Use pnpm", str(n), day=n) for n in (1, 2, 3)]
    assert learned(*told) == [("Use pnpm", 3), ("Use tabs", 2)]


# --- a failure, and what mended it ----------------------------------------------------------------------------------


def agent(text, *tools):
    calls = tuple(ToolCall("Bash", target, ok) for target, ok in tools)
    return Segment("assistant", text, None, None, 0, 0, tools=calls)


ASKED = Segment("user", "run the tests", "u", None, 0, 0)
SAID = "The tests need `DATABASE_URL` in the environment."
KNOWN = "The tests need `DATABASE_URL` in the environment"


@pytest.mark.parametrize(
    ("segments", "found"),
    [
        ([ASKED, agent("", ("pytest", False)), agent(SAID, ("pytest", True))], [KNOWN]),
        ([ASKED, agent("", ("pytest", False)), agent(SAID), agent("", ("pytest", True))], [KNOWN]),
        ([ASKED, agent("", ("pytest", False)), agent(SAID, ("ruff", True))], []),  # another program
        ([ASKED, agent("", ("pytest", False)), agent(SAID, ("pytest", False))], []),  # not mended
        ([ASKED, agent(SAID, ("pytest", True))], []),  # nothing failed
        ([ASKED, agent("", ("pytest", False)), ASKED, agent(SAID, ("pytest", True))], []),  # in another turn
        ([ASKED, agent("", ("", False)), agent(SAID, ("", True))], []),  # nobody knows what it was
    ],
)
def test_what_was_said_between_a_failure_and_its_end(segments, found):
    assert [one.sentence for one in mended(segments)] == found


@pytest.mark.parametrize(
    "sentence",
    [
        "`pytest` needs a running `postgres`",
        "The build fails without `NODE_OPTIONS`",
        "Our migrations require --fake-initial on a fresh database",
    ],
)
def test_what_is_needed_in_general(sentence):
    assert list(needs(f"I see. {sentence}.")) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "I need to set `DATABASE_URL` first.",
        "It needs `DATABASE_URL`.",
        "The tests probably need `DATABASE_URL` in the environment.",
        "The test now needs `fixture_a` to pass.",
        "The tests need more time than before.",
        "Done. All tests pass with `make test`.",
    ],
)
def test_what_is_supposed_or_about_now_is_no_lesson(sentence):
    assert list(needs(sentence)) == []
