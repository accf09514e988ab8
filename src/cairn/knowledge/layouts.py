"""Layouts: which file of a corpus is what kind of page. Asked about every file of a scan, so it imports little."""

from collections.abc import Callable, Mapping, Sequence

from cairn.core.model.knowledge import Corpus, Layout
from cairn.lib.document.outline import DOCUMENTS, format_of

ROUTES = "routes"
"""The file that lists routes; each route is a virtual page of kind `route`."""

DECISION_FOLDERS = frozenset(
    ("adr", "adrs", "decisions", "decision-records", "architecture-decisions", "architecture-decision-records")
)
_INDEXES = frozenset(("readme.md", "index.md", "graph.md", "skill.md"))
"""Pages about other pages, and the skills of agent hosts: no entries."""
_ABOUT_DECISIONS = frozenset(
    ("readme.md", "index.md", "skill.md", "template.md", "adr-template.md", "0000-template.md")
)
_BY_CATEGORY = {"practice": "practice", "map": "map", **dict.fromkeys(DECISION_FOLDERS, "decision")}

HOUSE_SECTIONS: Mapping[Layout, tuple[str, ...]] = {
    "entries": ("Deep Guidance",),
    "nodes": (),
    "artefacts": (),
    "plain": (),
}
"""Headings that a page should have where the corpus does not say."""


def sections_of(corpus: Corpus) -> tuple[str, ...]:
    """Titles of the sections that a corpus asks for; they may be set with or without the `##`."""
    wanted = HOUSE_SECTIONS[corpus.layout] if corpus.required_sections is None else corpus.required_sections
    return tuple(section.lstrip("# ").strip() for section in wanted)


def kind_of(corpus: Corpus, path: str) -> str | None:
    """What the file at this path is in a corpus that holds it; None when it is no page of knowledge."""
    if corpus.layout == "plain":
        return _page(path)
    if corpus.tree:
        return _tree_node(corpus.inside(path).split("/"))
    return _KIND_OF[corpus.layout](corpus.inside(path).split("/"))


def _entry(parts: Sequence[str]) -> str | None:
    name = parts[-1].lower()
    if not name.endswith(".md") or name in _INDEXES:
        return None
    return _BY_CATEGORY.get(parts[0].lower(), "entry") if len(parts) > 1 else "entry"


def _node(parts: Sequence[str]) -> str | None:
    if len(parts) < 3 or parts[0] != "nodes" or parts[1] not in ("practice", "map"):
        return None
    name = parts[-1].lower()
    return parts[1] if name.endswith(".md") and name not in _INDEXES else None


def _tree_node(parts: Sequence[str]) -> str | None:
    """In a tree the kind is the beginning of a node's name, wherever it lies."""
    name = parts[-1].lower()
    if len(parts) < 2 or parts[0] != "nodes" or not name.endswith(".md") or name in _INDEXES:
        return None
    return next((kind for kind in ("practice", "map") if name.startswith(f"{kind}-")), None)


def _artefact(parts: Sequence[str]) -> str | None:
    if len(parts) == 3 and parts[0] == "skills" and parts[2] == "canonical.md":
        return "procedure"
    return ROUTES if list(parts) == ["paths", "index.json"] else None


def _page(path: str) -> str | None:
    if path[-3:] != ".md" and format_of(path) is None:
        return None
    return "decision" if is_decision(path) else "entry"


def is_decision(path: str) -> bool:
    """Whether a page of somebody's documentation is an architecture decision record: by the folder that it lies in."""
    *folders, name = path.lower().split("/")
    return name not in _ABOUT_DECISIONS and not DECISION_FOLDERS.isdisjoint(folders)


_KIND_OF: Mapping[str, Callable[[Sequence[str]], str | None]] = {
    "entries": _entry,
    "nodes": _node,
    "artefacts": _artefact,
}
"""By the parts of the path below the root of the corpus."""


def folders_of(corpus: Corpus) -> tuple[str, ...]:
    """Folders, with a slash at the end, in which a corpus has pages; none means everywhere."""
    below = {"nodes": ("nodes/",), "artefacts": ("skills/", "paths/")}.get(corpus.layout, ("",))
    prefix = f"{corpus.root}/" if corpus.root else ""
    return tuple(f"{prefix}{folder}" for folder in below if prefix or folder)


def suffixes_of(corpus: Corpus) -> tuple[str, ...]:
    """How the names of its pages end."""
    if corpus.layout == "plain":
        return DOCUMENTS
    return (".md", "index.json") if corpus.layout == "artefacts" else (".md",)


def category_of(corpus: Corpus, path: str) -> str:
    """The folder that an entry is filed under; empty for one that lies in the root."""
    parts = corpus.inside(path).split("/")
    return "/".join(parts[:-1])
