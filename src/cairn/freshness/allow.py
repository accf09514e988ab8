"""`freshness allow`: the list of hosts whose pages count as authoritative, and how one more gets on it."""

import re
from dataclasses import replace
from typing import Any, Final, NamedTuple

from cairn.changes.make_change import base_commit
from cairn.core.model.change import ChangeRequest, ChangeSet, FileEdit, GateRuling, Taint
from cairn.core.ports.sources import FetchFailed
from cairn.errors import CannotEdit, Conflict, Refused, UsageError
from cairn.freshness.ports import FreshnessPorts
from cairn.knowledge.allowlist import (
    OTHER,
    AllowedPlace,
    AllowedRepository,
    Allowlist,
    packed_text,
    parse_allowlist,
    parse_place,
)
from cairn.knowledge.base import ALLOWLIST
from cairn.knowledge.corpora import text_of
from cairn.knowledge.edit import set_values
from cairn.lib.yaml.parse import load_yaml

_CATEGORY: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_ITEM: Final = re.compile(r"(\s*-\s+)(\{.*\})?")
_HEAD: Final = """\
# Hosts whose pages are taken for authoritative: a source elsewhere is a warning, never an error.
# A host stands for its subdomains too; host/path for what lies below that path.
"""

Place = AllowedPlace | AllowedRepository


def wanted_place(text: str, category: str) -> Place:
    """What somebody asks for, in its normal spelling; the error says how to write it."""
    place = parse_place(text)
    if place is None:
        raise UsageError(
            f"`{text[:120]}` is neither a host nor a repository; write `example.org`, `example.org/path`, or "
            "`owner/name` for a repository at GitHub, without `https://`.",
            place=text[:200],
        )
    if not _CATEGORY.fullmatch(category):
        raise UsageError(
            f"`{category[:60]}` is no category; write small letters, digits and dashes, as `web-standards`."
        )
    return place._replace(category=category)


def name_of(place: Place) -> str:
    return place.name if isinstance(place, AllowedRepository) else place.host + place.path


def address_of(place: Place) -> str:
    """Where to look whether it is there."""
    return (
        f"https://github.com/{place.name}"
        if isinstance(place, AllowedRepository)
        else f"https://{place.host}{place.path}"
    )


def refuse_overlap(listed: Allowlist, place: Place) -> None:
    """Two rules about one page would be one too many: nobody could say which counts."""
    name = name_of(place)
    for known in listed.places:
        same = name_of(known).lower() == name.lower() and type(known) is type(place)
        if same:
            raise Conflict(f"`{name}` is on the list already, as {known.category}.", place=name)
        if _covers(known, place):
            raise Conflict(
                f"`{name_of(known)}` is on the list, as {known.category}, and covers `{name}` already.", place=name
            )
        if _covers(place, known):
            raise Conflict(
                f"`{name}` would also cover `{name_of(known)}`, which is on the list as {known.category}; take that "
                "out first, or name a narrower place.",
                place=name,
            )


def _covers(wide: Place, narrow: Place) -> bool:
    if isinstance(wide, AllowedRepository):
        return False
    if isinstance(narrow, AllowedRepository):
        narrow = AllowedPlace("github.com", f"/{narrow.name}")
    below = narrow.host == wide.host or narrow.host.endswith(f".{wide.host}")
    return below and (not wide.path or (narrow.host == wide.host and wide.covers(narrow.path)))


# --- the file -------------------------------------------------------------------------------------------------------


def with_place(text: str, place: Place, *, name: str) -> str:
    """The file with one more item. An empty text makes a new file. `name` is how the file is called in errors."""
    if not text.strip():
        key = "github_repos" if isinstance(place, AllowedRepository) else "hosts"
        return f"{_HEAD}{key}:\n  - {_flow(place)}\n"
    parse_allowlist(text, name=name)
    value = load_yaml(text)
    assert isinstance(value, dict)  # the parser said so
    key = "github_repos" if isinstance(place, AllowedRepository) else "hosts"
    items = value.get(key) or []
    wanted = {**value, key: [*items, _item(place)]}
    beside = _beside(text, key, place)
    return beside if beside and load_yaml(beside) == wanted else _spliced(text, (key, len(items)), place, name)


def _beside(text: str, key: str, place: Place) -> str | None:
    """Below the last item of a list that is written one `{…}` a line."""
    lines = text.splitlines(keepends=True)
    start = next((at for at, line in enumerate(lines) if line.startswith(f"{key}:")), None)
    last = None
    for at in range(start + 1 if start is not None else len(lines), len(lines)):
        if lines[at][:1].isalpha():
            break
        last = at if _ITEM.match(lines[at]) else last
    if last is None or not (found := _ITEM.match(lines[last])) or not found[2]:
        return None
    return "".join((*lines[: last + 1], f"{found[1]}{_flow(place)}\n", *lines[last + 1 :]))


