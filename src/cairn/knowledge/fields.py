"""The fields of an entry: their names in each layout, what their values must be, and on which line a value stands."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

from cairn.core.model.knowledge import EntryStatus, Layout, Volatility
from cairn.knowledge.values import (
    DATE,
    FINE,
    Step,
    ValueRule,
    Wrong,
    choice,
    exactly,
    pattern,
    quoted,
    source_list,
    text,
    texts,
)

Group = Literal["identity", "provenance", "freshness", "trust"]
Names = tuple[str, ...]


class Field(NamedTuple):
    attribute: str
    """Of `Entry`."""
    group: Group
    rule: ValueRule
    entries: Names
    """Names in the layout `entries`, the one that is written first; none where the layout does not know it."""
    nodes: Names
    artefacts: Names
    nodes_rule: ValueRule | None = None
    """Where the layout `nodes` asks for more."""
    artefacts_rule: ValueRule | None = None

    def names(self, layout: Layout) -> Names:
        return self.nodes if layout == "nodes" else self.artefacts if layout == "artefacts" else self.entries

    def rule_in(self, layout: Layout) -> ValueRule:
        special = {"nodes": self.nodes_rule, "artefacts": self.artefacts_rule}.get(layout)
        return special or self.rule


# --- rules that only one field has ----------------------------------------------------------------------------------

_SLUG = pattern(
    r"[a-z][a-z0-9-]*", "start with a lower-case letter and go on with lower-case letters, digits and hyphens"
)
_NODE_ID = pattern(
    r"(?:practice|map)-[a-z0-9]+(?:-[a-z0-9]+)*",
    "start with `practice-` or `map-` and go on with words joined by hyphens",
)
_TEXT, _MAYBE, _TEXTS = text(), text(empty=True), texts()


def _check_edition(value: Any) -> Iterable[Wrong]:
    if isinstance(value, bool):
        said = "is the edition of the subject, a text; to keep the entry's own version as it is, write `version_pin`."
        return (Wrong(said, f"version_pin: {str(value).lower()}"),)
    return _MAYBE.check(value)


def _check_frozen(value: Any) -> Iterable[Wrong]:
    if isinstance(value, bool):
        return FINE
    said = "is a switch, `true` or `false`; for the edition of the subject write `version-pin`."
    return (Wrong(said, f"version-pin: {quoted(value)[1:-1]}"),)


def _check_needs(value: Any) -> Iterable[Wrong]:
    """Of a procedure: other procedures, by id alone or in a mapping that says more."""
    if isinstance(value, list):
        value = [item.get("id") if isinstance(item, dict) else item for item in value]
    return _TEXTS.check(value)


def _take_needs(value: Any) -> Any:
    items = value if isinstance(value, list) else [value]
    return _TEXTS.take([item.get("id") if isinstance(item, dict) else item for item in items])


_EDITION = ValueRule(_check_edition, _MAYBE.take)
_FROZEN = ValueRule(_check_frozen, lambda value: value is True)
_NEEDS = ValueRule(_check_needs, _take_needs)
_VOLATILITY = choice([v.value for v in Volatility], Volatility, Volatility.EVOLVING)
_STATUS = choice([s.value for s in EntryStatus], EntryStatus, empty=True)


# --- the table ------------------------------------------------------------------------------------------------------


def _both(name: str) -> Names:
    return name, name.replace("_", "-")


def _same(attribute: str, group: Group, rule: ValueRule, names: Names, nodes_rule: ValueRule | None = None) -> Field:
    """A field that all layouts call the same."""
    return Field(attribute, group, rule, names, names, names, nodes_rule)


_REVIEWED = _both("last_reviewed")
_DEPENDS = _both("depends_on")

FIELDS: tuple[Field, ...] = (
    Field("name", "identity", _SLUG, ("name",), ("id",), ("id",), _NODE_ID),
    Field("title", "identity", _TEXT, ("title",), ("title",), ("title", "name"), text(80)),
    Field("summary", "identity", _TEXT, ("description",), ("summary",), ("description", "summary"), text(140)),
    Field("topics", "identity", _TEXTS, ("topics", "tags"), ("tags",), ("topics", "tags")),
    Field("kind", "identity", choice(("practice", "map")), (), ("kind",), ()),
    Field("schema_version", "identity", exactly(1, 2), (), ("schema_version",), ()),
    _same("derived_from", "provenance", _TEXTS, _both("derived_from")),
    _same("relates_to", "provenance", _TEXTS, _both("relates_to")),
    Field("depends_on", "provenance", _TEXTS, _DEPENDS, _DEPENDS, ("requires", *_DEPENDS), artefacts_rule=_NEEDS),
    _same("confidence", "provenance", choice(("low", "medium", "high")), ("confidence",)),
    _same("volatility", "freshness", _VOLATILITY, ("volatility",)),
    Field("last_reviewed", "freshness", DATE, _REVIEWED[::-1], _REVIEWED, _REVIEWED),
    _same("edition", "freshness", _EDITION, ("version-pin",)),
    _same("sources", "freshness", source_list(strict=False), ("sources",), source_list(strict=True)),
    _same("status", "trust", _STATUS, ("status",)),
    _same("version", "trust", _MAYBE, ("version",)),
    _same("origin", "trust", _MAYBE, ("origin",)),
    _same("version_frozen", "trust", _FROZEN, ("version_pin",)),
    _same("superseded_by", "trust", _MAYBE, _both("superseded_by")),
)

REQUIRED: Mapping[Layout, frozenset[str]] = {
    "entries": frozenset({"name", "description"}),
    "nodes": frozenset({"schema_version", "id", "title", "kind", "summary", "confidence"}),
    "artefacts": frozenset({"id"}),
    "plain": frozenset(),
}
"""As they are written. A list that is missing says the same as an empty one, so none is required."""

COMPUTED = frozenset({"observations", "cohort", "cohort_stats", "cohort-stats"})
"""What is counted when an entry is read. A page that could say it of itself could vouch for itself."""

EARLIER = frozenset({"valid_from", "valid_until", "updated", "supersedes"})
"""Of nodes as the program before Cairn once wrote them: they stay as they are, and nobody asks for them."""

CHECKED_ONLY = frozenset({"kind", "schema_version"})
"""Of the layout `nodes`, and not taken into the `Entry`: its kind is where it lies."""


@cache
def fields_by_name(layout: Layout) -> Mapping[str, Field]:
    """Every name that a layout reads, with its field."""
    return {name: field for field in FIELDS for name in field.names(layout)}


class Taker(NamedTuple):
    """How the tolerant reader comes by one field."""

    attribute: str
    names: Names
    """Where to look, in order: the layout's own names, then those of other layouts that mean nothing else here."""
    take: Callable[[Any], Any]


