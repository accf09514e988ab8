"""What a match is worth: checksums, entropy, and what stands around it."""

import re

from cairn.scrub.iban import is_iban
from cairn.scrub.random_looking import entropy, is_name, is_placeholder, looks_random
from cairn.scrub.rule import Category

Match = re.Match[str]


def _said(match: Match) -> str:
    text = match["secret"] if "secret" in match.re.groupindex else match[0]
    return str(text)


# --- keys -----------------------------------------------------------------------------------------------------------


def token(match: Match) -> Category | None:
    """Of a known form; what is left to tell apart are examples."""
    said = _said(match)
    return None if is_placeholder(said) or entropy(said) < 2.5 else "direct"


def varied_token(match: Match) -> Category | None:
    """Of a form that a name may have as well, as `sk-…`."""
    return "direct" if looks_random(_said(match)) else None


def hex_token(match: Match) -> Category | None:
    """Sixteen letters, so that there is less to see in it."""
    said = _said(match)
    return "direct" if not is_placeholder(said) and entropy(said) >= 2.5 else None


_NOT_A_VALUE = re.compile(
    r"[$%&@#*\\{]|https?:|[a-z]+://|\.{1,2}/|/|~/|os\.|process\.|env[.\[]|sha\d+[:-]|true$|false$|none$|null$",
    re.IGNORECASE,
)
_CALL = re.compile(r"\s*[(\[]")


def assigned(match: Match) -> Category | None:
    """The value of something that calls itself a secret: random enough, and no variable, call, path or example."""
    said = _said(match)
    if _NOT_A_VALUE.match(said) or (not match["quote"] and _CALL.match(match.string, match.end("secret"))):
        return None
    mixed = any(char.isdigit() for char in said) and any(char.isalpha() for char in said)
    scrambled = mixed or len(said) >= 20
    return "direct" if scrambled and looks_random(said, least=2.7 if len(said) < 16 else 3.0) else None


def bearer(match: Match) -> Category | None:
    return "direct" if looks_random(_said(match), least=3.2) and any(c.isdigit() for c in _said(match)) else None


def basic_header(match: Match) -> Category | None:
    """`Basic` is a common word; what follows it here has to be a name and a password."""
    from base64 import b64decode
    from binascii import Error

    try:
        decoded = b64decode(_said(match), validate=True)
    except (Error, ValueError):
        return None
    name, colon, password = decoded.partition(b":")
    plain = colon and decoded.isascii() and decoded.decode("ascii").isprintable()
    return "direct" if plain and name and password and not _is_shown(password.decode("ascii")) else None


_SHOWN_PASSWORD = re.compile(
    r"pass(?:word|wd)?\d*|pwd|secret|postgres|root|admin|user(?:name)?|guest|test\w*|token|key"
)


def _is_shown(password: str) -> bool:
    """A password as examples have it."""
    return bool(_SHOWN_PASSWORD.fullmatch(password.lower())) or is_placeholder(password)


def in_url(match: Match) -> Category | None:
    """`user:password@host`; databases on this machine and examples are everywhere in documentation."""
    password, host = match["password"], match["host"].lower()
    if _NOT_A_VALUE.match(password) or _is_shown(password) or password == match["user"] or _is_example(host):
        return None
    return "direct" if len(password) >= 6 and not (is_name(password) and password.isalpha()) else "indirect"


def jwt(match: Match) -> Category | None:
    """Its first part is JSON that names an algorithm. The one that every tutorial shows is no secret."""
    header, payload = (_decoded(part) for part in match[0].split(".")[:2])
    if b'"alg"' not in header:
        return None
    return "indirect" if b"1234567890" in payload or b"John Doe" in payload else "direct"


def _decoded(part: str) -> bytes:
    from base64 import urlsafe_b64decode
    from binascii import Error

    try:
        return urlsafe_b64decode(part + "=" * (-len(part) % 4))
    except (Error, ValueError):
        return b""


# --- people ---------------------------------------------------------------------------------------------------------

_EXAMPLE_DOMAIN = re.compile(
    r"(?:.+\.)?(?:example\.(?:com|org|net|edu|io|dev)|localhost|domain\.(?:com|org|tld)|"
    r"(?:my|your)-?(?:company|domain|org|host|site)\.\w+|company\.(?:com|tld)|acme\.(?:com|org|io|dev|test)|"
    r"(?:test|mail|email|host|[a-z])\.(?:com|tld|local)|[^.]+\.(?:example|test|invalid|localhost|local|internal|lan|tld))"
)
_NO_DOMAIN = re.compile(
    r".*\.(?:png|jpe?g|gif|svg|webp|ico|css|s?html?|json|ya?ml|toml|lock|txt|pdf|jar|tgz|shape|dtype|js|ts|tsx|jsx|x)"
)
_ROLE = re.compile(
    r"(?:no-?reply|do-?not-?reply|info|support|help|contact|hello|security|abuse|admin|postmaster|webmaster|hostmaster|"
    r"sales|office|team|press|legal|privacy|feedback|bugs?|conduct|news(?:letter)?|announce|billing|jobs|careers|"
    r"notifications?|alerts?|core|oss|opensource|hey|root|mailer-daemon|maintainers?|dev|users?|[a-z-]+-(?:users?|devel?|dev|announce|list|sig|bot)|"
    r"(?:[0-9]+\+)?[a-z0-9-]+\[?bot\]?)"
)
_PLACEHOLDER_NAME = re.compile(r"(?:your|my)[._-]?\w*|(?:user|name|someone|somebody|e?mail|test|foo|bar|x+|me|you)\d*")
_HOSTS_OF_CODE = re.compile(r"(?:ssh\.)?(?:git|hg|svn|ssh|aur|org-\d+)")


