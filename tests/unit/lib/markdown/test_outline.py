import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cairn.lib.markdown.outline import _parsed_links, _simple_links, first_heading, markdown_links

# (text, [(as written, target, flags)]), flags: i image, w wiki, a auto
LINKS: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "none": ("just [text] and (more)", []),
    "inline": ("see [a b](c/d.md#e).", [("[a b](c/d.md#e)", "c/d.md#e", "")]),
    "with a title": ('[a](b.md "t")', [('[a](b.md "t")', "b.md", "")]),
    "angle brackets": ("[a](<b c.md>)", [("[a](<b c.md>)", "b c.md", "")]),
    "balanced parentheses": ("[a](b(c).md)", [("[a](b(c).md)", "b(c).md", "")]),
    "percent-encoding is kept": ("[a](b%20c.md)", [("[a](b%20c.md)", "b%20c.md", "")]),
    "entities and escapes are undone": ("[a](b&amp;c\\_d)", [("[a](b&amp;c\\_d)", "b&c_d", "")]),
    "rooted": ("[a](/b.md)", [("[a](/b.md)", "/b.md", "")]),
    "empty target": ("[a]()", [("[a]()", "", "")]),
    "image": ("![a](b.png)", [("![a](b.png)", "b.png", "i")]),
    "image in a link": ("[![a](b.png)](c.md)", [("[![a](b.png)](c.md)", "c.md", ""), ("![a](b.png)", "b.png", "i")]),
    "reference": ("[a][b]\n\n[b]: c.md", [("[a][b]", "c.md", "")]),
    "collapsed reference": ("[a][]\n\n[a]: c.md 't'", [("[a][]", "c.md", "")]),
    "collapsed image, not ASCII": ("é ![ü][] x\n\n[ü]: c.md", [("![ü][]", "c.md", "i")]),
    "shortcut reference": ("[a]\n\n[A]: <c d.md>", [("[a]", "c d.md", "")]),
    "image by reference": ("![a][b]\n\n[b]: c.png", [("![a][b]", "c.png", "i")]),
    "definition that nobody uses": ("text\n\n[b]: c.md", []),
    "reference without a definition": ("[a][b] [c]", []),
    "autolink": ("<https://a.b/c>", [("<https://a.b/c>", "https://a.b/c", "a")]),
    "address": ("<a@b.c>", [("<a@b.c>", "a@b.c", "a")]),
    "wikilink": ("[[a b]]", [("[[a b]]", "a b", "w")]),
    "wikilink with a text": ("[[ a#b |c]]", [("[[ a#b |c]]", "a#b", "w")]),
    "wikilink to an image": ("![[a.png]]", [("![[a.png]]", "a.png", "iw")]),
    "in a table": (
        "|a|b|\n|-|-|\n|[[c\\|d]]|[e](f)|\n",
        [("[[c\\|d]]", "c", "w"), ("[e](f)", "f", "")],
    ),
    "in inline code": ("`[a](b)`", []),
    "in a fence": ("```\n[a](b)\n```\n[c](d)", [("[c](d)", "d", "")]),
    "in a fence in a list": ("- ```\n  [a](b)\n  ```\n- [c](d)", [("[c](d)", "d", "")]),
    "in indented code": ("    [a](b)\n", []),
    "in HTML": ("<div>\n[a](b)\n</div>\n", []),
    "escaped": ("\\[a](b) !\\[c](d)", []),
    "in a heading": ("# [a](b)", [("[a](b)", "b", "")]),
    "in a task": ("- [ ] [a](b)\n- [x] c", [("[a](b)", "b", "")]),
    "in a footnote": ("x[^1]\n\n[^1]: [a](b)", [("[a](b)", "b", "")]),
    "in an alert": ("> [!NOTE]\n> [a](b)", [("[a](b)", "b", "")]),
    "over two lines": ("[a\nb](c)", [("[a\nb](c)", "c", "")]),
    "backticks on two lines": ("a ` [b](c)\n\n` d", [("[b](c)", "c", "")]),
    "not ASCII": (
        "é [a](b) 🎉 [[日本]] ü ![c](ü)",
        [("[a](b)", "b", ""), ("[[日本]]", "日本", "w"), ("![c](ü)", "ü", "i")],
    ),
    "not ASCII, simple": ("é [ü](b) 🎉", [("[ü](b)", "b", "")]),
}


