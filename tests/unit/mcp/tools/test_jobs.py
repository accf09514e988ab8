"""`jobs`: an agent at work claims questions within a budget, answers them, and sees what failed and why."""

import pytest

import mcp_workspace
from asked_jobs import SAFE
from cairn.app.build import build_app
from cairn.capture.capture_session import capture_session
from cairn.core.model.change import Taint
from cairn.core.ports.jobs import JobFilter
from cairn.jobs.submit import JobRequest, submit
from cairn.mcp.request_handler import CallFailed
from cairn.mcp.tools.tool import Caller
from host_lines import claude, joined

TAGS = {"confidence": 1, "safety": SAFE, "tags": []}


@pytest.fixture
def root(tmp_path):
    return mcp_workspace.make(tmp_path / "bakery")


@pytest.fixture
def app(root):
    opened = build_app(root, env=mcp_workspace.desk(root).env)
    yield opened
    opened.close()


def ask(app, subject, **more):
    request = JobRequest(app.actions()["core/tag"], subject, f"Text of {subject}.", 60)._replace(**more)
    return submit(request, store=app.store.jobs, now_ms=app.clock.now_ms())


def call(root, env=None, **given):
    return mcp_workspace.desk(root, env).call("jobs", given, Caller(agent="codex"))


def test_claim_answer_and_nothing_left(root, app):
    ask(app, "a.md"), ask(app, "b.md")
    assert call(root).data["waiting"] == 2
    claimed = call(root, claim=10)
    jobs = claimed.data["jobs"]
    assert [set(job) for job in jobs] == [{"id", "nonce", "content"}] * 2
    assert all(job["content"] in claimed.text and job["nonce"] in claimed.text for job in jobs)
    done = call(root, answers=[{"id": job["id"], "nonce": job["nonce"], "report": TAGS} for job in jobs])
    assert [one["state"] for one in done.data["recorded"]] == ["completed"] * 2
    assert done.text.endswith("No question waits for you.")
    [row, _] = [app.store.jobs.job(job["id"]) for job in jobs]
    assert (row.runner, row.run_id[:6]) == ("skill", "r-ext-")


def test_claims_stay_within_a_number_of_tokens(root, app):
    tokens = ask(app, "a.md").tokens
    ask(app, "b.md"), ask(app, "c.md")
    assert len(call(root, claim=10, tokens=2 * tokens + 1).data["jobs"]) == 2
    long = ask(app, "d.md", priority=5, material="word " * 2000)
    assert len(call(root, claim=10, tokens=tokens).data["jobs"]) == 1, "it fits"
    [only] = call(root, claim=10, tokens=500).data["jobs"]
    assert only["id"] == long.id, "else it would wait for ever"


def test_a_claim_asks_about_sessions_that_nobody_has_read(root, app, tmp_path):
    said = (
        claude("user", "no, never touch the ledger from more than one worker, billing dies otherwise"),
        claude("assistant", "The pool opens a connection for every row of the import, which takes long. " * 8),
    )
    file = tmp_path / "session.jsonl"
    file.write_bytes(joined(said))
    capture_session(app, "claude", "s-1", file, "session_end")
    assert call(root).data["waiting"] == 0, "looking asks nothing"
    [job] = call(root, claim=3).data["jobs"]
    assert "never touch the ledger" in job["content"]
    found = {"confidence": 1, "safety": SAFE, "candidates": []}
    call(root, answers=[{"id": job["id"], "nonce": job["nonce"], "report": found}])
    assert call(root, claim=3).data["jobs"] == []


def test_only_one_kind(root, app):
    ask(app, "a.md")
    assert call(root, claim=1, only="summarise").data["jobs"] == []
    assert len(call(root, claim=1, only="tag").data["jobs"]) == 1
    with pytest.raises(CallFailed, match="There is no action `nothing`"):
        call(root, claim=1, only="nothing")


def test_text_from_outside_is_kept_for_readers_without_tools(root, app):
    ask(app, "web.md", taint=Taint.OUTSIDE)
    found = call(root, claim=5)
    assert (found.data["jobs"], found.data["waiting"], found.data["kept"]) == ([], 0, 1)
    assert "they wait for `cairn judge`, which has no tools" in found.text
    assert len(call(root, {"CAIRN_JUDGE__AGENT_OUTSIDE": "true"}, claim=5).data["jobs"]) == 1


def test_each_answer_is_for_itself_and_problems_are_named(root, app):
    for name in "abc":
        ask(app, f"{name}.md")
    jobs = call(root, claim=3).data["jobs"]
    said = [
        {**{key: jobs[0][key] for key in ("id", "nonce")}, "report": TAGS},
        {"id": jobs[1]["id"], "nonce": "0" * 32, "report": TAGS},
        {**{key: jobs[2][key] for key in ("id", "nonce")}, "report": {"tags": "many"}},
        {"id": "d-20200101-000000-0000\ud83d", "nonce": "x", "report": TAGS},
    ]
    found = call(root, answers=said)
    states = [(one["state"], one["asked_again"]) for one in found.data["recorded"]]
    assert states == [("completed", False), ("refused", False), ("failed", True), ("refused", False)]
    assert f"The nonce is not that of {jobs[1]['id']}" in found.text
    assert "It is asked once more, with these problems: claim it." in found.text
    assert app.store.jobs.job(jobs[1]["id"]).status == "running"


def test_what_failed_for_good_is_named_with_its_reason(root, app):
    ask(app, "a.md")
    for _ in range(2):
        [job] = call(root, claim=1).data["jobs"]
        call(root, answers=[{"id": job["id"], "nonce": job["nonce"], "report": {"tags": 1}}])
    found = call(root)
    [failed] = found.data["failed"]
    assert failed["question"] == "core/tag" and "`tags`" in failed["reason"] and "Failed: core/tag" in found.text


def test_an_agent_may_say_that_it_has_no_answer(root, app):
    ask(app, "a.md")
    [job] = call(root, claim=1).data["jobs"]
    call(root, answers=[{"id": job["id"], "nonce": job["nonce"], "error": "I can't read it"}])
    [row] = app.store.jobs.jobs(JobFilter(("failed",)))
    assert row.failure_reason == "runner-error"


def test_answers_of_the_wrong_form_are_refused_with_a_sentence(root, app):
    for bad in ([1], [{"id": "x"}], "no list", [{"id": "x", "nonce": "y", "report": 3}]):
        with pytest.raises(CallFailed):
            call(root, answers=bad)
