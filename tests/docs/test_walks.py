"""The five walks of the architecture page name modules that run, in the order in which they first run."""

import os
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import house_flows  # noqa: E402

PAGE = ROOT / "docs" / "explanation" / "architecture.md"
PACKAGE = ROOT / "src" / "cairn"
WALK = re.compile(r"^\*\*(.+?)\*\* \(.*?\):\n\n((?:\d+\. .*\n(?: .*\n)*)+)", re.MULTILINE)
MODULE = re.compile(r"`([a-z_/]+\.py)`")
COMMANDS = {
    "A scan": [("scan",)],
    "A turn": [("hook", "stop"), ("hook", "drain")],
    "A page learned": [("curate",)],
    "A source that drifted": [("freshness", "run")],
    "A search over MCP": [("mcp",)],
}


def walks() -> dict[str, list[str]]:
    _, _, rest = PAGE.read_text("utf-8").partition("## Five walks\n")
    section, _, _ = rest.partition("\n## ")
    return {name: MODULE.findall(steps) for name, steps in WALK.findall(section)}


class Recorder(house_flows.Watched):
    """Remembers the modules of each run in their order."""

    runs: list[tuple[list[str], list[str]]]

    def run(self, line, cwd, stdin="", codes=(0, 1)):
        number = super().run(line, cwd, stdin, codes)
        place = self._home / f"flow-{self._number}"
        lines = place.read_text().splitlines() if place.exists() else []
        self.runs.append((list(line[3:]), list(dict.fromkeys(os.path.relpath(line, self._package) for line in lines))))
        return number


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[list[str], list[str]]]:
    Recorder.runs = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house_flows, "Watched", Recorder)
        house_flows.cairn(tmp_path_factory.mktemp("walks") / "home", PACKAGE)
    return Recorder.runs


def test_the_page_has_five_walks() -> None:
    assert list(walks()) == list(COMMANDS)
    assert all(len(modules) >= 8 for modules in walks().values())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_walk_is_what_runs(name: str, ran: list[tuple[list[str], list[str]]]) -> None:
    order = [
        module
        for command in COMMANDS[name]
        for words, run in ran
        if words[: len(command)] == list(command)
        for module in run
    ]
    first = {module: place for place, module in reversed(list(enumerate(order)))}
    named = walks()[name]
    assert [module for module in named if module not in first] == []
    assert named == sorted(named, key=first.__getitem__)
