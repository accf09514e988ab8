"""A new page of knowledge, from what somebody said on the command line to a file that a check has nothing against."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from cairn.changes.lock_files import GIT_ATTRIBUTES, attributes_beside, write_attributes
from cairn.changes.write import remove_file, write_file
from cairn.core.model.knowledge import Confidence, Corpus, EntryStatus, FieldProblem, Source, Volatility
from cairn.core.ports.application import HasProbe
from cairn.core.ports.runtime import ReadFailed, WalkRequest
from cairn.errors import CairnError, Conflict, NotFound, Refused, UsageError
from cairn.graph.subgraph import path_called
from cairn.knowledge.corpora import category_of, kind_of, with_a_place_to_write
from cairn.knowledge.lockfile import lock_file, lock_text
from cairn.knowledge.new_page import (
    KINDS,
    Advice,
    PageDraft,
    advise,
    category_for,
    kind_for,
    name_of,
    page_path,
    render,
)
from cairn.knowledge.ports import HasKnowledge, KnowledgePorts
from cairn.knowledge.topics import normalize_topic
from cairn.lib.markdown.frontmatter import split
from cairn.lib.text.names import NAME, did_you_mean, nearest, slug, unused

Meant = Callable[[str, str], bool]
"""Asks whether the known name was meant when another was given; None where nobody is there to answer."""


class AddPagePorts(KnowledgePorts, HasKnowledge, HasProbe, Protocol):
    """What it takes to write a page that a check has nothing against."""


@dataclass(frozen=True, slots=True)
class AddPageOptions:
    title: str
    summary: str = ""
    body: str = ""
    kind: str | None = None
    corpus: str | None = None
    layout: str | None = None
    category: str | None = None
    new_category: bool = False
    name: str | None = None
    topics: tuple[str, ...] = ()
    relates_to: tuple[str, ...] = ()
    confidence: Confidence | None = None
    volatility: Volatility | None = None
    sources: tuple[str, ...] = ()
    status: EntryStatus | None = None
    skeleton: bool = False
    """The text only asks what the page should say."""
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class AddPageResult:
    path: str
    text: str
    corpus: Corpus
    draft: PageDraft
    advice: Advice
    warnings: tuple[FieldProblem, ...]
    new_category: bool
    written: bool
    beside: tuple[str, ...] = ()
    """What else was written, or would be."""
    notes: tuple[str, ...] = ()
    """What a person should know about that."""
    twin: str | None = None
    """A page that has the name already which the title makes."""

    def json(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "name": self.draft.name,
            "kind": self.draft.kind,
            "corpus": self.corpus.name,
            "layout": self.corpus.layout,
            "category": self.draft.category or None,
            "newCategory": self.new_category,
            "volatility": str(self.draft.volatility),
            "advice": {"volatility": str(self.advice.volatility), "why": self.advice.why},
            "sources": [{"reference": source.reference, "hash": source.hash} for source in self.draft.sources],
            "warnings": [{"field": p.field, "line": p.line, "message": p.message} for p in self.warnings],
            "beside": list(self.beside),
            "written": self.written,
            "text": self.text,
        }


def add_entry(ports: AddPagePorts, wishes: AddPageOptions, *, here: Path, meant: Meant | None = None) -> AddPageResult:
    """Everything is settled before anything is written: a page that the corpus would refuse is not made."""
    if split(wishes.body.replace("\r\n", "\n")).raw is not None:
        raise UsageError("the text starts with frontmatter of its own; give what follows it, and the rest by options")
    corpus = choose_corpus(ports, wishes)
    pages = _pages(ports, corpus)
    kind = kind_for(corpus, wishes.kind)
    category, is_new = _category(corpus, kind, wishes, pages, meant)
    draft = PageDraft(
        name=_name(corpus, kind, wishes, pages),
        title=_one_line(wishes.title),
        summary=_one_line(wishes.summary) or _first_sentence(wishes.body),
        kind=kind,
        category=category,
        topics=_topics(wishes.topics),
        relates_to=_related(corpus, wishes.relates_to, pages),
        confidence=wishes.confidence,
        body=wishes.body.replace("\r\n", "\n"),
        today=_today(ports),
        status=wishes.status,
        skeleton=wishes.skeleton,
    )
    draft = replace(draft, sources=tuple(_source(ports, text, draft.today, here) for text in wishes.sources))
    advice = advise(draft)
    draft = replace(draft, volatility=_volatility(draft, wishes.volatility, advice))
    path, text = page_path(corpus, draft), render(corpus, draft)
    warnings = _judged(ports, corpus, path, text)
    files = _files(ports, corpus, path, text, draft)
    attributes = attributes_beside(ports, list(files)[1:])
    twin = _twin(corpus, kind, wishes, pages)
    notes = [f"{twin} has that name already; if this is about the same, edit that page instead"] if twin else []
    if not wishes.dry_run:
        _write(ports, files)
        notes += write_attributes(ports, attributes)
    beside = (*list(files)[1:], *(() if attributes is None else (GIT_ATTRIBUTES,)))
    return AddPageResult(
        path, text, corpus, draft, advice, warnings, is_new, not wishes.dry_run, beside, tuple(notes), twin
    )


# --- where ----------------------------------------------------------------------------------------------------------


def choose_corpus(ports: AddPagePorts, wishes: AddPageOptions) -> Corpus:
    """The one that was named, else the first that is made for writing into and has pages of that kind."""
    known = with_a_place_to_write(ports.corpora)
    if wishes.corpus is not None:
        named = next((corpus for corpus in known if corpus.name == wishes.corpus), None)
        if named is None:
            hint = did_you_mean(wishes.corpus, [c.name for c in known]) or f"; there is {_listed(known)}"
            raise NotFound(f"there is no corpus `{wishes.corpus}`{hint}", corpus=wishes.corpus)
        return named
    fitting = [corpus for corpus in known if corpus.layout == (wishes.layout or corpus.layout)]
    if not fitting:
        raise NotFound(f"no corpus here has the layout {wishes.layout}; there is {_listed(known)}")
    writable = [corpus for corpus in fitting if corpus.layout != "plain" or wishes.layout == "plain"] or fitting
    return next((corpus for corpus in writable if _suits(corpus, wishes)), writable[0])


def _suits(corpus: Corpus, wishes: AddPageOptions) -> bool:
    """Whether it takes pages of that kind (an entry when nobody says), and has categories where one is named."""
    kind_fits = (wishes.kind or "entry") in KINDS[corpus.layout]
    return kind_fits and (wishes.category is None or corpus.layout in ("entries", "plain"))


def _listed(corpora: Sequence[Corpus]) -> str:
    return ", ".join(f"`{corpus.name}` ({corpus.layout})" for corpus in corpora)


def _pages(ports: AddPagePorts, corpus: Corpus) -> dict[str, str]:
    """The pages of a corpus: path and name of each."""
    if corpus.root and not ports.files.exists(corpus.root):
        return {}
    walk = ports.files.walk(WalkRequest(roots=(corpus.root,) if corpus.root else (), gitignore=False))
    paths = [file.path for file in walk.files if kind_of(corpus, file.path)]
    return {path: name_of(corpus, path) for path in paths}


def _category(
    corpus: Corpus, kind: str, wishes: AddPageOptions, pages: dict[str, str], meant: Meant | None
) -> tuple[str, bool]:
    known = tuple(sorted({folder for path in pages if (folder := category_of(corpus, path))}))
    category = category_for(corpus, kind, wishes.category, known)
    if not category or category in known:
        return category, False
    near = nearest(category, known) if wishes.category and not wishes.new_category else None
    if near is None:
        return category, True
    if meant and meant(category, near):
        return near, False
    if meant:
        return category, True
    sentence = f"there is no category `{category}`, but there is `{near}`; write that, or add --new-category"
    raise Refused(sentence, category=category, near=near)


def _name(corpus: Corpus, kind: str, wishes: AddPageOptions, pages: dict[str, str]) -> str:
    taken = {name.lower() for name in pages.values()}
    if wishes.name is not None:
        if not NAME.fullmatch(wishes.name):
            raise UsageError(f"the name `{wishes.name}` must be lower-case letters, digits and hyphens")
        if wishes.name.lower() in taken:
            where = next(path for path, name in pages.items() if name.lower() == wishes.name.lower())
            raise Conflict(f"there is a page of the name `{wishes.name}` already, {where}; choose another", path=where)
        return wishes.name
    return unused(_usual_name(corpus, kind, wishes), taken.__contains__)


def _usual_name(corpus: Corpus, kind: str, wishes: AddPageOptions) -> str:
    base = slug(wishes.title, fallback=kind)
    return f"{kind}-{base.removeprefix(f'{kind}-')}" if corpus.layout == "nodes" else base


def _twin(corpus: Corpus, kind: str, wishes: AddPageOptions, pages: dict[str, str]) -> str | None:
    usual = _usual_name(corpus, kind, wishes).lower()
    return None if wishes.name else next((path for path, name in pages.items() if name.lower() == usual), None)


# --- what -----------------------------------------------------------------------------------------------------------


def _one_line(text: str) -> str:
    """Without line breaks and what cannot be seen."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _first_sentence(body: str) -> str:
    """A summary for a page that came without one."""
    lines = [line for line in body.strip().splitlines() if line.strip() and not line.startswith(("#", "```", "---"))]
    first = _one_line(" ".join(lines[:1])).strip(" -*")
    end = first.find(". ")
    sentence = first[: end + 1] if end > 0 else first
    if not sentence:
        raise UsageError("say in a sentence what the page is about, with --summary")
    return sentence if len(sentence) <= 140 else f"{sentence[:139].rsplit(' ', 1)[0]}…"


