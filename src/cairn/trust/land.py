"""Brings the base branch to what was decided: one change set for each artefact whose file says something else."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cairn.changes.gate_registry import gates_of
from cairn.changes.requests import HeldChange, publish_change
from cairn.core.isolate import item
from cairn.core.model.change import ChangeSet, RequestState, Taint
from cairn.core.ports.trust import ArtefactRow
from cairn.errors import CairnError
from cairn.trust.base_pages import kept_text
from cairn.trust.table import Transition

if TYPE_CHECKING:
    from cairn.trust.base_pages import BasePages
    from cairn.trust.ports import TrustPorts

ORIGIN = "trust"


class LandingStep(NamedTuple):
    """What became of one change set."""

    artefact: str
    title: str
    request: str = ""
    """Empty when it was only planned, or held back."""
    landed: bool = False
    held: str = ""
    """Why it waits or was held back."""


class StatusLanding:
    def __init__(self, ports: "TrustPorts", base: "BasePages") -> None:
        self._ports, self._base = ports, base

    def changes(self, artefacts: Sequence[ArtefactRow]) -> Iterator[ChangeSet]:
        """Of artefacts whose file on the base branch does not say what was decided."""
        behind = [row for row in artefacts if row.content and (not row.landed or row.seen_status != row.status)]
        found = self._base.read(row.artefact for row in behind)
        for row in behind:
            if row.artefact in found:
                with item(row.artefact):
                    change = self._change(row, found[row.artefact])
                    if change is not None:
                        yield change

    def _change(self, row: ArtefactRow, data: bytes) -> ChangeSet | None:
        page = self._base.state(row.artefact, data)
        text = data
        if page.content != row.content:
            kept = None if row.landed else kept_text(self._ports, row.revision, row.snapshot)
            if kept is None:
                return None
            text = kept
        edits = tuple(
            edit for edit in self._base.edits(row, text) if edit.content != self._base.read([edit.path]).get(edit.path)
        )
        if not edits:
            return None
        kind = _kind(row)
        return ChangeSet(
            origin=ORIGIN,
            subject=row.artefact,
            base=self._base.commit,
            edits=edits,
            title=_title(row, kind),
            body=_body(row),
            evidence=_evidence(row),
            taint=Taint.REPOSITORY,
            landing="auto",
            kind=kind,
        )

    def publish(self, artefacts: Sequence[ArtefactRow], *, dry_run: bool, withdraw: bool = True) -> list[LandingStep]:
        """`withdraw`: these are all artefacts, so that a request about any other is pointless."""
        if not self._base.commit:
            return []
        changes = list(self.changes(artefacts))
        if dry_run:
            return [LandingStep(change.subject, change.title) for change in changes]
        if withdraw:
            self._withdraw({change.subject for change in changes})
        if not changes:
            return []
        self._ports.forge.check()
        gates, closed = gates_of(self._ports), self._closed()
        done = []
        for change in changes:
            with item(change.subject):
                if closed.get(change.subject) == change.evidence["key"]:
                    done.append(LandingStep(change.subject, change.title, held="a person closed this request"))
                    continue
                result = publish_change(self._ports, change, gates=gates)
                if isinstance(result, HeldChange):
                    done.append(LandingStep(change.subject, change.title, held=result.reason))
                else:
                    landed = result.landed is not None
                    done.append(
                        LandingStep(change.subject, change.title, result.request.id, landed, result.waits or "")
                    )
        return done

    def _withdraw(self, wanted: set[str]) -> None:
        """Requests that an edit or a later decision made pointless."""
        now_ms = self._ports.clock.now_ms()
        for request in self._ports.forge.requests(states=(RequestState.OPEN, RequestState.READY)):
            if request.origin == ORIGIN and request.subject not in wanted:
                with item(request.id):
                    self._ports.forge.close(request.id, by="cairn", reason="no longer decided", now_ms=now_ms)

    def _closed(self) -> Mapping[str, str]:
        """By artefact, the decision of the newest request that a person closed."""
        found: dict[str, str] = {}
        with suppress(CairnError):
            for request in reversed(self._ports.forge.requests(states=(RequestState.CLOSED,))):
                by_person = any(note.what == "closed" and note.who != "cairn" for note in request.notes[-1:])
                if request.origin == ORIGIN and by_person:
                    found[request.subject] = str(request.evidence.get("key"))
        return found


def key_of(row: ArtefactRow) -> str:
    """By which a decision is known: artefact, revision and status."""
    return f"{row.anchor}:{row.status}"


def _kind(row: ArtefactRow) -> str:
    if row.status == "quarantined" or (not row.landed and row.transition == Transition.QUARANTINE):
        return "quarantine"
    return "status" if row.landed else "rollback"


def _title(row: ArtefactRow, kind: str) -> str:
    if not row.landed:
        return f"Roll `{row.artefact}` back to revision {row.good_rev}"
    return f"Set `{row.artefact}` to {row.status}" if kind == "status" else f"Put `{row.artefact}` in quarantine"


def _body(row: ArtefactRow) -> str:
    back = f"\nRollback-of: r{row.rev - 1}" if not row.landed else ""
    return (
        f"Status {row.status}, version {row.version}, cohort `{row.anchor}`.\n\n"
        f"`cairn trust why {row.artefact}` shows what led to this.\n{back}"
    ).rstrip("\n")


def _evidence(row: ArtefactRow) -> dict[str, object]:
    facts: dict[str, object] = {"artefact": row.artefact, "anchor": row.anchor, "key": key_of(row)}
    facts |= {"transition": row.transition, "from": row.seen_status, "to": row.status, "version": row.version}
    return facts | ({"rollback_of": row.rev - 1} if not row.landed else {})
