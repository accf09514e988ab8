"""Ballots of people, agents and probes about pages as they are read here."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, cast

from cairn.core.ledger_events import events_of
from cairn.core.ports.runtime import ReadFailed
from cairn.errors import Conflict, NotFound, Refused
from cairn.knowledge.content_hash import revision_of
from cairn.lib.text.parse_json import parse_json
from cairn.trust.ballots import Ballot, CastBallot, Verdict, needed_reason
from cairn.trust.ballots import cast as cast_ballot
from cairn.trust.events import BALLOT
from cairn.trust.maintain import Desk, ValidateBy, living, validate
from cairn.trust.presets import DAY_MS

if TYPE_CHECKING:
    from cairn.trust.ports import TrustPorts

NOBODY = ValidateBy()
_SESSION_MS = 7 * DAY_MS
"""No session lasts longer."""


def validate_page(
    ports: "TrustPorts", path: str, verdict: str, *, reason: str | None, by: ValidateBy = NOBODY
) -> CastBallot:
    """About the text as it lies here, which must be what the base branch says."""
    try:
        data = ports.files.read(path)[0]
    except ReadFailed as problem:
        raise NotFound(f"`{path}` cannot be read: {problem}", path=path) from None
    said = cast("Verdict", verdict)
    return validate(Desk(ports), path, data, said, reason=reason, by=by, revision=revision_of(data))


def validate_for_agent(
    ports: "TrustPorts", path: str, data: bytes, verdict: Verdict, *, reason: str | None, by: ValidateBy
) -> CastBallot | str:
    """After use, and once for each session and page. The id of a ballot that nobody counts yet, for a page that is not
    tracked."""
    desk = Desk(ports)
    _refuse_unused(ports, path, by.session)
    _refuse_twice(ports, path, by.session)
    revision = revision_of(data)
    try:
        desk.artefact(path)
    except NotFound:
        said = {"reason": needed_reason(verdict, reason), "session": by.session, "agent": by.agent}
        payload = {"entry": path, "revision": revision, "verdict": verdict, **said}
        return ports.ledger.append(BALLOT, payload, now_ms=ports.clock.now_ms())
    return validate(desk, path, data, verdict, reason=reason, by=by, revision=revision)


def _refuse_unused(ports: "TrustPorts", path: str, session: str | None) -> None:
    if session is None or not ports.settings.flag("retrieve.log"):
        return  # nobody can tell
    if not any(reader == session for _, reader, _ in ports.store.usage.readers([path], 0)):
        raise Refused(f"This session has not read `{path}`; read it, use it, and say then whether it held.")


def _refuse_twice(ports: "TrustPorts", path: str, session: str | None) -> None:
    since_ms = ports.clock.now_ms() - _SESSION_MS
    for event in events_of(ports.ledger, ports.store, types=(BALLOT,), since_ms=since_ms) if session else ():
        said = parse_json(event.payload)
        if said.get("entry") == path and said.get("session") == session and said.get("source", "agent") == "agent":
            raise Conflict(f"This session has judged `{path}` already; a page is judged once in a session.")


class ProbedPage(NamedTuple):
    path: str
    verdict: str
    """Empty where nobody could tell."""


def probe(ports: "TrustPorts", paths: Iterable[str] | None = None) -> list[ProbedPage]:
    """Once a day for each page at most: a page that answers twice an hour is no better confirmed."""
    desk = Desk(ports)
    wanted = [desk.artefact(path) for path in paths] if paths is not None else living(ports.store.trust.artefacts())
    day, found = ports.clock.now_ms() // DAY_MS, list[ProbedPage]()
    for row in wanted:
        answers = ports.probe_page(row.artefact)
        if answers is None:
            found.append(ProbedPage(row.artefact, ""))
            continue
        verdict: Verdict = "confirm" if answers else "reject"
        voter = desk.voters.machine(row.artefact, f"probe@{day}")
        reason = None if answers else "A source on the web does not answer."
        cast_ballot(ports, Ballot(row, voter, "probe", verdict, row.revision, reason))
        found.append(ProbedPage(row.artefact, verdict))
    return found
