"""Frontmatter edited in place."""

import pytest

from cairn.core.model.knowledge import Corpus
from cairn.errors import CannotEdit
from cairn.knowledge import edit
from cairn.knowledge.edit import mended, remove, set_values
from cairn.knowledge.routes import read_strict
from cairn.lib.markdown.frontmatter import parse

# What stands there, what is set, what stands there then. Only the frontmatter; the body is the same everywhere.
REPLACED = {
    "plain": ("a: old", {("a",): "new"}, "a: new"),
    "comment behind": ("a: old # why", {("a",): "new"}, "a: new # why"),
    "blanks behind": ("a: old   ", {("a",): "new"}, "a: new   "),
    "wide gap": ("a:    old", {("a",): "new"}, "a:    new"),
    "double quotes stay": ('a: "old"', {("a",): "new"}, 'a: "new"'),
    "single quotes stay": ("a: 'old'", {("a",): "it's"}, "a: 'it''s'"),
    "single quotes cannot hold a tab": ("a: 'old'", {("a",): "x\ty"}, 'a: "x\\ty"'),
    "quotes go with a number": ("a: 'old'", {("a",): 3}, "a: 3"),
    "date stays plain": ("a: 2026-01-01", {("a",): "2026-06-05"}, "a: 2026-06-05"),
    "word of other readers": ("a: old", {("a",): "yes"}, 'a: "yes"'),
    "null as a text": ("a: old", {("a",): "null"}, 'a: "null"'),
    "number as a text": ("a: old", {("a",): "1.0"}, 'a: "1.0"'),
    "version as a text": ("a: old", {("a",): "1.0.2"}, "a: 1.0.2"),
    "time as a text": ("a: old", {("a",): "12:30"}, 'a: "12:30"'),
    "octal as a text": ("a: old", {("a",): "0o17"}, 'a: "0o17"'),
    "exponent as a text": ("a: old", {("a",): "1e3"}, 'a: "1e3"'),
    "empty text": ("a: old", {("a",): ""}, 'a: ""'),
    "colon inside": ("a: old", {("a",): "b: c"}, 'a: "b: c"'),
    "address": ("a: old", {("a",): "https://a.example/b#c"}, "a: https://a.example/b#c"),
    "hash behind a blank": ("a: old", {("a",): "b # c"}, 'a: "b # c"'),
    "quote inside": ("a: old", {("a",): 'say "x": y'}, "a: 'say \"x\": y'"),
    "dash in front": ("a: old", {("a",): "- b"}, 'a: "- b"'),
    "star in front": ("a: old", {("a",): "*b"}, 'a: "*b"'),
    "blank at the end": ("a: old", {("a",): "b "}, 'a: "b "'),
    "control character": ("a: old", {("a",): "b\x07"}, 'a: "b\\u0007"'),
    "line separator": ("a: old", {("a",): "b\u2028c"}, 'a: "b\\u2028c"'),
    "other scripts": ("a: old", {("a",): "Größe 知識"}, "a: Größe 知識"),
    "null": ("a: old", {("a",): None}, "a: null"),
    "true": ("a: old", {("a",): True}, "a: true"),
    "float": ("a: old", {("a",): 0.5}, "a: 0.5"),
    "nothing there": ("a:", {("a",): "new"}, "a: new"),
    "nothing there but a comment": ("a: # why", {("a",): "new"}, "a: new # why"),
    "nothing there at the end of several": ("a: 1\nb:", {("b",): "new"}, "a: 1\nb: new"),
    "nothing there in the middle": ("a:\nb: 1", {("a",): "new"}, "a: new\nb: 1"),
    "nothing in brackets": ("a: {b: , c: 1}", {("a", "b"): 2}, "a: {b: 2 , c: 1}"),
    "key without a colon": ("a: {b, c: 1}", {("a", "b"): 2}, "a: {b: 2, c: 1}"),
    "null written out": ("a: null", {("a",): "new"}, "a: new"),
    "tilde": ("a: ~ # none", {("a",): "new"}, "a: new # none"),
    "plain over lines": ("a: one\n  two\nb: 1", {("a",): "new"}, "a: new\nb: 1"),
    "quoted over lines": ('a: "one\n  two" # c\nb: 1', {("a",): "new"}, 'a: "new" # c\nb: 1'),
    "literal": ("a: |\n  one\n  two\nb: 1", {("a",): "x\ny\n"}, "a: |\n  x\n  y\nb: 1"),
    "literal with less at its end": ("a: |\n  one\nb: 1", {("a",): "x\ny"}, "a: |-\n  x\n  y\nb: 1"),
    "literal to one line": ("a: |\n  one\n  two\nb: 1", {("a",): "x"}, "a: |-\n  x\nb: 1"),
    "literal to a number": ("a: | # c\n  one\nb: 1", {("a",): 4}, "a: 4 # c\nb: 1"),
    "literal and a gap": ("a: |\n  one\n\n\nb: 1", {("a",): "x\ny\n"}, "a: |\n  x\n  y\n\n\nb: 1"),
    "literal at the end": ("b: 1\na: old", {("a",): "x\ny"}, "b: 1\na: |-\n  x\n  y"),
    "literal at the end, with its break": ("b: 1\na: old", {("a",): "x\ny\n"}, 'b: 1\na: "x\\ny\\n"'),
    "folded": ("a: >-\n  one\n  two\nb: 1", {("a",): "three"}, "a: >-\n  three\nb: 1"),
    "text becomes lines": ("a: old # c\nb: 1", {("a",): "x\n\ny\n"}, "a: | # c\n  x\n\n  y\nb: 1"),
    "text that no block holds": ("a: old\nb: 1", {("a",): " x\ny"}, 'a: " x\\ny"\nb: 1'),
    "item": ("a:\n  - b # c\n  - d", {("a", 0): "new"}, "a:\n  - new # c\n  - d"),
    "item below the key": ("a:\n- b\n- d", {("a", 1): "new"}, "a:\n- b\n- new"),
    "empty item": ("a:\n  -\n  - d", {("a", 0): "new"}, "a:\n  - new\n  - d"),
    "item in brackets": ("a: [b, 'c' , d]", {("a", 1): "x, y"}, "a: [b, 'x, y' , d]"),
    "item in brackets over lines": ("a: [\n  b, # c\n  d\n]", {("a", 0): "x"}, "a: [\n  x, # c\n  d\n]"),
    "far inside": (
        "s:\n  - u: a\n    h: b\n  - u: c\n    h: d",
        {("s", 1, "h"): "e"},
        "s:\n  - u: a\n    h: b\n  - u: c\n    h: e",
    ),
    "list of lists": ("a:\n  - - b\n    - c", {("a", 0, 1): "x"}, "a:\n  - - b\n    - x"),
    "quoted key": ("'a b': 1", {("a b",): 2}, "'a b': 2"),
    "key that looks like a pattern": ("a.b[0]: 1", {("a.b[0]",): 2}, "a.b[0]: 2"),
    "same name elsewhere": ("x: {a: 1}\na: 1", {("a",): 2}, "x: {a: 1}\na: 2"),
    "name in a comment": ("# a: 1\na: 1", {("a",): 2}, "# a: 1\na: 2"),
    "name in a text": ("b: |\n  a: 1\na: 1", {("a",): 2}, "b: |\n  a: 1\na: 2"),
    "two at once": ("a: 1\nb: 2 # c", {("b",): 3, ("a",): 4}, "a: 4\nb: 3 # c"),
    "to a list": ("a: old # c\nb: 1", {("a",): ["x", "w"]}, "a: # c\n  - x\n  - w\nb: 1"),
    "to a mapping": ("a: old\nb: 1", {("a",): {"x": 1}}, "a:\n  x: 1\nb: 1"),
    "nothing to a list": ("a:\nb: 1", {("a",): ["x"]}, "a:\n  - x\nb: 1"),
    "item to a mapping": ("a:\n  - b", {("a", 0): {"x": 1, "w": 2}}, "a:\n  - x: 1\n    w: 2"),
    "list to a text": ("a: # c\n  - b\n  - d\ne: 1", {("a",): "x"}, "a: x # c\ne: 1"),
    "list to nothing": ("a:\n  - b # c\n  - d\ne: 1", {("a",): []}, "a: []\ne: 1"),
    "list to a mapping": ("a:\n  - b\ne: 1", {("a",): {"x": 1}}, "a:\n  x: 1\ne: 1"),
    "mapping to lines of text": ("a:\n  b: 1\ne: 1", {("a",): "x\ny"}, "a: |-\n  x\n  y\ne: 1"),
    "brackets to a text": ("a: [b] # c", {("a",): "x"}, "a: x # c"),
    "in brackets a list": ("a: {b: 1}", {("a", "b"): ["x", {"w": 2}]}, "a: {b: [x, {w: 2}]}"),
    "list, one other": ("a:\n  - b # c\n  - d # e", {("a",): ["b", "x"]}, "a:\n  - b # c\n  - x # e"),
    "list, one less": ("a:\n  - b # c\n  - d # e", {("a",): ["d"]}, "a:\n  - d # e"),
    "list, one more in front": ("a:\n  - b # c", {("a",): ["x", "b"]}, "a:\n  - x\n  - b # c"),
    "list, one more in the middle": ("a: [b, c]", {("a",): ["b", "x", "c"]}, "a: [b, x, c]"),
    "mapping, compared": ("a:\n  b: 1 # c\n  d: 2", {("a",): {"b": 1, "e": 3}}, "a:\n  b: 1 # c\n  e: 3"),
    "nothing changes": ("a: 'x'  # c", {("a",): "x"}, "a: 'x'  # c"),
    "true is not 1": ("a: 1", {("a",): True}, "a: true"),
}

