"""Everything that is known about one node, with the tokens that it takes."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from typing import Any

from cairn.core.model.graph import Contribution, Link, Node, Triple, issue_json, link_json, node_json
from cairn.core.model.issue import Issue
from cairn.core.ports.files import Files, ReadFailed
from cairn.core.ports.graph import ScoreRow
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


@dataclass(frozen=True, slots=True)
class Inspection:
    node: Node
    tokens: TokenCount | None
    links_out: tuple[Link, ...]
    links_in: tuple[Link, ...]
    issues: tuple[Issue, ...]
    contributions: tuple[Contribution, ...]
    """By slot."""
    scores: tuple[ScoreRow, ...]
    enrichments: Mapping[str, Any]

    def json(self) -> dict[str, Any]:
        node = self.node if self.tokens is None else self.node._replace(tokens=self.tokens.tokens)
        return {
            "node": node_json(node),
            "tokenizer": self.tokens.tokenizer if self.tokens else None,
            "linksOut": [link_json(link) for link in self.links_out],
            "linksIn": [link_json(link) for link in self.links_in],
            "issues": [issue_json(issue) for issue in self.issues],
            "contributions": [_contribution_json(c) for c in self.contributions],
            "scores": [_score_json(row) for row in self.scores],
            "enrichments": dict(self.enrichments),
        }


def inspect(
    store: Store, node: Node, *, files: Files, tokenizer: Tokenizer | None, issues: Iterable[Issue]
) -> Inspection:
    counted = tokens_of(node, store=store, files=files, tokenizer=tokenizer) if tokenizer else None
    return Inspection(
        node=node._replace(tokens=None),
        tokens=counted,
        links_out=tuple(store.links(source=node.path)),
        links_in=tuple(store.links(resolved=node.path)),
        issues=tuple(issue for issue in issues if node.path in issue.nodes),
        contributions=tuple(sorted(store.contributions(node.path), key=lambda c: (c.slot, c.extension, c.key))),
        scores=tuple(store.scores(node.path)),
        enrichments=store.enrichments(node.path),
    )


def end_of(link: Link) -> str:
    """The node that a link leads to, else what was written."""
    return link.resolved or link.target


def seen(link: Link) -> int:
    """How often the source says it."""
    return max(len(link.occurrences), 1)


def mentions_and_targets(links: Sequence[Link]) -> tuple[int, int]:
    """How often the text links, and to how many different things."""
    return sum(map(seen, links)), len({end_of(link) for link in links})


def by_kind(links: Sequence[Link]) -> list[tuple[str, list[Link]]]:
    ordered = sorted(links, key=lambda link: (link.kind, link.line, link.offset, link.target))
    return [(kind, list(group)) for kind, group in groupby(ordered, key=lambda link: link.kind)]


def by_slot(contributions: Sequence[Contribution]) -> list[tuple[str, list[Contribution]]]:
    return [(slot, list(group)) for slot, group in groupby(contributions, key=lambda c: c.slot)]


def _contribution_json(contribution: Contribution) -> dict[str, Any]:
    return {
        "extensionId": contribution.extension,
        "contributionId": contribution.key,
        "slot": contribution.slot,
        "payload": dict(contribution.payload),
    }


def _score_json(row: ScoreRow) -> dict[str, Any]:
    return {
        "extensionId": row.extension,
        "target": row.target,
        "kind": row.kind,
        "normalizedTrigger": row.normalized,
        "op": row.op,
        "value": row.value,
        "confidence": row.result,
    }
