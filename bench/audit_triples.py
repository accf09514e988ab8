"""Reads the labelled triples of `bench/audit`: pages, and for each what became of them."""

from pathlib import Path
from typing import NamedTuple


class Triple(NamedTuple):
    name: str
    label: str
    what: str
    edits: tuple[tuple[str, str], ...]
    """`~ before => after`."""
    above: tuple[str, ...]
    """`^ text`: put on top."""
    below: tuple[str, ...]
    """`+ text`: put at the end."""
    layouts: tuple[str, ...]
    """`= reflow`: a change of layout by its name."""
    instead: str | None
    """`! text`: the whole new page, line by line."""


class Page(NamedTuple):
    file: str
    name: str
    pin: str | None
    entry: str
    source: str
    triples: tuple[Triple, ...]


def read_pages(path: Path) -> list[Page]:
    text = path.read_text(encoding="utf-8")
    return [_page(path.stem, part) for part in text.split("==== page: ")[1:]]


def _page(file: str, text: str) -> Page:
    name, _, rest = text.partition("\n")
    parts = [part.partition("\n") for part in rest.split("---- ")[1:]]
    named = {head.strip(): body.strip() for head, _, body in parts}
    pin = next((head.removeprefix("pin: ") for head in named if head.startswith("pin: ")), None)
    triples = tuple(_triple(head, body) for head, _, body in parts if head.startswith("case: "))
    return Page(file, name.strip(), pin, named["entry"], named["source"], triples)


def _triple(head: str, body: str) -> Triple:
    name, label, what = (part.strip() for part in head.removeprefix("case: ").split("|", 2))
    marked: dict[str, list[str]] = {mark: [] for mark in "~^+=!"}
    for line in body.strip().splitlines():
        marked[line[0]].append(line[2:].replace("\\n", "\n"))
    edits = tuple((before, after) for before, _, after in (line.partition(" => ") for line in marked["~"]))
    instead = "\n".join(marked["!"]) or None
    return Triple(name, label, what, edits, tuple(marked["^"]), tuple(marked["+"]), tuple(marked["="]), instead)
