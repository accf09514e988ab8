"""Sources that lead nowhere, by what is known of them."""

import pytest

from cairn.changes.gate import LinkResult
from cairn.core.model.change import Level
from cairn.freshness.gates.source_gates import DAY_MS, LinkCheck
from judging import PATH, judge, page

URL = "https://docs.bakery.net/limits"
NOW = 10 * DAY_MS


def known(ok: bool, age: int = 0) -> dict[str, LinkResult]:
    return {URL: LinkResult(URL, ok, "" if ok else "It returned HTTP 404.", NOW - age)}


@pytest.mark.parametrize(
    ("recent", "level", "said"),
    [
        (known(True), Level.PASS, "Every source answers."),
        (known(False), Level.BLOCK, f"The source {URL} of {PATH} does not answer"),
        (known(True, DAY_MS), Level.PASS, "Every source"),
        (known(True, DAY_MS + 1), Level.NOTE, "The source was not checked within a day"),
        (known(False, DAY_MS + 1), Level.NOTE, "not checked"),
        ({}, Level.NOTE, "not checked"),
    ],
)
def test_what_is_known_from_the_last_day_counts(recent: dict[str, LinkResult], level: Level, said: str) -> None:
    ruling = judge(LinkCheck(), {}, {PATH: page("Text.\n", sources=(URL,))}, recent=recent, now_ms=NOW)
    assert ruling.level is level
    assert said in ruling.reason


def test_one_dead_source_is_worse_than_one_that_nobody_checked() -> None:
    after = {PATH: page("Text.\n", sources=("https://other.net/a", URL))}
    ruling = judge(LinkCheck(), {}, after, recent=known(False), now_ms=NOW)
    assert [fact["url"] for fact in ruling.evidence] == [URL]
    assert ruling.evidence[0]["reason"] == "It returned HTTP 404."


def test_an_anchor_does_not_matter_and_a_place_in_the_repository_is_no_link() -> None:
    text = page("Text.\n", sources=("src/a.py",)).replace("  - path", f"  - url: {URL}\n    anchor: '#a'\n  - path")
    assert judge(LinkCheck(), {}, {PATH: text}, recent=known(True), now_ms=NOW).level is Level.PASS


def test_what_the_settings_of_the_base_pass_over_is_passed_over() -> None:
    after = {PATH: page("Text.\n", sources=(URL,))}
    for skip, level in ((["bakery.net"], Level.PASS), ([URL], Level.PASS), (["kery.net"], Level.BLOCK)):
        settings = {"freshness.link_check.skip": skip}
        assert judge(LinkCheck(), {}, after, recent=known(False), now_ms=NOW, settings=settings).level is level


def test_without_sources_there_is_nothing_to_say() -> None:
    assert judge(LinkCheck(), {PATH: page("a\n", sources=(URL,))}, {}).level is Level.PASS
    assert judge(LinkCheck(), {}, {PATH: page("a\n")}).level is Level.PASS
