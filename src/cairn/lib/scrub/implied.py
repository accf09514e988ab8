"""Decides what a value is worth that only its neighbour names: a question, a command, a call or the other line of a patch."""

import re
from collections import deque
from functools import cache

from cairn.lib.scrub.names import KEY, KEY_ALONE, PASSWORD, SECRET, VENDORS, key_pattern, pattern_of
from cairn.lib.scrub.prefixed import is_drawn
from cairn.lib.scrub.rule import Category
from cairn.lib.scrub.value import (
    entropy,
    is_encoded_example,
    is_name,
    is_no_value,
    is_placeholder,
    is_shown,
    is_strong,
    is_typed,
    is_worded_phrase,
    judged,
    spoken,
)

Match = re.Match[str]

SHORT, LONG = 20, 28
"""Characters of a key: where a secret was asked for, and where only the word `key` stands before it."""
_BEFORE = 160
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]{32,128}|[0-9A-F]{32,128}")
_GROUPS = re.compile(r"(?=[a-z-]*\d|[a-z]{4}-[a-z]{4}-[a-z]{4}-[a-z]{4}$)[a-z0-9]{4}(?:-[a-z0-9]{4}){2,7}")
_OPEN = ("AAAA", "ssh-", "age1", "npub1")
"""How keys begin that everybody may see."""
_LINE = re.compile(r"\r?\n|\\n")
_APART = re.compile(r"[^:：\s]\s*\n[ \t]*\n")
"""Between paragraphs, where `it` means something else."""
_LAST = re.compile(r"[\"'`.]*(?:\s*$|\s*\n|\\n|[\"'])")
_CODE = r"(?<![^\W_])(?:pin|puk|passcode|otp)(?![^\W_])|(?:unlock|door|alarm|gate|access|entry|safe)[ -]?code"


@cache
def names() -> re.Pattern[str]:
    """Compiled when the first candidate turns up."""
    return re.compile(
        rf"(?P<password>{pattern_of(PASSWORD)})|(?P<code>{_CODE})|{pattern_of([*SECRET, *KEY])}|{key_pattern()}|{KEY_ALONE}",
        re.IGNORECASE,
    )


@cache
def _services() -> re.Pattern[str]:
    return re.compile(rf"{pattern_of(VENDORS)}|api|token|secret|(?<!public)key", re.IGNORECASE)


def is_key(value: str, least: int = SHORT) -> bool:
    """Drawn by lot: of both cases, or of letters and digits, or base64, hexadecimal and grouped forms of a fixed length."""
    if is_placeholder(value) or is_encoded_example(value) or is_no_value(value, quoted=True) or value.startswith(_OPEN):
        return False
    body = value.rstrip("=")
    if is_drawn(body, least, small=True):
        return not is_name(value)
    return bool(_HEX.fullmatch(value) and entropy(value) >= 2.8)


def _line_before(text: str, at: int) -> str:
    return _LINE.split(text[max(0, at - _BEFORE) : at])[-1]


def _last_name(text: str) -> Match | None:
    return next(iter(deque(names().finditer(text), maxlen=1)), None)


def answered(match: Match) -> Category | None:
    """`which key …?` and in the next line the key."""
    asked = _last_name(_line_before(match.string, match.start()))
    value = match["plain"].rstrip(".,;:)") if match["quote"] is None else match["plain"]
    if _HEX.fullmatch(value) and not _LAST.match(match.string, match.end()):
        return None  # a commit that a sentence is about
    return _of_kind(value, asked, quoted=match["quote"] is not None)


_NEAR = 24
"""Characters of a question that may stand behind the name of what it asks for."""


def answered_at_once(match: Match) -> Category | None:
    """`try this token? …`, on one line. Where a password was asked for, an ordinary sentence may follow."""
    line = _line_before(match.string, match.start())
    asked = _last_name(line)
    if asked is None or len(line) - asked.end() > _NEAR:
        return None
    value = match["plain"].rstrip(".,;:)") if match["quote"] is None else match["plain"]
    if asked["password"] and not (is_typed(value) or (value[-1].isdigit() and is_worded_phrase(value))):
        return None
    return _of_kind(value, asked, quoted=match["quote"] is not None)


