"""Proposing through a workspace: each session once, only what is new, whatever happens on the way."""

import json
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
from cairn.core.session_log import head_of, text_of
from cairn.curate.propose import ProposeOptions, ProposeResult, candidates, propose_sessions
from cairn.errors import UsageError
from host_lines import claude, claude_result, claude_use, joined
from model_server import ModelServer, model_server

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
    assert bakery.titles(done) == [TITLE] and done.unread == (1, 0)
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
    assert bakery.titles(done) == [] and done.unread == (1, 0) and list(candidates(bakery.app)) == []
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
    assert ([one.session for one in done.results], done.waiting) == (["s0", "s1"], 1)


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


# --- a model ----------------------------------------------------------------------------------------------------------


def said(*practice: dict[str, Any]) -> str:
    return json.dumps({"practice": practice, "map": []})


RYE = {
    "kind": "practice",
    "title": "Use rye",
    "summary": "Bread is made of rye.",
    "body": "Use rye for bread.",
    "tags": ["bread"],
    "confidence": "high",
    "quote": "always use rye, because the guests like it",
}


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


@pytest.fixture
def asked(tmp_path: Path, model: ModelServer) -> Iterator[Bakery]:
    env = {"CAIRN_FRESHNESS_OPENAI_BASE_URL": model.url, "CAIRN_FRESHNESS_OPENAI_MODEL": "tiny"}
    desk = Bakery(tmp_path / "work", **env)
    yield desk
    desk.app.close()


def test_a_model_is_believed_what_it_can_prove(asked: Bakery, model: ModelServer) -> None:
    asked.hear(*START, RULE)
    model.says(said(RYE))
    done = asked.propose(provider="openai-compatible")
    assert asked.titles(done) == ["Use rye"] and done.unread == (0, 0), "the cue is about the same words"
    [result] = done.results
    assert result.candidates[0].taint is Taint.MODEL
    assert done.metered is not None and done.metered.spent.calls == 1
    prompt = model.asked[0][2]["messages"][-1]["content"]
    assert "always use rye" in prompt and '{"session": "s1"}' in prompt
    log = asked.log()
    assert log.proposal_log is not None
    lines = (asked.root / log.proposal_log).read_text().splitlines()
    assert json.loads(lines[0])["outcome"] == "done" and "Use rye" in lines[1]
    assert (asked.root / log.proposal_log).stat().st_mode & 0o777 == 0o600


def test_a_session_fails_while_something_has_to_be_set_aside(asked: Bakery, model: ModelServer) -> None:
    asked.hear(*START, RULE)
    model.says(said(RYE, RYE | {"title": "Hate", "quote": "the guests hate wheat bread"}))
    done = asked.propose(provider="openai-compatible")
    [result] = done.results
    assert result.status == "failed" and "practice 1 was set aside: its quote is not in the session" in result.error
    assert asked.titles(done) == ["Use rye"] and done.unread == (0, 1), "what counts is kept"
    first, second = (prompt[2]["messages"][-1]["content"] for prompt in model.asked)
    assert second.startswith(first) and "its quote is not in the session" in second
    assert asked.titles(asked.propose()) == [], "the cue is about the same words"
    model.says(said(RYE | {"title": "Rye only"}))
    done = asked.propose(provider="openai-compatible", failed=True)
    assert done.results[0].status == "done" and asked.titles(done) == [], "these words were proposed before"


def test_an_answer_that_is_corrected_counts(asked: Bakery, model: ModelServer) -> None:
    asked.hear(*START, RULE)
    replies = [said(RYE), said(RYE | {"quote": "the guests hate wheat bread"})]
    model.reply = lambda _: (200, {"choices": [{"message": {"content": replies.pop()}}]})
    done = asked.propose(provider="openai-compatible")
    assert (done.results[0].status, asked.titles(done)) == ("done", ["Use rye"])


def test_a_session_that_the_first_build_marked_as_read_is_read(asked: Bakery, model: ModelServer) -> None:
    asked.hear(*START, RULE)
    [file] = (asked.root / ".cairn" / "sessions").glob("*.md")
    chars = asked.log().transcript_chars
    text = file.read_text().replace("proposal_status: pending", "proposal_status: done")
    file.write_text(text.replace("curated_through: 0", f"curated_through: {chars}"))
    done = asked.propose()
    assert done.unread == (1, 0) and done.results[0].status == "pending" and asked.titles(done) == [TITLE]
    model.says(json.dumps({"practice": [], "map": [RYE | {"kind": "map", "quote": "The dough needs twelve hours"}]}))
    assert asked.titles(asked.propose(provider="openai-compatible")) == ["Use rye"]


def test_a_model_reads_the_whole_session_after_its_cues_were_kept(asked: Bakery, model: ModelServer) -> None:
    asked.hear(*START, RULE)
    asked.propose()
    other = {**RYE, "kind": "map", "quote": "Bake bread with the new oven"}
    model.says(json.dumps({"practice": [RYE], "map": [other]}))
    done = asked.propose(provider="openai-compatible")
    assert [(one.kind, one.title) for one in done.results[0].candidates] == [("map", "Use rye")], (
        "RYE is proposed already"
    )
    assert "Bake bread" in model.asked[0][2]["messages"][-1]["content"]
    log = asked.log()
    assert (log.proposal_status, log.curated_through, log.topics) == ("done", log.transcript_chars, ("bread",))


def test_a_model_taints_what_it_makes_of_a_session_with_tools(asked: Bakery, model: ModelServer) -> None:
    tool = (claude_use("t", "Read", file_path="a"), claude_result("t"))
    asked.hear(*START)
    assert asked.log().outside_from is None
    asked.hear(*START, *tool)
    asked.hear(*START, *tool, claude("assistant", "The oven driver is fine.", uuid="a1"), RULE)
    model.says(said(RYE))
    asked.propose(provider="openai-compatible")
    assert [one.taint for one in candidates(asked.app)] == [Taint.OUTSIDE]


def test_what_fails_is_tried_again_later(asked: Bakery, model: ModelServer) -> None:
    asked.hear(*START, RULE)
    model.says("I would rather not.")
    [result] = asked.propose(provider="openai-compatible").results
    assert result.status == "failed" and "no JSON" in result.error
    log = asked.log()
    assert (log.proposal_status, log.proposal_attempts, log.curated_through) == ("failed", 1, 0)
    assert not asked.propose(provider="openai-compatible").results
    asked.clock.advance(600_000)
    asked.propose(provider="openai-compatible")
    assert asked.log().proposal_attempts == 2
    model.says(said(RYE))
    done = asked.propose(provider="openai-compatible", failed=True)
    assert asked.titles(done) == ["Use rye"]
    assert (asked.log().proposal_status, asked.log().proposal_error) == ("done", None)


def test_a_ceiling(asked: Bakery, model: ModelServer) -> None:
    asked.hear(*START, RULE)
    [result] = asked.propose(provider="openai-compatible", budget="10").results
    assert result.status == "failed" and "budget" in result.error and not model.asked


def test_secrets_that_a_model_makes_up(asked: Bakery, model: ModelServer) -> None:
    asked.hear(*START, RULE)
    model.says(said(RYE | {"body": "Write to ada.lovelace@gmail.com for rye."}))
    done = asked.propose(provider="openai-compatible")
    assert asked.titles(done) == [TITLE] and "a secret or personal data set aside" in done.results[0].error


def test_nobody_of_that_name(bakery: Bakery) -> None:
    with pytest.raises(UsageError, match="rules, auto"):
        bakery.propose(provider="extractive")