def email(match: Match) -> Category | None:
    name, host = match["name"].lower(), match["host"].lower()
    if _is_example(host) or _NO_DOMAIN.fullmatch(host) or _in_address(match) or ".." in name:
        return None
    if _HOSTS_OF_CODE.fullmatch(name) or _PLACEHOLDER_NAME.fullmatch(name):
        return None
    return "indirect" if _ROLE.fullmatch(name) or host.startswith("users.noreply.") else "direct"


def _is_example(host: str) -> bool:
    return bool(_EXAMPLE_DOMAIN.fullmatch(host.partition(":")[0])) or host.startswith(("localhost", "127.", "0.0.0.0"))


_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,15}://[^\s/@]{0,200}$", re.IGNORECASE)


def _in_address(match: Match) -> bool:
    """The end of a user and password before a host: another rule's business."""
    return bool(_ADDRESS.search(match.string, max(0, match.start() - 220), match.start()))


_COUNTRY_CODE = re.compile(
    r"1|7|2[07]|2[1-69]\d|3[0-469]|3[578]\d|4[013-9]|42\d|5[1-8]|5[09]\d|6[0-6]|6[789]\d|8[1246]|8[0578]\d|9[0-58]|9[679]\d"
)


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


def _counted_up(digits: str) -> bool:
    """`1234567`, `0000000`, `5551234`: what people type where a number should stand."""
    return any(part in digits for part in ("1234567", "7654321", "0000000", "1111111", "9999999", "5550", "5551234"))


def international_phone(match: Match) -> Category | None:
    digits = _digits(match[0])
    code = _COUNTRY_CODE.match(digits)
    if not code or not 8 <= len(digits) <= 15 or _counted_up(digits):
        return None
    if code[0] == "1":
        return "direct" if re.fullmatch(r"1[2-9]\d\d[2-9]\d{6}", digits) and digits[1:4] != "555" else None
    # Without any gap it may as well be an amount in a diff; then only a usual length counts.
    return "direct" if len(digits) <= 13 or not match[0][1:].isdigit() else None


def national_phone(match: Match) -> Category | None:
    digits = _digits(_said(match))
    made_up = _counted_up(digits) or (digits[0] != "0" and "555" in digits[:6])
    if not 9 <= len(digits) <= 12 or made_up:
        return None
    grouped = not _said(match).isdigit()
    return "direct" if digits[0] == "0" or (grouped and digits[0] in "23456789") else None


_CARDS_TO_TEST_WITH = """
4111111111111111 4242424242424242 4012888888881881 4000056655665556 5555555555554444 5105105105105100
2223003122003222 5200828282828210 378282246310005 371449635398431 378734493671000 6011111111111117
6011000990139424 3056930009020004 36227206271667 30569309025904 38520000023237 3566002020360505
3530111333300000 6200000000000005 4000000000000002 4000000000009995 4000002500003155 4000000000000077
"""
_TEST_CARDS = frozenset(_CARDS_TO_TEST_WITH.split())
_CARD = re.compile(
    r"4(?:\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|"
    r"6(?:011|5\d\d|4[4-9]\d)\d{12,15}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12,15}|62\d{14,17}|"
    r"(?:50|5[678]|6\d)\d{14}"
)


def card(match: Match) -> Category | None:
    digits = _digits(match[0])
    if not _CARD.fullmatch(digits) or not luhn(digits) or len(set(digits)) < 2 or not _grouped(match[0]):
        return None
    return "indirect" if digits in _TEST_CARDS or digits.startswith("40000000") else "direct"


def _grouped(text: str) -> bool:
    """In one go, or in fours as it is printed (American Express: 4, 6, 5; Diners: 4, 6, 4), with one kind of gap."""
    parts = re.split(r"[ -]", text)
    if len(parts) == 1:
        return True
    if len({char for char in text if not char.isdigit()}) > 1:
        return False
    sizes = [len(part) for part in parts]
    return sizes in ([4, 6, 5], [4, 6, 4]) or (all(size == 4 for size in sizes[:-1]) and sizes[-1] <= 4)


def luhn(digits: str) -> bool:
    """The check digit of cards: every second one from the right counts twice."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


_SHOWN_ACCOUNTS = frozenset(("DE89370400440532013000", "GB82WEST12345698765432", "GB29NWBK60161331926819"))
"""Those that every description of the format shows."""


def iban(match: Match) -> Category | None:
    if not is_iban(match[0]):
        return None
    return "indirect" if "".join(match[0].split()) in _SHOWN_ACCOUNTS else "direct"


_NAMES_OF_NOBODY = """
user username users name you me your-name yourname youruser your-user your_user runner ubuntu vscode node
app root ec2-user git circleci travis vagrant jovyan pi admin administrator docker linuxbrew build builder
ci jenkins gitlab-runner gitpod codespace coder dev developer deploy deployer debian fedora centos core
opc azureuser shared public default guest test tester foo bar someone somebody xxx site www www-data
nonroot appuser postgres mysql redis nginx hadoop spark airflow sandbox agent bot node_modules
dist staging myself him her nodeuser worker service svc
runneradmin
"""
_NOBODY = frozenset(_NAMES_OF_NOBODY.split())


def home(match: Match) -> Category | None:
    who = match["who"].lower()
    is_file = who.endswith((".js", ".ts", ".py", ".md", ".html", ".json", ".txt", ".sh"))
    return None if is_file or who.rstrip("0123456789") in _NOBODY else "indirect"