def _of_kind(value: str, named: Match | None, *, quoted: bool) -> Category | None:
    if named is None:
        return None
    if value.isdigit():
        code = (named["code"] or named["password"]) and 4 <= len(value) <= 10
        return "direct" if code and not is_shown(value) and value[:2] not in ("19", "20") else None
    if named["password"]:
        return spoken(value, quoted=quoted, password=True, told=True)
    return "direct" if is_key(value) or _UUID.fullmatch(value) or _GROUPS.fullmatch(value) else None


def referred(match: Match) -> Category | None:
    """`I changed the password, it's …`, `The old key is revoked. New one: …`."""
    before = match.string[match.start() : match.start("plain")]
    named = _last_name(match.string[max(0, match.start() - 8) : match.start("plain")])
    if named is None or _APART.search(before):
        return None
    value = match["plain"].rstrip(".,;:)") if match["quote"] is None else match["plain"]
    return None if value.isdigit() else _of_kind(value, named, quoted=match["quote"] is not None)


def distant(match: Match) -> Category | None:
    """`the token for the old importer is still in the code: …`."""
    value = match["plain"].rstrip(".")
    return "direct" if is_drawn(value.rstrip("="), SHORT, small=True) and is_key(value) else None


_REMOVED = re.compile(r"(?:^|[\"→\t>|])[ \t]{0,8}-(?!-)")


def added(match: Match) -> Category | None:
    """A patch that writes out what came from somewhere else: the removed line has the name."""
    lines = _LINE.split(match.string[max(0, match.start() - 2 * _BEFORE) : match.string.index("+", match.start())])
    before = lines[-2] if len(lines) > 1 else ""
    return _written_out(match, before) if _REMOVED.search(before) else None


def removed(match: Match) -> Category | None:
    """The same the other way round."""
    return _written_out(match, match["next"])


def _written_out(match: Match, line: str) -> Category | None:
    named = _last_name(line)
    if named is None:
        return None
    return judged(match["secret"], quoted=True, password=bool(named["password"]), closed=False)


_PROMPT = re.compile(r"(?:^|[\s\"\]→])(?:[$#%❯➜]|PS>|\w[\w.@~:/\\-]{0,60}[$#>])[ ][^\n]*$")
_SHOWS = re.compile(
    r"secret|token|passw|passphrase|(?<![a-z])(?:pass|op|pwgen|vault|bw)[ ]|key|(?<![a-z])rand|gen(?:erate)?(?![a-z])|cred|base64[ ]-{1,2}d"
)
_READS = re.compile(
    r"(?:sha\d*|md5)(?:sum)?\b|fingerprint|rev-parse|git (?:log|show)|hash-object|\bpub(?:lic)?\b|pubkey|checksum"
)


def printed(match: Match) -> Category | None:
    """The only thing in the output of a command that makes or shows a secret."""
    command = match.string[max(0, match.start() - _BEFORE) : match.end("command")]
    command = _LINE.split(command)[-1]
    if not _PROMPT.search(command) or not _SHOWS.search(command) or _READS.search(command):
        return None
    value = match["secret"]
    if value.isdigit() or _UUID.fullmatch(value) or value.startswith(_OPEN):
        return None
    return (
        "direct"
        if is_key(value, 16) or (is_strong(value) and len(value) >= 12 and is_drawn(value, 12, small=True))
        else None
    )


_OPENS = re.compile(r"connect|login|auth|credential|sign_?in|bind", re.IGNORECASE)


def passed(match: Match) -> Category | None:
    """An argument of a call that opens a connection or makes a client: others are told by what is drawn by lot."""
    value = match["secret"]
    if " " in value or "/" in value[:1] or "://" in value:
        return None
    around = match[0] + match.string[match.end() : match.end() + 60].partition("\n")[0]
    if _HEX.fullmatch(value):
        return "direct" if is_key(value) and _services().search(around) else None
    if match["others"] and _OPENS.search(match["callee"]) and judged(value, quoted=True, password=True, closed=False):
        telling = is_worded_phrase(value) or is_typed(value) or (is_strong(value) and not is_name(value))
        return "direct" if telling else None
    return "direct" if is_key(value, LONG) else None


