"""One more place on the allowlist: what it would overlap with, and the file with it, everything else as it was."""

import re
from typing import Final

from cairn.errors import CannotEdit, Conflict, UsageError
from cairn.knowledge.allowlist import OTHER, Allowlist, Repository, Rule, parse_allowlist, parse_place
from cairn.knowledge.edit import set_values
from cairn.lib.yaml.parse import load_yaml

_CATEGORY: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_ITEM: Final = re.compile(r"(\s*-\s+)(\{.*\})?")
_HEAD: Final = """\
# Hosts whose pages are taken for authoritative: a source elsewhere is a warning, never an error.
# A host stands for its subdomains too; host/path for what lies below that path.
"""

Place = Rule | Repository


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
    return place.name if isinstance(place, Repository) else place.host + place.path


def address_of(place: Place) -> str:
    """Where to look whether it is there."""
    return f"https://github.com/{place.name}" if isinstance(place, Repository) else f"https://{place.host}{place.path}"


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
    if isinstance(wide, Repository):
        return False
    if isinstance(narrow, Repository):
        narrow = Rule("github.com", f"/{narrow.name}")
    below = narrow.host == wide.host or narrow.host.endswith(f".{wide.host}")
    return below and (not wide.path or (narrow.host == wide.host and wide.covers(narrow.path)))


# --- the file -------------------------------------------------------------------------------------------------------


def with_place(text: str, place: Place, *, name: str) -> str:
    """The file with one more item. An empty text makes a new file. `name` is how the file is called in errors."""
    if not text.strip():
        key = "github_repos" if isinstance(place, Repository) else "hosts"
        return f"{_HEAD}{key}:\n  - {_flow(place)}\n"
    parse_allowlist(text, name=name)
    value = load_yaml(text)
    assert isinstance(value, dict)  # the parser said so
    key = "github_repos" if isinstance(place, Repository) else "hosts"
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
    key = "repo" if isinstance(place, Repository) else "host"
    return {key: name_of(place), "category": place.category}


def _flow(place: Place) -> str:
    if place.category == OTHER:
        return name_of(place)
    return "{" + ", ".join(f"{key}: {value}" for key, value in _mapping(place).items()) + "}"
