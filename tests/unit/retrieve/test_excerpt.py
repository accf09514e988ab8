"""The passage that is shown of a page."""

import pytest

from cairn.core.ports.search import TextHit
from cairn.core.search_query import parse_query
from cairn.retrieve.excerpt import LENGTH, Excerpt, excerpt, plain
from cairn.retrieve.match import UnitFinder
from cairn.retrieve.rank import look_at
from cairn.retrieve.weight import WeighedUnit


def shown(query: str, body: str, *, body_line: int = 1) -> Excerpt:
    weighed = tuple(WeighedUnit(unit, 1, unit.weight) for unit in parse_query(query).units)
    finder = UnitFinder(w.unit for w in weighed)
    hit = TextHit("docs/page.md", "markdown", "core", "Page", "", "{}", 1.0)
    return excerpt(look_at(hit, body, body_line, finder, weighed), finder, weighed)


def marked(found: Excerpt) -> str:
    text = found.text
    for start, end in reversed(found.marks):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


BODY = """# Ovens

An oven is warm. The baker is not.

## When it is cold

1. Look at the **plug**; see [the list of plugs](plugs.md "all").
2. Call the *electrician* before noon.

```sh
# not a heading
heat --oven 2
```
"""
PASSAGES = {
    "the words, and more of the paragraph": ("baker", "An oven is warm. The [baker] is not.", 3, "Ovens"),
    "where most of it stands together": (
        "plug electrician noon",
        "Look at the [plug]; see the list of [plugs]. Call the [electrician] before [noon].",
        7,
        "When it is cold",
    ),
    "code": ("heat", "[heat] --oven 2", 12, "When it is cold"),
    "below a heading that has the words": (
        "cold",
        "Look at the plug; see the list of plugs. Call the electrician before noon.",
        5,
        "When it is cold",
    ),
    "the beginning, when only the path has them": ("page", "An oven is warm. The baker is not.", 3, "Ovens"),
}


@pytest.mark.parametrize(("query", "text", "line", "heading"), PASSAGES.values(), ids=PASSAGES.keys())
def test_passage(query: str, text: str, line: int, heading: str) -> None:
    found = shown(query, BODY)
    assert (marked(found), found.line, found.heading) == (text, line, heading)


def test_lines_are_those_of_the_file() -> None:
    assert shown("baker", BODY, body_line=6).line == 8


def test_a_long_line_is_cut_around_the_words() -> None:
    body = "before " * 400 + "the needle here " + "after " * 400
    found = shown("needle", body)
    assert "[needle]" in marked(found)
    assert found.text.startswith("… ")
    assert found.text.endswith(" …")
    assert len(found.text) <= LENGTH + 4


def test_a_text_without_blanks_is_cut_too() -> None:
    found = shown("密钥", "字" * 3000 + "密钥" + "字" * 3000)
    assert "[密钥]" in marked(found)
    assert len(found.text) <= LENGTH + 4


def test_a_page_without_text_has_an_empty_excerpt() -> None:
    assert shown("page", "") == Excerpt("", (), 1, "")


PLAIN = {
    "a [link](x.md) and ![picture](<a b.png>)": "a link and picture",
    "[[page|words]] or [[page]]": "words or page",
    "**bold** and *slanted*, 2 * 3 * 4, snake_case __x__": "bold and slanted, 2 * 3 * 4, snake_case x",
    "- one\n- two\n\n> three\n| a | b |": "one two three a | b",
    "text [with (parens)](a(b)c.md)": "text [with (parens)](a(b)c.md)",
}


@pytest.mark.parametrize(("text", "expected"), PLAIN.items())
def test_markdown_as_people_read_it(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_a_mark_takes_the_signs_of_its_last_letter_along() -> None:
    assert marked(shown("पैसा", "ग्राहक को पैसा लौटाया जाता है।\n")) == "ग्राहक को [पैसा] लौटाया जाता है।"


def test_a_sentence_rather_than_an_example_that_says_the_same() -> None:
    body = "```sh\nheat --oven steam\n```\n\nYou heat an oven before you bake.\n"
    assert marked(shown("heat oven", body)) == "You [heat] an [oven] before you bake."
    assert marked(shown("heat oven steam", body)).startswith("[heat] --[oven] [steam]")


def test_a_line_at_the_end_of_its_paragraph_brings_what_comes_before() -> None:
    found = shown("taint", "# Notes\n\n- one thing\n- Each has a title, a body,\n  a reason and a taint.\n")
    assert (marked(found), found.line) == ("Each has a title, a body, a reason and a [taint].", 5)


def test_a_passage_begins_with_a_sentence_where_that_fits() -> None:
    body = f"{'Nothing of interest is said here at all. ' * 9}A heron sleeps by the pond. {'More of the same. ' * 20}"
    assert shown("pond", body).text.startswith("A heron sleeps by the pond. More")
    assert shown("pond", body.replace(". ", ", ")).text.startswith("… ")


def test_an_excerpt_of_a_file_with_crlf_has_no_carriage_returns() -> None:
    found = shown("oven rests", "# Oven\r\n\r\nThe oven rests:\r\n\r\n```sh\r\nrun oven\r\nstop oven\r\n```\r\n")
    assert "\r" not in found.text + found.code and found.code == "run oven\nstop oven"


@pytest.mark.parametrize(
    ("text", "shown_text"),
    [
        ("Press a        key        .", "Press a key."),
        ("one  (two   )", "one (two)"),
        ("a line\n  and the next", "a line and the next"),
    ],
)
def test_gaps_that_tags_leave_are_closed(text: str, shown_text: str) -> None:
    assert plain(text) == shown_text
