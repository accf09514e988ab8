"""Pages that stand before the page: a login, a question about cookies, a test for robots, a polite 404."""

import re

from cairn.lib.urls.url import UrlProblem, split_url

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
