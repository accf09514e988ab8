"""The corpora of a workspace, as the settings say or the files show; and layouts: which file is what kind of page."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from posixpath import join, normpath
from typing import TYPE_CHECKING, Any

from cairn.core.model.graph import Node
from cairn.core.model.knowledge import Corpus, Layout
from cairn.core.ports.graph import NodeFilter
from cairn.core.ports.runtime import Files, ReadFailed, WalkRequest
from cairn.errors import ConfigError
from cairn.lib.document.document import DOCUMENTS, format_of

if TYPE_CHECKING:
    from cairn.core.ports.runtime import Settings
    from cairn.core.ports.store import Store

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


NEW = Corpus("knowledge", "knowledge", "entries")
"""Where pages go in a workspace that has no other place for them. The first page creates the folder, so settings don't
name it before."""
ASIDE = Corpus("entries", "knowledge/entries", "entries")
"""The same where somebody has put other pages there."""


def configured(settings: "Settings") -> tuple[Corpus, ...]:
    """Those of the settings, in order of their roots; none when the settings don't speak of any."""
    corpora = [_corpus(name, said) for name, said in settings.mapping("corpora").items()]
    corpora.sort(key=lambda corpus: (corpus.root, corpus.name))
    for one, other in pairwise(corpora):
        if one.root == other.root:
            raise _twice(settings, one, other)
    return tuple(corpora)


def _corpus(name: str, said: Mapping[str, Any]) -> Corpus:
    root = normpath(said.get("root") or name)
    sections = said.get("required_sections")
    asked = None if sections is None else tuple(sections)
    return Corpus(name, "" if root == "." else root, said.get("layout") or "entries", asked)


def with_forms(corpora: tuple[Corpus, ...], exists: Callable[[str], bool]) -> tuple[Corpus, ...]:
    """Bases of nodes that have an `ENTRY.md` are trees."""
    return tuple(corpus._replace(tree=_is_tree(corpus, exists)) for corpus in corpora)


def _is_tree(corpus: Corpus, exists: Callable[[str], bool]) -> bool:
    return corpus.layout == "nodes" and exists(join(corpus.root, "ENTRY.md"))


def made_documents(settings: "Settings") -> tuple[str, ...]:
    """Patterns for the documents that are made of the nodes of a base. They have the words of all its pages, so in a
    graph they would be the answer to every question."""
    corpora = (_corpus(name, said) for name, said in settings.mapping("corpora").items())
    roots = [corpus.root for corpus in corpora if corpus.layout == "nodes"]
    names = ("INDEX.md", "GRAPH.md", "ENTRY.md")
    made = [f"/{_literally(join(root, name))}" for root in roots for name in names]
    return (*made, *(f"/{_literally(join(root, 'nodes'))}/**/index.md" for root in roots))


def _literally(path: str) -> str:
    return "".join(f"\\{char}" if char in "\\*?[] " else char for char in path)


def _twice(settings: "Settings", one: Corpus, other: Corpus) -> ConfigError:
    folder = f"the folder `{one.root}`" if one.root else "the whole repository"
    where = next((str(settings.source(key)) for key in settings.values if key.startswith(f"corpora.{other.name}.")), "")
    return ConfigError(
        f"{where}: the corpora `{one.name}` (layout {one.layout}) and `{other.name}` (layout {other.layout}) both "
        f"have {folder}; a folder has one layout, so remove one of them or give it a root of its own",
        corpora=[one.name, other.name],
    )


def must_be_folders(corpora: tuple[Corpus, ...], is_file: Callable[[str], bool]) -> None:
    for corpus in corpora:
        if corpus.root and is_file(corpus.root):
            raise ConfigError(
                f"the root of the corpus `{corpus.name}` is `{corpus.root}`, which is a file; name the folder that "
                f"the pages lie in, for example `cairn config set corpora.{corpus.name}.root {_folder(corpus.root)}`",
                corpus=corpus.name,
            )


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or "docs"


def detected(files: Files, request: WalkRequest) -> tuple[Corpus, ...]:
    """Those that a walk over the repository finds."""

    walk = files.walk(request._replace(suffixes=(*DOCUMENTS, "index.json")))
    return detect([file.path for file in walk.files], lambda path: text_of(files, path))


def text_of(files: Files, path: str) -> str:
    """Empty when the file cannot be read: whoever needs it then says why."""
    try:
        return files.read(path)[0].decode("utf-8", "replace")
    except ReadFailed:
        return ""


def with_a_place_to_write(found: tuple[Corpus, ...]) -> tuple[Corpus, ...]:
    """Documentation of somebody else's is no place for what agents write, so a corpus of entries is added to it."""
    if any(corpus.layout != "plain" for corpus in found):
        return found
    taken = any(NEW.name == corpus.name or NEW.root == corpus.root for corpus in found)
    return (*found, ASIDE if taken else NEW)


