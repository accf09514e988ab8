"""Text of others in an answer, as everywhere where Cairn quotes."""

from cairn.retrieve.excerpt import MEANING, fenced, one_line, said

__all__ = ["MEANING", "fenced", "one_line", "said"]
