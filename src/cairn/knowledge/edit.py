"""Change values of a page's frontmatter in place: everything else stays as it is, character for character.

The text of each value is found, replaced by itself, and the result is read again. What is returned says what was meant
and nothing else; where that cannot be had, the page is left alone and the error says why.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from cairn.errors import CannotEdit
from cairn.lib.markdown.frontmatter import parse, split
from cairn.lib.yaml.parse import YamlProblem, load_yaml
from cairn.lib.yaml.splice import (
    Splice,
    YamlPage,
    YamlPiece,
    describes,
    insert_item,
    insert_key,
    manner_of,
    pieces,
    replace,
)
from cairn.lib.yaml.splice import remove as remove_child

Path = tuple[str | int, ...]

ORDER = (
    *("schema_version", "id", "name", "title", "kind", "description", "summary", "tags", "topics"),
    *("derived_from", "relates_to", "depends_on", "confidence", "volatility"),
    *("last-reviewed", "last_reviewed", "version-pin"),
    *("sources", "status", "version", "origin", "version_pin", "superseded_by"),
    *("url", "path", "anchor", "hash", "raw", "canon", "retrieved", "drifted"),
)
"""A new key is put behind the nearest of these that comes before it; one that is not listed goes to the end."""


def set_values(text: str, changes: Mapping[Path, Any]) -> str:
    """The page with other values. A path is made of keys and places in lists: `("sources", 2, "hash")`.

    Keys that are missing are added, and a list takes one more item at the place behind its last. A collection that
    is given whole is compared with what is there, so that items that stay are not written anew."""
    front = _Front.of(text)
    steps: list[_Step] = []
    value = front.value
    for path, wanted in changes.items():
        after = _with(value, path, _plain(wanted, path), path)
        steps += _steps(value, after, ())
        value = after
    return front.at_once(_steps(front.value, value, ()), value) or front.carried_out(steps)


def remove(text: str, path: Path) -> str:
    """The page without one key or item; a page that has nothing there is returned as it is."""
    front = _Front.of(text)
    if not path or not _is_there(front.value, path):
        return text
    return front.carried_out([_Step("remove", path)])


# --- what to do -----------------------------------------------------------------------------------------------------


class _Step(NamedTuple):
    kind: Literal["replace", "insert", "remove"]
    path: Path
    value: Any = None


def _steps(old: Any, new: Any, path: Path) -> list[_Step]:
    """What turns one value into another, with as little as possible."""
    if _same(old, new):
        return []
    if not new:  # the whole block goes, with the remarks in it
        return [_Step("replace", path, new)]
    if isinstance(old, dict) and isinstance(new, dict):
        gone = [_Step("remove", (*path, key)) for key in old if key not in new]
        changed = [step for key in old if key in new for step in _steps(old[key], new[key], (*path, key))]
        return [*changed, *(_Step("insert", (*path, key), new[key]) for key in new if key not in old), *gone]
    if isinstance(old, list) and isinstance(new, list):
        return _list_steps(old, new, path)
    return [_Step("replace", path, new)]


def _list_steps(old: list[Any], new: list[Any], path: Path) -> list[_Step]:
    """What is alike at the beginning and at the end stays; what is between is replaced one by one."""
    shorter = min(len(old), len(new))
    head = _alike(old, new, shorter)
    tail = _alike(old[::-1], new[::-1], shorter - head)
    middle, wanted = old[head : len(old) - tail], new[head : len(new) - tail]
    both = min(len(middle), len(wanted))
    changed = [step for i in range(both) for step in _steps(middle[i], wanted[i], (*path, head + i))]
    added = [_Step("insert", (*path, head + i), wanted[i]) for i in range(both, len(wanted))]
    gone = [_Step("remove", (*path, head + i)) for i in range(len(middle) - 1, both - 1, -1)]
    return [*changed, *added, *gone]


def _alike(one: Sequence[Any], other: Sequence[Any], most: int) -> int:
    return next((i for i in range(most) if not _same(one[i], other[i])), most)


def _same(one: Any, other: Any) -> bool:
    """Equal and of the same types: `1`, `1.0` and `true` are three things."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(item, other[key]) for key, item in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _after(value: Any, step: _Step) -> Any:
    """The value once a step is done."""
    if not step.path:
        return step.value
    key, *rest = step.path
    copy: Any = dict(value or {}) if isinstance(key, str) else list(value or [])
    if rest:
        copy[key] = _after(copy[key], step._replace(path=tuple(rest)))
    elif step.kind == "remove":
        del copy[key]
    elif isinstance(key, int) and step.kind == "insert":
        copy.insert(key, step.value)
    else:
        copy[key] = step.value
    return copy


