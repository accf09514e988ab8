"""The registry of extensions. A broken extension is named, with its version, and skipped; the rest goes on."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, get_args

from cairn.core.extension_points import (
    TRIGGERS,
    Action,
    ActionManifest,
    Analyzer,
    AnalyzerManifest,
    ExtensionKind,
    ExtensionRef,
    Extractor,
    ExtractorManifest,
    Formatter,
    FormatterManifest,
    Hook,
    HookManifest,
    KindSpec,
    Manifest,
    Mode,
    Parser,
    Phase,
    Plugin,
    Precondition,
    Provider,
    ProviderManifest,
    Reach,
    Setting,
    Stability,
)
from cairn.core.model.graph import SLOTS, View
from cairn.core.model.lens import LensExtension, LensManifest

_SHAPES: Mapping[str, tuple[type[Manifest], str]] = {
    "provider": (ProviderManifest, "classify"),
    "extractor": (ExtractorManifest, "extract"),
    "analyzer": (AnalyzerManifest, "evaluate"),
    "action": (ActionManifest, "invoke"),
    "formatter": (FormatterManifest, "format"),
    "hook": (HookManifest, "on"),
    "lens": (LensManifest, "look"),
}
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "stability": get_args(Stability),
    "phase": get_args(Phase),
    "reach": get_args(Reach),
    "mode": get_args(Mode),
    "parser": get_args(Parser),
}
_VALUES: Mapping[str, type] = {"settings": Setting, "ui": View, "kinds": KindSpec}
_LISTS = ("markers", "roots", "extensions", "kind_priority", "aka", "writes", "triggers", "needs", "after")
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


def id_fault(id: object) -> str | None:
    """Ids are joined by `/`, `@` and blanks when they are kept."""
    if isinstance(id, str) and _ID.fullmatch(id):
        return None
    return f"the id {id!r} may have letters, digits, dots, dashes and underscores only"


def faults(ref: ExtensionRef, extension: object) -> list[str]:
    """Empty when the extension is sound."""
    fault = id_fault(ref.id)
    if fault is not None:
        return [fault]
    if ref.kind not in _SHAPES:
        return [f"`{ref.kind}` is not a kind of extension"]
    shape, method = _SHAPES[ref.kind]
    manifest = getattr(extension, "manifest", None)
    if not isinstance(manifest, shape):
        return [f"`manifest` must be a {shape.__name__}"]
    if not callable(getattr(extension, method, None)):
        return [f"an extension of kind {ref.kind} needs a method `{method}`"]
    return list(_wrong_types(manifest)) or list(_wrong_values(manifest))


def _wrong_types(manifest: Manifest) -> Iterator[str]:
    for key, kind in _VALUES.items():
        value = getattr(manifest, key, {})
        if not isinstance(value, Mapping) or not all(isinstance(item, kind) for item in value.values()):
            yield f"/{key} must map names to {kind.__name__} objects"
    for key in _LISTS:
        if not _texts(getattr(manifest, key, ())):
            yield f"/{key} must be a tuple of texts"
    condition = getattr(manifest, "precondition", Precondition())
    if not isinstance(condition, Precondition) or not all(map(_texts, _parts(condition))):
        yield "/precondition must be a Precondition of tuples of texts"


def _parts(condition: Precondition) -> tuple[Any, ...]:
    return condition.kind, condition.provider, condition.analyzer_ids


def _texts(value: object) -> bool:
    """A single text in place of a list of them is the usual slip: `(".md")` is no tuple."""
    return isinstance(value, tuple | list) and all(isinstance(item, str) for item in value)


def _wrong_values(manifest: Manifest) -> Iterator[str]:
    for key, known in _CHOICES.items():
        if getattr(manifest, key, known[0]) not in known:
            yield f"/{key} must be one of {', '.join(known)}"
    yield from (f"/ui/{key}/slot is not a valid value" for key, view in manifest.ui.items() if view.slot not in SLOTS)
    if isinstance(manifest, LensManifest) and manifest.scope not in ("docs", "code"):
        yield "/scope must be one of docs, code"
    if isinstance(manifest, HookManifest):
        yield from (f"unknown trigger `{trigger}`" for trigger in manifest.triggers if trigger not in TRIGGERS)
    if isinstance(manifest, ActionManifest) and manifest.mode == "probabilistic" and not manifest.expected_seconds:
        yield "a probabilistic action needs `expected_seconds`"


E = TypeVar("E")


class LoadedExtension(NamedTuple, Generic[E]):
    """An extension that is ready to run."""

    plugin: str
    id: str
    kind: ExtensionKind
    extension: E
    settings: Mapping[str, Any]
    enabled: bool = True
    bound: str = ""
    """Stamp of the knowledge base that it is bound to, if it asked for one."""

    @property
    def qualified(self) -> str:
        return f"{self.plugin}/{self.id}"

    @property
    def manifest(self) -> Any:
        return self.extension.manifest  # type: ignore[attr-defined]

    @property
    def stamp(self) -> str:
        """Changes whenever what it makes may change: id, version, settings, knowledge base."""
        settings = "".join(f" {key}={self.settings[key]!r}" for key in sorted(self.settings))
        return f"{self.qualified}@{self.manifest.version}{settings}{self.bound and f' within {self.bound}'}"


class PluginProblem(NamedTuple):
    """Why a plugin, or one extension of it, does not take part."""

    plugin: str
    version: str
    extension: str | None
    status: str
    """`invalid-manifest`, `load-error`, `id-collision`, `untrusted` or `extension-error`."""
    message: str

    def sentence(self) -> str:
        what = f"{self.plugin}/{self.extension}" if self.extension else self.plugin
        skipped = "skipped" if self.extension else "all extensions skipped"
        return f"plugin {what} {self.version} ({self.status}), {skipped}: {self.message}"


class Registry:
    """Every known extension, in order of registration, and what is wrong with the others."""

    def __init__(
        self,
        plugins: Sequence[Plugin] = (),
        extensions: Sequence[LoadedExtension[Any]] = (),
        problems: Sequence[PluginProblem] = (),
        idle: Sequence[str] = (),
    ) -> None:
        self.plugins = tuple(plugins)
        self.extensions = tuple(extensions)
        self.problems = tuple(problems)
        self.idle = frozenset(idle)
        """Qualified ids of extensions that were not loaded, because there is no corpus that they are about."""
        self._by_kind: dict[str, tuple[LoadedExtension[Any], ...]] = {}

    def _of(self, kind: str) -> tuple[LoadedExtension[Any], ...]:
        if kind not in self._by_kind:
            self._by_kind[kind] = tuple(e for e in self.extensions if e.kind == kind and e.enabled)
        return self._by_kind[kind]

    @property
    def providers(self) -> tuple[LoadedExtension[Provider], ...]:
        return self._of("provider")

    @property
    def extractors(self) -> tuple[LoadedExtension[Extractor], ...]:
        return self._of("extractor")

    @property
    def analyzers(self) -> tuple[LoadedExtension[Analyzer], ...]:
        return self._of("analyzer")

    @property
    def actions(self) -> tuple[LoadedExtension[Action], ...]:
        return self._of("action")

    @property
    def formatters(self) -> tuple[LoadedExtension[Formatter], ...]:
        return self._of("formatter")

    @property
    def hooks(self) -> tuple[LoadedExtension[Hook], ...]:
        return self._of("hook")

    @property
    def lenses(self) -> tuple[LoadedExtension[LensExtension], ...]:
        return self._of("lens")

    def provider(self, id: str | None) -> LoadedExtension[Provider] | None:
        return next((p for p in self.providers if p.id == id), None)

    def find(self, qualified: str) -> LoadedExtension[Any] | None:
        return next((e for e in self.extensions if e.qualified == qualified), None)


def placed(
    registry: Registry, paths: Iterable[str], exists: Callable[[str], bool], read: Callable[[str], str]
) -> Registry:
    """The registry with providers that know which files there are."""
    if not any(hasattr(p.extension, "placed") for p in registry.providers):
        return registry
    listed = list(paths)
    extensions = [_placed(loaded, listed, exists, read) for loaded in registry.extensions]
    return Registry(registry.plugins, extensions, registry.problems, tuple(registry.idle))


def _placed(
    loaded: LoadedExtension[Any], paths: list[str], exists: Callable[[str], bool], read: Callable[[str], str]
) -> LoadedExtension[Any]:
    if loaded.kind != "provider" or not loaded.enabled or not hasattr(loaded.extension, "placed"):
        return loaded
    from zlib import crc32

    extension = loaded.extension.placed(paths, exists, read)
    said = extension.stamp
    return loaded._replace(extension=extension, bound=said and f"{crc32(said.encode()):08x}-{len(said)}")


class ExtensionSwitches(NamedTuple):
    """Which extensions are on, and how they are set."""

    enabled: Callable[[str, str, bool], bool] = lambda _plugin, _extension, default: default
    settings: Callable[[str, str], Mapping[str, Any]] = lambda _plugin, _extension: {}
    disabled_kinds: frozenset[str] = frozenset()


class WorkspaceKnowledge(Protocol):
    """What the registry asks of the corpora of a workspace; extensions get the whole `KnowledgeBase`."""

    @property
    def stamp(self) -> str:
        """Changes whenever what is found through it may change."""

    def has(self, layouts: Collection[str]) -> bool:
        """Whether any corpus is of one of these layouts."""


class NoKnowledge:
    """Of a workspace without corpora."""

    stamp = ""

    def has(self, layouts: Collection[str]) -> bool:
        return False


def build_registry(
    plugins: Sequence[Plugin],
    *,
    load: Callable[[str], object],
    switches: ExtensionSwitches | None = None,
    knowledge: Callable[[], WorkspaceKnowledge] = NoKnowledge,
) -> Registry:
    """Import what is listed and keep what is sound. `load` takes the dotted name of a module; `knowledge` is asked
    when an extension wants to know the corpora."""
    switches = switches or ExtensionSwitches()
    loaded: list[LoadedExtension[Any]] = []
    problems: list[PluginProblem] = []
    idle: list[str] = []
    taken: set[str] = set()
    for plugin in plugins:
        unsound = _plugin_fault(plugin, taken)
        if unsound is not None:
            problems.append(PluginProblem(plugin.id, plugin.version, None, unsound.status, str(unsound)))
            continue
        taken.add(plugin.id)
        for ref in plugin.extensions:
            if ref.layouts and not knowledge().has(ref.layouts):
                idle.append(f"{plugin.id}/{ref.id}")
                continue
            try:
                loaded.append(_bound(_load(plugin, ref, load, switches), knowledge))
                _must_be_new(loaded)
            except _Unsound as problem:
                problems.append(PluginProblem(plugin.id, plugin.version, ref.id, problem.status, str(problem)))
    return Registry(tuple(plugins), tuple(_in_order(loaded)), tuple(problems), tuple(idle))


def _in_order(loaded: Iterable[LoadedExtension[Any]]) -> list[LoadedExtension[Any]]:
    """As registered, but a provider that takes every file it is shown comes after all others."""
    return sorted(loaded, key=lambda e: e.kind == "provider" and e.qualified == "core/markdown")


class _Unsound(Exception):
    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status


def _plugin_fault(plugin: Plugin, taken: Collection[str]) -> _Unsound | None:
    if plugin.id in taken:
        return _Unsound("id-collision", "its id is already taken")
    fault = id_fault(plugin.id)
    return None if fault is None else _Unsound("invalid-manifest", fault)


def _must_be_new(loaded: list[LoadedExtension[Any]]) -> None:
    """Take the last one out again if its id is taken. Nodes name their provider by its short id, so that is one too."""
    last = loaded[-1]
    for other in loaded[:-1]:
        if other.qualified == last.qualified or (other.kind, last.kind, last.id) == ("provider", "provider", other.id):
            loaded.pop()
            raise _Unsound("id-collision", f"there is already a {other.kind} `{other.qualified}`")


def _load(
    plugin: Plugin, ref: ExtensionRef, load: Callable[[str], object], switches: ExtensionSwitches
) -> LoadedExtension[Any]:
    try:
        extension: Any = getattr(load(ref.module), "extension", None)
    except (Exception, SystemExit) as error:
        raise _Unsound("load-error", f"{type(error).__name__}: {error}") from error
    if extension is None:
        raise _Unsound("load-error", f"{ref.module} has no object named `extension`")
    wrong = faults(ref, extension)
    if wrong:
        raise _Unsound("invalid-manifest", "; ".join(wrong))
    manifest = extension.manifest
    on = ref.kind not in switches.disabled_kinds and switches.enabled(plugin.id, ref.id, manifest.on_by_default)
    settings = {key: setting.default for key, setting in manifest.settings.items()}
    settings |= {k: v for k, v in switches.settings(plugin.id, ref.id).items() if k in settings}
    return LoadedExtension(plugin.id, ref.id, ref.kind, extension, settings, on)


def _bound(loaded: LoadedExtension[Any], knowledge: Callable[[], WorkspaceKnowledge]) -> LoadedExtension[Any]:
    """The extension as it is within this workspace's knowledge, if it asks for that."""
    within = getattr(loaded.extension, "within", None)
    if within is None:
        return loaded
    base = knowledge()
    try:
        extension = within(base)
    except Exception as error:
        raise _Unsound("load-error", f"{type(error).__name__}: {error}") from error
    return loaded._replace(extension=extension, bound=base.stamp)


