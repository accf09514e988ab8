"""Gaps of a workspace: from the ledger's files to what is judged."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.core.gap_tail import LONGEST_STEP, gap_tail
from cairn.core.model.lens import Finding
from cairn.errors import Refused, UsageError
from cairn.observe.list_gaps import gap_findings, knowledge_base, look_at_gaps, topic_of
from signals import NOW, write

ENTRY = "---\nname: {name}\ndescription: About it.\ntopics: [{topics}]\n---\n# It\n\n## Deep Guidance\n\nText.\n"


def workspace(root: Path, settings: dict[str, Any] | None = None, **env: str) -> App:
    known = {"corpora": {"knowledge": {"root": "knowledge", "layout": "entries"}}, **(settings or {})}
    (root / ".cairn").mkdir(parents=True, exist_ok=True)
    (root / ".cairn/settings.json").write_text(json.dumps(known))
    return build_app(root, env=env, clock=SettableClock(NOW), installed=False, tracked=lambda _: [])


def page(root: Path, path: str, name: str, topics: str = "") -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(ENTRY.format(name=name, topics=topics))


def found(app: App) -> list[Finding]:
    return gap_findings(app, look_at_gaps(app))


def topics(app: App) -> list[str]:
    return [str(finding.evidence["topic"]) for finding in found(app)]


def signals(root: Path, topic: str = "caches", folder: str = ".cairn/ledger") -> list[bytes]:
    return [write(root / folder, topic, ago=ago, worktree=f"w{ago}") for ago in range(3)]


# --- the ledger -----------------------------------------------------------------------------------------------------


def test_a_signal_counts_once_however_many_files_have_it(tmp_path: Path) -> None:
    lines = signals(tmp_path)
    ledger = tmp_path / ".cairn/ledger"
    (ledger / "copy.jsonl").write_bytes(b"".join([*lines, lines[0], lines[0]]))
    (ledger / "collected").mkdir()
    (ledger / "collected/other.jsonl").write_bytes(b"".join(lines))
    (gap,) = look_at_gaps(workspace(tmp_path)).gaps
    assert gap.group.signals == 3


def test_signals_that_were_collected_count(tmp_path: Path) -> None:
    write(tmp_path / ".cairn/ledger", "caches")
    for ago in (1, 2):
        write(tmp_path / ".cairn/ledger/collected", "caches", ago=ago, worktree="theirs", project="b")
    (finding,) = found(workspace(tmp_path))
    assert (finding.severity, finding.evidence["preset"]) == ("P2", "hub")


def test_after_a_reset_everything_is_as_it_was(tmp_path: Path) -> None:
    for ago in (0, 1, 1.2, 30, 89.7, 90.2):
        write(tmp_path / ".cairn/ledger", "caches", ago=ago, session=f"s{ago}", excerpt=f"said {ago}")
    app = workspace(tmp_path)
    before = found(app)
    app.store.reset(state=False)
    assert found(app) == before
    assert before[0].evidence["signal_count"] == 5


def test_what_is_read_bit_by_bit_adds_up(tmp_path: Path) -> None:
    app = workspace(tmp_path)
    for ago in (2, 1, 0):
        write(tmp_path / ".cairn/ledger", "caches", ago=ago)
        assert app.index_ledger() == 1
        assert app.index_ledger() == 0
    assert topics(app) == ["caches"]


def test_a_purged_signal_is_forgotten(tmp_path: Path) -> None:
    signals(tmp_path)
    app = workspace(tmp_path)
    assert topics(app) == ["caches"]
    (tmp_path / ".cairn/ledger/w1.jsonl").unlink()
    assert topics(app) == []


# --- acknowledged ---------------------------------------------------------------------------------------------------


def test_an_acknowledgement_lapses_when_it_becomes_graver(tmp_path: Path) -> None:
    signals(tmp_path)
    app = workspace(tmp_path)
    (finding,) = found(app)
    said = {"finding_id": finding.id, "status": "acknowledged", "severity": "P2", "note": "next week"}
    app.ledger.append("finding_acknowledged", said, now_ms=NOW)
    assert [(one.status, one.ack_note) for one in found(app)] == [("acknowledged", "next week")]
    signals(tmp_path)
    (worse,) = found(app)
    assert (worse.severity, worse.status) == ("P1", "open")
    assert "was acknowledged as P2 and is P1 now" in (worse.ack_note or "")


# --- the knowledge base ---------------------------------------------------------------------------------------------


def test_an_entry_closes_a_gap_and_taking_it_away_opens_it(tmp_path: Path) -> None:
    signals(tmp_path)
    assert topics(workspace(tmp_path)) == ["caches"]
    page(tmp_path, "knowledge/general/memory.md", "memory", "Caches")
    view = look_at_gaps(workspace(tmp_path))
    assert [gap.cover.reason for gap in view.gaps if gap.cover] == [
        "knowledge/general/memory.md has `Caches` among its topics"
    ]
    (tmp_path / "knowledge/general/memory.md").write_text("no frontmatter any more")
    assert topics(workspace(tmp_path)) == ["caches"]


def test_pages_of_a_plain_corpus_cover_by_their_files_name(tmp_path: Path) -> None:
    signals(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/caches.md").write_text("# Caches\n")
    assert topics(workspace(tmp_path, {"corpora": {"docs": {"layout": "plain"}}})) == []


def elsewhere(folder: Path, marker: str = "VERSION") -> Path:
    page(folder, "general/caches.md", "caches")
    page(folder, "README.md", "locks")
    (folder / marker).parent.mkdir(exist_ok=True)
    (folder / marker).write_text("{}")
    return folder


@pytest.mark.parametrize("marker", ["VERSION", ".cairn/settings.json"])
def test_a_folder_that_was_named_counts_instead(tmp_path: Path, marker: str) -> None:
    signals(tmp_path / "app")
    signals(tmp_path / "app", "locks")
    folder = elsewhere(tmp_path / "kb", marker)
    app = workspace(tmp_path / "app")
    view = look_at_gaps(app, knowledge_root=str(folder))
    assert [gap.group.lead.topic for gap in view.gaps if gap.open] == ["locks"]
    assert view.resolution is not None
    assert (view.resolution.root, view.resolution.covered.entries) == (str(folder), 1)


WRONG = {
    "nothing": "there is nothing at that path",
    "file": "it is no folder",
    "bare": "it has neither VERSION nor .cairn/settings.json, by which a knowledge base is known",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_folder_that_is_none_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "bare").mkdir()
    app = workspace(tmp_path, {"observe": {"knowledge_root": name}})
    resolution = knowledge_base(app)
    assert resolution.attempts[1].json() == {
        "source": "settings",
        "outcome": "invalid",
        "path": name,
        "reason": WRONG[name],
    }
    assert resolution.root == "knowledge"


def test_only_the_operator_may_lead_outside(tmp_path: Path) -> None:
    folder = str(elsewhere(tmp_path / "kb"))
    committed = knowledge_base(workspace(tmp_path / "app", {"observe": {"knowledge_root": folder}}))
    assert committed.root == "knowledge"
    assert "outside of the repository" in (committed.attempts[1].reason or "")
    theirs = knowledge_base(workspace(tmp_path / "app", CAIRN_OBSERVE__KNOWLEDGE_ROOT=folder))
    assert theirs.root == folder
    inside = workspace(tmp_path, {"observe": {"knowledge_root": "kb"}})
    assert knowledge_base(inside).root == "kb"


def test_a_link_that_leads_outside_is_outside(tmp_path: Path) -> None:
    elsewhere(tmp_path / "kb")
    app = workspace(tmp_path / "app", {"observe": {"knowledge_root": "link"}})
    (tmp_path / "app/link").symlink_to(tmp_path / "kb")
    assert knowledge_base(app).attempts[1].outcome == "invalid"


def test_the_old_file_names_it_too(tmp_path: Path) -> None:
    elsewhere(tmp_path / "kb")
    (tmp_path / ".scaffold").mkdir()
    (tmp_path / ".scaffold/observability.yaml").write_text("lenses:\n  I-knowledge-gaps:\n    knowledge_root: kb\n")
    assert knowledge_base(workspace(tmp_path)).root == "kb"


def test_without_any_corpus_somebody_hears_of_it_once(tmp_path: Path) -> None:
    signals(tmp_path)
    said: list[tuple[str, str]] = []
    app = workspace(tmp_path, {"corpora": {}})
    view = look_at_gaps(app, warn=lambda key, text: said.append((key, text)))
    assert [key for key, _ in said] == ["lens-i:no-root"]
    assert [gap.open for gap in view.gaps] == [True]


# --- topics ---------------------------------------------------------------------------------------------------------


def test_a_topic_is_written_as_topics_are() -> None:
    assert topic_of("  The User's RATE limits! ") == "the-users-rate-limits"
    assert topic_of("Überprüfung 東京") == "überprüfung-東京"


@pytest.mark.parametrize(
    ("text", "error"),
    [("!!!", UsageError), ("", UsageError), ("x" * 81, UsageError), ("key AKIAQ3EGRPLNXW5ZK7TY", Refused)],
)
def test_what_is_no_topic_is_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        topic_of(text)


STEPS = ["plan", "tech stack", "plan'; rm -rf ~; echo '", "$(reboot)", "`reboot`", "a\nb\x1b[2J", "{step}", "x" * 500]


@pytest.mark.parametrize("step", STEPS)
def test_a_step_stays_one_word_of_the_command(step: str) -> None:
    (command,) = [line for line in gap_tail(step).splitlines() if line.startswith("    cairn")]
    words = shlex.split(command)
    assert words[:4] == ["cairn", "gaps", "signal", "TOPIC"]
    assert words[words.index("--step") + 1] == " ".join(step.replace("\x1b", " ").split())[:LONGEST_STEP]
    assert words[-2:] == ["--excerpt", "WHAT YOU WANTED TO KNOW"]
    assert len(words) == 10


def test_without_a_step_and_quiet() -> None:
    assert "--step" not in gap_tail()
    assert gap_tail("plan", quiet=True) == ""
