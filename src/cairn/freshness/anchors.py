"""Anchors: where a document says something about code, without having declared it.

A name that a document writes as code is an anchor when it means *exactly one* thing of the repository. A name that is
defined more than once counts only if it is qualified (`Client.connect`), or if the other anchors of the same document
lead into the file of one of the candidates and of no other: a page about the client means the client's `connect`.
"""

import posixpath
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from cairn.freshness.code_index import CodeIndex, module_parts, sample_of
from cairn.freshness.mentions import Mention, mentions
from cairn.kernel.code.model import Symbol

_VALUES = frozenset({"function", "class", "method", "constant", "attribute"})
_CALLABLE = frozenset({"function", "class", "method"})
_MAKEFILES = frozenset({"Makefile", "GNUmakefile", "makefile", "justfile", "Justfile"})
_FOREIGN = frozenset(
    {"pip", "pip3", "git", "docker", "docker-compose", "npm", "npx", "yarn", "pnpm", "cargo", "go", "uv", "poetry"}
    | {"curl", "wget", "apt", "apt-get", "brew", "conda", "make", "cmake", "pytest", "tox", "nox", "mypy", "ruff"}
    | {"black", "python", "python3", "node", "kubectl", "helm", "terraform", "ssh", "tar", "ls", "cd", "cp", "rm"}
    | {"mkdir", "cat", "grep", "sed", "awk", "find", "gh", "hatch", "pdm", "pipx", "twine", "uvicorn", "gunicorn"}
)


class Anchor(NamedTuple):
    """One place of a document, and the one thing that it is about."""

    document: str
    mention: Mention
    target: Symbol | str
    """A symbol, or the path of a file or folder."""

    @property
    def line(self) -> int:
        return self.mention.line

    @property
    def path(self) -> str:
        return self.target if isinstance(self.target, str) else self.target.path


class Page(NamedTuple):
    """A document as far as anchors need it."""

    path: str
    body: str
    body_line: int = 1


def anchors(page: Page, index: CodeIndex, *, wanted: Callable[[Mention], bool] | None = None) -> list[Anchor]:
    """Every anchor of a page; with `wanted`, only those among these mentions, the others still help to decide."""
    found = mentions(page.body, page.body_line)
    if wanted is not None and not any(map(wanted, found)):
        return []
    choices = [(mention, candidates(mention, page.path, index)) for mention in found]
    about = frozenset(_path(targets[0]) for _, targets in choices if len(targets) == 1)
    made = [
        Anchor(page.path, mention, target)
        for mention, targets in choices
        if (wanted is None or wanted(mention)) and (target := _settled(targets, about)) is not None
    ]
    return _one_a_place(made)


def _settled(targets: Sequence[Symbol | str], about: Collection[str]) -> Symbol | str | None:
    if len(targets) == 1:
        return targets[0]
    near = [target for target in targets if _path(target) in about]
    return near[0] if len(near) == 1 else None


def _one_a_place(found: Iterable[Anchor]) -> list[Anchor]:
    """One name may be read in several ways, and be said twice in a sentence."""
    first: dict[tuple[int, str, str], Anchor] = {}
    for anchor in found:
        name = anchor.target if isinstance(anchor.target, str) else anchor.target.reference
        first.setdefault((anchor.mention.sentence.start, anchor.mention.written, name), anchor)
    return list(first.values())


def _path(target: Symbol | str) -> str:
    return target if isinstance(target, str) else target.path


# --- candidates -----------------------------------------------------------------------------------------------------


def candidates(mention: Mention, document: str, index: CodeIndex) -> Sequence[Symbol | str]:
    """Everything that a mention could mean to the readers of a document."""
    return [one for one in _anywhere(mention, document, index) if isinstance(one, str) or _is_near(one, document)]


def _is_near(symbol: Symbol, document: str) -> bool:
    sample = sample_of(symbol.path)
    return not sample or document.startswith(sample)


