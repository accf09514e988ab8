"""How many tokens a node takes: counted when somebody asks, and kept until the file changes."""

from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

from cairn.core.model.node import Node, Triple
from cairn.core.ports.files import Files, ReadFailed
from cairn.core.ports.runtime import Tokenizer
from cairn.core.ports.store import Store
from cairn.errors import CairnError
from cairn.lib.markdown.frontmatter import decode, split

KEPT = "cl100k_base"
"""Counts in this encoding are kept. Others, and estimates, are made anew each time: the store has room for one."""


@dataclass(frozen=True, slots=True)
class TokenCount:
    tokens: Triple
    tokenizer: str
    exact: bool


def tokens_of(node: Node, *, store: Store, files: Files, tokenizer: Tokenizer) -> TokenCount | None:
    """None when there is no file to count, or when it is not the one that was scanned."""
    if node.virtual:
        return None
    if node.tokens is not None and tokenizer.name == KEPT:
        return TokenCount(node.tokens, KEPT, True)
    parts = _scanned_text(node, files)
    if parts is None:
        return None
    head, body = (tokenizer.count(part) for part in parts)
    counted = TokenCount(Triple(head, body, head + body), tokenizer.name, tokenizer.exact)
    if tokenizer.name == KEPT:
        with suppress(CairnError):  # a busy or read-only database is no reason not to answer
            store.keep_tokens(node.path, counted.tokens)
    return counted


def _scanned_text(node: Node, files: Files) -> tuple[str, str] | None:
    """Frontmatter with its fences, and body, if the file is still what the scan saw."""
    try:
        data, _ = files.read(node.path)
    except ReadFailed:
        return None
    text = decode(data).text
    for body in (split(text).body, ""):  # a file without a body, such as TOML, is all frontmatter
        if sha256(body.encode()).hexdigest() == node.body_hash and len(data) == node.bytes.total:
            return text[: len(text) - len(body)], body
    return None
