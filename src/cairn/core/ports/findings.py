"""What the lenses of the last audits found, so that they can be listed and acknowledged."""

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol


class FindingRow(NamedTuple):
    """A finding as some audit saw it last."""

    id: str
    lens: str
    severity: str
    report: str
    """Id of the audit."""
    first_seen_ms: int
    last_seen_ms: int
    detail: str
    """The finding as JSON, without secrets."""


class FindingStore(Protocol):
    def all(self) -> list[FindingRow]:
        """In the order of severity, lens and id."""
        ...

    def replace(self, lenses: Collection[str], rows: Sequence[FindingRow]) -> None:
        """These are what the lenses find now; what they found before and don't any more is dropped."""
        ...