FAILING = (Exception, SystemExit)
"""What an extension may raise without ending more than itself. `sys.exit()` in a plugin is not a person's ^C."""


class BadEmission(Exception):
    """An extension said something that the contract does not allow."""


class ExtensionFailure(NamedTuple):
    extension: str
    version: str
    path: str
    """The file that it failed on; empty when it was not about one."""
    message: str


def failure(loaded: LoadedExtension[Any], path: str, error: BaseException) -> ExtensionFailure:
    text = str(error) if isinstance(error, BadEmission) else f"{type(error).__name__}: {error}"
    return ExtensionFailure(loaded.qualified, loaded.manifest.version, path, text)


def as_json(value: Any) -> str:
    """What an extension wants kept, as text that every store and every reader of JSON can take."""
    try:
        text = json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadEmission(f"it gave a value that is not JSON: {error}") from error
    must_be_text(text)
    return text


def must_be_text(*texts: object) -> None:
    """Strings of valid Unicode: anything else could not be written."""
    for text in texts:
        if not isinstance(text, str):
            raise BadEmission(f"it gave {text!r} where text belongs")
        if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            raise BadEmission("it gave text that is not valid Unicode")


class ProjectPlugin(NamedTuple):
    id: str
    version: str
    description: str
    extensions: tuple[str, ...]
    """As `kind/id`."""
    problem: PluginProblem
    notes: tuple[str, ...] = ()
    """What `plugins doctor` should say although it is no reason to leave the plugin out."""
