"""`cairn observe audit`, `ack`, `findings`, `report` and `phase`, through the program."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from program import Ran, cairn, clean_env, command_line, fits_schema
from repository import commit, git

A = "# Sessions\n\nSupersedes: [logins](b.md)\n"
B = "# Logins\n\nThe session timeout is 30 minutes.\n"
MENDED = "# Logins\n\nSuperseded by [sessions](a.md).\n\nThe session timeout is 30 minutes.\n"
FORMAT = ("--lens", "H-cross-doc")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "app"
    (root / "docs").mkdir(parents=True)
    git(root, "init", "-q", "-b", "trunk")
    (root / "docs/a.md").write_text(A)
    (root / "docs/b.md").write_text(B)
    assert cairn("init", "--no-scan", cwd=root).code == 0
    commit(root)
    return root


def audit(root: Path, *options: str, **env: str) -> Ran:
    ran = cairn("observe", "audit", "--json", *options, cwd=root, **env)
    if ran.code in (0, 1):
        fits_schema(ran.json(), "observe-audit")
    return ran


def output(root: Path, *options: str) -> dict[str, object]:
    found: dict[str, object] = audit(root, *options).json()["engine_output"]
    return found


def the_id(root: Path) -> str:
    (finding,) = output(root)["findings"]  # type: ignore[misc]
    return str(finding["id"])


def settings(root: Path, text: str, name: str = "settings.local.json") -> None:
    (root / ".cairn" / name).write_text(text)


# --- the audit --------------------------------------------------------------------------------------------------------


def test_an_unmarked_page_stands_in_the_way_and_is_reported(root: Path) -> None:
    ran = audit(root)
    said = ran.json()
    assert (ran.code, said["engine_output"]["verdict"]) == (1, "blocked")
    assert {run["id"]: run["state"] for run in said["engine_output"]["lenses"]} == {
        "H-cross-doc": "ran",
        "I-knowledge-gaps": "ran",
    }
    (file,) = said["files"]
    assert file == f"docs/audits/{said['report_id']}.json"
    sidecar = json.loads((root / file).read_text())
    fits_schema(sidecar, "observe-report")
    assert sidecar["engine_output"]["findings"] == said["engine_output"]["findings"]


def test_people_get_a_report_beside_and_scans_pass_over_it(root: Path) -> None:
    ran = cairn("observe", "audit", cwd=root)
    assert ran.code == 1 and "blocked: something stands in the way (1 P2)" in ran.out
    (report,) = (root / "docs/audits").glob("*.md")
    assert "**blocked**" in report.read_text()
    assert cairn("observe", "report", cwd=root).out == report.read_text()
    listed = cairn("list", "--json", cwd=root) if cairn("scan", cwd=root).code == 0 else None
    assert listed is not None and "docs/audits" not in listed.out


def test_a_second_audit_is_not_confused_by_the_report_of_the_first(root: Path) -> None:
    first = output(root)
    assert cairn("observe", "audit", cwd=root).code == 1
    (root / "docs/audits/.cairnignore").unlink()
    second = output(root)
    assert [one["id"] for one in first["findings"]] == [one["id"] for one in second["findings"]]  # type: ignore[attr-defined]
    assert first["findings"][0]["first_seen"] == second["findings"][0]["first_seen"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (("--lens", "H"), 5, "did you mean `H-cross-doc`?"),
        (("--lens", "zzz"), 5, "there are H-cross-doc, I-knowledge-gaps."),
        (("--fix-threshold", "P9"), 2, "P9"),
        (("--fix",), 2, "--fix needs a program of yours"),
        (("--fix-command", "x"), 2, "add --fix"),
        (("--fix", "--fix-command", "no-such-program -p"), 2, "there is no program `no-such-program`"),
        (("--fix", "--fix-command", "'"), 2, "is no command"),
        (("--fix", "--fix-command", "x", "--output-mode", "review-findings"), 2, "--fix makes two"),
        (("--fix", "--fix-command", "x", "--github"), 2, "--fix makes two"),
        (("--render", "dashboard-fragment", "--github"), 2, "choose one"),
        (("--knowledge-root", "nowhere"), 2, "cannot be used"),
        (("--output", "."), 2, "a folder of their own"),
    ],
)
def test_what_makes_no_sense_is_said_and_nothing_is_written(root: Path, options, code: int, says: str) -> None:
    ran = cairn("observe", "audit", *options, cwd=root)
    assert (ran.code, says in ran.err) == (code, True), ran.err
    assert not (root / "docs/audits").exists()


def test_the_threshold_by_flag_and_by_setting(root: Path) -> None:
    assert audit(root, "--fix-threshold", "P0").code == 0
    settings(root, '{"observe": {"fix_threshold": "P0"}}', "settings.json")
    assert audit(root).code == 0
    assert audit(root, "--fix-threshold", "P3").code == 1


def test_a_disabled_lens_stays_off_and_says_so(root: Path) -> None:
    settings(root, '{"observe": {"disabled_lenses": ["H-cross-doc", "H-crossdoc"]}}', "settings.json")
    ran = cairn("observe", "audit", *FORMAT, cwd=root)
    assert ran.code == 0 and "H-cross-doc did not look: it is switched off" in ran.err
    assert "degraded-pass" in ran.out
    assert "names `H-crossdoc`, which is no lens; did you mean `H-cross-doc`?" in ran.err


def test_a_workspace_without_documents_is_no_good_sign(root: Path) -> None:
    commit(root, {"docs/a.md": None, "docs/b.md": None})
    found = output(root, *FORMAT)
    assert found["verdict"] == "degraded-pass"
    assert [(one["id"], one["severity"], one["status"]) for one in found["findings"]] == [  # type: ignore[attr-defined]
        ("lens_skipped:H-cross-doc", "P3", "skipped")
    ]


def test_paths_can_be_masked_and_secrets_always_are(root: Path) -> None:
    secret = "AKIAQ3EGRPLNXW5ZK7TY"
    for number in (1, 2, 3):
        (root / "docs/adr").mkdir(exist_ok=True)
        (root / f"docs/adr/000{number}-x.md").write_text(f"# {number}. Something\n")
    (root / "docs/b.md").write_text(f"See ADR-1, ADR-2 and ADR-17 ({secret}).\n")
    ran = cairn("observe", "audit", "--mask-paths", "--show-acknowledged", cwd=root)
    written = "".join(path.read_text() for path in (root / "docs/audits").glob("audit-*"))
    assert "docs/b.md" not in ran.out + written and "path-" in written
    assert secret not in ran.out + written
    assert secret.encode() not in (root / ".cairn/cairn.db").read_bytes()


def test_other_formats(root: Path) -> None:
    page = cairn("observe", "audit", "--render", "dashboard-fragment", cwd=root)
    assert page.code == 1 and page.out.startswith("<section") and page.out.rstrip().endswith("</section>")
    log = cairn("observe", "audit", "--github", cwd=root)
    assert log.code == 1 and log.out.startswith("::warning file=docs/b.md,line=1,title=H-cross-doc::P2")
    assert cairn("observe", "audit", "--sarif", "out.sarif", cwd=root).code == 1
    (result,) = json.loads((root / "out.sarif").read_text())["runs"][0]["results"]
    assert result["partialFingerprints"] == {"cairn/v1": the_id(root)}


@pytest.mark.parametrize("mode", ["review-findings", "mmr-findings"])
def test_reviewers_get_a_list_that_can_be_acknowledged_from(root: Path, mode: str) -> None:
    ran = cairn("observe", "audit", "--output-mode", mode, cwd=root)
    fits_schema(ran.json(), "observe-audit")
    (item,) = ran.json()
    assert ran.code == 0 and not (root / "docs/audits").exists()
    assert cairn("observe", "ack", item["location"].rpartition("::")[2], cwd=root).code == 0
    assert cairn("observe", "audit", "--output-mode", mode, cwd=root).json() == []


def test_reports_elsewhere(root: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (file,) = audit(root, "--output", str(tmp_path / "out")).json()["files"]
    assert Path(file).parent == tmp_path / "out" and not (root / "docs/audits").exists()
    assert not (tmp_path / "out/.cairnignore").exists()


# --- what people say --------------------------------------------------------------------------------------------------


def test_an_acknowledged_finding_is_in_nobodys_way(root: Path) -> None:
    id = the_id(root)
    ran = cairn("observe", "ack", id[:6], "--note", "both hold", "--json", cwd=root)
    fits_schema(ran.json(), "observe-ack")
    assert (ran.json()["id"], ran.json()["severity"]) == (id, "P2")
    done = audit(root)
    (finding,) = done.json()["engine_output"]["findings"]
    assert (done.code, finding["status"], finding["ack_note"]) == (0, "acknowledged", "both hold")
    listed = cairn("observe", "findings", "--json", cwd=root).json()
    fits_schema(listed, "observe-findings")
    assert listed == {"findings": [], "more": 0}
    assert [one["id"] for one in cairn("observe", "findings", "--all", "--json", cwd=root).json()["findings"]] == [id]
    assert cairn("observe", "ack", id, "--status", "open", cwd=root).code == 0
    assert audit(root).code == 1


@pytest.mark.parametrize(("prefix", "code"), [("ffff", 5), ("zz", 2)])
def test_what_is_no_finding(root: Path, prefix: str, code: int) -> None:
    the_id(root)
    assert cairn("observe", "ack", prefix, cwd=root).code == code


def test_a_finding_of_a_report_that_somebody_committed(root: Path) -> None:
    id = the_id(root)
    (root / ".cairn/cairn.db").unlink()
    assert cairn("observe", "ack", id[:8], cwd=root).code == 0


def test_another_projects_word_does_not_count_and_a_clones_does(root: Path, tmp_path: Path) -> None:
    id = the_id(root)
    git(root, "remote", "add", "origin", "git@example.org:acme/app.git")
    for name, remote in (("other", "git@example.org:acme/other.git"), ("clone", "https://example.org/acme/app")):
        place = tmp_path / name
        place.mkdir()
        git(place, "init", "-q", "-b", "trunk")
        git(place, "remote", "add", "origin", remote)
        assert cairn("init", "--no-scan", cwd=place).code == 0
        fields = ("--field", f"finding_id={id}", "--field", "status=acknowledged")
        assert cairn("observe", "event", "finding_acknowledged", *fields, cwd=place).code == 0
        assert cairn("observe", "ledger", "collect", str(place), cwd=root).code == 0
        assert audit(root).code == (1 if name == "other" else 0)


def test_status_says_what_is_open(root: Path) -> None:
    assert cairn("scan", cwd=root).code == 0
    the_id(root)
    said = cairn("status", cwd=root).out
    assert "1 finding of audits: 1 P2, such as:" in said and "last audit just now: blocked" in said


def test_reports_are_found_by_their_ends(root: Path) -> None:
    assert cairn("observe", "report", cwd=root).code == 5
    id = audit(root).json()["report_id"]
    shown = cairn("observe", "report", id[-6:], "--json", cwd=root)
    fits_schema(shown.json(), "observe-report")
    assert shown.json()["report_id"] == id
    assert cairn("observe", "report", "--list", cwd=root).out.strip() == id
    assert cairn("observe", "report", "nonsense", cwd=root).code == 5
    (root / f"docs/audits/{id}.json").write_text("{")
    assert cairn("observe", "report", cwd=root).code == 5


# --- mending ----------------------------------------------------------------------------------------------------------


def program(root: Path, source: str) -> str:
    file = root.parent / "agent.py"
    file.write_text(f"import os, pathlib, sys, time\nprompt = sys.stdin.read()\n{source}\n")
    return f"{sys.executable} {file}"


RIGHT = f'pathlib.Path("docs/b.md").write_text({MENDED!r})'
WRONG = 'pathlib.Path("docs/new.md").write_text("# New\\n"); os.system("git add -A")'


def test_what_the_program_mends_stays_uncommitted(root: Path) -> None:
    ran = audit(root, "--fix", "--fix-command", program(root, RIGHT))
    said = ran.json()
    assert (ran.code, said["engine_output"]["verdict"]) == (0, "pass")
    assert [one["outcome"] for one in said["fix"]["results"]] == ["fixed"]
    assert said["fix"]["changed"] == ["docs/b.md"] and said["report_id"].endswith("-postfix")
    assert git(root, "status", "--porcelain", "docs/b.md").strip() == "M docs/b.md"


def test_what_it_does_not_mend_is_named_and_put_back(root: Path) -> None:
    (root / "mine.txt").write_text("not committed\n")
    before = git(root, "status", "--porcelain", "--", ".", ":!docs/audits")
    ran = cairn("observe", "audit", "--fix", "--fix-command", program(root, WRONG), cwd=root)
    assert ran.code == 1 and "not mended  P2" in ran.out and "the finding is still there" in ran.out
    assert git(root, "status", "--porcelain", "--", ".", ":!docs/audits") == before
    assert ran.err.count("attempt") == 3


def test_the_last_audit_looks_through_the_same_lenses(root: Path) -> None:
    said = audit(root, *FORMAT, "--fix", "--fix-command", program(root, RIGHT)).json()
    assert [run["id"] for run in said["engine_output"]["lenses"]] == ["H-cross-doc"]


def test_a_program_cannot_talk_its_way_out(root: Path) -> None:
    """Acknowledging and switching a lens off count for nothing while it is at work."""
    cheat = (
        'import json; id = json.loads(prompt.split("<finding>")[1].split("</finding>")[0])["id"]\n'
        f'os.system(f"{sys.executable} -m cairn observe ack {{id}}")\n'
        'pathlib.Path(".cairn/settings.json").write_text(\'{"observe": {"disabled_lenses": ["H-cross-doc"]}}\')'
    )
    ran = audit(root, "--fix", "--fix-command", program(root, cheat))
    assert ran.code == 1 and [one["outcome"] for one in ran.json()["fix"]["results"]] == ["failed"]


def test_only_the_operator_says_which_program(root: Path) -> None:
    settings(root, json.dumps({"observe": {"fix_command": program(root, RIGHT)}}), "settings.json")
    ran = cairn("observe", "audit", "--fix", "--json", cwd=root)
    assert ran.code == 2 and (root / "docs/b.md").read_text() == B
    attempts = ran.json()["error"]["details"]["attempts"]
    assert [(one["outcome"], one["source"]) for one in attempts] == [
        ("not-provided", "settings.local.json"),
        ("invalid", ".cairn/settings.json:1"),
    ]
    settings(root, json.dumps({"observe": {"fix_command": program(root, RIGHT)}}))
    assert audit(root, "--fix").code == 0


def test_by_the_environment(root: Path) -> None:
    assert audit(root, "--fix", CAIRN_OBSERVE__FIX_COMMAND=program(root, RIGHT)).code == 0


def test_nothing_to_mend(root: Path) -> None:
    (root / "docs/b.md").write_text(MENDED)
    ran = audit(root, "--fix", "--fix-command", "true")
    assert ran.code == 0 and ran.json()["fix"]["results"] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_puts_everything_back(root: Path, number: signal.Signals) -> None:
    slow = 'pathlib.Path("docs/b.md").write_text("half"); pathlib.Path("docs/x.md").write_text("x"); time.sleep(60)'
    line = command_line("observe", "audit", "--fix", "--fix-command", program(root, slow))
    process = subprocess.Popen(line, cwd=root, env=clean_env(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 50
    while not (root / "docs/x.md").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (root / "docs/b.md").read_text() == "half"
    process.send_signal(number)
    assert process.wait(timeout=30) == 130
    assert (root / "docs/b.md").read_text() == B and not (root / "docs/x.md").exists()


# --- phases -----------------------------------------------------------------------------------------------------------


def test_the_end_of_a_phase_starts_an_audit_that_holds_nobody_up(root: Path) -> None:
    ran = cairn("observe", "phase", "complete", "tech-stack", "--json", cwd=root)
    fits_schema(ran.json(), "observe-phase-complete")
    assert (ran.code, ran.json()["audit"]["verdict"]) == (0, "blocked")
    report = next(root / file for file in ran.json()["files"] if file.endswith(".md")).read_text()
    assert "I-knowledge-gaps did not run" in report and "The phase tech-stack is complete" in report


def test_other_phases_are_only_recorded(root: Path) -> None:
    ran = cairn("observe", "phase", "complete", "lunch", "--json", cwd=root)
    fits_schema(ran.json(), "observe-phase-complete")
    assert ran.json()["audit"] is None and "lunch" in ran.json()["why"]
    assert "phase_completed" in cairn("observe", "ledger", "tail", cwd=root).out
    settings(root, '{"observe": {"phase_audit": {"enabled": false}}}', "settings.json")
    assert "switched off" in cairn("observe", "phase", "complete", "tech-stack", cwd=root).err
    assert cairn("observe", "phase", "complete", "Not A Name", cwd=root).code == 2


def test_the_event_does_the_same(root: Path) -> None:
    ran = cairn("observe", "event", "phase_completed", "--field", "phase=tech-stack", cwd=root)
    assert ran.code == 0 and "blocked" in ran.out
    assert len(list((root / "docs/audits").glob("*.md"))) == 1


def test_mending_needs_a_repository(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(A)
    assert cairn("init", "--no-scan", cwd=tmp_path).code == 0
    ran = cairn("observe", "audit", "--fix", "--fix-command", "x", cwd=tmp_path)
    assert ran.code == 2 and "needs a git repository" in ran.err and not (tmp_path / "docs").exists()


def test_old_settings_are_a_source_of_their_own(root: Path) -> None:
    (root / ".scaffold").mkdir()
    (root / ".scaffold/observability.yaml").write_text("disabled_lenses: [A-tdd, H-cross-doc]\n")
    ran = cairn("observe", "audit", cwd=root)
    assert ran.code == 0 and "H-cross-doc did not look" in ran.err and "A-tdd" not in ran.err
    assert ".scaffold/observability.yaml" in cairn("config", "list", "--json", cwd=root).out
    assert ".scaffold/observability.yaml" in cairn("config", "show", "--source", cwd=root).out
