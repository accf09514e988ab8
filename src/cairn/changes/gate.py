"""A gate decides whether a change may land. All gates together: the worst ruling counts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from cairn.core.model.change import ChangeSet, GateRuling, Label, Level
from cairn.core.model.knowledge import Corpus

ReadFile = Callable[[str], bytes | None]
"""The bytes of a file by its path from the root of the workspace; None when it is not there."""


class LinkResult(NamedTuple):
    """What came of asking for a URL a while ago."""

    url: str
    ok: bool
    reason: str
    """One sentence; empty when it is fine."""
    at_ms: int


class KnownSources(Protocol):
    """What earlier looks at sources left. Gates fetch nothing themselves."""

    def recent(self) -> Mapping[str, LinkResult]:
        """By URL, what is known of it from the last 24 hours."""
        ...

    def text(self, reference: str, hash: str) -> str | None:
        """The text of a source that was kept under a hash."""
        ...

    def shown_text(self, reference: str) -> str | None:
        """All that the newest kept page of a source shows."""
        ...


@dataclass(frozen=True, slots=True)
class GateContext:
    """What a gate may look at besides the change itself."""

    base: ReadFile
    """A file as it is at the base revision."""
    proposed: ReadFile
    """The same file as it would be."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """By dotted key, read at the base revision: a change cannot soften the gates that judge it."""
    corpora: tuple[Corpus, ...] = ()
    """As they are at the base revision."""
    labels: tuple[Label, ...] = ()
    """Without those that the change's own origin has set."""
    recent: Mapping[str, LinkResult] = field(default_factory=dict)
    """By URL, what is known of it from the last 24 hours."""
    now_ms: int = 0
    pages: Callable[[], Mapping[str, bytes]] = dict
    """Every page of the corpora as it would be, by its path; read when somebody asks."""
    source_text: Callable[[str, str], str | None] = lambda reference, hash: None  # noqa: ARG005
    """The text of a source (`url#anchor`) that was kept under a hash; None when nobody kept it."""
    shown_text: Callable[[str], str | None] = lambda reference: None  # noqa: ARG005
    """All that the newest kept page of a source shows, menus and banners included; None when nobody kept one."""

    vouched: frozenset[tuple[str, int]] = frozenset()
    """Hosts and ports inside that the operator of this machine lets sources be at."""

    def labelled(self, name: str) -> bool:
        return any(label.name == name for label in self.labels)


class Gate(Protocol):
    @property
    def id(self) -> str: ...

    def judge(self, change: ChangeSet, around: GateContext) -> GateRuling: ...


Look = Callable[[ChangeSet], GateContext]
"""Gathers what the gates may look at, for one change."""


@dataclass(frozen=True, slots=True)
class Gates:
    gates: Sequence[Gate]
    look: Look

    def judge(self, change: ChangeSet) -> tuple[GateRuling, ...]:
        around = _unswayed(self.look(change), change.origin)
        return tuple(_asked(gate, change, around) for gate in self.gates)


def _unswayed(around: GateContext, origin: str) -> GateContext:
    """Whoever makes a change must not wave it through: labels of its own origin are hidden."""
    return replace(around, labels=tuple(label for label in around.labels if label.setter != origin))


def _asked(gate: Gate, change: ChangeSet, around: GateContext) -> GateRuling:
    try:
        return gate.judge(change, around)._replace(gate=gate.id)
    except Exception as error:  # a gate that cannot look has not said that all is well
        why = f"{type(error).__name__}: {error}".rstrip(": ")
        reason = f"The gate `{gate.id}` failed, so nobody looked ({why}); mend it, then run `cairn change gates` again."
        return GateRuling(gate.id, Level.BLOCK, reason)
