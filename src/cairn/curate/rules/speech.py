"""What a message says in its sender's own words: without code, logs, quotes and what others wrote, as sentences."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cairn.kernel.model.session import Role
from cairn.kernel.text.instructions import marks
from cairn.kernel.text.mask import blank, fences, without

LONGEST_MESSAGE: Final = 6_000
"""Characters of own words in one message. Who sends more has pasted something."""
LONGEST_SENTENCE: Final = 600
_LONG_QUOTE: Final = 6
"""Words between quotation marks that are somebody else's."""


class Said(NamedTuple):
    """One message of a session."""

    role: Role
    text: str
    start: int = 0
    """Where it stands in the log, in characters of the rendered text."""
    outside: bool = False
    """Whether its sender had text of strangers before them, such as what a tool printed."""


class Sentence(NamedTuple):
    text: str
    """On one line, as it was said."""
    start: int
    end: int
    """Characters of the message."""


_PASTED: Final = re.compile(
    r"\s*(?:"
    r"[>|]"
    r"|(?:\$|>>>|❯|PS [A-Z]:)\s"
    r"|(?:at\s+\S+\s*\(|File \"|Traceback\b|Caused by:|\^+\s*$|\.\.\.\s)"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d\b"
    r"|(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|FAIL(?:ED)?|PASS(?:ED)?|panic|npm ERR!|error|warning)"
    r"(?:\[|:|!|\s-|\s\w+\d+:)"
    r"|\S+\.\w{1,5}:\d+(?::\d+)?\b"
    r"|(?:\+{3}|-{3}|@@|diff --git|index [0-9a-f]{6,})\s"
    r"|[+-]\s*\S.*[;{}()\]]\s*$"
    r"|(?:import|from|def|class|const|let|var|function|public|private|export|return|if|for|while|#include|package)\b"
    r".*[;:{(]\s*$"
    r"|</?[a-zA-Z][\w-]*[\s>]"
    r"|[\w.\"']+\s*[:=]\s*[\[{\"'\d].*[,;{\[]\s*$"
    r"|(?:From|To|Cc|Subject|Date|Sent|Author|Re):\s"
    r"|(?:On .{4,80} wrote|-----+.*Message-*)\b"
    r"|\S{120,}"
    r")"
)
_CODE_END: Final = re.compile(r"[{};]\s*$|^\s*[}\])]+[,;]?\s*$")
_INTRODUCES: Final = re.compile(
    r"\b(?:errors?|outputs?|logs?|traces?|traceback|says?|said|wrote|writes|reads|prints?|printed|got|gets?|shows?"
    r"|responses?|messages?|e-?mail|comments?|reviews?|tickets?|issues?|docs?|documentation|readme|articles?|posts?"
    r"|slack|customers?|reviewers?|spec|prompts?|snippets?|pasted?|paste|following|below|from|here(?:'s| is| are)"
    r"|quote|transcript|answered|replied|told me|suggests?|recommends?)\b[^\n:]{0,60}:[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_REPORTED: Final = re.compile(
    r"\b(?:docs?|documentation|readme|article|page|reviewer|customer|client|blog|post|linter|compiler|tutorial|book"
    r"|website|vendor|stack ?overflow|chatgpt|copilot|he|she|they|someone|somebody|people|error|message|log|ticket"
    r"|issue|spec|prompt|template|guide|style ?guide|example|comment|manager|boss|colleague|coworker|intern)s?"
    r"(?:\s+\w+){0,2}?\s+(?:says?|said|wrote|writes|reads|suggest\w*|recommend\w*|claims?|claimed|told|tells?|asks?"
    r"|asked|wants?|wanted|insists?|thinks?|mentions?|mentioned|states?|stated)\b",
    re.IGNORECASE,
)
_IN_JEST: Final = re.compile(
    r"\b(?:ha(?:ha)+|lol|lmao|rofl|just kidding|joking)\b|(?:^|\s)/s(?:arcasm)?\b|[;:]-?[)P](?:\s|$)|[😂🤣😜😉]",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“«]([^\"“”«»\n]{2,600})[\"”»]")
_ENDS: Final = re.compile(
    r"(?<=[.!?;])[\"')\]]*\s+|(?<=[。！？])\s*|[;\n]\s*|(?<=\s)[–—]{1,2}\s+(?=(?:no|and|also|always|never)\b)",
    re.IGNORECASE,
)
_ABBREVIATED: Final = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|fig|sec)|^\s*\d+)\.$", re.IGNORECASE)
_MARKER: Final = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)]|#{1,6})\s+")
_WRAPPED: Final = 60
_UNFINISHED: Final = re.compile(
    r"\b(?:a|an|the|our|of|in|into|to|for|from|by|on|with|and|or|is|are|not)$", re.IGNORECASE
)


