"""Quotes of a verdict, held against the texts that were kept."""

from typing import Any

import pytest

from cairn.core.model.change import Level
from cairn.core.model.verdict import CheckedSource, Verdict, VerdictFinding, VerdictOutcome
from cairn.freshness.gates.evidence import Evidence
from cairn.freshness.verdict_wire import verdict_json
from judging import PATH, judge, page

URL = "https://docs.bakery.net/limits"
HASH = "sha256:" + "a" * 64
TEXT = "Clients may send sixty requests a minute. After that they are asked to wait."


MENU = "3.14 https://docs.bakery.net/3.14/limits"


def verdict(
    quote: str, url: str = URL, checked: str = URL, before: str = "", kind: str = "factual-error"
) -> dict[str, Any]:
    finding = VerdictFinding("Clients may send 10.", url, "2026-01-01", quote, "P1", kind, before)
    looked = CheckedSource(checked, "2026-01-02", HASH, "limits")
    return verdict_json(
        Verdict("limits", "2026-01-02", "extractive/2", VerdictOutcome.MINOR_DRIFT, (looked,), (finding,))
    )


def kept(reference: str, hash: str) -> str | None:
    return TEXT if (reference, hash) == (URL, HASH) else None


@pytest.mark.parametrize(
    ("evidence", "level"),
    [
        (verdict("sixty requests a minute"), Level.PASS),
        (verdict("sixty   requests\na minute"), Level.PASS),
        (verdict("sixty requests an hour"), Level.BLOCK),
        (verdict("sixty requests a minute", f"{URL}#rates"), Level.PASS),
        (verdict("sixty requests a minute", "https://other.net/x"), Level.BLOCK),
        (verdict("sixty requests a minute", f"{URL}#rates", f"{URL}#rates"), Level.NOTE),
        ([verdict("sixty requests a minute"), verdict("made up by a model")], Level.BLOCK),
        ({"verdict": "current"}, Level.BLOCK),
        (verdict("", before="Clients may send ten requests"), Level.PASS),
        (verdict("", before="Clients may send sixty requests"), Level.BLOCK),
        (verdict("", before="Clients may send sixty requests", kind="to-be-read"), Level.PASS),
        (verdict(MENU), Level.BLOCK),
        (verdict(MENU, kind="to-be-read"), Level.PASS),
        (verdict(MENU, kind="edition-upgrade"), Level.PASS),
        (verdict("3.15 https://docs.bakery.net/3.15/limits", kind="to-be-read"), Level.BLOCK),
        (verdict(""), Level.BLOCK),
        (verdict("made up by a model", before="Clients may send ten requests"), Level.BLOCK),
    ],
)
def test_every_quote_has_to_be_in_its_source(evidence: Any, level: Level) -> None:
    ruling = judge(
        Evidence(), {}, {PATH: page("a\n")}, evidence={"verdict": evidence}, source_text=kept, shown_text=lambda _: MENU
    )
    assert ruling.level is level


def test_a_place_in_the_repository_is_read_as_it_is_at_the_base() -> None:
    evidence = {"verdict": verdict("LIMIT_A_MINUTE = 60", "src/limits.py#LIMIT", "src/limits.py#LIMIT")}
    before = {"src/limits.py": "LIMIT_A_MINUTE = 60\n"}
    assert judge(Evidence(), before, {**before, PATH: "x"}, evidence=evidence).level is Level.PASS
    before = {"src/limits.py": "LIMIT_A_MINUTE = 10\n"}
    assert judge(Evidence(), before, {**before, PATH: "x"}, evidence=evidence).level is Level.BLOCK


def test_without_a_verdict_there_is_nothing_to_check() -> None:
    assert judge(Evidence(), {}, {PATH: page("a\n")}).level is Level.PASS