def _topics(given: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(topic for text in given if (topic := normalize_topic(text))))


def _related(corpus: Corpus, given: Sequence[str], pages: dict[str, str]) -> tuple[str, ...]:
    names = set(pages.values())
    for name in given:
        if name not in names:
            hint = did_you_mean(name, names) or "; `cairn list` shows what there is"
            raise NotFound(f"the corpus `{corpus.name}` has no page `{name}` to relate to{hint}", name=name)
    return tuple(dict.fromkeys(given))


def _volatility(draft: PageDraft, wanted: Volatility | None, advice: Advice) -> Volatility:
    if wanted is Volatility.FAST_MOVING and not draft.sources:
        raise UsageError("what is fast-moving needs something to compare with; name it with --source URL or PATH")
    return wanted or advice.volatility


def _today(ports: AddPagePorts) -> str:
    return datetime.fromtimestamp(ports.clock.now_ms() / 1000, UTC).date().isoformat()


# --- sources --------------------------------------------------------------------------------------------------------


def _source(ports: AddPagePorts, text: str, today: str, here: Path) -> Source:
    from cairn.knowledge.values import check_path, check_url

    address, mark, fragment = text.strip().partition("#")
    is_url = "://" in address
    for wrong in (check_url if is_url else check_path)(address if is_url else text.strip()):
        raise UsageError(f"--source {text}: it {wrong.said}", source=text)
    if is_url:
        return Source("url", address, f"#{fragment}" if fragment else None)
    path = path_called(address, ports.files.exists, root=ports.root, here=here)
    return Source("path", path, fragment or None, today, _digest(ports, path, fragment if mark else None))