def lone_key(match: Match) -> Category | None:
    """`key = …`, when it is as long as a key and mixed like one."""
    value = match["secret"]
    body = value.rstrip("=")
    mixed = value.lower() != value != value.upper() or len(value) >= 32
    form = _HEX.fullmatch(value) or _UUID.fullmatch(value)
    return "direct" if mixed and not form and is_drawn(body, LONG, small=True) and is_key(value) else None


def of_lines(match: Match) -> Category | None:
    """`name:password` in each line of a list for `chpasswd`."""
    values = re.findall(r":([^\s\"'\\:]{4,120})", match["secret"])
    worth = [value for value in values if judged(value, quoted=True, password=True, closed=True)]
    return "direct" if worth else None


def crypted(match: Match) -> Category | None:
    """What a device keeps of a password: some forms can be turned back, all can be guessed at."""
    return None if is_placeholder(match["secret"]) else "direct"


def wireless(match: Match) -> Category | None:
    """What stands behind the name of a network."""
    value = match["secret"] if match["secret"] is not None else match["plain"].rstrip(".,;:)")
    if value.isdigit():
        return "direct" if 8 <= len(value) <= 16 and not is_shown(value) else None
    return spoken(value, quoted=match["secret"] is not None, password=True, told=True)


_HEADED = re.compile(
    r"[A-Za-z]{2,14}[_-]|MII|MFkw|MHYw|MCow|LS0t|Qm[1-9A-HJ-NP-Za-km-z]{44}$|eyJ|1[0-9A-Za-z_-]{43}$|0x[0-9A-Fa-f]{40}$"
)
"""Identifiers, blocks of public keys, parts of tokens: what has a form of its own."""
_BASE58 = re.compile(r"[13][1-9A-HJ-NP-Za-km-z]{25,33}|[1-9A-HJ-NP-Za-km-z]{43,44}")
"""Addresses of wallets."""
_BLOCK_BEFORE = re.compile(
    r"(?:-----|(?:^|[\s\"'>|+→,])[A-Za-z0-9+/=_-]{20,200}[\"',\\;)+ ]{0,4})(?:\r?\n|\\n|\\r\\n)[^\w\n]{0,12}(?:\d{1,6}[→\t])?[\s\"'>|+#*]{0,16}$"
)
_BLOCK_AFTER = re.compile(
    r"[\"',\\;)+ ]{0,4}(?:\r?\n|\\n|\\r\\n)[\s\"'>|+#*]{0,16}(?:\d{1,6}[→\t])?[\s\"'>|+#*]{0,16}(?:[A-Za-z0-9+/=_-]{20,200}|-----)"
)
_OPEN_BEFORE = re.compile(
    r"(?:(?:^|[^A-Za-z])(?:x|y|n|e|kid|x5t|x5c|jti|cid|did|sri|etag|uid)|ids?|Ids?|IDs?|hash|digest|checksum|integrity|fingerprint|commit|revision|version|signature|address|"
    r"thumbprint|challenge|verifier|nonce|state|public[\w ]{0,12}|pub_?key|publishable[\w ]{0,12}|site_?key|contenthash|cursor|page_?token|etag|slug|file|filename|path|name|trace|span|"
    r"sha\d*|md5|src|href|url|image|font|data|chunk|bundle|ciphertext|tag|iv|sig|encrypted_?key)s?[\\\"'`\])]{0,4}[ \t]{0,3}(?:[:=]{1,2}|=>|is|:=|\{)?[ \t]{0,3}[\\\"'`(\[]{0,4}$",
    re.IGNORECASE,
)
_IN_QUERY = re.compile(r"[?&][\w.-]{1,40}=$")


def unnamed(match: Match) -> Category | None:
    """Nothing names it, but letters of both cases and digits that are drawn by lot and stand alone are seldom anything else."""
    value = match[0]
    if value == value.lower() or value == value.upper() or _HEADED.match(value) or _BASE58.fullmatch(value):
        return None
    if not is_drawn(value, LONG, small=False) or not is_key(value, LONG):
        return None
    before = match.string[max(0, match.start() - 120) : match.start()]
    open_ = _OPEN_BEFORE.search(before) or _IN_QUERY.search(before) or _BLOCK_BEFORE.search(before)
    return None if open_ or _BLOCK_AFTER.match(match.string, match.end()) else "indirect"
