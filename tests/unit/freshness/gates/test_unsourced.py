"""Rules that a change adds, and what backs them."""

import pytest

from cairn.core.model.change import Level
from cairn.freshness.gates.unsourced import Unsourced
from judging import PATH, judge, page

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
    assert judge(Unsourced(), {PATH: before}, {PATH: after}).level is level


def test_it_names_the_line_of_the_file_and_why() -> None:
    before = page("Text.\n")
    after = page("Text.\nYou must.\nYou should.\n")
    ruling = judge(Unsourced(), {PATH: before}, {PATH: after})
    line = after.split("You must")[0].count("\n") + 1
    assert [fact["line"] for fact in ruling.evidence] == [line, line + 1]
    assert ruling.evidence[0]["reason"] == "the entry declares no sources"
    asked = "Which source backs this line? It says `must`, and the entry declares no sources."
    assert ruling.evidence[0]["message"] == asked
    assert ruling.reason == f"{PATH} line {line}: {asked} (and 1 more)"


def test_what_was_there_before_and_what_stands_in_the_frontmatter_is_left_alone() -> None:
    before = page("You must.\n")
    assert judge(Unsourced(), {PATH: before}, {PATH: page("You must.\nMore.\n")}).level is Level.PASS
    assert judge(Unsourced(), {PATH: before}, {PATH: page("You must.\n", topics="[always]")}).level is Level.PASS


def test_house_rules_have_no_source_on_the_web() -> None:
    after = page("Always ask.\n", name="ask")
    assert judge(Unsourced(), {}, {"knowledge/practice/ask.md": after}).level is Level.PASS
