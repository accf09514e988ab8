"""Pages that only send the reader on: by a meta refresh in their head, or by a script."""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from cairn.lib.html.charset import decode_page
from cairn.lib.urls.join import join_url
from cairn.lib.urls.url import Url, UrlProblem

_HEAD = 65_536
_VISIBLE = 16_384
_LITTLE = 200
"""Characters; a page that shows fewer and moves by a script shows nothing."""
_AT_ONCE = 1.0

_LOOKS_HTML = re.compile(r"<(?:!doctype\s+html|html|head|meta)\b", re.IGNORECASE)
_HEAD_END = re.compile(r"</head\b", re.IGNORECASE)
_BODY = re.compile(r"<body\b", re.IGNORECASE)
_META = re.compile(r"<meta\b", re.IGNORECASE)
_BASE = re.compile(r"<base\b", re.IGNORECASE)
_INSIDE = re.compile(r"((?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+)>")
_ATTRIBUTE = re.compile(r"(?<![a-z-])([a-z-]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))", re.IGNORECASE)
_REFRESH = re.compile(r"\s*([0-9]*\.?[0-9]*)\s*(?:[;,]\s*|\s+)?(?:url\s*=\s*)?(.*)", re.IGNORECASE | re.DOTALL)
_SCRIPT_MOVES = re.compile(
    r"\b(?:window|document|self|top|parent)?\.?location(?:\.href)?\s*=(?!=)|\blocation\.(?:replace|assign)\s*\(",
    re.IGNORECASE,
)
_HIDDEN = ("script", "style", "noscript", "template", "title")
_TAG = re.compile(r"<[^<>]*+>")


class Leads(NamedTuple):
    url: Url


class DeadEnd(NamedTuple):
    reason: str
    """One sentence."""


Stub = Leads | DeadEnd


def find_stub(body: bytes, content_type: str, here: Url) -> Stub | None:
    """Where a page sends its readers, or that it is of no use; None for a page that is one."""
    start = decode_page(body[: 4 * _HEAD], content_type).text
    if not _is_html(start, content_type):
        return None
    head = _without_comments(_head(start[:_HEAD]))
    refresh = _refresh(head)
    if refresh is not None:
        return _judged(refresh, head, here)
    return _moved_by_script(head, start[:_VISIBLE])


def _is_html(start: str, content_type: str) -> bool:
    declared = content_type.partition(";")[0].strip().lower()
    return declared in ("text/html", "application/xhtml+xml") or _LOOKS_HTML.search(start[:2_048]) is not None


def _head(start: str) -> str:
    end = _HEAD_END.search(start) or _BODY.search(start)
    return start if end is None else start[: end.start()]


def _without_comments(text: str) -> str:
    """One that is not closed hides the rest."""
    parts = text.split("<!--")
    return parts[0] + "".join(part.partition("-->")[2] for part in parts[1:])


# --- meta refresh ---------------------------------------------------------------------------------------------------


def _refresh(head: str) -> str | None:
    """The content of the first one."""
    for attributes in _tags(_META, head):
        if attributes.get("http-equiv", "").strip().lower() == "refresh":
            return attributes.get("content", "")
    return None


def _tags(opening: re.Pattern[str], head: str) -> Iterator[dict[str, str]]:
    """The attributes of every such tag; one with a quote that is never closed swallows the rest."""
    at = 0
    while (found := opening.search(head, at)) and (inside := _INSIDE.match(head, found.end())):
        yield _attributes(inside[1])
        at = inside.end()


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), unescape(double or single or bare))
    return found


def _judged(content: str, head: str, here: Url) -> Stub | None:
    parts = _REFRESH.match(content)
    delay, target = (_number(parts[1]), parts[2].strip()) if parts else (0.0, "")
    if not target:
        return DeadEnd("The page only loads itself again; there is nothing to read.") if delay <= _AT_ONCE else None
    try:
        there = join_url(_base(head, here), target.strip("\"'"))._replace(fragment=None)
    except UrlProblem as problem:
        return DeadEnd(f"The page sends its readers somewhere that is no page of the web: {problem}")
    if str(there) != str(here._replace(fragment=None)):
        return Leads(there)
    return DeadEnd("The page sends its readers to itself; there is nothing to read.") if delay <= _AT_ONCE else None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _base(head: str, here: Url) -> Url:
    href = next((found["href"] for found in _tags(_BASE, head) if "href" in found), None)
    try:
        return join_url(here, href) if href else here
    except UrlProblem:
        return here


# --- scripts --------------------------------------------------------------------------------------------------------


def _moved_by_script(head: str, start: str) -> Stub | None:
    if not _SCRIPT_MOVES.search(head) or len(visible(start)) >= _LITTLE:
        return None
    return DeadEnd("The page sends its readers on by a script and says nothing itself; cite the page that it leads to.")


def visible(start: str) -> str:
    """About what a reader sees of the beginning of a page."""
    text = _without_comments(start)
    for name in _HIDDEN:
        text = re.sub(rf"<{name}\b.*?(?:</{name}\s*>|\Z)", " ", text, flags=re.IGNORECASE | re.DOTALL)
    return " ".join(unescape(_TAG.sub(" ", text)).split())
