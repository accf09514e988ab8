"""Pages that stand before the page: logins, tests for robots, a polite 404, and pages that only send the reader on."""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from cairn.lib.html.charset import decode_page
from cairn.lib.urls.url import Url, UrlProblem, join_url, split_url

_NOTHING = 20
_SHORT = 1_500
"""Characters; a page with more has something to say, whatever else it asks."""
_TINY = 400

_LOGIN_PLACE = re.compile(
    r"/(?:log-?in|sign-?in|sso|auth(?:enticate|orize)?|accounts?/login|session/new|oauth2?)\b", re.I
)
_PASSWORD = re.compile(r"<input\b[^<>]{0,500}?\btype\s*=\s*[\"']?password", re.IGNORECASE)
_LOGIN = re.compile(r"\b(?:sign in|log in|log on|single sign-on|please authenticate|session (?:has )?expired)\b", re.I)
_SCRIPT = re.compile(
    r"\b(?:(?:please )?(?:enable|turn on|activate|allow|requires?|need(?:s|ed)?|without|with) (?:\w+ ){0,3}javascript"
    r"|javascript (?:is|must be|needs to be|has been|to be) (?:\w+ )?(?:required|enabled|disabled|activated|off)"
    r"|doesn'?t work properly without javascript)\b",
    re.IGNORECASE,
)
_NOSCRIPT = re.compile(r"<noscript\b[^>]*+>(.{0,2000}?)</noscript", re.IGNORECASE | re.DOTALL)
_ROBOT = re.compile(
    r"\b(?:checking (?:your|if the site) (?:browser|connection)|verify(?:ing)? (?:that )?you are (?:a )?human"
    r"|are you a (?:robot|human)|not a robot|unusual traffic|just a moment|attention required|ddos protection"
    r"|complete the (?:captcha|security check)|access (?:to this page )?(?:has been |is )?denied"
    r"|request (?:has been )?blocked"
    r"|why have i been blocked|enable cookies and reload)\b",
    re.IGNORECASE,
)
_COOKIE = re.compile(r"\b(?:cookies?|consent|gdpr|privacy (?:policy|settings|preferences)|legitimate interest)\b", re.I)
_GONE = re.compile(
    r"\b(?:page (?:was |is |could |can )?(?:not|n't|cannot) (?:be )?found|page not found|404(?: error)?|not found"
    r"|no longer exists"
    r"|(?:page|document) (?:you (?:requested|(?:are|were) looking for) )?(?:does ?n[o']t|doesn't|no longer) exists?"
    r"|we (?:can't|couldn't|could not|cannot) find (?:the|that|this|your) page|nothing (?:was )?found here)\b",
    re.IGNORECASE,
)
_ARGUMENT = re.compile(r"[^.!?\n]+[.!?]?")


def find_wall(text: str, *, html: str = "", title: str = "", asked: str = "", final: str = "") -> str | None:
    """Why a page says nothing about its subject, in one sentence; None when it seems to."""
    size = len(text)
    if size < _NOTHING and not _runs_by_script(html):
        return "The page is empty; there is nothing to read."
    if size > _SHORT:
        return None
    opening = f"{title}\n{text[:300]}"
    if _ROBOT.search(opening):
        return "The page asks whether a robot is reading; its content did not come."
    if _asks_to_sign_in(opening, html, asked, final, size):
        return "The page wants somebody to sign in; its content did not come."
    if _GONE.search(title or text[:120]) and size <= _SHORT:
        return "The page says that it does not exist, although the server answers as if it did."
    if size <= _TINY and (_SCRIPT.search(text) or _runs_by_script(html)):
        return "The page is made by a script in the browser; its content did not come."
    if _mostly_about_cookies(text):
        return "The page only asks about cookies; its content did not come."
    return None


def _runs_by_script(html: str) -> bool:
    return any(_SCRIPT.search(inside) for inside in _NOSCRIPT.findall(html[:400_000]))


def _asks_to_sign_in(opening: str, html: str, asked: str, final: str, size: int) -> bool:
    if _PASSWORD.search(html) and (_LOGIN.search(opening) or size <= _TINY):
        return True
    return _was_sent_to_login(asked, final) and (size <= _TINY or _LOGIN.search(opening) is not None)


def _was_sent_to_login(asked: str, final: str) -> bool:
    try:
        before, after = split_url(asked), split_url(final)
    except UrlProblem:
        return False
    if before._replace(fragment=None) == after._replace(fragment=None):
        return False
    return _LOGIN_PLACE.search(after.path) is not None and _LOGIN_PLACE.search(before.path) is None


def _mostly_about_cookies(text: str) -> bool:
    """Sentences that speak of them, by their length."""
    sentences = [found[0] for found in _ARGUMENT.finditer(text)]
    about = sum(len(sentence) for sentence in sentences if _COOKIE.search(sentence))
    return len(text) <= 1_000 and about >= 0.6 * len(text)


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
