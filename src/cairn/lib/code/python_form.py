"""The normal form of Python: a syntax tree as a row of tokens in which locals have numbers instead of names.

One walk writes every node once. Names are put down as they are and remembered; when a function ends, those that it
bound itself are replaced by numbers in the order in which they came, and the others are handed to the function around.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import Any, Final

_NONE: Final = "~"
_END: Final = "]"
_UNSEEN: Final = frozenset({"ctx", "kind", "type_comment"})


class PythonScope:
    """One function, comprehension or class while it is written."""

    __slots__ = ("bound", "fixed", "kind", "names", "outer")

    def __init__(self, kind: str, fixed: Iterable[str] = ()) -> None:
        self.kind = kind
        self.fixed = set(fixed)
        """Parameters and globals: never renamed, here or further out."""
        self.outer: set[str] = set()
        """What was declared nonlocal, and so is renamed further out."""
        self.bound: set[str] = set()
        self.names: list[tuple[int, str]] = []
        """Where in the row a name stands that may turn out to be local."""


class Writer:
    """Writes nodes into `out`; `calls` gets every call whose function's last name is in `wanted`, and what is read
    from `environ`."""

    def __init__(self, wanted: frozenset[str] = frozenset()) -> None:
        self.out: list[str] = []
        self.calls: list[ast.Call | ast.Subscript] = []
        self._wanted = wanted
        self._scopes: list[PythonScope] = []
        self._special: dict[type[ast.AST], Callable[[Any], None]] = {
            ast.Name: self._name,
            ast.Constant: self._constant,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.Subscript: self._subscript,
            ast.Expr: self._expression_statement,
            ast.Pass: self._nothing,
            ast.AnnAssign: self._annotated,
            ast.NamedExpr: self._walrus,
            ast.JoinedStr: self._joined,
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.Lambda: self._lambda,
            ast.ClassDef: self._class,
            ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.DictComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.ExceptHandler: self._handler,
            ast.MatchAs: self._capture,
            ast.MatchStar: self._capture,
            ast.MatchMapping: self._capture_rest,
            ast.Import: self._import,
            ast.ImportFrom: self._import,
            ast.Global: self._global,
            ast.Nonlocal: self._nonlocal,
        }

    # --- what others call -------------------------------------------------------------------------------------------

    def node(self, node: ast.AST) -> None:
        kind = type(node)
        special = self._special.get(kind)
        if special is not None:
            special(node)
        else:
            self._plain(node, kind)

    def nodes(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.node(node)
        self.out.append(_END)

    def optional(self, node: ast.AST | None) -> None:
        if node is None:
            self.out.append(_NONE)
        else:
            self.node(node)

    def parameters(self, arguments: ast.arguments, each: Callable[[ast.arg, int], None] | None = None) -> None:
        """Names, kinds, annotations and defaults. `each` is told where in the row a parameter with a default starts."""
        ordered = [*arguments.posonlyargs, *arguments.args]
        bare = len(ordered) - len(arguments.defaults)
        for index, argument in enumerate(ordered):
            if index == len(arguments.posonlyargs):
                self.out.append("/")
            self._parameter(argument, arguments.defaults[index - bare] if index >= bare else None, each)
        self.out.append("*")
        if arguments.vararg:
            self._parameter(arguments.vararg, None, None)
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            self._parameter(argument, default, each)
        self.out.append("**")
        if arguments.kwarg:
            self._parameter(arguments.kwarg, None, None)

    def body(self, arguments: ast.arguments, statements: Iterable[ast.AST], own: str = "") -> None:
        """What a function does, its locals renamed, and its own name where it calls itself."""
        self._open("function", _parameter_names(arguments))
        self.nodes(statements)
        for at, name in self._close():
            if name == own:
                self.out[at] = "%self"

    # --- plain nodes ------------------------------------------------------------------------------------------------

    def _plain(self, node: ast.AST, kind: type[ast.AST]) -> None:
        out = self.out
        out.append(kind.__name__)
        for field in _FIELDS[kind]:
            value = getattr(node, field, None)
            if isinstance(value, ast.AST):
                self.node(value)
            elif type(value) is list:
                self._list(value)
            else:
                out.append(_NONE if value is None else str(value))

    def _list(self, values: list[Any]) -> None:
        for item in values:
            if isinstance(item, ast.AST):
                self.node(item)
            else:
                self.out.append(_NONE if item is None else str(item))
        self.out.append(_END)

    def _name(self, node: ast.Name) -> None:
        self._named(node.id, binds=type(node.ctx) is not ast.Load)

    def _constant(self, node: ast.Constant) -> None:
        self.out.append(constant_text(node.value))

    def _attribute(self, node: ast.Attribute) -> None:
        self.node(node.value)
        self.out.append("." + node.attr)

    def _subscript(self, node: ast.Subscript) -> None:
        self.out.append("Subscript")
        if self._wanted and last_name(node.value) == "environ":
            self.calls.append(node)
        self.node(node.value)
        self.node(node.slice)

    def _call(self, node: ast.Call) -> None:
        if self._wanted and last_name(node.func) in self._wanted:
            self.calls.append(node)
        self.out.append("Call")
        self.node(node.func)
        self.nodes(node.args)
        for keyword in node.keywords:
            self.out.append(f"{keyword.arg or '**'}=")
            self.node(keyword.value)
        self.out.append(_END)

    def _joined(self, node: ast.JoinedStr) -> None:
        """An f-string without a placeholder is a string. Texts side by side are one, and an empty one is none: some
        versions of Python cut them differently."""
        texts, placeholders = [""], []
        for part in node.values:
            if isinstance(part, ast.Constant):
                texts[-1] += str(part.value)
            else:
                placeholders.append(part)
                texts.append("")
        if placeholders:
            self.out.append("JoinedStr")
        for text, placeholder in zip_longest(texts, placeholders):
            if text or not placeholders:
                self.out.append(repr(text))
            if placeholder is not None:
                self.node(placeholder)
        if placeholders:
            self.out.append(_END)

    # --- statements -------------------------------------------------------------------------------------------------

    def _nothing(self, _node: ast.AST) -> None:
        """`pass` does nothing, and docstrings and `...` say nothing to the machine."""

    def _expression_statement(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.out.append("Expr")
            self.node(node.value)

    def _annotated(self, node: ast.AnnAssign) -> None:
        """The annotation of a local is a comment with a syntax."""
        if self._scopes and self._scopes[-1].kind == "function" and isinstance(node.target, ast.Name):
            self._scopes[-1].bound.add(node.target.id)
            if node.value is not None:
                self.out.append("Assign")
                self.node(node.target)
                self.out.append(_END)
                self.node(node.value)
        else:
            self._plain(node, ast.AnnAssign)

    def _walrus(self, node: ast.NamedExpr) -> None:
        """In a comprehension it binds in the function around."""
        self.out.append("NamedExpr")
        self._named(node.target.id, binds=False)
        for scope in reversed(self._scopes):
            if scope.kind != "comprehension":
                scope.bound.add(node.target.id)
                break
        self.node(node.value)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        origin = f"{'.' * node.level}{node.module or ''}" if isinstance(node, ast.ImportFrom) else ""
        for alias in sorted(node.names, key=lambda alias: (alias.name, alias.asname or "")):
            self.out.append(f"import {origin}:{alias.name}")
            if self._scopes:
                self._named(alias.asname or alias.name.partition(".")[0], binds=True)
            elif alias.asname:
                self.out.append(f"as {alias.asname}")

    def _handler(self, node: ast.ExceptHandler) -> None:
        self.out.append("except")
        self.optional(node.type)
        self._maybe_named(node.name)
        self.nodes(node.body)

    def _capture(self, node: ast.MatchAs | ast.MatchStar) -> None:
        self.out.append(type(node).__name__)
        if isinstance(node, ast.MatchAs):
            self.optional(node.pattern)
        self._maybe_named(node.name)

    def _capture_rest(self, node: ast.MatchMapping) -> None:
        self.out.append("MatchMapping")
        self.nodes(node.keys)
        self.nodes(node.patterns)
        self._maybe_named(node.rest)

    def _global(self, node: ast.Global) -> None:
        self.out.extend(["global", *sorted(node.names)])
        if self._scopes:
            self._scopes[-1].fixed.update(node.names)

    def _nonlocal(self, node: ast.Nonlocal) -> None:
        """The name is the outer function's, so that it is renamed there."""
        self.out.append("nonlocal")
        for name in node.names:
            self._named(name, binds=False)
        if self._scopes:
            self._scopes[-1].outer.update(node.names)

    # --- scopes -----------------------------------------------------------------------------------------------------

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.out.append(type(node).__name__)
        self.nodes(node.decorator_list)
        self._named(node.name, binds=True)
        self._list(getattr(node, "type_params", []))
        self.parameters(node.args)
        self.optional(node.returns)
        self.body(node.args, node.body)

    def _lambda(self, node: ast.Lambda) -> None:
        """Nobody passes the parameters of a lambda by name, so they are locals."""
        self.out.append("Lambda")
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            self.optional(default)
        self._open("function")
        for word, arguments in _parameter_groups(node.args):
            self.out.append(word)
            for argument in arguments:
                self._named(argument.arg, binds=True)
        self.node(node.body)
        self._close()

    def _class(self, node: ast.ClassDef) -> None:
        self.out.append("ClassDef")
        self._named(node.name, binds=True)
        self.class_header(node)
        self._open("class")
        self.nodes(node.body)
        self._close()

    def class_header(self, node: ast.ClassDef) -> None:
        self.nodes(node.decorator_list)
        self._list(getattr(node, "type_params", []))
        self.nodes(node.bases)
        self._list(list(node.keywords))

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        self._open("comprehension")
        self._plain(node, type(node))
        self._close()

    def _parameter(
        self, argument: ast.arg, default: ast.expr | None, each: Callable[[ast.arg, int], None] | None
    ) -> None:
        self.out.append(f"({argument.arg}")
        start = len(self.out)
        self.optional(argument.annotation)
        self.optional(default)
        if each is not None and default is not None:
            each(argument, start)

    def _named(self, name: str, *, binds: bool) -> None:
        self.out.append(name)
        if self._scopes:
            scope = self._scopes[-1]
            scope.names.append((len(self.out) - 1, name))
            if binds:
                scope.bound.add(name)

    def _maybe_named(self, name: str | None) -> None:
        if name is None:
            self.out.append(_NONE)
        else:
            self._named(name, binds=True)

    def _open(self, kind: str, fixed: Iterable[str] = ()) -> None:
        self.out.append("{")
        self._scopes.append(PythonScope(kind, fixed))

    def _close(self) -> list[tuple[int, str]]:
        """Numbers what is local, and returns the names that are not."""
        scope = self._scopes.pop()
        self.out.append("}")
        if scope.kind == "class":
            return self._hand_over([(at, name) for at, name in scope.names if name not in scope.bound])
        local = scope.bound - scope.fixed - scope.outer
        numbers: dict[str, str] = {}
        free = []
        for at, name in scope.names:
            if name in local:
                if name not in numbers:
                    numbers[name] = f"%{len(self._scopes)}.{len(numbers)}"
                self.out[at] = numbers[name]
            elif name not in scope.fixed:
                free.append((at, name))
        return self._hand_over(free)

    def _hand_over(self, names: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """Functions in a class don't see its names, so these go to the nearest scope that is no class."""
        for scope in reversed(self._scopes):
            if scope.kind != "class":
                scope.names.extend(names)
                break
        return names


def constant_text(value: object) -> str:
    """A literal in one spelling. Python refuses to write very long integers in decimal."""
    if type(value) is int and value.bit_length() > 128:
        return hex(value)
    return repr(value)


def last_name(node: ast.expr) -> str:
    """`option` of `click.option`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _every_kind(kind: type[ast.AST] = ast.AST) -> Iterator[type[ast.AST]]:
    yield kind
    for below in kind.__subclasses__():
        yield from _every_kind(below)


_FIELDS: Final = {kind: tuple(field for field in kind._fields if field not in _UNSEEN) for kind in _every_kind()}


def _parameter_groups(arguments: ast.arguments) -> tuple[tuple[str, list[ast.arg]], ...]:
    return (
        ("/", arguments.posonlyargs),
        (",", arguments.args),
        ("*", [arguments.vararg] if arguments.vararg else []),
        ("k", arguments.kwonlyargs),
        ("**", [arguments.kwarg] if arguments.kwarg else []),
    )


def _parameter_names(arguments: ast.arguments) -> list[str]:
    return [argument.arg for _, group in _parameter_groups(arguments) for argument in group]
