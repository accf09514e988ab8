"""What became of each plugin."""

from types import SimpleNamespace

from cairn.core.extension_points import FormatterManifest, Plugin
from cairn.core.registry import ExtensionSwitches, PluginProblem, Registry, build_registry
from cairn.workspace.plugin_catalogue import catalogue


def formatter(stability: str = "stable") -> SimpleNamespace:
    manifest = FormatterManifest(version="3", description="Draws.", stability=stability)
    return SimpleNamespace(extension=SimpleNamespace(manifest=manifest, format=lambda ctx: ""))


MODULES = {
    "shed.formatters.plain": formatter(),
    "shed.formatters.wild": formatter("experimental"),
    "cairn.extensions.x.formatters.one": formatter(),
}


def plugin(id: str, *names: str, package: str = "shed") -> Plugin:
    return Plugin.of(id, package, "1", "A plugin.", [f"formatter/{name}" for name in names])


def entries(
    *plugins: Plugin, switches: ExtensionSwitches | None = None
) -> list[tuple[str, str, str, list[tuple[str, str]]]]:
    registry = build_registry(plugins, load=MODULES.__getitem__, switches=switches)
    return [(p.id, p.origin, p.status, [(e.id, e.status) for e in p.extensions]) for p in catalogue(registry)]


def test_on_off_and_broken():
    assert entries(plugin("shed", "plain", "wild", "gone")) == [
        ("shed", "installed", "enabled", [("plain", "enabled"), ("wild", "disabled"), ("gone", "load-error")])
    ]
    assert entries(plugin("shed", "wild")) == [("shed", "installed", "disabled", [("wild", "disabled")])]
    assert entries(plugin("shed", "gone")) == [("shed", "installed", "load-error", [("gone", "load-error")])]


def test_ours_and_others():
    ours = plugin("x", "one", package="cairn.extensions.x")
    assert entries(ours) == [("x", "built-in", "enabled", [("one", "enabled")])]


def test_the_same_id_twice():
    assert entries(plugin("shed", "plain"), plugin("shed", "wild")) == [
        ("shed", "installed", "enabled", [("plain", "enabled")]),
        ("shed", "installed", "id-collision", []),
    ]


def test_a_distribution_that_cannot_be_imported_is_listed():
    registry = Registry(problems=(PluginProblem("barn", "9", None, "load-error", "ImportError: x"),))
    [entry] = catalogue(registry)
    assert entry.json() == {
        "id": "barn",
        "version": "9",
        "description": "",
        "origin": "installed",
        "status": "load-error",
        "message": "ImportError: x",
        "extensions": [],
    }
