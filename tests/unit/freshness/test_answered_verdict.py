"""What a reader's answer makes of the comparison."""

from typing import Any

import pytest

from cairn.core.model.verdict import EDITION_UPGRADE, FACTUAL_ERROR, REMOVED, Verdict, VerdictFinding, VerdictOutcome
from cairn.freshness.answered_verdict import SourceNow, verdict_from, with_frontier_answer
from verdicts import GUIDE, PAGE, SPEC, entry_of

OLD, NEW = "Clients may call 100 times a minute.", "Clients may call 60 times a minute."
SOURCES = [SourceNow(GUIDE, f"# Guide\n\n{NEW} The 2026 edition is out."), SourceNow(SPEC, "Be polite.")]
LOST = VerdictFinding(OLD, GUIDE, "2026-03-01", NEW, "P2", FACTUAL_ERROR, OLD)
PIN = VerdictFinding("version-pin: 2024", GUIDE, "2026-03-01", "2026", "P2", FACTUAL_ERROR, "2024")
ENTRY = entry_of(PAGE)


def compared(*findings: VerdictFinding) -> Verdict:
    return Verdict("rate-limits", "2026-03-01", "extractive/2", VerdictOutcome.MINOR_DRIFT, (), findings)


def item(new: str | None = NEW, quote: str = NEW, *, now: bool = True, source: int = 1) -> dict[str, Any]:
    return {"sentence": OLD, "new_sentence": new, "quote": quote, "now": now, "source": source}


def made(verdict: str, *drifted: dict[str, Any], found: Verdict | None = None, **more: Any) -> Verdict:
    answer = {"verdict": verdict, "reason": "So it is.", "drifted": drifted, "superseded_by": None, "unanswered": []}
    return verdict_from(answer | more, ENTRY, SOURCES, found or compared(LOST), model="cli/m")


def test_a_new_sentence_is_major_drift_with_its_change() -> None:
    verdict = made("drifted", item())
    [finding], [change] = verdict.findings, verdict.proposed_changes
    assert verdict.outcome is VerdictOutcome.MAJOR_DRIFT and verdict.model == "cli/m"
    assert (finding.source_excerpt, finding.previous_excerpt) == (NEW, OLD), "the comparison knows the earlier text"
    assert (change.location, change.new_text) == (OLD, NEW)


def test_without_a_new_sentence_it_is_minor_drift() -> None:
    verdict = made("drifted", item(None))
    assert verdict.outcome is VerdictOutcome.MINOR_DRIFT and verdict.proposed_changes == ()


def test_what_is_gone_has_only_an_earlier_excerpt() -> None:
    [finding] = made("drifted", item(None, "Wait a second.", now=False)).findings
    assert (finding.drift_kind, finding.source_excerpt, finding.previous_excerpt) == (REMOVED, "", "Wait a second.")


@pytest.mark.parametrize(
    "wrong", [item(quote="Nowhere to be found."), item(quote=NEW, now=False), item(quote=NEW, source=2)]
)
def test_a_quote_that_the_whole_source_does_not_prove_leaves_the_comparison(wrong: dict[str, Any]) -> None:
    """A reader sees only passages that differ; the same words may stand elsewhere."""
    verdict = made("drifted", wrong)
    assert verdict.findings == (LOST,) and verdict.model == "extractive/2"
    assert "not proven by the source" in verdict.preserve_warnings[0]


def test_current_drops_what_the_comparison_found_but_not_a_pin_that_is_gone() -> None:
    assert made("current").outcome is VerdictOutcome.CURRENT
    verdict = made("current", found=compared(LOST, PIN))
    assert verdict.findings == (PIN,) and verdict.outcome is VerdictOutcome.MINOR_DRIFT


def test_what_the_answer_leaves_open_stays_a_finding() -> None:
    verdict = made("drifted", item(None), unanswered=[OLD])
    assert LOST in verdict.findings


def test_superseded_names_the_edition_and_moves_the_pin_only_with_its_sentences() -> None:
    newer = {"edition": "2026", "quote": "The 2026 edition is out.", "source": 1, "now": True}
    alone = made("superseded", superseded_by=newer, found=compared(PIN))
    assert alone.outcome is VerdictOutcome.SUPERSEDED and alone.proposed_version_pin is None
    assert [one.drift_kind for one in alone.findings] == [EDITION_UPGRADE]
    assert made("superseded", item(), superseded_by=newer).outcome is VerdictOutcome.SUPERSEDED


def test_unverifiable_asserts_nothing() -> None:
    verdict = made("unverifiable")
    assert verdict.source_unverifiable and not verdict.findings and verdict.preserve_warnings == ("So it is.",)


def test_a_heading_is_replaced_by_its_words() -> None:
    heading = {**item(), "sentence": "## Limit of 100", "new_sentence": "## Limit of 60"}
    [change] = made("drifted", heading).proposed_changes
    assert (change.location, change.new_text) == ("Limit of 100", "Limit of 60")


@pytest.mark.parametrize(
    ("answer", "outcome"), [("newer", "superseded"), ("ended", "superseded"), ("nothing-newer", "current")]
)
def test_an_answer_about_editions(answer: str, outcome: str) -> None:
    current = compared()._replace(outcome=VerdictOutcome.CURRENT)
    verdict = with_frontier_answer(current, ENTRY, {"answer": answer, "quote": "It is out."}, GUIDE, model="cli/m")
    assert verdict.outcome == outcome and len(verdict.findings) == (outcome == "superseded")


def test_passages_that_wait_come_before_editions() -> None:
    waits = compared(LOST)._replace(source_unverifiable=True)
    assert with_frontier_answer(waits, ENTRY, {"answer": "newer", "quote": "x"}, GUIDE, model="m") is waits
