"""What one clone knows of sources, as files that another one can read and merge.

Each table is a file of JSON lines, one row a line, in order, so that git stores and compares them well. Of two rows
about the same thing the newer one counts; a row that one side has dropped since both agreed stays dropped, unless the
other side has a newer one. Whoever merges, in whichever order, gets the same.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final, NamedTuple, get_args, get_type_hints

from cairn.core.ports.sources import AttemptRow, AuditRow, SourceRow, SourceTextRow, UrlCheckRow
from cairn.errors import Refused
from cairn.freshness.snapshots import outdated

FORMAT: Final = 1
FORMAT_FILE: Final = "format.json"
LARGEST_TABLE: Final = 64 * 1024 * 1024
"""Bytes of one file of rows; a corpus of ten thousand sources has a tenth of that."""
_LARGEST_NUMBER: Final = 2**53
_KEY: Final = re.compile(r"sha256:[0-9a-f]{64}")
_SNAPSHOT: Final = re.compile(r"([0-9a-f]{2})/([0-9a-f]{62})")


@dataclass(frozen=True, slots=True)
class SourceState:
    """Everything that is kept about sources, each table by what its rows are about."""

    sources: Mapping[tuple[Any, ...], SourceRow]
    texts: Mapping[tuple[Any, ...], SourceTextRow]
    links: Mapping[tuple[Any, ...], UrlCheckRow]
    attempts: Mapping[tuple[Any, ...], AttemptRow]
    audits: Mapping[tuple[Any, ...], AuditRow]

    @property
    def snapshots(self) -> frozenset[str]:
        """Keys of the pages that these rows need."""
        rows = self.sources.values()
        kept = (key for row in rows for key in (row.snapshot, row.pending_snapshot, row.shown_snapshot))
        return frozenset(key for key in (*kept, *(text.snapshot for text in self.texts.values())) if key)

    @property
    def counts(self) -> dict[str, int]:
        return {field.name: len(getattr(self, field.name)) for field in fields(self)}

    @property
    def empty(self) -> bool:
        return not any(self.counts.values())


class _Table(NamedTuple):
    name: str
    row: type[Any]
    about: Callable[[Any], tuple[Any, ...]]
    at: Callable[[Any], int]
    """When a row was true, in milliseconds."""
    keys: tuple[str, ...] = ()
    """Fields that name a snapshot."""


_TABLES: Final = (
    _Table(
        "sources",
        SourceRow,
        lambda row: (row.url, row.anchor),
        lambda row: max(row.seen_at_ms or 0, row.failed_at_ms or 0, row.pending_at_ms or 0),
        ("snapshot", "pending_snapshot", "shown_snapshot"),
    ),
    _Table(
        "texts",
        SourceTextRow,
        lambda row: (row.url, row.anchor, row.canon, row.hash),
        lambda row: row.seen_at_ms,
        ("snapshot",),
    ),
    _Table("links", UrlCheckRow, lambda row: (row.url,), lambda row: row.checked_at_ms),
    _Table("attempts", AttemptRow, lambda row: (row.path,), lambda row: row.at_ms),
    _Table("audits", AuditRow, lambda row: (row.key,), lambda row: row.at_ms),
)
TABLES: Final = tuple(f"{table.name}.jsonl" for table in _TABLES)


def known(
    *,
    sources: Iterable[SourceRow] = (),
    texts: Iterable[SourceTextRow] = (),
    links: Iterable[UrlCheckRow] = (),
    attempts: Iterable[AttemptRow] = (),
    audits: Iterable[AuditRow] = (),
) -> SourceState:
    rows = (sources, texts, links, attempts, audits)
    return SourceState(*(_by_matter(table, some) for table, some in zip(_TABLES, rows, strict=True)))


def _by_matter(table: _Table, rows: Iterable[Any]) -> dict[tuple[Any, ...], Any]:
    """In order; of several rows about one thing the newest."""
    found: dict[tuple[Any, ...], Any] = {}
    for row in rows:
        about = table.about(row)
        found[about] = _newer(table, found.get(about), row)
    return {about: found[about] for about in sorted(found)}


def _newer(table: _Table, one: Any, other: Any) -> Any:
    """None is older than anything; of two of one moment the text decides, so that everybody chooses the same."""
    if one is None or other is None:
        return one or other
    return max(one, other, key=lambda row: (table.at(row), _line(row)))


NOTHING: Final = known()


# --- merging --------------------------------------------------------------------------------------------------------


def merged(base: SourceState, ours: SourceState, theirs: SourceState) -> SourceState:
    """`base` is what both sides had when they last agreed; the two sides may be swapped."""
    return SourceState(
        *(_merged(table, *(getattr(one, table.name) for one in (base, ours, theirs))) for table in _TABLES)
    )


def _merged(table: _Table, base: Mapping[Any, Any], ours: Mapping[Any, Any], theirs: Mapping[Any, Any]) -> Any:
    found: dict[tuple[Any, ...], Any] = {}
    for about in sorted(ours.keys() | theirs.keys()):
        one, other = ours.get(about), theirs.get(about)
        dropped = (one is None or other is None) and (one or other) == base.get(about)
        if not dropped:
            found[about] = _newer(table, one, other)
    return found


# --- files ----------------------------------------------------------------------------------------------------------


def files_of(state: SourceState) -> dict[str, bytes]:
    """Without the snapshots; an empty table has no file."""
    files = {FORMAT_FILE: (json.dumps({"format": FORMAT}) + "\n").encode()}
    for table in _TABLES:
        rows = getattr(state, table.name).values()
        if text := "".join(_line(row) + "\n" for row in rows):
            files[f"{table.name}.jsonl"] = text.encode()
    return files


def known_in(files: Mapping[str, bytes]) -> SourceState:
    """`Refused` names the file and the line of what is not as it should be; nothing of it is used then."""
    _check_format(files.get(FORMAT_FILE))
    for name in files:
        if name not in (FORMAT_FILE, *TABLES):
            raise Refused(f"It holds `{name}`, which Cairn did not put there.")
    return SourceState(*(_by_matter(table, _rows(table, files.get(f"{table.name}.jsonl", b""))) for table in _TABLES))


def _check_format(data: bytes | None) -> None:
    try:
        value = json.loads(data or b"null")
        number = value["format"]
    except (ValueError, TypeError, KeyError, RecursionError):
        number = None
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise Refused(f"Its `{FORMAT_FILE}` does not say which format it has.")
    if number > FORMAT:
        raise Refused(f"It has the format {number} of a newer Cairn, and this one knows {FORMAT}; upgrade `cairn-kb`.")


def _rows(table: _Table, data: bytes) -> Iterator[Any]:
    name = f"{table.name}.jsonl"
    if len(data) > LARGEST_TABLE:
        raise Refused(f"`{name}` has {len(data):,} bytes, more than the {LARGEST_TABLE:,} that are read.")
    for number, line in enumerate(data.split(b"\n"), 1):
        if line:
            yield _row(table, line, f"`{name}`, line {number}")


def _row(table: _Table, line: bytes, where: str) -> Any:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise Refused(f"{where}, is no JSON.") from None
    kinds = _kinds(table.name)
    if not isinstance(value, dict) or value.keys() != kinds.keys():
        raise Refused(f"{where}, has other fields than {', '.join(kinds)}.")
    for field, wanted in kinds.items():
        if not _fits(value[field], wanted):
            raise Refused(f"{where}: `{field}` cannot be {json.dumps(value[field])[:80]}.")
    if odd := next((field for field in table.keys if value[field] and not _KEY.fullmatch(value[field])), None):
        raise Refused(f"{where}: `{odd}` is no key of a snapshot.")
    return table.row(**value)


@cache
def _kinds(name: str) -> dict[str, tuple[type, ...]]:
    """Types that each field of a table may have."""
    row = next(table.row for table in _TABLES if table.name == name)
    return {name: get_args(hint) or (hint,) for name, hint in get_type_hints(row).items()}


def _fits(value: object, wanted: tuple[type, ...]) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return int in wanted and 0 <= value <= _LARGEST_NUMBER
    if isinstance(value, str):
        return str in wanted and _is_text(value)
    return type(value) in wanted


def _is_text(value: str) -> bool:
    """What every database takes: neither NUL nor half a character."""
    return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _line(row: Any) -> str:
    return json.dumps(row._asdict(), ensure_ascii=True, sort_keys=False, separators=(",", ":"))


# --- snapshots ------------------------------------------------------------------------------------------------------


def path_of(key: str) -> str:
    """Of a snapshot, below the folder of snapshots."""
    digest = key.removeprefix("sha256:")
    return f"{digest[:2]}/{digest[2:]}"


def key_of(path: str) -> str | None:
    """None for a path that is not one of ours."""
    found = _SNAPSHOT.fullmatch(path)
    return None if found is None else f"sha256:{found[1]}{found[2]}"


# --- what is worth taking along -------------------------------------------------------------------------------------


class StateNeeds(NamedTuple):
    """What the pages of a corpus say about the rows that they need."""

    places: frozenset[tuple[str, str]]
    """URL and anchor of every source that is cited."""
    hashes: frozenset[str]
    """Of texts that a page was stamped with."""
    since_ms: int
    """What nobody cites any more is taken along when it is younger."""
    day: str
    """Verdicts of earlier days are of no use."""


def worth_taking(state: SourceState, needs: StateNeeds) -> SourceState:
    """Without what would only make it grow."""

    def wanted(row: Any, at_ms: int) -> bool:
        return (row.url, row.anchor) in needs.places or at_ms >= needs.since_ms

    urls = {url for url, _ in needs.places}
    at = {table.name: table.at for table in _TABLES}
    newest_first = sorted(state.texts.values(), key=lambda row: (-row.seen_at_ms, _line(row)))
    old = set(outdated(newest_first, needs.hashes))
    links = [row for row in state.links.values() if row.url in urls or row.checked_at_ms >= needs.since_ms]
    return known(
        sources=[row for row in state.sources.values() if wanted(row, at["sources"](row))],
        texts=[row for row in newest_first if row not in old and wanted(row, row.seen_at_ms)],
        links=links,
        attempts=state.attempts.values(),
        audits=[row for row in state.audits.values() if row.day == needs.day],
    )
