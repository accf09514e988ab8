"""`cairn note` and `cairn turns`, as people and agents call them."""

import json
from pathlib import Path
from typing import Any

import pytest

from program import Ran, cairn, fits_schema

WORDS = "The importer reads latin-1 as UTF-8 and loses rows."
LOST = {"turn_id": "claude:s:u1", "source": "claude", "agent": "claude", "session": "s"}
AGENTS = ("CLAUDE", "CODEX", "CURSOR", "OPENCODE")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    import os

    for name in os.environ:
        if name.startswith(AGENTS):
            monkeypatch.delenv(name)
    (tmp_path / "README.md").write_text("# Here\n")
    assert cairn("init", cwd=tmp_path).code == 0
    return tmp_path


def noted(root: Path, *args: str, schema: str = "note", **env: str) -> Any:
    ran = cairn(*(("note",) if schema == "note" else ("knowledge", "note")), *args, "--json", cwd=root, **env)
    assert ran.code == 0, ran.err
    fits_schema(ran.json(), schema)
    return ran.json()


def asked(root: Path, *args: str) -> Any:
    ran = cairn("turns", *args, "--json", cwd=root)
    fits_schema(ran.json(), f"turns-{args[0]}")
    return ran.json()


def piped(root: Path, text: bytes) -> Ran:
    return cairn("note", "--stdin", "--json", cwd=root, stdin=text)


def test_switched_off_nothing_is_written(root: Path) -> None:
    assert noted(root, WORDS, CAIRN_OFF="1")["result"] == "switched-off"
    ran = cairn("note", WORDS, cwd=root, CAIRN_OFF="1")
    assert (ran.code, ran.out) == (0, "no note: CAIRN_OFF is set, so nothing is written down\n")
    assert asked(root, "list") == {"turns": [], "more": 0}


def test_a_note_that_scores_little_says_where_it_is_shown(root: Path) -> None:
    assert "little" not in cairn("note", WORDS, cwd=root).out
    again = cairn("note", f"Again, as was said: {WORDS.lower()}", "--source", "loop", cwd=root).out
    assert again.endswith(", little; `cairn turns list --low` shows it)\n")
    assert len(asked(root, "list", "--low")["turns"]) == 1 + len(asked(root, "list")["turns"])


def test_a_note_is_of_this_project_unless_it_names_another(root: Path) -> None:
    noted(root, WORDS)
    noted(root, "Pools of the library close by themselves.", "--project", "pools")
    projects = [turn["project"] for turn in asked(root, "list")["turns"]]
    assert projects[0] == "pools" and len(projects[1]) == 64
    shown = cairn("turns", "show", asked(root, "list")["turns"][1]["turnId"], cwd=root).out
    assert projects[1][:12] in shown and projects[1] not in shown


def test_a_person_types_a_note_and_finds_it(root: Path) -> None:
    ran = cairn("note", WORDS, cwd=root)
    assert (ran.code, ran.out.split(":")[0]) == (0, "noted")
    assert cairn("note", WORDS, cwd=root).out.startswith("noted already, nothing changed: turn:turn-")
    again = cairn("note", f"So {WORDS.lower()}", "--session", "s", cwd=root)
    assert again.out.startswith("no note: duplicate-signal; turn-")
    listed = cairn("turns", "list", "latin", cwd=root).out
    assert WORDS in listed
    assert "(seen 2 times)" in listed
    turn = ran.out.split()[1].removeprefix("turn:")
    shown = cairn("turns", "show", turn, cwd=root).out
    assert shown.startswith(WORDS)
    assert "seen count   2" in shown
    assert cairn("turns", "verify", cwd=root).out == "2 of 2 turns accounted for: 1 noted, 1 skipped, 0 failed\n"


def test_every_option_is_kept(root: Path) -> None:
    done = noted(
        root,
        *("--summary", WORDS, "--decision", "Ask for the encoding.", "--type", "lesson"),
        *("--evidence", "commit:4f2a91c", "--evidence", "a, b", "--tag", "Text Files", "--tag", "import"),
        *("--tool", "Bash", "--tool", "Edit", "--session", "s1", "--turn", "4", "--source", "loop", "--agent", "me"),
        *("--channel", "slack", "--project", "p", "--loop-id", "l", "--story-id", "t", "--run-id", "r"),
        *("--stage", "review"),
        schema="knowledge-note",
    )
    assert done["turnId"] == "loop:me:slack:s1:4"
    turn = asked(root, "show", done["turnId"])
    note = turn["note"]
    assert (turn["turnNumber"], turn["channel"], turn["stage"], turn["project"]) == (4, "slack", "review", "p")
    assert (note["type"], note["decision"]) == ("lesson", "Ask for the encoding.")
    assert note["evidence"] == ["commit:4f2a91c", "a, b"]
    assert note["tags"] == ["text-files", "import"]
    assert note["context"] == {
        "loop_id": "l",
        "project": "p",
        "run_id": "r",
        "stage": "review",
        "story_id": "t",
        "tool_names": ["Bash", "Edit"],
    }