def sentences(said: Said) -> list[Sentence]:
    """What its sender says, in order; nothing of a message that seems to give orders to a machine."""
    if said.text.startswith("/") or ("[REDACTED" in said.text and len(said.text) < 40):
        return []
    if said.role == "user" and (marks(said.text) or _IN_JEST.search(said.text)):
        return []
    own = own_words(said.text)
    if len("".join(own.split())) > LONGEST_MESSAGE:
        return []
    return [found for found in _split(own) if _is_own(found.text)]


def own_words(text: str) -> str:
    """The text with everything blanked out that somebody pasted; of the same length."""
    text = without(text, fences(text))
    introduced = _INTRODUCES.search(text)
    if introduced and text[introduced.end() :].strip():
        text = text[: introduced.end()] + blank(text[introduced.end() :])
    if text.count("\n") < 2 and not _PASTED.match(text):
        return text
    return "".join(_paragraph(part) for part in re.split(r"(\n[ \t]*\n)", text))


def _paragraph(part: str) -> str:
    lines = part.split("\n")
    pasted = [bool(line.strip()) and bool(_PASTED.match(line) or _CODE_END.search(line)) for line in lines]
    if sum(pasted) * 3 >= len([line for line in lines if line.strip()]) and any(pasted):
        return blank(part)
    return "\n".join(blank(line) if gone else line for line, gone in zip(lines, pasted, strict=True))


def _split(own: str) -> Iterator[Sentence]:
    begin = 0
    masked = _without_dots(own)
    for found in _ENDS.finditer(masked):
        if _goes_on(masked, begin, found):
            continue
        yield from _sentence(own, begin, found.start())
        begin = found.end()
    yield from _sentence(own, begin, len(own))


def _without_dots(own: str) -> str:
    """Marks inside of inline code end no sentence."""
    return re.sub(r"`[^`\n]*`", lambda code: "X" * len(code[0]), own)


def _goes_on(masked: str, begin: int, found: "re.Match[str]") -> bool:
    before = masked[max(begin, found.start() - 8) : found.start()]
    if "\n" not in found[0]:
        if before.lower().endswith("no."):  # a number, where one follows; else it says no
            return masked[found.end() : found.end() + 1].isdigit()
        return bool(_ABBREVIATED.search(before))
    if "\n\n" in found[0] or ";" in found[0] or before.rstrip().endswith((".", "!", "?", ":")):
        return False
    line = masked[masked.rfind("\n", 0, found.start()) + 1 : found.start()]
    following = masked[found.end() : found.end() + 2]
    return len(line) >= _WRAPPED and (following[:1].islower() or following == "XX" or bool(_UNFINISHED.search(line)))


def _sentence(own: str, begin: int, end: int) -> Iterator[Sentence]:
    marker = _MARKER.match(own, begin, end)
    begin = marker.end() if marker else begin
    raw = own[begin:end]
    begin += len(raw) - len(raw.lstrip())
    text = " ".join(raw.split())
    if text and len(text) <= LONGEST_SENTENCE:
        yield Sentence(text, begin, begin + len(raw.strip()))


def _is_own(text: str) -> bool:
    if "[REDACTED" in text or _REPORTED.search(text):
        return False
    return not any(len(quote.split()) >= _LONG_QUOTE for quote in _QUOTED.findall(text))