def with_first_pages(found: tuple[Corpus, ...], exists: Callable[[str], bool]) -> tuple[Corpus, ...]:
    """With the place to write, once a page has created its folder: settings are not written for that."""
    return tuple(corpus for corpus in with_a_place_to_write(found) if corpus in found or exists(corpus.root))


Read = Callable[[str], str]
"""The text of a file; empty when it cannot be read."""

SAMPLE = 12
"""So many pages of a folder are opened at most."""
ENOUGH_PAGES = 3
"""A folder of documentation with fewer pages is not worth a corpus."""

_KNOWLEDGE = frozenset(("knowledge", "knowledge-base", "knowledge_base", "kb"))
_DOCUMENTATION = frozenset(("docs", "doc", "documentation"))
_ASIDE = frozenset(("test", "tests", "testdata", "fixtures", "vendor", "third_party", "node_modules", "site-packages"))
"""What lies in these is material of programs, not knowledge about them."""
_HOSTS = frozenset((".claude", ".agents", ".codex", ".gemini", ".cursor"))
_NODE = re.compile(r"(?:(.*)/)?nodes/(?:practice|map)/[^/]+\.md", re.IGNORECASE)
_TREE = re.compile(r"(?:(.*)/)?nodes/(?:[^/]+/)*[^/]+\.md", re.IGNORECASE)
_PROCEDURE = re.compile(r"(?:(.*)/)?skills/[^/]+/canonical\.md")
_ROUTES = re.compile(r"(?:(.*)/)?paths/index\.json")
_NUMBERED = re.compile(r"(?:adr[-_ ]?)?\d{1,8}[-_ .]", re.IGNORECASE)
_DECIDES = re.compile(r"^(?:#{1,3} +)?(?:status|decision|context)\b", re.IGNORECASE | re.MULTILINE)


def detect(paths: Iterable[str], read: Read) -> tuple[Corpus, ...]:
    """The corpora of a repository, by its files that are documents or a `paths/index.json`; in order of roots."""
    files = [path for path in paths if not _aside(path)]
    found: dict[str, Layout] = {}
    for layout, roots in (
        ("nodes", _nodes(files, read)),
        ("artefacts", _artefacts(files, read)),
        ("entries", _entries(files, read)),
        ("plain", (*_documentation(files), *_decisions(files, read), *_newer_trees(files, read))),
    ):
        for root in roots:
            found.setdefault(root, layout)  # type: ignore[arg-type]
    return _named({root: layout for root, layout in found.items() if not _covered(root, layout, found)})


def _aside(path: str) -> bool:
    folders = path.split("/")[:-1]
    return not (_ASIDE.isdisjoint(folders) and _HOSTS.isdisjoint(folders))


def _covered(root: str, layout: Layout, found: Mapping[str, Layout]) -> bool:
    """Whether a corpus of the same layout, further out, has these pages anyway."""
    return any(layout == other and root != above and _is_below(root, above) for above, other in found.items())


def _is_below(root: str, above: str) -> bool:
    return not above or root.startswith(f"{above}/")


# --- one layout each ------------------------------------------------------------------------------------------------


def _nodes(files: Sequence[str], read: Read) -> list[str]:
    """Folders that have pages with an id and a kind in `nodes/practice` or `nodes/map`."""
    flat = _rooted(files, _NODE, lambda path: _has(read(path), "id", "kind"))
    known = [root for root in _trees(files) if tree_version(read(posixpath.join(root, "ENTRY.md"))) == 2]
    newer = set(_trees(files)) - set(known)
    return [*known, *(root for root in flat if root not in known and root not in newer)]


def _newer_trees(files: Sequence[str], read: Read) -> list[str]:
    """The nodes of trees in a format after the second: their pages can be read, but not written as their program
    expects it."""
    unknown = [root for root in _trees(files) if tree_version(read(posixpath.join(root, "ENTRY.md"))) != 2]
    return [posixpath.join(root, "nodes") for root in unknown]


def _trees(files: Sequence[str]) -> list[str]:
    """Folders that have an `ENTRY.md`, and nodes below `nodes/`."""
    entries = {path.rpartition("/")[0] for path in files if path.rpartition("/")[2] == "ENTRY.md"}
    found = {match[1] or "" for path in files if (match := _TREE.fullmatch(path))} if entries else set()
    return sorted(found & entries)


_VERSION = re.compile(r"^schema_version:[ \t]*['\"]?(\d{1,9})\b", re.MULTILINE)


def tree_version(entry: str) -> int | None:
    """The format of a tree, by its ENTRY.md. Read as text: a merge that conflicts in the generated hash leaves a
    frontmatter that is no YAML, and the base is still the same."""
    found = _VERSION.search(entry[:4_000])
    return int(found[1]) if found else None


