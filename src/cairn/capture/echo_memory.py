"""What Cairn itself has told agents: known again when they repeat it, also where their host kept no trace of it."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from cairn.core.fingerprint import marked
from cairn.hook.aside import BRIEFING, read_small
from cairn.hook.briefed import LIMIT

_LONGEST_MARK: Final = 4096


def told_lately(root: Path) -> frozenset[str]:
    """Fingerprints of the briefings that lie ready: some hosts give them to the model and write them down nowhere."""
    return marked(read_small(str(root / BRIEFING), LIMIT))


def heard(chunks: Iterable[bytes], recalled: set[str]) -> Iterator[bytes]:
    """The same bytes; `recalled` learns what of them Cairn itself has said."""
    before = b""
    for chunk in chunks:
        data = before + chunk
        if b"cairn:recall" in data:
            recalled |= marked(data)
        before = chunk[-_LONGEST_MARK:]
        yield chunk


def told_before(chunks: Iterable[bytes], end: int) -> set[str]:
    """What was told in the beginning of a transcript, up to there: a briefing stands before everything else."""
    found: set[str] = set()
    for chunk in heard(chunks, found):
        end -= len(chunk)
        if end <= 0:
            break
    return found
