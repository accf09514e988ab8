"""Review issues at the forge: one for each cause, with ids only, closed when a person has decided."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from cairn.core.ports.trust import ArtefactRow

if TYPE_CHECKING:
    from cairn.core.model.change import Ticket
    from cairn.trust.ports import TrustPorts


class ReviewCause(NamedTuple):
    key: str
    title: str
    body: str


def causes(ports: "TrustPorts", artefacts: Iterable[ArtefactRow]) -> Iterator[ReviewCause]:
    """What a person has to look at: texts that are not served, and stable pages with a flag."""
    rows = {row.artefact: row for row in artefacts}
    for row in rows.values():
        if row.hold:
            yield _cause(row, f"hold@{row.rev}", "has a flag", "It is served with a warning.")
        elif row.status == "quarantined":
            yield _cause(row, f"quarantined@{row.founding}", "is in quarantine", "It is not served.")
    for artefact, content in sorted(ports.store.trust.rejected(list(rows))):
        if rows[artefact].status != "quarantined" or content != rows[artefact].content:
            yield _cause(rows[artefact], content, "was rolled back", "The text that was rejected is not served.")


def _cause(row: ArtefactRow, key: str, what: str, now: str) -> ReviewCause:
    """Never with submitted text: whoever flags a page must not be able to speak through the issue."""
    body = (
        f"{now}\n\nArtefact: `{row.artefact}`\nCohort: `{row.anchor}`\n\n"
        f"`cairn trust why {row.artefact}` shows the ballots. `cairn trust reinstate {row.artefact}` lets it in again "
        "and closes this issue."
    )
    return ReviewCause(cause_key(row.artefact, key), f"Review `{row.artefact}`: it {what}", body)


def cause_key(artefact: str, key: str) -> str:
    return f"trust:{artefact}:{key}"


def open_reviews(ports: "TrustPorts", artefacts: Iterable[ArtefactRow]) -> "list[Ticket]":
    """Those that are missing; one that a person closed stays closed."""
    wanted = list(causes(ports, artefacts))
    known = {ticket.cause for ticket in ports.forge.tickets(open_only=False)} if wanted else set()
    now_ms = ports.clock.now_ms()
    return [
        ports.forge.open_ticket(one.key, one.title, one.body, now_ms=now_ms) for one in wanted if one.key not in known
    ]


def missing_reviews(ports: "TrustPorts", artefacts: Iterable[ArtefactRow]) -> list[ReviewCause]:
    """Rule 5: what was withdrawn has an issue."""
    wanted = list(causes(ports, artefacts))
    known = {ticket.cause for ticket in ports.forge.tickets(open_only=False)} if wanted else set()
    return [one for one in wanted if one.key not in known]


def close_reviews(ports: "TrustPorts", artefact: str, *, held: bool) -> list[str]:
    """Of an artefact that was on hold the one about that, else all of them; their ids."""
    prefix = cause_key(artefact, "hold@" if held else "")
    now_ms = ports.clock.now_ms()
    closed = [
        ports.forge.close_ticket(ticket.cause, now_ms=now_ms)
        for ticket in ports.forge.tickets()
        if ticket.cause.startswith(prefix)
    ]
    return [ticket.id for ticket in closed if ticket is not None]
