"""What follows from answers: each feature consumes those that exist, and asks what follows from them."""

from collections.abc import Callable, Iterable, Sequence

Follow = Callable[[], Sequence[str]]
"""Takes the answers of one feature that nobody used yet, and says in a sentence each what it did with them. It pulls:
called twice or killed halfway, it does nothing twice and loses nothing."""


def follow_up(features: Iterable[Follow]) -> list[str]:
    """Once through all features, in their order."""
    return [said for feature in features for said in feature()]
