"""When to try again."""

from cairn.freshness.backoff import DAY_MS, failed_again, waits


def test_one_two_four_up_to_thirty_two_days() -> None:
    row, now, waited = None, 0, []
    for _ in range(9):
        row = failed_again(row, "a.md", cause="dns", reason="No.", now_ms=now)
        waited.append(round((row.next_try_ms - now) / DAY_MS + 0.2))
    assert waited == [1, 2, 4, 8, 16, 32, 32, 32, 32]
    assert row is not None and row.failures == 9


def test_tomorrows_run_may_be_a_little_early() -> None:
    row = failed_again(None, "a.md", cause="dns", reason="No.", now_ms=0)
    assert waits(row, DAY_MS // 2)
    assert not waits(row, DAY_MS - 60_000)
    assert not waits(None, 0)
