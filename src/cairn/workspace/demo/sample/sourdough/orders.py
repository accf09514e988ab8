"""Orders: how one is taken, and for how long a basket waits."""

from dataclasses import dataclass
from enum import Enum

HOLD_MINUTES = 30
"""A basket that nobody pays for is given back after this long."""


class State(Enum):
    TAKEN = "taken"
    PAID = "paid"
    PLANNED = "planned"
    BAKED = "baked"
    HANDED_OVER = "handed-over"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Order:
    loaves: int
    cents: int
    state: State = State.TAKEN


def place_order(loaves: int, *, price_cents: int, hold_minutes: int = HOLD_MINUTES) -> Order:
    """Take an order; it is held for a while and has to be paid by then."""
    if loaves < 1 or hold_minutes < 1:
        raise ValueError("an order has at least one loaf, and some time to be paid")
    return Order(loaves, loaves * price_cents)
