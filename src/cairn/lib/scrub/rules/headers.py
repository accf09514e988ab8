"""Credentials in headers, as they travel and as programs, settings and logs write them."""

import re

from cairn.lib.scrub import codes
from cairn.lib.scrub.rule import Check, ScrubRule
from cairn.lib.scrub.rules.tokens import ALNUM

_VALUE_OF = r"\\{0,3}[\"'`]?,?\s{1,40}\\{0,3}[\"'`]?(?:value|Value)\\{0,3}[\"'`]?[ \t]{0,4}[:=][ \t]{0,4}"
"""Between the name of an entry and its value: `"name": "Authorization", "value": "…"`."""
LINK = rf"(?:\\{{0,3}}[\"'`\])]{{0,4}}[ \t]{{0,8}}(?:=>|[:=,|]|->)[ \t]{{0,8}}+|[ \t]{{1,4}}(?=\\{{0,3}}[\"'`])|{_VALUE_OF})(?:[fbr$](?=[\"'`]))?\\{{0,3}}[\"'`{{]{{0,3}}"
"""Between the name of a header and what it says."""
_SAID = r"[^\n\r\"'`<>\\|]"
_NAMES = (
    "key token secret auth license licence team sid passphrase password pwd credential credentials signature jwt session code seed"
).split()

_OPEN = (
    "cache surrogate idempotency websocket partition primary public foreign sort row object data aria host routing react message order "
    "issue shortcut hot access-control node group trace span correlation request sec proxy-status author"
).split()


def _header(
    name: str, pattern: str, literals: tuple[str, ...], check: Check, *, before: int = 0, back: str = ""
) -> ScrubRule:
    return ScrubRule(
        name, pattern, literals=literals, flags=re.IGNORECASE, before=before, back=back, reach=1400, check=check
    )


HEADERS: tuple[ScrubRule, ...] = (
    _header(
        "authorization",
        rf"authorization{LINK}(?!bearer[ ]|basic[ ])(?P<secret>{_SAID}{{8,1200}})",
        ("authorization",),
        codes.other_header,
    ),
    _header(
        "authorization",
        rf"authorization{LINK}(?P<secret>(?:digest|hawk|oauth|aws4-hmac-sha256|mac|signature|vapid|token)[ ][^\n\r`]{{16,1200}})",
        ("authorization",),
        codes.other_header,
    ),
    _header(
        "secret",
        rf"(?<![A-Za-z0-9-])(?!(?:[a-z0-9]{{1,20}}-){{0,4}}(?:{'|'.join(_OPEN)})-)[a-z][a-z0-9_]{{0,20}}(?:-[a-z0-9_]{{1,20}}){{0,5}}-(?:{'|'.join(_NAMES)})"
        rf"{LINK}(?P<secret>{_SAID}{{16,600}})",
        tuple(f"-{name}" for name in _NAMES),
        codes.named_header,
        before=60,
        back=ALNUM + "-_",
    ),
    _header(
        "authorization",
        r"[^\n]{0,60}?value\(\\{0,3}[\"'](?P<secret>[^\"'\n]{8,600})\\{0,3}[\"'],[ \t]{0,4}forhttpheaderfield:[ \t]{0,4}\\{0,3}[\"'](?:[\w-]{0,40}?(?:authorization|key|token|secret|cookie|auth|pass))",
        ("forhttpheaderfield",),
        codes.swift_header,
        before=700,
        back="*",
    ),
)
