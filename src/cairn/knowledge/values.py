"""Rules for the values of frontmatter, sources among them, each with a sentence for whoever got it wrong."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from cairn.core.model.knowledge import Source
from cairn.lib.text import names

Step = str | int
"""One step into a value: a key or a position."""


class Wrong(NamedTuple):
    said: str
    """The rest of the sentence that starts with the field's name."""
    fix: str = ""
    at: tuple[Step, ...] = ()
    """Where below the field."""
    rule: str = "entry-invalid"


class ValueRule(NamedTuple):
    check: Callable[[Any], Iterable[Wrong]]
    take: Callable[[Any], Any]


FINE: tuple[Wrong, ...] = ()


def quoted(value: object) -> str:
    """A value as it may be shown in a sentence: on one line and short."""
    from json import dumps

    text = value if isinstance(value, str) else dumps(value, ensure_ascii=False, default=str)
    text = " ".join(text.split())
    return f"`{text[:57]}…`" if len(text) > 60 else f"`{text}`"


def nearest(word: object, known: Sequence[str]) -> str:
    """The known word that was probably meant, or nothing."""
    if not isinstance(word, str):
        return ""
    spelled = word.lower().replace("_", "-").replace(" ", "-")
    same = [name for name in known if name.replace("_", "-") == spelled]
    return same[0] if same else names.nearest(word[:80], known) or ""


# --- text -----------------------------------------------------------------------------------------------------------


def text(longest: int | None = None, *, empty: bool = False) -> ValueRule:
    """A string that says something; with `empty`, null and nothing will do too."""

    def check(value: Any) -> Iterable[Wrong]:
        if value is None and empty:
            return FINE
        if not isinstance(value, str):
            return (_no_text(value),)
        if not value.strip():
            return FINE if empty else (Wrong("is empty; write it out.", "write it out"),)
        if longest is not None and len(value) > longest:
            return (Wrong(f"has {len(value)} characters; at most {longest} fit.", f"shorten to {longest} characters"),)
        return FINE

    return ValueRule(check, take_text)


def take_text(value: Any) -> str | None:
    return (value.strip() or None) if isinstance(value, str) else None


def _no_text(value: Any) -> Wrong:
    if value is None:
        return Wrong("is empty; write it out.", "write it out")
    if isinstance(value, bool | int | float):
        return Wrong(f"must be text, and {quoted(value)} is not; put it in quotes.", f"'{quoted(value)[1:-1]}'")
    return Wrong(f"must be text, not {_kind(value)}.", "write text")


def _kind(value: Any) -> str:
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, dict) else "something else"


def pattern(regex: str, must: str) -> ValueRule:
    """A string of one form; `must` says which."""
    plain = text()
    matches = re.compile(regex).fullmatch

    def check(value: Any) -> Iterable[Wrong]:
        if isinstance(value, str) and matches(value):
            return FINE
        return tuple(plain.check(value)) or (Wrong(f"must {must}; {quoted(value)} does not.", _as_slug(value)),)

    return ValueRule(check, take_text)


def _as_slug(value: str) -> str:
    """What somebody probably meant by a name that is none."""
    return re.sub(r"[^a-z0-9]+", "-", value.lower()).lstrip("-0123456789").rstrip("-")


def choice(
    known: Sequence[str], make: Callable[[str], Any] = str, default: Any = None, *, empty: bool = False
) -> ValueRule:
    listed = ", ".join(f"`{word}`" for word in known)
    words = frozenset(known)

    def check(value: Any) -> Iterable[Wrong]:
        if (isinstance(value, str) and value in words) or (value is None and empty):
            return FINE
        if value is None:
            return (Wrong(f"is empty; write one of {listed}.", known[0]),)
        meant = nearest(value, known)
        hint = f"; did you mean `{meant}`?" if meant else "."
        return (Wrong(f"must be one of {listed}, not {quoted(value)}{hint}", meant),)

    def take(value: Any) -> Any:
        return make(value) if isinstance(value, str) and value in words else default

    return ValueRule(check, take)


# --- other shapes ---------------------------------------------------------------------------------------------------


def texts() -> ValueRule:
    """A list of strings that say something."""
    one = text()

    def check(value: Any) -> Iterator[Wrong]:
        if isinstance(value, list):
            for place, item in enumerate(value):
                for wrong in one.check(item):
                    yield wrong._replace(at=(place,))
        elif isinstance(value, str) and value.strip():
            yield Wrong(f"must be a list; write `[{quoted(value)[1:-1]}]`.", f"[{value}]")
        else:
            yield Wrong("must be a list of texts; write `[]` for none.", "[]")

    return ValueRule(check, take_texts)


