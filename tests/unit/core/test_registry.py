"""What is plugged in, and how an unsound plugin is named and left out."""

from types import SimpleNamespace
from typing import Any

import pytest

from cairn.core.extension_points import ExtensionRef
from cairn.core.registry import ExtensionSwitches, Registry, build_registry
from cairn.plugin import (
    ActionManifest,
    Corpus,
    ExtractorManifest,
    FormatterManifest,
    HookManifest,
    KindSpec,
    KnowledgeBase,
    LensManifest,
    Plugin,
    Precondition,
    Setting,
    View,
)
from unit.graph.tiny import PAGES, analyzer, bundle, extractor, provider, registry_of


def nothing(*_: Any) -> Any:
    return []


def formatter(**more: Any) -> Any:
    return SimpleNamespace(manifest=FormatterManifest(version="1", description="d", **more), format=nothing)


def hook(*triggers: str) -> Any:
    return SimpleNamespace(manifest=HookManifest(version="1", description="d", triggers=triggers), on=nothing)


def lens(**more: Any) -> Any:
    return SimpleNamespace(manifest=LensManifest(version="1", description="d", **more), look=nothing)


def action(**more: Any) -> Any:
    return SimpleNamespace(manifest=ActionManifest(version="1", description="d", **more), invoke=nothing)


def test_no_plugin_is_fine():
    registry = build_registry([], load=lambda name: None)
    assert (registry.extensions, registry.problems, registry.providers) == ((), (), ())


def test_every_kind_has_its_place():
    made = {
        "provider/p": PAGES,
        "extractor/e": extractor(nothing),
        "analyzer/a": analyzer(nothing),
        "action/act": action(),
        "formatter/f": formatter(),
        "hook/h": hook("boot"),
        "lens/l": lens(),
    }
    registry = registry_of(bundle("mine", made))
    parts = (
        registry.providers,
        registry.extractors,
        registry.analyzers,
        registry.actions,
        registry.formatters,
        registry.hooks,
        registry.lenses,
    )
    names = ("p", "e", "a", "act", "f", "h", "l")
    assert [[e.qualified for e in part] for part in parts] == [[f"mine/{name}"] for name in names]
    assert registry.problems == ()
    found = registry.find("mine/a")
    assert found is not None
    assert found.kind == "analyzer"
    assert registry.find("mine/b") is None


# each with what its author reads
UNSOUND: list[tuple[str, str, Any, str]] = [
    ("a manifest of another kind", "analyzer/x", extractor(nothing), "`manifest` must be a AnalyzerManifest"),
    ("no manifest", "analyzer/x", SimpleNamespace(evaluate=nothing), "`manifest` must be a AnalyzerManifest"),
    (
        "no method",
        "formatter/x",
        SimpleNamespace(manifest=FormatterManifest(version="1", description="d")),
        "an extension of kind formatter needs a method `format`",
    ),
    (
        "an unknown slot",
        "analyzer/x",
        analyzer(nothing, ui={"chip": View("card.nowhere")}),
        "/ui/chip/slot is not a valid value",
    ),
    ("ui that is no map", "analyzer/x", analyzer(nothing, ui=[1]), "/ui must map names to View objects"),
    (
        "ui with plain dictionaries",
        "analyzer/x",
        analyzer(nothing, ui={"chip": {"slot": "card.footer.left"}}),
        "/ui must map names to View objects",
    ),
    ("settings of values", "analyzer/x", analyzer(nothing, settings={"a": 1}), "/settings must map names to Setting"),
    ("an unknown scope", "lens/x", lens(scope="sky"), "/scope must be one of docs, code"),
    ("a text for what a lens needs", "lens/x", lens(needs="docs"), "/needs must be a tuple of texts"),
    ("an unknown trigger", "hook/x", hook("boot", "noon"), "unknown trigger `noon`"),
    (
        "an unknown phase",
        "analyzer/x",
        analyzer(nothing, phase="dawn"),
        "/phase must be one of score, detect, aggregate",
    ),
    ("an unknown reach", "analyzer/x", analyzer(nothing, reach="far"), "/reach must be one of node, neighbours, graph"),
    ("an unknown stability", "analyzer/x", analyzer(nothing, stability="so-so"), "/stability must be one of"),
    ("a text for a tuple", "provider/x", provider("x", extensions=".md"), "/extensions must be a tuple of texts"),
    ("kinds of nothing", "provider/x", provider("x", spec={"label": "l"}), "/kinds must map names to KindSpec"),
    (
        "a text for a precondition's kinds",
        "extractor/x",
        extractor(nothing, precondition=Precondition(kind="claude/agent")),  # type: ignore[arg-type]
        "/precondition must be a Precondition of tuples of texts",
    ),
    ("no precondition at all", "extractor/x", extractor(nothing, precondition=None), "/precondition must be"),
    ("a model that may take forever", "action/x", action(mode="probabilistic"), "needs `expected_seconds`"),
    ("an unknown kind of extension", "gadget/x", analyzer(nothing), "`gadget` is not a kind of extension"),
    ("an id with a blank", "analyzer/my rule", analyzer(nothing), "the id 'my rule' may have letters"),
]


