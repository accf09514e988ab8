"""Filters are checked against what there is; hits that are no longer as they were scanned are named."""

import os
from datetime import date
from pathlib import Path

import pytest

from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.search_query import Filters, parse_query
from cairn.errors import UsageError
from cairn.retrieve.find import SearchRequest, find
from cairn.retrieve.search import changed_since_scan, check_filters, check_rare_filters
from workbench import Bench


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    made = Bench(tmp_path_factory.mktemp("work"), open_memory())
    made.write(".claude/agents/a.md", "---\nname: a\ntags: [on-call]\n---\nText.\n")
    made.write("b.md", "# B\n")
    made.scan()
    return made


@pytest.mark.parametrize(
    "filters",
    [
        Filters(),
        Filters(kinds=("agent", "claude/agent"), tags=("on-call",), statuses=("alpha",)),
        Filters(types=("anything",), paths=("nowhere/",)),
    ],
)
def test_what_there_is(bench: Bench, filters: Filters) -> None:
    check_filters(bench.store, filters)


@pytest.mark.parametrize(
    ("filters", "sentence"),
    [
        (Filters(kinds=("agents",)), "there is no kind 'agents' here; did you mean 'agent'?"),
        (Filters(kinds=("zzz",)), "there is no kind 'zzz' here; there are agent, page"),
        (Filters(tags=("oncall",)), "there is no tag 'oncall' here; did you mean 'on-call'?"),
        (Filters(statuses=("stabel",)), "there is no status 'stabel' here; did you mean 'stable'?"),
    ],
)
def test_what_there_is_not(bench: Bench, filters: Filters, sentence: str) -> None:
    with pytest.raises(UsageError) as told:
        check_filters(bench.store, filters)
    assert told.value.message == sentence


@pytest.mark.parametrize(
    ("filters", "sentence"),
    [
        (Filters(types=("markdwn",)), "there is no type 'markdwn' here; did you mean 'markdown'?"),
        (
            Filters(paths=("nowhere/",)),
            "no page's path fits 'nowhere/'; `cairn list` shows the paths, from the workspace's root",
        ),
    ],
)
def test_what_no_page_could_pass_is_told_when_nothing_was_found(bench: Bench, filters: Filters, sentence: str) -> None:
    with pytest.raises(UsageError) as told:
        check_rare_filters(bench.store, filters)
    assert told.value.message == sentence


def test_no_tags_at_all(tmp_path: Path) -> None:
    bench = Bench(tmp_path, open_memory())
    bench.write("b.md", "# B\n")
    bench.scan()
    with pytest.raises(UsageError, match="there is no tag 'x' here; no page has any"):
        check_filters(bench.store, Filters(tags=("x",)))


def test_many_names_are_not_all_listed(tmp_path: Path) -> None:
    bench = Bench(tmp_path, open_memory())
    bench.write("b.md", f"---\ntags: [{', '.join(f'tag-{n:02d}' for n in range(20))}]\n---\n# B\n")
    bench.scan()
    with pytest.raises(UsageError, match=r"there are tag-00, .*tag-07 and 12 more$"):
        check_filters(bench.store, Filters(tags=("qqq",)))


def test_hits_that_changed_since_the_scan(tmp_path: Path) -> None:
    bench = Bench(tmp_path, open_memory())
    file = bench.write("b.md", "# Bees\n")
    bench.scan()
    scanned = bench.store.meta()["scanned_at_ms"]

    def changed() -> tuple[str, ...]:
        request = SearchRequest(5, date(2026, 1, 1))
        return changed_since_scan(bench.store, find(parse_query("bees"), request, index=bench.store, files=bench.files))

    os.utime(file, ns=(0, scanned * 1_000_000))
    assert changed() == ()
    os.utime(file, ns=(0, (scanned + 1) * 1_000_000))
    assert changed() == ("b.md",)
    file.unlink()
    assert changed() == ("b.md",)
