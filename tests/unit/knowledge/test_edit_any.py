"""Frontmatter of any shape and style: an edit changes what it names and nothing else.

The generator writes a value as people do: blocks and brackets, three kinds of quotes, literal and folded text,
comments, blank lines and odd indentation.
"""

import json
from collections import Counter

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from cairn.errors import CannotEdit
from cairn.knowledge.edit import remove, set_values
from cairn.lib.markdown.frontmatter import split
from cairn.lib.yaml.parse import YamlProblem, load_yaml
from cairn.lib.yaml.write import is_plain, mapping_text

# Some have a place of their own among the others, most have not.
KEYS = st.one_of(
    st.text("abcdefgh-_.", min_size=1, max_size=6).filter(is_plain),
    st.sampled_from(["name", "topics", "volatility", "last-reviewed", "sources", "url", "hash", "retrieved"]),
)
WORDS = st.sampled_from(
    ["one", "two words", "https://a.example/x#y", "it's", 'a "b"', "2026-01-01", "Größe", "知識", "a#b"]
)
NASTY = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TEXTS = st.one_of(
    WORDS, NASTY, st.lists(WORDS, min_size=2, max_size=3).map("\n".join), WORDS.map(lambda text: text + "\n")
)
SCALARS = st.one_of(TEXTS, st.none(), st.booleans(), st.integers(-9999, 9999), st.sampled_from([0.5, -2.25]))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)
COMMENTS = ["", "", "", "  ", " # a remark", "\t# - not: [an item]"]


REMARKS = ["# a remark", "# - not: [an item]", "# about the next", "# at the margin"]


class Writer:
    """Writes a value in a random style; every choice is drawn, so that a failure shrinks."""

    def __init__(self, draw):
        self.draw = draw
        self.dash = self.pick([0, 2, 4])
        self.step = self.pick([1, 2, 4])

    def pick(self, choices):
        return self.draw(st.sampled_from(choices))

    def mapping(self, value, column):
        lines = []
        for key, item in value.items():
            lines += self.gap(column) + self.under(f"{' ' * column}{self.key(key)}:", item, column)
        return lines

    def gap(self, column):
        return self.pick([[], [], [], [""], [f"{' ' * column}# about the next"], ["# at the margin"]])

    def key(self, key):
        return self.pick([key, key, f"'{key}'", f'"{key}"'])

    def under(self, head, value, column):
        """What stands behind `key:` or `-`."""
        remark = self.pick(COMMENTS)
        if value and isinstance(value, dict | list) and self.pick([True, True, False]):
            if isinstance(value, dict):
                return [head + remark, *self.mapping(value, column + self.step)]
            offset = column + self.dash if head.endswith(":") else column + 2
            return [head + remark, *self.items(value, offset)]
        if isinstance(value, str) and (block := self.block(head, value, column + self.step + 1, remark)):
            return block
        if value is None and self.pick([True, False]):
            return [head + remark]
        return [f"{head}{self.pick([' ', '  '])}{self.inline(value)}{remark}"]

    def items(self, value, column):
        lines = []
        for item in value:
            if isinstance(item, dict) and item and self.pick([True, False]):
                first, *rest = self.mapping_close(item, column + 2)
                lines += [f"{' ' * column}- {first.lstrip(' ')}", *rest]
            else:
                lines += self.gap(column) + self.under(f"{' ' * column}-", item, column)
        return lines

    def mapping_close(self, value, column):
        return [
            line for key, item in value.items() for line in self.under(f"{' ' * column}{self.key(key)}:", item, column)
        ]

    def block(self, head, value, column, remark):
        """A literal or folded block, if the text allows it."""
        style = self.pick(["", "|", ">"])
        body = value.rstrip("\n")
        ending = len(value) - len(body)
        if not style or not body or ending > 1 or ("\n" in body and style == ">"):
            return None
        if any(not line or line[0] in " \t" or not line.isprintable() for line in body.split("\n")):
            return None
        header = style + ("-" if not ending else "")
        return [f"{head} {header}{remark.replace(chr(9), ' ')}", *(" " * column + line for line in body.split("\n"))]

    def inline(self, value):
        if isinstance(value, dict):
            return "{" + ", ".join(f"{json.dumps(key)}: {self.inline(item)}" for key, item in value.items()) + "}"
        if isinstance(value, list):
            return "[" + self.pick([",", ", ", " , "]).join(map(self.inline, value)) + "]"
        if not isinstance(value, str):
            return json.dumps(value)
        if value.isprintable() and self.pick([True, False]):
            return value if is_plain(value, flow=True) else "'" + value.replace("'", "''") + "'"
        return json.dumps(value)


