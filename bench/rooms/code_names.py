"""Resolves the names in one Python file: which import or definition each name, attribute and quoted type refers to."""

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(eq=False)
class Scope:
    """Where names are bound: a module, a class, a function or a comprehension."""

    parent: "Scope | None"
    is_class: bool = False
    dotted: str = ""
    """Of a module or class."""
    bound: set[str] = field(default_factory=set)
    imports: dict[str, str] = field(default_factory=dict)
    """Names that an import binds, with the dotted name that they stand for."""

    def lookup(self, name: str) -> "Scope | None":
        """The scope that binds the name, seen from inside this one."""
        if name in self.bound:
            return self
        scope = self.parent
        while scope and (scope.is_class or name not in scope.bound):
            scope = scope.parent
        return scope

    def within(self, outer: "Scope") -> bool:
        return self is outer or bool(self.parent and self.parent.within(outer))


class Use(NamedTuple):
    """A name or the last part of a dotted name, at a place in the file."""

    start: int
    """Offset in bytes."""
    end: int
    name: str
    scope: Scope
    binding: Scope | None
    """Where the name is bound; none for an attribute and for a built-in name."""
    target: str | None
    """The dotted name as imported: `package.module.Name`; none for a local variable."""
    value: int | None = None
    """Of an attribute: where the expression before the dot begins."""
    value_name: str = ""
    """Of an attribute: the first name of that expression."""


class Import(NamedTuple):
    node: ast.Import | ast.ImportFrom
    scope: Scope
    in_block: bool
    """At module level, below an `if` or `try`."""