@pytest.mark.parametrize(("text", "expected"), LINKS.values(), ids=LINKS)
def test_links(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = [
        (text[link.start : link.end], link.target, "i" * link.image + "w" * link.wiki + "a" * link.auto)
        for link in markdown_links(text)
    ]
    assert found == expected


SIMPLE_PARTS = (
    *("[a](b.md)", "![i](x.png)", "[t *u*](v)", "[ ](k)", "[e](h#i?j=%20)", "[](n)", "[a b](c:d)", "`[z](q)`", "`c`"),
    *("`", "``", "```", "```\n", "\n```", "\n\n```py\n[f](g)\n```\n", "[", "](", ")", "] ", "(x)", "[x] ", "!", "^"),
    *("\n", "\n\n", "\n- ", "- ", "+ ", "1. ", "> ", "\n> ", "\n  ", "\n   ", " ", "   ", "# ", "\n===\n", "\n---\n"),
    *("word ", "*", "_", "**", "~", "~~", "&amp;", '"', "$", ":", "é", "🎉", "\x0b", "\x85", "\u2028", "\xa0"),
)


@given(st.lists(st.sampled_from(SIMPLE_PARTS), max_size=12).map("".join))
@example("```\n```\x85\n\n[ ](k)")
def test_the_short_way_for_simple_texts_finds_what_the_parser_finds(text: str) -> None:
    simple = _simple_links(text)
    assert simple is None or tuple(simple) == _parsed_links(text)


@pytest.mark.parametrize("text", ["[a](b)", "x `y` [a](b)\n\n```\nz\n```\n", "- ![a](b)\n"])
def test_simple_texts_go_the_short_way(text: str) -> None:
    assert _simple_links(text) is not None


@given(st.text(alphabet="[]()<>!|`ab:é🎉 \n\\#*-&;", max_size=40))
def test_ranges_of_any_text_start_and_end_at_brackets(text: str) -> None:
    for link in markdown_links(text):
        assert text[link.start] in "[!<"
        assert text[link.end - 1] in "])>"


@pytest.mark.parametrize(
    "text",
    [
        "[" * 5_000_000,
        "[" * 50_000 + "]" * 50_000,
        "[" * 20_000 + "a" + "](b)" * 20_000,
        "[[a|" * 200_000,
        "![" * 500_000,
        "<" * 1_000_000,
        "[a](" * 300_000,
        "[a][" * 300_000,
        "`" * 100_000 + "[a](b",
        "[" + "a" * 1_000_000,
        "` [" * 200_000,
    ],
    ids=[
        "open",
        "nested",
        "nested links",
        "wiki",
        "images",
        "angles",
        "targets",
        "references",
        "ticks",
        "text",
        "mixed",
    ],
)
def test_hostile_text_takes_no_longer_than_its_length(text: str) -> None:
    assert len(markdown_links(text)) <= 1


# --- title ----------------------------------------------------------------------------------------------------------

TITLES = {
    "first line": ("# A title\n\ntext", "A title"),
    "after a blank line": ("\n# A title\n", "A title"),
    "after text": ("text\n\n# A title", "A title"),
    "blanks around": ("#   A title  \n", "A title"),
    "carriage return": ("# A title\r\ntext", "A title"),
    "tab": ("#\tA title", "A title"),
    "closing hashes": ("# A title ##\n", "A title"),
    "markup": ("# *A* `title` [of](x) &amp; ~~this~~ \\*", "A title of & this *"),
    "image": ("# ![Logo](x.png) Name", "Logo Name"),
    "HTML": ("# <b>A</b> title", "A title"),
    "underlined": ("A *title*\n===\n", "A title"),
    "underlined, two lines": ("A\ntitle\n=\n", "A title"),
    "second level only": ("## A title\n\nB\n---\n", None),
    "in a fence": ("```\n# no\n```\n# yes", "yes"),
    "in tildes": ("~~~\n# no\n~~~\n", None),
    "in a quote": ("> # no\n\n# yes", "yes"),
    "in a list": ("- # no\n\n# yes", "yes"),
    "empty, then one": ("#\n\n# yes", "yes"),
    "no blank after the hash": ("#tag", None),
    "indented code": ("    # no", None),
    "C#": ("# About C#", "About C#"),
    "nothing": ("", None),
    "words": ("just text = x # y", None),
    "not ASCII": ("# Ünï 日本", "Ünï 日本"),
}


@pytest.mark.parametrize(("text", "title"), TITLES.values(), ids=TITLES)
def test_the_title_is_the_first_heading_of_level_1(text: str, title: str | None) -> None:
    assert first_heading(text) == title


@given(st.text(alphabet="#=ab \n`*->", max_size=30))
def test_a_title_is_one_line_without_blanks_around(text: str) -> None:
    title = first_heading(text)
    assert title is None or (title and title == " ".join(title.split()))