@st.composite
def pages(draw):
    """A page and what its frontmatter says."""
    value = draw(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4))
    writer = Writer(draw)
    newline = writer.pick(["\n", "\r\n"])
    front = newline.join(writer.mapping(value, 0))
    text = f"---{newline}{front}{newline}---{newline}body: stays{newline}"
    return text, value


def frontmatter(text):
    """The values with the line break behind the last of them, as YAML means it."""
    return load_yaml(split(text).raw + "\n") or {}


def paths(value, at=()):
    """Every place of a value, inner ones too."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in children:
        yield (*at, key)
        yield from paths(item, (*at, key))


def placed(value, path, wanted):
    key, *rest = path
    copy = dict(value) if isinstance(value, dict) else [*value, None] if key == len(value) else list(value)
    copy[key] = placed(copy[key], tuple(rest), wanted) if rest else wanted
    return copy


def without(value, path):
    key, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    if rest:
        copy[key] = without(copy[key], tuple(rest))
    else:
        del copy[key]
    return copy


def exact(value):
    """Told apart by type as well: `1`, `1.0` and `true` are not the same."""
    return json.dumps(value, sort_keys=True)


many = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def readable(text, value):
    """The generator is generous: what our reader refuses or reads otherwise is no page to edit."""
    try:
        return split(text).raw is not None and exact(frontmatter(text)) == exact(value)
    except YamlProblem:
        return False


@many
@given(pages(), st.data())
def test_an_edit_changes_what_it_names_and_nothing_else(made, data):
    text, value = made
    assume(readable(text, value))
    path = data.draw(st.sampled_from(sorted(paths(value), key=str)))
    wanted = data.draw(VALUES)
    edited = set_values(text, {path: wanted})
    assert exact(frontmatter(edited)) == exact(placed(value, path, wanted))
    assert split(edited).body == split(text).body
    assert set_values(edited, {path: wanted}) == edited


@many
@given(pages(), st.data())
def test_other_lines_stay_as_they_are(made, data):
    """Where a scalar is replaced by a word, no line goes but its own, and no remark."""
    text, value = made
    assume(readable(text, value))
    places = [path for path in paths(value) if not isinstance(found(value, path), dict | list)]
    assume(places)
    path = data.draw(st.sampled_from(sorted(places, key=str)))
    edited = set_values(text, {path: "word"})
    assert [edited.count(remark) for remark in REMARKS] == [text.count(remark) for remark in REMARKS]
    gone = Counter(text.splitlines(keepends=True)) - Counter(edited.splitlines(keepends=True))
    old = found(value, path)
    own = old.count("\n") + 2 if isinstance(old, str) else 1
    assert gone.total() <= own


@many
@given(pages(), KEYS, VALUES, st.data())
def test_a_new_key_adds_lines_or_characters_and_takes_none(made, key, wanted, data):
    text, value = made
    assume(readable(text, value))
    homes = [(), *(path for path in paths(value) if isinstance(found(value, path), dict))]
    home = data.draw(st.sampled_from(sorted(homes, key=str)))
    assume(key not in found(value, home))
    edited = set_values(text, {(*home, key): wanted})
    assert exact(frontmatter(edited)) == exact(placed(value, (*home, key), wanted))
    assert is_subsequence(text, edited)
    back = remove(edited, (*home, key))
    assert exact(frontmatter(back)) == exact(value)


@many
@given(pages(), st.data())
def test_what_is_removed_is_gone_and_the_rest_is_there(made, data):
    text, value = made
    assume(readable(text, value))
    path = data.draw(st.sampled_from(sorted(paths(value), key=str)))
    try:
        edited = remove(text, path)
    except CannotEdit:
        return  # refused and untouched is allowed; something else changed is not
    assert exact(frontmatter(edited)) == exact(without(value, path))
    assert split(edited).body == split(text).body


@many
@given(pages(), st.dictionaries(KEYS, SCALARS, min_size=1, max_size=4))
def test_many_changes_at_once_are_the_same_as_one_after_the_other(made, wanted):
    text, value = made
    assume(readable(text, value))
    changes = {(key,): item for key, item in wanted.items()}
    edited = set_values(text, changes)
    assert exact(frontmatter(edited)) == exact({**value, **wanted})


@many
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=5))
def test_what_is_written_anew_reads_back(value):
    assert exact(load_yaml(mapping_text(value))) == exact(value)
    assert exact(frontmatter(set_values("body\n", {(key,): item for key, item in value.items()}))) == exact(value)


def found(value, path):
    for key in path:
        value = value[key]
    return value


def is_subsequence(short, long):
    rest = iter(long)
    return all(character in rest for character in short)
