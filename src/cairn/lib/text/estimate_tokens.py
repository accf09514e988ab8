"""Without the extra: four characters of English are about one token; letters of other scripts cost far more."""

CHARACTERS = 4
BYTES = 2.5
"""Of a letter beyond ASCII, a token. Rather too many tokens than too few: budgets are kept with this count."""


class EstimatedTokens:
    name = "estimate"
    exact = False

    def count(self, text: str) -> int:
        if text.isascii():
            return -(-len(text) // CHARACTERS)
        plain = len(text.encode("ascii", "ignore"))
        others = len(text.encode("utf-8", "surrogatepass")) - plain
        return int(-(-(plain / CHARACTERS + others / BYTES) // 1))
