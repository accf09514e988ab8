import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cairn.lib.markdown.blocks import blank, code_ranges, fences, headings, headings_text, sections, seen_text, without


def mask_code(text: str) -> str:
    return without(text, code_ranges(text))


def code_only(text: str) -> str:
    """Everything but code blanked out."""
    ranges = code_ranges(text)
    ends = [0, *(end for _, end in ranges)]
    starts = [*(start for start, _ in ranges), len(text)]
    between = [blank(text[end:start]) for end, start in zip(ends, starts, strict=True)]
    codes = [*(text[start:end] for start, end in ranges), ""]
    return "".join(f"{blanks}{code}" for blanks, code in zip(between, codes, strict=True))


# (text, what is left of it)
CASES = {
    "no code": ("a b\nc", "a b\nc"),
    "span": ("a `b` c", "a     c"),
    "span over lines": ("a `b\nc` d", "a   \n   d"),
    "double span with a backtick in it": ("``a`b`` c", "        c"),
    "a run has no partner": ("a `` b ` c", "a `` b ` c"),
    "a shorter run does not close": ("``a` b", "``a` b"),
    "a longer run does not close": ("`a`` b` c", "        c"),
    "stray run before a span": ("`` x `a` y", "`` x     y"),
    "tab in a span": ("`a\tb`", "  \t  "),
    "fence": ("a\n```\nx\n```\nb", "a\n   \n \n   \nb"),
    "fence with a language": ("```py\nx y\n```\nb", "     \n   \n   \nb"),
    "tildes": ("~~~\nx\n~~~\nb", "   \n \n   \nb"),
    "longer closing fence": ("```\nx\n`````\nb", "   \n \n     \nb"),
    "shorter fence does not close": ("````\n```\nx", "    \n   \n "),
    "other fence does not close": ("```\n~~~\n```\nb", "   \n   \n   \nb"),
    "text after a fence does not close": ("```\n``` x\n```\nb", "   \n     \n   \nb"),
    "never closed": ("a\n```\nb\nc", "a\n   \n \n "),
    "indented by three": ("   ```\nx\n   ```\nb", "      \n \n      \nb"),
    "indented by four is no fence": ("    ~~~\nx", "    ~~~\nx"),
    "two tildes are no fence": ("~~\nx\n~~", "~~\nx\n~~"),
    "not at the start of a line": ("a ~~~\nx", "a ~~~\nx"),
    "backticks in the info string": ("```a``` b\nc", "        b\nc"),
    "tildes in the info string": ("~~~ ~a\nx", "      \n "),
    "carriage returns": ("```\r\nx\r\n```\r\nb", "   \r\n \r\n   \r\nb"),
    "a span over a fence": ("a ` b\n```\nx\n```\nc ` d", "a    \n   \n \n   \n    d"),
    "backticks in a fence count for nothing": ("~~~\n`\n~~~\na ` b", "   \n \n   \na ` b"),
    "not ASCII": ("é `ü` ß\n```\n日本\n```", "é     ß\n   \n  \n   "),
    "not ASCII, with a tab": ("`é\tü`", "  \t  "),
}


@pytest.mark.parametrize(("text", "prose"), CASES.values(), ids=CASES)
def test_code_is_blanked_out(text: str, prose: str) -> None:
    assert mask_code(text) == prose


@pytest.mark.parametrize(("text", "prose"), CASES.values(), ids=CASES)
def test_the_inverse_shows_what_was_blanked_out(text: str, prose: str) -> None:
    changed = "".join(a if a != b else (a if a.isspace() else " ") for a, b in zip(text, prose, strict=True))
    assert code_only(text) == changed


def test_a_text_without_code_is_returned_as_it_is() -> None:
    text = "a ~~b~~ c"
    assert mask_code(text) is text


TEXTS = st.text(alphabet="`~ab \n\t\ré", max_size=40)


@given(TEXTS)
def test_masking_keeps_the_length_and_only_blanks_out(text: str) -> None:
    masked = mask_code(text)
    assert len(masked) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, masked, strict=True))
    if "```" not in masked and "~~~" not in masked:  # a run that was no fence may be one once its line is blank
        assert mask_code(masked) == masked
    assert [char for char in masked if char != " "] == [
        char for char, seen in zip(text, masked, strict=True) if seen != " "
    ]


