"""Leads from the name of a secret to its value where they stand apart: in a record, a table, a call, on the next line."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from cairn.lib.scrub.columns import cells_below

Span = tuple[int, int]


class NamedValue(NamedTuple):
    name: str
    start: int
    end: int


_WIDEST = 60
"""Characters of a name on each side of the word that makes it one."""
_MOST_WORDS, _MOST_ASKED = 8, 12
_FAR = 400
"""Characters of a record that are read."""
_EDGE = re.compile(
    r"[\n\r\t\"`<>{}\[\]()|:=,;?*：？｜│┃]|[!#](?=\s|$)|  |(?<![^\W_])['’]|['’](?![^\W_])|\\n|\.{3}|…|_{3}|·{3}"
)
_BLANK = " .-•·_"


def named_values(text: str, places: Iterable[int]) -> Iterator[NamedValue]:
    """`places` are those of words that may name a secret."""
    done = -1
    rows = range(0)
    for at in sorted(places):
        if at > done and (span := _name(text, at)):
            done = span[1]
            found = [place for syntax in SYNTAXES for place in syntax(text, *span)]
            if span[0] not in rows:  # else it is a cell, and no head
                found += (cells := [*cells_below(text, *span)])
                rows = range(cells[0][0], cells[-1][1]) if cells else rows
            name = text[span[0] : span[1]]
            yield from (NamedValue(name, *place) for place in found if _TELLING.search(text, *place))
            yield from _told(text, *span)


def _line_start(text: str, at: int) -> int:
    """An escaped break counts, too."""
    first = max(0, at - 200)
    return max(
        first, text.rfind("\n", first, at) + 1, text.rfind("\\n", first, at) + 2 if "\\n" in text[first:at] else 0
    )


def _name(text: str, at: int) -> Span | None:
    """The whole cell, key, title or question around a word; none in the middle of a long sentence."""
    first, last = max(0, at - _WIDEST), min(len(text), at + _WIDEST)
    start = next((found.end() for found in reversed([*_EDGE.finditer(text, first, at)])), 0 if not first else -1)
    found = _EDGE.search(text, at, last)
    end = found.start() if found else last if last == len(text) else -1
    if start < 0 or end < 0:
        return None
    name = text[start:end]
    start, end = start + len(name) - len(name.lstrip(_BLANK)), end - len(name) + len(name.rstrip(_BLANK))
    words = text.count(" ", start, end) + 1
    return (start, end) if words <= (_MOST_ASKED if _is_asked(text, end) else _MOST_WORDS) else None


def _is_asked(text: str, end: int) -> bool:
    return text[end : end + 1] in ("?", "？")


_TELLING = re.compile(r"[\d!#$%^&*?~+]")
"""What is no ordinary word."""


# --- behind it, on the same line -------------------------------------------------------------------------------------

_STRING = r"\\{0,2}[\"'`](?P<value>[^\"'`\n\\]{4,120})\\{0,2}[\"'`]"
_CALL = re.compile(
    rf"[\"'`)\]]{{0,3}}(?:[ ]?[:=][ ]?\[|[ ]?=[ ]?(?:String::from|SecretStr|Secret|SecureString|Sensitive|crypt|password|md5|sha\d{{0,3}}|Some|Just|to_string)(?=\()|\.\w{{1,24}}|,[ ]{{0,4}}(?:\w{{1,12}}[:=][ ]?)?)?(?:\)\.\w{{1,24}}){{0,3}}[ ]?\(?[ ]?{_STRING}"
)
_COMMENTED = re.compile(rf"{_STRING}[^\n\"']{{0,40}}(?://|#|--|/\*)[^\n\"']{{0,20}}$")
_LED = re.compile(
    r"[\"'`*:：)]{0,3}[ \t]{0,4}(?:[._…·-]{3,80}|[ \t]{3,60})[ \t]{0,4}(?P<value>[^\n|_<>{}]{4,60}?)(?:_{2,}|[ \t]{2,}|[ \t]*$|[ \t]*\r?\n)"
)
_BESIDE = re.compile(r"[ \t]{0,40}[|│][ \t]*(?P<value>[^\n|│]{4,80}?)[ \t]*(?:[|│\n]|$)")
_FIRST_CELL = re.compile(r"[\s|│>*`]*")
_RELATIVE = re.compile(
    r",? (?:which|that|it|der|die|das|qui|que|che) (?:is|was|reads|ist|lautet|est|es|è) (?P<value>[^\n,;.]{4,60})"
)
_CELL = re.compile(
    r"[\"'`*:：]{0,3}\s{0,3}(?:</\w{1,8}>\s{0,20}){1,3}(?:<(?:input|output|span|div|b|i|em|strong|code|td|dd|p|li)(?:[^<>]{0,120}?value=[\"'](?P<held>[^\"'<>]{4,80})[\"'])?[^<>]{0,160}>\s{0,40}){1,3}(?P<value>[^<>\n]{4,80})?"
)


def _on_the_line(text: str, start: int, end: int) -> Iterator[Span]:
    first = _FIRST_CELL.fullmatch(text, _line_start(text, start), start)
    for form in (_CALL, _LED, _RELATIVE, _CELL, *([_BESIDE] if first else [])):
        if found := form.match(text, end):
            group = "held" if "held" in form.groupindex and found["held"] else "value"
            if found[group]:
                yield found.span(group)


# --- in front of it --------------------------------------------------------------------------------------------------

_IN_FRONT = re.compile(r"(?P<value>[^\s:=|<>(){}\"']{5,40}(?: [^\s:=|<>(){}\"'a-z]{2,10}){0,3})[\"'`]?[ \t]{1,2}\($")
_IS_MY = re.compile(
    r"(?P<value>\S{5,40}(?: [^\sa-z]{2,10}){0,3}) (?:is|was|ist|est|es|è|é|jest|är) (?:my|the|his|her|our|their|your|mein\w{0,2}|ihr\w{0,2}|mon|ma|la|le|mi|el|il|o|a|de|het) (?P<name>[^\n]{3,60})"
)


_PLAIN_KEY = re.compile(
    r"(?:list|item|cache|primary|foreign|sort|map|object|row|index|react|public)[ _-]keys?$", re.IGNORECASE
)


def _in_front(text: str, start: int, end: int) -> Iterator[Span]:
    if (
        text[end : end + 1] == ")"
        and not _PLAIN_KEY.search(text, start, end)
        and (found := _IN_FRONT.search(text, max(0, start - 80), start))
    ):
        yield found.span("value")
    line = text[_line_start(text, start) : start]
    if ("//" in line or "#" in line or "--" in line) and (found := _COMMENTED.search(text, start - len(line), start)):
        yield found.span("value")


def _told(text: str, start: int, end: int) -> Iterator[NamedValue]:
    """`… is my passport number`."""
    found = _IS_MY.fullmatch(text, start, end)
    if found and _TELLING.search(found["value"]):
        yield NamedValue(found["name"], *found.span("value"))


# --- below it --------------------------------------------------------------------------------------------------------

_BEGINS = re.compile(r"(?:[\s>#*+|•·–→-]|\d{1,3}[.)→\t])*[\"'`*_\[]{0,3}")
_WORDS = re.compile(r"(?:[^$\\/=@&+\d-]|(?<! )-|(?<![^\W_])\d{1,3})+")
_FORM_FIELD = re.compile(r"form-data; name=\"$")
_SPEAKS = re.compile(
    r"(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?[ ]{1,3})?(?:<?[^\W\d_][\w .@-]{0,24}>?[:：>][ ]{1,3})?(?:(?:sure|yes|ok|ja|oui|sí|it's|it is|here|hier|voici)[,:. ]{1,3}){0,3}",
    re.IGNORECASE,
)
_LINE_ENDS = re.compile(r"[\"'`*_:：?？)\]>. ]{0,6}[ \t]*(?:\r?\n|\\n)")
_NOTHING = re.compile(r"[\s>|+#*=~^_-]*+(?:`{3}[\w-]{0,12})?[\s{\[]*+")
_LINE = re.compile(r"(?P<line>(?:(?!\\n)[^\n\r]){0,200})(?:\r?\n|\\n|$)?")
_VALUE_LINE = re.compile(
    r"(?:[\s>#*+|•·–→-]|\d{1,3}[.)→\t](?!\d))*+[\"'`*„“«]{0,3}(?P<value>[^\"'`*”»\n]{4,80}?)[\"'`*”“».,;)]{0,3}[ \t]*"
)
_KEY_AND_VALUE = re.compile(r"[^\W\d][\w.-]{0,40}[\"']?[ \t]{0,4}[:=]")
_SENTENCE = re.compile(r"(?: |^(?=\S+ ))[a-zß-ÿа-я]{2,20}(?:[ .,]|$)")
"""A word, unless the value is one alone."""
_BLANK_LINES, _ENTRIES = 3, 10


def _below(text: str, start: int, end: int) -> Iterator[Span]:
    """The next line that holds anything; the entries of a block that has this name."""
    before = text[_line_start(text, start) : start]
    if not _WORDS.fullmatch(text, start, end):
        return
    alone = _BEGINS.fullmatch(before) or _FORM_FIELD.search(before)
    asked = _is_asked(text, end)
    ends = _LINE_ENDS.match(text, end)
    if not ends or not (alone or asked or _SPEAKS.fullmatch(before)):
        return
    at = ends.end()
    for _ in range(_BLANK_LINES):
        row = _LINE.match(text, at)
        if row is None or at >= len(text):
            return
        if not _NOTHING.fullmatch(row["line"]):
            yield from _first(text, at, row.end("line"), asked)
            yield from _held(text, at, _end_of_block(text, at, _indent(before)))
            return
        at = row.end()


def _first(text: str, start: int, end: int, asked: bool) -> Iterator[Span]:
    if asked and (spoken := _SPEAKS.match(text, start, end)):
        start = spoken.end()
    found = _VALUE_LINE.fullmatch(text, start, end)
    if found and not _KEY_AND_VALUE.match(found["value"]) and not _SENTENCE.search(found["value"]):
        yield found.span("value")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _end_of_block(text: str, at: int, indent: int) -> int:
    """A line that is further left, or none, ends it; so does the next item or section."""
    first = True
    for _ in range(_ENTRIES):
        row = _LINE.match(text, at)
        if row is None or row.start() >= len(text):
            break
        line = row["line"]
        if not line.strip() or (_indent(line) < indent) or (not first and line.lstrip().startswith(("- ", "["))):
            break
        at, first = row.end(), False
    return at


# --- in the same record ----------------------------------------------------------------------------------------------

_HOLDERS = frozenset(
    "number nummer numero número numéro numer num no nr value val wert valeur valor waarde wartość id code serial answer "
    "antwort réponse respuesta content text data secret token key raw current plain plaintext string body default hodnota "
    "номер значение 号码 番号 値 값".split()
)
"""What an entry is called that holds the value."""
_NUMBERS = frozenset(
    "number nummer numero número numéro numer num no nr value wert valeur valor waarde answer 号码 番号 値 값".split()
)
"""The same where the value is a number."""
_KINDS = frozenset(
    "type kind document doc category class label name title field question prompt key what item description typ art tipo "
    "soort rodzaj frage pregunta veld campo champ feld тип 类型 種類 종류".split()
)
"""What an entry is called whose value says what another one holds."""
_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-")
_KEY_WORD = re.compile(r"[^\W\d_]+?(?=[A-Z][a-z]|[\W\d_]|$)")
_ENTRY = re.compile(
    r"(?P<key>[^\W\d][\w.@-]{0,30})\\{0,2}[\"']?[ \t]{0,4}(?:=>|[:：=>])\s{0,8}\\{0,2}[\"'“„]?(?P<value>[^\"'<>{}\[\],;\n\\]{4,80})"
)
_KEY_BEFORE = re.compile(
    r"(?P<key>[^\W\d][\w.@-]{0,30})\\{0,2}[\"']?[ \t]{0,4}(?:=>|[:：=>])\s{0,4}\\{0,2}[\"'“„]?(?:[^\n\"'<>:={}]{0,40} )?$"
)
_OPENS = re.compile(
    r"\.?\\{0,2}[\"'`]?(?:[ \t]{1,3}\"[\w-]{1,40}\"){0,2}\s{0,4}[:=]{0,2}>?\s{0,4}(?:\[\s{0,20})?\{|[^<>\n]{0,80}>\s{0,40}(?=<\w)"
)
_NESTING = re.compile(r"(?P<open>[{\[]|<\w[^<>]{0,120}(?<!/)>)|(?P<close>[}\]]|</\w)|(?P<gap>\n[ \t]*\r?\n|\n[ \t]*- )")


_HELD_HERE = re.compile(
    r"(?<![^\W_])(?P<key>[^\W\d][\w.@-]{0,30})\\{0,2}[\"']?[ \t]{0,4}(?:=>|[:：=>])\s{0,8}\\{0,2}[\"'“„]?[+(]{0,2}$"
)


_TITLE = 40
"""Characters before a record that may say what it is."""


def record_around(text: str, start: int, end: int) -> str:
    """What else the record says whose value stands here; nothing when its own name says enough."""
    key = _HELD_HERE.search(text, max(0, start - 50), start)
    if key is None or _last_word(key["key"]) not in _NUMBERS:
        return ""
    depth = int(text[key.start() - 1 : key.start()] == "<")
    start = _record_start(text, key.start(), depth)
    return text[max(0, start - _TITLE) : _record_end(text, end, depth)]


def _in_record(text: str, start: int, end: int) -> Iterator[Span]:
    """Of a record that has this name, or one of whose entries says it."""
    if opened := _OPENS.match(text, end):
        yield from _held(text, opened.end(), _record_end(text, opened.end(), 0))
        return
    key = _KEY_BEFORE.search(text, max(0, start - 80), start)
    if key and _last_word(key["key"]) in _KINDS:
        in_tag = text.rfind("<", max(0, start - 200), start) > text.rfind(">", max(0, start - 200), start)
        depth = 0 if in_tag or text[key.start() - 1 : key.start()] != "<" else 1
        yield from _held(text, _record_start(text, key.start(), depth), _record_end(text, end, depth))


def _held(text: str, start: int, end: int) -> Iterator[Span]:
    for entry in _ENTRY.finditer(text, start, end):
        if _last_word(entry["key"]) in _HOLDERS and not _UUID.match(entry["value"]):
            yield entry.start("value"), entry.start("value") + len(entry["value"].rstrip())


def _last_word(key: str) -> str:
    words: list[str] = _KEY_WORD.findall(key)
    return words[-1].lower() if words else ""


def _record_end(text: str, start: int, depth: int) -> int:
    for found in _NESTING.finditer(text, start, start + _FAR):
        if found["gap"] and depth <= 1:
            return found.start()
        depth += bool(found["open"]) - bool(found["close"])
        if depth < 0:
            return found.start()
    return min(len(text), start + _FAR)


def _record_start(text: str, end: int, depth: int) -> int:
    first = max(0, end - _FAR)
    for found in reversed([*_NESTING.finditer(text, first, end)]):
        if found["gap"]:
            return found.end()
        depth += bool(found["close"]) - bool(found["open"])
        if depth < 0:
            return found.end()
    return first


SYNTAXES: tuple[Callable[[str, int, int], Iterator[Span]], ...] = (
    _on_the_line,
    _in_front,
    _below,
    _in_record,
)
