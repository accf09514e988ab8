"""The extension point of audits: what a lens declares and does. Apart from the others, since no scan needs it."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from cairn.core.extension_points import Manifest

if TYPE_CHECKING:
    from cairn.core.model.finding import Finding


class LensManifest(Manifest):
    scope: Literal["docs", "code"] = "docs"
    needs: tuple[str, ...] = ()
    """Of `docs`, `git`, `ledger`; without one of these it is skipped, which the report says."""
    after: tuple[str, ...] = ()
    """Ids of lenses that look first."""


class LensContext(NamedTuple):
    """What a lens looks at in an audit."""

    lens: str
    """Its own id, `plugin/lens`, as its findings have to name it."""
    documents: Callable[[], Iterable[tuple[str, str]]]
    """(path, text) of every document, read when asked for."""
    profile: Literal["fast", "full"]
    settings: Mapping[str, Any]


class Lens(Protocol):
    """Looks at a workspace during `cairn observe audit` and says what does not fit together."""

    @property
    def manifest(self) -> LensManifest: ...

    def look(self, ctx: LensContext) -> Iterable["Finding"]:
        """A finding's id stays the same as long as it is the same thing: `finding_id` makes one of its parts."""
        ...
