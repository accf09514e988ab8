"""Doubts about names: a document writes a word as code that the code no longer has."""

from collections.abc import Iterator

from cairn.freshness.definition import Definition
from cairn.freshness.doubt import Doubt, Reason
from cairn.freshness.occurrence import Occurrence
from cairn.freshness.pages import Pages
from cairn.freshness.vanished import Grep, LostWords, Vanished, standing
from cairn.kernel.repository.mentions import is_shaped


def name_doubts(lost: LostWords, pages: Pages, grep: Grep) -> Iterator[Doubt]:
    defined: dict[str, Definition] = {}
    places: dict[str, list[tuple[str, Occurrence]]] = {}
    for written, documents in pages.having(lost.by_written.keys()).items():
        word, files = lost.by_written[written]
        found = [(path, one) for path in documents for one in _current(pages, path, written)]
        definition = lost.definition(word, files) if found else None
        if definition is not None and definition.kind != "use":
            defined[written], places[written] = definition, found
    there = standing({(written, one.word) for written, one in defined.items()}, grep)
    for written, definition in defined.items():
        if written not in there and written not in lost.path_names:
            vanished = lost.describe(written, definition)
            yield from (_doubt(path, one, vanished) for path, one in places[written] if _means_it(one, vanished))


def _current(pages: Pages, path: str, word: str) -> Iterator[Occurrence]:
    page = pages.page(path)
    return (one for one in page.occurrences(word) if not page.is_about_the_past(one.line))


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
    did = f"renamed to `{new}`" if new else f"removed from {was.path}"
    message = f"`{vanished.written}` no longer exists: {did}."
    fix = f"Write `{new}`." if new else "Update or remove this sentence."
    line = vanished.new_line if new else None
    return Doubt(
        path, one.line, one.text, vanished.written, reason, message, was.path, line, was.text, "", True, was.line, fix
    )
