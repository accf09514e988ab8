"""Which provider is active: as the settings say, else as the files show."""

from typing import Any

import pytest

from cairn.core.registry import Registry
from cairn.errors import ConfigError, UsageError
from cairn.graph.providers import choose, detect
from unit.graph.tiny import bundle, provider, registry_of


@pytest.fixture
def registry() -> Registry:
    made = {
        "provider/claude": provider("claude", markers=(".claude",)),
        "provider/manual": provider("manual"),
        "provider/openai": provider("openai", markers=(".codex", "AGENTS.md")),
    }
    return registry_of(bundle("m", made))


def there(*paths: str) -> Any:
    return set(paths).__contains__


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        ((), ()),
        (("AGENTS.md",), ("openai",)),
        ((".codex", "AGENTS.md"), ("openai",)),
        (("AGENTS.md", ".claude"), ("claude", "openai")),
        (("other",), ()),
    ],
)
def test_markers_in_dispatch_order(registry: Registry, paths: tuple[str, ...], found: tuple[str, ...]):
    assert detect(registry, there(*paths)) == found


# configured, snapshot, markers that are there, (active, remember, a piece of the warning)
CHOICES = [
    ("none is found", None, None, (), (None, False, None)),
    ("one is found", None, None, (".claude",), ("claude", True, None)),
    ("as configured", "openai", ["openai"], ("AGENTS.md",), ("openai", False, None)),
    ("configured, none there", "openai", [], (), ("openai", False, None)),
    ("no snapshot yet: filled in silently", "openai", None, (".claude",), ("openai", True, None)),
    ("one came", "openai", ["openai"], ("AGENTS.md", ".claude"), ("openai", False, "(new: claude)")),
    ("one went", "openai", ["openai"], (), ("openai", False, "(removed: openai)")),
    ("both", "openai", ["openai"], (".claude",), ("openai", False, "(new: claude; removed: openai)")),
]


@pytest.mark.parametrize(
    ("configured", "snapshot", "paths", "expected"), [c[1:] for c in CHOICES], ids=[c[0] for c in CHOICES]
)
def test_choosing(registry: Registry, configured, snapshot, paths, expected):
    choice = choose(registry, configured=configured, snapshot=snapshot, exists=there(*paths))
    active, remember, warning = expected
    assert (choice.active, choice.remember) == (active, remember)
    assert (choice.warning is None) if warning is None else warning in (choice.warning or "")


def test_of_several_a_person_picks(registry: Registry):
    both = {"registry": registry, "configured": None, "snapshot": None, "exists": there(".claude", "AGENTS.md")}
    asked: list[Any] = []
    picked = choose(**both, ask=lambda ids: asked.append(tuple(ids)) or "openai")
    assert (picked.active, asked) == ("openai", [("claude", "openai")])
    with pytest.raises(UsageError, match=r"\(claude, openai\).*cairn config set active_provider claude"):
        choose(**both, ask=lambda ids: None)


@pytest.mark.parametrize("take_first", [False, True])
def test_of_several_the_first_is_taken_without_a_terminal_and_not_stored(registry: Registry, take_first: bool):
    there_are = there(".claude", "AGENTS.md")
    choice = choose(registry, configured=None, snapshot=None, exists=there_are, take_first=take_first)
    assert (choice.active, choice.remember) == ("claude", False)
    assert "(claude, openai); the rules of claude apply" in (choice.note or "")


def test_markers_of_one_provider_may_speak_for_another():
    files = provider("files", host_markers={"claude": ("CLAUDE.md",)})
    made = {"provider/claude": provider("claude", markers=(".claude",)), "provider/files": files}
    assert detect(registry_of(bundle("m", made)), there("CLAUDE.md")) == ("claude",)


def test_an_unknown_provider_is_a_mistake_in_the_settings(registry: Registry):
    with pytest.raises(ConfigError, match="did you mean `claude`"):
        choose(registry, configured="cluade", snapshot=[], exists=there())
    with pytest.raises(ConfigError, match="known are claude, manual, openai"):
        choose(registry, configured="zzz", snapshot=[], exists=there())


def test_without_any_provider_the_configured_one_is_not_doubted():
    assert choose(Registry(), configured="claude", snapshot=[], exists=there()).active == "claude"
