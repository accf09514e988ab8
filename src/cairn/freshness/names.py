"""Doubts about names: a document writes a word as code that the code no longer has."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cairn.freshness.definition import Definition
from cairn.freshness.doubt import Doubt, Reason
from cairn.freshness.occurrence import Occurrence
from cairn.freshness.vanished import Grep, LostWords, Vanished, standing
from cairn.kernel.repository.mentions import is_shaped

if TYPE_CHECKING:
    from cairn.freshness.survey import Pages


def name_doubts(lost: LostWords, pages: "Pages", grep: Grep) -> Iterator[Doubt]:
    defined: dict[str, Definition] = {}
    places: dict[str, list[tuple[str, Occurrence]]] = {}
    for written, documents in pages.having(lost.by_written.keys()).items():
        word, files = lost.by_written[written]
        found = [(path, one) for path in documents for one in _current(pages, path, written)]
        definition = lost.definition(word, files) if found else None
        import os
        if definition is not None and (definition.kind != "use" or os.environ.get("USES")):
            defined[written], places[written] = definition, found
    there = standing({(written, one.word) for written, one in defined.items()}, grep)
    for written, definition in defined.items():
        if written not in there:
            vanished = lost.describe(written, definition)
            yield from (_doubt(path, one, vanished) for path, one in places[written] if _means_it(one, vanished))


def _current(pages: "Pages", path: str, word: str) -> Iterator[Occurrence]:
    page = pages.page(path)
    for one in page.occurrences(word) if page is not None else ():
        if page is not None and not page.is_about_the_past(one.line):
            yield one


def _means_it(one: Occurrence, vanished: Vanished) -> bool:
    """Whether the word in the document is the one of the code, not that of something else with the same name."""
    if one.program:
        return False
    if one.quoted and not is_shaped(one.word) and not (vanished.definition.kind == "key" or one.in_data):
        return False
    if one.base and not is_shaped(one.word):
        base = one.base.lower()
        return any(base in owner.lower() or owner.lower() in base for owner in vanished.owners)
    if one.base[:1].isupper():
        return one.base in vanished.owners
    return True


def _doubt(path: str, one: Occurrence, vanished: Vanished) -> Doubt:
    was = vanished.definition
    new = vanished.successor if was.word == vanished.written else None
    reason = Reason.RENAMED if new else Reason.REMOVED
    import os
    if os.environ.get("KIND"): reason = was.kind
    did = f"renamed to `{new}`" if new else f"removed from {was.path}"
    message = f"`{vanished.written}` no longer exists: {did}."
    fix = f"Write `{new}`." if new else "Update or remove this sentence."
    line = vanished.new_line if new else None
    return Doubt(
        path, one.line, one.text, vanished.written, reason, message, was.path, line, was.text, "", True, was.line, fix
    )
