"""What an entry relies on: its sentences, each with the names, numbers and words that a source can bear out or not."""

from typing import NamedTuple

from cairn.core.model.entry import Entry
from cairn.freshness.extractive.passages import passages
from cairn.lib.text.atoms import STRONG, Atom, atoms, parts


class Claim(NamedTuple):
    text: str
    """On one line."""
    atoms: tuple[Atom, ...]
    keys: frozenset[str]
    """Of everything in it that is about something."""
    strong: frozenset[str]
    """Of its names, numbers, versions and dates."""
    context: frozenset[str]
    """Of its heading, its paragraph and the entry's title, as far as it does not say them itself."""
    own: frozenset[str]
    """Of its keys, those that the entry's title has not: what the claim says of the subject."""
    code: bool = False
    """A line of an example, which shows names and values but claims nothing."""


def claims(entry: Entry, body: str) -> list[Claim]:
    """The entry's description and every passage of its body but the headings."""
    title = frozenset(_keys(atoms(f"{entry.title} {entry.name.replace('-', ' ')}")))
    found = [_claim(entry.summary, title, title, atoms(entry.summary))] if entry.summary else []
    for passage in passages(body, shortest=0):
        if passage.kind != "heading":
            found.append(
                _claim(passage.text, title, title | passage.context, passage.atoms)._replace(
                    code=passage.kind == "code"
                )
            )
    return [claim for claim in found if claim.keys]


def _claim(text: str, title: frozenset[str], context: frozenset[str], some: list[Atom]) -> Claim:
    found = tuple(some)
    keys = frozenset(_keys(found))
    strong = frozenset(atom.key for atom in found if atom.kind in STRONG)
    return Claim(" ".join(text.split()), found, keys, strong, (context | parts(found)) - keys, keys - title)


def _keys(found: "tuple[Atom, ...] | list[Atom]") -> list[str]:
    return [atom.key for atom in found if atom.counts]
