"""The proposer that needs no model: it takes what was said plainly, and leaves the rest."""

from cairn.curate.rules.propose import Proposed, propose, propose_note

__all__ = ["Proposed", "propose", "propose_note"]