INSERTED = {
    "at the end": ("a: 1", {("b",): 2}, "a: 1\nb: 2"),
    "behind its neighbour": (
        "volatility: stable\nsources: []",
        {("last-reviewed",): "2026-01-01"},
        "volatility: stable\nlast-reviewed: 2026-01-01\nsources: []",
    ),
    "two behind their neighbours": (
        "name: n\nsources: []",
        {("volatility",): "stable", ("x",): 1, ("title",): "t"},
        "name: n\ntitle: t\nvolatility: stable\nsources: []\nx: 1",
    ),
    "behind a comment": ("a: 1 # c", {("b",): 2}, "a: 1 # c\nb: 2"),
    "before a comment of the next": (
        "name: 1\n# about z\nz: 1",
        {("topics",): ["x"]},
        "name: 1\ntopics:\n  - x\n# about z\nz: 1",
    ),
    "behind a literal": ("a: |\n  x\n\nz: 1", {("z2",): 2}, "a: |\n  x\n\nz: 1\nz2: 2"),
    "behind a literal that is neighbour": (
        "name: |-\n  x\n\nz: 1",
        {("title",): "t"},
        "name: |-\n  x\ntitle: t\n\nz: 1",
    ),
    "behind a block that keeps its end": (
        "name: |+\n  x\n\nz: 1",
        {("title",): "t"},
        "name: |+\n  x\n\ntitle: t\nz: 1",
    ),
    "into a mapping": ("a:\n    b: 1\nz: 1", {("a", "c"): 2}, "a:\n    b: 1\n    c: 2\nz: 1"),
    "into an item": (
        "sources:\n  - url: a\n    retrieved: b\n  - url: c",
        {("sources", 0, "hash"): "h"},
        "sources:\n  - url: a\n    hash: h\n    retrieved: b\n  - url: c",
    ),
    "into the last item": ("sources:\n- url: a", {("sources", 0, "hash"): "h"}, "sources:\n- url: a\n  hash: h"),
    "into brackets": ("a: {b: 1}", {("a", "c"): "x"}, "a: {b: 1, c: x}"),
    "into brackets with a comma": ("a: {b: 1, }", {("a", "c"): "x"}, "a: {b: 1, c: x, }"),
    "into empty brackets": ("a: {}", {("a", "c"): "x"}, "a: {c: x}"),
    "into brackets around all": ("{a: 1}", {("b",): 2}, "{a: 1, b: 2}"),
    "into brackets over lines": ("a: [\n  b,\n  c # d\n]", {("a", 2): "x"}, "a: [\n  b,\n  c, # d\n  x\n]"),
    "into brackets over lines with a comma": (
        "a: [\n  b,\n  c, # d\n]",
        {("a", 2): "x"},
        "a: [\n  b,\n  c, # d\n  x,\n]",
    ),
    "one more item": ("a:\n  - b # c\nz: 1", {("a", 1): "x"}, "a:\n  - b # c\n  - x\nz: 1"),
    "one more item below the key": ("a:\n- b\nz: 1", {("a", 1): "x"}, "a:\n- b\n- x\nz: 1"),
    "one more item in brackets": ("a: [b]", {("a", 1): "x"}, "a: [b, x]"),
    "first item": ("a: []", {("a", 0): "x"}, "a: [x]"),
    "first item, a mapping": ("a: [] # c\nz: 1", {("a", 0): {"u": 1, "h": 2}}, "a: # c\n  - u: 1\n    h: 2\nz: 1"),
    "item of no list": ("a:\nz: 1", {("a", 0, "u"): 1}, "a:\n  - u: 1\nz: 1"),
    "two items": ("a:\n  - b", {("a", 1): "x", ("a", 2): "w"}, "a:\n  - b\n  - x\n  - w"),
    "all of a way": ("z: 1", {("a", "b", 0, "c"): 1}, "z: 1\na:\n  b:\n    - c: 1"),
    "as the file indents": ("a:\n    b:\n    - 1", {("c",): {"d": [2]}}, "a:\n    b:\n    - 1\nc:\n    d:\n    - 2"),
    "into nothing": ("", {("a",): 1}, "a: 1"),
    "into comments only": ("# c", {("a",): 1}, "# c\na: 1"),
    "a key that needs quotes": ("a: 1", {("yes",): 1}, 'a: 1\n"yes": 1'),
    "lines of text": ("a: 1\nz: 1", {("z",): 2, ("b",): "x\ny"}, "a: 1\nz: 2\nb: |-\n  x\n  y"),
}