def _with(value: Any, path: Path, wanted: Any, whole: Path) -> Any:
    """The value with `wanted` at a path; what is missing on the way is made."""
    if not path:
        return wanted
    key, *rest = path
    if isinstance(key, str) and isinstance(value, dict | None):
        old = value or {}
        return {**old, key: _with(old.get(key), tuple(rest), wanted, whole)}
    if isinstance(key, int) and isinstance(value, list | None):
        items = value or []
        if not 0 <= key <= len(items):
            raise CannotEdit(f"`{shown(whole)}` cannot be set: the list has only {len(items)} items.")
        inner = items[key] if key < len(items) else None
        return [*items[:key], _with(inner, tuple(rest), wanted, whole), *items[key + 1 :]]
    what = "a list" if isinstance(key, int) else "a mapping"
    at = shown(whole[: len(whole) - len(path)]) or "the frontmatter"
    raise CannotEdit(f"`{shown(whole)}` cannot be set: `{at}` is not {what}; change it by hand first.")


def _is_there(value: Any, path: Path) -> bool:
    for key in path:
        known: Any = value if isinstance(key, str) and isinstance(value, dict) else ()
        if isinstance(key, int) and isinstance(value, list):
            known = range(len(value))
        if key not in known:
            return False
        value = value[key]
    return True


def _plain(value: Any, path: Path) -> Any:
    """Dictionaries, lists and scalars only, as our reader would give them back."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item, path) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, path) for item in value]
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    raise CannotEdit(f"`{shown(path)}` cannot be set to a {type(value).__name__}; give a text, a number or a list.")


def shown(path: Path) -> str:
    """`sources[2].hash`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


# --- doing it -------------------------------------------------------------------------------------------------------


class _Front(NamedTuple):
    """A page taken apart: what stands before the values, the values, what stands behind."""

    before: str
    source: str
    """The frontmatter with the line break that follows it, so that a block of text at its end is whole."""
    behind: str
    newline: str
    value: dict[str, Any]

    @classmethod
    def of(cls, text: str) -> "_Front":
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        page = text.removeprefix(mark)
        newline = "\r\n" if page[: page.find("\n") + 1].endswith("\r\n") else "\n"
        raw = split(page).raw
        if raw is None:
            _refuse_unclosed(page)
            return cls(f"{mark}---{newline}", "", f"---{newline}{page}", newline, {})
        start = page.index("\n") + 1
        behind = page[start + len(raw) :]
        ending = "\r\n" if behind.startswith("\r\n") else "\n" if behind.startswith("\n") else ""
        source = raw + ending
        return cls(mark + page[:start], source, behind.removeprefix(ending), newline, _read(raw, source))

    def at_once(self, steps: list[_Step], wanted: dict[str, Any]) -> str | None:
        """The page after all steps, by one look at where things stand; None where they must go one by one. Taking
        a text apart is slow, and most edits are dates and hashes that do not touch each other."""
        if len(steps) < 2:
            return None
        tree = _tree(self.source, self.value)
        splices = _together(YamlPage(self.source, self.newline, manner_of(tree)), tree, steps)
        source = _all_applied(self.source, splices) if splices else None
        if source is None or not self._says(source, wanted) or not _reads_back(source, steps):
            return None
        return self.before + source + self.behind

    def carried_out(self, steps: list[_Step]) -> str:
        """The page after all steps. Steps that only replace something share one look at where things stand."""
        source, value = self.source, self.value
        for batch in _batches(steps):
            tree = _tree(source, value)
            page = YamlPage(source, self.newline, manner_of(tree))
            for step in sorted(batch, key=lambda step: _position(tree, step.path), reverse=True):
                wanted = _after(value, step)
                source = self._spliced(page._replace(source=source), tree, step, wanted)
                value = wanted
        return self.before + source + self.behind

    def _spliced(self, page: YamlPage, tree: YamlPiece | None, step: _Step, wanted: dict[str, Any]) -> str:
        for splice in _ways(page, tree, step):
            source = splice.apply(page.source)
            if self._says(source, wanted) and _reads_back(source, [step]):
                return source
        raise CannotEdit(
            f"`{shown(step.path)}` cannot be changed without touching what stands beside it; change it by hand.",
            field=shown(step.path),
        )

    def _says(self, source: str, wanted: dict[str, Any]) -> bool:
        """Whether the text holds these values for everyone: read as it is, and as part of the page."""
        try:
            read = load_yaml(source) or {}
        except YamlProblem:
            return False
        if not _same(read, wanted) or (source and not source.endswith("\n")):
            return False
        page = split(self.before.removeprefix("\ufeff") + source + self.behind)
        expected = source.removesuffix("\n").removesuffix("\r")
        return page.raw == expected and self.behind.endswith(page.body)


