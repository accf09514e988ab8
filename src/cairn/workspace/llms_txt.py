"""`llms.txt`: what there is to read here, for a model that has only so much room; see https://llmstxt.org.

A title, a summary in a quotation, then sections of links with a description each. What is deprecated stands under
*Optional*, which a reader in a hurry leaves out; what is quarantined is not mentioned.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, islice
from typing import Any, NamedTuple
from urllib.parse import quote

from cairn.core.extension_points import KindSpec
from cairn.core.model.graph import Node
from cairn.core.model.knowledge import Corpus, corpus_of
from cairn.core.ports.runtime import ReadFailed
from cairn.errors import UsageError
from cairn.graph.scan_request import GraphPorts
from cairn.knowledge.corpora import category_of
from cairn.lib.document.document import format_of, readable
from cairn.lib.markdown.frontmatter import decode, split

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


OPTIONAL = "Optional"
MAX_DESCRIPTION = 300
_KNOWLEDGE = "knowledge"
_FRONT = ("readme.md", "readme.mdx", "readme.rst", "readme.markdown", "readme.txt", "readme", "index.md")
_ESCAPED = str.maketrans({char: f"\\{char}" for char in "\\[]"})


class LlmsPage(NamedTuple):
    path: str
    title: str
    description: str
    section: str
    url: str


class LlmsSite(NamedTuple):
    title: str
    summary: str
    pages: tuple[LlmsPage, ...]
    """In order of their sections; Optional is last."""


def site(
    nodes: Iterable[Node],
    *,
    title: str,
    corpora: tuple[Corpus, ...],
    kinds: Mapping[str, KindSpec],
    base_url: str,
    body_of: Callable[[str], str | None],
) -> LlmsSite:
    """`body_of` gives the text of a page without its frontmatter, None when it can't be read."""
    served = [node for node in nodes if not node.virtual and _status(node) != "quarantined"]
    pages = [_page(node, _section(node, corpora, kinds), base_url) for node in served]
    pages.sort(key=lambda page: (page.section == OPTIONAL, page.section.lower(), page.section, page.path))
    summary = front_summary(served, body_of) or f"{len(served):,} page{'' if len(served) == 1 else 's'} to read."
    return LlmsSite(_line(title), summary, tuple(pages))


def _status(node: Node) -> str:
    said = node.frontmatter.get("status") or node.frontmatter.get("stability") or ""
    return said.lower() if isinstance(said, str) else ""


def _section(node: Node, corpora: tuple[Corpus, ...], kinds: Mapping[str, KindSpec]) -> str:
    if _status(node) == "deprecated":
        return OPTIONAL
    if node.provider == _KNOWLEDGE and (corpus := corpus_of(node.path, corpora)) is not None:
        category = category_of(corpus, node.path)
        name = f"{corpus.name}/{category}" if category and len(corpora) > 1 else category or corpus.name
    else:
        spec = kinds.get(node.qualified_kind)
        name = f"{spec.label}s" if spec else node.kind
    name = _line(name)
    return f"{name} pages" if name.lower() == OPTIONAL.lower() else name


def _page(node: Node, section: str, base_url: str) -> LlmsPage:
    description = _line(node.description or _text(node.frontmatter.get("summary")))
    if len(description) > MAX_DESCRIPTION:
        description = description[:MAX_DESCRIPTION].rpartition(" ")[0] + " …"
    return LlmsPage(node.path, _line(node.title) or node.path, description, section, base_url + quote(node.path))


def front_summary(nodes: Iterable[Node], body_of: Callable[[str], str | None]) -> str:
    """The description or the first paragraph of the README; empty if there is neither."""
    front = next((node for node in nodes if node.path.lower() in _FRONT), None)
    return "" if front is None else _line(front.description) or first_paragraph(body_of(front.path) or "")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _line(text: str) -> str:
    return " ".join(text.split())


# --- writing --------------------------------------------------------------------------------------------------------


def index_text(site: LlmsSite) -> str:
    """llms.txt."""
    lines = [*_head(site)]
    for section, pages in groupby(site.pages, key=lambda page: page.section):
        lines += ["", f"## {section}", "", *(_item(page) for page in pages)]
    return "\n".join(lines) + "\n"


def full_text(site: LlmsSite, body_of: Callable[[str], str | None]) -> str:
    """llms-full.txt: every page with its text, each below a heading and the place that it comes from."""
    lines = [*_head(site)]
    for page in site.pages:
        lines += ["", f"# {page.title}", "", f"Source: {page.url}"]
        body = inlined(body_of(page.path) or "", page.title)
        lines += ["", body] if body else []
    return "\n".join(lines) + "\n"


def _head(site: LlmsSite) -> tuple[str, ...]:
    return f"# {site.title}", "", f"> {site.summary}"


def _item(page: LlmsPage) -> str:
    link = f"- [{page.title.translate(_ESCAPED)}]({page.url})"
    return f"{link}: {page.description}" if page.description else link


def base_of(url: str | None) -> str:
    """What stands before each path: nothing, or an address that ends in a slash."""
    if url is None:
        return ""
    from cairn.lib.urls.url import UrlProblem, split_url

    try:
        parts = split_url(url)
    except UrlProblem as problem:
        raise UsageError(f"`{url}` cannot stand before the paths: {problem}") from None
    if parts.query is not None or parts.fragment is not None or parts.userinfo is not None:
        raise UsageError(f"`{url}` cannot stand before the paths; leave out what is behind ? or #, or before @.")
    return f"{parts}".rstrip("/") + "/"


def body_reader(ports: GraphPorts) -> Callable[[str], str | None]:
    """Gives the text of a page without its frontmatter, None when it cannot be read."""

    def body(path: str) -> str | None:
        try:
            data, _ = ports.files.read(path)
        except ReadFailed:
            return None
        return split(readable(path, decode(data).text)).body if format_of(path) else None

    return body