def _digest(ports: AddPagePorts, path: str, anchor: str | None) -> str:
    """What the source looks like now, so that a later change is noticed from the first day on."""
    from cairn.lib.code.anchor import locate
    from cairn.lib.code.read import outline

    if not ports.files.exists(path):
        raise NotFound(
            f"there is no file `{path}` to be a source; write it as seen from here or from the root", path=path
        )
    try:
        data, _ = ports.files.read(path)
    except ReadFailed as problem:
        raise NotFound(f"the source `{path}` cannot be read: {problem}", path=path) from None
    found = outline(path, data, ports.probe)
    place = locate(found, data, anchor)
    if place is None:
        hint = did_you_mean(anchor or "", [symbol.name for symbol in found.symbols])
        raise NotFound(f"there is no `{anchor}` in {path}{hint}", path=path, anchor=anchor)
    return place.digest


# --- writing --------------------------------------------------------------------------------------------------------


def _judged(ports: AddPagePorts, corpus: Corpus, path: str, text: str) -> tuple[FieldProblem, ...]:
    """What the reader of the corpus has to say; errors end it here."""
    from cairn.knowledge.base import KnowledgeBase

    reading = KnowledgeBase((corpus,), ports.knowledge.allowlist).read(path, text)
    if reading is None:
        return ()
    # What Cairn writes is short; what others wrote may be long.
    long = [problem for problem in reading.warnings if problem.field in ("title", "summary")]
    if reading.errors or long:
        raise UsageError(" ".join(problem.message for problem in (*reading.errors, *long)), path=path)
    return reading.warnings


def _files(ports: AddPagePorts, corpus: Corpus, path: str, text: str, draft: PageDraft) -> dict[str, str]:
    """What is to be written: the page, and what has to stand beside it. Pages of somebody else's stay plain, so what
    Cairn knows of them is in a lock file."""
    from cairn.knowledge.lockfile import PageRecord, parse_lock, render_lock

    if ports.files.exists(path):
        raise Conflict(f"{path} is there already; choose another --name", path=path)
    if corpus.layout != "plain" or not draft.sources:
        return {path: text}
    file = lock_file(corpus)
    record = PageRecord(draft.today if draft.body else None, None, draft.volatility, draft.sources)
    lock = parse_lock(lock_text(ports.files, corpus), file).with_page(corpus.inside(path), record)
    return {path: text, file: render_lock(lock)}


def _write(ports: AddPagePorts, files: Mapping[str, str]) -> None:
    """All of them, or none of those that are new."""
    made: list[str] = []
    try:
        for path, text in files.items():
            made += [] if ports.files.exists(path) else [path]
            write_file(ports.root, path, text)
    except CairnError:
        for path in made:
            remove_file(ports.root, path)
        raise