@pytest.mark.parametrize(("name", "extension", "sentence"), [u[1:] for u in UNSOUND], ids=[u[0] for u in UNSOUND])
def test_an_unsound_extension_is_named_with_its_version_and_skipped(name: str, extension: Any, sentence: str):
    registry = registry_of(bundle("mine", {"analyzer/fine": analyzer(nothing), name: extension}, version="2.1"))
    assert [e.qualified for e in registry.extensions] == ["mine/fine"]
    (problem,) = registry.problems
    assert (problem.plugin, problem.version, problem.status) == ("mine", "2.1", "invalid-manifest")
    assert sentence in problem.message
    assert problem.sentence().startswith(f"plugin mine/{name.partition('/')[2]} 2.1 (invalid-manifest), skipped: ")


def explode(error: BaseException) -> Any:
    def load(name: str) -> object:
        if name == "bad.module":
            raise error
        return SimpleNamespace(extension=analyzer(nothing))

    return load


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ImportError("no module named numpi"), "ImportError: no module named numpi"),
        (ZeroDivisionError("1/0"), "ZeroDivisionError: 1/0"),
        (SystemExit(3), "SystemExit: 3"),
    ],
)
def test_a_module_that_cannot_be_imported(error: BaseException, sentence: str):
    refs = (ExtensionRef("analyzer", "bad", "bad.module"), ExtensionRef("analyzer", "good", "good.module"))
    registry = build_registry([Plugin("mine", "1", "d", refs)], load=explode(error))
    assert [e.id for e in registry.analyzers] == ["good"]
    assert [(p.status, p.message) for p in registry.problems] == [("load-error", sentence)]


def test_a_persons_interrupt_is_not_a_load_error():
    refs = (ExtensionRef("analyzer", "bad", "bad.module"),)
    with pytest.raises(KeyboardInterrupt):
        build_registry([Plugin("mine", "1", "d", refs)], load=explode(KeyboardInterrupt()))


def test_a_module_without_the_object():
    refs = (ExtensionRef("analyzer", "x", "some.module"),)
    (problem,) = build_registry([Plugin("mine", "1", "d", refs)], load=lambda _: object()).problems
    assert problem.message == "some.module has no object named `extension`"


def test_of_two_plugins_with_one_id_the_first_stays():
    first, second = bundle("mine", {"analyzer/a": analyzer(nothing)}), bundle("mine", {"analyzer/b": analyzer(nothing)})
    registry = registry_of(first, second)
    assert [e.qualified for e in registry.extensions] == ["mine/a"]
    (problem,) = registry.problems
    assert problem.sentence() == "plugin mine 1.0 (id-collision), all extensions skipped: its id is already taken"


def test_one_id_twice_in_a_plugin():
    refs = (ExtensionRef("analyzer", "x", "m"), ExtensionRef("extractor", "x", "n"))
    modules = {"m": SimpleNamespace(extension=analyzer(nothing)), "n": SimpleNamespace(extension=extractor(nothing))}
    registry = build_registry([Plugin("mine", "1", "d", refs)], load=modules.__getitem__)
    assert [e.kind for e in registry.extensions] == ["analyzer"]
    assert [(p.extension, p.status) for p in registry.problems] == [("x", "id-collision")]


def test_two_providers_of_one_name_would_not_be_told_apart():
    registry = registry_of(bundle("one", {"provider/p": PAGES}), bundle("two", {"provider/p": PAGES}))
    assert [p.qualified for p in registry.providers] == ["one/p"]
    assert registry.problems[0].message == "there is already a provider `one/p`"


def test_plain_markdown_comes_after_all_other_providers():
    everything = provider("markdown")
    registry = registry_of(bundle("core", {"provider/markdown": everything}), bundle("mine", {"provider/p": PAGES}))
    assert [p.id for p in registry.providers] == ["p", "markdown"]


def test_experimental_and_deprecated_are_off_until_asked_for():
    made = {f"analyzer/{s}": analyzer(nothing, stability=s) for s in ("experimental", "beta", "stable", "deprecated")}
    assert [e.id for e in registry_of(bundle("m", made)).analyzers] == ["beta", "stable"]
    everything = ExtensionSwitches(enabled=lambda plugin, extension, default: True)
    assert len(registry_of(bundle("m", made), switches=everything).analyzers) == 4


