"""Doubts about Python code in documents: imports of names that are gone, and calls with arguments that are refused."""

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cairn.core.repository.code import is_shaped
from cairn.core.repository.deletion_history import OldVersion
from cairn.freshness.diff.code_forms import end_of
from cairn.freshness.diff.definition import ChangedFile
from cairn.freshness.diff.doubt import StaleReason, StaleSentence
from cairn.freshness.diff.occurrence import WrittenPage
from cairn.freshness.diff.pages import SurveyedPages
from cairn.freshness.diff.vanished import Grep, is_product
from cairn.freshness.states import RepositoryState
from cairn.lib.code.python import parse_python

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


def import_doubts(
    files: Sequence[ChangedFile], pages: SurveyedPages, old: RepositoryState, new: RepositoryState
) -> Iterator[StaleSentence]:
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
        after = OldVersion(file.new or b"")
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


def _doubt(page: WrittenPage, number: int, module: str, one: _LostImport, paths: Collection[str]) -> StaleSentence:
    at, old = _line(one.file.old, one.name)
    now, text = _line(one.now.new, one.name) if one.now else (None, "")
    target = next(_modules(one.now.path, paths), "") if one.now else ""
    did = f"moved to `{target}`" if target else f"removed from {one.file.path}"
    return StaleSentence(
        page.path, number, page.lines[number - 1], one.name, StaleReason.IMPORT,
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


_PYTHON = frozenset(("python", "py", "pycon", "python3", "py3", "ipython", ""))
_PLAIN = frozenset(
    ("staticmethod", "classmethod", "abstractmethod", "abc.abstractmethod", "override", "typing.override")
)
_CALLED = re.compile(r"(?<!`)`++((?:[\w.]*\.)?(\w+)\([^`\n]*?\))`+")
_SIGNATURE = re.compile(
    r"\s*\.\. (?:py:)?(?:function|method|class|classmethod|staticmethod)::\s+(?:\w+\.)*(\w+)\((.*)\)\s*$"
)
_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.) ?", re.MULTILINE)
_LARGEST = 1_000_000


class AcceptedArguments(NamedTuple):
    """The arguments that a function accepts."""

    positional: tuple[str, ...]
    only_positional: int
    required: int
    """Of the positional ones, how many have no default."""
    keywords: Mapping[str, bool]
    """The keyword-only ones: whether each is required."""
    any_positional: bool
    any_keyword: bool
    line: int
    function: ast.FunctionDef | ast.AsyncFunctionDef
    owner: str = ""
    """The class of a method."""

    @property
    def shown(self) -> str:
        return f"{self.function.name}({ast.unparse(self.function.args)})"

    def problem(self, call: "WrittenCall") -> str:
        """Why it can't be called like this; empty if it can."""
        for keyword in call.keywords:
            named = self.positional[self.only_positional :]
            if keyword not in named and keyword not in self.keywords and not self.any_keyword:
                return f"it no longer takes `{keyword}`"
        if call.positional > len(self.positional) and not self.any_positional:
            return f"it takes {len(self.positional)} positional arguments at most"
        given = {*self.positional[: call.positional], *call.keywords}
        missing = [name for name in self.positional[: self.required] if name not in given]
        missing += [name for name, needed in self.keywords.items() if needed and name not in given]
        return f"it requires `{missing[0]}` now" if missing and not call.unpacks else ""


class WrittenCall(NamedTuple):
    name: str
    positional: int
    keywords: tuple[str, ...]
    unpacks: bool
    line: int
    """From 1, of the code that it is in."""
    base: str = ""
    """What stands before the dot."""


Signatures = Mapping[str, list[AcceptedArguments]]


def signatures(data: bytes) -> dict[str, list[AcceptedArguments]]:
    """By the name that a call uses: functions, methods without `self`, and classes by what makes them."""
    if len(data) > _LARGEST:
        return {}
    try:
        tree = parse_python(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, list[AcceptedArguments]] = defaultdict(list)
    for made in _classes(tree):
        for name, accepts in _of_class(made):
            found[name].append(accepts)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (one := _accepts(node, bound=False)):
            found[node.name].append(one)
    return found


def _classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    """All of them. Expressions, which most of a tree is made of, have none."""
    blocks: list[Sequence[ast.AST]] = [tree.body]
    while blocks:
        for node in blocks.pop():
            if isinstance(node, ast.ClassDef):
                yield node
            blocks += [block for name in _BLOCKS if (block := getattr(node, name, None)) and isinstance(block, list)]


_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def _of_class(node: ast.ClassDef) -> Iterator[tuple[str, AcceptedArguments]]:
    for part in node.body:
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            static = any(ast.unparse(one) == "staticmethod" for one in part.decorator_list)
            if accepts := _accepts(part, bound=not static):
                made = part.name == "__init__"
                yield (node.name if made else part.name), accepts._replace(owner="" if made else node.name)


def _accepts(node: ast.FunctionDef | ast.AsyncFunctionDef, *, bound: bool) -> AcceptedArguments | None:
    """None for a function that a decorator may have changed."""
    if any(ast.unparse(one) not in _PLAIN for one in node.decorator_list):
        return None
    args = node.args
    all_positional = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    skip = 1 if bound and all_positional else 0
    return AcceptedArguments(
        tuple(all_positional[skip:]),
        max(0, len(args.posonlyargs) - skip),
        max(0, len(all_positional) - len(args.defaults) - skip),
        {arg.arg: default is None for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)},
        args.vararg is not None,
        args.kwarg is not None,
        node.lineno,
        node,
    )


class ChangedCall(NamedTuple):
    name: str
    old: AcceptedArguments
    new: AcceptedArguments
    path: str


