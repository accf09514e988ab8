"""Notes about symbols: a document names something whose interface changed, and may still be right."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cairn.freshness.diff.doubt import Doubt, Reason
from cairn.freshness.diff.pages import Pages
from cairn.freshness.diff.vanished import ChangedFile, is_product
from cairn.lib.code.model import Outline, Probe, Symbol


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
        if now is not None and (now.shown != symbol.shown or now.path != symbol.path):
            yield _SymbolChange(symbol, now)


def _symbols(path: str, data: bytes | None, probe: Probe | None) -> Sequence[Symbol]:
    from cairn.lib.code.read import outline

    found: Outline | None = outline(path, data, probe) if data else None
    return found.symbols if found else ()


def _difference(old: str, new: str) -> str:
    """What changed from one signature to the other."""
    before, after = _parameters(old), _parameters(new)
    gained, lost = [name for name in after if name not in before], [name for name in before if name not in after]
    other = [name for name in after if name in before and before[name] != after[name]]
    said = [f"gained the parameter `{name}`" for name in gained] + [f"lost the parameter `{name}`" for name in lost]
    said += [f"has `{after[name]}` instead of `{before[name]}`" for name in other]
    return " and ".join(said) if said and len(said) <= _FEW else "has another signature"


_FEW = 2


def _parameters(shown: str) -> dict[str, str]:
    """By name: each parameter as the signature has it."""
    depth, parts, inside = 0, [""], shown.partition("(")[2]
    for char in inside:
        depth += (char in "([{") - (char in ")]}")
        if depth < 0:
            break
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return {found[0]: part.strip() for part in parts if (found := re.search(r"\w+", part))}


def _note(path: str, line: int, text: str, change: _SymbolChange) -> Doubt:
    old, new = change.old, change.new
    reason = Reason.MOVED if change.moved else Reason.CHANGED
    did = f"moved from {old.path} to {new.path}" if change.moved else _difference(old.shown, new.shown)
    return Doubt(
        path, line, text, old.short, reason, f"`{old.name}` {did}.", new.path, new.line, old.shown, new.shown,
        False, old.line, "Read the sentence; update it if it is no longer true.",
    )  # fmt: skip
