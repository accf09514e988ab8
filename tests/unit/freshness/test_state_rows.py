"""Rows as files and back, and that whoever merges gets the same."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.ports.sources import AttemptRow, AuditRow, SourceRow, SourceTextRow, UrlCheckRow
from cairn.errors import Refused
from cairn.freshness.state_rows import (
    NOTHING,
    SourceState,
    StateNeeds,
    files_of,
    key_of,
    known,
    known_in,
    merged,
    path_of,
    worth_taking,
)

KEY = "sha256:" + "ab" * 32
SOURCE = SourceRow("https://a.example/", "#x", 1, "sha256:h", "sha256:r", KEY, '"e"', "Mon", 10, 5, looks=3)
TEXT = SourceTextRow("https://a.example/", "#x", 1, "sha256:h", "sha256:r", KEY, 10)
LINK = UrlCheckRow("https://a.example/", True, 200, None, None, 7, 0)
ATTEMPT = AttemptRow("knowledge/ä.md", 2, "timeout", "It took too long.", 8, 90)
AUDIT = AuditRow("k1", "knowledge/a.md", "2026-03-01", 9, "{}")
FULL = known(sources=[SOURCE], texts=[TEXT], links=[LINK], attempts=[ATTEMPT], audits=[AUDIT])

few = st.integers(0, 3)
urls = st.sampled_from(["https://a.example/", "https://b.example/"])
words = st.sampled_from(["", "one", "two"])
sources = st.builds(
    lambda url, anchor, seen, looks: SourceRow(url, anchor, seen_at_ms=seen, looks=looks), urls, words, few, few
)
states = st.builds(
    known,
    sources=st.lists(sources, max_size=3),
    texts=st.lists(st.builds(SourceTextRow, urls, words, few, words, words, st.just(KEY), few), max_size=3),
    links=st.lists(st.builds(UrlCheckRow, urls, st.booleans(), st.none(), words, words, few, few), max_size=3),
    attempts=st.lists(st.builds(AttemptRow, words, few, words, words, few, few), max_size=3),
    audits=st.lists(st.builds(AuditRow, words, words, words, few, words), max_size=3),
)


@given(states)
def test_what_is_written_is_read_again(state: SourceState) -> None:
    assert known_in(files_of(state)) == state


def test_files_are_sorted_lines_and_only_of_what_there_is() -> None:
    more = known(sources=[SOURCE._replace(url="https://b.example/"), SOURCE])
    files = files_of(more)
    assert list(files) == ["format.json", "sources.jsonl"]
    assert [json.loads(line)["url"] for line in files["sources.jsonl"].splitlines()] == [
        "https://a.example/",
        "https://b.example/",
    ]
    assert FULL.snapshots == {KEY} and NOTHING.empty and FULL.counts["attempts"] == 1


# --- merging --------------------------------------------------------------------------------------------------------


@given(states, states, states)
def test_the_two_sides_may_be_swapped(base: SourceState, ours: SourceState, theirs: SourceState) -> None:
    assert merged(base, ours, theirs) == merged(base, theirs, ours)


@given(states, states, states)
def test_of_three_it_does_not_matter_who_comes_first(one: SourceState, two: SourceState, three: SourceState) -> None:
    left = merged(NOTHING, merged(NOTHING, one, two), three)
    assert left == merged(NOTHING, one, merged(NOTHING, two, three))


@given(states, states)
def test_doing_it_twice_is_doing_it_once(ours: SourceState, theirs: SourceState) -> None:
    once = merged(NOTHING, ours, theirs)
    assert merged(NOTHING, once, theirs) == merged(NOTHING, ours, once) == once
    assert merged(NOTHING, ours, ours) == ours and merged(ours, ours, ours) == ours


@given(states, states, states)
def test_nothing_is_made_up_and_nothing_older_wins(base: SourceState, ours: SourceState, theirs: SourceState) -> None:
    for about, row in merged(base, ours, theirs).links.items():
        both = [one.links[about] for one in (ours, theirs) if about in one.links]
        assert row in both and row.checked_at_ms == max(one.checked_at_ms for one in both)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "left"),
    [
        ([ATTEMPT], [], [ATTEMPT], []),
        ([ATTEMPT], [], [ATTEMPT._replace(at_ms=99)], [ATTEMPT._replace(at_ms=99)]),
        ([], [], [ATTEMPT], [ATTEMPT]),
        ([ATTEMPT], [ATTEMPT], [ATTEMPT], [ATTEMPT]),
        ([ATTEMPT], [], [], []),
    ],
    ids=["it worked here since", "it failed there again", "never known here", "nothing happened", "it worked twice"],
)
def test_what_one_side_dropped(base: list[Any], ours: list[Any], theirs: list[Any], left: list[Any]) -> None:
    wanted = known(attempts=left)
    assert merged(known(attempts=base), known(attempts=ours), known(attempts=theirs)) == wanted


def test_what_nobody_cites_and_what_is_of_yesterday_stays_behind() -> None:
    gone = SOURCE._replace(url="https://gone.example/")
    texts = [TEXT._replace(hash=f"sha256:{number}", seen_at_ms=number) for number in range(5)]
    yesterday = AUDIT._replace(key="k0", day="2026-02-28")
    state = known(sources=[SOURCE, gone], texts=texts, attempts=[ATTEMPT], audits=[AUDIT, yesterday])
    needs = StateNeeds(frozenset({("https://a.example/", "#x")}), frozenset({"sha256:0"}), 11, "2026-03-01")
    left = worth_taking(state, needs)
    assert [row.url for row in left.sources.values()] == ["https://a.example/"]
    assert [row.hash for row in left.texts.values()] == ["sha256:0", "sha256:3", "sha256:4"]
    assert list(left.audits.values()) == [AUDIT] and list(left.attempts.values()) == [ATTEMPT]
    assert len(worth_taking(state, needs._replace(since_ms=0)).sources) == 2
    assert worth_taking(left, needs) == left


# --- what is not as it should be ------------------------------------------------------------------------------------


def changed(table: str, **fields: Any) -> dict[str, bytes]:
    files = files_of(FULL)
    value = json.loads(files[table]) | fields
    return files | {table: json.dumps(value).encode()}


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "does not say which format"),
        ({"format.json": b"[]"}, "does not say which format"),
        ({"format.json": b'{"format": true}'}, "does not say which format"),
        ({"format.json": b'{"format": 2}'}, "newer Cairn"),
        ({"format.json": b"[" * 100_000}, "does not say which format"),
        (files_of(FULL) | {"run.sh": b"rm"}, "`run.sh`"),
        (files_of(FULL) | {"links.jsonl": b"{}\n{"}, "`links.jsonl`, line 1, has other fields"),
        (files_of(FULL) | {"links.jsonl": b"nonsense"}, "`links.jsonl`, line 1, is no JSON"),
        (files_of(FULL) | {"links.jsonl": b"x" * (64 * 1024 * 1024 + 1)}, "67,108,865 bytes"),
        (changed("sources.jsonl", looks="3"), '`looks` cannot be "3"'),
        (changed("sources.jsonl", looks=-1), "`looks` cannot be -1"),
        (changed("sources.jsonl", looks=2**70), "`looks` cannot be"),
        (changed("sources.jsonl", looks=True), "`looks` cannot be true"),
        (changed("sources.jsonl", url=None), "`url` cannot be null"),
        (changed("sources.jsonl", reason="a\0b"), "`reason` cannot be"),
        (changed("sources.jsonl", reason="\ud800"), "`reason` cannot be"),
        (changed("sources.jsonl", snapshot="../../etc/passwd"), "`snapshot` is no key"),
        (changed("texts.jsonl", snapshot="sha256:12"), "`snapshot` is no key"),
        (changed("links.jsonl", ok=1), "`ok` cannot be 1"),
        (changed("attempts.jsonl", more=1), "has other fields"),
    ],
)
def test_damage_is_named_and_nothing_is_used(files: dict[str, bytes], says: str) -> None:
    with pytest.raises(Refused, match=says.replace("[", r"\[")):
        known_in(files)


@pytest.mark.parametrize("path", ["ab", "../x", "ab/" + "c" * 61, "AB/" + "c" * 62, "ab/" + "c" * 62 + "\n", ""])
def test_only_our_own_names_are_snapshots(path: str) -> None:
    assert key_of(path) is None
    assert key_of(path_of(KEY)) == KEY