class CodeNames:
    def __init__(self, text: str, module: str) -> None:
        self.text = text
        self.data = text.encode()
        self.module = module
        self.tree = ast.parse(text)
        self.uses: list[Use] = []
        self.imports: list[Import] = []
        self.definitions: dict[int, tuple[int, int, str]] = {}
        """Names after `class` and `def`, by the identity of their nodes: start, end, dotted name in the module."""
        self.unplaced: list[str] = []
        """Names inside of f-strings whose place the parser does not know."""
        self.top = Scope(None, dotted=module)
        self._scope = self.top
        self._depth: list[str] = []
        self._bind(self.tree.body, self.top)
        self._visit_all(self.tree.body)

    @cached_property
    def _starts(self) -> list[int]:
        found = [0]
        for line in self.data.split(b"\n"):
            found.append(found[-1] + len(line) + 1)
        return found

    def at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def span(self, node: ast.stmt | ast.expr) -> tuple[int, int]:
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno or 0, node.end_col_offset or 0)

    # --- bindings -----------------------------------------------------------------------------------------------------

    def _bind(self, body: Sequence[ast.AST], scope: Scope) -> None:
        """Adds what the statements bind, without entering the scopes in them."""
        waiting: list[ast.AST] = list(body)
        outer: set[str] = set()
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Import | ast.ImportFrom):
                for name, target in bindings(node):
                    scope.bound.add(name)
                    scope.imports[name] = target
                continue
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                scope.bound.add(node.name)
                waiting.extend(_evaluated_outside(node))
                continue
            if isinstance(node, ast.Lambda):
                continue
            if isinstance(node, ast.Global | ast.Nonlocal):
                outer.update(node.names)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
                scope.bound.add(node.id)
            elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
                scope.bound.add(node.name)
            elif isinstance(node, ast.MatchMapping) and node.rest:
                scope.bound.add(node.rest)
            if isinstance(node, _COMPREHENSIONS):
                scope.bound.update(one.target.id for one in ast.walk(node) if isinstance(one, ast.NamedExpr))
                continue
            waiting.extend(ast.iter_child_nodes(node))
        scope.bound -= outer

    # --- uses ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def _inside(self, scope: Scope) -> Iterator[None]:
        before, self._scope = self._scope, scope
        yield
        self._scope = before

    def _visit_all(self, nodes: Sequence[ast.AST | None], quoted: bool = False) -> None:
        for node in nodes:
            if node is not None:
                self._visit(node, quoted)

    def _visit(self, node: ast.AST, quoted: bool = False) -> None:
        """`quoted`: a string is the name of a type."""
        if isinstance(node, ast.Import | ast.ImportFrom):
            self.imports.append(Import(node, self._scope, self._scope is self.top and node.col_offset > 0))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._visit_function(node)
        elif isinstance(node, ast.ClassDef):
            self._visit_class(node)
        elif isinstance(node, ast.Lambda):
            self._visit_all([*node.args.defaults, *node.args.kw_defaults])
            inner = Scope(self._scope, bound=set(_arguments(node.args)))
            self._bind([node.body], inner)
            with self._inside(inner):
                self._visit(node.body)
        elif isinstance(node, _COMPREHENSIONS):
            self._visit_comprehension(node)
        elif isinstance(node, ast.Name):
            self._use(node)
        elif isinstance(node, ast.Attribute):
            self._visit(node.value)
            self._use_attribute(node)
        elif isinstance(node, ast.AnnAssign):
            self._visit(node.annotation, quoted=True)
            is_alias = isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
            self._visit_all([node.target])
            self._visit_all([node.value], quoted=is_alias)
        elif isinstance(node, ast.Subscript):
            self._visit(node.value)
            literal = isinstance(node.value, ast.Name) and node.value.id in ("Literal", "Annotated")
            self._visit(node.slice, quoted=quoted and not literal)
        elif isinstance(node, ast.Call):
            self._visit_call(node)
        elif isinstance(node, ast.Constant) and quoted and isinstance(node.value, str):
            self._visit_quoted(node)
        elif isinstance(node, ast.BinOp | ast.Tuple | ast.List) and quoted:
            self._visit_all([*ast.iter_child_nodes(node)], quoted=True)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            pass
        else:
            self._visit_all([*ast.iter_child_nodes(node)])

    def _visit_call(self, node: ast.Call) -> None:
        self._visit(node.func)
        is_cast = isinstance(node.func, ast.Name) and node.func.id == "cast"
        is_var = isinstance(node.func, ast.Name) and node.func.id in ("TypeVar", "NewType")
        for number, one in enumerate(node.args):
            self._visit(one, quoted=(is_cast and number == 0) or (is_var and number > 0))
        for word in node.keywords:
            self._visit(word.value, quoted=is_var and word.arg == "bound")

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._define(node)
        arguments = node.args
        self._visit_all([*node.decorator_list, *arguments.defaults, *arguments.kw_defaults])
        self._visit_all([one.annotation for one in _each(arguments)], quoted=True)
        self._visit_all([node.returns], quoted=True)
        inner = Scope(self._scope, bound=set(_arguments(arguments)))
        self._bind(node.body, inner)
        self._depth.append(f"{node.name}()")
        with self._inside(inner):
            self._visit_all(node.body)
        self._depth.pop()

    def _visit_class(self, node: ast.ClassDef) -> None:
        self._define(node)
        self._visit_all([*node.decorator_list, *(word.value for word in node.keywords)])
        self._visit_all(node.bases, quoted=True)
        inner = Scope(self._scope, is_class=True, dotted=".".join((self.module, *self._depth, node.name)))
        self._bind(node.body, inner)
        self._depth.append(node.name)
        with self._inside(inner):
            self._visit_all(node.body)
        self._depth.pop()

    def _visit_comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        self._visit(node.generators[0].iter)
        inner = Scope(self._scope)
        for one in node.generators:
            inner.bound.update(name.id for name in ast.walk(one.target) if isinstance(name, ast.Name))
        with self._inside(inner):
            for number, one in enumerate(node.generators):
                self._visit_all([one.target, *([one.iter] if number else []), *one.ifs])
            parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            self._visit_all(parts)

    def _visit_quoted(self, node: ast.Constant) -> None:
        start, end = self.span(node)
        text = self.data[start:end].decode()
        quote = re.match(r"\"(?!\"\")|'(?!'')", text)
        said = text[1:-1]
        if not quote or node.value != said:
            return
        try:
            inner = ast.parse(said, mode="eval").body
        except SyntaxError:
            return
        for one in ast.walk(inner):
            if isinstance(one, ast.expr):
                one.lineno = one.end_lineno = node.lineno
                one.col_offset += node.col_offset + 1
                one.end_col_offset = (one.end_col_offset or 0) + node.col_offset + 1
        self._visit(inner, quoted=True)

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        word = b"class" if isinstance(node, ast.ClassDef) else b"def"
        start = self.at(node.lineno, node.col_offset)
        found = re.compile(word + rb"\s+(\w+)").search(self.data, start)
        assert found, node.name
        dotted = ".".join((self.module, *self._depth, node.name))
        self.definitions[id(node)] = (found.start(1), found.end(1), dotted)
        target = dotted if self._scope.dotted else None
        self.uses.append(Use(found.start(1), found.end(1), node.name, self._scope, self._scope, target))

    def _use(self, node: ast.Name) -> None:
        place = self._placed(node, self.at(node.lineno, node.col_offset), node.id)
        if place is None:
            return
        binding = self._scope.lookup(node.id)
        target = self._target(binding, node.id)
        self.uses.append(Use(place, place + len(node.id.encode()), node.id, self._scope, binding, target))

    def _target(self, binding: Scope | None, name: str) -> str | None:
        if binding is None:
            return f"builtins.{name}" if hasattr(builtins, name) else f"{self.module}.{name}"
        if name in binding.imports:
            return binding.imports[name]
        return f"{binding.dotted}.{name}" if binding.dotted else None

    def _use_attribute(self, node: ast.Attribute) -> None:
        parts, value = [node.attr], node.value
        while isinstance(value, ast.Attribute):
            parts.append(value.attr)
            value = value.value
        if not isinstance(value, ast.Name):
            return
        base = self._target(self._scope.lookup(value.id), value.id)
        if base is None or base.startswith("builtins."):
            return
        end = self.at(node.end_lineno or 0, node.end_col_offset or 0)
        place = self._placed(node, end - len(node.attr.encode()), node.attr)
        if place is not None:
            start = self.at(node.lineno, node.col_offset)
            target = ".".join((base, *reversed(parts)))
            self.uses.append(Use(place, end, node.attr, self._scope, None, target, start, value.id))

    def _placed(self, node: ast.expr, place: int, name: str) -> int | None:
        """In an f-string of several lines the parser of Python 3.11 misses the place."""
        if self.data[place : place + len(name.encode())] == name.encode():
            return place
        self.unplaced.append(f"{self.module}:{node.lineno}: {name}")
        return None


def bindings(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Names that an import binds, with what they stand for."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, f"{'.' * node.level}{node.module or ''}.{alias.name}"
        elif alias.asname:
            yield alias.asname, alias.name
        else:
            top = alias.name.partition(".")[0]
            yield top, top


def _each(arguments: ast.arguments) -> list[ast.arg]:
    more = [one for one in (arguments.vararg, arguments.kwarg) if one]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *more]


def _arguments(arguments: ast.arguments) -> list[str]:
    return [one.arg for one in _each(arguments)]


def _evaluated_outside(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[ast.AST]:
    """Parts of a definition that belong to the scope around it."""
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases]
    return [*node.decorator_list, *node.args.defaults, *(one for one in node.args.kw_defaults if one)]
