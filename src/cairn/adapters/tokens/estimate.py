"""Without the extra: four characters are about one token."""

CHARACTERS = 4


class EstimatedTokens:
    name = "estimate"
    exact = False

    def count(self, text: str) -> int:
        return -(-len(text) // CHARACTERS)
