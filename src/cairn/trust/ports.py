"""The ports of this room, as one protocol that the application fulfils."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from cairn.changes.ports import ChangesPorts


class PageUsed(NamedTuple):
    """A session that read a page."""

    path: str
    session: str
    at_ms: int


class HasEvidence(Protocol):
    """What other features know about pages, as far as trust counts it."""

    def page_uses(self, paths: Collection[str], since_ms: int) -> Sequence[PageUsed]:
        """Readings of these pages by sessions, the oldest first."""
        ...

    def corrected_pages(self) -> Mapping[str, Collection[str]]:
        """By page, where each accepted answer comes from that says that it should say something else."""
        ...

    def pages_whose_sources_hold(self, paths: Collection[str]) -> set[str]:
        """Pages with sources in the repository, about which `check` has nothing at HEAD."""
        ...

    def probe_page(self, path: str) -> bool | None:
        """Whether every page on the web that it cites answers, asked in passing; None when it cites none, or where
        nobody can tell."""
        ...


class HasVoters(Protocol):
    def voter_salt(self) -> bytes:
        """A secret of this machine, outside of the repository and its backups."""
        ...

    def page_author(self, path: str, rev: str) -> str:
        """Name of who last changed a page; empty where git can't tell."""
        ...


class TrustPorts(ChangesPorts, HasEvidence, HasVoters, Protocol):
    """What trust needs of the application."""
