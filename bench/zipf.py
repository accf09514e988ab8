"""Makes many short pages whose words are spread as in real language: a few everywhere, most of them rare."""

import random
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

VOCABULARY = 30_000
_CONSONANTS, _VOWELS = "bcdfghklmnprstvw", "aeiou"
_AREAS = ("orders", "ovens", "billing", "delivery", "recipes", "staff", "alerts", "reports")


class Language:
    """Words by rank: the word of rank r is as frequent as 1 / (r + 2.7)."""

    def __init__(self, rng: random.Random, size: int = VOCABULARY) -> None:
        self.rng = rng
        made: dict[str, None] = {}
        while len(made) < size:
            made["".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(rng.randint(2, 5)))] = None
        self.words = list(made)
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(size)))

    def draw(self, number: int) -> list[str]:
        return self.rng.choices(self.words, cum_weights=self._weights, k=number)


def make(root: Path, pages: int, *, seed: int = 1) -> list[list[str]]:
    """Writes the pages; returns the words of every fiftieth, to draw questions from."""
    language = Language(random.Random(f"zipf/{seed}/{pages}"))
    kept = []
    for number in range(pages):
        words = language.draw(language.rng.randint(60, 220))
        target = root / "docs" / _AREAS[number % 8] / f"{number // 8 % 100:02d}" / f"{words[0]}-{number:06d}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(_page(words, language.rng)))
        if number % 50 == 0:
            kept.append(words)
    return kept


def _page(words: list[str], rng: random.Random) -> Iterator[str]:
    yield f"---\ntitle: {' '.join(words[:4]).capitalize()}\ntags: [{words[4]}]\n---\n\n# {' '.join(words[:4])}\n"
    at = 5
    while at < len(words):
        length = rng.randint(8, 30)
        yield " ".join(words[at : at + length]).capitalize() + ".\n"
        at += length
