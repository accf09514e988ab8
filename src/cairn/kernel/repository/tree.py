"""The repository as analyzers of the `read` phase see it. Everything is read when it is first asked for, and once."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from posixpath import basename, dirname, normpath
from typing import NamedTuple
from urllib.parse import unquote

from cairn.kernel.places import is_code_noise, is_hidden, is_test
from cairn.kernel.ports.files import Files, FoundFile, ReadFailed, WalkRequest
from cairn.kernel.ports.history import FileChange, History
from cairn.kernel.ports.vcs import Commit
from cairn.kernel.repository.definitions import is_definition
from cairn.kernel.repository.past import announces_a_change
from cairn.kernel.repository.proof import Place
from cairn.kernel.repository.removals import (
    DocumentHistory,
    RemovedFile,
    RemovedName,
    removed_files,
    removed_names,
    where_it_went,
)
from cairn.kernel.repository.values import OldValue, old_values
from cairn.kernel.scope import Scope, scope_of
from cairn.kernel.site import (
    NO_ROUTES,
    Found,
    Route,
    Routes,
    Site,
    forge_of,
    renderers_of,
    resolve,
    routes,
    site_of,
    sites,
)
from cairn.kernel.text.headings import generating_lines, may_have_more, page_anchors
from cairn.kernel.text.outline import PageLink, PageOutline, format_of, outline
from cairn.kernel.text.slugs import Renderer

MOST_SYMBOLS = 5_000
LARGEST_DOCUMENT = 1_048_576
LARGEST_CODE = 20_000_000
MOST_CODE = 400_000_000
_WORD = re.compile(rb"[A-Za-z_]\w{2,}", re.ASCII)
_NOT_THE_PRODUCT = re.compile(
    r"(?:^|/)(?:_?generated|__generated__|gen|assets|references|resources|examples?|samples?|demos?|docs_src|benchmarks?|tutorials?|playground)/"
)


class NameRemoval(NamedTuple):
    """The code defined this name, a commit removed the definition, and the name stands nowhere in the code now."""

    name: str
    commit: Commit
    at: int
    path: str
    line: int
    text: str
    successor: str | None


class FileRemoval(NamedTuple):
    path: str
    commit: Commit
    at: int
    moved_to: str | None


class Repository:
    def __init__(self, files: Files, history: History, walk: WalkRequest, *, everything: bool = False) -> None:
        self.files = files
        self.history = history
        self.not_checked: list[str] = []
        """Checks that were not made, each with the reason."""
        self._walk = walk
        self._everything = everything
        self._outlines: dict[str, PageOutline | None] = {}
        self._texts: dict[str, str | None] = {}
        self._anchors: dict[str, frozenset[str] | None] = {}
        self._site_routes: dict[Site, Routes] = {}

    # --- files ------------------------------------------------------------------------------------------------------

    @cached_property
    def _found(self) -> Sequence[FoundFile]:
        return self.files.walk(self._walk._replace(roots=(), suffixes=("",))).files

    @cached_property
    def paths(self) -> frozenset[str]:
        """Every file that is not ignored."""
        return frozenset(file.path for file in self._found)

    @cached_property
    def by_name(self) -> Mapping[str, tuple[str, ...]]:
        """Paths by their last part."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.paths):
            found.setdefault(basename(path), []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    def exists(self, path: str) -> bool:
        return path in self.paths or self.files.exists(path)

    def read(self, path: str) -> bytes | None:
        try:
            return self.files.read(path)[0]
        except ReadFailed:
            return None

    def text(self, path: str) -> str | None:
        """None for a file that is not there, too large, or not text."""
        if path not in self._texts:
            data = self.read(path)
            usable = data is not None and len(data) <= LARGEST_DOCUMENT and b"\0" not in data
            self._texts[path] = _decoded(data) if data is not None and usable else None
        return self._texts[path]

    # --- documents --------------------------------------------------------------------------------------------------

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """All of them, whatever their scope."""
        return tuple(sorted(path for path in self.paths if format_of(path)))

    def pages(self) -> Iterator[PageOutline]:
        """Documents that describe the project as it is today, in order of their path."""
        for path in self.documents:
            page = self.page(path) if self._everything or self.scope(path) is Scope.CURRENT else None
            if page is not None:
                yield page

    def scope(self, path: str) -> Scope:
        by_path = scope_of(path)
        return by_path if by_path is not Scope.CURRENT else scope_of(path, self.text(path) or "")

    def page(self, path: str) -> PageOutline | None:
        if path not in self._outlines:
            text = self.text(path) if format_of(path) else None
            self._outlines[path] = None if text is None else outline(path, text)
        return self._outlines[path]

    def place(self, path: str, line: int) -> Place:
        lines = (self.text(path) or "").split("\n")
        return Place(path, line, lines[line - 1] if 0 < line <= len(lines) else "")

    # --- links ------------------------------------------------------------------------------------------------------

    @cached_property
    def _sites(self) -> tuple[Site, ...]:
        return sites(self.paths, self.text)

    @cached_property
    def _forge(self) -> Renderer:
        return forge_of(self.paths)

    def site(self, path: str) -> Site | None:
        """The documentation site that a document belongs to."""
        return site_of(path, self._sites)

    def follow(self, source: str, written: str) -> Route:
        """Where a link of a document leads, by the configuration of its site, else as the forge resolves it."""
        site = self.site(source)
        return resolve(site, source, written, self.exists, self._routes(site))

    def _routes(self, site: Site | None) -> Routes:
        if site is None:
            return NO_ROUTES
        if site not in self._site_routes:
            self._site_routes[site] = routes(site, self.documents, self.text)
        return self._site_routes[site]

    def anchored(self, page: PageOutline, link: PageLink) -> tuple[str, str] | None:
        """(page, anchor) that a link names, if the page is a document of this repository."""
        written, sign, anchor = link.target.partition("#")
        if not sign or not anchor or link.image or link.kind not in ("link", "html") or ":" in written:
            return None
        if not written:
            return page.path, unquote(anchor)
        route = self.follow(page.path, written)
        return (route.path, unquote(anchor)) if isinstance(route, Found) else None

    def headings(self, path: str) -> tuple[str, ...]:
        page = self.page(path)
        return tuple(heading.text for heading in page.headings) if page else ()

    def anchors(self, path: str) -> frozenset[str] | None:
        """Every name under which the page can be linked, as far as the text tells; None for other formats."""
        if path not in self._anchors:
            text = self.text(path) if format_of(path) in ("markdown", "mdx") else None
            self._anchors[path] = None if text is None else self._anchors_in(path, text)
        return self._anchors[path]

    def _anchors_in(self, path: str, text: str) -> frozenset[str]:
        return page_anchors(text, renderers_of(path, self.site(path), self._forge))

    def may_have_more_anchors(self, path: str) -> bool:
        """Whether a program adds headings to the page that the text does not have."""
        site = self.site(path)
        return bool(site and site.generates) or may_have_more(self.text(path) or "")

    def generated_words(self, path: str) -> frozenset[str]:
        """The words of lines that tell a program what to add to the page."""
        return frozenset(
            word.lower() for line in generating_lines(self.text(path) or "") for word in _WORDS.findall(line)
        )

    def removed_anchor(self, path: str, anchor: str) -> tuple[Commit, int] | None:
        """The latest commit before which a heading of the page gave this anchor."""
        for commit, at, text in self.versions(path):
            if anchor.lower() in self._anchors_in(path, text):
                return commit, at
        return None

    def pages_with_anchor(self, anchor: str, *, besides: str) -> list[str]:
        return [
            page.path
            for page in self.pages()
            if page.path != besides and anchor.lower() in (self.anchors(page.path) or ())
        ]

    def somewhere(self, source: str, written: str) -> bool:
        """Whether a path that a document names exists, from the root, from any folder above the document, or as the end
        of a longer path."""
        folder = dirname(source)
        while True:
            if self.exists(normpath(f"{folder}/{written}" if folder else written)):
                return True
            if not folder:
                break
            folder = dirname(folder)
        return any(other.endswith(f"/{written}") for other in self.by_name.get(basename(written), ()))

    def about_the_past(self, page: PageOutline, line: int) -> bool:
        """Whether the words around a line announce that something is gone. A hit only hides a finding."""
        return announces_a_change(" ".join(page.prose_lines[max(0, line - 2) : line + 1]))

    def bounded(self, check: str, found: dict[str, list[Place]]) -> dict[str, list[Place]]:
        if len(found) <= MOST_SYMBOLS:
            return found
        self.not_checked.append(f"{check}: {len(found) - MOST_SYMBOLS:,} of {len(found):,} names")
        return dict(sorted(found.items())[:MOST_SYMBOLS])

    # --- code -------------------------------------------------------------------------------------------------------

    @cached_property
    def code_words(self) -> frozenset[str]:
        """Every word of every file that is not a document."""
        found: set[bytes] = set()
        left = MOST_CODE
        for file in self._found:
            if format_of(file.path) or file.size > LARGEST_CODE:
                continue
            left -= file.size
            if left < 0:
                self.not_checked.append("removed names: the repository has more code than Cairn reads")
                break
            found.update(_WORD.findall(self.read(file.path) or b""))
        return frozenset(word.decode() for word in found)

    def in_code(self, name: str) -> bool:
        """Whether the name stands in the code; a flag also if a parser would derive it from a name in the code."""
        if not name.startswith("--"):
            return name in self.code_words
        words = name[2:].replace("-", "_")
        camel = re.sub(r"-(\w)", lambda found: found[1].upper(), name[2:])
        parts = name[2:].split("-")
        return bool({words, camel} & self.code_words) or (name in self._flags and all(parts))

    @cached_property
    def _flags(self) -> frozenset[str]:
        found: set[bytes] = set()
        for file in self._found:
            if not format_of(file.path) and file.size <= LARGEST_DOCUMENT:
                found.update(_FLAG.findall(self.read(file.path) or b""))
        return frozenset(flag.decode() for flag in found)

    @cached_property
    def packages(self) -> frozenset[str]:
        """Names under which the code of this repository is imported: its packages, and its own folders."""
        found = {path.split("/")[0] for path in self.paths if "/" in path}
        found |= {
            path.split("/")[1] for path in self.paths if path.count("/") > 1 and path.startswith(("src/", "lib/"))
        }
        for file, pattern in _PACKAGE_NAMES:
            for path in self.by_name.get(file, ()):
                found |= {name.replace("-", "_") for name in pattern.findall(self.text(path) or "")}
                found |= set(pattern.findall(self.text(path) or ""))
        return frozenset(name.lower() for name in found)

    def _moved_out(self, change: FileChange) -> bool:
        """Whether the code may live on in a package of its own: its file was deleted by a commit that also changed the
        dependencies."""
        same = [other for other in self.history.changes if other.at == change.at]
        return change.deleted and any(_MANIFEST.fullmatch(other.path) for other in same)

    # --- history ----------------------------------------------------------------------------------------------------

    @property
    def has_history(self) -> bool:
        return len(self.history.commits) > 1

    @cached_property
    def _removed_files(self) -> dict[str, RemovedFile]:
        return removed_files(self.history)

    @cached_property
    def _removed_names(self) -> dict[str, RemovedName]:
        return removed_names(self.history, _defines_names)

    @cached_property
    def _past(self) -> DocumentHistory:
        return DocumentHistory(self.history, lambda path: format_of(path) is not None)

    def had(self, path: str, word: str, at: int) -> bool:
        """Whether a document had this word when the commit at this index landed."""
        text = self.text(path)
        return text is not None and self._past.had(path, word.encode(), at, text.encode())

    def removed_file(self, path: str) -> FileRemoval | None:
        """The commit that deleted a file, and where the file is today if it was moved."""
        gone = self._removed_files.get(path) or self._removed_folder(path)
        if gone is None or self.exists(path):
            return None
        to = where_it_went(self.history, self._removed_files, path, self.exists)
        return FileRemoval(path, self.history.commits[gone.change.at], gone.change.at, to)

    def _removed_folder(self, path: str) -> RemovedFile | None:
        """The commit that deleted the last file of a folder."""
        start = bisect_left(self._removed_paths, f"{path.rstrip('/')}/")
        inside = takewhile(lambda other: other.startswith(f"{path.rstrip('/')}/"), self._removed_paths[start:])
        return min((self._removed_files[other] for other in inside), key=lambda gone: gone.change.at, default=None)

    @cached_property
    def _removed_paths(self) -> list[str]:
        return sorted(self._removed_files)

    def versions(self, path: str) -> Iterator[tuple[Commit, int, str]]:
        """(commit, its index, the text before it) for each commit that changed a file, newest first."""
        changes = [change for change in self.history.changes if change.path == path and change.old]
        texts = dict(self.history.blobs(dict.fromkeys(change.old for change in changes)))
        for change in changes:
            yield self.history.commits[change.at], change.at, _decoded(texts[change.old] or b"")

    def old_values(self, sources: Sequence[tuple[str, re.Pattern[bytes]]]) -> list[OldValue]:
        return old_values(self.history, sources)

    def was_removed(self, name: str) -> bool:
        """Whether some commit removed a line that defined the name; quick, for names that may still be in the code."""
        return name in self._removed_names

    def removed_name(self, name: str) -> NameRemoval | None:
        """The proof that a name is gone, with the line that defined it and what that line became."""
        removed = self._removed_names.get(name)
        if removed is None or self.in_code(name):
            return None
        change = removed.change
        texts = dict(self.history.blobs([id for id in (change.old, change.new) if id]))
        old = (texts.get(change.old) or b"").split(b"\n")
        at = next((at for at, line in enumerate(old) if line == removed.line), None)
        if at is None or not is_definition(change.path, old, at) or self._moved_out(change):
            return None
        new = (texts.get(change.new) or b"").split(b"\n")
        text = removed.line.decode("utf-8", "replace").strip()
        successor = successor_of(
            name, text, [line.decode("utf-8", "replace").strip() for line in new if line not in old]
        )
        known = successor if successor and self.in_code(successor) else None
        return NameRemoval(name, self.history.commits[change.at], change.at, change.path, at + 1, text, known)


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\ufeff")


_WORDS = re.compile(r"[\w-]+")
_MANIFEST = re.compile(
    r"(?:.*/)?(?:package\.json|composer\.json|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.txt|go\.mod|Cargo\.toml"
    r"|Gemfile|[\w.-]+\.gemspec|mix\.exs|pom\.xml|build\.gradle(?:\.kts)?|Package\.swift)"
)
_PACKAGE_NAMES = (
    ("package.json", re.compile(r'"name"\s*:\s*"([^"]+)"')),
    ("pyproject.toml", re.compile(r"""^name\s*=\s*["']([^"']+)""", re.MULTILINE)),
    ("setup.cfg", re.compile(r"^name\s*=\s*(\S+)", re.MULTILINE)),
    ("Cargo.toml", re.compile(r"""^name\s*=\s*["']([^"']+)""", re.MULTILINE)),
    ("go.mod", re.compile(r"^module\s+(\S+)", re.MULTILINE)),
)
_NAME = re.compile(r"(?:--)?[A-Za-z_][\w-]{2,}")
_FLAG = re.compile(rb"--[a-z][a-z0-9]+(?:-[a-z0-9]+)*")


def _defines_names(path: str) -> bool:
    """Code whose names documents talk about: not tests, examples, tool settings, or files that a program wrote."""
    return not (
        is_code_noise(path) or is_test(path) or is_hidden(path) or _NOT_THE_PRODUCT.search(path) or format_of(path)
    ) and (scope_of(path) not in (Scope.VENDORED, Scope.GENERATED, Scope.FIXTURE))


def successor_of(name: str, line: str, added: Iterable[str]) -> str | None:
    """The name that stands in its place now, if a line changed in nothing else."""
    before, _, after = line.partition(name)
    found: set[str] = set()
    for other in added:
        if not (other.startswith(before) and other.endswith(after)):
            continue
        middle = other[len(before) : len(other) - len(after)] if after else other[len(before) :]
        if (
            middle != name
            and re.fullmatch(r"(?:--)?[A-Za-z_][\w-]{2,}", middle)
            and _alike(name, middle, before + after)
        ):
            found.add(middle)
    return found.pop() if len(found) == 1 else None


def _alike(name: str, other: str, rest: str) -> bool:
    """Whether two lines that differ in a name only do so on purpose: the names share a part, or the rest is long."""
    parts, others = ({part.lower() for part in re.findall(r"[a-z]+|[A-Z][a-z]*", text)} for text in (name, other))
    telling = [word for word in re.findall(r"[^\W\d_]\w+", rest) if word not in _KEYWORDS]
    return bool(parts & others) or len(telling) > 1


_KEYWORDS = frozenset(
    (
        "def",
        "class",
        "self",
        "cls",
        "function",
        "func",
        "fn",
        "const",
        "let",
        "var",
        "async",
        "export",
        "public",
        "void",
    )
)
