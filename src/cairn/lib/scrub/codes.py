"""What a header or a code that opens something is worth: keys in headers, PINs, recovery codes, seeds, cookies."""

import re

from cairn.lib.scrub.checks import said_of
from cairn.lib.scrub.rule import Category
from cairn.lib.scrub.value import entropy, is_name, is_no_value, is_placeholder, is_scrambled, is_shown, looks_random

Match = re.Match[str]

_SAME = re.compile(r"(.)\1+")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def pin(match: Match) -> Category | None:
    """A few digits: years, `1234` and one digit again and again are examples."""
    said = said_of(match).replace(" ", "").replace("-", "")
    shown = (
        said in "1234567890"
        or said in "9876543210"
        or bool(_SAME.fullmatch(said))
        or (said[:2] in ("19", "20") and len(said) == 4)
    )
    return "direct" if not shown and said == said.upper() else None


def recovery(match: Match) -> Category | None:
    return recovery_cell(said_of(match))


def recovery_cell(said: str) -> Category | None:
    """One code, or a list of them."""
    pieces = re.findall(r"[A-Za-z0-9]{3,}", said)
    telling = sum(any(c.isdigit() for c in piece) for piece in pieces)
    upper = all(piece.isupper() or piece.isdigit() for piece in pieces)
    mixed = telling * 3 >= len(pieces) or upper or said.replace(" ", "").isdigit()
    drawn = telling or (upper and len(pieces) > 1 and not is_word(said))
    return "direct" if drawn and mixed and pieces and not is_placeholder(said) else None


def is_word(text: str) -> bool:
    """Whether its letters follow each other as in words."""
    return not is_scrambled("".join(char for char in text if char.isalpha()), least=8)


_SHOWN_SEEDS = ("JBSWY3DPEHPK3PXP", "GEZDGNBVGY3TQOJQ", "KRSXG5CTMVRXEZLU", "HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ")


def seed(match: Match) -> Category | None:
    said = said_of(match).replace(" ", "").replace("-", "").upper()
    if is_placeholder(said) or said.startswith(_SHOWN_SEEDS) or entropy(said) < 2.8:
        return None
    mixed = any(char.isdigit() for char in said) or is_scrambled(said)
    return "direct" if mixed or (said_of(match).isupper() and entropy(said) >= 3.2) else None


def license_key(match: Match) -> Category | None:
    said = said_of(match)
    if match[0].startswith("serial=") and len(said) in (16, 18, 20, 32, 34, 36, 38, 40):
        return None  # of a certificate
    mixed = any(char.isdigit() for char in said) and any(char.isalpha() for char in said)
    groups = re.fullmatch(r"\d{4}(?:-\d{4}){4,7}", said)
    if groups and not is_placeholder(said):
        return "direct"
    if len(said) >= 60 and "-" not in said[:16] and not said.startswith(("MII", "AAAA")):
        return "direct" if looks_random(said, least=4.5) else None
    plain = said.isupper() and "-" in said and entropy(said) >= 3.2 and not is_name(said)
    return (
        "direct"
        if (mixed or plain) and not is_placeholder(said) and not _UUID.fullmatch(said) and entropy(said) >= 2.5
        else None
    )


_NO_COOKIE = re.compile(r"_?[a-z]{2,6}=|GA1\.|http|\$\{|\{\{|AC[0-9a-f]{32}", re.IGNORECASE)


def cookie(match: Match) -> Category | None:
    said = said_of(match)
    if (
        (
            _UUID.fullmatch(said)
            and "cookie" not in match.string[max(0, match.start() - 30) : match.start("secret")].lower()
        )
        or _NO_COOKIE.match(said)
        or "_sid" in match[0][: match.start("secret") - match.start()].lower()
    ):
        return None
    return "direct" if looks_random(said, least=3.0) and any(char.isdigit() for char in said) else None


def passphrase(match: Match) -> Category | None:
    """Words that belong to no sentence."""
    said = said_of(match)
    words = said.lower().replace("-", " ").split()
    if is_placeholder(said) or len(words) < 3 or _FUNCTION_WORDS & set(words) or len(words) > 25:
        return None
    return "direct"


_FUNCTION_WORDS = frozenset(
    "the a an of to for is are was in on with and or not your my you it this that be will can must should password passphrase enter "
    "der die das und ist nicht für mit le la les des du et est pour el los de y es para il che per o os um uma não".split()
)


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
        any(char.isdigit() for char in said)
        and looks_random(said, least=3.2)
        and not said.startswith(("AAAA", "ssh-", "age1", "npub1"))
    )
    return "direct" if drawn and (varied == 3 or len(said) >= 32) and not is_no_value(said, quoted=False) else None


_PIECE = re.compile(r"[A-Za-z0-9_+/=~.-]{16,}")
_UNUSED = re.compile(r"\{\{|\$\{|\$[A-Z_a-z]|%s|%\(|process\.env|os\.environ|\bYOUR[_ ]|\(")


def other_header(match: Match) -> Category | None:
    """`Authorization: GenieKey …`, with a scheme of its own, or with none."""
    said = said_of(match)
    return None if _UNUSED.search(said) else _with_drawn(said)


def _with_drawn(said: str) -> Category | None:
    return "direct" if any(_is_drawn(piece) for piece in _PIECE.findall(said)) else None


def _is_drawn(piece: str) -> bool:
    """Letters and digits by lot; letters alone when they are of both cases."""
    if not looks_random(piece, least=2.8):
        return False
    return any(char.isdigit() for char in piece) or (len(piece) >= 20 and piece.lower() != piece != piece.upper())


def named_header(match: Match) -> Category | None:
    """What the header says, up to the first sign that is none of a key."""
    piece = _PIECE.match(said_of(match))
    if piece is None or is_no_value(piece[0], quoted=False):
        return None
    return "direct" if _is_drawn(piece[0]) else None


def swift_header(match: Match) -> Category | None:
    return other_header(match) or _short_header(said_of(match))


def _short_header(said: str) -> Category | None:
    return None if is_no_value(said, quoted=True) or " " in said or not any(map(str.isdigit, said)) else "direct"


_SHOWN_PAIRS = frozenset((b"Aladdin:open sesame", b"Aladdin:OpenSesame", b"user:pass", b"test:123\xa3"))
