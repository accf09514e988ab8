"""What a file is, and by which names it may be called, while a certain provider is active."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cairn.core.extension_points import KindSpec, Parser, Provider, ProviderManifest
from cairn.core.model.graph import ProviderClaim
from cairn.core.ports.files import FoundFile, NameEndings
from cairn.core.registry import FAILING, BadEmission, ExtensionFailure, LoadedExtension, failure
from cairn.lib.text.trigger import knowledge_name, normalize_trigger


class Name(NamedTuple):
    name: str
    origin: str
    """`name` from the frontmatter, `file`, `dir`, `space` with a namespace or a prefix before it, `page` for wikilinks;
    of pages of knowledge `knowledge` as declared, `knowledge-file`."""


class Classification(NamedTuple):
    """A file as it appears: None for kind and provider when nobody claims it just now."""

    kind: str | None
    provider: str | None
    names: tuple[Name, ...]
    reserved: bool


class Providers:
    """The providers, and which of them is active; what depends on no file is worked out once."""

    def __init__(self, providers: Sequence[LoadedExtension[Provider]], active: str | None) -> None:
        self.providers = tuple(providers)
        self.active = active
        self._manifests: dict[str, ProviderManifest] = {p.id: p.manifest for p in providers}
        self._shown = {id for id, m in self._manifests.items() if not m.gated or active in (None, id)}
        self._gates = [(p, _lowered(p.manifest.roots), NameEndings.of(p.manifest.extensions)) for p in self.providers]
        self._spaces = {p.id: p.extension.namespace for p in providers if hasattr(p.extension, "namespace")}
        self.failures: list[ExtensionFailure] = []

    def manifest(self, provider: str | None) -> ProviderManifest | None:
        return self._manifests.get(provider or "")

    def spec(self, provider: str | None, kind: str | None) -> KindSpec | None:
        manifest = self._manifests.get(provider or "")
        return manifest.kinds.get(kind or "") if manifest else None

    def namespace(self, provider: str, path: str) -> str | None:
        """What may stand before the names of a file."""
        space = self._spaces.get(provider)
        return space(path) if space else None

    def shows(self, provider: str) -> bool:
        """Whether this provider's claims count."""
        return provider in self._shown

    def claims(self, path: str, frontmatter: Mapping[str, Any]) -> tuple[ProviderClaim, ...]:
        """What each provider says the file is, in dispatch order, whether or not it is the active one."""
        lowered = path.lower()
        found = []
        for provider, roots, ending in self._gates:
            if (not roots or lowered.startswith(roots)) and ending.fits(lowered):
                try:
                    kind = provider.extension.classify(path, frontmatter)
                    if kind is not None:
                        _must_be_declared(provider.manifest, kind)
                        found.append(ProviderClaim(provider.id, kind))
                except FAILING as error:
                    self.failures.append(failure(provider, path, error))
        return tuple(found)

    def wanted(self, files: Sequence[FoundFile]) -> list[FoundFile]:
        """The files that any provider wants to see: nobody asks for a `pyproject.toml`."""
        anywhere = tuple(suffix for _, roots, ending in self._gates if not roots for suffix in ending.endings)
        return [file for file in files if file.path.endswith(anywhere) or self._wants(file.path)]

    def _wants(self, path: str) -> bool:
        lowered = path.lower()
        return any(
            (not roots or lowered.startswith(roots)) and ending.fits(lowered) for _, roots, ending in self._gates
        )

    def parser(self, path: str) -> Parser:
        """How a file of this name is read: as the first provider says that wants to see it."""
        lowered = path.lower()
        return next((p.manifest.parser for p, _, ending in self._gates if ending.fits(lowered)), "frontmatter-yaml")


def _lowered(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(text.lower() for text in texts)


def _must_be_declared(manifest: ProviderManifest, kind: str) -> None:
    if kind not in manifest.kinds:
        raise BadEmission(f"it said kind `{kind}`, which its manifest does not declare")


def classify_file(
    path: str, frontmatter: Mapping[str, Any], claimed: Sequence[ProviderClaim], lens: Providers
) -> Classification:
    """The first claim that counts decides."""
    claim = next((c for c in claimed if lens.shows(c.provider)), None)
    if claim is None:
        return Classification(None, None, (), False)
    spec = lens.spec(claim.provider, claim.kind)
    names = _names(path, frontmatter, spec)
    space = lens.namespace(claim.provider, path)
    reserved = space is None and _reserved(names, claim, lens)
    if space is not None:
        names = _with(f"{space}:", names)
    if spec and spec.prefix:
        names = _with(spec.prefix, names)
    return Classification(claim.kind, claim.provider, names, reserved)


def _with(before: str, names: Sequence[Name]) -> tuple[Name, ...]:
    """The names, and each with this before it: a host that keeps `help` for itself still reaches `plugin:help`."""
    found = {name.name: name for name in names}
    for name in names:
        if name.origin in ("name", "file", "dir", "space"):
            longer = normalize_trigger(f"{before}{name.name}")
            found.setdefault(longer, Name(longer, "space"))
    return tuple(found.values())


def _names(path: str, frontmatter: Mapping[str, Any], spec: KindSpec | None) -> tuple[Name, ...]:
    folder, _, file = path.rpartition("/")
    stem = file.rpartition(".")[0] or file
    found: dict[str, Name] = {}
    for identifier in spec.identifiers if spec else ():
        if identifier == "knowledge":
            found.update((name.name, name) for name in _knowledge_names(folder, stem, frontmatter))
            continue
        if identifier == "frontmatter.name":
            declared = frontmatter.get("name")
            name = Name(normalize_trigger(declared) if isinstance(declared, str) else "", "name")
        elif identifier == "dirname":
            name = Name(normalize_trigger(folder.rpartition("/")[2]), "dir")
        else:
            name = Name(normalize_trigger(stem), "file")
        if name.name:
            found.setdefault(name.name, name)
    page = f"[[{normalize_trigger(stem)}"
    return (*found.values(), Name(page, "page"))


def _knowledge_names(folder: str, stem: str, frontmatter: Mapping[str, Any]) -> Iterator[Name]:
    """What other pages of knowledge call this one: its declared name or id, and its file or, of a procedure, folder."""
    shown = folder.rpartition("/")[2] if stem == "canonical" else stem
    yield Name(knowledge_name(shown), "knowledge-file")
    for key in ("name", "id"):
        declared = frontmatter.get(key)
        if isinstance(declared, str) and declared.strip():
            yield Name(knowledge_name(declared), "knowledge")
            return


def _reserved(names: Sequence[Name], claim: ProviderClaim, lens: Providers) -> bool:
    """Whether the host keeps one of the names for itself: the node's own provider, or the active one for nodes of
    providers that are shared between hosts."""
    own = lens.manifest(claim.provider)
    called = {name.name for name in names if name.origin != "page"}
    if own is not None and called & own.reserved_names.get(claim.kind, frozenset()):
        return True
    active = lens.manifest(lens.active)
    if active is None or own is None or own.gated or claim.provider == lens.active:
        return False
    return bool(called & active.reserved_names.get(claim.kind, frozenset()))
