"""Finds inline markup in a paragraph: references, literals, targets, addresses, and what the text of a role means."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import category

from cairn.lib.rst.names import SIMPLE_NAME, escaped, words

_SPECIAL = re.compile(r"[*`_|\[]")
_LONGEST_NAME = 300
_NAME_BEFORE = re.compile(r"[\w\-.+:]{1,300}\Z")
_ROLE_BEFORE = re.compile(rf":({SIMPLE_NAME}):\Z")
_NAME = re.compile(SIMPLE_NAME)
_BACKTICK_END = re.compile(rf"`(?::({SIMPLE_NAME}):)?(__?)?")
_PLAIN_END = re.compile(r"`()(__?)?")
_FOOTNOTE = re.compile(rf"\[(?:[0-9]+|\#(?:{SIMPLE_NAME})?|\*|({SIMPLE_NAME}))\]_")
_PAIRS = {'"': '"', "'": "'", "(": ")", "<": ">", "[": "]", "{": "}", "“": "”", "‘": "’", "«": "»"}
_BEFORE_START = frozenset("\"'(<[{-/:")
_AFTER_END = frozenset("\0\"')>]}-/:\\.,;!?")
_SCHEMES = words(
    "about aim amqp amqps cap chrome cid data dav dict dns fax feed file ftp ftps git go gopher h323 hdl http "
    "https iax2 im imap info ipp irc ircs iris javascript jdbc ldap ldaps magnet mailto mid modem mongodb news "
    "nfs nntp pop pres redis rediss rsync rtsp rtspu sftp shttp sip sips skype smb snews snmp ssh svn tag tel "
    "telnet tftp tip urn vemmi view-source wais ws wss xmlrpc.beep xmpp z39.50r z39.50s"
)
_SCHEME_BEFORE = re.compile(r"[a-zA-Z][a-zA-Z0-9.+-]*\Z")
_CHARS = r"[-_.!~*'()\[\];/:@&=+$,%a-zA-Z0-9\0]*(?:[_~*/=+a-zA-Z0-9]|[-.!'()\[\];:@&$,%\0](?=>))"
_URI_REST = re.compile(rf"(?://?)?{_CHARS}(?:\?{_CHARS})?(?:\#{_CHARS})?")
_ADDRESS_SIGN = re.compile(r"\w:\S|@")
_MAIL_BEFORE = re.compile(r"[-_!~*'{|}/#?^`&=+$%a-zA-Z0-9.]{1,80}\Z")
_MAIL_AFTER = re.compile(r"[-_!~*'{|}/#?^`&=+$%a-zA-Z0-9]+(?:\.[-_!~*'{|}/#?^`&=+$%a-zA-Z0-9]+)*")


class Markup(NamedTuple):
    kind: str
    """`literal`, `target`, `name` (`x_`), `phrase` (`` `x`_ ``), `role`, `substitution`, `footnote`, `uri`, `styled`
    (emphasis)."""
    start: int
    end: int
    text: str
    """Without its signs, with `\\0` for each backslash."""
    role: str = ""
    end_sign: str = ""
    """`_`, `__` or empty."""


def markup(text: str) -> Iterator[Markup]:
    """All inline markup of a paragraph, in order; addresses last."""
    scan = _Scan(escaped(text))
    found = list(scan.markup()) if _SPECIAL.search(text) else []
    yield from found
    if _ADDRESS_SIGN.search(text):
        yield from scan.addresses(found)


def starts(text: str, at: int, floor: int = 0) -> bool:
    """Whether markup may start here; `floor` is the end of the markup before it."""
    if at == floor:
        return True
    before = text[at - 1]
    return (
        before in _BEFORE_START
        or before.isspace()
        or (before > "\x7f" and category(before) in ("Ps", "Pi", "Pf", "Pd", "Po"))
    )


def ends(text: str, at: int) -> bool:
    """Whether markup may end before this place."""
    if at >= len(text):
        return True
    after = text[at]
    return (
        after in _AFTER_END or after.isspace() or (after > "\x7f" and category(after) in ("Pe", "Pi", "Pf", "Pd", "Po"))
    )


class _Scan:
    """One pass over a paragraph."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._endless: set[str] = set()
        """Signs that have no end from here on."""

    def markup(self) -> Iterator[Markup]:
        position = floor = 0
        while special := _SPECIAL.search(self._text, position):
            found = self._at(special.start(), floor)
            if found:
                yield found
                position = floor = found.end
            else:
                position = self._past(special.start())

    def _past(self, at: int) -> int:
        """Behind a sign that starts nothing. A second one of its kind may not start anything either."""
        sign = self._text[at]
        return at + 2 if sign in "*`" and self._text.startswith(sign, at + 1) and starts(self._text, at) else at + 1

    def _at(self, at: int, floor: int) -> Markup | None:
        text = self._text
        sign = text[at]
        if sign == "_":
            return self._underscore(at, floor)
        if sign == "`" and not text.startswith("``", at):
            return self._backtick(at, floor)
        if not starts(text, at, floor):
            return None
        if sign == "[":
            return self._footnote(at)
        if sign == "|":
            return None if text.startswith("||", at) else self._simple("substitution", at, "|")
        if sign == "`":
            return self._simple("literal", at, "``")
        return self._simple("styled", at, "**" if text.startswith("**", at) else "*")

    def _underscore(self, at: int, floor: int) -> Markup | None:
        text = self._text
        if text.startswith("`", at + 1):
            return self._simple("target", at, "_`", "`") if starts(text, at, floor) else None
        end = at + (2 if text.startswith("_", at + 1) else 1)
        if at == floor or not ends(text, end):
            return None
        start = self._name_before(at, floor)
        return None if start is None else Markup("name", start, end, text[start:at], "", text[at:end])

    def _name_before(self, at: int, floor: int) -> int | None:
        """Where the name starts that ends here."""
        run = _NAME_BEFORE.search(self._text[max(floor, at - _LONGEST_NAME) : at])
        if not run:
            return None
        first = at - len(run[0])
        for start in range(first, at):
            if (start == first or self._text[start - 1] in "-:") and starts(self._text, start, floor):
                whole = _NAME.match(self._text, start, at)
                if whole and whole.end() == at:
                    return start
        return None

    def _backtick(self, at: int, floor: int) -> Markup | None:
        text = self._text
        role = _ROLE_BEFORE.search(text, max(floor, at - 100), at)
        start = role.start() if role and starts(text, role.start(), floor) else at
        if start == at and not starts(text, at, floor):
            return None
        if not self._follows(at + 1) or self._is_quoted(start, at + 1) or "`" in self._endless:
            return None
        close = self._backtick_close(at + 2)
        if close is None:
            self._endless.add("`")
            return None
        end, after, suffix, sign = close
        content = text[at + 1 : end]
        if sign and not (start < at):
            return Markup("phrase", start, after, content, "", sign)
        return Markup("role", start, after, content, role[1] if role and start < at else suffix)

    def _backtick_close(self, position: int) -> tuple[int, int, str, str] | None:
        """(end of the text, end of the markup, role behind it, `_` or `__`)."""
        text = self._text
        while (at := text.find("`", position)) >= 0:
            position = at + 1
            if (text[at - 1].isspace() or text[at - 1] == "\0") and text[at - 2 : at - 1] != "\0":
                continue
            for pattern in (_BACKTICK_END, _PLAIN_END):
                found = pattern.match(text, at)
                if found and ends(text, found.end()):
                    return at, found.end(), found[1] or "", found[2] or ""
            if ends(text, at + 1):
                return at, at + 1, "", ""
        return None

    def _footnote(self, at: int) -> Markup | None:
        found = _FOOTNOTE.match(self._text, at)
        if not found or not ends(self._text, found.end()):
            return None
        return Markup("footnote", at, found.end(), found[0][1:-2], "citation" if found[1] else "", "_")

    def _simple(self, kind: str, at: int, sign: str, close: str = "") -> Markup | None:
        """Markup without markup inside."""
        inside = at + len(sign)
        if sign in self._endless or not self._follows(inside) or self._is_quoted(at, inside):
            return None
        found = self._close(kind, inside + 1, close or sign)
        if found is None:
            self._endless.add(sign)
            return None
        end, after = found
        return Markup(kind, at, after, self._text[inside:end], "", self._text[end:after].lstrip("|`*"))

    def _close(self, kind: str, position: int, sign: str) -> tuple[int, int] | None:
        text = self._text
        while (at := text.find(sign, position)) >= 0:
            position = at + 1
            if text[at - 1].isspace() or (text[at - 1] == "\0" and kind != "literal"):
                continue
            after = at + len(sign)
            for more in ("__", "_", "") if kind == "substitution" else ("",):
                if text.startswith(more, after) and ends(text, after + len(more)):
                    return at, after + len(more)
        return None

    def _follows(self, at: int) -> bool:
        return at < len(self._text) and not self._text[at].isspace()

    def _is_quoted(self, start: int, end: int) -> bool:
        """`"*"`: a sign between quotes is itself."""
        before = self._text[start - 1] if start else ""
        return end < len(self._text) and before != "" and _PAIRS.get(before) == self._text[end]

    # --- addresses --------------------------------------------------------------------------------------------------

    def addresses(self, found: list[Markup]) -> Iterator[Markup]:
        position = 0
        for start, end in [*((m.start, m.end) for m in found), (len(self._text), 0)]:
            if start > position:
                yield from self._uris(position, start)
            position = max(end, position)

    def _uris(self, first: int, last: int) -> Iterator[Markup]:
        gap = self._text[first:last]
        covered = 0
        at = gap.find(":")
        while at >= 0:
            end = _uri_at(gap, at, covered)
            if end:
                start, covered = end
                yield Markup("uri", first + start, first + covered, gap[start:covered])
            at = gap.find(":", max(at + 1, covered))
        yield from _mails(gap, first)


