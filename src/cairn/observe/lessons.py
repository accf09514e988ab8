"""Finds the topics that a file of lessons marks as missing: `<!-- gap-topic: x -->` and `missing knowledge: x`.

Seed 000 also reads sentences (`would have helped to have a guide on …`); what a sentence means is for a reader.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cairn.knowledge.topics import is_topic, normalize_topic

EXCERPT: Final = 200
_LONGEST_LINE: Final = 10_000


class Lesson(NamedTuple):
    topic: str
    line: int
    """From 1."""
    excerpt: str


def scan_lessons(text: str) -> list[Lesson]:
    """Each topic once a line; code between fences is skipped."""
    found: list[Lesson] = []
    for number, line in _outside_of_fences(text):
        topics = dict.fromkeys(topic for raw in _named(line) if is_topic(topic := normalize_topic(raw)))
        found += [Lesson(topic, number, line.strip()[:EXCERPT]) for topic in topics]
    return found


_FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")


def _outside_of_fences(text: str) -> Iterator[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        mark = _FENCE.match(line[:_LONGEST_LINE])
        if fence:
            closes = mark is not None and mark[1].startswith(fence) and not mark[2].strip()
            fence = "" if closes else fence
        elif mark is not None and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
        else:
            yield number, line[:_LONGEST_LINE]


_MARKER = re.compile(r"<!--[ \t]*gap-topic:[ \t]*([^\s>]{1,200})[ \t]*-->")
_CLOSES: Final = {"'": "'(?=[\\s.,;:!?)]|$)", "\u2018": "\u2019(?=[\\s.,;:!?)]|$)", "\u201c": "\u201d"}
"""What ends a topic behind an opening mark, besides `"`, a backtick and the end of a sentence; no apostrophe does."""
_END: Final = '(?:["`]|[.!?](?=\\s|$)|$'
_TOPIC: Final = "|".join(f"{mark}(.{{1,200}}?){_END}|{close})" for mark, close in _CLOSES.items())
_LABEL: Final = re.compile(rf"\bmissing knowledge:[ \t]*(?:{_TOPIC}|[\"`]?(.{{1,200}}?){_END}))", re.IGNORECASE)


def _named(line: str) -> Iterator[str]:
    """By the marker, which must be written as a topic is; then by the first label."""
    yield from (raw for raw in _MARKER.findall(line) if is_topic(raw))
    if match := _LABEL.search(_without_comments(line)):
        yield match[match.lastindex or 1]


def _without_comments(line: str) -> str:
    said, start = "", 0
    while (begin := line.find("<!--", start)) >= 0 and (end := line.find("-->", begin)) >= 0:
        said, start = f"{said}{line[start:begin]} ", end + 3
    return said + line[start:]
