"""Sections are found outside of code, and what is not edited stays as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.errors import Refused
from cairn.freshness.sections import deleted, headings, inserted, refuse_doubles, region_of, replaced

BODY = "# T\n\nIntro.\n\n## A\n\na\n\n### Deep\n\nd\n\n```md\n## A\n## Code\n```\n\n## B\n\nb\n\n# Next\n\nn\n"


def test_headings_are_those_that_people_see() -> None:
    text = BODY + "\n    ## indented\n\t## tab\n   ## three spaces ##\n~~~~\n## x\n~~~\n## y\n~~~~\n#no\n##\n## end"
    assert [heading.text for heading in headings(text)] == [
        *("# T", "## A", "### Deep", "## B", "# Next", "## three spaces ##", "##", "## end")
    ]


@pytest.mark.parametrize(
    ("location", "starts", "ends"),
    [("## A", "## A\n\na", "```\n\n"), (" ## B ", "## B", "b\n\n")],
)
def test_a_section_goes_to_the_next_heading_of_its_level_or_above(location: str, starts: str, ends: str) -> None:
    start, end = region_of(BODY, location)
    assert BODY[start:end].startswith(starts) and BODY[start:end].endswith(ends)


@pytest.mark.parametrize("location", ["## Code", "## C", "# T", "### Deep", "A", "", "##", "## a"])
def test_what_is_no_section(location: str) -> None:
    with pytest.raises(Refused):
        region_of(BODY, location)


CASES = [
    ("x\n\n## A\n\na\n\n## B\n\nb\n", "replace", "## A", "## A\n\nnew", "x\n\n## A\n\nnew\n\n## B\n\nb\n"),
    ("## A\n\na\n\n\n\n## B\n", "replace", "## A", "\n\n## A\nnew\n\n\n", "## A\nnew\n\n\n\n## B\n"),
    ("## A\na\n## B\nb", "replace", "## A", "## A\nnew", "## A\nnew\n\n## B\nb"),
    ("## A\na\n## B\nb", "replace", "## B", "## B\nnew", "## A\na\n\n## B\nnew"),
    ("## A\n\na\n", "replace", "## A", "## A\n\nnew \\1 $& \\n", "## A\n\nnew \\1 $& \\n\n"),
    ("## A\n\na\n\n", "replace", "## A", "## A\n\nnew", "## A\n\nnew\n"),
    ("## A\r\n\r\na\r\n\r\n## B\r\n", "replace", "## A", "## A\n\nnew", "## A\r\n\r\nnew\r\n\r\n## B\r\n"),
    ("## A\n\na\n\n## B\n\nb\n", "insert", "## A", "## C\n\nc", "## A\n\na\n\n## C\n\nc\n\n## B\n\nb\n"),
    ("## A\n\na\n", "insert", "## A", "### C\n\nc", "## A\n\na\n\n### C\n\nc\n"),
    ("## A\n\na", "insert", "## A", "## C\n\nc\n", "## A\n\na\n\n## C\n\nc"),
    ("## A\na\n## B\n", "insert", "## A", "## C\nc", "## A\na\n\n## C\nc\n\n## B\n"),
    ("x\n\n## A\n\na\n\n## B\n\nb\n", "delete", "## A", "", "x\n\n## B\n\nb\n"),
    ("x\n\n## A\n\na\n", "delete", "## A", "", "x\n"),
    ("x\n## A\na\n## B\n", "delete", "## A", "", "x\n\n## B\n"),
    ("## A\n\na\n\n## B\n\nb\n", "delete", "## A", "", "## B\n\nb\n"),
]


@pytest.mark.parametrize(("body", "kind", "location", "text", "expected"), CASES)
def test_edits(body: str, kind: str, location: str, text: str, expected: str) -> None:
    edits = {"replace": replaced, "insert": inserted}
    made = deleted(body, location) if kind == "delete" else edits[kind](body, location, text)
    assert made == expected


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (replaced, "## B\n\nx", "starts with `## B`"),
        (replaced, "no heading", "has to start with the same heading"),
        (inserted, "no heading", "has to start with a heading"),
        (inserted, "#### four", "has to start with a heading"),
        (inserted, "##", "has to start with a heading"),
        (replaced, "## A\n\n```sh\nrm -r", "does not close it"),
        (inserted, "## C\n\n~~~~\nx\n~~~", "does not close it"),
    ],
)
def test_edits_that_are_refused(kind: object, text: str, said: str) -> None:
    assert callable(kind)
    with pytest.raises(Refused) as caught:
        kind(BODY, "## A", text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("## A\n", "## A\n\n## A\n", "`a` 2 times"),
        ("## A\n\n## A\n", "## A\n\n## A\n\n## A\n", "`a` 3 times"),
        ("## A\n### x\n", "## A\n### x\n### X\n", "below `a`"),
        ("## Rules\n", "## Rules\n## Rules (2025)\n", "`## rules (2025)` beside `## rules`"),
        ("## Rules\n", "## Rules\n## Rules: v2\n", "beside"),
        ("## Top 10\n", "## Top 10\n## Top 10 2025\n", "beside"),
    ],
)
def test_doubles(before: str, after: str, said: str) -> None:
    with pytest.raises(Refused) as caught:
        refuse_doubles(before, after)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("## A\n\n## A\n", "## A\n\n## A\n"),
        ("## A\n### x\n## B\n", "## A\n### x\n## B\n### x\n"),
        ("## Rules\n## Rules (2025)\n", "## Rules\n## Rules (2025)\n"),
        ("## Rules\n", "## Rules\n## Rules of thumb\n"),
        ("## Rules\n", "## Rules\n## Rules2\n"),
        ("## A\n", "## A\n```\n## A\n```\n"),
    ],
)
def test_no_doubles(before: str, after: str) -> None:
    refuse_doubles(before, after)


PIECES = st.sampled_from(
    ["## A\n", "## B\n", "# H\n", "### c\n", "text\n", "\n", "```\n", "~~~\n", "    ## A\n", "``` x\n", "- ## A\n"]
)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_only_the_section_changes(body: str) -> None:
    try:
        start, end = region_of(body, "## A")
    except Refused:
        assert "## A" not in [heading.text for heading in headings(body)]
        return
    made = replaced(body, "## A", "## A\n\nnew")
    assert made.startswith(body[:start]) and made.endswith(body[end:])
    assert made[start:].lstrip("\n").startswith("## A\n\nnew")
    assert [h.text for h in headings(made)][len(headings(body[:start])) :] == [
        "## A",
        *[h.text for h in headings(body) if h.start >= end],
    ]
    gone = deleted(body, "## A")
    assert gone.startswith(body[:start].rstrip()) and gone.endswith(body[end:])
