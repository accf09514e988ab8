"""Python files: their functions, classes, methods, attributes, constants, parameters, flags and variables of the
environment."""

import ast
import warnings
from collections.abc import Iterable, Iterator
from typing import Final

from cairn.lib.code.flags import WANTED, flags_of_parameters, outside_names
from cairn.lib.code.model import Outline, Symbol, SymbolKind, decode, digest_of, shortened
from cairn.lib.code.python_form import Writer, last_name

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Block = ast.If | ast.Try | ast.With

_INVISIBLE: Final = frozenset({"cache", "lru_cache", "wraps", "override", "final", "option", "argument"})
"""Decorators that callers don't notice. Options of click are symbols of their own."""
_ORDERED: Final = frozenset({"dataclass", "define", "frozen", "mutable", "attrs", "attr", "s", "NamedTuple"})
"""Decorators and bases that make the order of fields part of the constructor."""
_TOP: Final = frozenset({"src", "lib", "python"})
"""Folders that packages lie in without being part of their name."""


def python_outline(path: str, data: bytes) -> Outline:
    """Raises SyntaxError, ValueError, RecursionError or MemoryError for what is not Python here and now."""
    text = decode(data)
    return _File(path, text).outline(parse_python(text))


def parse_python(source: str | bytes) -> ast.Module:
    """The syntax tree, without the warnings that Python prints about it. Raises as `python_outline`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


class _Part:
    """One definition on its way to a symbol. Definitions of the same name become one."""

    __slots__ = ("content", "end", "interface", "kind", "line", "name", "shown", "weak")

    def __init__(
        self, name: str, kind: SymbolKind, node: ast.stmt | ast.expr | ast.arg, interface: str, content: str, shown: str
    ) -> None:
        self.name = name
        self.kind = kind
        self.line = node.lineno
        self.end = node.end_lineno or node.lineno
        self.interface = interface
        self.content = content
        self.shown = shown
        self.weak = False
        """Whether another definition of the name is better to show, as with overloads."""


class _File:
    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._writer = Writer(WANTED)
        self._parts: list[_Part] = []

    def outline(self, tree: ast.Module) -> Outline:
        members, others = self._members(tree.body, "")
        digest = digest_of([*_sorted_pairs(members), "|", *others])
        self._parts.extend(self._outside())
        symbols = [*self._module(digest), *_joined(self._path, self._parts)]
        return Outline(self._path, "python", tuple(symbols), digest)

    def _module(self, digest: str) -> Iterator[Symbol]:
        name = _module_name(self._path)
        if name:
            shown = f"module {name}"
            last = max(1, len(self._lines) - (self._lines[-1] == ""))
            yield Symbol(self._path, name, "module", 1, last, digest_of(["module"]), digest, shown)

    # --- definitions ------------------------------------------------------------------------------------------------

    def _members(self, body: Iterable[ast.stmt], prefix: str) -> tuple[list[_Part], list[str]]:
        """The definitions of a body, and the digests of what else it does, in order. Imports are in no order."""
        members: list[_Part] = []
        imports: set[str] = set()
        others: list[str] = []
        for statement in body:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                imports.update(self._tokens(statement))
                continue
            found = self._definitions(statement, prefix)
            if found:
                members.extend(found)
                self._parts.extend(found)
            if not found or isinstance(statement, _Block):
                others.extend(self._other(statement, prefix))
        return members, [*sorted(imports), *others]

    def _definitions(self, statement: ast.stmt, prefix: str) -> list[_Part]:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return [self._function(statement, prefix)]
            case ast.ClassDef():
                return [self._class(statement, prefix)]
            case ast.Assign():
                return [part for target in statement.targets for part in self._assigned(statement, target, prefix)]
            case ast.AnnAssign() if isinstance(statement.target, ast.Name):
                return [self._value(statement, statement.target.id, prefix, statement.value, statement.annotation)]
            case ast.AugAssign() if isinstance(statement.target, ast.Name):
                return [self._value(statement, statement.target.id, prefix, statement.value, None)]
            case _:
                return []

    def _other(self, statement: ast.stmt, prefix: str) -> list[str]:
        """A statement that defines nothing, or a block that may define things on a condition."""
        tokens = self._tokens(statement)
        if isinstance(statement, _Block):
            for body in _bodies(statement):
                self._members(body, prefix)
        return [digest_of(tokens)] if tokens else []

    def _function(self, node: _Function, prefix: str) -> _Part:
        writer, name = self._writer, prefix + node.name
        writer.out = tokens = []
        spans: list[tuple[ast.arg, int, int]] = []
        tokens.append("async" if isinstance(node, ast.AsyncFunctionDef) else "def")
        visible = [one for one in node.decorator_list if _decorator_name(one) not in _INVISIBLE]
        writer.nodes(visible)
        writer.nodes(getattr(node, "type_params", []))
        writer.parameters(node.args, lambda argument, start: spans.append((argument, start, len(writer.out))))
        writer.optional(node.returns)
        interface = digest_of(tokens)
        self._parts.extend(self._parameters(name, node.args, tokens, spans))
        writer.nodes([one for one in node.decorator_list if one not in visible])
        writer.body(node.args, node.body, "" if prefix else node.name)
        kind: SymbolKind = "method" if prefix else "function"
        part = _Part(name, kind, node, interface, digest_of(tokens), self._signature(node))
        part.line = min([part.line, *[one.lineno for one in node.decorator_list]])
        part.weak = any(_decorator_name(one) in ("overload", "setter", "deleter") for one in visible)
        return part

    def _parameters(
        self, owner: str, arguments: ast.arguments, tokens: list[str], spans: list[tuple[ast.arg, int, int]]
    ) -> Iterator[_Part]:
        shown = {argument.arg: default for argument, default in _defaults(arguments)}
        for argument, start, end in spans:
            digest = digest_of(tokens[start:end])
            text = shortened(f"{argument.arg}={self._source(shown[argument.arg])}")
            yield _Part(f"{owner}.{argument.arg}", "parameter", argument, digest, digest, text)
        for name, node, parts in flags_of_parameters(arguments):
            digest = self._digest(*parts)
            yield _Part(name, "flag", node, digest, digest, self._outside_shown((name, *parts[1:])))

    def _class(self, node: ast.ClassDef, prefix: str) -> _Part:
        name = prefix + node.name
        header = self._header(node)
        members, others = self._members(node.body, f"{name}.")
        fields = [part for part in members if part.kind == "attribute" and not part.name.startswith(f"{name}._")]
        made = [part for part in members if part.name.endswith((".__init__", ".__new__"))]
        pairs = _pairs(fields) if _is_ordered(node) else _sorted_pairs(fields)
        interface = [*header, "|", *pairs, "|", *[part.interface for part in made]]
        content = [*header, "|", *pairs, "|", *_sorted_pairs(members), "|", *others]
        shown = self._class_shown(node, fields, made)
        part = _Part(name, "class", node, digest_of(interface), digest_of(content), shown)
        part.line = min([part.line, *[one.lineno for one in node.decorator_list]])
        return part

    def _header(self, node: ast.ClassDef) -> list[str]:
        self._writer.out = tokens = ["class"]
        self._writer.class_header(node)
        return tokens

    def _assigned(self, statement: ast.Assign, target: ast.expr, prefix: str) -> list[_Part]:
        if isinstance(target, ast.Name):
            return [self._value(statement, target.id, prefix, statement.value, None)]
        if not isinstance(target, ast.Tuple | ast.List):
            return []
        values: list[ast.expr] = [statement.value] * len(target.elts)
        if isinstance(statement.value, ast.Tuple | ast.List) and len(statement.value.elts) == len(target.elts):
            values = statement.value.elts
        found = []
        for index, (one, value) in enumerate(zip(target.elts, values, strict=True)):
            if isinstance(one, ast.Name):
                at = ast.Constant(index) if value is statement.value else None
                found.append(self._value(statement, one.id, prefix, value, at))
        return found

    def _value(self, node: ast.stmt, name: str, prefix: str, value: ast.expr | None, beside: ast.expr | None) -> _Part:
        """A name with a value; `beside` is what else makes it, such as its annotation."""
        if name == "__all__" and isinstance(value, ast.List | ast.Tuple):
            digest = digest_of(sorted(self._tokens(value)))
        else:
            digest = self._digest(beside, value)
        kind: SymbolKind = "attribute" if prefix else "constant"
        annotation = f": {self._source(beside)}" if isinstance(node, ast.AnnAssign) and beside else ""
        assigned = "" if value is None else f" = {self._source(value)}"
        return _Part(prefix + name, kind, node, digest, digest, shortened(name + annotation + assigned))

    def _outside(self) -> Iterator[_Part]:
        """Flags and variables of the environment, met while everything else was written."""
        for found in outside_names(list(self._writer.calls)):
            interface = self._digest(*found.interface)
            content = self._digest(*found.interface, *found.rest)
            yield _Part(found.name, found.kind, found.node, interface, content, self._outside_shown(found.interface))

    # --- tokens and texts -------------------------------------------------------------------------------------------

    def _tokens(self, node: ast.AST) -> list[str]:
        tokens: list[str] = []
        self._writer.out = tokens
        self._writer.node(node)
        return tokens

    def _digest(self, *nodes: ast.AST | str | None) -> str:
        tokens: list[str] = []
        self._writer.out = tokens
        for node in nodes:
            if isinstance(node, str):
                tokens.append(node)
            else:
                self._writer.optional(node)
        return digest_of(tokens)

    def _source(self, node: ast.expr | ast.arg | None) -> str:
        """As it is written, on one line. Slicing is twenty times as fast as `ast.unparse`."""
        if node is None or node.end_lineno is None or node.end_col_offset is None:
            return ""
        lines = self._lines[node.lineno - 1 : node.end_lineno]
        if not "".join(lines).isascii() or (len(lines) > 1 and "#" in "".join(lines)):
            return ast.unparse(node) if len(lines) < 50 else "…"
        if len(lines) == 1:
            return lines[0][node.col_offset : node.end_col_offset]
        first, last = lines[0][node.col_offset :], lines[-1][: node.end_col_offset]
        return " ".join([first.strip(), *map(str.strip, lines[1:-1]), last.strip()])

    def _outside_shown(self, parts: Iterable[ast.AST | str | None]) -> str:
        """`--port -p default=80` of what makes the interface of a flag."""
        shown = ""
        for part in parts:
            if isinstance(part, str):
                shown += f" {part}"
            elif isinstance(part, ast.expr):
                shown += ("" if shown.endswith("=") else " ") + self._source(part)
        return shortened(shown)

    def _signature(self, node: _Function) -> str:
        arguments = node.args
        defaults = {id(argument): default for argument, default in _defaults(arguments)}
        shown: list[str] = []
        for argument in arguments.posonlyargs:
            shown.append(self._parameter_shown(argument, defaults))
        if arguments.posonlyargs:
            shown.append("/")
        shown.extend(self._parameter_shown(argument, defaults) for argument in arguments.args)
        if arguments.vararg:
            shown.append("*" + self._source(arguments.vararg))
        elif arguments.kwonlyargs:
            shown.append("*")
        shown.extend(self._parameter_shown(argument, defaults) for argument in arguments.kwonlyargs)
        if arguments.kwarg:
            shown.append("**" + self._source(arguments.kwarg))
        returns = f" -> {self._source(node.returns)}" if node.returns else ""
        word = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
        return shortened(f"{word}{node.name}({', '.join(shown)}){returns}")

    def _parameter_shown(self, argument: ast.arg, defaults: dict[int, ast.expr]) -> str:
        text = self._source(argument)
        default = defaults.get(id(argument))
        if default is None:
            return text
        return f"{text} = {self._source(default)}" if argument.annotation else f"{text}={self._source(default)}"

    def _class_shown(self, node: ast.ClassDef, fields: list[_Part], made: list[_Part]) -> str:
        bases = ", ".join([self._source(base) for base in node.bases])
        head = f"class {node.name}({bases})" if bases else f"class {node.name}"
        inside = "; ".join([part.shown for part in (*made[:1], *fields[:8])])
        return shortened(f"{head}: {inside}" if inside else head)


# --- helpers --------------------------------------------------------------------------------------------------------


def _joined(path: str, parts: list[_Part]) -> Iterator[Symbol]:
    """One symbol a name. Flags stay apart: two commands may each have their own `--json`."""
    groups: dict[tuple[str, str], list[_Part]] = {}
    for part in parts:
        key = part.interface if part.kind == "flag" else ""
        groups.setdefault((part.name, key), []).append(part)
    for group in groups.values():
        first = next((part for part in group if not part.weak), group[0])
        if len(group) == 1 or first.kind in ("flag", "key"):
            interface, content = first.interface, first.content
        else:
            interface = digest_of([part.interface for part in group])
            content = digest_of([part.content for part in group])
        yield Symbol(path, first.name, first.kind, first.line, first.end, interface, content, first.shown)


def _pairs(parts: list[_Part]) -> list[str]:
    return [f"{part.name.rpartition('.')[2]}={part.content}" for part in parts]


def _sorted_pairs(parts: list[_Part]) -> list[str]:
    return sorted(_pairs(parts))


def _bodies(statement: _Block) -> Iterator[list[ast.stmt]]:
    yield statement.body
    if isinstance(statement, ast.If | ast.Try):
        yield statement.orelse
    if isinstance(statement, ast.Try):
        yield from (handler.body for handler in statement.handlers)
        yield statement.finalbody


def _defaults(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr]]:
    ordered = [*arguments.posonlyargs, *arguments.args]
    yield from zip(ordered[len(ordered) - len(arguments.defaults) :], arguments.defaults, strict=True)
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            yield argument, default


def _decorator_name(node: ast.expr) -> str:
    return last_name(node.func if isinstance(node, ast.Call) else node)


def _is_ordered(node: ast.ClassDef) -> bool:
    """Whether the order of fields is the order of the constructor's parameters, or of values given by `auto()`."""
    names = {_decorator_name(one) for one in (*node.decorator_list, *node.bases)}
    return bool(names & _ORDERED) or any(
        isinstance(one, ast.Assign) and isinstance(one.value, ast.Call) and last_name(one.value.func) == "auto"
        for one in node.body
    )


def _module_name(path: str) -> str:
    """`cairn.lib.code` of `src/cairn/lib/code/__init__.py`; nothing for scripts, which nobody imports."""
    parts = path.removesuffix(".pyi").removesuffix(".py").split("/")
    while parts and parts[0] in _TOP:
        parts = parts[1:]
    if parts and parts[-1] == "__init__":
        parts = parts[:-1]
        return ".".join(parts) if all(map(str.isidentifier, parts)) else ""
    return ".".join(parts) if len(parts) > 1 and all(map(str.isidentifier, parts)) else ""
