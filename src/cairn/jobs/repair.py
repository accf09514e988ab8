"""Puts right what is slightly wrong with an answer, where nothing is lost by it, and names each repair.

A key that the schema does not know is dropped, a title or reason that is too long ends at a word, tags are written in
lower case with hyphens (and the first of too many count), a text is a list of one, numbers in quotes and words in
another case are read, and a list or a value that may be empty or null need not be given. A list that stands under a
name that nobody asked for is not dropped silently: then none may be missing.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

Schema = Mapping[str, Any]
Note = Callable[[str], None]

_SHORTENED: Final = ("title", "summary")
"""Strings of these names lose nothing with their last words."""
_REMARKS: Final = ("reason", "why", "also_changed", "injectionDetails")
"""Strings that only explain: of whatever length, their beginning is enough."""
_TAGS: Final = ("tags", "tag")
_TIMES: Final = 2
"""A title of more than so many times its length is not just too long."""


def repaired(value: Mapping[str, Any], schema: Schema) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A copy with the repairs, and a few words about each."""
    notes: dict[str, None] = {}
    walk = _Repair(schema, lambda note: notes.setdefault(note))
    return walk.object(value, schema, ""), tuple(notes)


class _Repair:
    def __init__(self, root: Schema, note: Note) -> None:
        self._root, self._note = root, note

    def any(self, value: Any, schema: Schema, where: str) -> Any:
        schema = self._resolved(schema)
        types = _types(schema)
        if isinstance(value, dict) and "object" in types:
            return self.object(value, schema, where)
        if isinstance(value, str) and "array" in types and "string" not in types and self._holds_texts(schema):
            value = self._list_of(value, schema, where)
        if isinstance(value, list) and "array" in types:
            return self._list(value, schema, where)
        if isinstance(value, str):
            return self._text(value, schema, types, where)
        if value is None and "array" in types and "null" not in types and not schema.get("minItems"):
            self._note(f"`{where}` is empty, not null")
            return []
        return value

    def _holds_texts(self, schema: Schema) -> bool:
        return "string" in _types(self._resolved(schema.get("items", {})))

    def _list_of(self, value: str, schema: Schema, where: str) -> list[str]:
        self._note(f"`{where}` is a list")
        parts = value.split(",") if _name(where) in _TAGS else [value]
        return [part for part in parts if part.strip()]

    def _list(self, value: list[Any], schema: Schema, where: str) -> list[Any]:
        items = schema.get("items", {})
        found = [self.any(item, items, f"{where}/{number}") for number, item in enumerate(value)]
        if _name(where) not in _TAGS:
            return found
        if self._holds_texts(schema):
            found = [tag for number, tag in enumerate(found) if tag and tag not in found[:number]]
        most = schema.get("maxItems")
        if most is not None and len(found) > most:
            self._note(f"`{where}` has the first {most}")
            found = found[:most]
        return found

    def object(self, value: Mapping[str, Any], schema: Schema, where: str) -> dict[str, Any]:
        known = schema.get("properties", {})
        found, renamed = {}, False
        for key, inner in value.items():
            if key not in known and schema.get("additionalProperties") is False:
                self._note(f"`{_path(where, key)}` is not asked for")
                renamed = renamed or bool(inner and isinstance(inner, list | dict))
            else:
                found[key] = self.any(inner, known.get(key, {}), _path(where, key))
        return found | self._missing(found, schema, where, lists=not renamed)

    def _missing(self, value: Mapping[str, Any], schema: Schema, where: str, *, lists: bool) -> dict[str, Any]:
        """What may be empty or null, and was left out. A list is not empty where another one stands under a name that
        nobody asked for: it may be the same, and would be lost."""
        added: dict[str, Any] = {}
        for key in schema.get("required", ()):
            inner = self._resolved(schema.get("properties", {}).get(key, {}))
            if key in value:
                continue
            if "array" in _types(inner) and not inner.get("minItems") and lists:
                added[key] = []
            elif "null" in _types(inner) or ("enum" in inner and None in inner["enum"]):
                added[key] = None
            else:
                continue
            self._note(f"`{_path(where, key)}` is empty")
        return added

    def _text(self, value: str, schema: Schema, types: tuple[str, ...], where: str) -> Any:
        if "string" not in types and ("number" in types or "integer" in types):
            return self._number(value, types, where)
        words = schema.get("enum")
        if words is not None:
            return value if value in words else self._word(value, words, where)
        if _is_tag(where):
            value = self._tag(value, where)
        return self._shortened(value, schema, where)

    def _tag(self, value: str, where: str) -> str:
        tag = "-".join(value.strip().lstrip("#").lower().split())
        if tag != value:
            self._note(f"`{where}` is `{tag}`")
        return tag

    def _shortened(self, value: str, schema: Schema, where: str) -> str:
        is_remark = _name(where) in _REMARKS
        if not is_remark and _name(where) not in _SHORTENED:
            return value
        if "pattern" in schema and value.strip() and (lines := " ".join(value.split())) != value:
            self._note(f"`{where}` is on one line")
            value = lines
        most = schema.get("maxLength")
        if most is not None and most < len(value) and (is_remark or len(value) <= _TIMES * most):
            self._note(f"`{where}` is shortened to {most} characters")
            return shortened(value, most)
        return value

    def _number(self, value: str, types: tuple[str, ...], where: str) -> Any:
        try:
            number = int(value) if "integer" in types and "number" not in types else float(value)
        except ValueError:
            return value
        if not math.isfinite(number):
            return value
        self._note(f"`{where}` is a number")
        return number

    def _word(self, value: str, words: list[Any], where: str) -> Any:
        """Of a closed list, in whatever case."""
        same = [word for word in words if isinstance(word, str) and _plain(word) == _plain(value)]
        if len(same) != 1:
            return value
        self._note(f"`{where}` is `{same[0]}`")
        return same[0]

    def _resolved(self, schema: Any) -> Schema:
        """A schema, or the part of this file that it names."""
        if not isinstance(schema, dict):
            return {}
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return schema
        found: Any = self._root
        for step in reference[2:].split("/"):
            found = found.get(step, {}) if isinstance(found, dict) else {}
        return found if isinstance(found, dict) else {}


def shortened(text: str, most: int) -> str:
    """Ends at a word, with an ellipsis."""
    cut = text[: most - 1]
    at_word = cut.rpartition(" ")[0]
    return f"{(at_word if len(at_word) > most // 2 else cut).rstrip(' ,;:.-')}…"


def _types(schema: Schema) -> tuple[str, ...]:
    kind = schema.get("type", ())
    return (kind,) if isinstance(kind, str) else tuple(kind)


def _name(where: str) -> str:
    return where.rpartition("/")[2]


def _is_tag(where: str) -> bool:
    """A text under `tag`, or one of the list `tags`."""
    steps = where.split("/")
    return steps[-1] == "tag" or (len(steps) > 1 and steps[-2] == "tags" and steps[-1].isdigit())


def _path(where: str, key: str) -> str:
    return f"{where}/{key}" if where else key


def _plain(word: str) -> str:
    return word.strip().casefold().replace("_", "-").replace(" ", "-")
