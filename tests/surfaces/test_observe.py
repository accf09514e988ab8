"""`cairn observe event` and `cairn observe ledger …`, through the program."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from program import cairn, clean_env, command_line, fits_schema
from repository import git


def make(root: Path, remote: str = "") -> Path:
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "trunk")
    if remote:
        git(root, "remote", "add", "origin", remote)
    assert cairn("init", "--no-scan", cwd=root).code == 0
    return root


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return make(tmp_path / "app", "git@example.org:acme/app.git")


def tell(root: Path, kind: str, *fields: str) -> str:
    ran = cairn("observe", "event", kind, *(word for field in fields for word in ("--field", field)), cwd=root)
    assert ran.code == 0, ran.err
    return ran.out.strip()


def tail(root: Path, *options: str) -> list[dict[str, object]]:
    ran = cairn("observe", "ledger", "tail", "--json", *options, cwd=root)
    fits_schema(ran.json(), "observe-ledger-tail")
    events: list[dict[str, object]] = ran.json()["events"]
    return events


def ledger_file(root: Path) -> Path:
    (file,) = (root / ".cairn/ledger").glob("*.jsonl")
    return file


# --- event ----------------------------------------------------------------------------------------------------------


def test_the_workspace_fills_in_what_it_knows(workspace: Path, tmp_path: Path) -> None:
    ran = cairn("observe", "event", "knowledge_gap_signal", "--field", "topic=rate-limits", "--json", cwd=workspace)
    fits_schema(ran.json(), "observe-event")
    payload = ran.json()["payload"]
    assert (payload["branch"], payload["source"], payload["task_id"]) == ("trunk", "manual", None)
    clone = make(tmp_path / "clone", "https://ann:pass@Example.org/acme/app/")
    again = cairn("observe", "event", "knowledge_gap_signal", "--field", "topic=x", "--json", cwd=clone)
    assert again.json()["payload"]["project_id"] == payload["project_id"]


def test_a_field_that_is_not_on_the_list_is_dropped_and_a_secret_masked(workspace: Path) -> None:
    note = "--field=note=the key is AKIAQ3EGRPLNXW5ZK7TY"
    ran = cairn("observe", "event", "progress_heartbeat", note, "--field", "mood=good", "--json", cwd=workspace)
    assert (ran.json()["droppedFields"], ran.json()["redactedFields"]) == (["mood"], ["note"])
    assert "AKIA" not in ledger_file(workspace).read_text()
    told = cairn("observe", "event", "progress_heartbeat", "--field", "note=x", "--field", "mood=good", cwd=workspace)
    assert "has no field `mood`" in told.err


def test_fields_from_standard_input_and_a_file(workspace: Path) -> None:
    (workspace / "d.json").write_text('{"key": "k", "summary": "s", "affects": ["a"]}')
    args = ("observe", "event", "decision_recorded", "--from", "d.json", "--field", "key=other", "--json")
    assert cairn(*args, cwd=workspace).json()["payload"]["key"] == "other"
    ran = subprocess.run(
        command_line("observe", "event", "pr_opened", "--from", "-"),
        cwd=workspace,
        env=clean_env(),
        input=b'{"pr_number": 7}',
        capture_output=True,
    )
    assert ran.returncode == 0
    assert tail(workspace)[-1]["payload"] == {"task_id": None, "branch": "trunk", "pr_number": 7}


BAD = [
    (("knowlege_gap_signal",), 2, "did you mean `knowledge_gap_signal`?"),
    (("turn_completed",), 2, "recorded by Cairn itself"),
    (("progress_heartbeat",), 2, "`note` is missing"),
    (("progress_heartbeat", "--field", "note"), 2, "KEY=VALUE"),
    (("progress_heartbeat", "--field", f"note={'x' * 201}"), 2, "may have at most 200 characters"),
    (("finding_acknowledged", "--field", "finding_id=0123456789abcdef", "--task-id", "T"), 2, "`task_id` must be null"),
    (("task_completed", "--field", "outcome=pr_submitted"), 2, "`pr_number` is missing"),
    (("progress_heartbeat", "--from", "nowhere.json"), 5, "There is no file `nowhere.json`"),
    (("progress_heartbeat", "--from", "bad.json"), 2, "is not JSON"),
    (("progress_heartbeat", "--from", "list.json"), 2, "one JSON object"),
    (("--field", "a=b"), 2, "say what happened"),
]


@pytest.mark.parametrize(("args", "code", "words"), BAD, ids=[case[2] for case in BAD])
def test_what_is_wrong_is_one_sentence_and_nothing_is_recorded(
    workspace: Path, args: tuple[str, ...], code: int, words: str
) -> None:
    (workspace / "bad.json").write_text("{")
    (workspace / "list.json").write_text("[1]")
    ran = cairn("observe", "event", *args, cwd=workspace)
    assert (ran.code, ran.out) == (code, "")
    assert words in ran.err and ran.err.count("\n") == 1
    assert not list((workspace / ".cairn").glob("ledger/*.jsonl"))


def test_types_and_their_fields_are_listed(workspace: Path) -> None:
    listed = cairn("observe", "event", "--json", cwd=workspace).json()
    fits_schema(listed, "observe-event")
    fields = cairn("observe", "event", "knowledge_gap_signal", "--fields", cwd=workspace)
    assert len(listed["types"]) == 10 and "agent_search | lessons | manual" in fields.out


def test_outside_of_a_workspace(tmp_path: Path) -> None:
    ran = cairn("observe", "event", "progress_heartbeat", "--field", "note=x", cwd=tmp_path)
    assert ran.code == 2 and "cairn init" in ran.err


# --- tail -----------------------------------------------------------------------------------------------------------


def test_the_newest_is_at_the_end(workspace: Path) -> None:
    ids = [tell(workspace, "progress_heartbeat", f"note={n}") for n in range(3)]
    gap = tell(workspace, "knowledge_gap_signal", "topic=ovens")
    assert [event["id"] for event in tail(workspace)] == [*ids, gap]
    assert [event["id"] for event in tail(workspace, "-n", "1")] == [gap]
    assert [event["id"] for event in tail(workspace, "--type", "progress_heartbeat", "-n", "2")] == ids[1:]
    assert tail(workspace, "--since", "2099-01-01") == []
    assert len(tail(workspace, "--since", "1h")) == 4
    assert "topic=ovens" in cairn("observe", "ledger", "tail", cwd=workspace).out.splitlines()[-1]


def test_following(workspace: Path) -> None:
    tell(workspace, "progress_heartbeat", "note=first")
    args = command_line("observe", "ledger", "tail", "--follow", "--json")
    process = subprocess.Popen(args, cwd=workspace, env=clean_env(), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        first = json.loads(process.stdout.readline())
        tell(workspace, "progress_heartbeat", "note=second")
        second = json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()
    assert [event["payload"]["note"] for event in (first, second)] == ["first", "second"]


# --- verify ---------------------------------------------------------------------------------------------------------


def test_a_sound_ledger(workspace: Path) -> None:
    tell(workspace, "progress_heartbeat", "note=x")
    ran = cairn("observe", "ledger", "verify", "--json", cwd=workspace)
    fits_schema(ran.json(), "observe-ledger-verify")
    assert (ran.code, ran.json()["lines"], ran.json()["errors"]) == (0, 1, 0)


def test_faults_are_named_by_file_and_line(workspace: Path) -> None:
    tell(workspace, "progress_heartbeat", "note=x")
    file = ledger_file(workspace)
    with file.open("a") as stream:
        stream.write(f'nonsense\n{{"v":2}}\n{file.read_text()}{{"v":1')
    ran = cairn("observe", "ledger", "verify", cwd=workspace)
    assert ran.code == 1
    said = ran.out.splitlines()
    assert said[0] == f"{file.name}:2: it is not JSON"
    assert said[1] == f"{file.name}:3: note: it was written by a newer Cairn"
    assert said[2].startswith(f"{file.name}:4: the id ")
    assert "note: it is not finished" in said[3]
    fits_schema(cairn("observe", "ledger", "verify", "--json", cwd=workspace).json(), "observe-ledger-verify")


# --- merge ----------------------------------------------------------------------------------------------------------


def test_many_become_one(workspace: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other")
    ids = [tell(root, "progress_heartbeat", "note=x") for root in (workspace, other, workspace)]
    ran = cairn("observe", "ledger", "merge", "app", "other", "app", "-o", "all.jsonl", "--json", cwd=tmp_path)
    fits_schema(ran.json(), "observe-ledger-merge")
    assert (ran.json()["events"], ran.json()["duplicates"]) == (3, 2)
    assert [json.loads(line)["id"] for line in (tmp_path / "all.jsonl").read_text().splitlines()] == sorted(ids)
    same = cairn("observe", "ledger", "merge", "other", "app", "-o", "-", cwd=tmp_path)
    assert same.out == (tmp_path / "all.jsonl").read_text()
    refused = cairn("observe", "ledger", "merge", "app", "-o", "all.jsonl", cwd=tmp_path)
    assert refused.code == 1 and "--force" in refused.err


# --- collect --------------------------------------------------------------------------------------------------------


def collect(root: Path, *places: Path) -> dict[str, object]:
    ran = cairn("observe", "ledger", "collect", *map(os.fspath, places), "--json", cwd=root)
    assert ran.code == 0, ran.err
    fits_schema(ran.json(), "observe-ledger-collect")
    said: dict[str, object] = ran.json()
    return said


def test_other_repositories_a_folder_of_them_and_files(workspace: Path, tmp_path: Path) -> None:
    one, two = make(tmp_path / "code/one"), make(tmp_path / "code/two")
    first, second = tell(one, "knowledge_gap_signal", "topic=a"), tell(two, "knowledge_gap_signal", "topic=b")
    (tmp_path / "sent.jsonl").write_bytes(ledger_file(two).read_bytes())
    assert collect(workspace, one)["new"] == 1
    assert collect(workspace, tmp_path / "code")["new"] == 1
    assert collect(workspace, tmp_path / "sent.jsonl")["new"] == 0
    assert {event["id"] for event in tail(workspace)} == {first, second}
    assert all(str(event["file"]).startswith("collected/") for event in tail(workspace))


def test_only_what_is_new_is_read(workspace: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other")
    tell(other, "progress_heartbeat", "note=1")
    collect(workspace, other)
    assert [file["taken"] for file in collect(workspace, other)["files"]] == [0]  # type: ignore[attr-defined]
    tell(other, "progress_heartbeat", "note=2")
    again = collect(workspace, other)
    assert (again["new"], [file["taken"] for file in again["files"]]) == (1, [1])  # type: ignore[attr-defined]
    assert cairn("observe", "ledger", "verify", cwd=workspace).code == 0


def test_what_was_purged_elsewhere_goes_here_too(workspace: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other")
    kept, gone = (tell(other, "progress_heartbeat", f"note={n}") for n in "ab")
    collect(workspace, other)
    lines = ledger_file(other).read_text().splitlines(keepends=True)
    ledger_file(other).with_suffix(".new").write_text(lines[0])
    ledger_file(other).with_suffix(".new").replace(ledger_file(other))
    collect(workspace, other)
    assert [event["id"] for event in tail(workspace)] == [kept] and gone != kept


def test_a_copied_folder_is_another_work_tree(workspace: Path, tmp_path: Path) -> None:
    first = tell(workspace, "progress_heartbeat", "note=1")
    shutil.copytree(workspace, tmp_path / "copy")
    second = tell(tmp_path / "copy", "progress_heartbeat", "note=2")
    said = collect(workspace, tmp_path / "copy")
    assert (said["new"], said["sameIdentity"]) == (1, [])
    assert {event["id"]: str(event["worktree"]).split("-")[0] for event in tail(workspace)} == {
        first: "app",
        second: "copy",
    }


def test_two_that_write_under_one_name_are_noticed(workspace: Path, tmp_path: Path) -> None:
    """As on another machine, where the copy lies at the same path."""
    tell(workspace, "progress_heartbeat", "note=1")
    name = ledger_file(workspace).stem
    foreign = ledger_file(workspace).read_text().replace("note", "note", 1)
    event = json.loads(foreign) | {"id": "01a1e302-02ff-73a3-9fbd-000000000001"}
    (tmp_path / f"{name}.jsonl").write_text(json.dumps(event) + "\n")
    ran = cairn("observe", "ledger", "collect", os.fspath(tmp_path / f"{name}.jsonl"), cwd=workspace)
    assert ran.code == 0 and f"another folder writes as `{name}`" in ran.err


def test_strangers_are_checked_line_by_line(workspace: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other")
    good = tell(other, "progress_heartbeat", "note=fine")
    line = ledger_file(other).read_text()
    bad = [
        "garbage",
        line.strip().replace(good, "../../etc/passwd"),
        line.strip().replace("fine", "x" * 300),
        line.strip().replace("fine", "x" * 9_000),
        line.strip().replace("progress_heartbeat", "made_up"),
    ]
    ledger_file(other).write_text(line + "\n".join(bad) + "\n" + "y" * 3_000_000 + "\n")
    said = collect(workspace, other)
    assert (said["new"], said["refused"]) == (1, 6)
    assert cairn("observe", "ledger", "verify", cwd=workspace).code == 0


@pytest.mark.parametrize("place", ["nowhere", "empty", "link", "pipe.jsonl"])
def test_places_with_nothing_to_read(workspace: Path, tmp_path: Path, place: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(workspace)
    os.mkfifo(tmp_path / "pipe.jsonl")
    ran = cairn("observe", "ledger", "collect", os.fspath(tmp_path / place), cwd=workspace)
    assert ran.code in (1, 5) and ran.err.count("\n") == 1