def _tree(source: str, value: dict[str, Any]) -> YamlPiece | None:
    try:
        tree = pieces(source)
    except ValueError:
        tree = None
    if not describes(tree, value):
        raise CannotEdit("The frontmatter is written in a way that cannot be edited exactly; change it by hand.")
    return tree


def _reads_back(source: str, steps: Sequence[_Step]) -> bool:
    """Readers that leave out the last line break must see the new values too: it counts in a block of text."""
    kept = [step for step in steps if step.kind != "remove"]
    value = load_yaml(source.removesuffix("\n").removesuffix("\r")) if kept else None
    return all(_same(_at(value, step.path), step.value) for step in kept)


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def _batches(steps: list[_Step]) -> Iterator[list[_Step]]:
    batch: list[_Step] = []
    for step in steps:
        if batch and not (_independent(batch[-1], step) and all(_independent(other, step) for other in batch)):
            yield batch
            batch = []
        batch.append(step)
    if batch:
        yield batch


def _independent(one: _Step, other: _Step) -> bool:
    if one.kind != "replace" or other.kind != "replace":
        return False
    length = min(len(one.path), len(other.path))
    return one.path[:length] != other.path[:length]


def _together(page: YamlPage, tree: YamlPiece | None, steps: Sequence[_Step]) -> list[Splice] | None:
    """The first way of every step, all seen from the text as it is, in the order in which they stand in it; None when
    one has none. Of those that begin at one place, what replaces comes first, then what is deeper inside."""
    found: list[tuple[tuple[int, ...], Splice]] = []
    for number, (step, after) in enumerate(_placed(tree, steps)):
        splice = None if after is None else next(_ways(page, tree, step, after), None)
        if splice is None:
            return None
        found.append(((splice.start, splice.end, step.kind == "insert", -len(step.path), number), splice))
    return [splice for _, splice in sorted(found, key=lambda one: one[0])]


def _placed(tree: YamlPiece | None, steps: Sequence[_Step]) -> Iterator[tuple[_Step, int | None]]:
    """Each with the place of the key that it comes behind, new keys in the order that they have in the end; None for
    what can't be done beside others."""
    behind: dict[Path, dict[str, int]] = {}
    for path in dict.fromkeys(step.path[:-1] for step in steps if step.kind == "insert"):
        piece = _piece_at(tree, path)
        new = [str(step.path[-1]) for step in steps if step.kind == "insert" and step.path[:-1] == path]
        behind[path] = _anchors(piece.keys, new) if piece and piece.keys else {}
    order = {(*path, key): number for path, keys in behind.items() for number, key in enumerate(keys)}
    for step in sorted(steps, key=lambda step: order.get(step.path, -1)):
        if step.kind == "insert":
            yield step, behind[step.path[:-1]].get(str(step.path[-1]))
        else:
            yield step, None if step.kind == "remove" else 0