def test_an_agent_is_known_by_its_shell(root: Path) -> None:
    done = noted(root, WORDS, CLAUDECODE="1", CAIRN_SESSION="s9", CAIRN_AGENT="reviewer")
    turn = asked(root, "show", done["turnId"])
    assert (turn["source"], turn["agent"], turn["session"], turn["host"]) == ("claude", "reviewer", "s9", "claude")
    assert turn["note"]["taint"] == "model"


def test_a_reason_for_none(root: Path) -> None:
    done = noted(root, "--skip-reason", "routine-heartbeat", "--session", "s", "--turn", "1")
    assert (done["outcome"], done["result"], done["note"]) == ("skipped", "routine-heartbeat", None)
    (root / ".cairn/settings.json").write_text('{"capture": {"skip_reasons": ["boilerplate"]}}')
    assert noted(root, "--skip-reason", "boilerplate")["result"] == "boilerplate"
    assert [turn["reason"] for turn in asked(root, "list", "--outcome", "skipped")["turns"]] == [
        "boilerplate",
        "routine-heartbeat",
    ]


WRONG: list[tuple[tuple[str, ...], str]] = [
    ((), "a note needs words"),
    (("  ",), "a note needs words"),
    (("--skip-reason", "lunch"), "'lunch' is no reason for a skip; there are routine-heartbeat, duplicate-signal"),
    (("x", "--type", "leson"), "did you mean 'lesson'?"),
    (("x", "--type", "poem"), "there are turn_note, lesson"),
    (("x", "--summary", "y"), "given twice"),
    (("x", "--turn", "-1"), "-1"),
    (("x", "--stdin"), "everything is in the JSON"),
    (("x", *(f"--tool={n}" for n in range(21))), "at most 20 of tools"),
]


@pytest.mark.parametrize(("args", "said"), WRONG, ids=[said[:20] for _, said in WRONG])
def test_what_is_wrong_is_a_sentence_and_nothing_is_written(root: Path, args: tuple[str, ...], said: str) -> None:
    ran = cairn("note", *args, cwd=root)
    assert ran.code == 2
    assert said in ran.err
    assert asked(root, "list")["turns"] == []


PIPED: list[tuple[bytes, int, str]] = [
    (b'{"turnId": "a", "source": "s", "agent": "x", "summary": "Words enough."}', 0, "inserted"),
    (b'{"name": "knowledge/turn.write.requested", "data": {"turnId": "a", "summary": "Words enough."}}', 0, "inserted"),
    (b'{"turnId": "a", "skipReason": "no-new-information"}', 0, "no-new-information"),
    (b'{"turnId": "a", "skipReason": "lunch"}', 2, "'lunch' is no reason for a skip"),
    (b'{"turnId": "a", "summary": "x", "type": "poem"}', 2, "there is no type of note 'poem'"),
    (b'{"turnId": "a"}', 2, "needs a `summary`, or a `skip_reason`"),
    (b'{"turnId": "a", "mood": 1}', 2, "has no field `mood`"),
    (b"", 2, "is not JSON"),
    (b"[1]", 2, "must be a JSON object"),
    (b"\xff\xfe", 2, "is not JSON"),
    (b"[" * 100_000, 2, "is not JSON"),
    (b" " * 1_100_000, 2, "more than a megabyte"),
]


@pytest.mark.parametrize(("text", "code", "said"), PIPED, ids=[said[:16] for *_, said in PIPED])
def test_the_wire_form(root: Path, text: bytes, code: int, said: str) -> None:
    ran = piped(root, text)
    assert (ran.code, said in ran.out + ran.err) == (code, True), ran
    fits_schema(ran.json(), "note" if code == 0 else "error")


def test_a_turn_that_was_refused_can_be_said_again(root: Path) -> None:
    piped(root, b'{"turnId": "a", "skipReason": "lunch"}')
    assert asked(root, "list", "--outcome", "failed")["turns"][0]["reason"] == "invalid_skip_reason"
    assert piped(root, b'{"turnId": "a", "summary": "Now with words."}').json()["result"] == "inserted"
    assert asked(root, "show", "a")["outcome"] == "completed"


# --- verify and trend -----------------------------------------------------------------------------------------------


def lose_a_turn(root: Path) -> None:
    from cairn.adapters.ledger.jsonl import JsonlLedger

    JsonlLedger(root / ".cairn/ledger").append("turn_eligible", LOST, now_ms=1_770_000_000_000)


