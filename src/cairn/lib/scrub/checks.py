"""What a match is worth: checksums, entropy, and what stands around it."""

import re

from cairn.lib.scrub.nearby import compact
from cairn.lib.scrub.nearby import is_shown as is_shown_number
from cairn.lib.scrub.rule import Category
from cairn.lib.scrub.surroundings import in_a_place, in_connection, in_shell, is_shouted, is_told, is_used
from cairn.lib.scrub.value import (
    assigned,
    entropy,
    is_encoded_example,
    is_name,
    is_no_value,
    is_placeholder,
    is_reference,
    is_scrambled,
    is_shown,
    is_typed,
    is_word_and_digit,
    is_worded_phrase,
    judged,
    looks_random,
    spoken,
)

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


def in_short_webhook(match: Match) -> Category | None:
    """As `in_webhook`, for services whose addresses are shorter."""
    pieces = re.findall(r"[A-Za-z0-9_-]{7,}", said_of(match))
    drawn = any(not is_placeholder(piece) and not is_name(piece) for piece in pieces)
    return "direct" if drawn and any(char.isdigit() for char in said_of(match)) else None


def encoded_key(match: Match) -> Category | None:
    """Base64 of a block that is no certificate."""
    return "direct" if b"PRIVATE KEY" in _decoded("".join(match[0][:160].split())) else None


def cut_key(match: Match) -> Category | None:
    """The rest of a block whose first line is missing."""
    return "direct" if len(said_of(match)) >= 60 else None


def twice_encoded_key(match: Match) -> Category | None:
    return "direct" if b"PRIVATE KEY" in _decoded(_decoded(match[0][:240]).decode("latin-1")) else None


_WITH_PASSWORD = re.compile(r"://[^\s:/@]{0,64}:(?P<password>[^\s/@]{3,128})@|[?&;]password=(?P<given>[^\s&;]{3,128})")


def encoded_url(match: Match) -> Category | None:
    """Base64 of an address with a password in it."""
    found = _WITH_PASSWORD.search(_decoded(match[0]).decode("utf-8", "replace"))
    password = found and (found["password"] or found["given"])
    return "direct" if password and not is_shown(password) and not is_no_value(password, quoted=True) else None


def encoded_secret(match: Match) -> Category | None:
    """Base64 on its way to be read."""
    said = said_of(match)
    if not match[0].startswith("kubectl") and "base64" not in match[0]:
        return None
    plain = _decoded(said)
    readable = len(plain) >= 4 and plain.isascii() and plain.decode("ascii").strip().isprintable() and b" " not in plain
    return "direct" if readable and len(said) % 4 == 0 and not is_encoded_example(said) else None


def hex_token(match: Match) -> Category | None:
    """Sixteen letters, so that there is less to see in it."""
    said = said_of(match)
    return "direct" if not is_placeholder(said) and entropy(said) >= 2.5 else None


