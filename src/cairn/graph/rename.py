"""Which of the files that went are among the files that came. Pure."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from cairn.core.ports.graph import Gone


@cache
def _nothing() -> tuple[bytes, bytes]:
    """Digests of an empty body and of no frontmatter; made when something went, which is seldom."""
    from hashlib import sha256

    from cairn.lib.yaml.canonical import frontmatter_hash

    return sha256(b"").digest(), frontmatter_hash({}, None)


class Move(NamedTuple):
    old: str
    new: str
    confidence: str
    """`high`: the body is the same. `medium`: only the frontmatter is, and nothing else has it."""


class Ambiguity(NamedTuple):
    new: str
    candidates: tuple[str, ...]


class Matches(NamedTuple):
    moves: tuple[Move, ...]
    ambiguous: tuple[Ambiguity, ...]
    orphans: tuple[Gone, ...]


def match(gone: Iterable[Gone], came: Iterable[Gone]) -> Matches:
    """One-to-one. What every file may share (an empty body, no frontmatter) proves nothing."""
    left = sorted(gone)
    new = sorted(came)
    moves = _pair(left, new, _same_everything) + _pair(left, new, _same_body)
    ambiguous = []
    for page in new:
        candidates = [g for g in left if _same_frontmatter(g, page)]
        if len(candidates) == 1:
            moves.append(Move(candidates[0].path, page.path, "medium"))
            left.remove(candidates[0])
        elif candidates:
            ambiguous.append(Ambiguity(page.path, tuple(g.path for g in candidates)))
    return Matches(tuple(moves), tuple(ambiguous), tuple(left))


def _pair(left: list[Gone], new: list[Gone], same: Callable[[Gone, Gone], bool]) -> list[Move]:
    """Take out of both lists what belongs together, a file of the same name before others."""
    moves = []
    for page in list(new):
        partner = _closest([g for g in left if same(g, page)], page)
        if partner is not None:
            moves.append(Move(partner.path, page.path, "high"))
            left.remove(partner)
            new.remove(page)
    return moves


def _closest(candidates: Sequence[Gone], page: Gone) -> Gone | None:
    name = page.path.rpartition("/")[2]
    return min(candidates, key=lambda g: (g.path.rpartition("/")[2] != name, g.path), default=None)


def _same_everything(a: Gone, b: Gone) -> bool:
    telling = (a.body_hash, a.frontmatter_hash) != _nothing()
    return telling and a.body_hash == b.body_hash and a.frontmatter_hash == b.frontmatter_hash


def _same_body(a: Gone, b: Gone) -> bool:
    return a.body_hash == b.body_hash != _nothing()[0]


def _same_frontmatter(a: Gone, b: Gone) -> bool:
    return a.frontmatter_hash == b.frontmatter_hash != _nothing()[1]
