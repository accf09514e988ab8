"""Scrub: how fast ordinary text is read, how much of what has a form is found, and how often it cries wolf."""

import sys
import time
from importlib import import_module
from pathlib import Path
from random import Random

from cairn.lib.scrub.find import find

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

BAR, STRETCH = 5, 20
EACH = 500


def ordinary(folders: list[Path]) -> list[str]:
    """The documents in these folders, which are technical text of ordinary people."""
    files = sorted(file for folder in folders for end in ("*.md", "*.rst", "*.txt") for file in folder.rglob(end))
    return [file.read_text("utf-8", "replace") for file in files if file.is_file()]


def speed(texts: list[str]) -> float:
    """Megabytes a second, the best of three."""
    size = sum(len(text.encode()) for text in texts)
    best = min(_seconds(texts) for _ in range(3))
    return size / best / 1e6


def _seconds(texts: list[str]) -> float:
    start = time.perf_counter()
    for text in texts:
        find(text)
    return time.perf_counter() - start


def recall() -> tuple[int, int]:
    drawn = import_module("drawn_secrets")  # of the tests
    draw = Random(1)
    made = [(rule, make(draw)) for rule, make in {**drawn.TOKENS, **drawn.PEOPLE}.items() for _ in range(EACH)]
    return sum(any(hit.rule == rule for hit in find(f"it is {secret} .")) for rule, secret in made), len(made)


def main() -> None:
    folders = [Path(name) for name in sys.argv[1:]] or [ROOT / "docs", ROOT / "bench"]
    texts = ordinary(folders)
    size = sum(map(len, texts))
    hits = [hit for text in texts for hit in find(text)]
    direct = sum(hit.category == "direct" for hit in hits)
    found, made = recall()
    print(f"text          {len(texts):,} documents, {size / 1e6:.1f} million characters")
    print(f"speed         {speed(texts):.1f} MB/s (bar {BAR}, stretch {STRETCH})")
    print(
        f"hits          {len(hits)}, of which direct {direct}: {len(hits) / max(1, size) * 1e5:.2f} per 100 KB (bar 1)"
    )
    print(f"recall        {found / made:.4f} of {made:,} drawn by lot (bar 0.99)")


if __name__ == "__main__":
    main()
