"""The files and documents of a repository, and its addresses on its forge. Everything is read once, when asked for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from posixpath import basename, dirname, normpath
from typing import NamedTuple
from urllib.parse import unquote

from cairn.core.isolate import item
from cairn.core.model.issue import Place
from cairn.core.model.knowledge import Corpus, corpus_of
from cairn.core.ports.runtime import Files, FoundFile, ReadFailed, WalkRequest
from cairn.core.scope import Scope, scope_of
from cairn.lib.document.document import PageOutline, format_of, outline
from cairn.lib.urls.remote import normalised_remote

LARGEST_DOCUMENT = 1_048_576
_PAPERS = frozenset(("spec.md", "plan.md", "tasks.md", "requirements.md"))
"""Files of a piece of planned work. A folder with two of them keeps what was wanted once, not what is so."""


class RepositoryTree:
    def __init__(
        self, files: Files, walk: WalkRequest, *, everything: bool = False, corpora: tuple[Corpus, ...] = ()
    ) -> None:
        self._files = files
        self._walk = walk
        self._corpora = corpora
        self._everything = everything
        self._outlines: dict[str, PageOutline | None] = {}
        self._texts: dict[str, str | None] = {}
        self._scopes: dict[str, Scope] = {}
        self._split: tuple[str, Sequence[str]] = ("", ())
        """The page that was last asked for a line, and its lines."""

    @cached_property
    def found(self) -> Sequence[FoundFile]:
        """Every file that is not ignored, with its size."""
        return self._files.walk(self._walk._replace(roots=(), suffixes=("",))).files

    @cached_property
    def paths(self) -> frozenset[str]:
        return frozenset(file.path for file in self.found)

    @cached_property
    def by_name(self) -> Mapping[str, tuple[str, ...]]:
        """Paths by their last part."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.paths):
            found.setdefault(basename(path), []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    @cached_property
    def by_folder(self) -> Mapping[str, tuple[str, ...]]:
        """Paths by their folder."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.paths):
            found.setdefault(dirname(path), []).append(path)
        return {folder: tuple(paths) for folder, paths in found.items()}

    def in_other_case(self, path: str) -> str | None:
        """The file of that name in other letters: `docs/User-Guide/a.md` for `docs/user-guide/a.md`."""
        return self._by_lower.get(path.lower())

    @cached_property
    def _by_lower(self) -> Mapping[str, str]:
        return {path.lower(): path for path in sorted(self.paths, reverse=True)}

    def exists(self, path: str) -> bool:
        return path in self.paths or self._files.exists(path)

    def exists_somewhere(self, source: str, written: str) -> bool:
        """Whether a path that a document names exists, from the root, from any folder above the document, or as the end
        of a longer path."""
        folder = dirname(source)
        while folder:
            if self.exists(normpath(f"{folder}/{written}")):
                return True
            folder = dirname(folder)
        ends = (other.endswith(f"/{written}") for other in self.by_name.get(basename(written), ()))
        return self.exists(normpath(written)) or any(ends)

    def read(self, path: str) -> bytes | None:
        try:
            return self._files.read(path)[0]
        except ReadFailed:
            return None

    def text(self, path: str) -> str | None:
        """None for a file that does not exist, is too large, or is not text."""
        if path not in self._texts:
            data = self.read(path)
            usable = data is not None and len(data) <= LARGEST_DOCUMENT and b"\0" not in data
            self._texts[path] = decoded(data) if data is not None and usable else None
        return self._texts[path]

    # --- documents --------------------------------------------------------------------------------------------------

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """All of them, whatever their scope."""
        return tuple(sorted(path for path in self.paths if format_of(path)))

    def pages(self, having: re.Pattern[str] | None = None) -> Iterator[PageOutline]:
        """Documents that describe the project as it is today, in order of their path; only those whose text matches."""
        for path in self.documents:
            text = self.text(path) if self.is_current(path) else None
            page = self.page(path) if text is not None and (having is None or having.search(text)) else None
            if page is not None:
                yield page

    def scope(self, path: str) -> Scope:
        if path not in self._scopes:
            by_path = self._scope_by_path(path)
            text = self.text(path) if by_path is Scope.CURRENT else None
            found = self._scope_by_path(path, text) if text else by_path
            past = found is Scope.CURRENT and self._is_planned_work(path)
            self._scopes[path] = Scope.PAST if past else found
        return self._scopes[path]

    def _scope_by_path(self, path: str, text: str = "") -> Scope:
        """A page of knowledge is no translation because its name ends in what may be a language."""
        found = scope_of(path, text)
        corpus = corpus_of(path, self._corpora) if found is Scope.TRANSLATION else None
        return Scope.CURRENT if corpus is not None and corpus.layout != "plain" else found

    def _is_planned_work(self, path: str) -> bool:
        folder = dirname(path)
        while folder and folder not in self._planned:
            folder = dirname(folder)
        return bool(folder)

    @cached_property
    def _planned(self) -> frozenset[str]:
        papers = {name: {basename(path).lower() for path in paths} for name, paths in self.by_folder.items()}
        return frozenset(name for name, names in papers.items() if len(names & _PAPERS) > 1)

    def is_current(self, path: str) -> bool:
        return self._everything or self.scope(path) is Scope.CURRENT

    def page(self, path: str) -> PageOutline | None:
        if path not in self._outlines:
            text = self.text(path) if format_of(path) else None
            self._outlines[path] = None
            if text is not None:
                with item(path):
                    self._outlines[path] = outline(path, text)
        return self._outlines[path]

    def lines(self, path: str) -> Sequence[str]:
        """Of the page that was asked for last, they are kept: most pages are asked for many lines in a row."""
        if self._split[0] != path:
            self._split = (path, (self.text(path) or "").split("\n"))
        return self._split[1]

    def place(self, path: str, line: int) -> Place:
        lines = self.lines(path)
        return Place(path, line, lines[line - 1] if 0 < line <= len(lines) else "")


def decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\ufeff")


_MANIFESTS = (
    "package.json", "pyproject.toml", "setup.cfg", "setup.py", "Cargo.toml", "go.mod", "composer.json", "mix.exs",
    "pom.xml", "build.gradle", "build.gradle.kts", "mkdocs.yml", "deno.json", "pubspec.yaml", "Project.toml",
)  # fmt: skip
_DECLARED = re.compile(
    r"(?:repository|repo[-_]?url|source|homepage|url|module|github)[^\n]{0,60}?"
    r"\b((?:github|gitlab)\.com)[/:]([\w.-]+)/([\w.-]+?)(?:\.git)?(?=[\s\"'/>#,)]|$)",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"https?://(?:www\.)?(?P<host>github\.com|gitlab\.com)/(?P<name>[\w.-]+/[\w.-]+)/(?:-/)?(?:blob|tree|raw)/"
    r"(?P<branch>[\w.-]+)/(?P<path>[^#?\s]+)|"
    r"https?://raw\.githubusercontent\.com/(?P<raw>[\w.-]+/[\w.-]+)/(?:refs/heads/)?(?P<head>[\w.-]+)/(?P<file>[^#?\s]+)",
    re.IGNORECASE,
)
_WORKFLOW = re.compile(
    r"https?://github\.com/(?P<name>[\w.-]+/[\w.-]+)/actions/workflows/(?P<file>[\w.-]+\.ya?ml)\b", re.IGNORECASE
)
_TEMPLATE = re.compile(r"[{}<>$*|\[\]]|\.\.\.|%7B", re.IGNORECASE)


class OnForge(NamedTuple):
    """A file or folder of this repository, as the forge shows it."""

    branch: str
    """Empty for a workflow, which has a page for all branches."""
    path: str


def own_addresses(tree: RepositoryTree, remote: str) -> frozenset[str]:
    """`github.com/owner/name` in lower case: where the repository was cloned from, else where its manifests say that it
    lives. Manifests that name several repositories say nothing."""
    cloned = normalised_remote(remote) or ""
    if cloned.startswith(("github.com/", "gitlab.com/")):
        return frozenset((cloned.lower(),))
    found = {"/".join(match).lower() for file in _MANIFESTS for match in _declared(tree, file)}
    return frozenset(found if len(found) == 1 else ())


def _declared(tree: RepositoryTree, file: str) -> list[tuple[str, str, str]]:
    if file not in tree.paths:
        return []
    first: dict[tuple[str, str, str], None] = dict.fromkeys(_DECLARED.findall(tree.text(file) or ""))
    return list(first)[:1]


def file_on_forge(target: str, own: frozenset[str]) -> OnForge | None:
    """The file of this repository that an address leads to; None for other addresses, and for templates."""
    if _TEMPLATE.search(target):
        return None
    if (workflow := _WORKFLOW.match(target)) and f"github.com/{workflow['name']}".lower() in own:
        return OnForge("", f".github/workflows/{workflow['file']}")
    found = _FILE.match(target)
    if found is None:
        return None
    name = f"{found['host'] or 'github.com'}/{found['name'] or found['raw']}".lower()
    path = unquote(found["path"] or found["file"]).rstrip("/").rstrip(".,;:)")
    return OnForge(found["branch"] or found["head"], path) if name in own and path else None
