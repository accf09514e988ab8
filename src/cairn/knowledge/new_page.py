"""A new page of knowledge: where it belongs, what its frontmatter says, how often somebody should look at it again."""

import posixpath
import re
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from cairn.core.model.knowledge import Confidence, Corpus, EntryStatus, Layout, Source, Volatility
from cairn.errors import UsageError
from cairn.knowledge.corpora import sections_of
from cairn.lib.yaml.write import mapping_text

KINDS: dict[Layout, tuple[str, ...]] = {
    "entries": ("entry", "practice", "map", "decision"),
    "nodes": ("practice", "map"),
    "artefacts": ("procedure",),
    "plain": ("entry",),
}
"""What a page of each layout can be; the first is what it is when nobody says."""

FOLDERS = {"practice": "practice", "map": "map", "decision": "decisions"}
"""Categories of the layout `entries` that say what kind a page is."""


@dataclass(frozen=True, slots=True)
class PageDraft:
    """What is known about a page before it is one."""

    name: str
    title: str
    summary: str
    kind: str
    category: str = ""
    topics: tuple[str, ...] = ()
    relates_to: tuple[str, ...] = ()
    confidence: Confidence | None = None
    volatility: Volatility = Volatility.EVOLVING
    sources: tuple[Source, ...] = ()
    body: str = ""
    today: str = ""
    status: EntryStatus | None = None
    skeleton: bool = False
    """Its text only asks what it should say, so nobody has looked at it."""


# --- where ----------------------------------------------------------------------------------------------------------


def kind_for(corpus: Corpus, wanted: str | None) -> str:
    known = KINDS[corpus.layout]
    if wanted is None and corpus.layout != "nodes":
        return known[0]
    if wanted not in known:
        said = f"a page of the corpus `{corpus.name}` (layout {corpus.layout}) is one of: {', '.join(known)}"
        raise UsageError(f"{said}; say which with --kind", corpus=corpus.name)
    return wanted


_CATEGORY = re.compile(r"[a-z0-9][a-z0-9-]*(?:/[a-z0-9][a-z0-9-]*)*")


def category_for(corpus: Corpus, kind: str, wanted: str | None, known: tuple[str, ...]) -> str:
    """The folder of an entry: the one that was named, else the one that follows from its kind or from the corpus."""
    if corpus.layout not in ("entries", "plain"):
        if wanted:
            raise UsageError(f"pages of the layout {corpus.layout} have no category; leave --category out")
        return ""
    if wanted is not None:
        return _checked_category(wanted.strip("/"), kind)
    if corpus.layout == "plain":
        return ""
    if kind in FOLDERS:
        return FOLDERS[kind]
    if len(known) > 1:
        raise UsageError(f"say where the page belongs with --category; there are: {', '.join(known)}")
    return known[0] if known else "general"


def _checked_category(wanted: str, kind: str) -> str:
    if not _CATEGORY.fullmatch(wanted):
        raise UsageError(f"the category `{wanted}` must be lower-case letters, digits and hyphens, such as `security`")
    top = wanted.partition("/")[0]
    if kind in FOLDERS and top != FOLDERS[kind]:
        raise UsageError(f"a page of the kind {kind} lies in `{FOLDERS[kind]}`; leave --category or --kind out")
    return wanted


def page_path(corpus: Corpus, draft: PageDraft) -> str:
    inside = {
        "nodes": f"nodes/{draft.name}.md" if corpus.tree else f"nodes/{draft.kind}/{draft.name}.md",
        "artefacts": f"skills/{draft.name}/canonical.md",
    }.get(corpus.layout, posixpath.join(draft.category, f"{draft.name}.md"))
    return posixpath.join(corpus.root, inside)


def name_of(corpus: Corpus, path: str) -> str:
    """What a page at this path is called."""
    if corpus.layout == "artefacts":
        return posixpath.basename(posixpath.dirname(path))
    return posixpath.splitext(posixpath.basename(path))[0]


# --- how often ------------------------------------------------------------------------------------------------------


class Advice(NamedTuple):
    volatility: Volatility
    why: str


_STANDARDS = (
    *("w3.org", "ietf.org", "rfc-editor.org", "whatwg.org", "ecma-international.org", "iso.org", "nist.gov"),
    *("owasp.org", "unicode.org", "iana.org", "oasis-open.org", "opengroup.org", "schema.org", "semver.org"),
)
_PATTERNS = frozenset(
    (
        *("pattern", "patterns", "principle", "principles", "practice", "practices", "architecture", "design"),
        *("concept", "concepts", "decision", "decisions", "map", "glossary", "history"),
    )
)


