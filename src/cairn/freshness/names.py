"""Doubts about names: a document writes a word as code that the code no longer has."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from cairn.freshness.definition import Definition
from cairn.freshness.doubt import Doubt, Reason
from cairn.freshness.pages import Pages
from cairn.freshness.vanished import Grep, LostWords, Vanished, composed, is_product, standing
from cairn.kernel.repository.definitions import is_type_named
from cairn.kernel.repository.mentions import is_shaped

if TYPE_CHECKING:
    from cairn.freshness.occurrence import Occurrence


def name_doubts(lost: LostWords, pages: Pages, grep: Grep) -> Iterator[Doubt]:
    having = pages.having(lost.by_written.keys())
    defined = {written: one for written in having if (one := lost.definition_of(written))}
    if many := len({path for written in defined for path in having[written]}) > _FEW_PAGES:
        defined = _gone(defined, lost, grep)
    places = {
        written: [(path, found) for path, found in _current(pages, having[written], written) if _may_mean(one, found)]
        for written, one in defined.items()
    }
    written_as_code = {written: one for written, one in defined.items() if places[written]}
    gone = written_as_code if many else _gone(written_as_code, lost, grep)
    made = composed(gone, grep) if gone else set()
    for written, definition in gone.items():
        if written in made:
            continue
        vanished = lost.describe(written, definition)
        ours = Ours(vanished, pages, grep)
        yield from (_doubt(path, one, vanished) for path, one in places[written] if ours.is_meant(path, one))


_FEW_PAGES = 8
"""Pages that are parsed sooner than all of the code is searched."""


def _gone(defined: Mapping[str, Definition], lost: LostWords, grep: Grep) -> dict[str, Definition]:
    there = standing(defined, grep)
    return {word: one for word, one in defined.items() if word not in there and not lost.is_path_name(word)}


def _current(pages: Pages, paths: Iterable[str], word: str) -> "Iterator[tuple[str, Occurrence]]":
    for path in paths:
        page = pages.page(path)
        yield from ((path, one) for one in page.occurrences(word) if not page.is_about_the_past(one.line))


def _may_mean(definition: Definition, one: "Occurrence") -> bool:
    """Whether this place of a document can name what the code defined, as far as the two alone show."""
    if one.program or (one.declared and definition.kind != "symbol"):
        return False
    if one.is_key and definition.kind == "string" and not one.in_data:
        return False
    return not one.quoted or is_shaped(one.word) or definition.kind == "key" or one.in_data


class Ours:
    """Whether a word in a document is the one of the code, not that of something else with the same name."""

    def __init__(self, vanished: Vanished, pages: Pages, grep: Grep) -> None:
        self._vanished = vanished
        self._pages = pages
        self._grep = grep
        self._types: dict[str, bool] = {}

    def is_meant(self, path: str, one: "Occurrence") -> bool:
        if one.base[:1].isupper():
            return one.base in self._vanished.owners or self._is_our_type(one.base)
        return not one.base or is_shaped(one.word) or self._is_our_object(path, one.base)

    def _is_our_type(self, base: str) -> bool:
        """A member of a type that the code defines cannot be anything else's."""
        if base not in self._types:
            self._types[base] = any(is_product(path) and is_type_named(base, line) for path, line in self._grep([base]))
        return self._types[base]

    def _is_our_object(self, path: str, base: str) -> bool:
        """Whether a variable may hold something of ours: by its name, or because the page names the type."""
        if base.lower() in self._pages.packages:
            return True
        if base in sys.stdlib_module_names:
            return False
        owners = [owner for owner in self._vanished.owners if len(owner) > 1]
        if any(base.lower() in owner.lower() or owner.lower() in base.lower() for owner in owners):
            return True
        return any(owner in self._pages.page(path).text for owner in owners)


def _doubt(path: str, one: "Occurrence", vanished: Vanished) -> Doubt:
    was = vanished.definition
    new = vanished.successor if was.word == vanished.written else None
    reason = Reason.RENAMED if new else Reason.REMOVED
    did = f"renamed to `{new}`" if new else f"removed from {was.path}"
    message = f"`{vanished.written}` no longer exists: {did}."
    fix = f"Write `{new}`." if new else "Update or remove this sentence."
    line, text = (vanished.new_line, vanished.new_text) if new else (None, "")
    return Doubt(
        path, one.line, one.text, vanished.written, reason, message, was.path, line, was.text, text, True, was.line, fix
    )