@given(TEXTS)
def test_prose_and_code_together_are_the_text(text: str) -> None:
    for char, prose, code in zip(text, mask_code(text), code_only(text), strict=True):
        assert char in (prose, code)
        assert char.isspace() or prose == " " or code == " "


SPANS = re.compile(r"(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)")


@given(st.text(alphabet="`a\n", max_size=25).filter(lambda text: not fences(text)))
@example("``a`b``c`d`")
def test_inline_code_is_what_the_slow_pattern_of_commonmark_finds(text: str) -> None:
    assert code_ranges(text) == [found.span() for found in SPANS.finditer(text)]


CONTRACT = re.compile(r"(`+)([\s\S]*?)\1")
PAIRED = st.lists(st.sampled_from(["`a`", "``b``", "``c`d``", "`e f`", " ", "x"]), max_size=8).map(" ".join)


@given(PAIRED)
def test_where_backticks_come_in_pairs_the_pattern_of_the_contract_agrees(text: str) -> None:
    contract = CONTRACT.sub(lambda found: blank(found[0]), text)
    assert mask_code(text) == contract


@pytest.mark.parametrize(
    "text",
    [
        "`" * 100_000,
        "".join("`" * length + " " for length in range(1, 700)),
        "` `` " * 50_000,
        "```\n" * 50_001,
        "~~~ x\n" * 50_000,
        "```a`\n" * 50_000,
        "x ``` " * 50_000,
    ],
    ids=["one run", "all lengths", "two lengths", "fences", "openers", "no openers", "one line"],
)
def test_hostile_text_takes_no_longer_than_its_length(text: str) -> None:
    assert len(mask_code(text)) == len(code_only(text)) == len(text)


def test_ranges_that_overlap_are_blanked_out_once() -> None:
    assert without("abcdefgh", [(1, 5), (2, 3), (4, 6)]) == "a     gh"


HEADINGS = {
    "by signs": ("# One\n\n## Two ##\n\ntext\n", [(1, "One"), (2, "Two")]),
    "by a line below": ("One\n===\n\ntext\n\nTwo\n---\n", [(1, "One"), (2, "Two")]),
    "not within a fence": ("```sh\n# no\n```\n# yes\n~~~\n```\n# no\n~~~\n", [(1, "yes")]),
    "not a rule, a list or a table": ("text\nmore\n---\n\n- a\n---\n\n| a |\n---\n", []),
    "not a tag": ("#tag\n####### seven\n", []),
}


@pytest.mark.parametrize(("body", "expected"), HEADINGS.values(), ids=HEADINGS)
def test_headings(body: str, expected: list[tuple[int, str]]) -> None:
    assert [(heading.level, heading.text) for heading in headings(body)] == expected
    assert headings_text(body).split("\n") == [text for _, text in expected] or not expected


def test_sections_know_what_is_above_them() -> None:
    found = sections("intro\n# A\na\n## B\nb\n### C\nc\n## D\nd\n")
    assert [(section.heading, section.level) for section in found] == [("", 0), ("A", 1), ("B", 2), ("C", 3), ("D", 2)]
    assert [section.above for section in found] == [(), (), (1,), (1, 2), (1,)]


SEEN = {
    "<var>x</var>": "     x      ",
    "a&nbsp;b &#160;": "a      b       ",
    "x <!-- a\nb --> y": "x       \n      y",
    "<!-- never closed": "                 ",
    "`<var>` and <b>": "`<var>` and    ",
    "```\n<var>\n```\n<i>": "```\n<var>\n```\n   ",
    "1 < 2 and 3 > 2": "1 < 2 and 3 > 2",
    "<https://example.org>": "<https://example.org>",
    '<a href="x">y</a>': "            y    ",
}


@pytest.mark.parametrize(("body", "shown"), SEEN.items(), ids=SEEN)
def test_what_a_reader_does_not_see_is_blank(body: str, shown: str) -> None:
    assert seen_text(body) == shown


@given(st.text(alphabet="ab<>!-&;`~#=\n /", max_size=200))
def test_every_place_stays(body: str) -> None:
    assert [len(line) for line in seen_text(body).split("\n")] == [len(line) for line in body.split("\n")]
    found = sections(body)
    assert [section.start for section in found[1:]] == [section.end for section in found[:-1]]
    assert (found[0].start, found[-1].end) == (0, len(body))
