"""All gates about one change: each says its word, and the worst counts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cairn.changes.gate import Around, Gate
from cairn.core.model.change import ChangeSet, Level, Ruling

Look = Callable[[ChangeSet], Around]
"""Gathers what the gates may look at, for one change."""


@dataclass(frozen=True, slots=True)
class Gates:
    gates: Sequence[Gate]
    look: Look

    def judge(self, change: ChangeSet) -> tuple[Ruling, ...]:
        around = _unswayed(self.look(change), change.origin)
        return tuple(_asked(gate, change, around) for gate in self.gates)


def _unswayed(around: Around, origin: str) -> Around:
    """Whoever makes a change must not wave it through: labels of its own origin are hidden."""
    return replace(around, labels=tuple(label for label in around.labels if label.setter != origin))


def _asked(gate: Gate, change: ChangeSet, around: Around) -> Ruling:
    try:
        return gate.judge(change, around)._replace(gate=gate.id)
    except Exception as error:  # a gate that cannot look has not said that all is well
        why = f"{type(error).__name__}: {error}".rstrip(": ")
        reason = f"The gate `{gate.id}` failed, so nobody looked ({why}); mend it, then run `cairn change gates` again."
        return Ruling(gate.id, Level.BLOCK, reason)
