"""The pages that a curator may look at: as they are here, as an open request has them, and which are near."""

from collections.abc import Iterator, Mapping

from cairn.core.model.candidate import Candidate
from cairn.core.model.knowledge import Corpus
from cairn.core.ports.files import ReadFailed
from cairn.core.ports.graph import NodeFilter
from cairn.core.ports.search import Term, TextFilter, TextQuery
from cairn.curate.memory import ORIGIN
from cairn.curate.page_file import near_of
from cairn.curate.ports import CuratePorts
from cairn.curate.shortlist import FREQUENT, LOOKED_AT, Near, telling, words_of
from cairn.knowledge.base import KnowledgeBase
from cairn.knowledge.corpora import with_a_place_to_write
from cairn.retrieve.query import words_of as index_words

KINDS = ("practice", "map", "entry", "decision", "procedure")
OF_DOCUMENTS = "document:"
"""How origins of candidates begin that were found in documents."""
_BROKEN = ("entry-invalid", "frontmatter-parse-error", "frontmatter-malformed")


class WorkPages:
    """Texts of the work tree; where an open request has another one, that."""

    def __init__(self, ports: CuratePorts, proposed: Mapping[str, str]) -> None:
        self._ports, self._proposed = ports, proposed
        self._corpora = with_a_place_to_write(ports.corpora)
        self._knowledge = KnowledgeBase(self._corpora, ports.knowledge.allowlist)

    @property
    def knowledge(self) -> KnowledgeBase:
        return self._knowledge

    def read(self, path: str) -> str | None:
        return self._proposed[path] if path in self._proposed else self.here(path)

    def here(self, path: str) -> str | None:
        try:
            return self._ports.files.read(path)[0].decode("utf-8", "surrogateescape")
        except ReadFailed:
            return None

    def problem(self, path: str, text: str) -> str:
        reading = self._knowledge.read(path, text)
        if reading is None:
            return "it is in no corpus"
        return " ".join(problem.message for problem in reading.errors)

    def place(self, kind: str) -> Corpus:
        """An older base stays in use; else the first corpus that is made for writing into."""
        order = {"nodes": 0, "entries": 1}
        fitting = [corpus for corpus in self._corpora if corpus.layout in order]
        return min(fitting, key=lambda corpus: order[corpus.layout]) if fitting else self._corpora[-1]

    def near(self, path: str) -> Near | None:
        text = self.read(path)
        return None if text is None else near_of(path, text, self._knowledge)


class Neighbours:
    """The shortlist of a candidate out of the text index: few words, few rows, few files, whatever the base's size."""

    def __init__(self, ports: CuratePorts, pages: WorkPages, revises: Mapping[str, str] | None = None) -> None:
        self._store, self._pages, self._revises = ports.store, pages, revises or {}

    def __call__(self, candidate: Candidate) -> list[Near]:
        terms = [_term(word) for word in telling(words_of(candidate), self._frequency)]
        hits = self._hits(candidate, terms) if terms else []
        first = [self._revises[candidate.origin]] if candidate.origin in self._revises else []
        return [page for path in (*first, *hits) if (page := self._pages.near(path)) is not None]

    def _hits(self, candidate: Candidate, terms: list[Term]) -> list[str]:
        """A candidate of a document or a memory file is not compared with documents: it would find itself."""
        of_document = candidate.origin.startswith((OF_DOCUMENTS, ORIGIN))
        most = LOOKED_AT * 3 if of_document else LOOKED_AT
        hits = self._store.search(TextQuery(any=tuple(terms)), TextFilter(NodeFilter(kinds=KINDS)), most)
        layout = self._pages.knowledge.layout
        return [hit.path for hit in hits if not (of_document and layout(hit.path) == "plain")][:LOOKED_AT]

    def _frequency(self, word: str) -> int:
        return self._store.text_frequency(_term(word), at_most=FREQUENT) if index_words(word) else 0


def _term(word: str) -> Term:
    return Term((index_words(word),))


def broken_pages(ports: CuratePorts) -> Iterator[str]:
    """Every page whose frontmatter can't be used, in one go: they are compared with, but not edited."""
    from cairn.freshness.page_issues import without_vouched

    for issue in without_vouched(ports, ports.store.issues(analyzers=_BROKEN)):
        if ports.knowledge.kind(issue.path) is not None:
            yield f"{issue.path}:{issue.line or 1}: {issue.message}"
