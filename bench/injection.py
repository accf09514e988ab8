"""Measures the injection detector on a labelled set: recall by kind and language, and honest pages marked.

    python bench/injection.py SET.jsonl [--clones DIR] [--misses]

Each line of the set has `id`, `text`, `label` (`hostile` or `honest`), `lang` and `kind`. `--clones` adds the pages of
repositories below DIR as honest ones: instructions for agents (AGENTS.md, SKILL.md, files in folders such as `agents`
or `prompts`) and other documents are counted apart. A page that occurs several times counts once.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import NamedTuple

from cairn.lib.injection.marks import marks

INSTRUCTIONS = frozenset({"agents.md", "claude.md", "skill.md", "gemini.md", "copilot-instructions.md", ".cursorrules"})
FOLDERS = frozenset(
    {"agents", "skills", "prompts", "commands", "rules", "instructions", ".cursor", ".claude", ".github"}
)
PAGES = frozenset({".md", ".mdc", ".mdx", ".rst"})
MOST_BYTES = 1_000_000


class Sample(NamedTuple):
    id: str
    text: str
    label: str
    lang: str
    kind: str


class Result(NamedTuple):
    sample: Sample
    found: tuple[str, ...]


def read_set(path: Path) -> Iterator[Sample]:
    for line in path.read_text("utf-8").splitlines():
        if line.strip():
            row = json.loads(line)
            yield Sample(*(str(row[key]) for key in Sample._fields))


def read_clones(folder: Path) -> Iterator[Sample]:
    seen: set[str] = set()
    for path in sorted(folder.rglob("*")):
        if not _is_page(path) or not path.is_file() or path.stat().st_size > MOST_BYTES:
            continue
        text = path.read_text("utf-8", "replace")
        if text.strip() and text not in seen:
            seen.add(text)
            inside = path.relative_to(folder)
            kind = "clone-agents" if _is_for_agents(inside) else "clone-documents"
            yield Sample(inside.as_posix(), text, "honest", "-", kind)


def _is_page(path: Path) -> bool:
    return (path.suffix in PAGES or path.name.casefold() in INSTRUCTIONS) and ".git" not in path.parts


def _is_for_agents(path: Path) -> bool:
    return path.name.casefold() in INSTRUCTIONS or not FOLDERS.isdisjoint(part.casefold() for part in path.parts[1:-1])


def judge(samples: Iterable[Sample]) -> list[Result]:
    return [Result(one, tuple(dict.fromkeys(mark.why for mark in marks(one.text)))) for one in samples]


def table(title: str, results: Iterable[Result], key: str) -> None:
    groups: dict[str, list[bool]] = defaultdict(list)
    for result in results:
        groups[getattr(result.sample, key)].append(bool(result.found))
    print(title)
    for name, hits in sorted(groups.items()):
        print(f"  {name:20} {sum(hits):4} of {len(hits):4}  {sum(hits) / len(hits):.3f}")


def share(results: list[Result]) -> str:
    hits = sum(bool(result.found) for result in results)
    return f"{hits} of {len(results)} ({hits / len(results):.3f})" if results else "none in the set"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path)
    parser.add_argument("--clones", type=Path)
    parser.add_argument("--misses", action="store_true", help="List hostile samples missed and honest ones marked.")
    given = parser.parse_args()
    samples = list(read_set(given.set))
    cloned = list(read_clones(given.clones)) if given.clones else []
    started = process_time()
    results = judge([*samples, *cloned])
    seconds = process_time() - started
    hostile = [one for one in results if one.sample.label == "hostile"]
    honest = [one for one in results if one.sample.label == "honest"]
    print(f"set {given.set.name}, sha256 {sha256(given.set.read_bytes()).hexdigest()[:16]}, {len(samples)} samples")
    table("recall by kind", hostile, "kind")
    table("recall by language", hostile, "lang")
    table("honest pages marked, by kind", honest, "kind")
    print(f"recall {share(hostile)}; honest pages marked {share(honest)}")
    size = sum(len(one.text.encode()) for one in (*samples, *cloned))
    print(f"{size / 1e6 / max(seconds, 1e-9):.1f} MB/s")
    if given.misses:
        for one in results:
            if bool(one.found) is not (one.sample.label == "hostile"):
                print(one.sample.id, one.sample.kind, one.sample.lang, ",".join(one.found) or "-", sep="\t")


if __name__ == "__main__":
    main()
