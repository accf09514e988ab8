"""Every lens that an audit can look through: the two that come with Cairn, and those of plugins."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cairn.kernel.looking import LensContext
from cairn.kernel.model.finding import Finding
from cairn.observe.lens import Around, Lens, Scope

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.kernel.looking import Lens as LensExtension
    from cairn.kernel.registry import Loaded


class PluginLens:
    """An extension of the kind `lens`, as the audit sees it."""

    def __init__(self, loaded: "Loaded[LensExtension]") -> None:
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

    def look(self, around: Around) -> Iterable[Finding]:
        ctx = LensContext(self.id, around.documents, around.profile, self._loaded.settings)
        return self._loaded.extension.look(ctx)


def known_lenses(app: "App", *, knowledge_root: str | None = None) -> tuple[Lens, ...]:
    from cairn.observe.lens_h.cross_doc import CrossDoc

    return (CrossDoc(), *(PluginLens(loaded) for loaded in app.registry.lenses))
