"""What tree-sitter knows: definitions and their digests from a syntax tree, by the tables of `languages.py`."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from cairn.lib.code.flags import flags_and_variables
from cairn.lib.code.grammar_form import GrammarForm, named_by, without_comments
from cairn.lib.code.languages import CONSTRUCTORS, IN_ORDER, LANGUAGES, MEMBER_LISTS, Language
from cairn.lib.code.model import Outline, Probe, Symbol, SymbolKind, decode, digest_of, shortened, text_outline

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_BYTES: Final = 500_000
_UNSURE: Final = 32_000
"""Bytes. Shorter texts keep no parser busy for long, but for that of TSX, which can go round in circles."""
_DECORATING: Final = frozenset({"attribute_item", "decorator"})
_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression", "generator_function", "function"})
_NOT_SEEN: Final = frozenset({"field_initializer_list", "constructor_initializer"})
"""Between a declaration and its body, but nobody's business."""


def grammar_outline(path: str, data: bytes, language: str, probe: Probe | None = None) -> Outline:
    table = LANGUAGES[language]
    if len(data) > MAX_BYTES:
        return text_outline(path, data, f"It is larger than {MAX_BYTES // 1_000} KB, so it was read as text.")
    parser = _parser(language)
    if parser is None:
        note = f"Reading {table.title} needs the extra `code` (pip install 'cairn-kb[code]'); it was read as text."
        return text_outline(path, data, note)
    # Some grammars want a line end behind the last declaration.
    source = (decode(data).replace("\r\n", "\n") + "\n").encode("utf-8", "replace")
    if language == "tsx" or len(source) > _UNSURE:
        if probe is None:
            return text_outline(path, data, f"Reading it as {table.title} may never end, so it was read as text.")
        if not probe(lambda: parser.parse(source)):
            return text_outline(path, data, f"Reading it as {table.title} took too long, so it was read as text.")
    root = parser.parse(source).root_node
    if _broken_share(root) > 0.3:
        return text_outline(path, data, f"Much of it is not valid {table.title}, so it was read as text.")
    note = f"Parts of it are not valid {table.title}, so some names may be missing." if root.has_error else ""
    return _File(path, language, table, source).outline(root, note)


def _parser(language: str) -> "Parser | None":
    try:
        import tree_sitter_language_pack as pack
    except ImportError:
        return None
    try:
        return pack.get_parser(cast("Any", language))
    except (LookupError, OSError, ValueError):
        return None


def _broken_share(root: "Node") -> float:
    """How much of a file the grammar could make nothing of. Macros of C leave small holes that don't matter."""
    if not root.has_error or root.end_byte == 0:
        return 0.0
    if root.type == "ERROR":
        return 1.0
    broken, waiting = 0, [root]
    while waiting:
        for child in waiting.pop().children:
            if child.is_error:
                broken += child.end_byte - child.start_byte
            elif child.has_error:
                waiting.append(child)
    return broken / root.end_byte


