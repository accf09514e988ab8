"""What a match is worth: checksums, entropy, and what stands around it."""

import re

from cairn.scrub.arithmetic import luhn
from cairn.scrub.iban import is_iban
from cairn.scrub.national import compact
from cairn.scrub.national import is_shown as is_shown_number
from cairn.scrub.random_looking import entropy, is_name, is_placeholder, looks_random
from cairn.scrub.rule import Category
from cairn.scrub.value import is_no_value, is_reference, is_shown, is_typed, judged, spoken

Match = re.Match[str]


def said_of(match: Match) -> str:
    return str(match[group_of(match)])


def group_of(match: Match) -> str | int:
    """Which part of a match is meant."""
    groups = match.re.groupindex
    if "secret" in groups and match["secret"] is not None:
        return "secret"
    return "plain" if "plain" in groups else 0


# --- keys -----------------------------------------------------------------------------------------------------------


def token(match: Match) -> Category | None:
    """Of a known form; what is left to tell apart are examples."""
    said = said_of(match)
    return None if is_placeholder(said) or entropy(said) < 2.5 else "direct"


def varied_token(match: Match) -> Category | None:
    """Of a form that a name may have as well, as `sk-…`."""
    return "direct" if looks_random(said_of(match)) else None


def in_webhook(match: Match) -> Category | None:
    """The address of a channel; whoever has it can write there."""
    pieces = re.findall(r"[A-Za-z0-9_-]{16,}", said_of(match))
    return "direct" if any(not is_placeholder(piece) and not is_name(piece) for piece in pieces) else None


def hex_token(match: Match) -> Category | None:
    """Sixteen letters, so that there is less to see in it."""
    said = said_of(match)
    return "direct" if not is_placeholder(said) and entropy(said) >= 2.5 else None


_CALL = re.compile(r"[(\[]")
_CLOSES = re.compile(r"[ \t]*(?:$|\r?\n|#|//|</)")
_BEGINS = re.compile(r"[\s>*#$|-]*(?:export |set |ENV |- )?[\w.\"'<-]*")
_OF_CODE = frozenset((":=", "=>", "==", "===", "!=", "!==", "->"))
_SUFFIXES = re.compile(
    r".*(?:file|path|dir|url|uri|ids?|name|hash(?:ed)?|length|len|min|max|policy|field|input|label|type|expir\w*|age|ttl|"
    r"reset|hint|errors?|invalid|required|prompt|rules?|regex|pattern|manager|store|provider|endpoint|service|counts?|"
    r"limit|format|header|version|ref|env|var|algorithm|algo|size|encoding|mode|budget|usage|window|strategy|style|color|"
    r"class|index|pos|position|at|status|state|enabled|disabled|auth|method|scope|issuer|lifetime|timeout|cost|rate|"
    r"offset|stream|izer|ize|less|enc|alg|command|cmd|options?|iterations)",
    re.IGNORECASE,
)


def named_password(match: Match) -> Category | None:
    """The value of something that calls itself a password."""
    return _of_name(match, password=True)


def named_secret(match: Match) -> Category | None:
    """The value of something that calls itself a secret, a token or a key."""
    return _of_name(match, password=False)


def _of_name(match: Match, *, password: bool) -> Category | None:
    suffix = match["suffix"].strip("_.-")
    if suffix and _SUFFIXES.fullmatch(suffix):
        return None
    value, quoted = _value(match)
    if not quoted and (match["sign"] in _OF_CODE or _CALL.match(match.string, match.end("plain"))):
        return None
    closed = quoted or bool(_CLOSES.match(match.string, match.end()) and _begins_line(match))
    return judged(value, quoted=quoted, password=password, closed=closed)


def always_named(match: Match) -> Category | None:
    """The value of a name that stands for a secret, unless it is a variable, a type or a short number of tokens."""
    suffix = match["suffix"].strip("_.-")
    if (suffix and _SUFFIXES.fullmatch(suffix)) or match["sign"] is None:
        return None
    value, quoted = _value(match)
    if not quoted and (match["sign"] != "=" or _CALL.match(match.string, match.end("plain"))):
        return None
    value = value if quoted else value.rstrip(" .,;:)")
    number = value.replace(".", "").replace("_", "").isdigit() and match[0][:5].lower() == "token"
    nothing = len(value) < 3 or " " in value or number or is_reference(value, quoted=quoted) or _MARKED.match(value)
    return None if nothing else "direct"


_MARKED = re.compile(r"\[?(?:REDACTED|FORGOTTEN)")


def _begins_line(match: Match) -> bool:
    """Only the name stands before it, as in settings."""
    start = match.string.rfind("\n", max(0, match.start() - 80), match.start()) + 1
    return match.start() - start < 80 and bool(_BEGINS.fullmatch(match.string, start, match.start()))


def _value(match: Match) -> tuple[str, bool]:
    return (match["secret"], True) if match["secret"] is not None else (match["plain"], False)


def said_password(match: Match) -> Category | None:
    """What a sentence calls a password: a word alone could be any word, so it has to be quoted or mixed."""
    return _of_sentence(match, password=True)


