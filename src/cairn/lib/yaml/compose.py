"""Reads a YAML mapping node by node, or key by key where the text as a whole is not valid: what is sound survives."""

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from math import inf
from typing import Any, Final, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer
from ruamel.yaml.error import ReusedAnchorWarning, YAMLError
from ruamel.yaml.events import AliasEvent
from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode
from ruamel.yaml.resolver import VersionedResolver
from ruamel.yaml.tag import Tag

from cairn.lib.yaml.core_schema import FALSE, NULLS, TRUE, core_number, core_scalar, key_text
from cairn.lib.yaml.parse import DANGEROUS_KEYS, MANY_BRACKETS, MAX_DEPTH, YamlProblem, load_yaml

MAX_NODES: Final = 10_000
MAX_ALIASES: Final = 100

_PLAIN = "?"
_UNDEFINED = "?*"
_CORE = "tag:yaml.org,2002:"


class LostKey(NamedTuple):
    """A key that was refused. `line` counts from 1, within the text."""

    key: str
    reason: str
    line: int


class ComposedMapping(NamedTuple):
    value: dict[str, Any]
    lost: tuple[LostKey, ...]


class NotComposed(ValueError):
    """A text that is not a YAML mapping."""


class _Refused(Exception):
    """Why a value is refused, as the end of a sentence."""


class _Resolver(VersionedResolver):
    """Marks plain scalars, so that they are told from quoted and from tagged ones."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        if kind is ScalarNode and implicit[0]:
            return Tag(suffix=_PLAIN)
        return super().resolve(kind, value, implicit)


class _Composer(Composer):
    """Marks aliases without an anchor, which would otherwise end the whole text."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.parser.check_event(AliasEvent) and self.parser.peek_event().anchor not in self.anchors:
            event = self.parser.get_event()
            return ScalarNode(Tag(suffix=_UNDEFINED), event.anchor, event.start_mark, event.end_mark)
        return super().compose_node(parent, index)

    def compose_scalar_node(self, anchor: Any) -> Any:
        event = self.parser.peek_event()
        if str(event.ctag) == "!":  # says that it is text, whatever it looks like
            event.implicit = (False, True)
        return super().compose_scalar_node(anchor)


def compose_mapping(text: str) -> ComposedMapping:
    """The keys of a mapping that can be read, and those that cannot."""
    root = _compose(text)
    if not isinstance(root, MappingNode):
        raise NotComposed("not a mapping")
    sizes = _Sizes()
    value: dict[str, Any] = {}
    lost: list[LostKey] = []
    for key, node in root.value:
        shown, line = _shown(key, text), key.start_mark.line + 1
        try:
            name = _key(key)
            _must_be_new(name, value)
            sizes.take(node)
            value[name] = _value(node, 1)
        except _Refused as refused:
            lost.append(LostKey(shown, str(refused), line))
    return ComposedMapping(value, tuple(lost))


def _compose(text: str) -> Any:
    if text.count("[") + text.count("{") > MANY_BRACKETS:
        raise NotComposed("too many brackets")
    yaml = YAML(typ="safe", pure=True)
    yaml.Resolver, yaml.Composer = _Resolver, _Composer
    yaml.max_depth = MAX_DEPTH
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReusedAnchorWarning)  # printed to the terminal of whoever runs Cairn
            return yaml.compose(text)
    except (YAMLError, RecursionError, ValueError, AttributeError, IndexError):
        raise NotComposed("not valid YAML") from None


def _shown(key: Any, text: str) -> str:
    written = key.value if isinstance(key, ScalarNode) else text[key.start_mark.index : key.end_mark.index]
    return str(written).strip()[:80]


def _must_be_new(name: str, known: dict[str, Any]) -> None:
    if name in known:
        raise _Refused("the key occurs twice, and the first value counts")


# --- bounds ---------------------------------------------------------------------------------------------------------


class _Size(NamedTuple):
    nodes: float
    aliases: float


