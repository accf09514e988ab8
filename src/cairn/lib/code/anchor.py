"""What a path source points at: a file, a symbol, a key or some lines, with the digest of its normal form."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from cairn.lib.code.digest import digest_of, digest_of_bytes
from cairn.lib.code.model import Outline, Symbol
from cairn.lib.code.text import decode, lines_of, normal_text
from cairn.lib.document.outline import format_of

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
    from cairn.lib.document.as_markdown import readable

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
