"""What a lens is: one way of looking at a workspace, whose findings stay the same as long as what it saw does."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from cairn.core.model.finding import Finding

Profile = Literal["fast", "full"]
Scope = Literal["docs", "code"]


class Document(NamedTuple):
    path: str
    """From the root of the workspace."""
    text: str
    """All of the file, frontmatter too."""


def _none() -> Iterable[Document]:
    return ()


@dataclass(frozen=True, slots=True)
class Around:
    """What lenses may look at. A lens that wants more is made with the ports it asks."""

    documents: Callable[[], Iterable[Document]] = _none
    """Read when asked for."""
    has: frozenset[str] = field(default_factory=frozenset)
    """Which of the things that lenses need are there: `docs`, `git`, `ledger`."""
    profile: Profile = "fast"


class Lens(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def scope(self) -> Scope: ...
    @property
    def needs(self) -> frozenset[str]:
        """Without one of these it is skipped, which the report says."""
        ...

    @property
    def after(self) -> tuple[str, ...]:
        """Lenses whose findings should be there first."""
        ...

    def look(self, around: Around) -> Iterable[Finding]: ...
