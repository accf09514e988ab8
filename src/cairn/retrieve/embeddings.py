"""Vectors for search, where the operator wants them: made of pages that have none yet, and asked with a question."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cairn.core.ports.runtime import ReadFailed
from cairn.errors import CairnError, EnvironmentProblem, StoreLocked
from cairn.lib.document.document import readable
from cairn.lib.markdown.blocks import sections, seen_text
from cairn.lib.markdown.frontmatter import decode, split
from cairn.retrieve.factors import NONE, SemanticNearness, nearest, packed

if TYPE_CHECKING:
    from cairn.core.model.issue import HealthFinding
    from cairn.core.ports.search import Embedder, PageToEmbed, VectorRow
    from cairn.retrieve.ports import RetrievePorts

KEY: Final = "retrieve.embeddings"
COMMAND: Final = "retrieve.embed_command"
_SECTION: Final = 1500
"""Characters of a section that its vector is made of, besides its headings."""
_SECTIONS: Final = 40
"""Sections of a page that have vectors."""
_USUAL_SECTIONS: Final = 8
_QUESTION: Final = 2000
_MOST: Final = 100_000
_SECONDS_OF_SEARCH: Final = 10.0
"""Somebody waits; what takes longer is made in the background."""
_BACKGROUND: Final = 40
"""Times as many pages as an embedder takes texts, the step in the background makes at once."""


def meaning_of(ports: "RetrievePorts", question: str) -> SemanticNearness:
    """How near pages are to a question. A few vectors that are missing are made first. Whatever is in the way becomes a
    note: words alone find most of it."""
    if ports.settings.text(KEY) == "off":
        return NONE
    try:
        embedder = ports.embedder(seconds=_SECONDS_OF_SEARCH)
        if embedder is None:
            return NONE
        asked = packed(embedder.embed([_private(ports, question[:_QUESTION])])[0])
        late = _made_a_few(ports, embedder)
        near = nearest(asked, ports.store.vectors.all(model_of(embedder), _MOST))
        left = ports.store.vectors.count_missing(model_of(embedder))
    except CairnError as error:
        return SemanticNearness(notes=(f"searched by words alone: {error.message}",))
    pages = "1 page has" if left == 1 else f"{left:,} pages have"
    rest = f"{pages} no vector yet; {late or 'the next searches make more'}"
    return SemanticNearness(near, (rest,) if left else ())


def _made_a_few(ports: "RetrievePorts", embedder: "Embedder") -> str:
    """Why not, when the program answers a question, but does not get through so many pages while somebody waits."""
    try:
        make_vectors(ports, embedder, max(1, embedder.at_once // _USUAL_SECTIONS))
    except EnvironmentProblem:
        return "the step in the background makes them"
    return ""


def make_in_background(ports: "RetrievePorts") -> int:
    embedder = ports.embedder()
    if embedder is None or not ports.store.meta():
        return 0
    made = make_vectors(ports, embedder, embedder.at_once * _BACKGROUND)
    ports.store.vectors.tidy(model_of(embedder))
    return made


def make_vectors(ports: "RetrievePorts", embedder: "Embedder", most: int) -> int:
    """Of pages that have none; how many were made. Where somebody else writes, they are made the next time."""
    made = 0
    for start in range(0, most, embedder.at_once):
        pages = ports.store.vectors.missing(model_of(embedder), min(embedder.at_once, most - start))
        if not pages:
            break
        rows = list(_rows(ports, embedder, pages))
        try:
            ports.store.vectors.keep(model_of(embedder), rows)
        except StoreLocked:
            break
        made += len(rows)
    return made


def model_of(embedder: "Embedder") -> str:
    """The name under which vectors are stored; those of whole pages, which older versions made, had another."""
    return f"{embedder.id}/sections"


def _rows(ports: "RetrievePorts", embedder: "Embedder", pages: "Sequence[PageToEmbed]") -> "Iterator[VectorRow]":
    """For each page the vectors of its sections, one after the other."""
    from cairn.core.ports.search import VectorRow

    texts = [[_private(ports, text) for text in _texts(page, _body(ports, page.path))] for page in pages]
    flat = [text for of_page in texts for text in of_page]
    starts = range(0, len(flat), embedder.at_once)
    vectors = (packed(one) for at in starts for one in embedder.embed(flat[at : at + embedder.at_once]))
    for page, of_page in zip(pages, texts, strict=True):
        yield VectorRow(page.body_hash, page.frontmatter_hash, b"".join(islice(vectors, len(of_page))))


def _texts(page: "PageToEmbed", body: str) -> list[str]:
    """A section with the headings above it; of a page without any text its title."""
    found = sections(body)
    texts = [
        ". ".join((page.title, *(found[at].heading for at in section.above), f"{section.heading}\n{text[:_SECTION]}"))
        for section in found
        if (text := body[section.text : section.end].strip())
    ]
    first = f"{page.title}. {page.description}"
    return [f"{first}\n{texts[0]}" if texts else first, *texts[1:_SECTIONS]]


def _body(ports: "RetrievePorts", path: str) -> str:
    try:
        return seen_text(split(readable(path, decode(ports.files.read(path)[0]).text)).body)
    except ReadFailed:
        return ""


def _private(ports: "RetrievePorts", text: str) -> str:
    """A program of the operator's may send it anywhere; without secrets then."""
    if ports.settings.text(KEY) != "command":
        return text
    from cairn.core.ledger_events import redact_text

    return redact_text(text)


# --- the doctor -------------------------------------------------------------------------------------------------------


def examine_vectors(ports: "RetrievePorts") -> "Iterator[HealthFinding]":
    """Whether they can be made at all, by making one; and how many are left to do."""
    from cairn.core.model.issue import HealthFinding, HealthState

    try:
        embedder = ports.embedder()
        if embedder is None:
            return
        size = len(embedder.embed(["bread"])[0])
    except CairnError as error:
        yield HealthFinding(
            "vectors",
            HealthState.ERROR,
            error.message,
            f"until then words alone are searched; `cairn config set {KEY} off` says that this is meant",
        )
        return
    there = not isinstance(ports.store_location, Path) or ports.store_location.exists()
    left = ports.store.vectors.count_missing(model_of(embedder)) if there else 0
    rest = f"; {left:,} pages have none yet, searches and the step in the background make them" if left else ""
    yield HealthFinding("vectors", HealthState.OK, f"{embedder.id} makes vectors of {size} numbers{rest}")
