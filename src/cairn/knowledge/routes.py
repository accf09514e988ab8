"""`paths/index.json`: a list of routes in one file. Each is an entry of its own, without a file of its own."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.core.model.knowledge import Corpus, Entry, FieldProblem
from cairn.knowledge.corpora import ROUTES, kind_of
from cairn.knowledge.fields import json_line
from cairn.knowledge.read import MORE_PROBLEMS, MOST_PROBLEMS, EntryReading, dotted, read_page, take_entry, wrong_fields
from cairn.knowledge.values import Step, Wrong, pattern, quoted, text
from cairn.lib.yaml.parse import strip_dangerous_keys

if TYPE_CHECKING:
    from cairn.knowledge.allowlist import Allowlist

SCHEME = "route://"
LISTS = ("paths", "routes")
"""Keys under which an object holds the list."""

MAX_LENGTH = 4_000_000
"""Characters of one file; the largest list of routes anybody has is a hundredth of that."""

Steps = tuple[Step, ...]


class RouteEntries(NamedTuple):
    entries: tuple[Entry, ...] = ()
    """Those that have an id, whatever else is wrong with them."""
    errors: tuple[FieldProblem, ...] = ()
    warnings: tuple[FieldProblem, ...] = ()


def route_path(path: str, name: str) -> str:
    """What a route is known by in the graph: the file that lists it, and its id."""
    return f"{SCHEME}{path}#{name}"


def read_strict(path: str, text: str, corpus: Corpus, *, allowlist: "Allowlist | None" = None) -> EntryReading:
    """A page or a list of routes, judged by the rules of its corpus."""
    if kind_of(corpus, path) == ROUTES:
        return EntryReading(None, *read_routes(path, text)[1:])
    return read_page(path, text, corpus, allowlist=allowlist)


def read_routes(path: str, text: str) -> RouteEntries:
    """All routes of a file, and everything that is wrong with it."""
    text = text.removeprefix("\ufeff")
    try:
        value = _load(text)
    except _NotJson as problem:
        return RouteEntries(errors=(problem.told,))
    items, wrong = _items(value)
    found = chain(wrong, _twice(items), *(_check_route(steps, item) for steps, item in items))
    entries: dict[str, Entry] = {}
    for _, item in items:
        if entry := _entry(path, item):
            entries.setdefault(entry.path, entry)
    return RouteEntries(tuple(entries.values()), _placed(found, text))


def _placed(found: Iterator[Wrong], text: str) -> tuple[FieldProblem, ...]:
    listed = list(islice(found, MOST_PROBLEMS + 1))
    problems = sorted((_problem(wrong, text) for wrong in listed[:MOST_PROBLEMS]), key=lambda problem: problem.line)
    return tuple(problems) if len(listed) <= MOST_PROBLEMS else (*problems, MORE_PROBLEMS)


# --- JSON -----------------------------------------------------------------------------------------------------------


class _NotJson(Exception):
    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.told = FieldProblem("", message, line)


def _load(text: str) -> Any:
    import json

    if len(text) > MAX_LENGTH:
        raise _NotJson(f"This file is longer than {MAX_LENGTH:,} characters; split it up.")
    try:
        return strip_dangerous_keys(json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant))
    except json.JSONDecodeError as error:
        line = min(error.lineno, text.count("\n") + 1)
        raise _NotJson(
            f"This is not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}; mend it there.", line
        ) from None
    except RecursionError:
        raise _NotJson("This JSON is nested too deeply; make it flatter.") from None
    except ValueError as error:
        # Of the hooks below, or of a number with thousands of digits.
        raise _NotJson(
            str(error) if str(error).startswith("The ") else "A number in it is too long; quote it."
        ) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"The key {quoted(twice)} is there twice in one object; keep one of the two.")
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"The number `{name}` is not one that JSON has; write a finite one, or quote it.")


# --- routes ---------------------------------------------------------------------------------------------------------


def _items(value: Any) -> tuple[list[tuple[Steps, Any]], list[Wrong]]:
    """Each route with the steps to it. The list is the file, or stands under `paths`; or routes are keyed by id."""
    steps: Steps = ()
    if isinstance(value, dict):
        key = next((name for name in LISTS if name in value), None)
        if key is None:
            return [], [Wrong("There is no list of routes; put one under the key `paths`.", "paths: []")]
        steps, value = (key,), value[key]
    if isinstance(value, list):
        return [((*steps, place), item) for place, item in enumerate(value)], []
    if isinstance(value, dict) and steps:
        return [((*steps, key), _with_id(key, item)) for key, item in value.items()], []
    return [], [Wrong("must be a list of routes." if steps else "The file must hold a list of routes.", "[]", steps)]


def _with_id(key: str, item: Any) -> Any:
    return {"id": key, **item} if isinstance(item, dict) else item


_ID = pattern(r"[a-z0-9][a-z0-9_-]*", "be lower-case letters, digits and hyphens")
_SOURCE_ID = text()
_FLAG = (bool, type(None))


def _check_route(steps: Steps, item: Any) -> Iterator[Wrong]:
    if not isinstance(item, dict):
        yield Wrong("must be an object with an `id` and `sources`.", "", steps)
        return
    given = {**item, "sources": []}
    for wrong in wrong_fields(given, "artefacts"):
        if wrong.at != ("id",) or "id" not in item:
            yield wrong._replace(at=(*steps, *wrong.at))
    if "id" in item:
        yield from (wrong._replace(at=(*steps, "id")) for wrong in _ID.check(item["id"]))
    yield from _check_sources(steps, item)


def _check_sources(steps: Steps, item: Mapping[str, Any]) -> Iterator[Wrong]:
    at: Steps = (*steps, "sources")
    sources = item.get("sources")
    if not isinstance(sources, list):
        said = "must be a list of sources." if "sources" in item else "is missing; a route needs a list of sources."
        yield Wrong(said, "sources: []", at)
        return
    seen: set[str] = set()
    for place, source in enumerate(sources):
        yield from _check_source((*at, place), source, seen)


def _check_source(at: Steps, source: Any, seen: set[str]) -> Iterator[Wrong]:
    """What all corpora of routes agree on; the classes of sources are a matter of each."""
    if not isinstance(source, dict):
        yield Wrong("must be an object with an `id`.", "", at)
        return
    name: Any = source.get("id")
    if wrong := next(iter(_SOURCE_ID.check(name)), None):
        yield wrong._replace(at=(*at, "id"))
    elif name in seen:
        yield Wrong(f"is {quoted(name)}, which another source of this route is called too.", "", (*at, "id"))
    else:
        seen.add(name)
    yield from _check_rest(at, source)


def _check_rest(at: Steps, source: Mapping[str, Any]) -> Iterator[Wrong]:
    priority = source.get("priority")
    if priority is not None and type(priority) not in (int, float):
        yield Wrong(f"must be a number, not {quoted(priority)}.", "0", (*at, "priority"))
    for key in ("fallback_only", "audited_document_delivery"):
        if not isinstance(source.get(key), _FLAG):
            yield Wrong(f"must be true or false, not {quoted(source[key])}.", "false", (*at, key))


def _twice(items: list[tuple[Steps, Any]]) -> Iterator[Wrong]:
    seen: set[str] = set()
    for steps, item in items:
        name = item.get("id") if isinstance(item, dict) else None
        if isinstance(name, str) and name in seen:
            yield Wrong(f"is {quoted(name)}, which another route is called too.", "", (*steps, "id"))
        elif isinstance(name, str):
            seen.add(name)


def _entry(path: str, item: Any) -> Entry | None:
    """The sources of a route are steps to walk, not evidence to compare with, so they stay as they are."""
    if not isinstance(item, dict) or not isinstance(item.get("id"), str) or not item["id"].strip():
        return None
    given = {key: value for key, value in item.items() if key != "sources"}
    entry = take_entry(route_path(path, item["id"].strip()), given, kind="route", layout="artefacts")
    if entry is None:
        return None
    from dataclasses import replace

    return replace(entry, extra={**entry.extra, "sources": item.get("sources", [])})


def _problem(wrong: Wrong, text: str) -> FieldProblem:
    field = dotted(wrong.at)
    message = f"`{field}` {wrong.said}" if field else wrong.said
    return FieldProblem(field, message, json_line(text, wrong.at), wrong.fix, wrong.rule)