def said_secret(match: Match) -> Category | None:
    return _of_sentence(match, password=False)


def _of_sentence(match: Match, *, password: bool) -> Category | None:
    value, quoted = _value(match)
    value = value if quoted else value.rstrip(" .,;:)")
    if not quoted and _CALL.match(match.string, match.end("plain")):
        return None
    return spoken(value, quoted=quoted, password=password)


def soon_password(match: Match) -> Category | None:
    value = match["plain"].rstrip(".,;:)")
    return spoken(value, quoted=False, password=True) if is_typed(value) else None


def before_password(match: Match) -> Category | None:
    value, quoted = _value(match)
    return spoken(value if quoted else value.rstrip(".,;:)"), quoted=quoted, password=True)


def bearer(match: Match) -> Category | None:
    return "direct" if looks_random(said_of(match), least=3.2) and any(c.isdigit() for c in said_of(match)) else None


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
    return "direct" if plain and name and password and not is_shown(password.decode("ascii")) else None


def in_url(match: Match) -> Category | None:
    """`user:password@host`, on any host but those of examples: real ones live on `.internal` and private addresses."""
    password, host = match["password"], match["host"].lower()
    if is_no_value(password, quoted=True) or is_shown(password) or password == match["user"] or _is_reserved(host):
        return None
    return "direct" if len(password) >= 6 and not (is_name(password) and password.isalpha()) else "indirect"


def jwt(match: Match) -> Category | None:
    """Its first part is JSON that names an algorithm. The one that every tutorial shows is no secret."""
    header, payload = (_decoded(part) for part in match[0].split(".")[:2])
    if b'"alg"' not in header:
        return None
    return None if b"1234567890" in payload or b"John Doe" in payload else "direct"


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
    r"(?:test|mail|email|host|[a-z])\.(?:com|tld|local)|[^.]+\.(?:example|test|invalid|localhost|tld)|.+\.(?:local|internal|lan|intranet|intra|corp|private|home|home\.arpa|localdomain|cluster|svc))"
)
_LOGIN = re.compile(
    r"(?:\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id|sshfs|autossh|git clone|git remote add \\S+)\b[^\n|;]{0,120}$)",
    re.IGNORECASE,
)


def _is_login(match: Match) -> bool:
    """A user on a machine, as `ssh` has it: a colon and a path follow, or the command stands before."""
    after = match.string[match.end("host") : match.end("host") + 2]
    if after[:1] == ":" and after[1:] in ("/", "~", "."):
        return True
    return bool(_LOGIN.search(match.string, max(0, match.start() - 130), match.start()))


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


_NOBODY_READS = re.compile(
    r"(?:no|do-?not|dont)[._-]?reply\S*|(?:bounces?|return|mailer-daemon|unsubscribe|postmaster)(?:[+=._-]\S*)?"
)


def email(match: Match) -> Category | None:
    name, host = match["name"].lower(), match["host"].lower()
    if _is_example(host) or _NO_DOMAIN.fullmatch(host) or _in_address(match) or ".." in name:
        return None
    if _NOBODY_READS.fullmatch(name) or _is_login(match):
        return None
    if _HOSTS_OF_CODE.fullmatch(name) or _PLACEHOLDER_NAME.fullmatch(name):
        return None
    return "indirect" if _ROLE.fullmatch(name) or host.startswith("users.noreply.") else "direct"


_RESERVED = re.compile(
    r"(?:.+\.)?(?:example\.(?:com|org|net|edu|io|dev)|domain\.(?:com|org|tld)|(?:my|your)-?(?:company|domain|org|host|site)\.\w+)|"
    r"[^.]+\.(?:example|test|invalid|tld)"
)


def _is_reserved(host: str) -> bool:
    """A host that nobody can have."""
    return bool(_RESERVED.fullmatch(host.partition(":")[0]))


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
        return (
            "direct"
            if re.fullmatch(r"1[2-9]\d\d[2-9]\d{6}", digits) and "555" not in (digits[1:4], digits[4:7])
            else None
        )
    # Without any gap it may as well be an amount in a diff; then only a usual length counts.
    return "direct" if len(digits) <= 13 or not match[0][1:].isdigit() else None


def foreign_phone(match: Match) -> Category | None:
    """`00` and the code of a country: grouped it tells enough, else a word has to stand near it."""
    digits = _digits(match[0])[2:]
    code = _COUNTRY_CODE.match(digits)
    if not code or not 9 <= len(digits) <= 13 or _counted_up(digits) or len(set(digits)) < 4:
        return None
    return "direct" if _GROUPED.search(match[0][2:]) or _phone_words(match) else None


