"""Whatever happens to the files and the settings, an incremental scan leaves what a scan from nothing would."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.registry import ExtensionSwitches, Registry
from snapshot import snapshot
from workbench import Bench, built_ins

PATHS = (
    ".claude/agents/baker.md",
    ".claude/agents/help.md",
    ".claude/commands/knead.md",
    ".claude/skills/bake/SKILL.md",
    ".agents/skills/bake/SKILL.md",
    ".codex/agents/oven.toml",
    "docs/baker.md",
    "docs/index.md",
    "docs/README.md",
    "docs/a/guide.md",
    "docs/a.md",
    "guide.md",
    "README.md",
    "data.txt",
    "pyproject.toml",
)
REFERENCES = (
    "[a](docs/a.md)",
    "[folder](docs)",
    "[folder](./docs/)",
    "[bare](a)",
    "[up](../guide.md)",
    "[far](../../../x.md)",
    "[data](../data.txt)",
    "![image](data.txt)",
    "[root](/guide.md)",
    "[[guide]]",
    "[[Baker]]",
    "[[docs/a]]",
    "`guide.md`",
    "`docs/a.md`",
    "`a/guide.md`",
    "`../data.md`",
    "`docs/gone.md`",
    "@baker",
    "@oven",
    "@docs/a.md",
    "/knead",
    "/bake",
    "/help",
    "https://example.com/@baker",
    "[@baker](guide.md)",
    "<https://example.com>",
)
FRONTMATTERS = (
    "",
    "---\nname: baker\ndescription: Bakes.\n---\n",
    "---\nname: Knead\ndescription: Kneads.\ntools: [Read, mcp__oven__heat]\ntags: [dough]\n---\n",
    "---\nname: help\ntopics: a, b\n---\n",
    "---\nname: [broken\n---\n",
    "---\nname: 3\ndescription: x\nstability: deprecated\n---\n",
)
bodies = st.lists(st.sampled_from(REFERENCES), max_size=5).map(" and ".join)
texts = st.builds(lambda head, body: f"{head}# Page\n\n{body}\n", st.sampled_from(FRONTMATTERS), bodies)
paths = st.sampled_from(PATHS)


def registry(*, mcp: bool, slash: bool) -> Registry:
    choices = {("core", "mcp-tools"): mcp, ("claude", "slash-command"): slash}
    return built_ins(ExtensionSwitches(enabled=lambda plugin, id, default: choices.get((plugin, id), default)))


REGISTRIES = {(mcp, slash): registry(mcp=mcp, slash=slash) for mcp in (True, False) for slash in (True, False)}


class Life(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="cairn-life-"))
        self.bench = Bench(self.folder, open_memory(), registry=REGISTRIES[False, True])
        self.request: dict[str, object] = {}
        self.dirty = True

    def existing(self) -> list[str]:
        return sorted(p for p in PATHS if (self.folder / p).is_file())

    @rule(path=paths, text=texts)
    def write(self, path: str, text: str) -> None:
        self.bench.write(path, "name = 'oven'\ndescription = 'Heats.'\n" if path.endswith(".toml") else text)
        self.dirty = True

    @precondition(lambda self: self.existing())
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        self.bench.remove(data.draw(st.sampled_from(self.existing())))
        self.dirty = True

    @precondition(lambda self: self.existing())
    @rule(data=st.data(), there=paths)
    def move(self, data: st.DataObject, there: str) -> None:
        self.bench.move(data.draw(st.sampled_from(self.existing())), there)
        self.dirty = True

    @precondition(lambda self: self.existing())
    @rule(data=st.data())
    def touch(self, data: st.DataObject) -> None:
        file = self.folder / data.draw(st.sampled_from(self.existing()))
        file.write_bytes(file.read_bytes())
        self.dirty = True

    @rule(active=st.sampled_from(["claude", "openai", "agent-skills", None]))
    def activate(self, active: str | None) -> None:
        self.bench.active = active
        self.dirty = True

    @rule(mcp=st.booleans(), slash=st.booleans())
    def switch_extensions(self, mcp: bool, slash: bool) -> None:
        self.bench.registry = REGISTRIES[mcp, slash]
        self.dirty = True

    @rule(strict=st.booleans(), size=st.sampled_from([60, 1_000_000]), reference=st.sampled_from([(), ("docs",)]))
    def change_settings(self, strict: bool, size: int, reference: tuple[str, ...]) -> None:
        self.request = {"strict": strict, "max_file_size": size, "reference_paths": reference}
        self.dirty = True

    @precondition(lambda self: self.dirty)
    @rule()
    def scan(self) -> None:
        self.bench.scan(allow_empty=True, **self.request)
        fresh = Bench(self.folder, open_memory(), registry=self.bench.registry, active=self.bench.active)
        fresh.scan(allow_empty=True, **self.request)
        assert snapshot(self.bench.store) == snapshot(fresh.store)
        fresh.store.close()
        self.dirty = False

    @invariant()
    def nothing_is_left_hanging(self) -> None:
        assert not any(snapshot(self.bench.store)["leftovers"].values())

    def teardown(self) -> None:
        self.scan()
        self.bench.store.close()
        shutil.rmtree(self.folder)


TestLife = Life.TestCase
TestLife.settings = settings(
    max_examples=25, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
