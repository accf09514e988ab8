"""Quotes of a verdict, held against the texts that were kept."""

from typing import Any

import pytest

from cairn.core.model.change import Level
from cairn.core.model.verdict import CheckedSource, Verdict, VerdictFinding, VerdictOutcome
from cairn.freshness.gates.source_gates import EvidenceGate, UnsourcedGate
from cairn.freshness.verdict_json import verdict_json
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
        EvidenceGate(),
        {},
        {PATH: page("a\n")},
        evidence={"verdict": evidence},
        source_text=kept,
        shown_text=lambda _: MENU,
    )
    assert ruling.level is level


def test_a_place_in_the_repository_is_read_as_it_is_at_the_base() -> None:
    evidence = {"verdict": verdict("LIMIT_A_MINUTE = 60", "src/limits.py#LIMIT", "src/limits.py#LIMIT")}
    before = {"src/limits.py": "LIMIT_A_MINUTE = 60\n"}
    assert judge(EvidenceGate(), before, {**before, PATH: "x"}, evidence=evidence).level is Level.PASS
    before = {"src/limits.py": "LIMIT_A_MINUTE = 10\n"}
    assert judge(EvidenceGate(), before, {**before, PATH: "x"}, evidence=evidence).level is Level.BLOCK


def test_without_a_verdict_there_is_nothing_to_check() -> None:
    assert judge(EvidenceGate(), {}, {PATH: page("a\n")}).level is Level.PASS


WEB = ("https://docs.bakery.net/limits",)
PLACE = ("src/limits.py",)


@pytest.mark.parametrize(
    ("added", "sources", "level"),
    [
        ("Clients must retry.", (), Level.WARN),
        ("Clients must retry.", WEB, Level.WARN),
        ("Clients MUST retry ([docs](https://docs.bakery.net/retry)).", WEB, Level.PASS),
        ("Never retry, see <https://eu.docs.bakery.net/x>.", WEB, Level.PASS),
        ("Never retry, see [x](https://www.docs.bakery.net).", WEB, Level.PASS),
        ("Never retry, see [x](https://bakery.net).", WEB, Level.WARN),
        ("Never retry, see [x](https://evildocs.bakery.net).", WEB, Level.WARN),
        ("Always wait.\n\na\nb [x](https://docs.bakery.net)", WEB, Level.PASS),
        ("Always wait.\n\na\nb\nc [x](https://docs.bakery.net)", WEB, Level.WARN),
        ("```\nyou must not\n```", WEB, Level.PASS),
        ("Set `never` to true.", WEB, Level.PASS),
        ("Mustard and shoulders.", WEB, Level.PASS),
        ("Retries should stop, as `src/limits.py` has it.", PLACE, Level.PASS),
        ("Retries should stop, as limits.py has it.", PLACE, Level.PASS),
        ("Retries should stop.", PLACE, Level.WARN),
    ],
)
def test_a_rule_needs_a_link_to_its_source_nearby(added: str, sources: tuple[str, ...], level: Level) -> None:
    before = page("Text.\n\n\n\n\n", sources=sources)
    after = page(f"Text.\n\n\n\n\n{added}\n", sources=sources)
    assert judge(UnsourcedGate(), {PATH: before}, {PATH: after}).level is level


def test_it_names_the_line_of_the_file_and_why() -> None:
    before = page("Text.\n")
    after = page("Text.\nYou must.\nYou should.\n")
    ruling = judge(UnsourcedGate(), {PATH: before}, {PATH: after})
    line = after.split("You must")[0].count("\n") + 1
    assert [fact["line"] for fact in ruling.evidence] == [line, line + 1]
    assert ruling.evidence[0]["reason"] == "the entry declares no sources"
    asked = "Which source backs this line? It says `must`, and the entry declares no sources."
    assert ruling.evidence[0]["message"] == asked
    assert ruling.reason == f"{PATH} line {line}: {asked} (and 1 more)"


def test_what_was_there_before_and_what_stands_in_the_frontmatter_is_left_alone() -> None:
    before = page("You must.\n")
    assert judge(UnsourcedGate(), {PATH: before}, {PATH: page("You must.\nMore.\n")}).level is Level.PASS
    assert judge(UnsourcedGate(), {PATH: before}, {PATH: page("You must.\n", topics="[always]")}).level is Level.PASS


def test_house_rules_have_no_source_on_the_web() -> None:
    after = page("Always ask.\n", name="ask")
    assert judge(UnsourcedGate(), {}, {"knowledge/practice/ask.md": after}).level is Level.PASS