@cache
def takers(layout: Layout) -> tuple[Taker, ...]:
    known = fields_by_name(layout)
    return tuple(
        Taker(field.attribute, _wherever(field, layout, known), field.rule_in(layout).take)
        for field in FIELDS
        if field.attribute not in CHECKED_ONLY
    )


def _wherever(field: Field, layout: Layout, known: Mapping[str, Field]) -> Names:
    others = (name for name in (*field.entries, *field.nodes, *field.artefacts) if name not in known)
    return tuple(dict.fromkeys((*field.names(layout), *others)))


def written_name(attribute: str, layout: Layout) -> str:
    """What a field is called when Cairn writes it into a page of this layout."""
    return next(field.names(layout)[0] for field in FIELDS if field.attribute == attribute)


def reviewed_key(frontmatter: Mapping[str, Any], layout: Layout) -> str:
    """Where a page says when it was last reviewed: as it spells that already, else as its layout does."""
    spellings = ("last-reviewed", "last_reviewed")
    return next((key for key in spellings if key in frontmatter), written_name("last_reviewed", layout))


def other_name(name: str, layout: Layout) -> str:
    """What this layout calls a field that other layouts call so: `summary` for `description`."""
    for field in FIELDS:
        known = (*field.entries, *field.nodes, *field.artefacts)
        if name in known and field.names(layout):
            return field.names(layout)[0]
    return ""


_KEY = re.compile(
    r"""(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<plain>[^\s#"'\[{](?:[^:#\s]|\s++(?!:))*+))[ \t]*+:(?=\s|$)"""
)
_ITEM = re.compile(r"-(?:[ \t]+|(?=\r?$))")


MOST_COMPOSED = 20_000
"""Characters that are given to the parser; of longer frontmatter in flow style the line of the key has to do."""


class YamlBlock(NamedTuple):
    """A mapping or a list in block style."""

    first: int
    """Its first line, from 0."""
    end: int
    """The line after its last."""
    column: int
    """In which its keys or dashes stand."""


Place = tuple[int, YamlBlock | None]
"""The line of a key or an item, from 0, and what stands behind or below it."""