REMOVED = {
    "key": ("a: 1\nb: 2 # c\nd: 3", ("b",), "a: 1\nd: 3"),
    "first key": ("a: 1\nb: 2", ("a",), "b: 2"),
    "last key": ("a: 1\nb: 2", ("b",), "a: 1"),
    "key with lines": ("a: 1\nb:\n  - c\n  - d\ne: 1", ("b",), "a: 1\ne: 1"),
    "comments above stay": ("a: 1\n# c\nb: 2\nd: 3", ("b",), "a: 1\n# c\nd: 3"),
    "item": ("a:\n  - b\n  - c # d\n  - e", ("a", 1), "a:\n  - b\n  - e"),
    "only item": ("a:\n  - b\nz: 1", ("a", 0), "a: []\nz: 1"),
    "only key": ("a:\n  b: 1\nz: 1", ("a", "b"), "a: {}\nz: 1"),
    "behind a dash": ("a:\n  - b: 1\n    c: 2", ("a", 0, "b"), "a:\n  - c: 2"),
    "in brackets, first": ("a: [b, c]", ("a", 0), "a: [c]"),
    "in brackets, last": ("a: {b: 1, c: 2}", ("a", "c"), "a: {b: 1}"),
    "in brackets, only": ("a: [b]", ("a", 0), "a: []"),
    "not there": ("a: 1", ("b", 0), "a: 1"),
    "literal": ("a: |\n  x\n\nb: 1", ("a",), "\nb: 1"),
}

