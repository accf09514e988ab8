"""What a reader is shown of a document: parts that end at headings, with what it led to before."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from cairn.curate.import_document import DocumentSection, sections
from cairn.curate.session_material import FindPages, page_value, pages_near
from cairn.curate.shortlist import Near
from cairn.lib.injection.marks import marks
from cairn.lib.scrub.find import redact

PART: Final = 24_000
"""Characters of one question: about 6,000 tokens."""
_MADE: Final = 12
_BODY: Final = 1_000
"""Characters that are shown of a page that was made before."""
_PAGES: Final = 8


class DocumentPart(NamedTuple):
    headings: tuple[str, ...]
    """Above its first words."""
    start: int
    text: str


def parts_of(text: str) -> Iterator[DocumentPart]:
    """Whole sections together, as many as fit; a longer one is cut between paragraphs."""
    run: list[DocumentSection] = []
    start = 0
    for section in sections(text):
        if run and section.end - start > PART:
            yield from _cut(run[0].headings, text, start, run[-1].end)
            start, run = run[-1].end, []
        run.append(section)
    if run:
        yield from _cut(run[0].headings, text, start, len(text))


def _cut(headings: tuple[str, ...], text: str, start: int, end: int) -> Iterator[DocumentPart]:
    while end - start > PART:
        cut = text.rfind("\n\n", start + PART // 2, start + PART)
        cut = cut if cut > 0 else start + PART
        yield DocumentPart(headings, start, text[start:cut])
        start = cut
    if text[start:end].strip():
        yield DocumentPart(headings, start, text[start:end])


def distil_inputs(
    text: str, *, path: str, made: Sequence[Near] = (), near: FindPages | None = None
) -> list[dict[str, Any]]:
    """One for each part. What looks like a secret is taken out before anything leaves."""
    shown = redact(text).text
    outside = bool(marks(text))
    before = [{"kind": _kind(page), "title": page.title, "body": page.body.strip()[:_BODY]} for page in made[:_MADE]]
    return [
        {
            "path": path,
            "from": part.start,
            "headings": list(part.headings),
            "text": part.text,
            "outside": outside,
            "made": before,
            "pages": [page_value(page) for page in _near(part, near)],
        }
        for part in parts_of(shown)
    ]


def _kind(page: Near) -> str:
    return "practice" if page.kind == "practice" else "map"


def _near(part: DocumentPart, near: FindPages | None) -> list[Near]:
    if near is None:
        return []
    texts = [f"{' '.join(one.headings)}\n{one.text}" for one in sections(part.text)]
    return pages_near(texts, near, most=_PAGES)
