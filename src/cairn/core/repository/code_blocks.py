"""Code blocks of documents: imports from this repository, command lines, and drawn directory trees."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from posixpath import basename, dirname
from typing import NamedTuple

from cairn.core.repository.code import Code
from cairn.core.repository.tree import RepositoryTree
from cairn.lib.document.parts import Block, PageOutline

_PYTHON = re.compile(r"\s*(?:>>>\s*)?from\s+([A-Za-z]\w*(?:\.\w+)*)\s+import\s+\(?\s*([^#(]*)")
_SCRIPT = re.compile(r"""\s*import\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s*["']([^"']+)["']""")
_GO = re.compile(r"""\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w.-]+\.\w+/[^"\s]+)"\s*$""")
_RUST = re.compile(r"\s*(?:#\s*)?(?:pub\s+)?use\s+([a-z]\w*)((?:::\w+)*)(?:::\{([^{}]*)\})?\s*;")
_LANGUAGES = {
    "python": frozenset(("python", "py", "pycon", "python3", "")),
    "script": frozenset(["js", "javascript", "jsx", "ts", "typescript", "tsx", "mjs", "cjs", "svelte", "vue", "astro"]),
    "go": frozenset(("go", "golang")),
    "rust": frozenset(("rust", "rs", "rust,no_run", "rust,ignore")),
}
_PLACEHOLDER = re.compile(r"your|my|custom|example|some|foo|bar|other|demo|sample", re.IGNORECASE)
_DYNAMIC = re.compile(r"__getattr__|import \*|globals\(\)|sys\.modules|\battach\(|\bexec\(")
"""A module that may have names which its text does not show."""
_MODULE_NAME = re.compile(r"^module\s+(\S+)", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w{2,}")
_SHOWN, _SHARE = 3, 0.25


class Import(NamedTuple):
    """Something that a block imports from a package that this repository may have."""

    line: int
    package: str
    module: str
    name: str
    """Empty if the module itself is missing."""
    file: str
    """The file that should have the name or be the module; empty if it can be anywhere."""
    exists: bool


class Imports:
    def __init__(self, tree: RepositoryTree, code: Code) -> None:
        self._tree = tree
        self._code = code

    @cached_property
    def missing(self) -> dict[str, list[Import]]:
        """By document: what its blocks import from packages of this repository that lack it."""
        found = {page.path: [one for block in page.blocks for one in self._in_block(block)] for page in self._pages()}
        known: dict[str, set[tuple[str, str]]] = defaultdict(set)
        gone: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for imports in found.values():
            for one in imports:
                (known if one.exists else gone)[one.package].add((one.module, one.name))
        ours = {name for name in gone if _is_ours(len(known[name]), len(gone[name]))}
        return {path: [o for o in imports if not o.exists and o.package in ours] for path, imports in found.items()}

    def _pages(self) -> Iterator[PageOutline]:
        return self._tree.pages(_IMPORTS)

    def _in_block(self, block: Block) -> Iterator[Import]:
        language = next((name for name, known in _LANGUAGES.items() if block.language in known), "")
        reader = {"python": self._python, "script": self._script, "go": self._go, "rust": self._rust}.get(language)
        if reader:
            for number, line in enumerate(block.lines, block.line):
                yield from reader(number, line)

    # --- Python -----------------------------------------------------------------------------------------------------

    def _python(self, number: int, line: str) -> Iterator[Import]:
        found = _PYTHON.match(line)
        if not found or found[1].partition(".")[0] not in self._python_packages:
            return
        package, *rest = found[1].split(".")
        path = "/".join((self._python_packages[package], *rest))
        file = next((name for name in (f"{path}.py", f"{path}/__init__.py") if name in self._tree.paths), None)
        if file is None:
            if not self._tree.exists(path) and not self._has_other(path) and not any(part[:1] == "_" for part in rest):
                yield Import(number, package, found[1], "", f"{path}.py", exists=False)
            return
        text = self._tree.text(file) or ""
        names = set(_WORD.findall(text))
        for name in _names(found[2]):
            below = f"{dirname(file)}/{name}" if file.endswith("__init__.py") else f"{path}/{name}"
            there = name in names or self._tree.exists(below) or f"{below}.py" in self._tree.paths
            if there or not (_DYNAMIC.search(text) or self._has_other(below)):
                yield Import(number, package, found[1], name, file, exists=there)

    def _has_other(self, path: str) -> bool:
        """Whether there is a compiled or generated module of that name."""
        stem = f"{basename(path)}."
        return any(basename(other).startswith(stem) for other in self._tree.by_folder.get(dirname(path), ()))

    @cached_property
    def _python_packages(self) -> dict[str, str]:
        """Top packages with their folders. A name that two folders have is left out."""
        folders: dict[str, list[str]] = defaultdict(list)
        for path in self._tree.by_name.get("__init__.py", ()):
            folder = dirname(path)
            above = dirname(folder)
            top = f"{above}/__init__.py".lstrip("/") not in self._tree.paths
            if folder and top and (not above or basename(above) in ("src", "lib", "python") or self._is_project(above)):
                folders[basename(folder)].append(folder)
        return {name: found[0] for name, found in folders.items() if len(found) == 1}

    def _is_project(self, folder: str) -> bool:
        return any(f"{folder}/{file}" in self._tree.paths for file in ("pyproject.toml", "setup.py", "setup.cfg"))

    # --- JavaScript, Go, Rust ---------------------------------------------------------------------------------------

    def _script(self, number: int, line: str) -> Iterator[Import]:
        found = _SCRIPT.match(line)
        if found and found[2] in self._code.script_packages:
            for name in _names(found[1].replace("type ", "")):
                yield Import(number, found[2], found[2], name, "", exists=self._code.has(name))

    def _go(self, number: int, line: str) -> Iterator[Import]:
        found, module = _GO.match(line), self._go_module
        if not found or not module or not found[1].startswith(f"{module}/"):
            return
        folder = found[1].removeprefix(f"{module}/")
        there = self._tree.exists(folder) or re.match(r"v\d+(?:/|$)", folder) is not None
        yield Import(number, module, found[1], "", folder, exists=there)

    @cached_property
    def _go_module(self) -> str:
        found = _MODULE_NAME.search(self._tree.text("go.mod") or "") if "go.mod" in self._tree.paths else None
        return found[1].strip('"') if found else ""

    def _rust(self, number: int, line: str) -> Iterator[Import]:
        found = _RUST.match(line)
        if not found or found[1] not in self._code.rust_crates:
            return
        path = [part for part in found[2].split("::") if part]
        for name in [*path, *_names(found[3] or "")]:
            if len(name) > 2 and name not in ("self", "super", "crate", "prelude"):
                yield Import(number, found[1], "::".join((found[1], *path)), name, "", exists=self._code.has(name))


_IMPORTS = re.compile(r"\b(?:import|use)\b")


def _is_ours(known: int, gone: int) -> bool:
    return known >= _SHOWN and gone <= max(2.0, (known + gone) * _SHARE)


def _names(text: str) -> list[str]:
    """The names of a list, without what they are called here."""
    parts = (re.split(r"(?<!\s)\s++as\s+|:", part.strip())[0].strip("() \\") for part in text.split(","))
    return [name for name in parts if _WORD.fullmatch(name) and not _PLACEHOLDER.search(name)]


_SHELL = frozenset({"", "sh", "bash", "shell", "console", "terminal", "zsh", "text", "shell-session", "shellsession"})
_PROMPT = re.compile(r"\s*(?:\([\w.-]+\)\s*)?(?:[$>%] )?")
_ELSEWHERE = re.compile(r"(?:^|[\s;&|(])(?:cd|pushd|git clone)\s")


class CommandLine(NamedTuple):
    line: int
    text: str
    """Without its prompt."""
    in_block: bool


def command_lines(page: PageOutline, having: re.Pattern[str], *, anywhere: bool = False) -> Iterator[CommandLine]:
    """Lines of shell blocks, and inline code, that match. Lines after `cd` or `git clone` run in a folder that nobody
    knows; they are left out unless the folder does not matter."""
    for block in page.blocks:
        if block.language not in _SHELL:
            continue
        for number, line in enumerate(block.lines, block.line):
            if not anywhere and _ELSEWHERE.search(line):
                break
            if having.search(line) and not line.lstrip().startswith("#"):
                yield CommandLine(number, _PROMPT.sub("", line, count=1), in_block=True)
    for span in page.spans:
        if having.search(span.text) and (anywhere or not _ELSEWHERE.search(span.text)):
            yield CommandLine(span.line, span.text.strip(), in_block=False)


_BRANCH = re.compile(r"([\s│┃|]*)(?:[├└┣┗╰+`]|\|)(?:──?|━━?|--?)\s*([\w.@-]+/?)(?=\s|$)")
_LABEL = re.compile(r"\s*(\.|(?:\./)?[\w.@-]+(?:/[\w.@-]+)*/?)(?=\s|$)")
_LONGEST = 300
_DRAWN = re.compile(r"[├└┣┗╰]\s?[─━]|^[ \t|]*[|+`]--", re.MULTILINE)


class TreeEntry(NamedTuple):
    line: int
    path: str
    """From the folder that the tree shows, without a slash at its end."""
    folder: bool


class DirectoryTree(NamedTuple):
    label: str
    """The folder above the first branch, as written; empty if there is none."""
    entries: tuple[TreeEntry, ...]


def is_drawn(text: str) -> bool:
    """Whether a page may have a directory tree; quick."""
    return _DRAWN.search(text) is not None


def directory_trees(block: Block) -> Iterator[DirectoryTree]:
    """The trees of a block, which may have several below each other."""
    label, entries = "", list[TreeEntry]()
    above: list[tuple[int, str | None]] = []
    for number, line in enumerate(block.lines, block.line):
        found = _BRANCH.match(line[:_LONGEST])
        if found:
            entries += _entry(number, len(found[1]), found[2], above)
        elif _DRAWN.search(line):
            above = [*_outside(above, _column(line)), (_column(line), None)]
        elif line.strip(" \t│┃|"):
            if entries:
                yield DirectoryTree(label, _with_folders(entries))
            written = _LABEL.match(line)
            label, entries, above = (written[1] if written else ""), [], []
    if entries:
        yield DirectoryTree(label, _with_folders(entries))


def _entry(line: int, column: int, name: str, above: list[tuple[int, str | None]]) -> Iterator[TreeEntry]:
    """The entry of a branch; none below something that is not a plain name (`{a,b}/`, `*.py`)."""
    above[:] = _outside(above, column)
    parent = above[-1][1] if above else ""
    path = None if parent is None else f"{parent}/{name.rstrip('/')}".lstrip("/")
    above.append((column, path))
    if path is not None and name.strip("./"):
        yield TreeEntry(line, path, name.endswith("/"))


def _outside(above: list[tuple[int, str | None]], column: int) -> list[tuple[int, str | None]]:
    return [(at, path) for at, path in above if at < column]


def _column(line: str) -> int:
    return len(line) - len(line.lstrip(" \t│┃|"))


def _with_folders(entries: list[TreeEntry]) -> tuple[TreeEntry, ...]:
    parents = {entry.path.rpartition("/")[0] for entry in entries}
    return tuple(entry._replace(folder=entry.folder or entry.path in parents) for entry in entries)
