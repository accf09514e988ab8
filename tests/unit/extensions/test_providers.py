"""Which file is whose, what its frontmatter has to hold, and which names are taken."""

from typing import Any

import jsonschema_rs
import pytest

from cairn.plugin import normalize_trigger
from unit.extensions.built_ins import extensions, kinds

PROVIDERS = {qualified.partition("/")[2]: provider for qualified, provider in extensions("provider")}

CLAIMS = [
    ("claude", ".claude/agents/a.md", "agent"),
    ("claude", ".claude/agents/deep/er/a.md", "agent"),
    ("claude", ".Claude/AGENTS/a.MD", "agent"),
    ("claude", ".claude/commands/x/y.md", "command"),
    ("claude", ".claude/skills/foo/SKILL.md", "skill"),
    ("claude", ".claude/skills/foo/skill.md", "skill"),
    ("claude", ".claude/skills/foo.md", None),
    ("claude", ".claude/skills/foo/notes.md", None),
    ("claude", ".claude/skills/foo/bar/SKILL.md", None),
    ("claude", ".claude/agents.md", None),
    ("claude", ".claude/README.md", None),
    ("claude", "x/.claude/agents/a.md", None),
    ("claude", "docs/a.md", None),
    ("antigravity", ".agents/skills/foo/SKILL.md", None),
    ("openai", ".codex/agents/a.toml", "agent"),
    ("openai", ".Codex/Agents/A.TOML", "agent"),
    ("openai", ".codex/agents/x/a.toml", None),
    ("openai", ".codex/config.toml", None),
    ("openai", "pyproject.toml", None),
    ("agent-skills", ".agents/skills/foo/SKILL.md", "skill"),
    ("agent-skills", ".AGENTS/Skills/foo/skill.md", "skill"),
    ("agent-skills", ".agents/skills/SKILL.md", None),
    ("agent-skills", ".agents/skills/foo/bar/skill.md", None),
    ("agent-skills", ".claude/skills/foo/SKILL.md", None),
    ("markdown", "README.md", "markdown"),
    ("markdown", "a/B.MD", "markdown"),
    ("markdown", "a.toml", None),
    ("markdown", "a.mdx", "markdown"),
    ("markdown", "docs/a.rst", "markdown"),
    ("markdown", "a.markdown", "markdown"),
    ("markdown", "README", "markdown"),
    ("markdown", "Contributing.txt", "markdown"),
    ("markdown", "notes.txt", None),
]


@pytest.mark.parametrize(("provider", "path", "kind"), CLAIMS)
def test_claims(provider: str, path: str, kind: str | None) -> None:
    assert PROVIDERS[provider].classify(path, {}) == kind


@pytest.mark.parametrize(("provider", "path", "kind"), [claim for claim in CLAIMS if claim[2]])
def test_claims_only_what_it_declares(provider: str, path: str, kind: str) -> None:
    manifest = PROVIDERS[provider].manifest
    assert kind in manifest.kinds
    assert path.lower().endswith(manifest.extensions)
    assert not manifest.roots or path.lower().startswith(manifest.roots)


def test_resolution_and_reserved_names_speak_of_known_kinds() -> None:
    known = {qualified.partition("/")[2] for qualified in kinds()}
    for provider in PROVIDERS.values():
        assert {kind for kinds in provider.manifest.resolution.values() for kind in kinds} <= known
        assert set(provider.manifest.reserved_names) <= known


@pytest.mark.parametrize(
    ("provider", "kind", "count", "some"),
    [
        ("claude", "command", 33, ["help", "add-dir", "PR_comments"]),
        ("claude", "skill", 33, ["review", "security-review"]),
        ("claude", "agent", 3, ["general-purpose"]),
        ("antigravity", "skill", 43, ["grill-me", "undo"]),
    ],
)
def test_reserved_names(provider: str, kind: str, count: int, some: list[str]) -> None:
    names = PROVIDERS[provider].manifest.reserved_names[kind]
    assert len(names) == count
    assert {normalize_trigger(name) for name in some} <= names
    assert all(normalize_trigger(name) == name for name in names)


def test_gates_markers_and_places() -> None:
    facts = {id: (p.manifest.gated, p.manifest.markers, p.manifest.skill_dir) for id, p in PROVIDERS.items()}
    assert facts == {
        "claude": (True, (".claude",), ".claude/skills"),
        "antigravity": (True, (), None),
        "openai": (True, (".codex", "AGENTS.md"), None),
        "knowledge": (False, (), None),
        "agent-skills": (False, (".agents",), ".agents/skills"),
        "agent-files": (False, (), None),
        "markdown": (False, (), None),
    }


SCHEMAS = {qualified: spec.schema for qualified, spec in kinds().items() if spec.schema is not None}
GOOD: dict[str, Any] = {"name": "x", "description": "does x", "anything": [1, {"else": None}]}
BAD: list[dict[str, Any]] = [{}, {"name": "x"}, {"description": "x"}, {**GOOD, "name": ""}, {**GOOD, "name": 7}]


@pytest.mark.parametrize("qualified", SCHEMAS)
def test_schema_wants_name_and_description_and_is_open(qualified: str) -> None:
    validator = jsonschema_rs.validator_for(SCHEMAS[qualified])
    assert validator.is_valid(GOOD)
    assert [validator.is_valid(bad) for bad in BAD] == [False] * len(BAD)


@pytest.mark.parametrize(
    ("qualified", "field", "good", "bad"),
    [
        ("claude/agent", "tools", ["Read", "Grep"], 3),
        ("claude/agent", "tools", "Read, Grep", [1]),
        ("claude/agent", "model", "opus", ["opus"]),
        ("claude/command", "argument-hint", "[file]", {"a": 1}),
        ("claude/command", "allowed-tools", "Bash(git:*)", True),
        ("claude/skill", "when_to_use", "often", 1),
        ("claude/skill", "disable-model-invocation", True, "often"),
        ("agent-skills/skill", "metadata", {"author": "me"}, "me"),
        ("openai/agent", "model", "gpt", 5),
    ],
)
def test_schema_types_what_it_knows(qualified: str, field: str, good: Any, bad: Any) -> None:
    validator = jsonschema_rs.validator_for(SCHEMAS[qualified])
    assert validator.is_valid({**GOOD, field: good})
    assert not validator.is_valid({**GOOD, field: bad})
