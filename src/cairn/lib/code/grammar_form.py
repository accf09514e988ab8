"""The normal form of a syntax tree: its tokens without comments and layout, locals numbered in the order they come."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from cairn.lib.code.languages import NOT_A_VARIABLE, Language

if TYPE_CHECKING:
    from tree_sitter import Node

_CLOSING: Final = frozenset({")", "]", "}", ">"})
_MARKED: Final = ("statement", "declaration", "definition", "command", "assignment", "call")
"""Where nodes of such a type start is noted, since the ends of lines that told them apart are gone."""
_TEXTS: Final = ("string", "heredoc", "char_literal", "character_literal", "regex")
_SIMPLE: Final = re.compile(r"""(['"])([^'"\\$#\n]*)\1""")
_NAMING: Final = (
    "name", "declarator", "bound_identifier", "left", "variable_declarator", "variable_declaration", "property_element",
    "const_element", "pattern", "simple_identifier", "type_identifier", "property_identifier", "identifier", "constant",
)  # fmt: skip
"""Fields and child types behind which a definition keeps its name, the surest first."""
_WHOLE: Final = frozenset(
    {"qualified_identifier", "destructor_name", "operator_name", "variable_name", "template_function"}
)


_ONE_NAME: Final = frozenset({"function_declaration", "protocol_function_declaration", "protocol_property_declaration"})


class GrammarForm:
    """Writes nodes as tokens, in one language."""

    def __init__(self, table: Language) -> None:
        self._table = table

    def tokens(self, node: "Node", skipped: frozenset[int] = frozenset()) -> list[str]:
        out: list[str] = []
        self._write(node, out, skipped, {})
        return out

    def function(self, node: "Node", skipped: frozenset[int], bodies: "list[Node]") -> list[str]:
        """What a function does, with numbers for the names that it declares itself."""
        inside = frozenset(body.id for body in bodies)
        fixed = set(self._variables(node, skipped | inside))
        bound = {name for body in bodies for name in self._bound(body) if name not in fixed}
        numbers: dict[str, str] = dict.fromkeys(bound, "")
        out: list[str] = []
        for body in bodies:
            self._write(body, out, skipped, numbers)
        return out

    # --- writing ----------------------------------------------------------------------------------------------------

    def _write(self, node: "Node", out: list[str], skipped: frozenset[int], numbers: dict[str, str]) -> None:
        kind = node.type
        if "comment" in kind or node.id in skipped:
            return
        children = node.children
        if not children or kind in self._table.variables:
            self._leaf(node, out)
        elif _is_text(kind):
            self._string(node, out, skipped, numbers)
        else:
            if kind.endswith(_MARKED):
                out.append(f"<{kind}")
            for child in _kept(node, children):
                self._write_inner(node, child, out, skipped, numbers)

    def _numbered(self, node: "Node", child: "Node", out: list[str], numbers: dict[str, str]) -> bool:
        name = _text(child)
        if name not in numbers or not _is_variable(node, child):
            return False
        if not numbers[name]:
            numbers[name] = f"%{sum(map(bool, numbers.values()))}"
        out.append(numbers[name])
        return True

    def _leaf(self, node: "Node", out: list[str]) -> None:
        text = _text(node)
        if _is_text(node.type):
            out.append(_plain_quotes(text, node.type))
        elif words := text.split():
            out.append(" ".join(words))

    def _string(self, node: "Node", out: list[str], skipped: frozenset[int], numbers: dict[str, str]) -> None:
        """As it is written, but for what is evaluated in it."""
        if all(not child.is_named or child.child_count == 0 for child in node.children):
            out.append(_plain_quotes(_text(node), node.type))
            return
        whole, at = node.text or b"", node.start_byte
        for child in node.children:
            if gap := whole[at - node.start_byte : child.start_byte - node.start_byte]:
                out.append(repr(gap))
            if child.child_count or child.type in self._table.variables:
                self._write_inner(node, child, out, skipped, numbers)
            else:
                out.append(repr(child.text))
            at = child.end_byte

    def _write_inner(
        self, node: "Node", child: "Node", out: list[str], skipped: frozenset[int], numbers: dict[str, str]
    ) -> None:
        if child.type not in self._table.variables or not self._numbered(node, child, out, numbers):
            self._write(child, out, skipped, numbers)

    # --- names ------------------------------------------------------------------------------------------------------

    def _bound(self, node: "Node") -> Iterator[str]:
        """Names that are declared in a body, in inner functions too."""
        places = self._table.locals.get(node.type, ())
        if node.type == "declaration_command" and not _text(node).startswith(("local", "declare", "typeset")):
            places = ()
        for place in places:
            for found in node.named_children if place == "*" else _selected(node, place):
                yield from self._declared(found)
        for child in node.named_children:
            yield from self._bound(child)

    def _declared(self, node: "Node") -> Iterator[str]:
        """The names in a pattern. In Rust a capital makes a constant of it, which a pattern only compares with."""
        if node.type in self._table.variables:
            name = _text(node)
            if not (name[:1].isupper() and self._table.title == "Rust") and name != "$this":
                yield name
            return
        if node.type in ("init_declarator", "function_declarator", "array_declarator", "variable_assignment"):
            first = node.child_by_field_name("declarator") or node.child_by_field_name("name")
            yield from self._declared(first) if first else ()
            return
        if node.type in ("member_expression", "subscript_expression", "call", "element_reference", "index_expression"):
            return
        for child in node.named_children:
            if _is_variable(node, child):
                yield from self._declared(child)

    def _variables(self, node: "Node", skipped: frozenset[int]) -> Iterator[str]:
        if node.id in skipped:
            return
        if node.type in self._table.variables:
            yield _text(node)
        for child in node.named_children:
            yield from self._variables(child, skipped)


def named_by(node: "Node") -> "Iterator[tuple[Node, Node | None]]":
    """The names that a definition gives, each with the part of the definition that is its own, if there are several."""
    chosen = _chosen(node)
    for one in chosen:
        for name, own in _names_in(one):
            yield name, own or (one if len(chosen) > 1 else None)


def _names_in(node: "Node") -> "Iterator[tuple[Node, Node | None]]":
    if node.type in _WHOLE or node.named_child_count == 0:
        yield node, None
    elif _chosen(node):
        yield from named_by(node)


def _chosen(node: "Node") -> "list[Node]":
    for place in _NAMING:
        if found := list(_selected(node, place)):
            # In Swift the type that a function returns is called a name as well.
            return found[:1] if node.type in _ONE_NAME else found
    # A reference of C++ has its declarator without a field.
    if node.type.endswith("declarator") and node.named_child_count:
        return [node.named_children[-1]]
    return []


def without_comments(root: "Node", source: bytes) -> str:
    """The text with blanks for comments, so that what is commented out is not found in it."""
    kept = bytearray(source)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if "comment" in node.type:
            kept[node.start_byte : node.end_byte] = _BLANKED.sub(b" ", source[node.start_byte : node.end_byte])
        else:
            waiting.extend(node.children)
    return kept.decode("utf-8", "replace")


_BLANKED: Final = re.compile(rb"[^\n]")


def _selected(node: "Node", place: str) -> "Iterable[Node]":
    """Children in a field of that name, or of that type."""
    found = [child for child in node.children_by_field_name(place) if child.is_named]
    return found or [child for child in node.named_children if child.type == place]


def _kept(node: "Node", children: "list[Node]") -> "Iterator[Node]":
    """Without what formatters add and remove: semicolons, a last comma, brackets around one parameter."""
    if node.type == "formal_parameters" and node.named_child_count == 1 and node.named_children[0].child_count <= 1:
        yield node.named_children[0]
        return
    for child, after in zip(children, [*children[1:], None], strict=True):
        if child.type == ";" and not node.type.startswith("for"):
            continue
        if child.type == "," and after is not None and after.type in _CLOSING:
            continue
        yield child


_AMBIGUOUS: Final = frozenset({"value_argument", *(parent for parent, _ in NOT_A_VARIABLE)})


def _is_variable(parent: "Node", child: "Node") -> bool:
    if parent.type not in _AMBIGUOUS:
        return True
    if parent.type == "value_argument":
        return child.next_sibling is None or child.next_sibling.type != "="
    at = next((index for index, one in enumerate(parent.children) if one.id == child.id), 0)
    return (parent.type, parent.field_name_for_child(at) or "") not in NOT_A_VARIABLE


def _is_text(kind: str) -> bool:
    return any(word in kind for word in _TEXTS) and not kind.startswith(
        ("template_substitution", "string_interpolation")
    )


def _plain_quotes(text: str, kind: str) -> str:
    """Where both quotes make strings they are the same while nothing in between is special."""
    found = None if "char" in kind else _SIMPLE.fullmatch(text)
    return repr(found[2]) if found else repr(text)


def _text(node: "Node") -> str:
    return "" if node.text is None else node.text.decode("utf-8", "replace")