BODY = "\n# Title  \n\n---\n\nname: not mine\r\n"


def page(front: str, newline: str = "\n", mark: str = "") -> str:
    return mark + f"---\n{front}\n---\n".replace("\n", newline) + BODY


SETS = {**{f"replace {k}": v for k, v in REPLACED.items()}, **{f"insert {k}": v for k, v in INSERTED.items()}}


@pytest.mark.parametrize(("newline", "mark"), [("\n", ""), ("\r\n", "\ufeff")], ids=["lf", "crlf-bom"])
@pytest.mark.parametrize("name", SETS)
def test_only_the_value_differs(name, newline, mark):
    old, changes, new = SETS[name]
    assert set_values(page(old, newline, mark), changes) == page(new, newline, mark)


@pytest.mark.parametrize("name", SETS)
def test_it_reads_back_and_doing_it_twice_is_doing_it_once(name):
    old, changes, _ = SETS[name]
    edited = set_values(page(old), changes)
    for path, value in changes.items():
        found = parse(edited).frontmatter
        for key in path:
            found = found[key]
        assert (found, type(found)) == (value, type(value))
    assert set_values(edited, changes) == edited


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", REMOVED)
def test_what_is_removed(name, newline):
    old, path, new = REMOVED[name]
    assert remove(page(old, newline), path) == page(new, newline)