class _File:
    def __init__(self, path: str, language: str, table: Language, source: bytes) -> None:
        self._path = path
        self._language = language
        self._table = table
        self._source = source
        self._form = GrammarForm(table)
        self._found: list[Symbol] = []

    def outline(self, root: "Node", note: str) -> Outline:
        parts = self._members(root, "")
        for flag in flags_and_variables(without_comments(root, self._source), self._language):
            self._found.append(flag._replace(path=self._path))
        return Outline(self._path, self._language, tuple(_joined(self._found)), digest_of(parts), note)

    # --- definitions ------------------------------------------------------------------------------------------------

    def _members(self, node: "Node", prefix: str) -> list[str]:
        """Defines what is in a node. Returns its normal form: definitions in no order, the rest in its own."""
        named: list[str] = []
        others: list[str] = []
        held: list[Node] = []
        for child in node.named_children:
            if "comment" in child.type:
                continue
            if child.type in _DECORATING:
                held.append(child)
                continue
            self._member(child, held, prefix, named, others)
            held = []
        if node.type in IN_ORDER:
            return [*named, "|", *others]
        return [*sorted(named), "|", *others]

    def _member(self, node: "Node", held: "list[Node]", prefix: str, named: list[str], others: list[str]) -> None:
        if node.type in self._table.imports:
            named.append("import=" + digest_of(self._form.tokens(node)))
        elif scope := self._scope(node):
            form = self._members(_member_list(node) or _body(node) or node, f"{prefix}{scope}.")
            named.append(f"{scope}=" + digest_of([*self._head(node), *form]))
        elif symbols := self._define(node, held, prefix):
            self._found.extend(symbols)
            named.extend(f"{symbol.name}={symbol.content}" for symbol in symbols)
        elif self._holds_definitions(node):
            form = self._members(node, prefix)
            (named if node.child_count < 4 else others).append(digest_of([*self._words(node), *form]))
        else:
            others.append(digest_of([token for one in (*held, node) for token in self._form.tokens(one)]))

    def _holds_definitions(self, node: "Node") -> bool:
        """Whether to look into it: `export`, a namespace, `#ifdef`, but not what is only done when it runs."""
        if node.type in self._table.definitions or node.type in ("call", "command", "block", "statement_block"):
            return False
        waiting = [node]
        for _ in range(4):
            waiting = [child for one in waiting for child in one.named_children]
            if any(child.type in self._table.definitions or child.type in self._table.scopes for child in waiting):
                return True
        return False

    def _scope(self, node: "Node") -> str:
        field = self._table.scopes.get(node.type)
        if node.type == "class_declaration" and _text(node.child_by_field_name("declaration_kind")) == "extension":
            field = "name"
        found = node.child_by_field_name(field) if field else None
        return "" if found is None else _bare_type(_text(found))

    def _define(self, node: "Node", held: "list[Node]", prefix: str) -> list[Symbol]:
        kind = _plain_member(node) or self._table.definitions.get(node.type)
        if kind is None:
            return []
        names = list(named_by(node)) or [(node.children[0] if node.children else node, None)]
        owners = {own.id for _, own in names if own is not None}
        found = []
        for name, own in names:
            spelled = _spelled(name)
            if not spelled or not self._counts(node, name):
                continue
            skipped = frozenset({name.id, *(owners - {own.id} if own is not None else ())})
            full = f"{prefix}{self._receiver(node)}{spelled}"
            found.append(self._symbol(node, held, full, _kind(node, kind, full), skipped))
        return found

    def _counts(self, node: "Node", name: "Node") -> bool:
        """Ruby's constants are assignments to a name with a capital; a struct without a body only mentions one."""
        if node.type == "assignment":
            return name.type == "constant"
        if node.type.endswith("_specifier"):
            return _member_list(node) is not None
        return "pattern" not in name.type or self._language == "swift"

    def _receiver(self, node: "Node") -> str:
        """The type that a method of Go or an extension of Kotlin belongs to."""
        found = node.child_by_field_name("receiver")
        return "" if found is None else _bare_type(_text(found).strip("()").rpartition(" ")[2]) + "."

    def _symbol(self, node: "Node", held: "list[Node]", name: str, kind: SymbolKind, skipped: frozenset[int]) -> Symbol:
        body = _body(node) if kind in ("function", "method") else None
        members = _member_list(node) if kind == "class" else None
        hidden = [one for one in node.children if one.type in _NOT_SEEN]
        inside = {one.id for one in (body, members, *hidden) if one is not None}
        decoration = [token for one in held for token in self._form.tokens(one)]
        head = [*decoration, *self._form.tokens(node, skipped | inside)]
        if members is not None:
            interface, content = self._class(node, head, members, name)
        else:
            interface = head
            content = [*head, "{", *self._form.function(node, skipped, [one for one in (*hidden, body) if one])]
        line = min(one.start_point[0] for one in (*held, node)) + 1
        last = node.end_point[0] + (0 if node.end_point[1] == 0 and node.end_point[0] > node.start_point[0] else 1)
        shown = self._shown(node, body or members, name)
        return Symbol(self._path, name, kind, line, last, digest_of(interface), digest_of(content), shown)

    def _class(self, node: "Node", head: list[str], members: "Node", name: str) -> tuple[list[str], list[str]]:
        start = len(self._found)
        form = self._members(members, f"{name}.")
        direct = [one for one in self._found[start:] if one.name.rpartition(".")[0] == name]
        short = name.rpartition(".")[2]
        visible = [
            f"{one.name}={one.interface}"
            for one in direct
            if one.kind in ("attribute", "constant") or one.short in CONSTRUCTORS or one.short == short
        ]
        if members.type not in IN_ORDER:
            visible.sort()
        plain = [one for one in form if "=" not in one] if members.type in IN_ORDER else []
        return [*head, "|", *_renamed(visible, name), *plain], [*head, "|", *_renamed(form, name)]

    # --- tokens and texts -------------------------------------------------------------------------------------------

    def _head(self, node: "Node") -> list[str]:
        members = _member_list(node)
        return self._form.tokens(node, frozenset() if members is None else frozenset({members.id}))

    def _words(self, node: "Node") -> list[str]:
        """The keywords of something that holds definitions."""
        return [_text(child) for child in node.children if not child.is_named and child.type not in (";", ",")]

    def _shown(self, node: "Node", body: "Node | None", name: str) -> str:
        end = node.end_byte if body is None else body.start_byte
        text = self._source[node.start_byte : max(end, node.start_byte)].decode("utf-8", "replace")
        shown = shortened(text).rstrip("{= ;:,").strip()
        short = name.rpartition(".")[2]
        return shown if short in shown else f"{shown} {short}".strip()