def test_switches_turn_off_one_or_a_whole_kind():
    made = {"analyzer/a": analyzer(nothing), "analyzer/b": analyzer(nothing), "provider/p": PAGES}
    one = registry_of(
        bundle("m", made), switches=ExtensionSwitches(enabled=lambda _, extension, default: extension != "a")
    )
    assert [e.id for e in one.analyzers] == ["b"]
    kind = registry_of(bundle("m", made), switches=ExtensionSwitches(disabled_kinds=frozenset({"analyzer"})))
    assert (kind.analyzers, len(kind.providers)) == ((), 1)
    found = kind.find("m/a")
    assert found is not None
    assert not found.enabled


def settings_registry(**chosen: Any) -> Registry:
    manifest = {"limit": Setting("integer", "Limit", 3), "name": Setting("text", "Name", "x")}
    made = bundle("m", {"analyzer/a": analyzer(nothing, settings=manifest)})
    return registry_of(made, switches=ExtensionSwitches(settings=lambda plugin, extension: chosen))


def test_settings_have_defaults_and_unknown_ones_do_not_get_through():
    assert settings_registry().analyzers[0].settings == {"limit": 3, "name": "x"}
    assert settings_registry(limit=5, colour="red").analyzers[0].settings == {"limit": 5, "name": "x"}


def test_the_stamp_changes_with_version_and_settings():
    stamps = {
        settings_registry(**chosen).analyzers[0].stamp for chosen in ({}, {"limit": 4}, {"limit": 4, "name": "y"})
    }
    other = registry_of(bundle("m", {"analyzer/a": analyzer(nothing, version="2")})).analyzers[0].stamp
    assert len({*stamps, other}) == 4


@pytest.mark.parametrize("name", ["gadget/x", "analyzer", "analyzer/", "/x"])
def test_a_plugin_that_lists_nonsense_says_so(name: str):
    with pytest.raises(ValueError, match="is not `kind/id`; the kinds are provider, extractor"):
        Plugin.of("mine", "package", "1", "d", [name])


def test_a_plugin_by_package():
    made = Plugin.of("mine", "package", "1", "d", ["analyzer/my-rule"])
    assert made.extensions == (ExtensionRef("analyzer", "my-rule", "package.analyzers.my_rule"),)


def test_kinds_may_be_plain():
    assert (
        registry_of(bundle("m", {"provider/p": provider("p", spec=KindSpec(label="l", color="#fff"))})).problems == ()
    )


class Bound:
    """An extractor that wants to know the corpora."""

    def __init__(self, corpora: tuple[str, ...] = ()) -> None:
        self.manifest = ExtractorManifest(version="1.0.0", description="Bound.")
        self.corpora = corpora

    def within(self, knowledge: KnowledgeBase) -> "Bound":
        return Bound(tuple(corpus.name for corpus in knowledge.corpora))

    def extract(self, ctx: object) -> None: ...


def bound_registry(knowledge: KnowledgeBase, load: Any = lambda _: SimpleNamespace(extension=Bound())) -> Registry:
    plugin = Plugin.of("p", "pkg", "1.0.0", "Test.", {"extractor/always": (), "extractor/nodes": ("nodes",)})
    return build_registry([plugin], load=load, knowledge=lambda: knowledge)


def test_extensions_are_bound_to_the_knowledge_base():
    registry = bound_registry(KnowledgeBase((Corpus("kb", "kb", "nodes"),)))
    assert [loaded.extension.corpora for loaded in registry.extractors] == [("kb",), ("kb",)]  # type: ignore[attr-defined]
    other = bound_registry(KnowledgeBase((Corpus("kb", "other", "nodes"),)))
    assert registry.extractors[0].stamp != other.extractors[0].stamp


def test_what_is_about_no_corpus_here_is_not_even_imported():
    asked: list[str] = []

    def load(module: str) -> object:
        asked.append(module)
        return SimpleNamespace(extension=Bound())

    registry = bound_registry(KnowledgeBase((Corpus("kb", "kb", "plain"),)), load)
    assert asked == ["pkg.extractors.always"]
    assert registry.idle == {"p/nodes"}
    assert registry.problems == ()


def test_an_extension_that_cannot_be_bound_is_named():
    class Stubborn(Bound):
        def within(self, knowledge: KnowledgeBase) -> "Bound":
            raise ValueError("no")

    registry = bound_registry(KnowledgeBase(), lambda _: SimpleNamespace(extension=Stubborn()))
    assert [problem.sentence() for problem in registry.problems] == [
        "plugin p/always 1.0.0 (load-error), skipped: ValueError: no"
    ]