def test_the_last_key_leaves_empty_frontmatter():
    assert remove("---\na: 1\n---\nbody", ("a",)) == "---\n---\nbody"


PAGES = [
    ("", "---\na: 1\n---\n"),
    ("# Title\n", "---\na: 1\n---\n# Title\n"),
    ("# Title\r\n\r\ntext", "---\r\na: 1\r\n---\r\n# Title\r\n\r\ntext"),
    ("\ufeff# Title\n", "\ufeff---\na: 1\n---\n# Title\n"),
    ("---\n---\ntext", "---\na: 1\n---\ntext"),
    ("---\n\n---\ntext", "---\na: 1\n---\ntext"),
    ("---\nb: 1\n---", "---\nb: 1\na: 1\n---"),
    ("text\n---\nb: 1\n---\n", "---\na: 1\n---\ntext\n---\nb: 1\n---\n"),
    ("---\n\ntext after a rule\n", "---\na: 1\n---\n---\n\ntext after a rule\n"),
    ("---\r\nb: 1\n---\n", "---\r\nb: 1\r\na: 1\n---\n"),
]


@pytest.mark.parametrize(("old", "new"), PAGES)
def test_pages_of_every_shape(old, new):
    assert set_values(old, {("a",): 1}) == new


REFUSED = [
    ("---\na: [1\n---\n", {("a",): 2}, "line 3|line 2", "before it can be read"),
    ("---\na: &x 1\n---\n", {("a",): 2}, "line 2", "anchors"),
    ("---\na: 1\na: 2\n---\n", {("a",): 2}, "line 3", "twice"),
    ("---\n- a\n---\n", {("a",): 2}, "", "must be a mapping"),
    ("---\na: 1\nnever closed\n", {("a",): 2}, "", "never closed"),
    ("  ---\n  a: 1\n  ---\n", {("a",): 2}, "", "must not be indented"),
    ("---\na: text\n---\n", {("a", "b"): 2}, "", "`a.b` cannot be set: `a` is not a mapping"),
    ("---\na: {b: 1}\n---\n", {("a", 0): 2}, "", "`a[0]` cannot be set: `a` is not a list"),
    ("---\na: [1]\n---\n", {("a", 2): 2}, "", "the list has only 1 items"),
    ("---\na: 1\n---\n", {("a",): object()}, "", "cannot be set to a object"),
    ("---\na: 1\n---\n", {("a",): "half \ud800"}, "", "by hand"),
    ("---\na: 1\n---\n", {("a",): float("inf")}, "", "by hand"),
    ("---\n? a\n: 1\nb: 2\n---\n", None, "", "by hand"),
]