_CALL = re.compile(r"[(\[]")
_CLOSES = re.compile(r"[ \t]*(?:$|\r?\n|#|//|</)")
_COLON = re.compile(r"[ \t]?:")
_BEGINS = re.compile(r"[\s>*#$|+-]*(?:\d{1,6}[\t→] ?[\s>*#$|+-]*)?(?:export |set |ENV |- )?[\w.\"'<-]*")
_OF_CODE = frozenset((":=", "=>", "==", "===", "!=", "!==", "->"))
_SUFFIXES = re.compile(
    r".*(?:file|path|dir|url|uri|ids?|name|hash(?:ed)?|length|len|min|max|policy|field|input|label|type|expir\w{0,40}|age|ttl|"
    r"reset|hint|errors?|invalid|required|prompt|rules?|regex|pattern|manager|store|provider|endpoint|service|counts?|"
    r"limit|format|header|version|ref|env|var|algorithm|algo|size|encoding|mode|budget|usage|window|strategy|style|color|"
    r"class|index|pos|position|at|status|state|enabled|disabled|auth|method|scope|issuer|lifetime|timeout|cost|rate|"
    r"offset|stream|izer|ize|less|enc|alg|command|cmd|options?|iterations)(?:-?\d)?",
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
    if quoted and match["sign"] == "," and _COLON.match(match.string, match.end()):
        return None  # the next name of a list
    if not quoted and (match["sign"] in _OF_CODE or _CALL.match(match.string, match.end("plain"))):
        return None
    begins = _begins_line(match)
    if (match["sign"] == "," and not quoted and not begins) or (match["sign"] == "|" and not _in_row(match)):
        return None
    closed = quoted or bool(_CLOSES.match(match.string, match.end()) and begins)
    if password and not quoted and match["sign"] == "=" and in_shell(match):
        return assigned(value)
    closed = closed or (password and not quoted and in_connection(match))
    return judged(value, quoted=quoted, password=password, closed=closed)


def entry_password(match: Match) -> Category | None:
    """A name in one place, its value in another."""
    return _of_entry(match, password=True)


def entry_secret(match: Match) -> Category | None:
    return _of_entry(match, password=False)


def entry_before_name(match: Match) -> Category | None:
    """`value: …` and below it `name: ACCESS_TOKEN`."""
    return _of_entry(match, password=match["password"] is not None)


def _of_entry(match: Match, *, password: bool) -> Category | None:
    suffix = match["suffix"].strip("_.-")
    value, quoted = _value(match)
    if (suffix and _SUFFIXES.fullmatch(suffix)) or _CALL.match(match.string, match.end(group_of(match))):
        return None
    worth = judged(value, quoted=quoted, password=password, closed=quoted)
    return worth if worth == "direct" or quoted or is_worded_phrase(value) else None


_OPEN_NAME = re.compile(
    r"(?:PUBLIC|GPG|PGP|PRIMARY|FOREIGN|SORT|PARTITION|CACHE|IDEMPOTENCY|HOST|ROW|HASH|INDEX|DEDUPE?|LOCK|OBJECT|MAP|GROUP|ROUTING|DIST|SITE)$"
)


def capital_name(match: Match) -> Category | None:
    """A variable such as `FASTLY_KEY`: nearly any name may stand before `KEY`, so its value has to be drawn by lot."""
    return named_secret(match) if _is_drawn(match) else None


def entry_capitals(match: Match) -> Category | None:
    return entry_secret(match) if _is_drawn(match) else None


def said_capitals(match: Match) -> Category | None:
    return said_secret(match) if _is_drawn(match) else None


def _is_drawn(match: Match) -> bool:
    value, _ = _value(match)
    before = match.string[max(0, match.start() - 20) : match.start()]
    drawn = len(value) >= 16 and (any(char.isdigit() for char in value) or is_scrambled(value))
    return drawn and not _OPEN_NAME.search(before)


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


def _in_row(match: Match) -> bool:
    """Of a table; elsewhere `|` hands a value to a filter."""
    start = match.string.rfind("\n", max(0, match.start() - 200), match.start()) + 1
    return "|" in match.string[start : match.start()]


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
    if not quoted and (
        in_a_place(match)
        or (match["plain"].rstrip("\\")[-1:] == "=" and _QUOTES.match(match.string, match.end("plain")))
    ):
        return None
    if password and value.isdigit():
        return _of_digits(match, value)
    told = password and not quoted and is_told(match)
    if told and is_shouted(match):
        return "indirect"
    return spoken(value, quoted=quoted, password=password, told=told or (password and is_used(match)))


_QUOTES = re.compile(r"[\"'`\\]")
"""What ends with `=` before it is the name of another value."""
_ENDS = re.compile(r"[\"'`”»).,;!]*(?:\s|$)(?![ \t]*[a-z])")


def _of_digits(match: Match, value: str) -> Category | None:
    """A number where a sentence has its password. A noun after it would be counted by it."""
    if (
        not 6 <= len(value) <= (16 if match["secret"] is not None else 12)
        or is_shown(value)
        or is_shown_number(value)
        or value.startswith(("19", "20"))
    ):
        return None
    return "direct" if _ENDS.match(match.string, match.end(group_of(match))) else None


def far_password(match: Match) -> Category | None:
    """Behind what the password is for, without a verb: `пароль от сервера …`."""
    value = match["plain"].rstrip(".,;:)")
    kinds = (str.isdigit, str.islower, str.isupper)
    typed = is_typed(value) or sum(any(kind(char) for char in value) for kind in kinds) == 3
    typed = (
        typed
        or is_worded_phrase(value)
        or is_scrambled(value)
        or (len(value) >= 16 and value.isalnum() and looks_random(value))
    )
    told = is_word_and_digit(value) and value[0].isupper() and bool(_ENDS.match(match.string, match.end("plain")))
    return spoken(value, quoted=False, password=True, told=told) if (typed or told) and len(value) >= 5 else None


def soon_password(match: Match) -> Category | None:
    value = match["plain"].rstrip(".,;:)")
    return spoken(value, quoted=False, password=True) if is_typed(value) else None


def before_password(match: Match) -> Category | None:
    value, quoted = _value(match)
    return spoken(value if quoted else value.rstrip(".,;:)"), quoted=quoted, password=True)


def in_url(match: Match) -> Category | None:
    """`user:password@host`, on any host but those of examples: real ones live on `.internal` and private addresses."""
    password, host = match["password"], match["host"].lower()
    if is_no_value(password, quoted=True) or is_shown(password) or password == match["user"] or _is_reserved(host):
        return None
    return "direct" if len(password) >= 6 and not (is_name(password) and password.isalpha()) else "indirect"


def in_login(match: Match) -> Category | None:
    """`CONNECT scott/tiger@shop`; without a host any fraction looks so."""
    telling = match["host"] or match[0][:5].lower() == "neo4j"
    drawn = any(map(str.isdigit, match["password"])) or not is_name(match["password"])
    return in_url(match) if telling and drawn else None


def in_braces(match: Match) -> Category | None:
    """As ODBC puts a value that has a semicolon in it; a template does so, too."""
    return None if is_name(match["secret"]) else judged(match["secret"], quoted=True, password=True, closed=True)


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

_LONGEST_HOST = 253
_EXAMPLE_DOMAIN = re.compile(
    r"(?:.+\.)?(?:(?:example|beispiel|exemple|ejemplo|esempio|exemplo|voorbeeld|przyklad)\.(?:[a-z]{2,4}|(?:co|com)\.[a-z]{2})|localhost|domain\.(?:com|org|tld)|"
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
_OF_MACHINES = re.compile(
    r"(?:.+\.)?gserviceaccount\.com|[\w@-]+\.(?:service|socket|timer|mount|automount|slice|scope|target|device|swap)"
)
"""Where addresses name programs, and units of systemd."""
_HOSTS_OF_CODE = re.compile(r"(?:ssh\.)?(?:git|hg|svn|ssh|aur|org-\d+)")


_NOBODY_READS = re.compile(
    r"(?:no|do-?not|dont)[._-]?reply\S*|(?:bounces?|return|mailer-daemon|unsubscribe|postmaster)(?:[+=._-]\S*)?"
)


def email(match: Match) -> Category | None:
    name, host = match["name"].lower(), match["host"].lower()
    if (
        match.string[max(0, match.start("name") - 1) : match.start("name")] == "\\"
        and name[:1] in "tnr"
        and len(name) > 2
    ):
        name = name[1:]  # of an escaped text
    if _is_example(host) or _NO_DOMAIN.fullmatch(host) or _in_address(match) or ".." in name:
        return None
    if _NOBODY_READS.fullmatch(name) or _OF_MACHINES.fullmatch(host) or _is_login(match):
        return None
    if _HOSTS_OF_CODE.fullmatch(name) or _PLACEHOLDER_NAME.fullmatch(name):
        return None
    return "indirect" if _ROLE.fullmatch(name) or host.startswith("users.noreply.") else "direct"


_RESERVED = re.compile(
    r"(?:.+\.)?(?:example\.(?:[a-z]{2,4}|(?:co|com)\.[a-z]{2})|domain\.(?:com|org|tld)|(?:my|your)-?(?:company|domain|org|host|site)\.\w+)|"
    r"[^.]+\.(?:example|test|invalid|tld)"
)


def _is_reserved(host: str) -> bool:
    """A host that nobody can have."""
    return bool(_RESERVED.fullmatch(host.partition(":")[0]))


def _is_example(host: str) -> bool:
    return bool(_EXAMPLE_DOMAIN.fullmatch(host.partition(":")[0][-_LONGEST_HOST:])) or host.startswith(
        ("localhost", "127.", "0.0.0.0")
    )


_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,15}://[^\s/@]{0,200}$", re.IGNORECASE)


def _in_address(match: Match) -> bool:
    """The end of a user and password before a host: another rule's business."""
    return bool(_ADDRESS.search(match.string, max(0, match.start() - 220), match.start()))


_DIGITS = re.compile(r"\d")


def passport(match: Match) -> Category | None:
    """No check digit in it: the word before it has to do."""
    return of_document(said_of(match))


def of_document(text: str) -> Category | None:
    number = compact(text)
    digits = len(_DIGITS.findall(number))
    return (
        None
        if not digits or (digits >= 6 and is_shown_number(number)) or is_placeholder(f"{number}abcdef")
        else "direct"
    )


def passport_cell(text: str) -> Category | None:
    """In a column of passports."""
    return of_document(text) if _DOCUMENT.fullmatch(text) and len(_DIGITS.findall(text)) >= 2 else None


_DOCUMENT = re.compile(r"[A-Z0-9ΑΒЀ-Я](?:[ ./-]?[A-Z0-9Α-ΩЀ-Я]|[ ]?№[ ]?){5,19}(?:\(\d\))?")


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
