"""Where an entry has it from: pages of the web, and places in the repository."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from cairn.core.model.entry import Source
from cairn.knowledge.values import DATE, FINE, Rule, Wrong, count, digest, nearest, quoted, take_text, text

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


def source_list(*, strict: bool) -> Rule:
    """A list of sources. With `strict`, keys that nobody knows are refused."""

    def check(value: Any) -> Iterator[Wrong]:
        if not isinstance(value, list):
            yield Wrong("must be a list; write `[]` for none, or lines starting with `- url:`.", "[]")
            return
        for place, item in enumerate(value):
            for wrong in check_source(item, strict=strict):
                yield wrong._replace(at=(place, *wrong.at))

    return Rule(check, take_sources)


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
