"""Pages as the curator sees them, here or in an open request, and proposed nodes as files."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from cairn.core.model.candidate import KnowledgeCandidate, ProposedNode
from cairn.core.model.knowledge import Corpus, EntryStatus, Volatility
from cairn.core.ports.graph import NodeFilter
from cairn.core.ports.runtime import ReadFailed
from cairn.core.ports.search import Term, TextFilter, TextQuery
from cairn.core.search_query import words_of as index_words
from cairn.curate.ports import CuratePorts
from cairn.curate.session_candidates import MEMORY_ORIGIN, SUMMARY_LONGEST, TITLE_LONGEST, one_line
from cairn.curate.shortlist import FREQUENT, LOOKED_AT, SEARCHED, TOP, Near, telling, words_of
from cairn.knowledge.base import KnowledgeBase
from cairn.knowledge.corpora import with_a_place_to_write
from cairn.knowledge.edit import ORDER, Path, set_values
from cairn.knowledge.fields import FIELDS, written_name
from cairn.knowledge.new_page import FOLDERS, PageDraft, page_path, render
from cairn.knowledge.read import take_entry
from cairn.lib.markdown.frontmatter import parse, split
from cairn.lib.text.atoms import VALUES, atoms
from cairn.lib.text.names import slug
from cairn.lib.yaml.write import mapping_text

NEW: Final = EntryStatus.ALPHA
"""Nobody has confirmed what a curator wrote."""


class NewPage(NamedTuple):
    id: str
    path: str
    text: str


def id_in(corpus: Corpus, node: ProposedNode) -> str:
    """What a page of this title is called; letters of every script make a name of their own. In `nodes`, where other
    programs write as well, it is the whole title with its kind."""
    if corpus.layout == "nodes":
        return f"{node.kind}-{slug(node.title, fallback=node.kind).removeprefix(f'{node.kind}-')}"
    return slug(lasting(node.title), fallback=node.kind)


_LONGEST_TITLE = 500


def lasting(title: str) -> str:
    """A title without values at the end of what it says: a page keeps its name when 48 hours become 24. A text of many
    lines is not a title, and would take long."""
    if len(title) > _LONGEST_TITLE:
        return title
    found = atoms(title)
    short, left = title, sum(atom.counts for atom in found)
    for at, atom in enumerate(found):
        if atom.kind in VALUES and (at + 1 == len(found) or not found[at + 1].counts):
            start = at
            while start and not found[start - 1].counts:
                start -= 1
            words = r"\W+".join(re.escape(one.text) for one in found[start : at + 1])
            short, left = re.sub(rf"(?<!\W)\W+{words}", "", short, count=1), left - 1
    return short if left > 1 else title


def path_in(corpus: Corpus, node: ProposedNode, id: str) -> str:
    return page_path(corpus, _draft(corpus, node, id))


def new_page(corpus: Corpus, node: ProposedNode, id: str, derived_from: tuple[str, ...]) -> NewPage:
    """The keys of the layout, where it comes from, and `alpha`; no dates, since git is the timeline."""
    draft = _draft(corpus, node, id)
    page = parse(render(corpus, draft))
    said: dict[str, Any] = {
        **page.frontmatter,
        written_name("derived_from", corpus.layout): list(derived_from),
        "status": str(NEW),
    }
    if node.depends_on:
        said[written_name("depends_on", corpus.layout)] = list(node.depends_on)
    if corpus.layout == "entries":
        said["last-reviewed"] = None
    front = {key: said[key] for key in sorted(said, key=_place) if said[key] or key in page.frontmatter}
    return NewPage(id, page_path(corpus, draft), f"---\n{mapping_text(front)}---\n{page.body}")


def _place(key: str) -> int:
    return ORDER.index(key) if key in ORDER else len(ORDER)


def _draft(corpus: Corpus, node: ProposedNode, id: str) -> PageDraft:
    return PageDraft(
        name=id,
        title=one_line(node.title, TITLE_LONGEST),
        summary=one_line(node.summary, SUMMARY_LONGEST),
        kind=node.kind,
        category=FOLDERS[node.kind] if corpus.layout == "entries" else "",
        topics=node.tags,
        relates_to=node.relates_to,
        confidence=node.confidence,
        volatility=Volatility.EVOLVING,
        body=node.body.replace("\r\n", "\n").strip(),
    )


# --- one that is there ------------------------------------------------------------------------------------------------


def edited_page(text: str, corpus: Corpus, page: Near, node: ProposedNode, derived_from: tuple[str, ...]) -> str:
    """The page with what the node says otherwise; id, kind and all that nobody mentioned stay as they are."""
    front = parse(text).frontmatter
    wanted: dict[str, tuple[Any, Any]] = {
        "topics": (list(page.tags), list(node.tags)),
        "derived_from": (list(page.derived_from), _united(page.derived_from, derived_from)),
        "relates_to": (list(page.relates_to), list(node.relates_to)),
    }
    if page.confidence is not None:  # a page that never said how sure it is does not begin to
        wanted["confidence"] = (page.confidence, node.confidence)
    if node.summary != page.summary:
        wanted["summary"] = (page.summary, one_line(node.summary, SUMMARY_LONGEST))
    if node.title != page.title and (corpus.layout == "nodes" or "title" in front):
        wanted["title"] = (page.title, one_line(node.title, TITLE_LONGEST))
    changes: dict[Path, Any] = {}
    for name, (old, new) in wanted.items():
        if new != old:
            changes[(_key(front, name, corpus),)] = new
    return _with_body(set_values(text, changes) if changes else text, node.body)


def _united(before: tuple[str, ...], new: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys((*before, *new)))


def _key(front: dict[str, Any], attribute: str, corpus: Corpus) -> str:
    """As the page spells it already, else as the layout does."""
    names = next(field.names(corpus.layout) for field in FIELDS if field.attribute == attribute)
    return next((name for name in names if name in front), names[0])


def _with_body(text: str, body: str) -> str:
    old = split(text.removeprefix("\ufeff")).body
    if old == body:
        return text
    new = body.replace("\r\n", "\n")
    if "\r\n" in old:
        new = new.replace("\n", "\r\n")
    return text[: len(text) - len(old)] + new


# --- reading one ------------------------------------------------------------------------------------------------------


def near_of(path: str, text: str, knowledge: KnowledgeBase) -> Near | None:
    """A page as candidates are compared with it; None when it is none."""
    parsed = parse(text.removeprefix("\ufeff"))
    corpus, kind = knowledge.corpus(path), knowledge.kind(path)
    if corpus is None or kind is None:
        return None
    entry = take_entry(path, parsed.frontmatter, kind=kind, layout=corpus.layout, body=parsed.body)
    if entry is None:
        return None
    return Near(
        id=entry.name,
        path=path,
        kind=entry.kind,
        title=entry.title,
        summary=entry.summary,
        tags=entry.topics,
        body=parsed.body,
        confidence=entry.confidence,
        derived_from=entry.derived_from,
        relates_to=entry.relates_to,
        broken=parsed.problems[0].message if parsed.problems else "",
    )


def as_planned(page: Near, node: ProposedNode, derived_from: tuple[str, ...]) -> Near:
    """The page once the change is through."""
    return replace(
        page,
        title=node.title,
        summary=node.summary,
        tags=node.tags,
        body=node.body,
        confidence=node.confidence,
        derived_from=tuple(_united(page.derived_from, derived_from)),
        relates_to=node.relates_to,
    )


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
    """The shortlist of a candidate: by its own words out of the text index, and as search ranks pages, which knows
    synonyms and other languages. Few words, few rows, few files, whatever the base's size."""

    def __init__(self, ports: CuratePorts, pages: WorkPages, revises: Mapping[str, str] | None = None) -> None:
        self._ports, self._pages, self._revises = ports, pages, revises or {}
        self._store = ports.store
        self._last: tuple[KnowledgeCandidate, list[str]] | None = None
        """The candidate that was searched for last, which is asked about twice, and what was found."""

    def __call__(self, candidate: KnowledgeCandidate) -> list[Near]:
        terms = [_term(word) for word in telling(words_of(candidate), self._frequency)]
        hits = self._hits(candidate, terms) if terms else []
        first = [self._revises[candidate.origin]] if candidate.origin in self._revises else []
        ranks = {path: rank for rank, path in enumerate(self._searched(candidate), 1)}
        found = (self._pages.near(path) for path in dict.fromkeys((*first, *hits, *ranks)))
        return [replace(page, search_rank=ranks.get(page.path, 0)) for page in found if page is not None]

    def described(self, candidate: KnowledgeCandidate, descriptions: Sequence[str]) -> list[Near]:
        """The pages that search finds by the words of a reader."""
        found = (self._pages.near(path) for path in self._search(candidate, descriptions))
        return [page for page in found if page is not None]

    def _hits(self, candidate: KnowledgeCandidate, terms: list[Term]) -> list[str]:
        hits = self._store.search(TextQuery(any=tuple(terms)), TextFilter(NodeFilter(kinds=KINDS)), _most(candidate))
        return self._compared(candidate, (hit.path for hit in hits))[:LOOKED_AT]

    def _compared(self, candidate: KnowledgeCandidate, paths: Iterable[str]) -> list[str]:
        """A candidate of a document or a memory file is not compared with documents: it would find itself."""
        layout = self._pages.knowledge.layout
        return [path for path in paths if not (_is_of_document(candidate) and layout(path) == "plain")]

    def _searched(self, candidate: KnowledgeCandidate) -> list[str]:
        if self._last is None or self._last[0] is not candidate:
            tags = " ".join(candidate.tags)
            text = f"{candidate.title}. {tags}. {candidate.summary} {candidate.body[:SEARCHED]}"
            self._last = candidate, self._search(candidate, (text,))[:TOP]
        return self._last[1]

    def _search(self, candidate: KnowledgeCandidate, wordings: Sequence[str]) -> list[str]:
        return self._compared(candidate, self._ports.similar_pages(wordings, KINDS, _most(candidate)))

    def _frequency(self, word: str) -> int:
        return self._store.text_frequency(_term(word), at_most=FREQUENT) if index_words(word) else 0


def _is_of_document(candidate: KnowledgeCandidate) -> bool:
    return candidate.origin.startswith((OF_DOCUMENTS, MEMORY_ORIGIN))


def _most(candidate: KnowledgeCandidate) -> int:
    return LOOKED_AT * 3 if _is_of_document(candidate) else LOOKED_AT


def _term(word: str) -> Term:
    return Term((index_words(word),))


def broken_pages(ports: CuratePorts) -> Iterator[str]:
    """Every page whose frontmatter can't be used, in one go: they are compared with, but not edited."""
    from cairn.knowledge.allowlist import without_vouched

    for issue in without_vouched(ports.store.issues(analyzers=_BROKEN), ports.store, ports.env):
        if ports.knowledge.kind(issue.path) is not None:
            yield f"{issue.path}:{issue.line or 1}: {issue.message}"