@pytest.mark.parametrize(("text", "changes", "line", "said"), REFUSED)
def test_what_cannot_be_done_exactly_is_refused(text, changes, line, said):
    with pytest.raises(CannotEdit) as refused:
        if changes is None:
            remove(text, ("a",))
        else:
            set_values(text, changes)
    assert said in refused.value.message
    assert not line or any(part in refused.value.message for part in line.split("|"))


NIGHT = """name: a
sources:
  - url: https://a.example/b # the guide
    retrieved: 2026-01-01
  - url: https://a.example/c
last-reviewed: 2026-01-01
"""


def test_values_that_do_not_touch_each_other_cost_one_look(monkeypatch):
    looks = []
    real = edit.pieces
    monkeypatch.setattr(edit, "pieces", lambda text: looks.append(text) or real(text))
    changes = {
        ("last-reviewed",): "2026-02-02",
        ("version-pin",): "2",
        **{("sources", at, key): f"{key}-{at}" for at in (0, 1) for key in ("hash", "retrieved", "canon", "raw")},
    }
    edited = set_values(f"---\n{NIGHT}---\nText.\n", changes)
    assert len(looks) == 1
    assert (
        edited
        == """---
name: a
sources:
  - url: https://a.example/b # the guide
    hash: hash-0
    raw: raw-0
    canon: canon-0
    retrieved: retrieved-0
  - url: https://a.example/c
    hash: hash-1
    raw: raw-1
    canon: canon-1
    retrieved: retrieved-1
last-reviewed: 2026-02-02
version-pin: "2"
---
Text.
"""
    )


def test_values_that_share_a_place_are_set_one_by_one(monkeypatch):
    """Two keys into empty brackets: what fits each alone fits not both, and the result is proved either way."""
    text = "---\na: {}\n---\n"
    edited = set_values(text, {("a", "b"): 1, ("a", "c"): 2, ("d",): 3})
    assert parse(edited).frontmatter == {"a": {"b": 1, "c": 2}, "d": 3}


KB = Corpus("kb", "kb", "entries", ())
HEAD = "name: a\ndescription: About a.\n"

MENDED = {
    "block": ("sources:\n  - url: https://x.dev/a#b\n", 'sources:\n  - url: https://x.dev/a\n    anchor: "#b"\n'),
    "remark": (
        "sources:\n- url: 'https://x.dev/a#b' # why\n  hash: x\n",
        "sources:\n- url: 'https://x.dev/a' # why\n  anchor: \"#b\"\n  hash: x\n",
    ),
    "flow": ("sources: [{url: 'https://x.dev/a#b'}]\n", "sources: [{url: 'https://x.dev/a', anchor: \"#b\"}]\n"),
    "nothing behind it": ("sources: [{url: https://x.dev/#}]\n", "sources: [{url: https://x.dev/}]\n"),
    "said twice": (
        "sources:\n  - url: https://x.dev/a#b\n    anchor: '#b'\n",
        "sources:\n  - url: https://x.dev/a\n    anchor: '#b'\n",
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("story", MENDED)
def test_story(story: str, newline: str) -> None:
    before, after = (f"---\n{HEAD}{front}---\nText #b.\n".replace("\n", newline) for front in MENDED[story])
    assert [p.mendable for p in read_strict("kb/a.md", before, KB).warnings if p.rule == "url-fragment"] in ([True], [])
    assert mended(before) == after
    assert mended(after) == after


@pytest.mark.parametrize(
    "front",
    [
        "",
        "sources: none\n",
        "sources: [text, {url: 5}, {path: src/a.py#b}]\n",
        "sources:\n  - url: https://x.dev/a#b\n    anchor: '#c'\n",
    ],
)
def test_what_needs_a_person_is_left(front: str) -> None:
    text = f"---\n{HEAD}{front}---\nText.\n"
    assert mended(text) == text
    assert not any(p.mendable for p in read_strict("kb/a.md", text, KB).warnings)
    assert mended("# No frontmatter\n") == "# No frontmatter\n"
