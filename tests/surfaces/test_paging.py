"""Lists in pages: 50 rows for people with how many follow, everything for programs, and a page of it for who asks."""

import hashlib
import time
from pathlib import Path
from typing import Any

import pytest

import repository
import signals
from bakery import opened
from cairn.core.model.change import Taint
from cairn.curate.conflicts import KnowledgeConflict, ProposedNode, conflict_text
from program import cairn, fits_schema

ROWS = 60
SETTINGS = '{"corpora": {"knowledge": {"root": "knowledge", "layout": "entries"}}}'
IGNORED = "*\n!settings.json\n!.gitignore\n"


def entry(number: int) -> str:
    head = f"name: e{number}\ndescription: About {number}.\nvolatility: stable\nlast-reviewed: 2026-01-01\n"
    return f"---\n{head}sources:\n  - url: https://h{number:02}.example.org/\n---\n# E{number}\n\n[gone](gone.md)\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("lists")
    pages = {f"knowledge/api/e{number:02}.md": entry(number) for number in range(ROWS)}
    went = {f"docs/went{number:02}.md": "# Went\n" for number in range(ROWS)}
    repository.make(root, {".cairn/settings.json": SETTINGS, ".cairn/.gitignore": IGNORED, **pages})
    repository.put(root, went)
    assert cairn("scan", "-q", cwd=root).code in (0, 1)
    for path in went:
        (root / path).unlink()
    for number in range(ROWS):
        miss(root, number)
        repository.put(root, {f".cairn/conflicts/run-{number:02}.md": conflict(number)})
        text = f"# Page {number}\n"
        opened(root, {f"knowledge/new/n{number:02}.md": text}, subject=f"s{number}", title=f"docs: add {number}")
    assert cairn("scan", "-q", cwd=root).code in (0, 1)
    assert cairn("observe", "audit", "-q", cwd=root).code in (0, 1)
    return root


def miss(root: Path, number: int) -> None:
    """A topic of letters that is like no other one, on three days."""
    topic = "".join(chr(97 + int(digit, 16)) for digit in hashlib.sha256(str(number).encode()).hexdigest()[:12])
    for ago in (1, 2, 3):
        now = int(time.time() * 1000)
        signals.write(root / ".cairn/ledger", topic, ago=ago, worktree=f"other-{ago}", now=now)


def conflict(number: int) -> str:
    node = ProposedNode("Use pnpm", "practice", ("tools",), "Use pnpm.", "Use pnpm, not npm.", "high")
    facts = ("pending", "2026-05-04T10:00:00Z", "run", "s:practice:0", f"page-{number}", "They differ.", node)
    return conflict_text(KnowledgeConflict(f"run-{number:02}", *facts, ("log.md",), Taint.PERSON))


LISTS = {
    "list": "nodes",
    "gaps list": "topics",
    "gaps topics": "topics",
    "conflict list": "conflicts",
    "observe findings": "findings",
    "orphans": "orphans",
    "freshness sources": "sources",
    "freshness sources --by-host": "hosts",
    "change list": "requests",
    "findings": "findings",
}
SCHEMAS = {"findings": "findings-list"}


def as_json(root: Path, command: str, *args: str) -> Any:
    ran = cairn(*command.split(), "--json", *args, cwd=root)
    assert ran.code == 0, ran.err
    words = command.partition(" --")[0]
    fits_schema(ran.json(), SCHEMAS.get(words, words.replace(" ", "-")))
    return ran.json()


@pytest.mark.parametrize(("command", "key"), LISTS.items())
def test_programs_get_everything_or_the_page_that_they_ask_for(root: Path, command: str, key: str) -> None:
    whole = as_json(root, command)
    total = len(whole[key])
    assert (total >= ROWS, whole["more"]) == (True, 0)
    first, last = as_json(root, command, "--limit", "25"), as_json(root, command, "--offset", "25")
    assert (len(first[key]), first["more"], last["more"]) == (25, total - 25, 0)
    assert first[key] + last[key] == whole[key]
    assert as_json(root, command, "--offset", "9999")[key] == []


@pytest.mark.parametrize(("command", "key"), LISTS.items())
def test_people_get_fifty_and_how_many_follow(root: Path, command: str, key: str) -> None:
    total = len(as_json(root, command)[key])
    notes = ["-v"] if command == "findings" else []
    first, rest = (cairn(*command.split(), *notes, *args, cwd=root) for args in ((), ("--offset", "50")))
    assert f"{total - 50} more; --offset 50 shows the next" in first.err
    assert (rest.code, "--offset" in rest.err) == (0, total > 100)
    assert first.out and rest.out and first.out != rest.out


def test_the_tail_of_the_ledger_goes_back_by_an_offset(root: Path) -> None:
    """Of as many events as it is asked for; events that are older are counted."""
    tail = ("observe ledger tail", "--type", "knowledge_gap_signal")
    whole = as_json(root, *tail, "-n", "9999")
    assert (len(whole["events"]), whole["more"]) == (3 * ROWS, 0)
    newest, older = as_json(root, *tail), as_json(root, *tail, "-n", "30", "--offset", "20")
    assert (len(newest["events"]), newest["more"], older["more"]) == (20, 160, 130)
    assert older["events"] + newest["events"] == whole["events"][-50:]
    told = cairn(*tail[0].split(), *tail[1:], "--offset", "20", cwd=root)
    assert (len(told.out.splitlines()), "140 more; --offset 40 shows the next" in told.err) == (20, True)
    refused = cairn(*tail[0].split(), "--follow", "--offset", "1", cwd=root)
    assert (refused.code, "give one of them" in refused.err) == (2, True)
