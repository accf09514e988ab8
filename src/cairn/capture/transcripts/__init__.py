"""Transcripts of agents: what was said in them, turn by turn.

A turn's id ends with the id of the user's message: the host's own (`uuid` of Claude Code, `id` of OpenCode), or, where
the host gives none (Codex, Cursor), `@` and the offset of the last line that says it.
"""

from cairn.capture.transcripts.lines import Tally
from cairn.capture.transcripts.turns import last_turn, segments, turns

__all__ = ["Tally", "last_turn", "segments", "turns"]
