"""What two looks at an unstable page say together."""

import pytest

from cairn.core.ports.sources import Cause, FetchFailed
from cairn.freshness.unreliable_sources import DAY_MS, AskedHosts, failed_again, really_changed, waits

OLD = "# A\n\nvisitor 1\n\n## B\n\nthree times\n"


def page(visitor: int, *sections: str) -> str:
    return f"# A\n\nvisitor {visitor}\n" + "".join(f"\n## {one[0]}\n\n{one[2:]}\n" for one in sections)


CASES: dict[str, tuple[str, str, bool]] = {
    "only the noise differs": (page(2, "B three times"), page(3, "B three times"), False),
    "both say five": (page(2, "B five times"), page(3, "B five times"), True),
    "one says five": (page(2, "B five times"), page(3, "B three times"), False),
    "a section went": (page(2), page(3), True),
    "a section went once": (page(2), page(3, "B three times"), False),
    "a section came": (page(2, "B three times", "C new"), page(3, "B three times", "C new"), True),
}


@pytest.mark.parametrize("name", CASES)
def test_by_section(name: str) -> None:
    first, second, changed = CASES[name]
    assert really_changed(OLD, first, second) == changed


def test_a_page_without_headings_is_compared_by_line() -> None:
    assert not really_changed("visitor 1\nthree times\n", "visitor 2\nthree times\n", "visitor 3\nthree times\n")
    assert really_changed("visitor 1\nthree times\n", "visitor 2\nfive times\n", "visitor 3\nfive times\n")


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


A, B = "https://a.example.org", "https://b.example.org"


def _nobody(*outcomes: tuple[str, Cause]) -> bool:
    reached = AskedHosts()
    for url, cause in outcomes:
        reached.note(FetchFailed(url, cause, "It failed."))
    return reached.nobody


@pytest.mark.parametrize(
    ("outcomes", "nobody"),
    [
        ([(f"{A}/1", "dns"), (f"{B}/1", "connect")], True),
        ([(f"{A}/1", "dns"), (f"{A}/2", "dns"), (f"{A}/3", "dns")], True),
        ([(f"{A}/1", "dns"), (f"{A}/2", "dns")], False),
        ([(f"{A}/1", "dns"), (f"{A}/1", "dns"), (f"{A}/1", "dns")], False),
        ([(f"{A}/1", "dns"), (f"{A}/2", "dns"), (f"{A}/3", "dns"), (f"{B}/1", "status")], False),
        ([(f"{A}/1", "refused"), (f"{A}/2", "refused"), (f"{A}/3", "refused")], False),
    ],
    ids=["two hosts", "one host", "few pages", "one page", "somebody answered", "nobody was asked"],
)
def test_a_run_that_reached_nobody_is_one_without_a_network(outcomes: list[tuple[str, Cause]], nobody: bool) -> None:
    assert _nobody(*outcomes) is nobody
