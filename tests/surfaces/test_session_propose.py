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
    claude("user", "No, always use rye, because the guests like it.", uuid="u2"),
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


def test_for_people(work: Path) -> None:
    dry = propose(work, "--dry-run")
    told = f"{SESSION}: 1 candidate\n  practice  Always use rye  (high, person)\n"
    assert (dry.code, dry.out) == (0, told) and "nothing was written" in dry.err
    assert propose(work).out == told
    again = propose(work)
    assert (again.code, again.out) == (0, "") and "no session waits to be looked at" in again.err
    assert "no session failed" in cairn("session", "retry", cwd=work).err
    assert propose(work, "5f1c").out == f"{SESSION}: nothing worth keeping\n"


def test_as_json(work: Path) -> None:
    found = propose(work, "--json", "5f1c").json()
    fits_schema(found, "session-propose")
    [one] = found["sessions"][0]["candidates"]
    assert (one["origin"], one["kind"], one["taint"]) == (f"{SESSION}:practice:0", "practice", "person")
    assert one["quote"]["text"] == "No, always use rye, because the guests like it."
    retried = cairn("session", "retry", "--json", cwd=work).json()
    fits_schema(retried, "session-retry")
    assert retried == {"dryRun": False, "sessions": [], "waiting": 0, "spent": None}
    listed = cairn("session", "list", "--status", "done", "--json", cwd=work).json()
    assert listed["sessions"][0]["topics"] == ["rye"]


def test_a_recorded_model(work: Path, tmp_path: Path) -> None:
    """It invents a page and a quote, and then says nothing that can be read."""
    answers = tmp_path / "answers"
    answers.mkdir()
    item = (
        '{"kind": "practice", "title": "Use rye", "summary": "Use rye.", "body": "Use rye.", "tags": ["bread"],'
        ' "confidence": "high", "quote": "always use rye", "supports_existing_node": "practice-rye"}'
    )
    (answers / f"{SESSION}.txt").write_text(f'{{"practice": [{item}], "map": []}}')
    done = propose(work, "--provider", "replay", CAIRN_FRESHNESS_REPLAY=str(answers))
    assert done.out == f"{SESSION}: 1 candidate\n  practice  Use rye  (high, model)\n", done.err
    assert "`practice-rye`, which nobody showed it" in done.err and "tokens read" in done.err


def test_a_failure_is_told_and_kept(work: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.mkdir()
    failed = propose(work, "--provider", "replay", CAIRN_FRESHNESS_REPLAY=str(answers))
    assert failed.code == 1 and failed.out.startswith(f"{SESSION}: failed: There is no recorded answer")
    assert "no session waits" in propose(work).err
    assert "once, again after 20" in cairn("session", "list", cwd=work).out
    listed = cairn("session", "list", "--status", "failed", "--json", cwd=work).json()
    fits_schema(listed, "session-list")
    [one] = listed["sessions"]
    assert one["attempts"] == 1 and one["nextTryAt"] > one["triedAt"]
    assert json.loads((work / one["proposalLog"]).read_text().splitlines()[0])["outcome"] == "failed"
    shown = cairn("session", "show", "5f1c", cwd=work).err
    assert "proposals: failed (once, again after 20" in shown and f"answered: {one['proposalLog']}" in shown
    assert cairn("session", "retry", cwd=work).out.startswith(f"{SESSION}: 1 candidate")


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
