"""A small workspace about a garden, scanned: agents, a command, pages, and a few planted faults."""

from pathlib import Path

from program import Ran, cairn

FILES = {
    ".claude/agents/gardener.md": "---\nname: gardener\ndescription: Grows things.\ntools: [Read, Bash]\n"
    "tags: [green]\n---\nRead [the plan](../../docs/plan.md), then run /water. Ask @nobody.\n",
    ".claude/commands/water.md": "---\nname: water\ndescription: Waters the beds.\n---\nTell @gardener.\n",
    "docs/plan.md": "---\ntitle: The plan\ntopics: [spring]\n---\n# Plan\n\n[beds](beds.md), again `./beds.md`, "
    "[compost](compost.md)\nSee https://example.org/seeds for more.\n",
    "docs/beds.md": "# Beds\n\nBack to [the plan](plan.md).\n",
    "README.md": "# Garden\n\n[plan](docs/plan.md)\n",
}


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def make(root: Path, files: dict[str, str] | None = None) -> Path:
    """The workspace with its first scan."""
    write(root, {**(FILES if files is None else files), ".cairn/settings.json": "{}"})
    scan(root)
    return root


def scan(root: Path) -> Ran:
    ran = cairn("scan", "-q", cwd=root)
    assert ran.code in (0, 1), ran.err
    return ran


def first_column(ran: Ran) -> list[str]:
    """Of a table, without its header."""
    return [line.split()[0] for line in ran.out.splitlines()[1:]]
