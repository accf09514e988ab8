"""Pages as they are kept: the bytes that came, with what is needed to read them again."""

import json
from collections.abc import Collection, Iterable, Sequence

from cairn.core.ports.runtime import Blobs
from cairn.core.ports.sources import SourceTextRow
from cairn.lib.html.charset import FetchedPage
from cairn.lib.html.read import HtmlReading, read_page
from cairn.lib.text.parse_json import parse_json

_DAY_MS = 24 * 60 * 60 * 1000
LAST = 2
"""So many texts of each source are kept, whatever their age."""


def pack(page: FetchedPage) -> bytes:
    """Nothing in it changes from one fetch of the same bytes to the next."""
    head = {"url": page.url.partition("#")[0], "final": page.final_url, "type": page.content_type}
    return json.dumps(head, ensure_ascii=False, sort_keys=True).encode() + b"\n" + page.body


def unpack(data: bytes) -> FetchedPage | None:
    head, _, body = data.partition(b"\n")
    try:
        said = parse_json(head)
        return FetchedPage(str(said["url"]), str(said["final"]), 200, str(said["type"]), body, None, None)
    except (ValueError, KeyError, TypeError):
        return None


def snapshot_text(blobs: Blobs, key: str | None, anchor: str) -> str | None:
    """The canonical text of a kept page, as today's canonicaliser makes it; None when the page is not there."""
    data = blobs.get(key) if key else None
    page = unpack(data) if data is not None else None
    reading = read_page(page, anchor or None) if page is not None else None
    return reading.text if isinstance(reading, HtmlReading) else None


# --- what is kept ---------------------------------------------------------------------------------------------------


def outdated(texts: Iterable[SourceTextRow], referred: Collection[str]) -> list[SourceTextRow]:
    """Texts, given newest first, that are neither among the last of their source nor what an entry's hash means."""
    seen: dict[tuple[str, str], int] = {}
    old = []
    for row in texts:
        place = (row.url, row.anchor)
        seen[place] = seen.get(place, 0) + 1
        if seen[place] > LAST and row.hash not in referred and row.raw not in referred:
            old.append(row)
    return old


def sweep(blobs: Blobs, needed: Collection[str], *, now_ms: int, days: int, most_bytes: int) -> int:
    """Drop what nobody needs and is old; when it is still too much, whatever nobody needs, the oldest first. How many
    went."""
    spare = [kept for kept in blobs.entries() if kept.key not in needed]
    old = [kept for kept in spare if now_ms - kept.at_ms > days * _DAY_MS]
    gone = blobs.drop([kept.key for kept in old])
    left = blobs.entries()
    excess = sum(kept.bytes for kept in left) - most_bytes
    more: list[str] = []
    for kept in left:
        if excess > 0 and kept.key not in needed:
            more.append(kept.key)
            excess -= kept.bytes
    return gone + blobs.drop(more)


def needed_keys(rows: Iterable[str | None], texts: Sequence[SourceTextRow]) -> frozenset[str]:
    return frozenset((*(key for key in rows if key), *(text.snapshot for text in texts)))
