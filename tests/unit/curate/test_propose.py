"""Proposing through a workspace: each session once, only what is new, whatever happens on the way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.capture.capture_session import capture_session
from cairn.capture.note import write_turn
from cairn.core.fingerprint import recall_mark
from cairn.core.model.change import Taint
from cairn.core.model.session import SessionLog, TurnRequest
from cairn.core.ports.jobs import JobFilter
from cairn.core.session_log import head_of, text_of
from cairn.curate.curate_sessions import Learned, learn
from cairn.curate.propose import ProposeOptions, ProposeResult, candidates, propose_sessions
from host_lines import claude, claude_result, claude_use, joined
from model_server import ModelServer, model_server
from reading_agent import answers, env_of, lesson, reader_of

LONG = "The dough needs twelve hours at twenty degrees, whatever the recipe says. " * 10
START = (claude("user", "Bake bread with the new oven, please."), claude("assistant", LONG))
RULE = claude("user", "Remember: always use rye, because the guests like it.", uuid="u2")
MORE = claude("user", "Remember: salt never comes from the tin.", uuid="u3")
TITLE = "always use rye, because the guests like it"


class Bakery:
    def __init__(self, root: Path, **env: str) -> None:
        (root / ".cairn").mkdir(parents=True)
        (root / ".cairn" / "settings.json").write_text("{}")
        self.clock = SettableClock()
        self.root = root
        self.app: App = build_app(root, env=env, clock=self.clock)

    def hear(self, *lines: Any, session: str = "s1") -> None:
        file = self.root / f"{session}.jsonl"
        file.write_bytes(joined(lines))
        self.clock.advance(60_000)
        capture_session(self.app, "claude", session, file, "stop")

    def propose(self, *ids: str, **more: Any) -> ProposeResult:
        self.clock.advance(60_000)
        return propose_sessions(self.app, ProposeOptions(ids, **more))

    def titles(self, done: ProposeResult) -> list[str]:
        return [one.title for result in done.results for one in result.candidates]

    def log(self) -> SessionLog:
        logs = self.app.session_logs()
        head = head_of(logs, logs.names()[-1])
        assert head is not None
        return head.log

    def bytes(self) -> bytes:
        [file] = (self.root / ".cairn" / "sessions").glob("*.md")
        return file.read_bytes()


@pytest.fixture
def bakery(tmp_path: Path) -> Iterator[Bakery]:
    desk = Bakery(tmp_path / "work")
    yield desk
    desk.app.close()


def test_cues_are_kept_once_and_the_session_stays_unread(bakery: Bakery) -> None:
    bakery.hear(*START, RULE)
    done = bakery.propose()
    assert bakery.titles(done) == [TITLE] and done.unread == (1, 0, 1)
    log = bakery.log()
    assert (log.proposal_status, log.curated_through, log.cues_through) == ("pending", 0, log.transcript_chars)
    assert f"- practice: {TITLE} (medium, person)".encode() in bakery.bytes()
    before = bakery.bytes()
    assert not bakery.propose().results and bakery.bytes() == before

    bakery.hear(*START, RULE, MORE)
    assert bakery.titles(bakery.propose()) == ["salt never comes from the tin"]
    assert [one.origin for one in candidates(bakery.app)] == ["s1:practice:0", "s1:practice:1"]


def test_a_session_of_one_message_that_opens_with_a_cue_waits_to_be_read(bakery: Bakery) -> None:
    bakery.hear(RULE)
    done = bakery.propose()
    assert bakery.log().proposal_status == "pending" and bakery.titles(done) == [TITLE]


def test_a_session_without_a_cue_is_left_as_it_was_but_for_the_mark(bakery: Bakery) -> None:
    bakery.hear(*START, claude("user", "No, always use rye, because the guests like it.", uuid="u2"))
    done = bakery.propose()
    assert bakery.titles(done) == [] and done.unread == (1, 0, 1) and list(candidates(bakery.app)) == []
    assert b"Nothing was proposed yet." in bakery.bytes() and bakery.log().cues_at is None


def test_quotes_stand_where_they_say(bakery: Bakery) -> None:
    bakery.hear(*START, RULE, MORE)
    bakery.propose()
    logs = bakery.app.session_logs()
    text = text_of(logs, logs.names()[0])
    for one in candidates(bakery.app):
        [quote] = one.quotes
        assert text[quote.start : quote.end] == quote.text


def test_a_dry_run_writes_nothing(bakery: Bakery) -> None:
    bakery.hear(*START, RULE)
    before = bakery.bytes()
    assert bakery.titles(bakery.propose(dry_run=True)) == [TITLE]
    assert bakery.bytes() == before


def test_what_cairn_said_is_not_learnt_again(bakery: Bakery) -> None:
    told = "Remember: the rye starter lives in `kitchen/starter.py`."
    briefing = claude("user", f"<cairn-briefing>{told}</cairn-briefing> {recall_mark(told)}", uuid="u0")
    bakery.hear(briefing, *START, claude("user", told, uuid="u1"), RULE)
    assert bakery.titles(bakery.propose()) == [TITLE]


def test_an_agents_words_are_never_kept_by_a_cue(bakery: Bakery) -> None:
    bakery.hear(*START, claude("assistant", "Remember: use wheat.", uuid="a1"), RULE)
    assert bakery.titles(bakery.propose()) == [TITLE]


def test_at_most_so_many(bakery: Bakery) -> None:
    for n in range(3):
        bakery.hear(*START, RULE, session=f"s{n}")
    done = bakery.propose(most=2)
    assert ([one.session for one in done.results], done.later) == (["s0", "s1"], 1)


def test_a_session_that_another_process_holds_is_left_for_later(
    bakery: Bakery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cairn.curate.propose.LOCK_WAIT_MS", 0)
    bakery.hear(*START, RULE)
    before = bakery.bytes()
    with bakery.app.locks.hold("session-s1", ttl_ms=60_000):
        [result] = bakery.propose().results
    assert result.status == "busy" and "session-s1" in result.error
    assert bakery.bytes() == before
    assert bakery.titles(bakery.propose()) == [TITLE]


def test_a_log_that_somebody_damaged(bakery: Bakery) -> None:
    bakery.hear(*START, RULE)
    [file] = (bakery.root / ".cairn" / "sessions").glob("*.md")
    text = file.read_text().replace("proposals: {practice: [], map: []}", "proposals: [1, 2]")
    file.write_text(text)
    assert bakery.titles(bakery.propose()) == [TITLE]
    file.write_text("no log at all")
    assert not bakery.propose().results and list(candidates(bakery.app)) == []


def test_a_note_becomes_a_candidate_when_somebody_asks_to_keep_it(bakery: Bakery) -> None:
    text = "Preheat the oven, otherwise the crust stays soft."
    write_turn(bakery.app, TurnRequest("t1", "cli", "ada", summary=text, tags=("keep", "oven")))
    write_turn(bakery.app, TurnRequest("t2", "cli", "ada", summary="The oven driver is in `drivers/`.", type="lesson"))
    where = "The starter worker lives in `kitchen/starter.py`."
    write_turn(bakery.app, TurnRequest("t3", "cli", "ada", summary=where, tags=("keep-map",), taint=Taint.PERSON))
    first, second = candidates(bakery.app)
    assert (first.origin, first.confidence, first.taint) == ("note:t1:0", "low", Taint.MODEL)
    assert (first.kind, first.body, first.tags) == ("practice", text, ("oven",))
    assert (second.kind, second.body, second.confidence) == ("map", where, "medium")


def test_a_note_to_keep_is_proposed_whatever_its_score_and_its_age(bakery: Bakery) -> None:
    text = "Preheat the oven."
    write_turn(bakery.app, TurnRequest("t0", "cli", "ada", summary=text))
    write_turn(bakery.app, TurnRequest("t1", "claude", "ada", summary=text, tags=("keep",)))
    bakery.clock.advance(365 * 86_400_000)
    assert [one.body for one in candidates(bakery.app)] == [text]


# --- a reader ---------------------------------------------------------------------------------------------------------


RYE = lesson("Use rye", "always use rye, because the guests like it", body="Use rye for bread.", tags=["bread"])


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


@pytest.fixture
def asked(tmp_path: Path, model: ModelServer) -> Iterator[Bakery]:
    desk = Bakery(tmp_path / "work", **env_of(model))
    yield desk
    desk.app.close()


def read(bakery: Bakery, *, now: bool = True, budget: str | None = None, **more: Any) -> Learned:
    bakery.clock.advance(60_000)
    return learn(bakery.app, ProposeOptions(**more), reader_of(bakery.app, budget) if now else None)


def found(done: Learned) -> list[tuple[str, str]]:
    return [(one.kind, one.title) for result in done.proposed.results for one in result.candidates]


def test_each_reader_has_its_own_mark_of_what_it_has_read(asked: Bakery, model: ModelServer) -> None:
    asked.hear(*START, RULE)
    asked.propose()
    place = lesson("The new oven bakes bread", "Bake bread with the new oven", kind="map", tags=["bread"])
    answers(model, learned={"candidates": [RYE, place]})
    done = read(asked)
    assert found(done) == [("map", "The new oven bakes bread")], "the words of RYE were kept as they were typed"
    log = asked.log()
    assert (log.proposal_status, log.curated_through, log.topics) == ("done", log.transcript_chars, ("bread",))
    assert log.proposal_log is not None and log.proposal_log.startswith("e-") and log.question is None
    assert done.spent is not None and done.spent.attempted == 1 and done.proposed.unread == (0, 0, 0)


def test_without_a_reader_the_question_waits_and_is_asked_once(asked: Bakery) -> None:
    asked.hear(*START, RULE)
    assert asked.propose().unread == (1, 0, 1), "cues only: nobody is asked"
    assert read(asked, now=False).proposed.unread == (1, 0, 0)
    first = asked.log()
    assert first.question and first.asked_through == first.transcript_chars
    read(asked, now=False)
    assert len(asked.app.store.jobs.jobs(JobFilter())) == 1


def test_a_session_that_grows_while_a_question_waits_is_asked_about_the_rest_afterwards(
    asked: Bakery, model: ModelServer
) -> None:
    asked.hear(*START, RULE)
    read(asked, now=False)
    waits = asked.log().asked_through
    asked.hear(*START, RULE, claude("user", "Also, never open the oven before noon.", uuid="u9"))
    late = lesson("Never open the oven before noon", "never open the oven before noon")
    answers(model, learned=lambda prompt: {"candidates": [late if "before noon" in prompt else RYE]})
    assert found(read(asked)) == [("practice", late["title"])]
    log = asked.log()
    assert waits < log.curated_through == log.transcript_chars and log.proposal_status == "done"


def test_a_long_session_is_cut_between_messages_and_what_was_found_is_carried_along(
    asked: Bakery, model: ModelServer
) -> None:
    words = ["oven", "dough", "salt", "yeast", "water", "crust", "flour", "rye", "wheat", "steam"]
    turns = [
        claude("user", f"Number {n}: {words[n]} " + "and so on, as we said. " * 240, uuid=f"u{n}") for n in range(10)
    ]
    asked.hear(*START, *turns)
    prompts: list[str] = []

    def reply(prompt: str) -> dict[str, Any]:
        prompts.append(prompt)
        first = next(n for n in range(10) if f"person: Number {n}: " in prompt)
        return {"candidates": [lesson(f"Mind the {words[first]}", f"Number {first}: {words[first]}")]}

    answers(model, learned=reply)
    assert len(found(read(asked))) == len(prompts) > 1
    assert "FOUND BEFORE" not in prompts[0] and "- [practice] Mind the oven" in prompts[1]
    shown = [n for prompt in prompts for n in range(10) if f"person: Number {n}: " in prompt]
    assert shown == list(range(10)), "each message once, in whole"
    assert all(len(prompt) < 60_000 for prompt in prompts)


def test_taint_follows_the_words_that_a_candidate_rests_on(asked: Bakery, model: ModelServer) -> None:
    tool = (claude_use("t", "Read", file_path="a"), claude_result("t"))
    driver = claude("assistant", "The oven driver lives in `drivers/oven.py`.", uuid="a1")
    asked.hear(*START, *tool)
    asked.hear(
        *START, *tool, driver, claude("user", "Right. And always use rye, because the guests like it.", uuid="u2")
    )
    place = lesson("The oven driver is in drivers/oven.py", "The oven driver lives in `drivers/oven.py`.", kind="map")
    answers(model, learned={"candidates": [RYE, place]})
    read(asked)
    by = {one.title: (one.taint, one.confidence) for one in candidates(asked.app)}
    assert by["Use rye"] == (Taint.MODEL, "high")
    assert by[place["title"]] == (Taint.OUTSIDE, "low"), (
        "only the agent said it, after it had seen the output of a tool"
    )


def test_what_a_person_confirmed_is_medium_and_rests_on_both(asked: Bakery, model: ModelServer) -> None:
    said = "Shall we always preheat the oven to 250 degrees?"
    asked.hear(*START, claude("assistant", said, uuid="a1"), claude("user", "Yes, always.", uuid="u2"))
    agreed = lesson("Preheat the oven to 250 degrees", said)
    answers(model, learned={"candidates": [agreed | {"quotes": [said, "Yes, always."]}]})
    read(asked)
    [one] = candidates(asked.app)
    assert one.confidence == "medium" and [quote.text for quote in one.quotes] == [said, "Yes, always"]
    answers(model, learned={"candidates": [agreed]})
    asked.hear(*START, claude("assistant", said, uuid="a1"), claude("user", "Hm.", uuid="u2"), session="s2")
    assert "none of its quotes is of words that the person typed" in read(asked).proposed.results[0].error


def test_a_session_that_the_first_build_marked_as_read_is_read(asked: Bakery, model: ModelServer) -> None:
    asked.hear(*START, RULE)
    [file] = (asked.root / ".cairn" / "sessions").glob("*.md")
    chars = asked.log().transcript_chars
    text = file.read_text().replace("proposal_status: pending", "proposal_status: done")
    file.write_text(text.replace("curated_through: 0", f"curated_through: {chars}"))
    done = asked.propose()
    assert done.unread == (1, 0, 1) and done.results[0].status == "pending" and asked.titles(done) == [TITLE]
    answers(model, learned={"candidates": [lesson("Mind the dough", "The dough needs twelve hours", kind="map")]})
    assert found(read(asked)) == [("map", "Mind the dough")]


def test_what_fails_is_asked_again_later(asked: Bakery, model: ModelServer) -> None:
    asked.hear(*START, RULE)
    answers(model, learned="I would rather not.")
    [result] = read(asked).proposed.results
    assert result.status == "failed" and "JSON" in result.error and len(model.asked) == 2
    log = asked.log()
    assert (log.proposal_status, log.proposal_attempts, log.curated_through) == ("failed", 1, 0)
    assert not read(asked).proposed.results
    asked.clock.advance(600_000)
    read(asked)
    assert asked.log().proposal_attempts == 2
    answers(model, learned={"candidates": []})
    assert read(asked, failed=True).proposed.results[0].status == "done"
    assert (asked.log().proposal_status, asked.log().proposal_error) == ("done", None)


def test_a_ceiling(asked: Bakery, model: ModelServer) -> None:
    asked.hear(*START, RULE)
    done = read(asked, budget="10")
    assert done.spent is not None and "budget" in done.spent.stopped and not model.asked
    assert done.proposed.results[0].status == "pending", "the question still waits"
