"""Tokens of services that nobody listed: a word or two, a joint, and letters and digits drawn by lot."""

import re

from cairn.lib.scrub.rule import Category
from cairn.lib.scrub.value import entropy, is_name, is_placeholder

Match = re.Match[str]

SHORT, LONG = 20, 32
"""Characters of what is drawn: behind a word such as `live` or `token`, and behind any other. Identifiers of objects
(`cus_…`, `msg_…`) have up to 29."""
_HEAD = re.compile(r"(?:(?:[A-Z]{1,10}|[A-Z]?[a-z]{1,14})\d{0,3}|v\d)")
_TELLING = frozenset(
    "sk rk key apikey api token tok pat secret sec live test prod sandbox access auth oauth cred creds priv private webhook whsec svc "
    "refresh bearer passwd pw signing deploy".split()
)
_HEXADECIMAL = frozenset("sk rk apikey token pat secret sec live sandbox priv".split())
"""Behind these it may be hexadecimal; elsewhere that is a hash."""
_OPEN = frozenset(
    """
pk pub public publishable cs mask clip gradient filter path img image svg shape pattern layer group page section css chunk vendor bundle
cache build hash etag rev commit blob sha md integrity digest checksum sum nonce data id ids uid uuid req request trace span run thread msg
chatcmpl resp file call toolu batch cus evt price in ch sub pm ev ga fig font icon lineargradient radialgradient node arn dpl
""".split()
)
"""Heads of what everybody may see."""
_TURNS = 40
"""How often in a hundred characters small letters, capitals and digits change: 60 by lot, 30 in `GetUserSecret`."""
_RUN = re.compile(r"[a-z]+|[A-Z]+|\d+")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")


def prefixed(match: Match) -> Category | None:
    heads, body = _parts(match[0])
    if not heads or body is None or not _OPEN.isdisjoint(heads) or is_placeholder(match[0]) or is_name(body):
        return None
    telling = not _TELLING.isdisjoint(heads)
    drawn = is_drawn(body, SHORT if telling else LONG, small=telling)
    hexadecimal = _HEX.fullmatch(body) and len(body) >= 32 and not _HEXADECIMAL.isdisjoint(heads) and len(set(body)) > 8
    return "direct" if drawn or hexadecimal else None


def _parts(text: str) -> tuple[list[str], str | None]:
    """The words at the beginning, in small letters, and what follows them without its joints."""
    pieces = re.split(r"[_.-]+", text)
    heads: list[str] = []
    while pieces and len(heads) < 4 and _HEAD.fullmatch(pieces[0]):
        heads.append(pieces.pop(0).lower().rstrip("0123456789"))
    if not pieces:
        return heads, None
    body = "".join(pieces)
    whole = len(pieces) == 1 or (len(pieces) <= 1 + len(body) // 16 and max(map(len, pieces)) >= SHORT)
    return heads, body if whole else None


def is_drawn(body: str, least: int, *, small: bool) -> bool:
    """Letters of both cases and digits, one soon after the other; `small` letters and digits do when they are mixed."""
    digits, lower, upper = (sum(map(kind, body)) for kind in (str.isdigit, str.islower, str.isupper))
    turns = len(_RUN.findall(body)) * 100 // max(1, len(body))
    if len(body) < least or digits < 1 or entropy(body) < 3.4:
        return False
    if lower >= 2 and upper >= 2:
        return turns >= (_TURNS if digits > 1 else _TURNS + 10)
    return small and not _HEX.fullmatch(body) and digits >= 3 and turns >= 30 and len(body) >= 24
