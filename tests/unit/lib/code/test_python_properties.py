"""Properties of the normal form of Python, on code that nobody wrote by hand."""

import ast
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.lib.code.read import outline

NAMES = ["alpha", "beta", "gamma", "delta"]
LOCALS = ["one", "two", "three"]

literals = st.one_of(
    st.integers(-(10**30), 10**30).map(repr),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.text(max_size=6).map(repr),
    st.binary(max_size=4).map(repr),
    st.sampled_from(["None", "True", "False"]),
)
expressions = st.recursive(
    st.one_of(literals, st.sampled_from([*LOCALS, "argument", "GLOBAL"])),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "<", "==", "and", "in"]), inner).map(
            lambda it: f"({' '.join(it)})"
        ),
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.tuples(inner, inner).map(lambda it: f"call({it[0]}, key={it[1]})"),
        inner.map(lambda it: f"[one for one in {it}]"),
        inner.map(lambda it: f"(lambda one: {it})"),
        inner.map(lambda it: f"({it}).attribute"),
    ),
    max_leaves=6,
)
statements = st.one_of(
    st.tuples(st.sampled_from(LOCALS), expressions).map(lambda it: f"{it[0]} = {it[1]}"),
    expressions.map(lambda it: f"if {it}: return {it}"),
    st.tuples(st.sampled_from(LOCALS), expressions).map(lambda it: f"for {it[0]} in {it[1]}: print({it[0]})"),
    expressions.map(lambda it: f"raise ValueError({it})"),
    expressions.map(lambda it: f"def inner(two): return {it}"),
)


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    default: str
    body: tuple[str, ...]

    def text(self) -> str:
        return "\n".join(
            [f"def {self.name}(argument={self.default}):", *[f"    {line}" for line in self.body], "    pass"]
        )


functions = st.builds(Function, st.just("f"), literals, st.lists(statements, min_size=1, max_size=4).map(tuple))
several = st.lists(
    st.builds(Function, st.sampled_from(NAMES), literals, st.lists(statements, max_size=2).map(tuple)),
    min_size=2,
    max_size=4,
    unique_by=lambda function: function.name,
)


def digests(text: str) -> dict[str, tuple[str, str]]:
    found = outline("a.py", text.encode("utf-8", "surrogatepass"))
    assert found.language == "python", found.note
    return {"": (found.digest, "")} | {one.name: (one.interface, one.content) for one in found.symbols}


@given(functions)
def test_the_formatting_of_another_program_is_neutral(function: Function) -> None:
    text = function.text()
    assert digests(ast.unparse(ast.parse(text))) == digests(text)


@given(functions, st.text(alphabet="abc #'\"(", max_size=9))
def test_comments_and_blank_lines_are_neutral(function: Function, comment: str) -> None:
    text = function.text()
    assert digests(text.replace("\n", f"  # {comment}\n\n    # {comment}\n")) == digests(text)


@given(several, st.randoms(use_true_random=False))
def test_the_order_of_definitions_is_neutral(found: list[Function], random: object) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    before = "\n".join(one.text() for one in found)
    assert digests("\n".join(one.text() for one in shuffled)) == digests(before)


class _Renaming(ast.NodeTransformer):
    """Gives the locals of the generated functions other names, but leaves the parameter of `inner` alone."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.copy_location(ast.arg(self.names.get(node.arg, node.arg), node.annotation), node)


@given(functions)
@settings(max_examples=150)
def test_the_names_of_locals_are_neutral(function: Function) -> None:
    tree = ast.parse(function.text())
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)} | {
        argument.arg for node in ast.walk(tree) if isinstance(node, ast.Lambda) for argument in node.args.args
    }
    # A name that is only read is global, and `two` is also a parameter, which has to keep its name.
    free = {name for name in LOCALS if not _is_bound_everywhere(tree, name)}
    renamed = _Renaming({name: f"{name}_renamed" for name in bound - free - {"two"}}).visit(tree)
    assert digests(ast.unparse(ast.fix_missing_locations(renamed))) == digests(function.text())


def _is_bound_everywhere(tree: ast.Module, name: str) -> bool:
    """Whether the function itself binds the name, so that no use of it is global."""
    (function,) = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    stored = [
        node
        for statement in function.body
        for target in (
            [*statement.targets] if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        )
        if (node := target) is not None
    ]
    return any(isinstance(node, ast.Name) and node.id == name for node in stored)


@given(functions, st.data())
def test_another_literal_is_another_content(function: Function, data: st.DataObject) -> None:
    tree = ast.parse(function.text())
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    chosen = data.draw(st.sampled_from(found))
    chosen.value = "something quite different"
    changed = digests(ast.unparse(tree))
    before = digests(function.text())
    assert changed["f"][1] != before["f"][1]
    assert changed[""] != before[""]


@given(functions, literals)
def test_another_default_is_another_interface(function: Function, default: str) -> None:
    other = Function(function.name, default, function.body)
    same = repr(ast.literal_eval(default)) == repr(ast.literal_eval(function.default))
    before, after = digests(function.text()), digests(other.text())
    assert (before["f"][0] == after["f"][0]) is same
    assert (before["f.argument"] == after["f.argument"]) is same