# --- helpers --------------------------------------------------------------------------------------------------------


def _joined(symbols: Sequence[Symbol]) -> Iterator[Symbol]:
    """One symbol a name, but for flags: a declaration and its definition, or a getter and its setter, are one."""
    groups: dict[tuple[str, str], list[Symbol]] = {}
    for symbol in symbols:
        groups.setdefault((symbol.name, symbol.interface if symbol.kind == "flag" else ""), []).append(symbol)
    for first, *more in groups.values():
        if not more or first.kind in ("flag", "key"):
            yield first
        else:
            interface = digest_of([one.interface for one in (first, *more)])
            yield first._replace(interface=interface, content=digest_of([one.content for one in (first, *more)]))


def _renamed(parts: Iterable[str], name: str) -> list[str]:
    """Members by their own names, so that a class with a new name is known again."""
    return [part.removeprefix(f"{name}.") for part in parts]


def _kind(node: "Node", kind: SymbolKind, name: str) -> SymbolKind:
    """A function in a class is a method, a declaration in one an attribute, and a constant may be a function."""
    if kind == "constant" and _is_function(node):
        kind = "function"
    if "." not in name:
        return "function" if kind == "method" else kind
    if kind == "function":
        return "method"
    return "attribute" if kind == "constant" else kind


def _plain_member(node: "Node") -> SymbolKind | None:
    """A member of a TypeScript enumeration without a value is a bare name."""
    parent = node.parent if node.type == "property_identifier" else None
    return "attribute" if parent is not None and parent.type == "enum_body" else None


def _is_function(node: "Node") -> bool:
    value = node.child_by_field_name("value")
    if value is not None and value.type in _FUNCTIONS:
        return True
    return any(True for _ in _declarators(node))


def _declarators(node: "Node") -> "Iterator[Node]":
    """The function that a declaration of C declares, be it behind a pointer."""
    current = node.child_by_field_name("declarator")
    while current is not None:
        if current.type == "function_declarator":
            yield current
        current = current.child_by_field_name("declarator")


def _body(node: "Node") -> "Node | None":
    found = node.child_by_field_name("body")
    if found is None:
        found = next((child for child in node.children if child.type == "function_body"), None)
    if found is None and (value := node.child_by_field_name("value")) is not None and value.type in _FUNCTIONS:
        found = value.child_by_field_name("body")
    return found


def _member_list(node: "Node") -> "Node | None":
    """The list of members, which is a child, or one of the type that is being given a name."""
    body = node.child_by_field_name("body")
    if body is not None and (body.type in MEMBER_LISTS or body.type == "body_statement"):
        return body
    for child in node.children:
        if child.type in MEMBER_LISTS:
            return child
    inner = node.child_by_field_name("type") or node.child_by_field_name("value")
    if inner is None or inner.type in MEMBER_LISTS:
        return inner
    return next((child for child in inner.children if child.type in MEMBER_LISTS), None)


def _text(node: "Node | None") -> str:
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def _spelled(name: "Node") -> str:
    """`Client.send` of C++'s `net::Client::send`, `port` of PHP's `$port`."""
    parts = _text(name).split("::")[-2:]
    return ".".join(part.strip() for part in parts).lstrip("$")


def _bare_type(text: str) -> str:
    """`Server` of `*Server[T]`."""
    return text.strip("*& ").partition("<")[0].partition("[")[0].rpartition("::")[2].strip()