def _uri_at(gap: str, colon: int, floor: int) -> tuple[int, int] | None:
    """Where the address is whose scheme ends at this colon."""
    scheme = _SCHEME_BEFORE.search(gap[max(floor, colon - 16) : colon])
    if not scheme or scheme[0].lower() not in _SCHEMES:
        return None
    start = colon - len(scheme[0])
    rest = _URI_REST.match(gap, colon + 1)
    if not rest or not starts(gap, start):
        return None
    end = rest.end()
    while end > colon + 1 and not (
        ends(gap, end) and (gap[end - 1].isalnum() or gap[end - 1] in "_~*/=+" or gap[end : end + 1] == ">")
    ):
        end -= 1
    return (start, end) if end > colon + 1 else None


def _mails(gap: str, first: int) -> Iterator[Markup]:
    at = gap.find("@")
    while at >= 0:
        before, after = _MAIL_BEFORE.search(gap[max(0, at - 80) : at]), _MAIL_AFTER.match(gap, at + 1)
        if before and after and ends(gap, after.end()) and starts(gap, at - len(before[0])):
            start = at - len(before[0])
            yield Markup("uri", first + start, first + after.end(), f"mailto:{gap[start : after.end()]}")
        at = gap.find("@", at + 1)


_STYLED = words(
    "emphasis strong sub subscript sup superscript title title-reference t raw math abbr abbreviation ac "
    "acronym menuselection guilabel dfn index"
)
_CODE = words(
    "code literal file samp command program kbd regexp makevar mimetype mailheader newsgroup option envvar "
    "token keyword func class meth mod attr data exc obj const type var macro member enum enumerator struct "
    "union dir rst confval module method function"
)
_PLAIN_CODE = words("code literal file samp command program kbd regexp makevar mimetype mailheader newsgroup")


class Role(NamedTuple):
    target: str
    title: str
    is_link: bool
    is_code: bool


def titled(text: str) -> tuple[str, str]:
    """The title and the target of `title <target>`; without a title, the text is the target."""
    title, bracket, target = text.removesuffix(">").rpartition("<")
    is_titled = text.endswith(">") and bracket and title.strip() and not title.endswith("\0")
    return (title.rstrip(), target) if is_titled else ("", text)


def read_role(role: str, text: str) -> Role:
    """The target of a role's text, whether it leads somewhere, and whether it is code."""
    name = role.lower()
    local = name.rpartition(":")[2]
    if name in _STYLED:
        return Role("", "", False, False)
    title, target = (" ".join(part.split()) for part in titled(text))
    silent = text.startswith("!")
    is_code = name in _CODE or (":" in name and not name.startswith("std:")) or local in _CODE
    return Role(target.lstrip("!~"), title.lstrip("!"), not silent and name not in _PLAIN_CODE, is_code)
