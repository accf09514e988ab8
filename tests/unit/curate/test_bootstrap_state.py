"""The state of a bootstrap: in the original's shape, and lines that a death may cut short."""

import json

import pytest

from cairn.curate.bootstrap_state import BootstrapState, Derived, derived_line, read_derived, read_state, state_text
from cairn.curate.choice import left_alone
from cairn.curate.documents import derive

OLD = {
    "schema_version": 1,
    "last_full_bootstrap_at": "2026-01-01T00:00:00Z",
    "docs": {"docs/a.md": {"content_sha256": "sha256:aa", "last_processed_at": "t0", "produced_nodes": ["map/x.md"]}},
}


def test_what_another_program_wrote_is_kept() -> None:
    state = read_state(json.dumps(OLD))
    assert state is not None and state.knows("docs/a.md", "aa") and not state.knows("docs/b.md", "aa")
    value = json.loads(state_text(state))
    assert value["schema_version"] == 1 and value["docs"]["docs/a.md"]["produced_nodes"] == ["map/x.md"]
    assert "last_incremental_at" not in value and state_text(state).endswith("}\n")


def test_a_hit_keeps_its_time_and_a_miss_gets_a_new_one() -> None:
    state = BootstrapState().processed("a.md", "1", at="t1", nodes=["practice/x.md"])
    same = state.processed("a.md", "1", at="t2", nodes=["practice/x.md"])
    other = same.processed("a.md", "2", at="t3", nodes=["map/y.md"])
    assert same.docs["a.md"].last_processed_at == "t1"
    assert other.docs["a.md"][:3] == ("2", "t3", ("practice/x.md", "map/y.md"))


@pytest.mark.parametrize("text", ["", "{", "[]", '{"docs": []}', "nul", "[" * 100_000])
def test_what_is_no_state_counts_as_missing(text: str) -> None:
    assert read_state(text) is None


def test_lines_are_read_as_they_were_and_a_torn_one_is_none() -> None:
    found = derive("# One queue\n\nWe keep one queue.\n", path="adr/1-one-queue.md")
    assert found
    line = derived_line(Derived("a.md", "1", "rules", found, ("a remark",)))
    assert read_derived(line + line[:40] + "\n{}\n[]\n") == {
        "a.md": Derived("a.md", "1", "rules", found, ("a remark",))
    }


ALONE = {
    "LICENSE.md": "licence",
    "LICENSE-MIT.md": "licence",
    "docs/changelog.md": "history",
    "CHANGES.md": "history",
    "AUTHORS.md": "people",
    "CODE_OF_CONDUCT.md": "people",
    ".github/ISSUE_TEMPLATE/bug.md": "tests",
    ".github/PULL_REQUEST_TEMPLATE.md": "form",
    "kb/INDEX.md": "program",
    "CLAUDE.md": "cairn import memory",
    ".claude/commands/go.md": "cairn import memory",
    "skills/go/SKILL.md": "cairn import memory",
    "vendor/x/README.md": "somebody else's",
    "docs/AGENT.md": "cairn import memory",
    "docs/adr/template.md": "form",
    "tests/pages/leave.md": "tried or shown",
    "bench/retrieval/pages/data/backups.md": "tried or shown",
    "src/app/demo/sample/docs/adr/0001-use-yeast.md": "tried or shown",
    "Examples/chat/README.md": "tried or shown",
    "tests/unit/README.md": "tried or shown",
}


@pytest.mark.parametrize(("path", "words"), ALONE.items())
def test_files_that_are_left_alone(path: str, words: str) -> None:
    assert words in left_alone(path)


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "docs/index.md",
        "docs/history-service.md",
        "docs/adr/0001-notice-board.md",
        "tests/README.md",
        "docs/tests/naming.md",
        "docs/examples.md",
        "benchmarks/README.md",
        "docs/agents.md",
        "docs/memory.md",
        "src/templating/README.md",
    ],
)
def test_files_that_are_read(path: str) -> None:
    assert left_alone(path) == ""


def test_a_folder_that_is_named_is_wanted_whatever_it_is_called() -> None:
    assert left_alone("bench/pages/a.md", below="bench/pages") == ""
    assert left_alone("bench/pages/vendor/a.md", below="bench/pages") != ""
