"""The row about validating of the quality table: `cairn freshness validate` next to reading and parsing the same files.

usage: python bench/validate.py [FOLDER] [--json]

Without a folder, 301 entries are made. The floor is plain reading and `ryaml` of each page's frontmatter, in this
process; what the program needs to start is taken off, so that the ratio is about the work.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from ryaml import loads  # type: ignore[attr-defined]

from measure import Row, best, run, table

CAIRN = [sys.executable, "-m", "cairn"]
ENTRIES = 301
_WORDS = (
    "a cache keeps what was read so that the next reader waits less and the source is asked only once a day".split()
)
_CATEGORIES = ("api", "security", "testing", "data", "delivery", "observability", "frontend")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="a repository with knowledge in it")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as made:
        folder = given.folder or Path(made)
        if given.folder is None:
            make(folder)
        rows = [measure(folder)]
    print(json.dumps([row._asdict() for row in rows], indent=2) if given.json else table(rows))


def make(root: Path, *, seed: int = 1) -> None:
    """Entries as they are in real corpora: eight topics, two sources, seven kilobytes of text."""
    rng = random.Random(seed)
    for number in range(ENTRIES):
        name = f"entry-{number:03d}"
        target = root / "knowledge" / _CATEGORIES[number % len(_CATEGORIES)] / f"{name}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_entry(rng, name))


def _entry(rng: random.Random, name: str) -> str:
    topics = ", ".join(rng.sample([f"topic-{number}" for number in range(40)], 8))
    sources = "".join(
        f"  - url: https://docs.vendor{rng.randint(1, 30)}.dev/{name}/{part}\n    retrieved: 2026-03-0{part}\n"
        for part in (1, 2)
    )
    head = f"name: {name}\ndescription: {' '.join(rng.choices(_WORDS, k=14))}\ntopics: [{topics}]\n"
    fresh = f"volatility: evolving\nlast-reviewed: 2026-03-01\nversion-pin: null\nsources:\n{sources}"
    paragraphs = "\n\n".join(" ".join(rng.choices(_WORDS, k=60)) for _ in range(22))
    return f"---\n{head}{fresh}---\n# {name}\n\n## Summary\n\nShort.\n\n## Deep Guidance\n\n{paragraphs}\n"


def measure(root: Path) -> Row:
    pages = [path for path in root.rglob("*.md") if path.name != "README.md" and path.read_text().startswith("---\n")]
    bottom = best(7, lambda: floor(pages))
    start = best(7, lambda: run([*CAIRN, "freshness", "validate", "--help"], root).seconds)
    whole = best(7, lambda: run([*CAIRN, "freshness", "validate", "-q"], root).seconds)
    detail = f"{whole * 1000:.0f} ms, start {start * 1000:.0f} ms, floor {bottom * 1000:.1f} ms"
    return Row(f"validate, {len(pages):,} entries", (whole - start) / bottom, "× floor", 12, 8, detail)


def floor(pages: list[Path]) -> float:
    started = time.perf_counter()
    for page in pages:
        text = page.read_text(encoding="utf-8")
        loads(text[4 : text.index("\n---", 4)])
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