def test_missing_turns_are_named(root: Path) -> None:
    noted(root, WORDS)
    assert asked(root, "verify")["verdict"] == "fine"
    lose_a_turn(root)
    ran = cairn("turns", "verify", "--since", "2026-01-01", cwd=root)
    assert ran.code == 1
    assert "1 of 2 turns accounted for" in ran.out
    assert "claude:s:u1" in ran.out
    found = asked(root, "verify", "--since", "2026-01-01")
    assert (found["verdict"], [turn["turnId"] for turn in found["missing"]]) == ("drift", ["claude:s:u1"])
    assert found["sources"]["claude"]["unaccounted"] == 1
    assert [turn["turnId"] for turn in asked(root, "list", "--outcome", "unaccounted")["turns"]] == ["claude:s:u1"]


def test_the_grace_period(root: Path) -> None:
    from cairn.adapters.clock.system import SystemClock
    from cairn.adapters.ledger.jsonl import JsonlLedger

    now = SystemClock().now_ms()
    JsonlLedger(root / ".cairn/ledger").append("turn_eligible", LOST, now_ms=now - 120_000)
    assert asked(root, "verify")["counts"]["waiting"] == 1
    assert asked(root, "verify", "--grace", "1m")["counts"]["unaccounted"] == 1
    assert "; 1 still under way" in cairn("turns", "verify", cwd=root).out


def test_nobody_can_tell(root: Path) -> None:
    noted(root, WORDS)
    (file,) = (root / ".cairn/ledger").glob("*.jsonl")
    with file.open("a") as stream:
        stream.write('{"v": 99, "id": "x"}\n')
    ran = cairn("turns", "verify", cwd=root)
    assert ran.code == 2
    assert "1 line of the ledger cannot be understood" in ran.err
    assert asked(root, "verify")["verdict"] == "unknown"


def test_how_it_goes(root: Path) -> None:
    assert cairn("turns", "trend", cwd=root).out == "no turns in the last 14 days\n"
    noted(root, WORDS, "--stage", "review")
    noted(root, "--skip-reason", "no-new-information", "--source", "loop")
    found = asked(root, "trend", "--days", "3")
    assert (len(found["rows"]), found["rows"][-1]["eligible"], found["total"]["completed"]) == (3, 2, 1)
    assert {row["key"] for row in asked(root, "trend", "--by", "stage")["rows"]} == {"review", "(none)"}
    assert asked(root, "trend", "--by", "source", "--source", "loop")["total"]["skipped"] == 1
    told = cairn("turns", "trend", "--by", "source", cwd=root).out
    assert "█" in told
    assert told.splitlines()[1].split() == [
        "source",
        "eligible",
        "noted",
        "skipped",
        "failed",
        "missing",
        "interrupted",
        "p95",
        "days",
    ]


BAD_SPANS = [
    ("verify", "--since", "soon"),
    ("verify", "--grace", "2026-01-01"),
    ("list", "--since", "7"),
    ("trend", "--by", "mood"),
]


@pytest.mark.parametrize("args", BAD_SPANS)
def test_spans_are_explained(root: Path, args: tuple[str, ...]) -> None:
    ran = cairn("turns", *args, cwd=root)
    assert ran.code == 2
    assert args[2] in ran.err


def test_failed_attempts_can_be_cleared(root: Path) -> None:
    noted(root, "Deploying answers 403.", "--type", "failed_target", "--target", "staging")
    assert [turn["note"]["type"] for turn in asked(root, "list", "--type", "failed_target")["turns"]] == [
        "failed_target"
    ]
    assert cairn("turns", "clear", "production", cwd=root).code == 5
    assert asked(root, "clear", "staging") == {"target": "staging", "cleared": 1}
    assert asked(root, "list", "--type", "failed_target")["turns"] == []
    assert cairn("turns", "show", "nobody", cwd=root).code == 5


def test_telemetry_is_off_unless_the_operator_wants_it(root: Path) -> None:
    assert "turn_write" not in cairn("note", WORDS, cwd=root).err
    ran = cairn("note", "Another thing to know about rows.", "--json", cwd=root, CAIRN_CAPTURE__TELEMETRY="console")
    assert json.loads(ran.out)["result"] == "inserted"
    assert "knowledge.turn_write.completed" in ran.err
    (root / ".cairn/settings.json").write_text('{"capture": {"telemetry": "console", "alert_command": "touch x"}}')
    ran = cairn("note", "A third thing to know about rows.", cwd=root)
    assert "knowledge.turn_write" not in ran.err
    assert ran.err.count("may only stand in settings.local.json") == 2


def test_a_collector_that_is_away_stops_nothing(root: Path) -> None:
    away = {"CAIRN_CAPTURE__TELEMETRY": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    ran = cairn("note", WORDS, cwd=root, **away)
    assert (ran.code, ran.out.split(":")[0]) == (0, "noted")
    assert "Traceback" not in ran.err
    assert len(ran.err.splitlines()) == 1
