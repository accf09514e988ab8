"""How much of a stable page a change may turn over."""

import pytest

from cairn.changes.make_change import from_diff
from cairn.core.model.change import OVER_REWRITE_LABEL, Label, Level
from cairn.core.model.knowledge import Corpus
from cairn.freshness.gates.page_gates import AntiOverRewrite, DeepGuidance, ValidateGate
from cairn.knowledge.base import ALLOWLIST
from judging import CORPUS, PATH, judge, page

TEN = [f"line {number}\n" for number in range(9)]
"""With what follows the last line break, ten lines."""


def body(*, drop: int = 0, add: int = 0) -> str:
    return "".join([*TEN[drop:], *(f"new {number}\n" for number in range(add))])


@pytest.mark.parametrize(
    ("drop", "add", "volatility", "level"),
    [
        (0, 0, "stable", Level.PASS),
        (2, 0, "stable", Level.BLOCK),  # 20 % of the old body, but 25 % of the new one
        (1, 1, "stable", Level.PASS),  # 10 % and 20 %
        (0, 3, "stable", Level.BLOCK),  # 23 % of the new body
        (0, 2, "stable", Level.PASS),  # 17 %
        (9, 0, "stable", Level.BLOCK),
        (9, 9, "evolving", Level.NOTE),
        (9, 9, "fast-moving", Level.NOTE),
        (1, 0, "fast-moving", Level.PASS),
    ],
)
def test_a_fifth_is_the_limit(drop: int, add: int, volatility: str, level: Level) -> None:
    before, after = page(body(), volatility=volatility), page(body(drop=drop, add=add), volatility=volatility)
    assert judge(AntiOverRewrite(), {PATH: before}, {PATH: after}).level is level


def test_a_page_that_loses_much_while_more_comes_is_stopped_by_the_first_ratio() -> None:
    """Of the new text it is 10 of 40 lines; but three of ten went."""
    many = "".join(f"same {number}\n" for number in range(9))
    before = page(many, volatility="stable")
    after = page(many.replace("same 0\nsame 1\nsame 2\n", "") + "x\n" * 1, volatility="stable")
    ruling = judge(AntiOverRewrite(), {PATH: before}, {PATH: after})
    assert ruling.level is Level.BLOCK
    assert "loses 30% of its lines, and 50% of the new text is added or removed" in ruling.reason
    fix = "Make a smaller edit, or ask a reviewer to add the label `override:anti-over-rewrite`."
    assert ruling.reason.endswith(f". At most 20 % of a stable page may change. {fix}")
    assert ruling.evidence[0]["deletedRatio"] == 0.3
    assert ruling.evidence[0]["changedRatio"] == 0.5


def test_the_frontmatter_does_not_count() -> None:
    before = page(body(), volatility="stable")
    after = page(body(), volatility="stable", last_reviewed="2026-01-01", version_pin="'3.12'", topics="[a, b, c]")
    assert judge(AntiOverRewrite(), {PATH: before}, {PATH: after}).level is Level.PASS


def test_what_it_was_before_counts() -> None:
    before, after = page(body(), volatility="stable"), page("all new\n", volatility="evolving")
    assert judge(AntiOverRewrite(), {PATH: before}, {PATH: after}).level is Level.BLOCK


@pytest.mark.parametrize(
    ("setter", "name", "level"),
    [
        ("ada", OVER_REWRITE_LABEL, Level.NOTE),
        ("freshness", OVER_REWRITE_LABEL, Level.BLOCK),
        ("ada", "override:anti-over-rewrites", Level.BLOCK),
    ],
)
def test_a_person_may_allow_it_but_not_who_made_the_change(setter: str, name: str, level: Level) -> None:
    before, after = page(body(), volatility="stable"), page("all new\n", volatility="stable")
    labels = (Label(name, setter),)
    assert judge(AntiOverRewrite(), {PATH: before}, {PATH: after}, origin="freshness", labels=labels).level is level


def test_a_stable_page_that_goes_is_stopped_and_one_that_moves_is_not() -> None:
    stable = page(body(), volatility="stable")
    assert judge(AntiOverRewrite(), {PATH: stable}, {}).level is Level.BLOCK
    assert judge(AntiOverRewrite(), {PATH: stable}, {"knowledge/net/limits.md": stable}).level is Level.PASS


def test_a_new_page_and_files_elsewhere_are_not_looked_at() -> None:
    assert judge(AntiOverRewrite(), {}, {PATH: page(body(), volatility="stable")}).level is Level.PASS
    stable = page(body(), volatility="stable")
    assert judge(AntiOverRewrite(), {"docs/a.md": stable}, {"docs/a.md": "new"}).level is Level.PASS


DIFF = b"""\
--- a/knowledge/api/limits.md
+++ b/knowledge/api/limits.md
@@ -5,5 +5,5 @@
 first
---- a rule
--- a dash
++++ b/more
+++ c
 last
"""


def test_lines_of_a_hunk_that_look_like_headers_are_text() -> None:
    """In a diff a deleted `-- …` line shows as `--- …`, and an added `++ …` one as `+++ …`."""
    before = page("first\n--- a rule\n-- a dash\nlast\n", volatility="stable")
    start = before.split("first")[0].count("\n") + 1
    diff = DIFF.replace(b"@@ -5,5 +5,5 @@", f"@@ -{start},4 +{start},4 @@".encode())
    change = from_diff(diff, {PATH: before.encode()}.get, base="0" * 40)
    after = (change.edits[0].content or b"").decode()
    assert after.endswith("first\n+++ b/more\n++ c\nlast\n")
    ruling = judge(AntiOverRewrite(), {PATH: before}, {PATH: after})
    assert (ruling.evidence[0]["added"], ruling.evidence[0]["removed"]) == (2, 2)