_PHONE_WORDS = re.compile(
    r"(?:phones?|telephones?|whats ?app|signal|(?<![^\W_])(?:tele?f[oó]n\w*|t[ée]l(?:[ée]phones?|éf?)?|tel(?:no|nr)?|mobil\w*|mobi?le?|mob|cell\w*|"
    r"celular|fax|gsm|call(?:s|ed|ing)?|ring|dial|sms|text|handy\w*|rufnummer|durchwahl|erreichbar|anrufen|joignable|portable|appele[rz]|risponde|messaggi\w*|mensagem|mensaje|schreib\w*|écri\w*|stuur|napisz|skriv|sms[ea]?|"
    r"m[óo]vil|ll[aá]m\w*|tel[ée]fono|cellulare|chiama\w*|recapito|telem[óo]vel|telefone|liga[rn]?|ligue|ramal|telefoon\w*|mobiel\w*|bel|bellen|06-nummer|"
    r"telefon\w*|kom[óo]rk\w*|zadzwo\w*|puh(?:elin\w*)?|gsm|mobilnummer|telnummer|ring|(?:my|his|her|their|your|mon|meine?n?|mi|mijn|mój|meu|мой)[ ](?:(?:new|neue|neues?|private?|cell|direct)[ ])?(?:number|nummer|numéro|número|numer|номер)|cep|telefonszám|contact|reach|hotline|helpline)"
    r"(?![^\W_])|телефон\w*|тел\b|моб\b|мобильн\w*|звон\w*|电话|電話|手机|手機|联系|携帯|연락처|전화|휴대폰|هاتف|جوال|موبايل|טלפון|נייד|τηλ\w*|κιν\w*|फोन|โทร)",
    re.IGNORECASE,
)
_PHONE_BEFORE, _PHONE_AFTER = 42, 16
_GROUPED = re.compile(r"\d[ ./()\xa0-]+\d")
_WEAK_WORDS = frozenset(
    (
        "number",
        "numéro",
        "numero",
        "nummer",
        "numer",
        "номер",
        "text",
        "ring",
        "signal",
        "call",
        "contact",
        "reach",
        "cell",
        "bel",
        "cep",
    )
)


def national_phone(match: Match) -> Category | None:
    """Only where a word for it stands close by: numbers are everywhere."""
    said = said_of(match)
    digits = _digits(said)
    if not 7 <= len(digits) <= 12 or _counted_up(digits) or len(set(digits)) < 3 or _is_year_or_date(said):
        return None
    if digits[0] != "0" and "555" in digits[:6]:
        return None
    words = _phone_words(match)
    strong = any(word not in _WEAK_WORDS for word in words)
    grouped = bool(_GROUPED.search(said))
    if not words or not (digits[0] == "0" or grouped or strong):
        return None
    if not strong and not (grouped and len(digits) >= 9) and not (digits[0] == "0" and len(digits) >= 9):
        return None
    return "direct" if len(digits) >= 8 or grouped else None


def _phone_words(match: Match) -> list[str]:
    start, end = match.span(group_of(match))
    before = match.string[max(0, start - _PHONE_BEFORE) : start]
    after = match.string[end : end + _PHONE_AFTER].partition("\n")[0]
    return [word.lower() for word in (*_PHONE_WORDS.findall(before), *_PHONE_WORDS.findall(after))]


_DATE = re.compile(
    r"(?:19|20)\d\d-\d{4,}$|(?:19|20)\d\d[ ./-](?:0[1-9]|1[0-2])[ ./-][0-3]\d|[0-3]?\d[./-][01]?\d[./-](?:19|20)\d\d|"
    r"(?!0)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$|(?!0)\d+\.\d+(?:\.\d+)?$"
)


def _is_year_or_date(text: str) -> bool:
    """Also an address of the internet, and a version."""
    return bool(_DATE.match(text))


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
    return None if digits in _TEST_CARDS or digits.startswith("400000") else "direct"


def _grouped(text: str) -> bool:
    """In one go, or in fours as it is printed (American Express: 4, 6, 5; Diners: 4, 6, 4), with one kind of gap."""
    parts = re.split(r"[ -]", text)
    if len(parts) == 1:
        return True
    if len({char for char in text if not char.isdigit()}) > 1:
        return False
    sizes = [len(part) for part in parts]
    return sizes in ([4, 6, 5], [4, 6, 4]) or (all(size == 4 for size in sizes[:-1]) and sizes[-1] <= 4)


_SHOWN_ACCOUNTS = frozenset(
    """
DE89370400440532013000 GB82WEST12345698765432 GB29NWBK60161331926819 GB33BUKB20201555555555 NL91ABNA0417164300
FR1420041010050500013M02606 FR7630006000011234567890189 ES9121000418450200051332 IT60X0542811101000000123456
CH9300762011623852957 AT611904300234573201 PL61109010140000071219812874 SE4550000000058398257466 NO9386011117947
DK5000400440116243 FI2112345600000785 IE29AIBK93115212345678 LU280019400644750000 PT50000201231234567890154
BE68539007547034 BE71096123456769
""".split()
)
"""Those that every description of the format shows."""


def iban(match: Match) -> Category | None:
    number = compact(match[0])
    if not is_iban(number):
        return None
    return None if number in _SHOWN_ACCOUNTS or is_shown_number(number[4:]) else "direct"


_DIGITS = re.compile(r"\d")


def passport(match: Match) -> Category | None:
    """No check digit in it: the word before it has to do."""
    number = compact(said_of(match))
    return None if is_shown_number(number) or not _DIGITS.search(number) else "direct"


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
