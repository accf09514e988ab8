"""Every lens that an audit can look through: the two that come with Cairn, and those of plugins."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cairn.core.model.lens import Finding, LensContext
from cairn.observe.lens import Lens, LensView, Scope

if TYPE_CHECKING:
    from cairn.core.model.lens import LensExtension
    from cairn.core.registry import LoadedExtension
    from cairn.observe.ask_contradictions import Contradictions
    from cairn.observe.covered_topics import RootResolution
    from cairn.observe.ports import ObservePorts


class PluginLens:
    """An extension of the kind `lens`, as the audit sees it."""

    def __init__(self, loaded: "LoadedExtension[LensExtension]") -> None:
        self._loaded = loaded

    @property
    def id(self) -> str:
        return self._loaded.qualified

    @property
    def scope(self) -> Scope:
        scope: Scope = self._loaded.manifest.scope
        return scope

    @property
    def needs(self) -> frozenset[str]:
        return frozenset(self._loaded.manifest.needs)

    @property
    def after(self) -> tuple[str, ...]:
        return tuple(self._loaded.manifest.after)

    def look(self, around: LensView) -> Iterable[Finding]:
        ctx = LensContext(self.id, around.documents, around.profile, self._loaded.settings)
        return self._loaded.extension.look(ctx)


class LensNotes:
    """What lenses have to say besides their findings."""

    def __init__(self) -> None:
        self.notes: dict[str, str] = {}
        """By a key, so that each is said once."""
        self.knowledge: RootResolution | None = None
        """Where the entries are that gaps were compared with; None when nothing had to be compared."""

    def warn(self, key: str, sentence: str) -> None:
        self.notes.setdefault(key, sentence[:1].upper() + sentence[1:])


def known_lenses(
    ports: "ObservePorts",
    heard: LensNotes,
    *,
    knowledge_root: str | None = None,
    contradictions: "Contradictions | None" = None,
) -> tuple[Lens, ...]:
    """Without `contradictions` nobody is asked, and the answers that exist are used."""
    from cairn.observe.ask_contradictions import Contradictions
    from cairn.observe.lens_contradictions.cross_doc import CrossDoc

    plugins = (PluginLens(loaded) for loaded in ports.registry.lenses)
    return (
        CrossDoc((contradictions or Contradictions(ports, asks=False)).look),
        _gaps(ports, heard, knowledge_root),
        *plugins,
    )


def _gaps(ports: "ObservePorts", heard: LensNotes, knowledge_root: str | None) -> Lens:
    """A folder that somebody named and that is no knowledge base is an error before any lens looks."""
    from cairn.observe.lens_coverage_gaps import GapView, KnowledgeGaps
    from cairn.observe.list_gaps import knowledge_base, look_at_gaps

    if knowledge_root:
        knowledge_base(ports, knowledge_root)

    def view() -> GapView:
        seen = look_at_gaps(ports, knowledge_root=knowledge_root, warn=heard.warn)
        heard.knowledge = seen.resolution
        return seen

    return KnowledgeGaps(view, lambda: ports.store.gaps)
