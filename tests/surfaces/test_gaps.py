"""`cairn gaps …`, through the program: from a signal to a page, and to silence."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

import signals
from program import Ran, cairn, fits_schema
from repository import commit, git

SETTINGS = {"corpora": {"knowledge": {"root": "knowledge", "layout": "entries"}}}
IGNORED = "*\n!settings.json\n!.gitignore\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "app"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.org")
    commit(root, {".cairn/settings.json": json.dumps(SETTINGS), ".cairn/.gitignore": IGNORED, "README.md": "# App\n"})
    return root


def gaps(root: Path, *args: str, code: int = 0, **env: str) -> Ran:
    ran = cairn("gaps", *args, cwd=root, **env)
    assert ran.code == code, ran.err
    return ran


def as_json(root: Path, name: str, *args: str) -> Any:
    value = gaps(root, name, *args, "--json").json()
    fits_schema(value, f"gaps-{name}")
    return value


def missed(root: Path, topic: str, times: int = 3, **said: str) -> None:
    """On as many days, by as many work trees."""
    for ago in range(1, times + 1):
        now = int(time.time() * 1000)
        signals.write(root / ".cairn/ledger", topic, ago=ago, worktree=f"other-{ago}", now=now, **said)


# --- signal ---------------------------------------------------------------------------------------------------------


def test_a_signal_is_recorded_with_what_is_known(workspace: Path) -> None:
    args = ("Rate Limits!", "--excerpt", "how many?", "--step", "plan", "--source", "agent_search", "--json")
    ran = gaps(workspace, "signal", *args, CAIRN_SESSION="s-1")
    fits_schema(ran.json(), "gaps-signal")
    assert ran.json()["topic"] == "rate-limits"
    (file,) = (workspace / ".cairn/ledger").glob("*.jsonl")
    payload = json.loads(file.read_text())["payload"]
    assert len(payload.pop("project_id")) == 64
    assert payload == {
        "task_id": None,
        "branch": "main",
        "topic": "rate-limits",
        "source": "agent_search",
        "step_name": "plan",
        "agent_excerpt": "how many?",
        "session": "s-1",
    }


def test_long_and_private_excerpts_are_shortened_and_cleaned(workspace: Path) -> None:
    assert "only the first 200 characters" in gaps(workspace, "signal", "caches", "--excerpt", "x" * 300).err
    ran = gaps(workspace, "signal", "caches", "--excerpt", "with AKIAQ3EGRPLNXW5ZK7TY it fails")
    assert "something private was taken out of agent_excerpt" in ran.err
    assert "only the first" not in ran.err  # a mark is shorter than what it stands for
    mail = gaps(workspace, "signal", "caches", "--excerpt", "a.long.name@mail.example-company.com knows it")
    assert "something private" in mail.err and "only the first" not in mail.err
    assert b"AKIA" not in b"".join(file.read_bytes() for file in (workspace / ".cairn/ledger").glob("*.jsonl"))


BAD = [
    (("signal", "!!!"), 2, "A topic needs letters or digits"),
    (("signal", "x" * 100), 2, "80 characters at most"),
    (("signal", "my key AKIAQ3EGRPLNXW5ZK7TY"), 1, "something private"),
    (("signal", "caches", "--source", "rumour"), 2, "rumour"),
    (("signal",), 2, "TOPIC"),
    (("list", "--since", "yesterday"), 2, "--since is a span"),
    (("list", "--knowledge-root", "nowhere"), 2, "there is nothing at that path"),
    (("scan", "nowhere.md"), 5, "`nowhere.md` cannot be read"),
    (("scan", "."), 2, "is no file of text"),
    (("draft", "..."), 2, "A topic needs letters or digits"),
    (("draft", "caches", "--corpus", "nothing"), 5, "there is no corpus `nothing`"),
]


@pytest.mark.parametrize(("args", "code", "said"), BAD)
def test_bad_input_gets_a_sentence(workspace: Path, args: tuple[str, ...], code: int, said: str) -> None:
    ran = gaps(workspace, *args, code=code)
    assert said in ran.err
    assert ran.out == ""


# --- from a signal to a page ----------------------------------------------------------------------------------------


def test_a_gap_disappears_when_its_entry_is_merged(workspace: Path) -> None:
    assert gaps(workspace, "list").out == "no gaps; nobody has missed anything yet\n"
    gaps(workspace, "signal", "rate-limits", "--excerpt", "How many calls a minute?")
    assert gaps(workspace, "list").out == "no gaps\n"
    missed(workspace, "rate-limit", 2)

    (finding,) = as_json(workspace, "list")["findings"]
    assert (finding["severity"], finding["evidence"]["topic"]) == ("P2", "rate-limit")
    assert finding["evidence"]["related_topics"] == [{"topic": "rate-limits", "signal_count": 1}]
    assert "rate-limit" in gaps(workspace, "list").out
    assert cairn("scan", "-q", cwd=workspace).code == 0
    assert cairn("observe", "audit", "--lens", "I-knowledge-gaps", cwd=workspace).code == 1
    status = cairn("status", cwd=workspace)
    assert "1 topic that nobody has written about: rate-limit (3 times)" in status.out
    assert "finding of audits" not in status.out  # it is said already

    drafted = as_json(workspace, "draft", "rate-limit", "--category", "operations")
    assert drafted["path"] == "knowledge/operations/rate-limit.md"
    assert drafted["questions"] == ["“How many calls a minute?”"]
    assert not (workspace / drafted["path"]).exists()
    assert f"`cairn change show {drafted['request']['id']}` has it" in gaps(workspace, "list").err
    (still,) = as_json(workspace, "list")["findings"]
    assert still["id"] == finding["id"]

    assert cairn("change", "merge", drafted["request"]["id"], cwd=workspace).code == 0
    assert "status: alpha" in (workspace / drafted["path"]).read_text()
    assert gaps(workspace, "list").out == "no gaps\n"
    covered = gaps(workspace, "list", "--suppressed").out
    assert "knowledge/operations/rate-limit.md is the entry `rate-limit`" in covered
    assert "has `rate-limits` among its topics" in covered
    again = gaps(workspace, "draft", "rate-limits", code=3)
    assert "`rate-limits` is covered already" in again.err
    assert "nobody has written" not in cairn("status", cwd=workspace).out
    assert cairn("check", cwd=workspace).code == 0


def test_a_draft_as_a_file_here(workspace: Path) -> None:
    shown = gaps(workspace, "draft", "3D rendering", "--dry-run")
    assert "topics:\n  - 3d-rendering\n" in shown.out
    assert "nothing was written" in shown.err
    assert not (workspace / "knowledge").exists()
    ran = gaps(workspace, "draft", "3D rendering", "--apply")
    path = ran.out.strip()
    assert "nobody has signalled this topic" in ran.err
    assert "last-reviewed: null" in (workspace / path).read_text()
    assert gaps(workspace, "draft", "3d-rendering", "--apply", code=3).out == ""


HOSTILE = "<script>alert(1)</script> [click](http://evil.example) `x` ![i](j) \x1b[2J # Ignore what was said | --> "


def test_what_agents_said_stays_a_quotation(workspace: Path) -> None:
    missed(workspace, "caches", 1, excerpt=HOSTILE)
    text = as_json(workspace, "draft", "caches", "--dry-run")["text"]
    (question,) = [line for line in text.splitlines() if line.startswith("- ")]
    assert question.startswith("- “\\<script\\>alert(1)\\</script\\> \\[click\\](http")
    assert question.isprintable()
    assert text.count("-->") == 1


# --- looking --------------------------------------------------------------------------------------------------------


def test_all_topics_week_by_week(workspace: Path) -> None:
    missed(workspace, "caches", 3)
    missed(workspace, "locks", 1)
    value = as_json(workspace, "topics")
    assert [(row["topic"], row["signals"], sum(row["weeks"])) for row in value["topics"]] == [
        ("caches", 3, 3),
        ("locks", 1, 1),
    ]
    assert len(value["topics"][0]["weeks"]) == value["weeks"] == 13
    assert gaps(workspace, "topics", "--limit", "1").err.startswith("1 more")
    assert "–   locks" in gaps(workspace, "list", "--all").out


def test_a_shorter_window(workspace: Path) -> None:
    missed(workspace, "caches", 3)
    assert "caches" in gaps(workspace, "list").out
    assert "caches" not in gaps(workspace, "list", "--since", "36h").out


def test_lessons_are_read_and_shown(workspace: Path) -> None:
    missed(workspace, "caches", 2)
    (workspace / "tasks").mkdir()
    (workspace / "tasks/lessons.md").write_text("- missing knowledge: caches\n```\nmissing knowledge: locks\n```\n")
    assert [row["topic"] for row in as_json(workspace, "scan", "tasks/lessons.md")["topics"]] == ["caches"]
    (finding,) = as_json(workspace, "list")["findings"]
    assert finding["evidence"]["example_excerpts"] == ["- missing knowledge: caches"]


def test_where_the_knowledge_base_is_can_be_seen(workspace: Path) -> None:
    missed(workspace, "caches", 3)
    told = gaps(workspace, "list", "-vv").err
    assert "compared with 0 entries of knowledge" in told
    assert "auto-detect: used (knowledge)" in told
    stale = gaps(workspace, "list", CAIRN_OBSERVE__KNOWLEDGE_ROOT="/no/such/place")
    assert 'says "/no/such/place", but there is nothing at that path; "knowledge" is used instead' in stale.err


def test_the_tail_of_a_prompt_can_be_silent(workspace: Path) -> None:
    assert "cairn gaps signal" in as_json(workspace, "tail", "plan")["text"]
    assert gaps(workspace, "tail", CAIRN_GAP_SIGNAL_QUIET="1").out == ""
    assert "cairn gaps signal" in gaps(workspace, "tail", CAIRN_GAP_SIGNAL_QUIET="true").out
    assert gaps(workspace, "tail", CAIRN_OBSERVE__GAP_TAIL="false").out == ""


def test_an_audit_finds_the_same(workspace: Path) -> None:
    missed(workspace, "caches", 3)
    (finding,) = as_json(workspace, "list")["findings"]
    ran = cairn("observe", "audit", "--lens", "I-knowledge-gaps", "--json", cwd=workspace)
    (seen,) = ran.json()["engine_output"]["findings"]
    assert (seen["id"], seen["title"], seen["evidence"]) == (finding["id"], finding["title"], finding["evidence"])
    assert cairn("observe", "ack", finding["id"][:8], "--note", "later", cwd=workspace).code == 0
    assert gaps(workspace, "list").out == "no gaps\n"
    assert "later" in gaps(workspace, "list", "--all").out
