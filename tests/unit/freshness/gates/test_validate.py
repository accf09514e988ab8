"""The whole corpus as it would be."""

from cairn.core.model.change import Level
from cairn.freshness.gates.validate import Validate
from cairn.knowledge.base import ALLOWLIST
from judging import PATH, judge, page

GOOD = page("## Deep Guidance\n")
OTHER = "knowledge/api/keys.md"
LISTED = "hosts:\n  - docs.bakery.net\n"


def test_a_change_after_which_all_is_well() -> None:
    assert judge(Validate(), {PATH: "broken"}, {PATH: GOOD}).level is Level.PASS


def test_an_error_blocks_and_is_named_with_its_line() -> None:
    ruling = judge(Validate(), {}, {PATH: page("## Deep Guidance\n", last_reviewed="2026-02-30")})
    assert ruling.level is Level.BLOCK
    assert ruling.reason.startswith(f"1 error; {PATH} line 4: `last-reviewed`")
    assert ruling.evidence[0]["rule"] == "entry-invalid"


def test_an_error_elsewhere_is_named_and_blocks_nothing() -> None:
    before = {OTHER: "no frontmatter"}
    ruling = judge(Validate(), before, {**before, PATH: GOOD})
    assert ruling.level is Level.WARN
    assert "1 of them in pages that it does not touch" in ruling.reason


def test_a_name_that_another_page_has_blocks() -> None:
    before = {PATH: GOOD}
    ruling = judge(Validate(), before, {**before, "knowledge/net/limits.md": GOOD})
    assert (ruling.level, ruling.evidence[0]["rule"]) == (Level.BLOCK, "name-duplicate")
    earlier = judge(Validate(), before, {**before, "knowledge/aaa/limits.md": GOOD})
    assert earlier.level is Level.BLOCK


def test_warnings_are_told_of_the_pages_of_the_change_only() -> None:
    bare = {OTHER: page("Text.\n", name="keys")}
    assert judge(Validate(), bare, {**bare, PATH: GOOD}).level is Level.PASS
    ruling = judge(Validate(), {}, {**bare, PATH: GOOD})
    assert (ruling.level, ruling.evidence[0]["rule"]) == (Level.NOTE, "section-missing")


def test_the_list_of_allowed_hosts_is_the_one_of_the_base() -> None:
    after = {PATH: page("## Deep Guidance\n", sources=("https://other.net/a",))}
    said = judge(Validate(), {ALLOWLIST: LISTED}, {ALLOWLIST: LISTED + "  - other.net\n", **after})
    assert (said.level, said.evidence[0]["rule"]) == (Level.NOTE, "source-off-allowlist")
    assert judge(Validate(), {ALLOWLIST: ": {"}, {ALLOWLIST: ": {", **after}).level is Level.PASS
