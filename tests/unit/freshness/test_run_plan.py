"""Which entries share a request, and that the same findings make the same requests."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.change import Level, Taint
from cairn.core.model.knowledge import Entry
from cairn.freshness.proposal import proposal
from cairn.freshness.run_plan import (
    FreshnessRunSummary,
    HeldBack,
    JudgedEntry,
    OpenedRequest,
    RunRemark,
    UnreadSource,
    grouped,
    requests_for,
)
from cairn.freshness.verdict_json import verdict_of
from verdicts import checked, entry_of, finding, verdict

A, B, C = "https://example.org/a", "https://example.org/b", "https://example.org/c"
DAY = "2026-03-01"


def hash_of(url: str) -> str:
    return "sha256:" + url[-1] * 64


def judged(name: str, *urls: str, outcome: str = "minor-drift", model: str = "extractive/2") -> JudgedEntry:
    """An entry that cites these, and drifts because of each of them."""
    entry: Entry = replace(entry_of(), name=name, path=f"knowledge/{name}.md")
    findings = [] if outcome == "current" else [{**finding(), "evidence_url": url} for url in urls]
    said = verdict_of(
        verdict(
            entry_name=name,
            verdict=outcome,
            audit_date=DAY,
            model=model,
            findings=findings,
            sources_checked=[checked(url) for url in urls],
        )
    )
    trusted = {url: hash_of(url) for url in urls}
    change = proposal(entry, said, name.encode(), base="b", trusted=trusted)
    return JudgedEntry(entry, said, change, frozenset(trusted.items()))


def names(groups: list[list[JudgedEntry]]) -> list[list[str]]:
    return sorted([one.entry.name for one in group] for group in groups)


@pytest.mark.parametrize(
    ("drifted", "expected"),
    [
        ({"x": [A]}, [["x"]]),
        ({"x": [A], "y": [A]}, [["x", "y"]]),
        ({"x": [A], "y": [B]}, [["x"], ["y"]]),
        ({"x": [A], "y": [B], "z": [A, B]}, [["x", "y", "z"]]),
        ({"x": [A], "y": [B], "z": [B, C], "w": [C]}, [["w", "y", "z"], ["x"]]),
        ({"x": [], "y": []}, [["x"], ["y"]]),
    ],
)
def test_the_same_change_of_the_same_source(drifted: dict[str, list[str]], expected: list[list[str]]) -> None:
    assert names(grouped([judged(name, *urls) for name, urls in drifted.items()])) == expected


def test_a_source_that_did_not_change_brings_nobody_together() -> None:
    """A model may find two entries wrong by the same old page; those are two matters."""
    pair = [judged(name, A)._replace(moved=frozenset()) for name in ("x", "y")]
    assert names(grouped(pair)) == [["x"], ["y"]]


def test_another_text_is_another_change() -> None:
    one, other = judged("x", A), judged("y", A)._replace(moved=frozenset({(A, "sha256:other")}))
    assert names(grouped([one, other])) == [["x"], ["y"]]


@given(st.lists(st.lists(st.sampled_from([A, B, C]), max_size=3, unique=True), max_size=8), st.randoms())
def test_every_entry_is_asked_for_once_whatever_the_order(urls: list[list[str]], random: Any) -> None:
    entries = [judged(f"e{number}", *some) for number, some in enumerate(urls)]
    mixed = random.sample(entries, len(entries))
    requests = requests_for(mixed, day=DAY, batched=True)
    paths = [edit.path for request in requests for edit in request.edits]
    assert sorted(paths) == sorted(one.entry.path for one in entries)
    assert requests == requests_for(entries, day=DAY, batched=True)


# --- requests ---------------------------------------------------------------------------------------------------------


def test_the_most_urgent_comes_first_and_confirmations_last() -> None:
    entries = [
        judged("a", A, outcome="current"),
        judged("b", B),
        judged("c", C, outcome="major-drift"),
        judged("d", A, outcome="current"),
    ]
    subjects = [request.subject for request in requests_for(entries, day=DAY, batched=True)]
    assert subjects[:2] == ["knowledge/c.md", "knowledge/b.md"] and subjects[2].startswith(f"confirmations of {DAY}")


def test_a_shared_request() -> None:
    [request] = requests_for([judged("x", A), judged("y", A, B)], day=DAY, batched=True)
    assert request.title == f"chore(knowledge): refresh 2 entries against {A}"
    assert request.branch == f"knowledge-freshness/example-org-a-{DAY}" and request.landing == "manual"
    assert [one["entry_name"] for one in request.evidence["verdict"]] == ["x", "y"]
    assert request.evidence["hashes"] == {A: hash_of(A), B: hash_of(B)} and request.kind == "drift"
    assert request.body.index("# x\n") < request.body.index("# y\n")


def test_other_pages_are_another_request() -> None:
    """Else a later one would take the place of the one that waits, and its pages would be lost."""
    [two] = requests_for([judged("x", A), judged("y", A)], day=DAY, batched=True)
    [three] = requests_for([judged("x", A), judged("y", A), judged("z", A)], day=DAY, batched=True)
    assert two.subject != three.subject


def test_confirmations_may_land_where_the_operator_lets_them() -> None:
    right = [judged("x", "src/net.py", outcome="current"), judged("y", A, outcome="current", model="zai/glm")]
    [together] = requests_for(right, day=DAY, batched=True)
    assert together.landing == "auto" and together.kind == "confirmations"
    assert together.taint is Taint.OUTSIDE, "the least trusted counts"
    each = requests_for(right, day=DAY, batched=False)
    assert [one.taint for one in each] == [Taint.REPOSITORY, Taint.OUTSIDE]
    assert [one.landing for one in each] == ["auto", "auto"]


# --- at the end -------------------------------------------------------------------------------------------------------


def test_what_people_read() -> None:
    summary = FreshnessRunSummary(
        False,
        entries=9,
        sources=12,
        chosen=4,
        confirmed=("a.md",),
        drifted=(RunRemark("b.md", "minor-drift"),),
        opened=(OpenedRequest("c-1", "refresh b", "drift", tuple("bcdef"), Level.BLOCK, ("block: validate: no",)),),
        held=(HeldBack("refresh g", ("g.md",), "10 are open"),),
        failed=(RunRemark("h.md", "It is gone.", "status"),),
        waiting=3,
    )
    assert list(summary.lines()) == [
        "opened c-1 (block): refresh b [b, c, d and 2 more]",
        "   block: validate: no",
        "in doubt: b.md: minor-drift",
        "held back: refresh g [g.md]: 10 are open",
        "failed (status): h.md: It is gone.",
    ]
    assert summary.totals() == (
        "12 sources looked at, 4 of 9 entries audited, 1 confirmed, 1 in doubt, 1 request opened, "
        "1 held back, 1 failed, 3 wait for the next run"
    )


def test_the_first_night_of_a_large_corpus_is_not_a_page_of_one_sentence() -> None:
    first = tuple(RunRemark(f"{number}.md", "what it says was kept") for number in range(300))
    lines = list(FreshnessRunSummary(False, entries=300, sources=300, chosen=300, baseline=first).lines())
    assert len(lines) == 21 and lines[-1] == "first look: 280 more; --json names them all"


def test_lines_name_a_host_that_fails_once_with_its_count() -> None:
    failed = tuple(
        RunRemark(f"knowledge/{n}.md", f"The source {url} could not be read: The server answers 503.", "status", url)
        for n, url in enumerate([A, B, C, C, C])
    )
    gone = (RunRemark("knowledge/9.md", f"The source {A} could not be read: The server answers 404.", "status", A),)
    unread = tuple(
        UnreadSource(url, "status", "The server answers 503.", (f"knowledge/{url[-1]}.md",)) for url in (A, B, C)
    )
    lines = list(FreshnessRunSummary(False, 9, 4, 6, failed=(*failed, *gone), unread=unread).lines())
    assert [line.partition("[")[0].strip() for line in lines if line.startswith(("failed", "not read"))] == [
        "failed (status): example.org, 3 sources of 5 entries",
        f"failed (status): knowledge/9.md: The source {A} could not be read: The server answers 404.",
        "not read (status): example.org, 3 sources of 3 entries",
    ]