def _artefacts(files: Sequence[str], read: Read) -> list[str]:
    """Folders with procedures, or with a list of routes; the skills of agent hosts are called `SKILL.md`."""
    procedures = _rooted(files, _PROCEDURE, lambda path: _has(read(path), "id") or _has(read(path), "status"))
    return [*procedures, *_rooted(files, _ROUTES, lambda path: _lists_routes(read(path)))]


def _rooted(files: Sequence[str], shape: re.Pattern[str], fits: Callable[[str], bool]) -> list[str]:
    """What stands before the shape, wherever one of the first few files of that shape fits."""
    by_root: dict[str, list[str]] = {}
    for path in files:
        match = shape.fullmatch(path)
        if match:
            by_root.setdefault(match[1] or "", []).append(path)
    return [root for root, members in by_root.items() if any(fits(path) for path in members[:SAMPLE])]


def _lists_routes(text: str) -> bool:
    import json

    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    listed = value.get("paths", value.get("routes")) if isinstance(value, dict) else value
    items = list(listed.values()) if isinstance(listed, dict) else listed
    return isinstance(items, list) and bool(items) and all(_is_route(item) for item in items[:SAMPLE])


def _is_route(item: object) -> bool:
    return isinstance(item, dict) and "sources" in item


def _entries(files: Sequence[str], read: Read) -> list[str]:
    """Folders called `knowledge`, or nearly so, of whose pages most have a name and a description."""
    candidates = _folders(files, lambda name: name in _KNOWLEDGE)
    return [root for root, members in candidates.items() if _are_entries(members, read)]


def _are_entries(members: Sequence[str], read: Read) -> bool:
    pages = [path for path in members if not _is_index(path)]
    sample = pages[:: max(1, len(pages) // SAMPLE)][:SAMPLE]
    fitting = sum(_has(read(path), "name", "description") for path in sample)
    return bool(sample) and fitting * 2 >= len(sample)


def _is_index(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    return name == "skill.md" or (name.partition(".")[0] in ("readme", "index") and format_of(path) is not None)


def _documentation(files: Sequence[str]) -> list[str]:
    """Folders at the top with documentation. One called `knowledge` is somebody's already, however little is in it: no
    corpus that asks something of its pages may be laid over them."""
    pages: dict[str, int] = {}
    for path in files:
        top, slash, _ = path.partition("/")
        if slash and format_of(path) and (top.lower() in _DOCUMENTATION or not _is_index(path)):
            pages[top] = pages.get(top, 0) + 1
    documented = [top for top, number in pages.items() if top.lower() in _DOCUMENTATION and number >= ENOUGH_PAGES]
    return [*documented, *(top for top in pages if top.lower() in _KNOWLEDGE)]


def _decisions(files: Sequence[str], read: Read) -> list[str]:
    """Folders of architecture decision records, wherever they lie."""
    candidates = _folders(files, lambda name: name in DECISION_FOLDERS)
    return [root for root, members in candidates.items() if any(_decides(p, read) for p in members[:SAMPLE])]


def _decides(path: str, read: Read) -> bool:
    if not is_decision(path):
        return False
    return bool(_NUMBERED.match(path.rpartition("/")[2]) or _DECIDES.search(read(path)))


def _folders(files: Sequence[str], wanted: Callable[[str], bool]) -> dict[str, list[str]]:
    """Outermost folders of a wanted name, with the pages below them."""
    found: dict[str, list[str]] = {}
    for path in files:
        parts = path.split("/")
        at = next((i for i, part in enumerate(parts[:-1]) if wanted(part.lower())), None)
        if at is not None and format_of(path):
            found.setdefault("/".join(parts[: at + 1]), []).append(path)
    return found


def _has(text: str, *keys: str) -> bool:
    """Whether the frontmatter has a text for each of these."""
    from cairn.lib.markdown.frontmatter import parse

    frontmatter: Mapping[str, Any] = parse(text).frontmatter
    return all(isinstance(frontmatter.get(key), str) and frontmatter[key].strip() for key in keys)


# --- names ----------------------------------------------------------------------------------------------------------


def _named(found: Mapping[str, Layout]) -> tuple[Corpus, ...]:
    """Each under the last part of its root, or under all of it where that is taken."""
    corpora: list[Corpus] = []
    for root in sorted(found):
        short = _key(root.rpartition("/")[2]) or "repository"
        taken = {corpus.name for corpus in corpora}
        corpora.append(Corpus(_key(root.replace("/", "-")) if short in taken else short, root, found[root]))
    return tuple(corpora)


def _key(text: str) -> str:
    """As it can stand between the dots of a setting's name."""
    return text.replace(".", "-").strip("-").lower()


def knowledge_nodes(store: "Store", corpora: Iterable[Corpus]) -> Iterator[Node]:
    """The pages of all corpora, each once."""
    seen: set[str] = set()
    for corpus in corpora:
        wanted = NodeFilter(path_glob=f"{corpus.root}/*" if corpus.root else None)
        for node in store.find_nodes(wanted):
            if not node.virtual and node.path not in seen:
                seen.add(node.path)
                yield node
