"""A document taken apart: each sentence in plain words, with its headings, its list, and what leads into that."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cairn.kernel.text.frontmatter import split
from cairn.kernel.text.mask import blank
from cairn.kernel.text.sentences import Sentence, sentences

_I: Final = re.IGNORECASE
LONGEST: Final = 2_000
"""Characters of a sentence; what is longer was not written for people."""
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HEADING: Final = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_UNDERLINED: Final = re.compile(r"^(?P<title>\S.*?)\s+(?P<line>={3,}|-{3,})$")
_ITEM: Final = re.compile(r"^(?:[-*+•]|(?P<number>\d{1,3}[.)]))\s+(?:\[[ xX]\]\s+)?")
_NUMBER: Final = re.compile(r"\d{1,3}[.)]")
_IMAGE: Final = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])|\[!\[.*")
_LINK: Final = re.compile(r"\[([^\[\]]*)\](?:\((?:[^()\s]|\([^)]*\))*(?:\s+\"[^\"]*\")?\)|\[[^\]]*\])")
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]{0,200}>|\{[:#.%{][^}]{0,200}\}+|\[\^[\w-]+\]|:[a-z0-9_]{3,30}:(?=\s|$)")
_ROLE: Final = re.compile(r"\{[\w:.-]{1,40}\}(?=\x00)")
_BRACKETS: Final = re.compile(r"(?<![\w\]])\[([^\[\]]{2,60})\](?![\w(\[:])")
_STRONG: Final = re.compile(r"(\*{1,3}|(?<!\w)_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)")
_CODE: Final = re.compile(r"(`+)(.+?)\1")
_ADMONITION: Final = re.compile(r"^(?:!{3}|\?{3}\+?|:{3,})\s*(?P<kind>\w+)")
_DEFINITION: Final = re.compile(r"^\[[^\]]+\]:\s")


class Part(NamedTuple):
    """One sentence."""

    text: str
    """In plain words; code keeps its backticks."""
    raw: str
    """As it stands there, on one line."""
    start: int
    end: int
    line: int
    headings: tuple[str, ...]
    """From the title of the document down."""
    item: str = ""
    """`*` in a list, `1` in one with numbers."""
    lead: str = ""
    """What introduces the list that it is in."""
    before: str = ""
    """The sentence before it in the same paragraph."""
    after: str = ""


def parts(text: str) -> list[Part]:
    """All sentences but those of code, quotes and tables."""
    body = split(text.removeprefix("\ufeff")).body
    skipped = len(text) - len(body)
    hidden = _COMMENT.sub(lambda found: blank(found[0]), body)
    found = [part._replace(start=part.start + skipped, end=part.end + skipped) for part in _parts(hidden)]
    return [_between(found, index) for index in range(len(found))]


def _between(found: list[Part], index: int) -> Part:
    part = found[index]
    before = found[index - 1] if index and _same(found[index - 1], part) else None
    after = found[index + 1] if index + 1 < len(found) and _same(part, found[index + 1]) else None
    return part._replace(before=before.text if before else "", after=after.text if after else "")


def _same(one: Part, other: Part) -> bool:
    """Whether one sentence follows the other in a paragraph or an item."""
    return one.headings == other.headings and other.item in ("", "+") and other.start - one.end <= 1


class _State(NamedTuple):
    headings: tuple[tuple[int, str], ...] = ()
    item: str = ""
    indent: int = 0
    lead: str = ""
    said: str = ""
    """The last thing that was not in a list."""
    alone: bool = False
    """The number of an item was read, and its words follow."""


def _parts(body: str) -> Iterator[Part]:
    state = _State()
    end = 0
    for sentence in sentences(body):
        before, end = end, sentence.end
        if sentence.fence is not None or len(sentence.text) > LONGEST:
            continue
        apart = body[max(0, before - 2) : sentence.start].count("\n") > 1
        state, part = _next(state, sentence, body, apart=apart)
        if part is not None:
            yield part


def _next(state: _State, sentence: Sentence, body: str, *, apart: bool) -> tuple[_State, Part | None]:
    text = sentence.text
    if state.headings and _NUMBER.fullmatch(state.headings[-1][1]) and not _starts_line(body, sentence.start):
        *above, (level, number) = state.headings  # `# 1. Use it`: its dot looks like the end of a sentence
        return _State(headings=(*above, (level, f"{number} {plain(text)}"))), None
    if heading := _heading(text):
        return _State(headings=_under(state.headings, *heading)), None
    if text.startswith(("|", ">", "<")) or _ADMONITION.match(text) or _DEFINITION.match(text):
        return state, None
    indent = _indent(body, sentence.start)
    marker = _ITEM.match(text)
    if _NUMBER.fullmatch(text):  # its dot looks like the end of a sentence
        return state._replace(item="1", indent=indent, lead=_lead(state), alone=True), None
    if state.alone:
        return _part(state._replace(alone=False), sentence, text, first=True)
    if marker:
        state = state._replace(item="1" if marker["number"] else "*", indent=indent, lead=_lead(state))
        text = text[marker.end() :]
    elif state.item and _starts_line(body, sentence.start) and indent <= state.indent and apart:
        state = state._replace(item="", lead="")
    if not state.item and indent >= 4 and _starts_line(body, sentence.start):
        return state, None  # code, by its indent
    return _part(state, sentence, text, first=marker is not None)


def _lead(state: _State) -> str:
    if state.item:
        return state.lead
    return state.said if state.said.endswith(":") else ""


def _part(state: _State, sentence: Sentence, text: str, *, first: bool) -> tuple[_State, Part]:
    words = plain(text)
    if not state.item:
        state = state._replace(said=words)
    headings = tuple(title for _, title in state.headings)
    item = (state.item if first else "+") if state.item else ""
    return state, Part(words, text, sentence.start, sentence.end, sentence.line, headings, item, state.lead)


def _heading(text: str) -> tuple[int, str] | None:
    if found := _HEADING.match(text):
        return len(found[1]), plain(found[2])
    if (found := _UNDERLINED.match(text)) and len(text) < 200:
        return (1 if found["line"][0] == "=" else 2), plain(found["title"])
    return None


def _under(headings: tuple[tuple[int, str], ...], level: int, title: str) -> tuple[tuple[int, str], ...]:
    return (*(one for one in headings if one[0] < level), (level, title))


def _indent(body: str, start: int) -> int:
    line = body.rfind("\n", 0, start) + 1
    before = body[line:start].expandtabs(4)
    return len(before) if not before.strip() else 0


def _starts_line(body: str, start: int) -> bool:
    return not body[body.rfind("\n", 0, start) + 1 : start].strip()


def plain(text: str) -> str:
    """Without marks of links, emphasis and HTML; code stays between single backticks."""
    codes: list[str] = []

    def kept(found: "re.Match[str]") -> str:
        codes.append(f"`{found[2].strip()}`")
        return f"\x00{len(codes) - 1}\x00"

    text = _CODE.sub(kept, text.replace("\x00", ""))
    text = _LINK.sub(r"\1", _IMAGE.sub(" ", _ROLE.sub("", text)))
    text = _BRACKETS.sub(r"\1", text)
    text = _TAG.sub(" ", text)
    text = _STRONG.sub(r"\2", _STRONG.sub(r"\2", text))
    text = re.sub(r"\x00(\d+)\x00", lambda found: codes[int(found[1])], text)
    return " ".join(text.replace("\\", "").split())
