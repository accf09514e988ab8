"""Headers that let somebody in, and what a sentence calls a key."""

import re

from cairn.lib.scrub.checks import said_of
from cairn.lib.scrub.random_looking import looks_random
from cairn.lib.scrub.rule import Category
from cairn.lib.scrub.value import is_no_value, is_shown

Match = re.Match[str]


def bearer(match: Match) -> Category | None:
    said = said_of(match)
    mixed = any(c.isdigit() for c in said) or (len(said) >= 24 and said.lower() != said != said.upper())
    return "direct" if mixed and looks_random(said, least=3.2) else None


def basic_header(match: Match) -> Category | None:
    """`Basic` is a common word; what follows it here has to be a name and a password."""
    from base64 import b64decode
    from binascii import Error

    try:
        decoded = b64decode(said_of(match), validate=True)
    except (Error, ValueError):
        return None
    name, colon, password = decoded.partition(b":")
    plain = colon and decoded.isascii() and decoded.decode("ascii").isprintable()
    if not plain or decoded in _SHOWN_PAIRS:
        return None
    return "direct" if name and password and not is_shown(password.decode("ascii")) else None


def spoken_key(match: Match) -> Category | None:
    """What a sentence calls a key, without saying which: only what is drawn by lot, and long."""
    said = said_of(match).rstrip(".")
    if match["uuid"] is not None:
        return None if match[0][:3].lower() == "key" else "direct"  # English calls every identifier a key
    varied = sum(any(kind(char) for char in said) for kind in (str.isdigit, str.islower, str.isupper))
    drawn = (
        any(char.isdigit() for char in said) and looks_random(said, least=3.2) and not said.startswith(("AAAA", "ssh-"))
    )
    return "direct" if drawn and (varied == 3 or len(said) >= 32) and not is_no_value(said, quoted=False) else None


def other_header(match: Match) -> Category | None:
    """`Authorization: GenieKey …`, with a scheme of its own."""
    pieces = re.findall(r"[A-Za-z0-9_+/=~-]{16,}", said_of(match))
    drawn = any(any(char.isdigit() for char in piece) and looks_random(piece) for piece in pieces)
    return "direct" if drawn else None


_SHOWN_PAIRS = frozenset((b"Aladdin:open sesame", b"Aladdin:OpenSesame", b"user:pass", b"test:123\xa3"))
