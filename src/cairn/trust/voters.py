"""Voters as numbers: the same voter has the same one, and nobody reads a name from it."""

import hmac
from hashlib import sha256
from typing import TYPE_CHECKING

from cairn.changes.requests import who
from cairn.core.ledger_events import project_of

if TYPE_CHECKING:
    from cairn.trust.ports import TrustPorts
    from cairn.trust.presets import Preset


class Voters:
    """In a team and alone, voters are git identities and agents, the same in every clone. On a hub the key is a secret
    of the server, and differs by artefact, so that nobody can follow a voter from page to page."""

    def __init__(self, ports: "TrustPorts", preset: "Preset") -> None:
        self._ports = ports
        self._public = preset.name != "hub"
        self._solo = preset.name == "solo"
        self._salt = project_of(ports).encode() if self._public else ports.voter_salt()

    def person(self, artefact: str, name: str = "") -> int:
        """The person at the keyboard, or one of that name."""
        return self._number(f"person:{(name or who(self._ports)).strip().casefold()}", artefact)

    def agent(self, artefact: str, agent: str, session: str | None) -> int:
        """Alone, each session counts for itself; else an agent has one voice for each person who lets it work."""
        if self._solo and session:
            return self.session(artefact, session)
        return self._number(f"agent:{agent}:{who(self._ports).strip().casefold()}", artefact)

    def session(self, artefact: str, session: str) -> int:
        return self._number(f"session:{session}", artefact)

    def machine(self, artefact: str, name: str) -> int:
        """A check or a probe, by what it looked at."""
        return self._number(f"machine:{name}", artefact)

    def _number(self, identity: str, artefact: str) -> int:
        told = identity if self._public else f"{identity}\0{artefact}"
        digest = hmac.new(self._salt, told.encode("utf-8", "replace"), sha256).digest()
        return int.from_bytes(digest[:8], "big") >> 2
