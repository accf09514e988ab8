"""`cairn judge`: readers that answer, and readers that don't; nothing is lost, and nothing is asked twice."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

import garden
from asked_jobs import SAFE
from model_server import model_server
from program import cairn, clean_env, command_line, fits_schema
from scripted_reader import counts, reader, status


@pytest.fixture
def workspace(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    garden.make(root, {"docs/a.md": "# Ovens\n\nHot.\n", "docs/b.md": "# Ovens too\n\nHotter.\n"})
    for page in ("docs/a.md", "docs/b.md"):
        assert cairn("job", "submit", "tag", "-n", page, cwd=root).code == 0
    return root


def judged(root, mode, *more, code=0, **env):
    ran = cairn("judge", "--with", reader(mode), "--json", *more, cwd=root, **env)
    assert ran.code == code, ran.err
    value = ran.json()
    fits_schema(value, "judge")
    return value, ran.err


@pytest.mark.parametrize("mode", ["good", "chatty"])
def test_what_waits_is_answered(workspace, mode):
    value, _ = judged(workspace, mode)
    assert (value["answered"], value["failed"], value["stopped"]) == (2, 0, None)
    assert counts(workspace) == {"completed": 2}
    row = cairn("history", "--json", cwd=workspace).json()[0]
    assert row["report"]["tags"] == [{"tag": "ovens", "reason": "ovens"}] and row["tokensIn"] > 500
    assert judged(workspace, mode)[0]["answered"] == 0, "asking twice is free"


def test_words_for_people(workspace):
    ran = cairn("judge", "--with", reader("good"), "--max", "1", cwd=workspace)
    assert ran.code == 0 and "1 question answered, 0 failed; " in ran.err
    assert "1 document for `core/tag` is waiting to be read: run `cairn judge`, or ask your agent to." in ran.err


def test_dry_run_counts_and_asks_nobody(workspace):
    value = cairn("judge", "--dry-run", "--json", cwd=workspace, CAIRN_JUDGE_PRICE="1/10").json()
    fits_schema(value, "judge")
    [row] = value["questions"]
    assert (row["question"], row["count"], value["count"]) == ("core/tag", 2, 2)
    assert value["tokensIn"] > 1000 and 0.004 < value["dollars"] < 0.01
    ran = cairn("judge", "--dry-run", "--only", "summarise", cwd=workspace)
    assert "0 questions: about 0 tokens to read and 0 to write; nothing was asked\n" in ran.err
    assert counts(workspace) == {"queued": 2}


def test_check_names_the_reader_and_asks_one_question(workspace):
    value = cairn("judge", "--check", "--with", reader("good"), "--json", cwd=workspace).json()
    fits_schema(value, "judge")
    assert value["works"] and value["message"] == "It answered one question rightly."
    ran = cairn("judge", "--check", "--with", reader("no-json"), cwd=workspace)
    assert ran.code == 1 and "It answered, but not as asked: the answer is not a JSON object." in ran.out
    assert counts(workspace) == {"queued": 2}


@pytest.mark.parametrize("mode", ["invalid", "no-json", "cut", "obeys"])
def test_a_bad_answer_is_asked_once_more_and_then_fails_with_its_reason(workspace, mode):
    value, said = judged(workspace, mode, code=1)
    assert value["failed"] == 4 and not value["answered"] and "report-invalid" in said
    assert counts(workspace) == {"failed": 4}
    assert {row["failureReason"] for row in cairn("history", "--json", cwd=workspace).json()} == {"report-invalid"}


def test_a_second_answer_that_holds_counts(workspace):
    value, _ = judged(workspace, "once-more", code=1)
    assert (value["answered"], value["failed"]) == (2, 2) and counts(workspace) == {"completed": 2, "failed": 2}


@pytest.mark.parametrize(
    ("mode", "why", "left"),
    [
        ("login", "not logged in", 2),
        ("crash", "3 questions in a row failed, the last one with: `command` ended with 1: Segmentation fault.", 2),
        ("empty", "3 questions in a row failed, the last one with: `command` gave an empty answer.", 2),
        ("flood", "it printed more than 8 MiB", 2),
    ],
)
def test_a_reader_that_fails_ends_the_run_and_its_questions_wait(workspace, mode, why, left):
    value, said = judged(workspace, mode, code=1)
    assert why in value["stopped"] and why in said
    assert counts(workspace)["queued"] == left and not value["answered"]


def test_a_reader_that_is_not_there_is_one_sentence(workspace):
    for name, sentence in (
        ("command:/nowhere/ask", "`/nowhere/ask` is not installed"),
        ("claude", "The reader `claude` is not installed"),
        ("nobody", "`nobody` is not a reader"),
    ):
        ran = cairn("judge", "--with", name, cwd=workspace, PATH="/usr/bin:/bin")
        assert ran.code == 2 and sentence in ran.err and len(ran.err.strip().splitlines()) == 1
    assert counts(workspace) == {"queued": 2}


def test_a_budget_of_the_day_is_kept_across_runs(workspace):
    value, said = judged(workspace, "good", "--budget", "9.5k", code=1)
    assert value["answered"] == 1 and "The budget of 9,500 tokens a day does not suffice" in said
    assert judged(workspace, "good", code=1, CAIRN_JUDGE_BUDGET="9500")[0]["answered"] == 0
    assert judged(workspace, "good", "--budget", "$1", code=0, CAIRN_JUDGE_PRICE="1/10")[0]["answered"] == 1


def test_a_committed_setting_is_refused_and_named(workspace):
    file = workspace / ".cairn/settings.json"
    settings = json.loads(file.read_text() or "{}")
    file.write_text(json.dumps({**settings, "judge": {"with": reader("good"), "agent_outside": True}}))
    ran = cairn("judge", cwd=workspace, PATH="/usr/bin:/bin")
    assert "'judge.with' is ignored here; it may only stand in settings.local.json" in ran.err
    assert ran.code == 2 and "There is no reader" in ran.err
    (workspace / ".cairn/settings.local.json").write_text(json.dumps({"judge": {"with": reader("good")}}))
    assert cairn("judge", cwd=workspace).code == 0


def test_never_means_that_nobody_is_asked_without_a_name(workspace):
    ran = cairn("judge", cwd=workspace, CAIRN_JUDGE_WHEN="never", CAIRN_JUDGE_WITH=reader("good"))
    assert ran.code == 2 and "`judge.when` is `never`" in ran.err
    assert judged(workspace, "good", CAIRN_JUDGE_WHEN="never")[0]["answered"] == 2


def test_answers_are_recorded_and_replayed(workspace, tmp_path):
    judged(workspace, "good", "--record", str(tmp_path / "answers"))
    assert len(list((tmp_path / "answers").iterdir())) == 2
    for page in ("docs/a.md", "docs/b.md"):
        assert cairn("job", "submit", "tag", "-n", page, cwd=workspace).code == 0
    ran = cairn("judge", "--with", f"replay:{tmp_path / 'answers'}", "--json", cwd=workspace)
    assert ran.code == 0 and ran.json()["answered"] == 2


def test_an_interrupt_returns_the_question_at_once(workspace, tmp_path):
    log = tmp_path / "log"
    words = command_line("judge", "--with", reader("hang", log))
    judge = subprocess.Popen(words, cwd=workspace, env=clean_env(), stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while not log.exists() or not log.read_text():
        assert time.monotonic() < end
        time.sleep(0.05)
    judge.send_signal(signal.SIGINT)
    _, err = judge.communicate(timeout=60)
    assert judge.returncode == 130 and "returned to the queue, nothing is lost" in err
    assert counts(workspace)["queued"] == 2 and "running" not in counts(workspace)
    for pid in map(int, log.read_text().split()):
        assert not _runs(pid)


def _runs(pid):
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def test_two_runs_at_once_answer_each_question_once(workspace):
    words = command_line("judge", "--with", reader("good"), "--json")
    runs = [
        subprocess.Popen(words, cwd=workspace, env=clean_env(), stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    assert sum(json.loads(run.communicate(timeout=60)[0])["answered"] for run in runs) == 2
    assert counts(workspace) == {"completed": 2}


def test_a_service_that_is_busy_is_waited_for(workspace):
    with model_server() as model:
        said = {"confidence": 1, "tags": [], "safety": SAFE}
        replies = iter([(429, {"error": {"message": "Slow down."}}), None, None, None])
        good = 200, {"choices": [{"message": {"content": json.dumps(said)}}]}
        model.reply = lambda body: next(replies) or good
        ran = cairn(
            "judge", "--with", "openai-compatible", "--model", "m", "--json", cwd=workspace, OPENAI_BASE_URL=model.url
        )
    assert ran.code == 0 and ran.json()["answered"] == 2 and ran.json()["returned"] >= 1, ran.err


def test_status_and_context_report_what_waits(workspace):
    assert cairn("scan", cwd=workspace).code == 0
    [line] = [one for one in status(workspace)["waits"] if one.get("next") == "cairn judge"]
    assert line["text"] == "2 documents for `core/tag` are waiting to be read"
    assert line["data"] == {"questions": {"core/tag": 2}}
    nudge = "Mention to the user when it fits: 2 documents for `core/tag` are waiting to be read: run `cairn judge`"
    assert nudge in cairn("context", cwd=workspace).out
    judged(workspace, "invalid", code=1)
    assert not any(one.get("next") == "cairn judge" for one in status(workspace)["waits"])
    [failed] = [one for one in status(workspace)["held"] if "could not be answered" in one["text"]]
    assert failed["data"] == {"count": 2} and "`tags`" in failed["text"]


def test_a_dry_run_refuses_a_budget_that_is_none(workspace):
    ran = cairn("judge", "--dry-run", "--budget", "abc", cwd=workspace)
    assert ran.code == 2 and "--budget is `abc`" in ran.err