def _anywhere(mention: Mention, document: str, index: CodeIndex) -> Sequence[Symbol | str]:
    match mention.kind:
        case "name" | "call":
            return _named(mention, index)
        case "flag":
            return _flags(mention, index)
        case "key":
            return [symbol for symbol in index.named(mention.text) if symbol.kind == "key"]
        case "target":
            found = index.named(mention.text)
            return [symbol for symbol in found if posixpath.basename(symbol.path) in _MAKEFILES]
        case "script":
            return [s for s in index.named(f"scripts.{mention.text}") if s.path.endswith("package.json")]
        case "path":
            return _files(mention, document, index)


def _flags(mention: Mention, index: CodeIndex) -> Sequence[Symbol]:
    """A flag of a line that runs another program is that program's."""
    program = mention.part.rpartition("/")[2]
    if program and program not in index.programs and (program in _FOREIGN or index.programs):
        own_file = program.endswith((".py", ".sh", ".js")) and program in index.files_by_name
        if not own_file:
            return ()
    return [symbol for symbol in index.named(mention.text) if symbol.kind == "flag"]


def _files(mention: Mention, document: str, index: CodeIndex) -> Sequence[Symbol | str]:
    paths = _paths(mention.text.rstrip("/"), document, index)
    if not mention.part or len(paths) != 1:
        return paths
    symbol = index.symbol(paths[0], mention.part)
    return [symbol] if symbol else paths


def _paths(text: str, document: str, index: CodeIndex) -> list[str]:
    """By its path from the root, from the document, or by the end of it where only one file ends so."""
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(document), text))
    exact = {path for path in (text, beside) if path in index.paths or path in index.folders}
    if exact:
        return sorted(exact)
    same_name = index.files_by_name.get(posixpath.basename(text), ())
    return [path for path in same_name if path.endswith(f"/{text}")]


# --- names ----------------------------------------------------------------------------------------------------------


def _named(mention: Mention, index: CodeIndex) -> Sequence[Symbol]:
    parts = mention.text.split(".")
    module = [symbol for symbol in index.named(mention.text) if symbol.kind == "module"]
    if module:
        return module
    kinds = _CALLABLE if mention.kind == "call" else _VALUES
    same_last = index.named(parts[-1])
    if len(parts) > 1:
        return [symbol for symbol in same_last if symbol.kind in _VALUES and is_called(parts, symbol)]
    found = [symbol for symbol in same_last if symbol.kind in kinds or (symbol.kind == "key" and parts[0].isupper())]
    parameters = [symbol for symbol in same_last if symbol.kind == "parameter"] if mention.kind == "name" else []
    # A bare name may be the parameter as well as the attribute that it is stored in.
    owners = {symbol.name.rpartition(".")[0] for symbol in found}
    return [*found, *(p for p in parameters if not _belongs(p, owners))]


def _belongs(parameter: Symbol, owners: Collection[str]) -> bool:
    """Whether it only fills an attribute of the same class: `Client.__init__.timeout` and `Client.timeout`."""
    function = parameter.name.rpartition(".")[0]
    return function.endswith(".__init__") and function.removesuffix(".__init__") in owners


def is_called(parts: Sequence[str], symbol: Symbol) -> bool:
    """Whether a dotted name can mean this symbol: by the end of its full name (`client.Client.connect`), by the
    package that gives it out (`httpx.Client`), or by an instance named like its class (`client.connect`)."""
    name = tuple(symbol.name.split("."))
    module = module_parts(symbol.path)
    full = (*module, *name)
    wanted = tuple(parts)
    if full[-len(wanted) :] == wanted:
        return True
    head = wanted[: -len(name)]
    if head and wanted[-len(name) :] == name and module[: len(head)] == head:
        return True
    return len(wanted) == 2 and len(name) > 1 and wanted[1] == name[-1] and wanted[0] == _snake(name[-2])


def _snake(name: str) -> str:
    """`async_client` of `AsyncClient`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
