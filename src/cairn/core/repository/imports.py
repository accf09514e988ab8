"""What code blocks of documents import from this repository, and whether it is there.

Python, JavaScript and TypeScript, Go and Rust. A package counts as this repository's if most of what documents import
from it exists; a tutorial's own `app` does not.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from posixpath import basename, dirname
from typing import NamedTuple

from cairn.core.repository.code import Code
from cairn.core.repository.tree import Tree
from cairn.lib.document.outline import Block, PageOutline

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
    def __init__(self, tree: Tree, code: Code) -> None:
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
