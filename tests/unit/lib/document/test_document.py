import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.document.document import Document

BODY = "See [a](b.md) and `./c.md`.\n\n```sh\nrun @x\n```\nend\n"


def test_views_have_the_length_of_the_body_and_are_made_once() -> None:
    document = Document("docs/a.md", {}, BODY, 4)
    assert len(document.prose) == len(BODY)
    assert document.prose is document.prose
    assert document.code_ranges is document.code_ranges
    assert document.links is document.links


def test_prose_and_code_are_each_others_complement() -> None:
    document = Document("docs/a.md", {}, BODY)
    assert document.prose.split() == ["See", "[a](b.md)", "and", ".", "end"]
    assert [BODY[start:end] for start, end in document.code_ranges] == ["`./c.md`", "```sh\nrun @x\n```"]


def test_a_body_without_code_is_its_own_prose() -> None:
    document = Document("docs/a.md", {}, "nothing but words\n")
    assert document.prose is document.body
    assert document.code_ranges == []


def test_links_are_those_of_the_body() -> None:
    (link,) = Document("docs/a.md", {}, BODY).links
    assert BODY[link.start : link.end] == "[a](b.md)"


@pytest.mark.parametrize(("offset", "line"), [(0, 4), (26, 4), (27, 4), (28, 5), (29, 6), (len(BODY), 10)])
def test_lines_are_lines_of_the_file(offset: int, line: int) -> None:
    assert Document("docs/a.md", {}, BODY, 4).line_at(offset) == line


@given(st.text(alphabet="a\n"), st.lists(st.integers(min_value=0, max_value=50)))
def test_the_order_of_questions_does_not_matter(body: str, offsets: list[int]) -> None:
    document = Document("a.md", {}, body, 7)
    for offset in offsets:
        assert document.line_at(offset) == 7 + body[:offset].count("\n")
