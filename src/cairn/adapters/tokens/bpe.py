"""With the extra `tokens`: the same byte pairs that the models count."""

from typing import Any


class BpeTokens:
    exact = True

    def __init__(self, name: str, encoding: Any) -> None:
        self.name = name
        self._encoding = encoding

    def count(self, text: str) -> int:
        """Special tokens such as `<|endoftext|>` are text like any other."""
        return int(self._encoding.count(text))


def bpe_tokens(name: str) -> BpeTokens | None:
    """None when the extra is not installed, or does not know this encoding."""
    try:
        from rs_bpe.bpe import openai
    except ImportError:
        return None
    make = getattr(openai, name, None)
    return None if make is None else BpeTokens(name, make())
