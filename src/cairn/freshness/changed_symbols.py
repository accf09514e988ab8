"""Notes about symbols: a document names something whose interface changed, and may still be right."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cairn.freshness.doubt import Doubt, Reason
from cairn.freshness.pages import Pages
from cairn.freshness.vanished import ChangedFile, is_product
from cairn.kernel.code.model import Outline, Probe, Symbol


class _SymbolChange(NamedTuple):
    old: Symbol
    new: Symbol

    @property
    def moved(self) -> bool:
        return self.old.path != self.new.path


def symbol_notes(files: Sequence[ChangedFile], pages: Pages, probe: Probe | None) -> Iterator[Doubt]:
    """Every line that names a symbol which is defined elsewhere now, or in another way."""
    changed = {one.old.short: one for one in _changes(files, probe)}
    for name, documents in pages.having(changed.keys()).items():
        for path in documents:
            page = pages.page(path)
            for found in page.occurrences(name):
                if found.place == "span" and not page.is_about_the_past(found.line):
                    yield _note(path, found.line, found.text, changed[name])


def _changes(files: Sequence[ChangedFile], probe: Probe | None) -> Iterator[_SymbolChange]:
    code = [file for file in files if is_product(file.path)]
    old = [symbol for file in code for symbol in _symbols(file.path, file.old, probe)]
    new = [symbol for file in code for symbol in _symbols(file.path, file.new, probe)]
    there = {symbol.reference: symbol for symbol in new}
    by_name = {symbol.name: symbol for symbol in new}
    for symbol in old:
        now = there.get(symbol.reference) or by_name.get(symbol.name)
        if now is not None and (now.interface != symbol.interface or now.path != symbol.path):
            yield _SymbolChange(symbol, now)


def _symbols(path: str, data: bytes | None, probe: Probe | None) -> Sequence[Symbol]:
    from cairn.kernel.code.read import outline

    found: Outline | None = outline(path, data, probe) if data else None
    return found.symbols if found else ()


def _note(path: str, line: int, text: str, change: _SymbolChange) -> Doubt:
    old, new = change.old, change.new
    reason = Reason.MOVED if change.moved else Reason.CHANGED
    did = f"moved from {old.path} to {new.path}" if change.moved else f"changed in {new.path}"
    return Doubt(
        path, line, text, old.short, reason, f"`{old.name}` {did}.", new.path, new.line, old.shown, new.shown,
        False, old.line, "Read the sentence; update it if it is no longer true.",
    )  # fmt: skip