@pytest.mark.parametrize(
    ("body", "level"),
    [
        ("## Deep Guidance\n\nText.\n", Level.PASS),
        ("Intro.\n\n## Deep Guidance   \n", Level.PASS),
        ("## Deep Guidance ##\n", Level.PASS),
        ("## Deep Guidance\r\n\r\nText.\r\n", Level.PASS),
        ("## deep guidance\n", Level.BLOCK),
        ("### Deep Guidance\n", Level.BLOCK),
        ("## Deep Guidance, part two\n", Level.BLOCK),
        ("```md\n## Deep Guidance\n```\n", Level.BLOCK),
        ("~~~~\n```\n## Deep Guidance\n~~~~\n", Level.BLOCK),
        ("```\ncode\n```\n\n## Deep Guidance\n", Level.PASS),
        ("Text.\n", Level.BLOCK),
    ],
)
def test_the_heading_stands_outside_of_code_and_is_spelled_just_so(body: str, level: Level) -> None:
    assert judge(DeepGuidance(), {}, {PATH: page(body)}).level is level


@pytest.mark.parametrize(
    ("corpus", "level"),
    [
        (CORPUS._replace(required_sections=()), Level.PASS),
        (CORPUS._replace(required_sections=("## Rules", "Examples")), Level.BLOCK),
        (CORPUS._replace(required_sections=("Rules",)), Level.PASS),
        (Corpus("notes", "knowledge", "plain"), Level.PASS),
    ],
)
def test_the_corpus_says_which(corpus: Corpus, level: Level) -> None:
    assert judge(DeepGuidance(), {}, {PATH: page("## Rules\n")}, corpora=(corpus,)).level is level


def test_it_says_which_page_lacks_which_section() -> None:
    ruling = judge(DeepGuidance(), {}, {PATH: page("Text.\n"), "knowledge/api/keys.md": page("Text.\n", name="keys")})
    first = ruling.evidence[0]
    assert (first["path"], first["section"]) == ("knowledge/api/keys.md", "## Deep Guidance")
    assert "and 1 more" in ruling.reason


def test_a_page_that_goes_and_one_about_pages_need_none() -> None:
    assert judge(DeepGuidance(), {PATH: page("## Deep Guidance\n")}, {}).level is Level.PASS
    assert judge(DeepGuidance(), {}, {"knowledge/README.md": "# Us\n"}).level is Level.PASS


GOOD = page("## Deep Guidance\n")
OTHER = "knowledge/api/keys.md"
LISTED = "hosts:\n  - docs.bakery.net\n"


def test_a_change_after_which_all_is_well() -> None:
    assert judge(ValidateGate(), {PATH: "broken"}, {PATH: GOOD}).level is Level.PASS


def test_an_error_blocks_and_is_named_with_its_line() -> None:
    ruling = judge(ValidateGate(), {}, {PATH: page("## Deep Guidance\n", last_reviewed="2026-02-30")})
    assert ruling.level is Level.BLOCK
    assert ruling.reason.startswith(f"1 error; {PATH} line 4: `last-reviewed`")
    assert ruling.evidence[0]["rule"] == "entry-invalid"


def test_an_error_elsewhere_is_named_and_blocks_nothing() -> None:
    before = {OTHER: "no frontmatter"}
    ruling = judge(ValidateGate(), before, {**before, PATH: GOOD})
    assert ruling.level is Level.WARN
    assert "1 of them in pages that it does not touch" in ruling.reason


def test_a_name_that_another_page_has_blocks() -> None:
    before = {PATH: GOOD}
    ruling = judge(ValidateGate(), before, {**before, "knowledge/net/limits.md": GOOD})
    assert (ruling.level, ruling.evidence[0]["rule"]) == (Level.BLOCK, "name-duplicate")
    earlier = judge(ValidateGate(), before, {**before, "knowledge/aaa/limits.md": GOOD})
    assert earlier.level is Level.BLOCK


def test_warnings_are_told_of_the_pages_of_the_change_only() -> None:
    bare = {OTHER: page("Text.\n", name="keys")}
    assert judge(ValidateGate(), bare, {**bare, PATH: GOOD}).level is Level.PASS
    ruling = judge(ValidateGate(), {}, {**bare, PATH: GOOD})
    assert (ruling.level, ruling.evidence[0]["rule"]) == (Level.NOTE, "section-missing")


def test_the_list_of_allowed_hosts_is_the_one_of_the_base() -> None:
    after = {PATH: page("## Deep Guidance\n", sources=("https://other.net/a",))}
    said = judge(ValidateGate(), {ALLOWLIST: LISTED}, {ALLOWLIST: LISTED + "  - other.net\n", **after})
    assert (said.level, said.evidence[0]["rule"]) == (Level.NOTE, "source-off-allowlist")
    assert judge(ValidateGate(), {ALLOWLIST: ": {"}, {ALLOWLIST: ": {", **after}).level is Level.PASS
