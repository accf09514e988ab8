import pytest
import ryaml
from hypothesis import assume, example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.tokens import AliasToken, AnchorToken, TagToken

from cairn.lib.yaml.marks import YamlMark, find_mark

PLAIN = {
    "words": "a: x *y* !z &w",
    "emphasis over lines": "a: b\n  *c* d\n  !e &f\ng: h",
    "in double quotes": 'a: "*b \\" &c !d"',
    "in double quotes over lines": 'a: "x\n  *y"',
    "in single quotes": "a: '*b '' &c !d'",
    "in a comment": "a: 1 # *x &y !z\n# *q\n",
    "in a literal block": "a: |\n  *x\n  &y\n\n  !z\nb: 1",
    "in a folded block": "a: >-\n  !z\n    *deeper\nb: 1",
    "in a block with an indentation indicator": "a: |2\n   *x\n  &y\nb: 1",
    "in a block in a list": "- |\n *x\n- b",
    "in a block in a map in a list": "- a: |\n   *x\n  b: c",
    "in a block on its own line": "a:\n    |\n  *x\nb: 1",
    "in a block at the end": "a: |\n  *x",
    "in a block that is the document": "--- |\n *x",
    "in a flow": "a: [b *c, d!e, f&g]",
    "in a flow over lines": "a: [b\n  *c]",
    "in a key": "a*b: 1\nc d!: 2",
    "after a carriage return": "a: |\r\n  *x\r\nb: 1",
    "after exotic line breaks": "a: |\x85  *x\u2028  &y\u2029b: 1",
    "in a directive": "%TAG !x! tag:x\n---\na: 1",
}


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_marks_in_text_are_text(text: str) -> None:
    ryaml.loads(text)
    assert find_mark(text, 9) is None


MARKS = {
    "anchor": ("a: &x 1", YamlMark("anchor", 3)),
    "alias": ("a: 1\nb: *x", YamlMark("alias", 8)),
    "tag": ("a: !x 1", YamlMark("tag", 3)),
    "in a list": ("- a\n- *x", YamlMark("alias", 6)),
    "in a flow": ("[a, *x]", YamlMark("alias", 4)),
    "as a key": ("*x : 1", YamlMark("alias", 0)),
    "after an empty block": ("a: |\nb: *x", YamlMark("alias", 8)),
    "after a block": ("a: |\n  x\nb: *x", YamlMark("alias", 12)),
    "after a block on its own line": ("a:\n    |\n  x\nb: *x", YamlMark("alias", 16)),
    "after a comment": ("a: # x\n  *x", YamlMark("alias", 9)),
    "after a comment ends a string": ("a: x # y\nb: *x", YamlMark("alias", 12)),
    "after carriage returns": ("a: 1\r\nb: *x", YamlMark("alias", 9)),
    "in front of a block": ("a: !x |\n  y", YamlMark("tag", 3)),
    "too deep": ("[[[[", YamlMark("too-deep", 3)),
}


@pytest.mark.parametrize(("text", "mark"), MARKS.values(), ids=MARKS)
def test_real_marks_are_found_where_they_are(text: str, mark: YamlMark) -> None:
    assert find_mark(text, 3) == mark


PARTS = (
    *("a", "b: ", "- ", "? ", ": ", "k:", "d: ", "1", "~", "c", "a: 1\n", "b: c d\n"),
    *("*x", "&x", "!t", "! ", "*", "&", "!"),
    *('"', "'", "|", ">", "|-\n", "|2\n", ">+\n", "x: |\n", 'y: "', "z: '", '"\n', "'\n", "\\"),
    *("[", "]", "{", "}", ", ", " #", "#", "%", "--- ", "\n---\n", "..."),
    *(" ", "\t", "\n", "\n\n", "\n ", "\n  ", "\n    ", "\r\n"),
)


@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join))
@example("a: b\n  *c: d")
def test_marks_are_those_that_a_full_parser_sees(text: str) -> None:
    try:
        ryaml.loads(text)
        expected = _first_mark(text)
    except (ValueError, YAMLError):
        assume(False)
    assert find_mark(text, 200) == expected


def _first_mark(text: str) -> YamlMark | None:
    for token in YAML(typ="safe", pure=True).scan(text):
        if isinstance(token, AnchorToken):
            return YamlMark("anchor", token.start_mark.index)
        if isinstance(token, AliasToken):
            return YamlMark("alias", token.start_mark.index)
        if isinstance(token, TagToken):
            return YamlMark("tag", token.start_mark.index)
    return None


@given(st.text(max_size=40))
def test_a_text_that_is_no_yaml_does_no_harm(text: str) -> None:
    mark = find_mark(text, 5)
    assert mark is None or text[mark.offset] in "&*![{"


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "x " * 100_000,
        "a: b\n" + "  c\n" * 50_000,
        "a: |\n" + "  c\n" * 50_000,
        "a: |\n" + "\n" * 100_000,
        '"a" ' * 50_000,
        "[], " * 50_000,
        "- " * 50_000,
        "# \n" * 50_000,
        "'" * 100_001,
        "a" + " " * 100_000 + "#",
    ],
)
def test_hostile_text_takes_no_longer_than_its_length(text: str) -> None:
    assert find_mark(text, 5) is None
