"""Doubts about imports: a document imports a name of Python from a module that no longer has it."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from cairn.core.repository.version import Version
from cairn.freshness.diff.doubt import Doubt, Reason
from cairn.freshness.diff.occurrence import WrittenPage
from cairn.freshness.diff.pages import Pages
from cairn.freshness.diff.vanished import ChangedFile, is_product
from cairn.freshness.states import State

_TOP = re.compile(r"^(?:async def|def|class)\s+([A-Za-z]\w{2,})|^([A-Za-z]\w{2,})\s*(?::[^=\n]+)?=(?!=)", re.MULTILINE)
_INIT = "__init__"
_LINES = 30
"""Lines over which an import may go."""


class _LostImport(NamedTuple):
    name: str
    modules: frozenset[str]
    """The names of the module that had it."""
    file: ChangedFile
    now: ChangedFile | None
    """A file that has it since the change."""


def import_doubts(files: Sequence[ChangedFile], pages: Pages, old: State, new: State) -> Iterator[Doubt]:
    lost = list(_lost(files, old.facts().keys(), new.facts().keys()))
    having = pages.having({one.name for one in lost})
    for one in lost:
        for path in having.get(one.name, ()):
            page = pages.page(path)
            for number, _ in page.lines_with((one.name,)):
                module = _imported_from(one, page, number)
                if module and not page.is_about_the_past(number):
                    yield _doubt(page, number, module, one, new.facts().keys())


def _lost(files: Sequence[ChangedFile], old: Collection[str], new: Collection[str]) -> Iterator[_LostImport]:
    code = [file for file in files if file.path.endswith(".py") and is_product(file.path)]
    came = {name: file for file in reversed(code) for name in _gained(file)}
    for file in code:
        after = Version(file.new or b"")
        if file.old and not after.passes_on and not after.has("__getattr__"):
            modules = frozenset(_modules(file.path, old))
            if file.new is None and any(_is_there(module, new) for module in modules):
                continue
            for name in sorted(_names(file.old)):
                if not after.has(name):
                    yield _LostImport(name, modules, file, came.get(name))


def _names(data: bytes) -> set[str]:
    """What a module defines at its top level."""
    return {found[1] or found[2] for found in _TOP.finditer(data.decode("utf-8", "replace"))}


def _gained(file: ChangedFile) -> set[str]:
    return _names(file.new or b"") - _names(file.old or b"")


def _modules(path: str, paths: Collection[str]) -> Iterator[str]:
    """How code imports a file: from the folder above its outermost package, or above `src`."""
    parts = path.removesuffix(".py").split("/")
    parts = parts[:-1] if parts[-1] == _INIT else parts
    start = len(parts) - 1
    while start > 0 and f"{'/'.join(parts[:start])}/{_INIT}.py" in paths:
        start -= 1
    if parts:
        yield ".".join(parts[start:])
        yield ".".join(parts[1:] if parts[0] in ("src", "lib", "python") and len(parts) > 1 else parts)


def _is_there(module: str, paths: Collection[str]) -> bool:
    """Whether a file is this module, or a folder this package."""
    path = module.replace(".", "/")
    names = (f"{path}.py", f"{path}.pyi", f"{path}/{_INIT}.py")
    return any(one == name or one.endswith(f"/{name}") for one in paths for name in names)


def _imported_from(one: _LostImport, page: WrittenPage, number: int) -> str:
    """The module that a line has the name from: `from pkg.a import Client`, also over lines, or `pkg.a.Client`."""
    line, name = page.lines[number - 1], re.escape(one.name)
    above = page.lines[max(0, number - _LINES) : number - 1]
    opened = next((row for row in reversed(above) if ")" in row or "import" in row), "")
    for module in sorted(one.modules, key=len, reverse=True):
        dotted = re.escape(module)
        imported = rf"\bfrom\s+{dotted}\s+import\b"
        opens = re.search(imported, line)
        if opens and re.compile(rf"\b{name}\b").search(line, opens.end()):
            return module
        if re.search(rf"(?<![\w./-]){dotted}\.{name}\b", line):
            return module
        if re.search(rf"{imported}\s*\([^)]*$", opened) and re.match(rf"[\s>.]*{name}\b", line):
            return module
    return ""


def _doubt(page: WrittenPage, number: int, module: str, one: _LostImport, paths: Collection[str]) -> Doubt:
    at, old = _line(one.file.old, one.name)
    now, text = _line(one.now.new, one.name) if one.now else (None, "")
    target = next(_modules(one.now.path, paths), "") if one.now else ""
    did = f"moved to `{target}`" if target else f"removed from {one.file.path}"
    return Doubt(
        page.path, number, page.lines[number - 1], one.name, Reason.IMPORT,
        f"`{one.name}` can no longer be imported from `{module}`: {did}.", one.now.path if one.now else one.file.path,
        now, old, text, True, at or 0,
        f"Import it from `{target}`." if target else "Update or remove this sentence.",
    )  # fmt: skip


def _line(data: bytes | None, name: str) -> tuple[int | None, str]:
    """Where a file defines it, and that line."""
    for at, text in enumerate((data or b"").decode("utf-8", "replace").split("\n"), 1):
        if (found := _TOP.match(text)) and name in (found[1], found[2]):
            return at, text.strip()
    return None, ""