def _anchors(known: list[str], new: Sequence[str]) -> dict[str, int]:
    """The new keys in the order that they will stand in, each with the place of the old one before it."""
    keys = list(known)
    for key in new:
        keys.insert(_neighbour(keys, key) + 1, key)
    found: dict[str, int] = {}
    place = -1
    for key in keys:
        if key in new:
            found[key] = place
        else:
            place += 1
    return found


def _all_applied(source: str, splices: Sequence[Splice]) -> str | None:
    """None when two of them want the same characters."""
    done, at = [], 0
    for splice in splices:
        if splice.start < at:
            return None
        done += [source[at : splice.start], splice.text]
        at = splice.end
    return "".join(done) + source[at:]


def _piece_at(tree: YamlPiece | None, path: Path) -> YamlPiece | None:
    piece = tree
    for key in path:
        if piece is None or (key not in piece.keys if isinstance(key, str) else key >= len(piece.items)):
            return None
        piece = piece.child(key)
    return piece


def _position(tree: YamlPiece | None, path: Path) -> int:
    """Where a value stands; steps are carried out from the end, so that places before it hold."""
    piece = _piece_at(tree, path)
    return piece.start if piece else 0


def _ways(page: YamlPage, tree: YamlPiece | None, step: _Step, after: int | None = None) -> Iterator[Splice]:
    """A new key comes behind the one at place `after`, else where it belongs."""
    *way, key = step.path
    parent, piece = None, tree
    for part in way:
        parent, piece = piece, piece.child(part) if piece else None
    if step.kind == "insert" and isinstance(key, str):
        place = _neighbour(piece.keys if piece else [], key) if after is None else after
        yield from insert_key(page, piece, key, step.value, place)
    elif piece is None:
        return
    elif step.kind == "insert" and isinstance(key, int):
        yield from insert_item(page, parent, piece, key, step.value)
    elif step.kind == "remove":
        yield from remove_child(page, parent, piece, piece.place(key))
    else:
        yield from replace(page, piece, piece.child(key), step.value)


def _neighbour(keys: list[str], key: str) -> int:
    """The place of the key that a new one comes behind."""
    before = ORDER[: ORDER.index(key)] if key in ORDER else ()
    known = [place for place, name in enumerate(keys) if name in before]
    return max(known, key=lambda place: before.index(keys[place]), default=len(keys) - 1)


def _read(raw: str, source: str) -> dict[str, Any]:
    try:
        load_yaml(raw)
        value = load_yaml(source)
    except YamlProblem as problem:
        line = (problem.line or 0) + 1
        message = f"The frontmatter cannot be edited before it can be read: line {line}: {problem.message}"
        raise CannotEdit(message, line=line) from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise CannotEdit("The frontmatter cannot be edited: it must be a mapping, like `title: My page`.", line=2)
    return value


def _refuse_unclosed(page: str) -> None:
    for problem in parse(page).problems:
        raise CannotEdit(f"The frontmatter cannot be edited before it is mended: {problem.message}", line=problem.line)


def mended(text: str) -> str:
    """The page without the slips that can be mended; character for character the same where there is none."""
    changes = _mend_anchors(parse(text).frontmatter)
    return set_values(text, changes) if changes else text


def _mend_anchors(frontmatter: dict[str, Any]) -> dict[Path, Any]:
    """What follows a `#` in the address of a source goes to its anchor."""
    sources = frontmatter.get("sources")
    changes: dict[Path, Any] = {}
    for place, item in enumerate(sources if isinstance(sources, list) else ()):
        if isinstance(item, dict) and (parts := fragment_of(item)):
            address, fragment = parts
            changes["sources", place, "url"] = address
            if fragment:
                changes["sources", place, "anchor"] = fragment
    return changes


def fragment_of(source: dict[str, Any]) -> tuple[str, str] | None:
    """Address and fragment, with its `#`, of a source whose `url` has both; the fragment is empty where it is only the
    `#`. None when there is nothing to move, or when the source has another anchor already."""
    url, anchor = source.get("url"), source.get("anchor")
    if not isinstance(url, str) or "#" not in url:
        return None
    address, _, fragment = url.strip().partition("#")
    fragment = f"#{fragment}" if fragment else ""
    if anchor is not None and fragment and anchor != fragment:
        return None
    return address, fragment