class _Sizes:
    """How large values become once their aliases are expanded; known without expanding them."""

    def __init__(self) -> None:
        self._known: dict[int, _Size | None] = {}
        self._nodes = 0.0
        self._aliases = 0.0

    def take(self, node: Any) -> None:
        """Count a value in, unless the document becomes too large with it."""
        size = self._measure(node)
        if size.nodes == inf:
            raise _Refused("an alias refers to a value that contains it")
        if self._aliases + size.aliases > MAX_ALIASES or self._nodes + size.nodes > MAX_NODES:
            raise _Refused(f"it has more than {MAX_ALIASES} aliases or {MAX_NODES:,} values once they are expanded")
        self._nodes += size.nodes
        self._aliases += size.aliases

    def _measure(self, node: Any) -> _Size:
        if id(node) in self._known:  # the second place of a node is an alias
            known = self._known[id(node)]
            return _Size(inf, inf) if known is None else _Size(known.nodes, known.aliases + 1)
        self._known[id(node)] = None
        sizes = [self._measure(child) for child in _children(node)]
        size = _Size(1 + sum(s.nodes for s in sizes), sum(s.aliases for s in sizes))
        self._known[id(node)] = size
        return size


def _children(node: Any) -> Iterator[Any]:
    if isinstance(node, MappingNode):
        for key, value in node.value:
            yield key
            yield value
    elif isinstance(node, SequenceNode):
        yield from node.value


# --- values ---------------------------------------------------------------------------------------------------------


