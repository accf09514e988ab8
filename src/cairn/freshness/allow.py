"""`freshness allow`: the list of hosts whose pages count as authoritative, and how one more gets on it."""

from dataclasses import replace
from typing import Any, NamedTuple

from cairn.changes.base import base_commit
from cairn.core.model.change import ChangeRequest, ChangeSet, Edit, Ruling, Taint
from cairn.core.ports.fetch import FetchFailed
from cairn.errors import Conflict, Refused
from cairn.freshness.ports import FreshnessPorts
from cairn.knowledge.allowlist import Allowlist, Repository, packed_text, parse_allowlist
from cairn.knowledge.allowlist_edit import address_of, name_of, refuse_overlap, wanted_place, with_place
from cairn.knowledge.base import ALLOWLIST
from cairn.knowledge.corpora import text_of


class Added(NamedTuple):
    place: str
    category: str
    new_category: bool
    """Whether nothing on the list had it before."""
    seen: str
    """What asking for it gave; empty when nobody asked."""
    rulings: tuple[Ruling, ...] = ()
    request: ChangeRequest | None = None
    written: bool = False
    held: str = ""
    """Why no request was opened."""

    def json(self) -> dict[str, Any]:
        request = self.request
        return {
            "place": self.place,
            "category": self.category,
            "newCategory": self.new_category,
            "seen": self.seen or None,
            "file": ALLOWLIST,
            "written": self.written,
            "request": None if request is None else {"id": request.id, "branch": request.branch, "url": request.url},
            "held": self.held or None,
            "gates": [{"gate": r.gate, "level": r.level.word, "reason": r.reason} for r in self.rulings],
        }


class Listed(NamedTuple):
    allowlist: Allowlist
    source: str
    """Where it stands: the file, `packed`, or nothing when sources are compared with none."""


def listed(ports: FreshnessPorts) -> Listed:
    own = text_of(ports.files, ALLOWLIST) if ports.files.exists(ALLOWLIST) else ""
    setting = ports.settings.text("freshness.allowlist")
    if setting == "off":
        return Listed(Allowlist(), "")
    if own:
        return Listed(parse_allowlist(own), ALLOWLIST)
    return Listed(parse_allowlist(packed_text()), "packed") if setting == "packed" else Listed(Allowlist(), "")


def add(ports: FreshnessPorts, text: str, *, category: str, probe: bool, apply: bool) -> Added:
    """Checked, looked at, then by a change request; with `apply` the file here is edited. The gates look in both."""
    place = wanted_place(text, category)
    before = _start(ports, apply=apply)
    known = parse_allowlist(before) if before.strip() else Allowlist()
    refuse_overlap(known, place)
    seen = _probed(ports, address_of(place)) if probe else ""
    after = with_place(before, place, name=ALLOWLIST)
    categories = {one.category for one in known.places}
    added = Added(name_of(place), category, bool(categories) and category not in categories, seen)
    change = _change(ports, added, after)
    return _written(ports, added, change) if apply else _requested(ports, added, change)


def _start(ports: FreshnessPorts, *, apply: bool) -> str:
    """The file as it is here, or as the base branch has it. Where there is none and the packed list counts, that is
    what one more place is added to."""
    here = text_of(ports.files, ALLOWLIST) if ports.files.exists(ALLOWLIST) else ""
    if not apply:
        [data] = ports.vcs.show([(base_commit(ports), ALLOWLIST)])
        if (data or b"").decode("utf-8", "replace") != here:
            raise Conflict(
                f"{ALLOWLIST} is not what the base branch has; commit and merge your edits, or give --apply."
            )
    return here or (packed_text() if ports.settings.text("freshness.allowlist") == "packed" else "")


def _probed(ports: FreshnessPorts, url: str) -> str:
    outcome = ports.fetcher.probe(url)
    if isinstance(outcome, FetchFailed):
        # a place that is never fetched from can't be a source, so nobody is told how to list it all the same
        advice = "" if outcome.cause == "refused" else " Check the spelling; --no-probe adds it all the same."
        raise Refused(f"{url} could not be looked at: {outcome.reason}{advice}", cause=outcome.cause)
    led = f", and leads to {outcome.final_url}" if outcome.final_url.rstrip("/") != url.rstrip("/") else ""
    return f"{url} answers with {outcome.status}{led}"


def _change(ports: FreshnessPorts, added: Added, after: str) -> ChangeSet:
    base = base_commit(ports) if ports.vcs.root() is not None else ""
    return ChangeSet(
        origin="person",
        subject=f"allow {added.place}",
        base=base,
        edits=(Edit(ALLOWLIST, after.encode()),),
        title=f"chore(knowledge): allow {added.place} as {added.category}",
        body=f"Pages of {added.place} count as authoritative from now on. {added.seen}".strip(),
        taint=Taint.PERSON,
        kind="allowlist",
    )


def _written(ports: FreshnessPorts, added: Added, change: ChangeSet) -> Added:
    from cairn.changes.gate_registry import gates_of
    from cairn.changes.publish import refuse_blocked
    from cairn.changes.write import write_file

    rulings = gates_of(ports).judge(change)
    refuse_blocked(rulings)
    [edit] = change.edits
    return added._replace(rulings=rulings, written=write_file(ports.root, edit.path, edit.content or b""))


def _requested(ports: FreshnessPorts, added: Added, change: ChangeSet) -> Added:
    from cairn.changes.publish import Held
    from cairn.changes.requests import publish_change

    result = publish_change(ports, replace(change, limited=False))
    if isinstance(result, Held):
        return added._replace(rulings=result.rulings, held=result.reason)
    return added._replace(rulings=result.request.rulings, request=result.request)


# --- on the wire ----------------------------------------------------------------------------------------------------


def listed_json(found: Listed) -> dict[str, Any]:
    rules = found.allowlist
    return {
        "source": found.source or None,
        "hosts": [{"host": name_of(rule), "category": rule.category} for rule in rules.rules],
        "repositories": [_repository_json(one) for one in rules.repository_rules],
    }


def _repository_json(one: Repository) -> dict[str, str]:
    return {"repository": one.name, "category": one.category}
