"""The fields of an entry, one table: what each is called in each layout, and what its value must be.

Names with two words are read with a hyphen and with an underscore; a layout writes the one that stands first. One pair
is an exception, because both were there before us: `version-pin` is text about the subject, `version_pin` is a switch.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

from cairn.core.model.knowledge import EntryStatus, Layout, Volatility
from cairn.knowledge.values import (
    DATE,
    FINE,
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
