"""The night plan: which oven bakes what, in which order."""

import argparse

REST_MINUTES = 20
"""Between two batches an oven gets its heat back."""


def plan_night(orders: list[int], capacity: int, rest_minutes: int = REST_MINUTES) -> list[list[int]]:
    """Fill one batch after the other; an order is never split."""
    batches: list[list[int]] = [[]]
    for loaves in sorted(orders, reverse=True):
        if sum(batches[-1]) + loaves > capacity:
            batches.append([])
        batches[-1].append(loaves)
    return batches if rest_minutes else [orders]


def main() -> None:
    parser = argparse.ArgumentParser(prog="sourdough-night")
    parser.add_argument("orders", nargs="*", type=int, help="loaves of each order")
    parser.add_argument("--capacity", type=int, default=24, help="loaves in a batch")
    parser.add_argument("--preview", action="store_true", help="print the plan and bake nothing")
    given = parser.parse_args()
    for number, batch in enumerate(plan_night(given.orders, given.capacity), 1):
        print(f"batch {number}: {sum(batch)} loaves")  # noqa: T201
