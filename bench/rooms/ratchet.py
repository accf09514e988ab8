"""Prints the imports that the rules of `.importlinter` forbid and that are still there, one a line.

usage: python bench/rooms/ratchet.py [--write]

`--write` puts them into `.importlinter`. The list may only get shorter: lint-imports fails for an entry that nothing
needs any more, and `tests/unit/test_architecture.py` for a longer list.
"""

import configparser
import re
import sys
from pathlib import Path

import grimp

RULES = Path(__file__).parents[2] / ".importlinter"
SECTION = re.compile(r"(?<=\nignore_imports =\n)(?:[ \t].*\n)*")


def upward(graph: grimp.ImportGraph, layers: list[list[str]]) -> list[tuple[str, str]]:
    """Imports from a lower layer of a higher one, and between the parts of one."""
    rank = {part: number for number, layer in enumerate(layers) for part in layer}
    found = []
    for module in graph.modules:
        for other in graph.find_modules_directly_imported_by(module):
            one, two = _part(module), _part(other)
            if one != two and one in rank and two in rank and rank[two] <= rank[one]:
                found.append((module, other))
    return sorted(found)


def forbidden(graph: grimp.ImportGraph, sources: list[str], targets: list[str]) -> list[tuple[str, str]]:
    """Direct imports of what a room must not use."""
    found = []
    for module in graph.modules:
        if any(module == source or module.startswith(f"{source}.") for source in sources):
            for other in graph.find_modules_directly_imported_by(module):
                if any(other == target or other.startswith(f"{target}.") for target in targets):
                    found.append((module, other))
    return sorted(found)


def _part(module: str) -> str:
    return module.split(".")[1] if module.startswith("cairn.") else ""


def main() -> int:
    rules = configparser.ConfigParser()
    rules.read(RULES)
    graph = grimp.build_graph("cairn", include_external_packages=True, cache_dir=None)
    text = RULES.read_text()
    for name in rules.sections():
        part = rules[name]
        if part.get("type") == "layers":
            layers = [[one.strip() for one in line.split("|")] for line in part["layers"].split("\n") if line.strip()]
            found = upward(graph, layers)
        elif part.get("type") == "forbidden" and "ignore_imports" in part:
            found = forbidden(graph, part["source_modules"].split(), part["forbidden_modules"].split())
        else:
            continue
        lines = "".join(f"    {one} -> {two}\n" for one, two in found)
        print(f"{part['name']}: {len(found)}")
        start = text.index(f"[{name}]")
        text = text[:start] + SECTION.sub(lines, text[start:], count=1)
    if "--write" in sys.argv:
        RULES.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
