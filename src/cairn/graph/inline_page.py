"""A page as a part of a larger one: its headings moved down, and nothing left open that would swallow what follows."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

_LEVELS = {"H1": 1, "H2": 2, "H3": 3, "H4": 4, "H5": 5, "H6": 6}
_RUN = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_ATX = re.compile(r"#{1,6}(?:[ \t\r\n]|$)")
_CLOSERS = ("-->", "?>", "]]>", ">", "</script>", "</style>", "</pre>", "</textarea>")
_NEXT = "\n\n# next\n"
_PARAGRAPHS_READ = 12
_SENTENCE = 25
"""Letters: shorter paragraphs are badges, navigation and calls to action."""
_ENDS = re.compile(r"[.!?。！？](?:[)\]\"'”’]|$|\s)")

_HTML_PARAGRAPH = re.compile(r"<p(?:\s[^<>]*)?>((?:(?!</?p[\s>]).)*)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


class _Heading(NamedTuple):
    level: int
    start: int
    end: int
    """Bytes of the text, the line's end included."""


def inlined(body: str, title: str) -> str:
    """The text of a page below a heading that says its title: one level down, without saying the title again."""
    data = body.encode("utf-8", "replace")
    parts: list[bytes] = []
    position = 0
    for number, heading in enumerate(_headings(data.decode())):
        before = data[position : heading.start]
        lowered = _lowered(data[heading.start : heading.end].decode(), heading.level)
        repeats = number == 0 and not before.strip() and lowered.strip("# \t\r\n") == title
        parts += [before, b"" if repeats else lowered.encode()]
        position = heading.end
    return closed(b"".join([*parts, data[position:]]).decode().strip("\n"))


def closed(text: str) -> str:
    """The text with an end to every fence, comment or other block that it leaves open."""
    longest = sorted({max(runs, key=len) for char in "`~" if (runs := [r for r in _RUN.findall(text) if r[0] == char])})
    for closer in ("", *longest, *_CLOSERS):  # a fence is closed by any that is at least as long
        ended = f"{text}\n{closer}" if closer else text
        if _lets_go(ended):
            return ended
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
    return f"{fence}\n{text}\n{fence}"


def _lets_go(text: str) -> bool:
    """Whether a heading that follows would be one."""
    whole = text + _NEXT
    start = len(whole.encode("utf-8", "replace")) - len(_NEXT) + 2
    return any(heading.start == start for heading in _headings(whole))


def _headings(text: str) -> Iterator[_Heading]:
    """Those that are not inside of a list or a quotation."""
    from pyromark import Markdown

    depth = 0
    events: Any = Markdown().events_with_range(text)
    for event, span in events:
        if "Start" in event:
            if depth == 0 and "Heading" in event["Start"]:
                level = event["Start"]["Heading"]["level"]
                yield _Heading(_LEVELS[level], span["start"], span["end"])
            depth += 1
        elif "End" in event:
            depth -= 1


def _lowered(text: str, level: int) -> str:
    """The heading one level further down; underlined ones get number signs."""
    if _ATX.match(text):
        return f"#{text}" if level < 6 else text
    *words, _ = text.rstrip("\n").split("\n")
    return f"{'#' * (level + 1)} {' '.join(word.strip() for word in words)}\n"


class _Paragraph(NamedTuple):
    text: str
    quoted: bool
    intro: bool
    """Before the first heading of the second level."""

    @property
    def whole(self) -> bool:
        return len(self.text) >= _SENTENCE and bool(_ENDS.search(self.text))


def first_paragraph(body: str) -> str:
    """The words of the first paragraph that is a sentence, else of the first that has any; empty when there is none.

    A quotation counts only where the introduction has nothing else: it is a motto in some READMEs, and in others
    advertises."""
    found = list(islice(_paragraphs(body), _PARAGRAPHS_READ))
    whole = [part for part in found if part.whole]
    plain = (part.text for part in whole if part.intro and not part.quoted)
    return next(plain, "") or next((p.text for p in whole), "") or next((p.text for p in found if not p.quoted), "")


def _paragraphs(body: str) -> Iterator[_Paragraph]:
    """Those that have words, without markup."""
    from pyromark import Markdown

    open_blocks: list[str] = []
    images = 0
    intro = True
    words: list[str] = []
    events: Any = Markdown().events(body)
    for event in events:
        if open_blocks == ["HtmlBlock"] and "Html" in event:
            words.append(event["Html"])
        elif "End" in event and open_blocks == ["HtmlBlock"]:
            yield from (_Paragraph(text, False, intro) for text in _html_paragraphs("".join(words)))
            open_blocks, words = [], []
        elif "Start" in event:
            name = event["Start"] if isinstance(event["Start"], str) else next(iter(event["Start"]))
            intro = intro and not (name == "Heading" and event["Start"]["Heading"]["level"] != "H1")
            open_blocks.append(name)
            images += name == "Image"
        elif "End" in event:
            name = open_blocks.pop()
            images -= name == "Image"
            if name == "Paragraph" and set(open_blocks) <= {"BlockQuote"}:
                text = " ".join("".join(words).split())
                if text:
                    yield _Paragraph(text, bool(open_blocks), intro)
            words = words if open_blocks and open_blocks[-1] != "BlockQuote" else []
        elif open_blocks and not images:
            words.append(" " if isinstance(event, str) else event.get("Text") or event.get("Code") or "")


def _html_paragraphs(block: str) -> Iterator[str]:
    """The words of `<p>` elements."""
    from html import unescape

    for found in _HTML_PARAGRAPH.finditer(block):
        if text := " ".join(unescape(_TAG.sub("", found[1])).split()):
            yield text
