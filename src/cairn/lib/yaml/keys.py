"""Reads the keys of a mapping one by one where the text as a whole is not valid YAML."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from cairn.lib.yaml.parse import DANGEROUS_KEYS, YamlProblem, load_yaml

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
    from cairn.lib.yaml.compose import NotComposed, compose_mapping

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
    from cairn.lib.yaml.compose import NotComposed, compose_mapping

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