def _value(node: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise _Refused(f"it is nested more than {MAX_DEPTH} levels deep")
    tag = str(node.tag)
    if isinstance(node, ScalarNode):
        return _scalar(tag, node.value)
    if isinstance(node, SequenceNode):
        _must_be(tag, "seq")
        return [_value(item, depth + 1) for item in node.value]
    _must_be(tag, "map")
    return _mapping(node, depth)


def _mapping(node: Any, depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, item in node.value:
        name = _key(key)
        if name in value:
            raise _Refused(f"the key `{name}` occurs twice in it")
        value[name] = _value(item, depth + 1)
    return value


def _key(node: Any) -> str:
    if not isinstance(node, ScalarNode):
        raise _Refused("a list or a map cannot be a key")
    return key_text(_scalar(str(node.tag), node.value))


def _must_be(tag: str, kind: str) -> None:
    if tag != f"{_CORE}{kind}":
        raise _Refused(f"the tag `{_short(tag)}` is not supported")


def _short(tag: str) -> str:
    return f"!!{tag.removeprefix(_CORE)}" if tag.startswith(_CORE) else tag


def _scalar(tag: str, text: str) -> Any:
    text = _whole_characters(text)
    if tag == _PLAIN:
        return core_scalar(text)
    if tag == _UNDEFINED and text[:1] in (".", "*", "/"):
        return f"*{text}"  # a pattern that somebody forgot to quote: `globs: *.md`
    if tag == _UNDEFINED:
        raise _Refused(f"the alias `*{text}` has no anchor")
    read = _TAGGED.get(tag.removeprefix(_CORE))
    if read is None:
        raise _Refused(f"the tag `{_short(tag)}` is not supported")
    return read(text)


def _whole_characters(text: str) -> str:
    r"""With the two halves of a character, written as `\ud83d\ude00`, put together."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    try:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        raise _Refused("it has half of a surrogate pair") from None


def _boolean(text: str) -> bool:
    if text not in TRUE and text not in FALSE:
        raise _Refused(f"`{text}` is not a boolean")
    return text in TRUE


def _nothing(text: str) -> None:
    if text not in NULLS:
        raise _Refused(f"`{text}` is not null")


def _number(text: str) -> int | float:
    number = core_number(text)
    if number is None:
        raise _Refused(f"`{text}` is not a number")
    return number


def _whole_number(text: str) -> int | float:
    number = _number(text)
    if isinstance(number, float) and not number.is_integer():
        raise _Refused(f"`{text}` is not an integer")
    return number


_TAGGED: dict[str, Callable[[str], Any]] = {
    "str": str,
    "bool": _boolean,
    "null": _nothing,
    "int": _whole_number,
    "float": lambda text: float(_number(text)),
}

MAX_TOLERATED: Final = 65_536
"""Characters; a longer text is read by the strict parser or not at all."""

_KEY = re.compile(
    r"""(?:"([^"\n]+)"|'([^'\n]+)'|([^\s#\-?:,\[\]{}&*!|>'"%@`](?:[^:\n#\s]|[^\S\n]++(?!:))*+))"""
    r"""[ \t]*+:(?=[ \t\r\n]|$)[ \t]*"""
)
_TEXT = re.compile(r"""[^\s#\[{&*!|>'"%@`-]|\*[.*/]|\[[^\[\]]*\].*\[[^\[\]]*\]$""")
"""How a value starts that was meant as plain text. Also patterns, `*.md`, and hints for arguments, `[a] [b]`."""


class KeyProblem(NamedTuple):
    """A key that was not read, or not as YAML. `line` counts from 1, within the text."""

    message: str
    line: int
    recovered: bool = False
    """Whether the value was read all the same, as plain text."""


class Keys(NamedTuple):
    value: dict[str, Any]
    problems: tuple[KeyProblem, ...]


class _Block(NamedTuple):
    key: str
    line: int
    text: str
    said: str
    """What follows the colon."""


def read_keys(text: str) -> Keys | None:
    """All keys that can be read, or None when the text is not a mapping at all."""
    if len(text) > MAX_TOLERATED:
        return None

    try:
        composed = compose_mapping(text)
    except NotComposed:
        return _by_blocks(text)
    problems = [KeyProblem(f"`{key}` was not read: {reason}.", line) for key, reason, line in composed.lost]
    return Keys(composed.value, tuple(problems))


def _by_blocks(text: str) -> Keys | None:
    blocks = list(_blocks(text))
    if not blocks:
        return None
    keys = Keys({}, ())
    for block in blocks:
        read = _read_block(block)
        keys = Keys({**read.value, **keys.value}, (*keys.problems, *read.problems))
    return keys


def _blocks(text: str) -> Iterator[_Block]:
    """From one line that starts with a key to the next. A key that recurs is a word of some unquoted text, such as
    `user:` in an example of a conversation."""
    lines = [f"{line}\n" for line in text.removesuffix("\n").split("\n")]
    found = [(number, match) for number, line in enumerate(lines) if (match := _KEY.match(line))]
    often = Counter(_name(match) for _, match in found)
    found = [(number, match) for number, match in found if number == 0 or often[_name(match)] == 1]
    ends = [number for number, _ in found][1:] + [len(lines)] * bool(found)
    for (number, match), end in zip(found, ends, strict=True):
        whole = "".join(lines[number:end])
        yield _Block(_name(match), number + 1, whole, whole[match.end() :])


def _name(match: re.Match[str]) -> str:
    return next(name for name in match.groups() if name)


def _read_block(block: _Block) -> Keys:

    try:
        value = load_yaml(block.text)
    except YamlProblem as problem:
        reason = problem.message
    else:
        if isinstance(value, dict) and len(value) == 1:
            return Keys(value, ())
        reason = "This is not one key with its value."
    try:
        composed = compose_mapping(block.text)
    except NotComposed:
        return _as_text(block, reason)
    problems = [KeyProblem(f"`{k}` was not read: {why}.", block.line + line - 1) for k, why, line in composed.lost]
    return Keys(composed.value, tuple(problems))


def _as_text(block: _Block, reason: str) -> Keys:
    """A value that starts like plain text was meant as text, such as `Use when: always`."""
    said = block.said.partition("\n")[0].strip()
    if block.key in DANGEROUS_KEYS or not _TEXT.match(said):
        return Keys({}, (KeyProblem(f"`{block.key}` was not read. {reason}", block.line),))
    message = f"`{block.key}` is not valid YAML; its line was read as plain text. Put the value in quotes."
    return Keys({block.key: said}, (KeyProblem(message, block.line, recovered=True),))
