"""Whether what people find is what there is: an index that is missing, empty or two days behind finds nothing new."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cairn.core.model.event import Event, moment_ms
from cairn.errors import StoreProblem

if TYPE_CHECKING:
    from cairn.workspace.ports import WorkspacePorts

OLD_MS: Final = 48 * 3_600_000


def index_problems(ports: "WorkspacePorts") -> Iterator[tuple[str, str]]:
    """What is wrong, and what mends it."""
    events = sum(file.size for file in ports.ledger.files())
    if isinstance(ports.store_location, Path) and not ports.store_location.exists():
        if events:
            yield "the ledger has events, but there is no index of them", "run `cairn scan`"
        return
    try:
        yield from _outdated(ports)
    except StoreProblem:
        return  # said already, by the check of the database


def _outdated(ports: "WorkspacePorts") -> Iterator[tuple[str, str]]:
    scanned = ports.store.meta().get("scanned_at_ms")
    behind = _behind(ports)
    if behind is not None and ports.clock.now_ms() - behind > OLD_MS:
        yield "events of the ledger have waited for more than two days to be indexed", "run `cairn turns verify`"
    if isinstance(scanned, int) and ports.clock.now_ms() - scanned > OLD_MS:
        from cairn.workspace.status.context import StatusContext, ago
        from cairn.workspace.status.page import changed_files

        if changed := changed_files(StatusContext(ports)):
            when = ago(ports.clock.now_ms() - scanned)
            yield f"the last scan was {when}, and {changed:,} files have changed since", "run `cairn scan`"


def _behind(ports: "WorkspacePorts") -> int | None:
    """When the first event that is not indexed happened."""
    offsets = ports.store.ledger_offsets()
    times = [
        moment_ms(event.at) or 0
        for file in ports.ledger.files()
        if offsets.get(file.key, 0) < file.size
        for _, event in _first(ports, file.name, offsets.get(file.key, 0))
        if isinstance(event, Event)
    ]
    return min(times, default=None)


def _first(ports: "WorkspacePorts", name: str, offset: int) -> Iterator[tuple[int, object]]:
    for found in ports.ledger.read(name, offset):
        yield found
        return
