"""`cairn forget`, through the program: a thing that is everywhere, and afterwards nowhere."""

import json
import os
import subprocess
import zlib
from hashlib import sha256
from pathlib import Path

import pytest

from agent_calls import hook, payload
from cairn.adapters.forge.local.git_repository import GitRepository
from cairn.adapters.vcs.state_ref import StateRef
from cairn.app.build import build_app
from cairn.core.model.change import ChangeSet, FileEdit
from host_lines import claude, joined
from program import Ran, cairn, clean_env, command_line, fits_schema
from repository import git, make

SECRET = "Quokka Müller"
SESSION = "5f1c8d1e-6f3a-4b52-9c3e-0d8a6f2b7c11"
TALK = joined([
    claude("user", f"Who is {SECRET.upper()}? Tell me about it and the dough."),
    claude("assistant", f"{SECRET} bakes. " + "The dough needs twelve hours. " * 20),
])  # fmt: skip
FORMS = [SECRET, SECRET.lower(), SECRET.upper(), json.dumps(SECRET)[1:-1], "Quokka%20M%C3%BCller", "quokka"]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A workspace in which it is everywhere."""
    root = make(tmp_path / "work", {"README.md": "# Bread\n\nDough rests.\n"})
    assert run(root, "init").code == 0
    assert (
        run(root, "note", f"{SECRET} likes rye, and the oven is broken again.", "--turn-id", "turn-with-it").code == 0
    )
    assert run(root, "note", "The importer reads latin-1 as UTF-8 and loses rows.", "--turn-id", "turn-other").code == 0
    (tmp_path / "talk.jsonl").write_bytes(TALK)
    assert run(root, "session", "capture", "--transcript", "../talk.jsonl", "--session", SESSION).code == 0
    home = root / ".cairn"
    (home / "hook-errors.log").write_text(f'{{"error": "fine"}}\n{{"error": "{SECRET}"}}\n')
    (home / "log").mkdir()
    (home / "log" / "cairn-crash-1.log").write_text(SECRET)
    (home / "briefing.json").write_text(json.dumps({"text": SECRET}))
    page = f"<p>{SECRET}</p>".encode() * 50
    digest = sha256(page).hexdigest()
    (home / "snapshots" / digest[:2]).mkdir(parents=True)
    (home / "snapshots" / digest[:2] / digest[2:]).write_bytes(zlib.compress(page))
    (ledger,) = (home / "ledger").glob("*.jsonl")
    (home / "ledger" / f"{ledger.name}.torn").write_text(f'{{"v":1,"payload":"{SECRET}\n')
    return root


def run(root: Path, *args: str, **env: str) -> Ran:
    (root.parent / "home").mkdir(exist_ok=True)
    return cairn(*args, cwd=root, HOME=str(root.parent / "home"), **env)


def kept_bytes(root: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted((root / ".cairn").rglob("*")) if path.is_file())


def is_nowhere(root: Path) -> None:
    data = kept_bytes(root).lower()
    assert not [form for form in FORMS if form.lower().encode() in data]


def test_a_literal_goes_from_everywhere_and_the_rest_stays(work: Path) -> None:
    planned = run(work, "forget", "--literal", SECRET, "--dry-run", "--json")
    fits_schema(planned.json(), "forget")
    found = {"snapshots": 1, "sessions": 1, "ledger": 3, "files": 3}
    assert planned.json()["found"].items() >= found.items()
    assert SECRET.encode() in kept_bytes(work), "a rehearsal changes nothing"

    done = run(work, "forget", "--literal", SECRET.lower(), "--yes", "--json")
    assert done.code == 0, done.out + done.err
    fits_schema(done.json(), "forget")
    assert done.json()["proof"]["left"] == [] and done.json()["proof"]["searched"]["rows"] > 10
    assert "uokka" not in done.out + done.err
    is_nowhere(work)

    assert [one["turnId"] for one in run(work, "turns", "list", "--json").json()["turns"]] == ["turn-other"]
    assert run(work, "turns", "verify").code == 0, "nobody misses a turn that was forgotten"
    text = run(work, "session", "show", SESSION).out
    assert text.startswith("[USER]: Who is [FORGOTTEN]? Tell me about it and the dough.") and "twelve hours" in text
    assert (work / ".cairn/hook-errors.log").read_text() == '{"error": "fine"}\n'
    assert run(work, "observe", "ledger", "verify").code == 0
    assert run(work, "doctor").code == 0
    assert len(run(work, "search", "dough", "--json").json()["hits"]) == 1

    event = run(work, "observe", "ledger", "tail", "--json").out
    assert '"reason": "literal"' in event and '"notes": 1' in event
    assert run(work, "forget", "--literal", SECRET, "--yes").code == 5


def test_people_see_what_goes_and_never_the_thing_itself(work: Path) -> None:
    refused = run(work, "forget", "--literal", SECRET)
    assert refused.code == 1 and "--yes" in refused.err
    done = run(work, "forget", "--literal", SECRET, "--yes")
    assert "3 lines of the ledger, 1 note among them\n" in done.out
    assert done.out.splitlines()[-1].startswith("gone; searched ")
    assert "uokka" not in done.out + done.err + refused.out + refused.err


def test_a_pattern_and_standard_input(work: Path) -> None:
    done = subprocess.run(
        command_line("forget", "--pattern", "-", "--yes"),
        cwd=work,
        input=b"(?i)quokka\\s+m\\S+r\n",
        capture_output=True,
        env=clean_env(HOME=str(work.parent)),
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert b"oven is broken" not in kept_bytes(work) and b"twelve hours" in kept_bytes(work)


def test_a_page_of_yours_is_named_and_yours_to_edit(work: Path) -> None:
    (work / "README.md").write_text(f"# Bread\n\nDough of {SECRET} rests.\n")
    run(work, "scan")
    done = run(work, "forget", "--literal", SECRET, "--yes")
    assert done.code == 1
    assert "still there: the graph, which is made of your files" in done.out
    assert "README.md: your file" in done.err
    (work / "README.md").write_text("# Bread\n\nDough rests.\n")
    done = run(work, "forget", "--literal", SECRET, "--yes")
    assert done.code == 0, "an index of words has what the page said before"
    is_nowhere(work)


def test_the_transcript_of_a_host_is_named_and_does_not_bring_it_back(work: Path) -> None:
    home = work.parent / "home"
    slug = str(work.resolve()).replace("/", "-").replace("_", "-").replace(".", "-")
    talk = home / ".claude" / "projects" / slug / f"{SESSION}.jsonl"
    talk.parent.mkdir(parents=True)
    here = {"cwd": str(work.resolve())}
    talk.write_bytes(TALK.replace(b"/home/ada/garden", os.fsencode(work.resolve())))
    done = run(work, "forget", "--literal", SECRET, "--yes")
    assert done.code == 0, done.out + done.err
    assert "the transcript of claude" in done.err
    for path in (work / ".cairn" / "sessions").iterdir():
        path.unlink()
    with talk.open("ab") as stream:
        stream.write(
            joined([claude("user", "And cake?", **here), claude("assistant", "Cake, too, but later.", **here)])
        )
    assert run(work, "session", "capture").code == 0
    shown = run(work, "session", "show", SESSION).out
    assert "And cake?" in shown
    is_nowhere(work)


def test_a_session_with_its_turns(work: Path) -> None:
    run(work, "note", "Said in that session, and long enough.", "--turn-id", "turn-of-it", "--session", SESSION)
    done = run(work, "forget", "--session", "5f1c", "--yes")
    assert done.code == 0, done.out + done.err
    assert SESSION.encode() not in kept_bytes(work) and b"turn-of-it" not in kept_bytes(work)
    assert b"turn-other" in kept_bytes(work)
    again = run(work, "session", "capture", "--transcript", "../talk.jsonl", "--session", SESSION, "--json").json()
    assert again["captured"][0]["status"] == "forgotten"
    fits_schema(again, "session-capture")
    assert run(work, "forget", "--session", "5f1c", "--yes").code == 5


def test_a_turn_and_an_event_by_their_ids(work: Path) -> None:
    assert run(work, "forget", "turn-with-it", "--yes").code == 0
    assert b"turn-with-it" not in kept_bytes(work) and b"turn-other" in kept_bytes(work)
    (ledger,) = (work / ".cairn" / "ledger").glob("*.jsonl")
    event = next(json.loads(line) for line in ledger.read_text().splitlines() if "turn_completed" in line)
    assert run(work, "forget", event["id"], "--yes").code == 0
    assert b"turn-other" not in kept_bytes(work), "a turn goes as a whole"
    assert run(work, "forget", "no-such-id", "--yes").code == 5


def test_before_a_day(work: Path) -> None:
    (ledger,) = (work / ".cairn" / "ledger").glob("*.jsonl")
    old = '{"v":1,"id":"old","type":"phase_completed","at":"2020-01-31T12:00:00.000Z","worktree":"w","payload":{}}\n'
    ledger.write_text(old + ledger.read_text())
    assert run(work, "forget", "--before", "2020-01-31", "--yes").code == 5
    done = run(work, "forget", "--before", "2020-02-01", "--yes", "--json").json()
    assert done["found"] == {"ledger": 1} and done["proof"]["left"] == []
    assert '"old"' not in ledger.read_text() and "turn-other" in ledger.read_text()


def test_requests_and_the_state_that_travels(work: Path) -> None:
    plumbing = GitRepository(work)
    blob = plumbing.blob(json.dumps({"format": 1, "evidence": SECRET}).encode())
    plumbing.move("refs/cairn/tickets/t-1", blob, None)
    ref = StateRef(work)
    rows = {"format.json": b'{"format": 1}\n', "links.jsonl": f'{{"url": "{SECRET}"}}\n{{"url": "x"}}\n'.encode()}
    page = f"{SECRET} here".encode()
    key = f"sha256:{sha256(page).hexdigest()}"
    ref.settle(ref.write(rows, {key: page}, {}, parents=[], at_ms=1_700_000_000_000))
    done = run(work, "forget", "--literal", SECRET, "--yes", "--json")
    assert done.code == 1, done.out
    assert done.json()["found"]["refs"] == 3
    assert done.json()["proof"]["left"] == ["objects of git that nothing points at: `git gc --prune=now` removes them"]
    assert plumbing.refs("refs/cairn/tickets/") == {}
    contents = ref.read(ref.here() or "")
    assert contents is not None and contents.snapshots == {}
    assert contents.files["links.jsonl"] == b'{"url": "x"}\n'
    assert git(work, "rev-list", "refs/cairn/state").count("\n") <= 1


def test_it_is_not_gone_while_git_has_objects_with_it(work: Path) -> None:
    """A closed request, a dropped ref: git keeps what nothing points at, loose or packed."""
    GitRepository(work).blob(f"a draft by {SECRET}".encode())
    done = run(work, "forget", "--literal", SECRET, "--yes")
    assert done.code == 1 and "gone" not in done.out
    assert "still there: objects of git that nothing points at: `git gc --prune=now` removes them" in done.out
    again = run(work, "forget", "--literal", SECRET, "--yes")
    assert again.code == 1 and "git gc --prune=now" in again.out, "nothing of Cairn's holds it, and git still does"
    git(work, "gc", "--prune=now", "--quiet")
    assert run(work, "forget", "--literal", SECRET, "--yes").code == 5


def test_it_is_not_gone_while_commits_have_it(work: Path) -> None:
    (work / "README.md").write_text(f"# Bread\n\nDough of {SECRET}.\n")
    git(work, "commit", "-qam", "dough")
    (work / "README.md").write_text("# Bread\n")
    git(work, "commit", "-qam", "no dough")
    done = run(work, "forget", "--literal", SECRET, "--yes")
    assert done.code == 1 and "still there: the history of git" in done.out and "git filter-repo" in done.out
    assert "uokka" not in done.out + done.err


def test_it_is_not_gone_while_an_open_request_holds_it(work: Path) -> None:
    """In what the request changes, not in its title."""
    app = build_app(work, env={})
    edit = FileEdit("README.md", f"# Bread\n\nDough of {SECRET}.\n".encode())
    head = git(work, "rev-parse", "HEAD").strip()
    change = ChangeSet("freshness", "bread", head, (edit,), "docs: describe the dough")
    request = app.forge.publish(change, (), now_ms=1_700_000_000_000)
    app.close()
    done = run(work, "forget", "--literal", SECRET, "--yes")
    assert done.code == 1 and "gone" not in done.out
    place = f"still there: the open change request {request.id}: `cairn change close {request.id}`, then run this again"
    assert place in done.out
    assert run(work, "change", "close", request.id).code == 0
    closed = run(work, "forget", "--literal", SECRET, "--yes")
    assert closed.code == 1 and "open change request" not in closed.out and "git gc --prune=now" in closed.out


def test_a_turn_that_waits_is_not_written_down_later(work: Path) -> None:
    said = [
        {"type": "user", "uuid": "u-1", "message": {"role": "user", "content": "mend it"}},
        {"type": "assistant", "uuid": "a-1", "message": {"role": "assistant", "content": f"{SECRET} did it. " * 9}},
    ]
    path = work.parent / "waiting.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in said))
    hook("stop", payload("claude", "stop", work, path), cwd=work)
    assert run(work, "forget", "--literal", SECRET, "--yes").code == 0
    assert run(work, "hook", "drain").code == 0
    is_nowhere(work)


LEAKS = {
    "a password in a sentence": "The staging database password is Harbor-1987!x now.",
    "a key and a value": "It failed with DB_PASSWORD=plover in the environment.",
    "a national number": "Her rijksregisternummer is 85.07.30-033.28 in that row.",
    "a number behind an abbreviation": "Her rod. č. is 398205091 in that row.",
    "a phrase of words": "The backup passphrase is velcro-walrus-695 now.",
}


@pytest.mark.parametrize("leak", LEAKS.values(), ids=list(LEAKS))
def test_rescan_masks_what_older_rules_have_stored(work: Path, leak: str) -> None:
    """The note and the session stay, the words around it too."""
    secret = leak.split("=")[-1].split()[0] if "=" in leak else leak.split()[-4 if "row" in leak else -2]
    old = b"The dough needs twelve hours."
    (ledger,) = (work / ".cairn" / "ledger").glob("*.jsonl")
    ledger.write_text(ledger.read_text().replace("loses rows.", f"loses rows. {leak}"))
    (log,) = [path for path in (work / ".cairn" / "sessions").iterdir() if old in path.read_bytes()]
    log.write_bytes(log.read_bytes().replace(old, leak.encode(), 1))
    assert secret.encode() in kept_bytes(work)

    planned = run(work, "forget", "--rescan", "--dry-run", "--json")
    assert planned.code == 0, planned.err
    fits_schema(planned.json(), "forget")
    assert planned.json()["found"]["ledger"] >= 1 and planned.json()["found"]["sessions"] == 1
    done = run(work, "forget", "--rescan", "--yes")
    assert done.code == 0, done.out + done.err
    assert secret not in done.out + done.err + planned.out
    assert secret.encode() not in kept_bytes(work)
    assert {one["turnId"] for one in run(work, "turns", "list", "--json").json()["turns"]} == {
        "turn-other",
        "turn-with-it",
    }
    assert "loses rows." in ledger.read_text() and "twelve hours" in log.read_text() and "[REDACTED:" in log.read_text()
    assert run(work, "turns", "verify").code == 0 and run(work, "observe", "ledger", "verify").code == 0
    assert run(work, "forget", "--rescan", "--yes").code == 5


def test_search_hides_what_was_stored_before_the_rules_improved(work: Path) -> None:
    (ledger,) = (work / ".cairn" / "ledger").glob("*.jsonl")
    ledger.write_text(ledger.read_text().replace("loses rows.", "loses rows with PGPASSWORD=plover set."))
    (work / "README.md").write_text(
        "# Bread\n\nThe importer reads from mysql://app:plover@db.lan/rows and loses rows.\n"
    )
    run(work, "scan")
    for args in (("importer loses rows",), ("importer loses rows", "--json")):
        found = run(work, "search", *args)
        assert "importer" in found.out.lower() and "plover" not in found.out


BAD = {
    "nothing": ([], "one thing"),
    "two things": (["--literal", "abcd", "--pattern", "x"], "one thing"),
    "too short": (["--literal", "abc"], "4 characters"),
    "no pattern": (["--pattern", "("], "no regular expression"),
    "everything": (["--pattern", "x*"], "empty text"),
    "no date": (["--before", "31.1.2020"], "no date"),
    "not yet": (["--before", "2999-01-01"], "future"),
}


@pytest.mark.parametrize("args, words", BAD.values(), ids=list(BAD))
def test_what_makes_no_sense_is_said(tmp_path: Path, args: list[str], words: str) -> None:
    (tmp_path / ".cairn").mkdir()
    (tmp_path / ".cairn/settings.json").write_text("{}")
    ran = cairn("forget", *args, cwd=tmp_path)
    assert ran.code == 2 and words in ran.err


def test_a_workspace_in_which_nothing_happened(tmp_path: Path) -> None:
    (tmp_path / ".cairn").mkdir()
    (tmp_path / ".cairn/settings.json").write_text("{}")
    assert cairn("forget", "--literal", "something", "--yes", cwd=tmp_path, HOME=str(tmp_path)).code == 5
    expired = cairn("forget", "--expired", "--json", cwd=tmp_path)
    fits_schema(expired.json(), "forget")
    assert expired.code == 0 and not (tmp_path / ".cairn/cairn.db").exists()