def _spliced(text: str, path: tuple[str, int], place: Place, name: str) -> str:
    if _has_marks(text):
        raise CannotEdit(f"`{name}` has lines of `---`, and only the first part of it would count; take them out.")
    page = f"---\n{text if text.endswith(chr(10)) else text + chr(10)}---\n"
    result = set_values(page, {path: _item(place)}).removeprefix("---\n").removesuffix("---\n")
    parse_allowlist(result, name=name)
    return result


def _has_marks(text: str) -> bool:
    return any(line.rstrip() == "---" for line in text.splitlines())


def _item(place: Place) -> object:
    return name_of(place) if place.category == OTHER else _mapping(place)


def _mapping(place: Place) -> dict[str, str]:
    key = "repo" if isinstance(place, AllowedRepository) else "host"
    return {key: name_of(place), "category": place.category}


def _flow(place: Place) -> str:
    if place.category == OTHER:
        return name_of(place)
    return "{" + ", ".join(f"{key}: {value}" for key, value in _mapping(place).items()) + "}"


class AllowedHost(NamedTuple):
    place: str
    category: str
    new_category: bool
    """Whether nothing on the list had it before."""
    seen: str
    """What asking for it gave; empty when nobody asked."""
    rulings: tuple[GateRuling, ...] = ()
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


class AllowlistInUse(NamedTuple):
    allowlist: Allowlist
    source: str
    """Where it stands: the file, `packed`, or nothing when sources are compared with none."""


def listed(ports: FreshnessPorts) -> AllowlistInUse:
    own = text_of(ports.files, ALLOWLIST) if ports.files.exists(ALLOWLIST) else ""
    setting = ports.settings.text("freshness.allowlist")
    if setting == "off":
        return AllowlistInUse(Allowlist(), "")
    if own:
        return AllowlistInUse(parse_allowlist(own), ALLOWLIST)
    return (
        AllowlistInUse(parse_allowlist(packed_text()), "packed")
        if setting == "packed"
        else AllowlistInUse(Allowlist(), "")
    )


def add(ports: FreshnessPorts, text: str, *, category: str, probe: bool, apply: bool) -> AllowedHost:
    """Checked, looked at, then by a change request; with `apply` the file here is edited. The gates look in both."""
    place = wanted_place(text, category)
    before = _start(ports, apply=apply)
    known = parse_allowlist(before) if before.strip() else Allowlist()
    refuse_overlap(known, place)
    seen = _probed(ports, address_of(place)) if probe else ""
    after = with_place(before, place, name=ALLOWLIST)
    categories = {one.category for one in known.places}
    added = AllowedHost(name_of(place), category, bool(categories) and category not in categories, seen)
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


def _change(ports: FreshnessPorts, added: AllowedHost, after: str) -> ChangeSet:
    base = base_commit(ports) if ports.vcs.root() is not None else ""
    return ChangeSet(
        origin="person",
        subject=f"allow {added.place}",
        base=base,
        edits=(FileEdit(ALLOWLIST, after.encode()),),
        title=f"chore(knowledge): allow {added.place} as {added.category}",
        body=f"Pages of {added.place} count as authoritative from now on. {added.seen}".strip(),
        taint=Taint.PERSON,
        kind="allowlist",
    )


def _written(ports: FreshnessPorts, added: AllowedHost, change: ChangeSet) -> AllowedHost:
    from cairn.changes.gate_registry import gates_of
    from cairn.changes.requests import refuse_blocked
    from cairn.changes.write import write_file

    rulings = gates_of(ports).judge(change)
    refuse_blocked(rulings)
    [edit] = change.edits
    return added._replace(rulings=rulings, written=write_file(ports.root, edit.path, edit.content or b""))


def _requested(ports: FreshnessPorts, added: AllowedHost, change: ChangeSet) -> AllowedHost:
    from cairn.changes.requests import HeldChange, publish_change

    result = publish_change(ports, replace(change, limited=False))
    if isinstance(result, HeldChange):
        return added._replace(rulings=result.rulings, held=result.reason)
    return added._replace(rulings=result.request.rulings, request=result.request)


# --- on the wire ----------------------------------------------------------------------------------------------------


def listed_json(found: AllowlistInUse) -> dict[str, Any]:
    rules = found.allowlist
    return {
        "source": found.source or None,
        "hosts": [{"host": name_of(rule), "category": rule.category} for rule in rules.rules],
        "repositories": [_repository_json(one) for one in rules.repository_rules],
    }


def _repository_json(one: AllowedRepository) -> dict[str, str]:
    return {"repository": one.name, "category": one.category}