def take_texts(value: Any) -> tuple[str, ...]:
    """Each once, in order; a single text is a list of one."""
    items = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(dict.fromkeys(stripped for item in items if isinstance(item, str) and (stripped := item.strip())))


def check_date(value: Any) -> Iterable[Wrong]:
    if value is None or (isinstance(value, str) and parse_date(value)):
        return FINE
    if isinstance(value, str) and _DATE_FORM(value):
        return (Wrong(f"must be a day that exists; {quoted(value)} does not.", "a date like 2026-01-31"),)
    said = f"must be a date written as year-month-day, like `2026-01-31`, not {quoted(value)}."
    return (Wrong(said, "a date like 2026-01-31"),)


_DATE_FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch


def parse_date(value: str | None) -> date | None:
    """A date that is written in the one way and exists."""
    if value is None or not _DATE_FORM(value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


DATE = ValueRule(check_date, take_text)
"""The tolerant side keeps what it cannot read: an unreadable date is older than any, not missing."""


def exactly(*expected: int) -> ValueRule:
    def check(value: Any) -> Iterable[Wrong]:
        if type(value) is int and value in expected:
            return FINE
        said = " or ".join(map(str, expected))
        return (Wrong(f"must be {said}, not {quoted(value)}.", str(expected[0])),)

    return ValueRule(check, lambda value: value)


def digest() -> ValueRule:
    matches = re.compile(r"sha256:[0-9a-f]{64}").fullmatch

    def check(value: Any) -> Iterable[Wrong]:
        if value is None or (isinstance(value, str) and matches(value)):
            return FINE
        lowered = value.strip().lower() if isinstance(value, str) else ""
        fix = lowered if matches(lowered) else f"sha256:{lowered}" if matches(f"sha256:{lowered}") else "remove it"
        said = (
            f"must be `sha256:` and 64 hexadecimal digits in lower case, not {quoted(value)}; take it out or mend it."
        )
        return (Wrong(said, fix),)

    return ValueRule(check, lambda value: value if isinstance(value, str) and matches(value) else None)


def count() -> ValueRule:
    def check(value: Any) -> Iterable[Wrong]:
        if value is None or (type(value) is int and value > 0):
            return FINE
        return (Wrong(f"must be a whole number from 1 on, not {quoted(value)}.", "1"),)

    return ValueRule(check, lambda value: value if type(value) is int and value > 0 else None)


_LINES = re.compile(r"L([0-9]+)(?:-L?([0-9]+))?")
_ODD_IN_PATH = re.compile(r"[\x00-\x1f\x7f\\]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_BLANK = re.compile(r"\s")

_TEXT, _DIGEST, _COUNT = text(), digest(), count()


# --- addresses ------------------------------------------------------------------------------------------------------


def check_url(value: Any) -> Iterable[Wrong]:
    wrong = tuple(_TEXT.check(value))
    if wrong:
        return wrong
    reason = _refused(value)
    return (Wrong(f"cannot be a source: {reason}", "a public address, `https://host/page`"),) if reason else FINE


def _refused(url: str) -> str:
    """Why nobody should fetch this, in words; nothing when all is well."""
    if _BLANK.search(url):
        return "there is a blank in it; write `%20` instead, or take it out."
    from cairn.lib.urls.url import refuse_url

    reason = refuse_url(url) or ""
    return reason[:1].lower() + reason[1:]


def check_anchor(value: Any) -> Iterable[Wrong]:
    if value is None:
        return FINE
    wrong = tuple(_TEXT.check(value))
    if wrong:
        return wrong
    bare = value.strip().lstrip("#")
    if not value.startswith("#"):
        return (Wrong(f"must start with `#`; write `'#{bare}'`.", f"'#{bare}'"),)
    return FINE if bare else (Wrong("has nothing after its `#`; name the section or take it out.", "remove it"),)


# --- places in the repository ---------------------------------------------------------------------------------------


def check_path(value: Any) -> Iterable[Wrong]:
    wrong = tuple(_TEXT.check(value))
    if wrong:
        return wrong
    path, mark, anchor = value.strip().partition("#")
    reason = _not_inside(path) or (_no_anchor(anchor) if mark else "")
    return (Wrong(reason, "a path from the root of the repository"),) if reason else FINE


def _not_inside(path: str) -> str:
    if not path:
        return "names no file; write `folder/file.py#name`."
    if path.lower().startswith(("http://", "https://")):
        return f"is an address of the web; write `url: {path[:60]}` instead."
    if _ODD_IN_PATH.search(path):
        return "has a backslash or a control character in it; write it with `/`, as git does."
    if path[0] in "/~" or _SCHEME.match(path) or path[1:2] == ":":
        return f"must be relative to the root of the repository, and {quoted(path)} is not."
    if inside(path) is None:
        return f"leads out of the repository: {quoted(path)}; name a file inside."
    return ""


def _no_anchor(anchor: str) -> str:
    if not anchor.strip():
        return "has nothing after its `#`; name a symbol, a key or lines such as `#L10-L20`, or take it out."
    lines = _LINES.fullmatch(anchor)
    if lines and not 1 <= int(lines[1][:9]) <= int((lines[2] or lines[1])[:9]):
        return f"names lines that cannot be: `#{anchor[:40]}`; write the first and the last, like `#L10-L20`."
    return ""


def inside(path: str) -> str | None:
    """The path without `.` and `..`, or None when it leaves the repository or names no file of it."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or None


# --- one source -----------------------------------------------------------------------------------------------------

SOURCE_FIELDS: dict[str, Callable[[Any], Iterable[Wrong]]] = {
    "url": check_url,
    "path": check_path,
    "anchor": check_anchor,
    "retrieved": DATE.check,
    "hash": _DIGEST.check,
    "raw": _DIGEST.check,
    "canon": _COUNT.check,
    "drifted": DATE.check,
}


def check_source(item: Any, *, strict: bool) -> Iterator[Wrong]:
    if not isinstance(item, dict):
        shown = item.strip() if isinstance(item, str) else "https://…"
        key = "url" if _SCHEME.match(shown) else "path"
        yield Wrong(f"must say what it is; write `{key}: {shown[:60]}`.", f"{key}: {shown}")
        return
    yield from _check_place(item)
    for key, value in item.items():
        if check := SOURCE_FIELDS.get(key):
            for wrong in check(value):
                yield wrong._replace(at=(key, *wrong.at))
        elif strict and not key.startswith("x_"):
            yield _unknown(key)


def _check_place(item: dict[str, Any]) -> Iterator[Wrong]:
    if "url" in item and "path" in item:
        yield Wrong("has both `url` and `path`; make two sources of it.", "two sources", ("path",))
    elif "url" not in item and "path" not in item:
        yield Wrong("has neither `url` nor `path`; name where the entry has it from.", "url: https://…")
    elif isinstance(item.get("path"), str) and "#" in item["path"] and item.get("anchor") is not None:
        yield Wrong("has an anchor twice; keep the one in `path`.", "remove `anchor`", ("anchor",))


def _unknown(key: str) -> Wrong:
    meant = nearest(key, tuple(SOURCE_FIELDS))
    hint = f"did you mean `{meant}`?" if meant else "take it out, or start its name with `x_`."
    return Wrong(f"is not a key of a source; {hint}", meant, (key,))


def source_list(*, strict: bool) -> ValueRule:
    """A list of sources. With `strict`, keys that nobody knows are refused."""

    def check(value: Any) -> Iterator[Wrong]:
        if not isinstance(value, list):
            yield Wrong("must be a list; write `[]` for none, or lines starting with `- url:`.", "[]")
            return
        for place, item in enumerate(value):
            for wrong in check_source(item, strict=strict):
                yield wrong._replace(at=(place, *wrong.at))

    return ValueRule(check, take_sources)


# --- the tolerant side ----------------------------------------------------------------------------------------------


def take_sources(value: Any) -> tuple[Source, ...]:
    """What can be understood; the rest is left out."""
    if not isinstance(value, list):
        return ()
    return tuple(source for item in value if isinstance(item, dict) and (source := take_source(item)))


def take_source(item: dict[str, Any]) -> Source | None:
    place = _take_url(item) if isinstance(item.get("url"), str) else _take_path(item)
    if place is None:
        return None
    retrieved, stored, raw, drifted = (take_text(item.get(key)) for key in ("retrieved", "hash", "raw", "drifted"))
    return place._replace(
        retrieved=retrieved, hash=stored, raw=raw, canon=_COUNT.take(item.get("canon")), drifted=drifted
    )


def _take_url(item: dict[str, Any]) -> Source | None:
    """A fragment in the url is its anchor, whatever else was said there."""
    url, mark, fragment = item["url"].strip().partition("#")
    anchor = take_text(item.get("anchor"))
    if anchor is None and fragment:
        anchor = mark + fragment
    if anchor is not None and not anchor.startswith("#"):
        anchor = f"#{anchor}"
    return Source("url", url, anchor) if url else None


def _take_path(item: dict[str, Any]) -> Source | None:
    written = item.get("path")
    if not isinstance(written, str):
        return None
    path, _, anchor = written.strip().partition("#")
    if _not_inside(path):
        return None
    other = (take_text(item.get("anchor")) or "").lstrip("#")
    return Source("path", inside(path) or path, anchor.strip() or other or None)