class YamlPlaces:
    """Where things stand in one frontmatter. What was found is remembered: many problems lie side by side."""

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._lines = raw.split("\n")
        self._keys: dict[tuple[YamlBlock, str], Place | None] = {}
        self._items: dict[YamlBlock, list[int]] = {}
        self._composed: Any = None

    def line(self, steps: Sequence[Step]) -> int:
        """The line, from 1, on which the value at these steps begins; of its parent if it is missing."""
        number, block = 0, self._below(0, len(self._lines))
        for step in steps:
            if block is None:
                break
            found = None
            if self._lines[block.first][block.column] not in "{[":
                found = self._item(block, step) if isinstance(step, int) else self._known_key(block, step)
            if found is None:
                return number + 1 if self._is_one_line(block) else self._composed_line(steps, number + 1)
            number, block = found
        return number + 1

    def _is_one_line(self, block: YamlBlock) -> bool:
        return not any(self._lines[number].strip() for number in range(block.first + 1, block.end))

    def _below(self, start: int, end: int) -> YamlBlock | None:
        """What begins on the first of these lines that says anything."""
        first = next((n for n in range(start, end) if _says_something(self._lines[n])), None)
        return None if first is None else YamlBlock(first, end, _indent(self._lines[first]))

    def _known_key(self, block: YamlBlock, key: str) -> Place | None:
        if (block, key) not in self._keys:
            self._keys[block, key] = self._key(block, key)
        return self._keys[block, key]

    def _key(self, block: YamlBlock, key: str) -> Place | None:
        for number in range(block.first, block.end):
            line = self._lines[number]
            before = line[: block.column].strip()
            if before and (number > block.first or before.strip("- ")):
                continue
            written = _KEY.match(line, block.column)
            if written and key in written.group("double", "single", "plain"):
                return number, self._value(number, self._end(number, block), written.end())
        return None

    def _end(self, number: int, block: YamlBlock) -> int:
        """Where what belongs to the key on this line ends. A list may start in the column of its key."""
        for after in range(number + 1, block.end):
            line = self._lines[after]
            if _says_something(line) and _indent(line) <= block.column and not _ITEM.match(line, block.column):
                return after
        return block.end

    def _item(self, block: YamlBlock, place: int) -> Place | None:
        if block not in self._items:
            self._items[block] = self._item_starts(block)
        starts = self._items[block]
        if place >= len(starts):
            return None
        number = starts[place]
        end = starts[place + 1] if place + 1 < len(starts) else block.end
        dash = _ITEM.match(self._lines[number], block.column)
        column = dash.end() if dash else block.column
        return number, self._value(number, end, column)

    def _value(self, number: int, end: int, column: int) -> YamlBlock | None:
        """Behind a key or a dash, or below it."""
        line = self._lines[number]
        rest = line[column:].strip()
        if rest and not rest.startswith("#"):
            return YamlBlock(number, end, column + len(line[column:]) - len(line[column:].lstrip()))
        return self._below(number + 1, end)

    def _item_starts(self, block: YamlBlock) -> list[int]:
        if not _ITEM.match(self._lines[block.first], block.column):
            return []
        after = range(block.first + 1, block.end)
        same = [
            n for n in after if _indent(self._lines[n]) == block.column and _ITEM.match(self._lines[n], block.column)
        ]
        return [block.first, *same]

    def _composed_line(self, steps: Sequence[Step], otherwise: int) -> int:
        if len(self._raw) > MOST_COMPOSED:
            return otherwise
        self._composed = self._composed or _compose(self._raw)
        node = self._composed
        for step in steps:
            below = _member(node, step)
            if below is None:
                break
            node = below
        return int(node.start_mark.line) + 1 if node is not None else otherwise


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _says_something(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith("#")


def _compose(raw: str) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).compose(raw)
    except (YAMLError, ValueError, RecursionError):
        return None


def _member(node: Any, step: Step) -> Any:
    if isinstance(step, int):
        items = node.value if node is not None and node.id == "sequence" else []
        return items[step] if step < len(items) else None
    pairs = node.value if node is not None and node.id == "mapping" else []
    return next((value for key, value in pairs if key.value == step), None)


# --- JSON -----------------------------------------------------------------------------------------------------------

_BLANK = re.compile(r"[ \t\r\n]*")


def json_line(text: str, steps: Sequence[Step]) -> int:
    """The line of a JSON text, which must be one, on which the value at these steps begins; of its parent if not."""
    at = _skip(text, 0)
    for step in steps:
        found = _within(text, at, step)
        if found is None:
            break
        at = found
    return text.count("\n", 0, at) + 1


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _within(text: str, at: int, step: Step) -> int | None:
    """Where the member of the object or array that begins here begins."""
    from json import JSONDecoder

    decode = JSONDecoder().raw_decode
    is_object, position, place = text[at] == "{", _skip(text, at + 1), 0
    if text[at] not in "{[":
        return None
    while text[position] not in "}]":
        name: object = place
        if is_object:
            name, position = decode(text, position)
            position = _skip(text, _skip(text, position) + 1)
        if name == step:
            return position
        _, position = decode(text, position)
        position, place = _skip(text, position), place + 1
        if text[position] == ",":
            position = _skip(text, position + 1)
    return None
