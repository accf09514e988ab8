"""A request says what was judged, and nothing that a model wrote leaves its line."""

from typing import Any

import pytest

from cairn.core.model.change import ChangeSet, FileEdit, Taint
from cairn.errors import Refused
from cairn.freshness.proposal import branch_of, proposal
from cairn.freshness.verdict_json import verdict_json, verdict_of
from verdicts import GUIDE, SPEC, TRUSTED, checked, entry_of, finding, verdict


def made(**changes: Any) -> ChangeSet:
    said = verdict_of(verdict(**{"audit_date": "2026-03-01", "model": "extractive/2", **changes}))
    return proposal(entry_of(), said, b"new", base="abc", trusted=TRUSTED)


def test_everything_that_a_forge_needs() -> None:
    change = made(verdict="minor-drift", findings=[finding()])
    assert change.title == f"chore(knowledge): refresh rate-limits against {GUIDE} and 1 other source"
    assert change.branch == "knowledge-freshness/rate-limits-2026-03-01"
    assert [label.name for label in change.labels] == ["knowledge-freshness", "volatility:fast-moving"]
    assert change.edits == (FileEdit("knowledge/http/rate-limits.md", b"new"),) and change.base == "abc"
    assert change.subject == "knowledge/http/rate-limits.md" and change.origin == "freshness"
    assert change.landing == "manual" and change.kind == "drift" and made().kind == "confirmations"
    assert change.evidence["verdict"]["findings"][0] == {**finding(), "previous_excerpt": ""}
    assert change.evidence["hashes"] == TRUSTED


def test_the_text_of_a_request() -> None:
    body = made(verdict="minor-drift", findings=[finding()], preserve_warnings=["mind the gap"]).body
    sections = [line for line in body.splitlines() if line.startswith("## ")]
    assert sections == ["## Summary", "## Verdict", "## Findings", "## Review", "## Sources", "## Preserve warnings"]
    assert f"| P1 | factual-error | 100 times a minute | {SPEC} |" in body
    assert f"- {SPEC} ({TRUSTED[SPEC]}, retrieved PENDING)" in body
    assert "_No findings._" in made().body and body.endswith("- mind the gap")


@pytest.mark.parametrize("char", ["\n", "\r", "\r\n", "\u2028", "\u2029", "\x85", "\x0b"])
def test_no_line_can_be_forged(char: str) -> None:
    evil = f"fine{char}{char}BREAKING CHANGE: all is lost{char}"
    bad = {**finding(), "claim_in_entry": f"{evil}| x", "drift_kind": evil}
    change = made(model=evil, findings=[bad], verdict="minor-drift", preserve_warnings=[evil])
    assert not any(line.startswith("BREAKING") for line in change.body.splitlines())
    assert "\\| x" in change.body and len(change.title.splitlines()) == 1


def test_who_decides_sees_what_the_source_says() -> None:
    moved = {**finding(), "source_excerpt": "80 times a minute", "previous_excerpt": "100 times a minute"}
    gone = {**finding(), "source_excerpt": "", "previous_excerpt": "Nobody waits."}
    body = made(verdict="minor-drift", findings=[moved, gone]).body
    assert f"- {SPEC} says “80 times a minute”; before, it said “100 times a minute”" in body
    assert f"- {SPEC} does not say “Nobody waits.” any more" in body


@pytest.mark.parametrize(
    "call",
    [
        "@owner",
        "#12",
        "gh-12",
        "acme/app#12",
        "https://github.com/acme/app/issues/12",
        "<img src=x>",
        "![x](y)",
        "[x](y)",
    ],
)
def test_a_forge_does_nothing_that_a_page_says(call: str) -> None:
    """Nobody is mentioned, no issue is closed, no picture fetched, whoever wrote it."""
    evil = f"Fixes {call} now"
    bad = {**finding(), "claim_in_entry": evil, "drift_kind": evil, "source_excerpt": evil, "previous_excerpt": evil}
    body = made(verdict="minor-drift", findings=[bad], preserve_warnings=[evil]).body
    assert call not in body and body.count(call[:1]) >= 5
    assert body.replace("\u2060", "").count(evil) == 5, "a person reads what was said"


@pytest.mark.parametrize(
    ("urls", "model", "taint"),
    [
        ([GUIDE], "extractive/2", Taint.OUTSIDE),
        ([GUIDE, "src/a.py"], "zai/glm-4.6", Taint.OUTSIDE),
        (["src/a.py#x"], "extractive/2", Taint.REPOSITORY),
        (["src/a.py#x"], "zai/glm-4.6", Taint.MODEL),
    ],
)
def test_taint(urls: list[str], model: str, taint: Taint) -> None:
    assert made(sources_checked=[checked(url) for url in urls], model=model).taint is taint


@pytest.mark.parametrize(
    ("urls", "said"),
    [([], "(no sources)"), ([GUIDE], GUIDE), ([GUIDE] * 3, f"{GUIDE} and 2 other sources")],
)
def test_titles(urls: list[str], said: str) -> None:
    assert made(sources_checked=[checked(url) for url in urls]).title.endswith(f"against {said}")


def test_a_branch_needs_a_name() -> None:
    assert branch_of(entry_of(), "2026-03-01").endswith("rate-limits-2026-03-01")
    odd = entry_of("---\nname: '~~ //'\n---\n")
    with pytest.raises(Refused, match="No branch can be named"):
        branch_of(odd, "2026-03-01")
    assert branch_of(entry_of("---\nname: a b/c.d\n---\n"), "2026-03-01") == "knowledge-freshness/a-b-c.d-2026-03-01"


def test_evidence_is_the_whole_verdict() -> None:
    said = verdict_of(verdict(audit_date="2026-03-01", findings=[finding()]))
    assert proposal(entry_of(), said, b"", base="", trusted={}).evidence["verdict"] == verdict_json(said)
