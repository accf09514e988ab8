"""One item that Cairn fails on is named with its error, the others are done, and the command ends with 1."""

import importlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests import repository
from tests.agent_calls import hook
from tests.curation import candidate, keep_session
from tests.night_desk import RETRIES, SETTINGS, SITE, page
from tests.website import Website, serving

from cairn.cli import boundary

NODE = """---
schema_version: 1
id: practice-{name}
title: {name} rule
kind: practice
tags: []
derived_from: []
relates_to: []
confidence: high
summary: The {name} rule.
---

Always {name} first.
"""
FILES = {
    "README.md": "# Good\n\nRead [the guide](docs/guide.md). The limit is 30 s, see `LIMIT`.\n",
    "docs/guide.md": "# Guide\n\nThe limit is 30 s, see `LIMIT` and `OTHER`.\n",
    "docs/bad.md": "# Bad\n\nThe limit is 30 s, see `LIMIT`. [gone](gone.md)\n",
    "docs/adr/0001-good.md": "# 1. Use make\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use make.\n",
    "docs/adr/0002-bad.md": "# 2. Use just\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use just.\n",
    "app.py": "LIMIT = 30\nOTHER = 1\n",
    "bad.py": "TIMEOUT = 30\n",
    "AGENTS.md": "# Rules\n\n- Always lint the good code\n",
    "sub/CLAUDE.md": "# Rules\n\n- Never push the bad code\n",
    ".ai/knowledge-base/nodes/practice/practice-good.md": NODE.format(name="good"),
    ".ai/knowledge-base/nodes/practice/practice-bad.md": NODE.format(name="bad"),
}


class Case(NamedTuple):
    command: tuple[str, ...]
    broken: str
    """The function that fails for the items that have `bad` in one of their arguments."""
    named: str
    """In the report."""
    done: str = ""
    """In the output: something about an item that is fine."""
    prepare: Callable[[Path], None] = lambda root: None


def _candidates(root: Path) -> None:
    keep_session(
        root, [candidate("Always run the good thing."), candidate("Always run the bad thing.", origin="s-1:practice:1")]
    )


def _edited(root: Path) -> None:
    repository.put(root, {"docs/bad.md": "# Bad\n\nEdited.\n", "docs/guide.md": "# Guide\n\nEdited.\n"})


def _two_sessions(root: Path) -> None:
    keep_session(root, [candidate("Always run the good thing.")], session="s-good")
    keep_session(root, [candidate("Always run the bad thing.")], session="s-bad")


def _transcripts(root: Path) -> None:
    """Two sessions of Claude Code, whose hooks have told of them."""
    folder = root.parent / "home/.claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(root))
    folder.mkdir(parents=True)
    for session in ("s-bad", "s-good"):
        told = {"sessionId": session, "cwd": str(root)}
        asked = {**told, "type": "user", "uuid": "u", "message": {"role": "user", "content": f"Remember: {session}."}}
        said = {**told, "type": "assistant", "uuid": "a", "message": {"role": "assistant", "content": "I noted it."}}
        transcript = folder / f"{session}.jsonl"
        transcript.write_text(f"{json.dumps(asked)}\n{json.dumps(said)}\n")
        for event in ("stop", "session-end"):
            call = {"session_id": session, "transcript_path": str(transcript), "cwd": str(root)}
            hook(event, call, cwd=root)


def _approved(root: Path) -> None:
    assert boundary.run(["approve", "--all"], _env(root.parent)) == 0


def _changed(root: Path) -> None:
    repository.put(root, {"app.py": "LIMIT = 60\nOTHER = 1\n", "bad.py": "TIMEOUT = 60\n"})


