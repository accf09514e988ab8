"""Decides when a page is read what is served of it: by the trust store, whatever its file or a merge says."""

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from cairn.core.model.knowledge import EntryStatus
from cairn.core.ports.trust import NO_BALLOTS, VERDICTS, ArtefactRow
from cairn.errors import CairnError
from cairn.knowledge.serving_status import ServingStatus, serving_status, status_of
from cairn.knowledge.standing import CohortFacts, Standing, as_the_file_says, successor_of
from cairn.trust.artefact import GOOD
from cairn.trust.base_pages import content_of, kept_text
from cairn.trust.presets import DAY_MS, preset_of

if TYPE_CHECKING:
    from cairn.trust.ports import TrustPorts

_LEVELS: Final = ("plain", "banner", "warning", "refused")
_NEW: Final = serving_status(EntryStatus.ALPHA)
_HELD: Final = ServingStatus("warning", "Somebody flagged this as harmful, and no person has looked at it yet.")
_CLAIMS: Final = ServingStatus("banner", "Its file claims a status that nothing confirms; check what matters.")
_REJECTED: Final = ServingStatus("refused", "What it says was rejected, and there is no earlier text to show.")
_REQUIRES: Final = ("requires", "depends_on", "depends-on")
_DEEPEST: Final = 20
_OBSERVATIONS: Final = 5


class TrustStandings:
    def __init__(self, ports: "TrustPorts") -> None:
        self._ports = ports
        self._rows: dict[str, ArtefactRow | None] = {}

    def of(self, path: str, frontmatter: Mapping[str, Any], data: bytes | None = None) -> Standing:
        return self._whole(path, frontmatter, data, frozenset({path}))

    def cohort(self, path: str) -> CohortFacts | None:
        row = self._row(path)
        if row is None:
            return None
        trust = self._ports.store.trust
        tally = trust.tallies([row.cohort]).get(row.cohort, NO_BALLOTS)
        against = [one for one in trust.ballots(row.cohort) if VERDICTS[one.verdict] == "reject" and one.reason]
        said = tuple(one.reason for one in against[::-1][:_OBSERVATIONS])
        confirms, rejects = sum(tally.confirms), sum(tally.rejects)
        return CohortFacts(row.anchor, row.status, row.since_ms, confirms, rejects, tally.flags, said)

    # --- the page itself -------------------------------------------------------------------------------------------

    @cached_property
    def _in_use(self) -> bool:
        return self._ports.store.trust.any_artefact()

    def _row(self, path: str) -> ArtefactRow | None:
        if not self._in_use:
            return None
        if path not in self._rows:
            found = self._ports.store.trust.artefacts([path])
            self._rows[path] = found[0] if found and found[0].content else None
        return self._rows[path]

    def _own(self, path: str, frontmatter: Mapping[str, Any], data: bytes | None) -> Standing:
        row = self._row(path)
        if row is None:
            return self._untracked(path, frontmatter)
        status = EntryStatus(row.status)
        if status is EntryStatus.QUARANTINED:
            return Standing(status, serving_status(status))
        rejected = {content for _, content in self._ports.store.trust.rejected([path])}
        if data is None:
            hidden = row.content in rejected or not row.landed
            return Standing(status, _REJECTED) if hidden else self._judged(row, frontmatter)
        content = content_of(self._ports, path, data)
        if content in rejected:
            return self._withdrawn(row, content, frontmatter)
        if content == row.content:
            return self._judged(row, frontmatter)
        said = status_of(frontmatter)
        lowered = said if said in (EntryStatus.DEPRECATED, EntryStatus.QUARANTINED) else None
        if lowered is not None or status not in GOOD:
            return Standing(lowered or status, serving_status(lowered or status, successor_of(frontmatter)))
        return Standing(EntryStatus.ALPHA, _NEW)

    def _untracked(self, path: str, frontmatter: Mapping[str, Any]) -> Standing:
        """Where pages are tracked, none may claim by itself what others have to earn."""
        found = as_the_file_says(frontmatter)
        if found.status in GOOD and self._in_use and self._ports.knowledge.kind(path) is not None:
            return Standing(EntryStatus.ALPHA, _CLAIMS)
        return found

    def _withdrawn(self, row: ArtefactRow, content: str, frontmatter: Mapping[str, Any]) -> Standing:
        """The text that lies here is not served: the one that the store decided for is, or none."""
        status = EntryStatus(row.status)
        if content == row.content:
            return Standing(status, _REJECTED)
        good = kept_text(self._ports, row.revision, row.snapshot)
        if good is None:
            return Standing(status, _REJECTED)
        return self._judged(row, frontmatter)._replace(data=good)

    def _judged(self, row: ArtefactRow, frontmatter: Mapping[str, Any]) -> Standing:
        status = EntryStatus(row.status)
        if row.hold:
            return Standing(status, _HELD)
        found = serving_status(status, successor_of(frontmatter))
        if status in GOOD and (days := self._quiet_days(row)):
            found = ServingStatus("banner", f"{found.words} Nothing has confirmed this for {days} days.".strip())
        return Standing(status, found)

    def _quiet_days(self, row: ArtefactRow) -> int:
        """0 while it is not stale."""
        preset, now_ms = preset_of(self._ports.settings), self._ports.clock.now_ms()
        tally = self._ports.store.trust.tallies([row.cohort]).get(row.cohort, NO_BALLOTS)
        days = (now_ms - max(tally.last_confirm_ms, row.since_ms)) // DAY_MS
        limit = preset.route_stale_days if row.kind == "route" else preset.stale_days
        return int(days) if days >= limit else 0

    # --- what it builds on -----------------------------------------------------------------------------------------

    def _whole(self, path: str, frontmatter: Mapping[str, Any], data: bytes | None, above: frozenset[str]) -> Standing:
        own = self._own(path, frontmatter, data)
        if len(above) > _DEEPEST or not any(frontmatter.get(key) for key in _REQUIRES):
            return own
        worst = own.serving
        for link in self._ports.store.links(source=path):
            requires = (link.data or {}).get("field") == "depends_on"
            if requires and link.resolved and link.resolved not in above:
                needed = self._needed(link.resolved, above | {link.resolved})
                if _LEVELS.index(needed.level) > _LEVELS.index(worst.level):
                    words = f"It builds on `{link.resolved}`: {needed.words}"
                    worst = ServingStatus(needed.level, f"{own.serving.words} {words}".strip())
        return own._replace(serving=worst, data=None if worst.level == "refused" else own.data)

    def _needed(self, path: str, above: frozenset[str]) -> ServingStatus:
        node = self._ports.store.node(path)
        if node is None:
            return ServingStatus("plain", "")
        return self._whole(path, node.frontmatter, None, above).serving


def trust_standings(ports: "TrustPorts") -> TrustStandings:
    """With the ballots and decisions that were recorded so far."""
    with suppress(CairnError):  # somebody else writes: then as the index is
        ports.index_ledger()
    return TrustStandings(ports)
