"""What a path source points at, with the digest of its normal form, and where a symbol went that is gone."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from cairn.lib.code.model import Outline, Symbol, decode, digest_of, digest_of_bytes, lines_of, normal_text
from cairn.lib.document.document import format_of

_LINES: Final = re.compile(r"[Ll](\d{1,9})(?:C\d+)?(?:-[Ll]?(\d{1,9})(?:C\d+)?)?")
_DATA: Final = frozenset({"json", "yaml", "toml", "ini", "env"})
_PARENTHESES: Final = re.compile(r"\([^()]*\)$")


class AnchorPlace(NamedTuple):
    digest: str
    """`sha256:` and the hex digest of the normal form."""
    line: int
    end_line: int
    shown: str
    """What is there, for people."""
    note: str = ""
    """Why the place is known less exactly than it could be."""


def locate(outline: Outline, data: bytes, anchor: str | None) -> AnchorPlace | None:
    """The place that is meant, or None when the file has no such thing."""
    wanted = (anchor or "").strip().removeprefix("#")
    if not wanted:
        return AnchorPlace(f"sha256:{outline.digest}", 1, max(1, len(lines_of(data))), outline.path, outline.note)
    if found := _LINES.fullmatch(wanted):
        return _lines(data, int(found[1]), int(found[2] or found[1]))
    if symbols := find_symbols(outline, wanted):
        return _symbols(symbols, outline.note)
    if outline.language in _DATA:
        return _key(outline, data, wanted)
    return _heading(_as_markdown(outline.path, data), wanted) if format_of(outline.path) else None


def _as_markdown(path: str, data: bytes) -> bytes:
    """The same lines, with the headings of any format as those of Markdown."""
    if format_of(path) == "markdown":
        return data
    from cairn.lib.document.document import readable

    return readable(path, data.decode("utf-8", "replace")).encode()


def find_symbols(outline: Outline, wanted: str) -> tuple[Symbol, ...]:
    """Those of a name: the full one, else a short one or the end of a dotted one that only one symbol has.

    There is more than one only for flags, since each command of a program may have its own.
    """
    name = _PARENTHESES.sub("", wanted)
    if outline.language in _DATA:
        name = _canonical_key(name)
    exact = tuple([symbol for symbol in outline.symbols if symbol.name == name])
    if exact or outline.language in _DATA:
        return exact
    dotted = name.replace("::", ".").replace("->", ".").replace("#", ".").lstrip(".")
    for matches in (_is_named, _ends_with):
        found = tuple([symbol for symbol in outline.symbols if matches(symbol, dotted)])
        if found:
            return found if len(found) == 1 else ()
    return ()


def _is_named(symbol: Symbol, name: str) -> bool:
    return symbol.name == name and symbol.kind != "flag"


def _ends_with(symbol: Symbol, name: str) -> bool:
    """Parameters are many and alike, so they are named with their function."""
    return symbol.kind not in ("parameter", "flag", "module") and symbol.name.endswith(f".{name}")


def _symbols(symbols: Sequence[Symbol], note: str) -> AnchorPlace:
    first = symbols[0]
    digest = first.content if len(symbols) == 1 else digest_of(sorted(symbol.content for symbol in symbols))
    shown = first.shown or first.name
    return AnchorPlace(f"sha256:{digest}", first.line, max(symbol.end_line for symbol in symbols), shown, note)


def _lines(data: bytes, first: int, last: int) -> AnchorPlace | None:
    lines = lines_of(data)
    first, last = min(first, last), max(first, last)
    if first < 1 or last > len(lines):
        return None
    digest = digest_of_bytes(normal_text(b"\n".join(lines[first - 1 : last])))
    return AnchorPlace(f"sha256:{digest}", first, last, f"L{first}-L{last}" if last > first else f"L{first}")


# --- keys -----------------------------------------------------------------------------------------------------------


def _canonical_key(text: str) -> str:
    from cairn.lib.code.keys import parse_key, render_key

    path = parse_key(text)
    return text if path is None else render_key(path)


def _key(outline: Outline, data: bytes, wanted: str) -> AnchorPlace | None:
    """A key that is no symbol, because the file has too many or because a pointer spells an index as a name."""
    from cairn.lib.code.data import load_data, shown_value, value_digest
    from cairn.lib.code.keys import parse_key, render_key, value_at

    path = parse_key(wanted)
    if path is None:
        return None
    try:
        found = value_at(load_data(decode(data), outline.language), path)
    except (ValueError, RecursionError):
        return None
    if found is None:
        return None
    shown = shown_value(render_key(path), found[0])
    return AnchorPlace(f"sha256:{value_digest(found[0])}", 1, max(1, len(lines_of(data))), shown, outline.note)


# --- sections of a document -----------------------------------------------------------------------------------------

_HEADING: Final = re.compile(r"^ {0,3}(#{1,6})[ \t]++(.(?:.*[^ \t#\n])?)[ \t#]*$")
_FENCE: Final = re.compile(r"^ {0,3}(```+|~~~+)")


def _heading(data: bytes, wanted: str) -> AnchorPlace | None:
    """A section by its heading, as the link `#getting-started` would have it, up to the next of its level."""
    lines = lines_of(data)
    headings = _headings([decode(line) for line in lines])
    for at, (number, level, title) in enumerate(headings):
        if wanted.casefold() in (title.casefold(), _slug(title)):
            after = (other for other, deeper, _ in headings[at + 1 :] if deeper <= level)
            end = next(after, len(lines) + 1) - 1
            digest = digest_of_bytes(normal_text(b"\n".join(lines[number - 1 : end])))
            return AnchorPlace(f"sha256:{digest}", number, end, title)
    return None


def _headings(lines: Sequence[str]) -> list[tuple[int, int, str]]:
    found = []
    fence = ""
    for number, line in enumerate(lines, 1):
        if mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence and (heading := _HEADING.match(line)):
            found.append((number, len(heading[1]), heading[2]))
    return found


def _slug(title: str) -> str:
    kept = re.sub(r"[^\w\s-]", "", title.casefold())
    return re.sub(r"\s", "-", kept.strip())


_TELLING: Final = 2
"""Lines. Shorter definitions look alike by chance, so across files they are known by name only."""


def same_elsewhere(symbol: Symbol, outlines: Iterable[Outline]) -> Symbol | None:
    """The one symbol that is this one under another path or another name, or nothing if that is not certain.

    `outlines` are those of the state in which the symbol is gone; the surest sign that only one symbol has is taken.
    """
    others = [
        other
        for outline in outlines
        for other in outline.symbols
        if other.kind == symbol.kind and other.reference != symbol.reference
    ]
    for alike in _SIGNS:
        found = _nearest([other for other in others if alike(symbol, other)], symbol)
        if found is not None:
            return found
    return None


def _same_all(symbol: Symbol, other: Symbol) -> bool:
    return other.name == symbol.name and other.content == symbol.content


def _same_name(symbol: Symbol, other: Symbol) -> bool:
    return other.name == symbol.name and symbol.kind != "key"


def _renamed(symbol: Symbol, other: Symbol) -> bool:
    """The same content under another name: in the same place, or long enough to be no accident."""
    if other.content != symbol.content:
        return False
    if other.path == symbol.path and _owner(other) == _owner(symbol):
        return True
    return symbol.kind in ("function", "class", "method") and symbol.end_line - symbol.line >= _TELLING


def _same_short_name(symbol: Symbol, other: Symbol) -> bool:
    """A function that became a method has another full name; so has a method of a class with a new name."""
    if symbol.kind in ("parameter", "key"):
        return False
    return other.short == symbol.short and other.interface == symbol.interface


_SIGNS: Final[tuple[Callable[[Symbol, Symbol], bool], ...]] = (_same_all, _same_name, _renamed, _same_short_name)


def _nearest(candidates: Sequence[Symbol], symbol: Symbol) -> Symbol | None:
    """The only one, or the only one in the same file."""
    if len(candidates) == 1:
        return candidates[0]
    here = [other for other in candidates if other.path == symbol.path]
    return here[0] if len(here) == 1 else None


def _owner(symbol: Symbol) -> str:
    return symbol.name.rpartition(".")[0]