def advise(draft: PageDraft) -> Advice:
    """How fast the world behind a page moves, going by where it has it from and what it is about."""
    hosts = [urlsplit(source.target).hostname or "" for source in draft.sources if source.kind == "url"]
    vendors = [host for host in hosts if not _is_standard(host)]
    if vendors:
        return Advice(Volatility.FAST_MOVING, f"pages of vendors such as {vendors[0]} change often")
    if hosts:
        return Advice(Volatility.EVOLVING, f"standards such as those of {hosts[0]} get new editions now and then")
    if draft.sources:
        return Advice(Volatility.EVOLVING, "code changes now and then, and a change of its source is noticed anyway")
    words = {word for text in (draft.kind, draft.category, *draft.topics) for word in re.split(r"[-/\s]", text)}
    if words & _PATTERNS:
        return Advice(Volatility.STABLE, "patterns and decisions stay true for long")
    return Advice(Volatility.EVOLVING, "nothing says otherwise")


def _is_standard(host: str) -> bool:
    return any(host == known or host.endswith(f".{known}") for known in _STANDARDS)


# --- what -----------------------------------------------------------------------------------------------------------


def render(corpus: Corpus, draft: PageDraft) -> str:
    """The text of the page."""
    if corpus.layout == "plain":
        heading, body = _heading(draft)
        return _joined(*heading, body)
    front = {"entries": _entry, "nodes": _node, "artefacts": _artefact}[corpus.layout](draft)
    front |= {"schema_version": 2} if corpus.tree else {}
    return f"---\n{mapping_text(front)}---\n\n{_body(corpus, draft)}"


def _entry(draft: PageDraft) -> dict[str, Any]:
    return {
        "name": draft.name,
        "description": draft.summary,
        "topics": list(draft.topics),
        **({"relates_to": list(draft.relates_to)} if draft.relates_to else {}),
        **({"confidence": draft.confidence} if draft.confidence else {}),
        **_status(draft),
        **_freshness(draft),
    }


def _status(draft: PageDraft) -> dict[str, Any]:
    return {"status": str(draft.status)} if draft.status else {}


def _freshness(draft: PageDraft) -> dict[str, Any]:
    return {
        "volatility": str(draft.volatility),
        # Nobody has looked at a page that is still empty.
        "last-reviewed": draft.today if draft.body and not draft.skeleton else None,
        "version-pin": None,
        "sources": [_source(source) for source in draft.sources],
    }


def _source(source: Source) -> dict[str, Any]:
    if source.kind == "path":
        facts: dict[str, Any] = {"path": source.reference}
    else:
        facts = {"url": source.target, "anchor": source.anchor}
    facts |= {"hash": source.hash, "canon": source.canon, "retrieved": source.retrieved}
    return {key: fact for key, fact in facts.items() if fact is not None}


def _node(draft: PageDraft) -> dict[str, Any]:
    """The keys of the layout and no dates: there git is the timeline."""
    return {
        "schema_version": 1,
        "id": draft.name,
        "title": draft.title,
        "kind": draft.kind,
        "tags": list(draft.topics),
        "derived_from": [],
        "relates_to": list(draft.relates_to),
        "depends_on": [],
        "confidence": draft.confidence or "high",
        "summary": draft.summary,
        **_status(draft),
        **({"sources": [_source(source) for source in draft.sources]} if draft.sources else {}),
    }


def _artefact(draft: PageDraft) -> dict[str, Any]:
    return {
        "id": draft.name,
        "title": draft.title,
        "description": draft.summary,
        "topics": list(draft.topics),
        **({"relates_to": list(draft.relates_to)} if draft.relates_to else {}),
        **_status(draft),
        **({"sources": [_source(source) for source in draft.sources]} if draft.sources else {}),
    }


_HEADING = re.compile(r"^#{1,6}[ \t]++(.*)$", re.MULTILINE)


def _body(corpus: Corpus, draft: PageDraft) -> str:
    """With every section that the corpus asks for; the text given is the last of them, unless it has its own."""
    if corpus.layout == "nodes":
        return _joined(draft.body or draft.summary)
    heading, body = _heading(draft)
    there = {found[1].rstrip().rstrip("#").rstrip() for found in _HEADING.finditer(body)}
    missing = [section for section in sections_of(corpus) if section not in there]
    if not missing:
        return _joined(*heading, body)
    *empty, last = missing
    sections = [text for section in empty for text in (f"## {section}", draft.summary)]
    rest = body or "<!-- What somebody needs to know who has to act on this. -->"
    return _joined(*heading, *sections, f"## {last}", rest)


def _heading(draft: PageDraft) -> tuple[list[str], str]:
    """Title and introduction, and the text without what it has of them."""
    body = draft.body.lstrip()
    if body.startswith("# "):
        title, _, rest = body.partition("\n")
        return [title], rest
    summary, said = (" ".join(text.split()) for text in (draft.summary, body))
    return [f"# {draft.title}", "" if said.startswith(summary) else draft.summary], draft.body


def _joined(*parts: str) -> str:
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"