def changed_calls(files: Iterable[ChangedFile]) -> Iterator[ChangedCall]:
    """Functions that are still there and can't be called in every way in which they could."""
    for file in files:
        if file.path.endswith(".py") and is_product(file.path) and file.old and file.new:
            before, after = signatures(file.old), signatures(file.new)
            for name in before.keys() & after.keys():
                if len(before[name]) == len(after[name]) == 1 and before[name][0][:6] != after[name][0][:6]:
                    yield ChangedCall(name, before[name][0], after[name][0], file.path)


def call_doubts(
    files: Iterable[ChangedFile], pages: SurveyedPages, grep: Grep, code: RepositoryState
) -> Iterator[StaleSentence]:
    changed = {one.name: one for one in changed_calls(files)}
    others: dict[str, list[AcceptedArguments]] = {}
    for name, documents in pages.having(changed.keys()).items():
        for path in documents:
            page = pages.page(path)
            for call in calls_in(page, name):
                one = changed[name]
                problem = "" if one.old.problem(call) else one.new.problem(call)
                if not problem or page.is_about_the_past(call.line) or not _is_meant(call, one.old.owner, page, pages):
                    continue
                if name not in others:
                    others[name] = list(_elsewhere(one, grep, code))
                if all(other.problem(call) for other in others[name]):
                    yield _call_doubt(page, call, one, problem)


def _is_meant(call: WrittenCall, owner: str, page: WrittenPage, pages: SurveyedPages) -> bool:
    """Whether a method with an ordinary name may be ours: by the name of its object, or because the page names the
    class."""
    if not call.base or is_shaped(call.name) or call.base.lower() in pages.packages:
        return True
    base = call.base.lower()
    return bool(owner) and (base in owner.lower() or owner.lower() in base or owner in page.text)


def _elsewhere(one: ChangedCall, grep: Grep, code: RepositoryState) -> Iterator[AcceptedArguments]:
    """Everything else of that name that could be meant."""
    word = re.compile(rf"\s*(?:async\s+)?(?:def|class)\s+{re.escape(one.name)}\b")
    paths = {path for path, line in grep([one.name]) if path.endswith(".py") and word.match(line) and path != one.path}
    for data in code.read(sorted(paths)).values():
        yield from signatures(data).get(one.name, ())


# --- calls in documents ---------------------------------------------------------------------------------------------


def calls_in(page: WrittenPage, name: str) -> Iterator[WrittenCall]:
    """The calls of a name in Python blocks and inline code that can be read as Python."""
    for block in page.outline.blocks:
        if block.language in _PYTHON and any(name in line for line in block.lines):
            source = "\n".join(block.lines)
            if ">>>" in source:
                source = "\n".join(_PROMPT.sub("", line) if _PROMPT.match(line) else "" for line in block.lines)
            yield from (one._replace(line=block.line + one.line - 1) for one in _calls(source, name))
    for number, line in page.lines_with((f"{name}(",)):
        if (shown := _SIGNATURE.match(line)) and shown[1] == name:
            yield from _documented(shown, number)
        if "`" in line:
            for found in _CALLED.finditer(line):
                if found[2] == name:
                    yield from (one._replace(line=number) for one in _calls(found[1], name))


def _documented(shown: re.Match[str], line: int) -> Iterator[WrittenCall]:
    """A signature that a reference shows is a call with all of its parameters by name."""
    try:
        (function,) = parse_python(f"def f({shown[2]}): ...").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if isinstance(function, ast.FunctionDef):
        names = [one.arg for one in (*function.args.args, *function.args.kwonlyargs) if one.arg not in ("self", "cls")]
        yield WrittenCall(shown[1], 0, tuple(names), True, line)


def _calls(source: str, name: str) -> Iterator[WrittenCall]:
    """Those of the whole source; where it leaves something out and can't be parsed, each call by itself."""
    try:
        tree = parse_python(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield from _single_calls(source, name)
    else:
        yield from _calls_of(tree, name)


def _single_calls(source: str, name: str) -> Iterator[WrittenCall]:
    for found in re.finditer(rf"(?<!def )(?<!class )(?<![\w.])(?:\w+\.)*{re.escape(name)}\(", source):
        try:
            tree = parse_python(source[found.start() : end_of(source, found.end() - 1) + 1])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        above = source.count("\n", 0, found.start())
        yield from (one._replace(line=one.line + above) for one in _calls_of(tree, name))


def _stands_for_others(arg: ast.expr) -> bool:
    """Whether it is `*args` or `...`: any number of arguments, also none."""
    return isinstance(arg, ast.Starred) or (isinstance(arg, ast.Constant) and arg.value is ...)


def _calls_of(tree: ast.AST, name: str) -> Iterator[WrittenCall]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _last_name(node.func) == name:
            keywords = tuple(keyword.arg for keyword in node.keywords if keyword.arg)
            told = [arg for arg in node.args if not _stands_for_others(arg)]
            spread = len(keywords) < len(node.keywords) or len(told) < len(node.args)
            base = _last_name(node.func.value) if isinstance(node.func, ast.Attribute) else ""
            yield WrittenCall(name, len(told), keywords, spread, node.lineno, base)


def _last_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _call_doubt(page: WrittenPage, call: WrittenCall, one: ChangedCall, problem: str) -> StaleSentence:
    message = f"`{one.name}()` can't be called like this: {problem}."
    return StaleSentence(
        page.path, call.line, page.lines[call.line - 1], one.name, StaleReason.ARGUMENT, message, one.path,
        one.new.line, one.old.shown, one.new.shown, True, one.old.line, "Update this call.",
    )  # fmt: skip