CASES = {
    "scan": Case(("scan",), "graph.read_file.FileReader.read", "docs/bad.md", "", _edited),
    "check": Case(("check", "--all"), "core.repository.tree.outline", "docs/bad.md", "", _edited),
    "check --diff": Case(
        ("check", "--diff", "HEAD"), "freshness.diff.survey.literals_of", "bad.py", "README.md", _changed
    ),
    "import": Case(("import", "memory", "--yes"), "curate.memory.rules", "sub/CLAUDE.md", "AGENTS.md"),
    "bootstrap": Case(("bootstrap", "--yes"), "curate.bootstrap.derive", "docs/adr/0002-bad.md", "Use make"),
    "curate": Case(("curate",), "curate.place_candidate.opposed", "bad thing", "good thing", _candidates),
    "curate, a log": Case(("curate",), "curate.pending_candidates._proposals", "s-bad", "good thing", _two_sessions),
    "session propose": Case(("session", "propose"), "curate.propose._Run.one", "s-bad", "", _two_sessions),
    "lint": Case(("lint",), "curate.lint._read", "practice-bad.md"),
    "search": Case(("search", "limit"), "retrieve.find._page", "docs/bad.md", "docs/guide.md"),
    "search, a page of knowledge": Case(("search", "rule"), "retrieve.find._entry", "practice-bad.md", "practice-good"),
    "session list": Case(("session", "list"), "core.session_log.read_head", "s-bad", "s-good", _two_sessions),
    "status": Case(("status",), "workspace.status.knowledge_lines.read_tolerant", "practice-bad.md", "corpus"),
    "freshness sources": Case(("freshness", "sources"), "freshness.select_entries.read_tolerant", "practice-bad.md"),
    "freshness run": Case(("freshness", "run"), "freshness.select_entries.read_tolerant", "practice-bad.md"),
    "approve": Case(("approve",), "knowledge.approve._judged", "practice-bad.md"),
    "context, its words": Case(
        ("context",), "retrieve.briefing._as_told", "practice-bad.md", "practice-good", _approved
    ),
    "context": Case(("context",), "retrieve.briefing._told", "practice-bad.md"),
    "observe audit": Case(("observe", "audit"), "observe.audit.AuditedDocuments._document", "docs/bad.md"),
    "freshness validate": Case(("freshness", "validate"), "freshness.validate._read", "practice-bad.md"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_one_bad_item_is_named_and_the_others_are_done(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository.make(tmp_path / "repo", FILES)
    monkeypatch.chdir(root)
    env = _env(tmp_path)
    assert boundary.run(["init"], env) == 0
    case.prepare(root)
    _break(monkeypatch, case.broken)
    capsys.readouterr()
    code = boundary.run(list(case.command), env)
    told = capsys.readouterr()
    assert (code, case.named in told.err, "TypeError: bad item" in told.err) == (1, True, True), told.err
    assert case.done in told.out + told.err
    assert "the rest is complete" in told.err


@pytest.mark.parametrize(
    ("command", "broken", "named", "done"),
    [
        (("hook", "drain"), "capture.settle_turns._settled", "turns: turn claude:s-bad:u", "turns 1"),
        (("hook", "drain"), "capture.capture_session.capture_session", "sessions: session s-bad", "sessions 1"),
        (("session", "capture"), "capture.capture_session.capture_session", "s-bad.jsonl", "kept claude s-good"),
    ],
    ids=["turns", "sessions", "session capture"],
)
def test_a_transcript_that_fails_holds_up_no_other(
    command: tuple[str, ...],
    broken: str,
    named: str,
    done: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = repository.make(tmp_path / "repo", FILES)
    monkeypatch.chdir(root)
    env = _env(tmp_path)
    assert boundary.run(["init"], env) == 0
    _transcripts(root)
    with monkeypatch.context() as patched:
        _break(patched, broken)
        capsys.readouterr()
        assert boundary.run(list(command), env) == 1
        told = "".join(capsys.readouterr())
    assert f"{named} was skipped: TypeError: bad item" in told and "s-good was skipped" not in told, told
    assert done in told, told
    assert boundary.run(list(command), env) == 0


@pytest.fixture
def site() -> Iterator[Website]:
    with serving() as running:
        running["/good"] = running["/bad"] = SITE.format(RETRIES.format(30))
        yield running


@pytest.mark.parametrize(
    ("command", "broken", "done"),
    [
        (("freshness", "run"), "freshness.sources.read_page", "first look: knowledge/http/good.md"),
        (("freshness", "run"), "adapters.fetch.web.split_url", "first look: knowledge/http/good.md"),
        (("freshness", "link-check", "--all"), "adapters.fetch.web.split_url", "1 of 2 pages"),
    ],
    ids=["a page", "a fetch", "a link"],
)
def test_a_source_that_fails_holds_up_no_other(
    command: tuple[str, ...],
    broken: str,
    done: str,
    site: Website,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = {f"knowledge/http/{n}.md": page(n, RETRIES.format(30), f"{site.url}/{n}") for n in ("good", "bad")}
    root = repository.make(tmp_path / "repo", {**files, ".cairn/settings.json": SETTINGS})
    monkeypatch.chdir(root)
    env = {**_env(tmp_path), "CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}
    _break(monkeypatch, broken)
    code = boundary.run(list(command), env)
    told = capsys.readouterr()
    assert code == 1 and f"{site.url}/bad was skipped: TypeError: bad item" in told.err, told
    assert done in told.out + told.err, told


def _env(folder: Path) -> Mapping[str, str]:
    import os

    return {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "CAIRN_AGENTS": "none"}


def _break(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    module, _, attribute = f"cairn.{name}".rpartition(".")
    try:
        owner: Any = importlib.import_module(module)
    except ImportError:
        module, _, kind = module.rpartition(".")
        owner = getattr(importlib.import_module(module), kind)
    original = getattr(owner, attribute)

    def broken(*args: Any, **more: Any) -> Any:
        if any(re.search(r"\bbad\b", repr(one)) for one in (*args, *more.values())):  # a hash may have these letters
            raise TypeError("bad item")
        return original(*args, **more)

    monkeypatch.setattr(owner, attribute, broken)
