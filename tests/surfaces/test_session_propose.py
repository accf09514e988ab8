"""`cairn session propose` and `retry`, through the program."""

import json
from pathlib import Path

import pytest

from host_lines import claude, joined
from program import Ran, cairn, fits_schema

SESSION = "5f1c8d1e-6f3a-4b52-9c3e-0d8a6f2b7c11"
LONG = "The dough needs twelve hours at twenty degrees, whatever the recipe says. " * 10
TALK = (
    claude("user", "Bake bread."),
    claude("assistant", LONG),
    claude("user", "Remember: always use rye, because the guests like it.", uuid="u2"),
)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / ".cairn").mkdir(parents=True)
    (root / ".cairn" / "settings.json").write_text("{}")
    (tmp_path / f"{SESSION}.jsonl").write_bytes(joined(TALK))
    assert cairn("session", "capture", "--transcript", f"../{SESSION}.jsonl", cwd=root).code == 0
    return root


def propose(work: Path, *args: str, **env: str) -> Ran:
    return cairn("session", "propose", *args, cwd=work, **env)


def test_cues_and_waiting_sessions_are_printed(work: Path) -> None:
    dry = propose(work, "--dry-run")
    told = f"{SESSION}: 1 candidate\n  practice  always use rye, because the guests like it  (medium, person)\n"
    waits = "1 session is waiting to be read; `cairn session propose --provider auto` has a model read them"
    assert (dry.code, dry.out) == (0, told) and "nothing was written" in dry.err
    assert propose(work).out == told
    again = propose(work)
    assert (again.code, again.out) == (0, "") and "no new candidates" in again.err and waits in again.err
    assert waits in cairn("curate", "--dry-run", "--apply", cwd=work).err
    assert "1 session is waiting to be read" in cairn("status", cwd=work).out
    refused = cairn("session", "retry", cwd=work)
    assert refused.code == 2 and "--provider auto" in refused.err


def test_as_json(work: Path) -> None:
    found = propose(work, "--json", "5f1c").json()
    fits_schema(found, "session-propose")
    [one] = found["sessions"][0]["candidates"]
    assert (one["origin"], one["kind"], one["taint"]) == (f"{SESSION}:practice:0", "practice", "person")
    assert one["quote"]["text"] == "Remember: always use rye, because the guests like it."
    assert found["unread"] == 1 and found["sessions"][0]["status"] == "pending"
    listed = cairn("session", "list", "--status", "pending", "--json", cwd=work).json()
    [listed_one] = listed["sessions"]
    assert listed_one["cuesThrough"] == listed_one["chars"] and listed_one["curatedThrough"] == 0


def test_a_recorded_model(work: Path, tmp_path: Path) -> None:
    """It invents a page; its candidate replaces the cue for the same words."""
    answers = tmp_path / "answers"
    answers.mkdir()
    item = (
        '{"kind": "practice", "title": "Use rye", "summary": "Use rye.", "body": "Use rye.", "tags": ["bread"],'
        ' "confidence": "high", "quote": "always use rye", "supports_existing_node": "practice-rye"}'
    )
    (answers / f"{SESSION}.txt").write_text(f'{{"practice": [{item}], "map": []}}')
    done = propose(work, "--provider", "replay", CAIRN_FRESHNESS_REPLAY=str(answers))
    assert done.out.startswith(f"{SESSION}: 1 candidate\n"), done.err
    assert "  practice  Use rye  (high, model)\n" in done.out and "waiting to be read" not in done.err
    assert "`practice-rye`, which nobody showed it" in done.err and "tokens read" in done.err


def test_a_failure_is_told_and_kept(work: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.mkdir()
    failed = propose(work, "--provider", "replay", CAIRN_FRESHNESS_REPLAY=str(answers))
    assert failed.code == 1 and failed.out.startswith(f"{SESSION}: failed: There is no recorded answer")
    kept = propose(work)
    assert kept.code == 0 and "1 candidate" in kept.out
    tries = "1 session could not be read; `cairn session retry --provider auto` tries again"
    assert (
        tries in kept.err
        and tries in cairn("curate", "--dry-run", "--apply", cwd=work).err
        and "waiting" not in kept.err
    )
    assert "1 session could not be read" in cairn("status", cwd=work).out
    assert "once, again after 20" in cairn("session", "list", cwd=work).out
    listed = cairn("session", "list", "--status", "failed", "--json", cwd=work).json()
    fits_schema(listed, "session-list")
    [one] = listed["sessions"]
    assert one["attempts"] == 1 and one["nextTryAt"] > one["triedAt"]
    assert json.loads((work / one["proposalLog"]).read_text().splitlines()[0])["outcome"] == "failed"
    shown = cairn("session", "show", "5f1c", cwd=work).err
    assert "proposals: failed (once, again after 20" in shown and f"answered: {one['proposalLog']}" in shown
    (answers / f"{SESSION}.txt").write_text('{"practice": [], "map": []}')
    arguments = ("session", "retry", "--provider", "replay", "--json")
    retried = cairn(*arguments, cwd=work, CAIRN_FRESHNESS_REPLAY=str(answers)).json()
    fits_schema(retried, "session-retry")
    assert retried["sessions"][0]["status"] == "done" and retried["unread"] == 0


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("nope",), 5, "There is no log of a session `nope`"),
        (("--provider", "extractive"), 2, "--provider is one of rules, auto"),
        (("--provider", "zai"), 2, "set ZAI_API_KEY"),
        (("--max", "0"), 2, "--max takes a whole number"),
        (("--provider", "auto", "--budget", "much"), 2, "--budget is `much`"),
    ],
)
def test_wrong(work: Path, args: tuple[str, ...], code: int, said: str) -> None:
    ran = propose(work, *args, ZAI_API_KEY="")
    assert ran.code == code and said in ran.err
