"""`cairn session propose` and `retry`, through the program."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from host_lines import claude, joined
from model_server import ModelServer, model_server
from program import Ran, cairn, fits_schema
from reading_agent import WITH, answers, env_of

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


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as model:
        yield model


def propose(work: Path, *args: str, **env: str) -> Ran:
    return cairn("session", "propose", *args, cwd=work, **env)


def test_cues_and_waiting_sessions_are_printed(work: Path) -> None:
    dry = propose(work, "--dry-run")
    told = f"{SESSION}: 1 candidate\n  practice  always use rye, because the guests like it  (medium, person)\n"
    waits = "1 session is waiting to be read: run `cairn judge`, or ask your agent to"
    assert (dry.code, dry.out) == (0, told) and "nothing was written" in dry.err
    assert waits in dry.err, "also before a question was asked"
    assert propose(work).out == told
    again = propose(work)
    assert (again.code, again.out) == (0, "") and "no new candidates" in again.err and waits in again.err
    assert waits in cairn("curate", "--dry-run", "--apply", cwd=work).err
    assert "1 session is waiting to be read" in cairn("status", cwd=work).out
    assert "no session failed" in cairn("session", "retry", cwd=work).err


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


def test_a_failure_is_told_and_kept(work: Path, model: ModelServer) -> None:
    model.reply = 400, {"error": "no such model"}
    failed = propose(work, *WITH, **env_of(model))
    assert failed.code == 1 and f"{SESSION}: failed: " in failed.out
    kept = propose(work)
    assert kept.code == 0 and "always use rye" in failed.out
    tries = "1 session could not be read: `cairn session retry` asks again"
    assert tries in kept.err and tries in cairn("curate", "--dry-run", "--apply", cwd=work).err
    assert "1 session could not be read" in cairn("status", cwd=work).out
    assert "once, again after 20" in cairn("session", "list", cwd=work).out
    listed = cairn("session", "list", "--status", "failed", "--json", cwd=work).json()
    fits_schema(listed, "session-list")
    [one] = listed["sessions"]
    assert one["attempts"] == 1 and one["nextTryAt"] > one["triedAt"] and one["proposalLog"].startswith("e-")
    shown = cairn("session", "show", "5f1c", cwd=work).err
    assert "proposals: failed (once, again after 20" in shown and f"answered: {one['proposalLog']}" in shown
    answers(model, learned={"candidates": []})
    retried = cairn("session", "retry", *WITH, "--json", cwd=work, **env_of(model)).json()
    fits_schema(retried, "session-retry")
    assert retried["sessions"][0]["status"] == "done" and retried["unread"] == 0


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("nope",), 5, "There is no log of a session `nope`"),
        (("--provider", "extractive"), 2, "--provider is now --with"),
        (("--with", "zai"), 2, "set ZAI_API_KEY"),
        (("--budget", "5k"), 2, "name the reader with --with"),
        (("--max", "0"), 2, "--max takes a whole number"),
        (("--with", "command:cat", "--budget", "much"), 2, "--budget is `much`"),
    ],
)
def test_wrong(work: Path, args: tuple[str, ...], code: int, said: str) -> None:
    ran = propose(work, *args, ZAI_API_KEY="")
    assert ran.code == code and said in ran.err
