"""Artefacts and ballots in the store: the same answers on every database, and the same as in Python."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from random import Random

import pytest

from cairn.adapters.storage.sql.store import SqlStore
from cairn.adapters.storage.sql.trust import TABLES
from cairn.core.model.knowledge import EntryStatus
from cairn.core.ports.trust import BANNED_FROM, SOURCES, ArtefactRow, BallotRow, RejectedContent, Strike, Tally
from cairn.trust.artefact import PageState, enrolled
from cairn.trust.decide import Aggregates, Decision, decide
from cairn.trust.evaluate import evaluate, window_start
from cairn.trust.presets import DAY_MS, HOUR_MS, PRESETS, PresetName
from cairn.trust.table import Transition, table
from stores import opener

NOW = 400 * DAY_MS
MANY = 100_000


def artefact(number: int, **changes: object) -> ArtefactRow:
    page = PageState(f"{number:016x}", EntryStatus.ALPHA, "", f"{number:040x}")
    row = enrolled(f"knowledge/{number:06}.md", "entry", page, NOW - 5 * DAY_MS, status=EntryStatus.ALPHA, by="person")
    return row._replace(**{"id": b"e" * 10, **changes})


def ballot(of: ArtefactRow, voter: int, verdict: int = 0, *, source: int = 0, at_ms: int = NOW - DAY_MS) -> BallotRow:
    return BallotRow(of.cohort, voter, source, verdict, at_ms, voter.to_bytes(10, "big"), "")


def keep(
    store: SqlStore, *rows: ArtefactRow, ballots: Iterable[BallotRow] = (), strikes: Iterable[Strike] = ()
) -> None:
    store.trust.apply(rows, list(ballots), (), list(strikes))
    store.trust.settle()


def counted(store: SqlStore, of: ArtefactRow) -> Tally:
    return store.trust.tallies([of.cohort])[of.cohort]


# --- one ballot for each voter, and the latest counts -----------------------------------------------------------------


def test_of_each_voter_the_latest_ballot_of_a_cohort_counts(store: SqlStore) -> None:
    page = artefact(1)
    cast = [ballot(page, 7, verdict, at_ms=NOW - at) for at, verdict in ((30, 1), (10, 0), (20, 2))]
    keep(store, page, ballots=[*cast, *cast[::-1]])
    assert counted(store, page) == Tally((1, 0, 0, 0, 0, 0), last_confirm_ms=NOW - 10)


def test_a_million_ballots_of_one_voter_are_one(store: SqlStore) -> None:
    page = artefact(1)
    keep(store, page, ballots=[ballot(page, 7, at_ms=NOW - at) for at in range(2_000)])
    assert len(store.trust.ballots(page.cohort)) == 1
    assert counted(store, page).confirms[0] == 1


def test_ballots_of_the_submitter_and_of_banned_voters_are_not_counted(store: SqlStore) -> None:
    page = artefact(1, submitter=1)
    struck = [Strike(2, "a.md", rev) for rev in range(BANNED_FROM)] + [Strike(3, "a.md", 1)]
    cast = [ballot(page, 1), ballot(page, 2), ballot(page, 3, 2), ballot(page, 4, 1), ballot(page, 5, 2)]
    keep(store, page, ballots=cast, strikes=struck)
    assert counted(store, page) == Tally(rejects=(1, 0, 0, 0, 0, 0), flags=1), "a flag of voter 5, a reject of voter 4"
    assert store.trust.strikes([2, 3, 4]) == {2: 2, 3: 1}


def test_a_strike_counts_in_cohorts_that_were_counted_before(store: SqlStore) -> None:
    page = artefact(1)
    keep(store, page, ballots=[ballot(page, 2, 2)])
    assert counted(store, page).flags == 1
    keep(store, strikes=[Strike(2, "a.md", 1)])
    assert counted(store, page).flags == 0


def test_a_window_leaves_out_older_ballots(store: SqlStore) -> None:
    page = artefact(1)
    keep(store, page, ballots=[ballot(page, 1, at_ms=NOW - 100), ballot(page, 2, 1, at_ms=NOW - 10)])
    [found] = store.trust.tallies_since([page.cohort], NOW - 50).values()
    assert (sum(found.confirms), sum(found.rejects)) == (0, 1)


def test_ballots_for_targets_that_do_not_exist_do_nothing(store: SqlStore) -> None:
    ghost = artefact(9)
    keep(store, ballots=[ballot(ghost, voter, 2) for voter in range(1, 5)])
    assert list(evaluate(store.trust, PRESETS["hub"], NOW)) == []


def test_the_latest_event_about_an_artefact_counts_in_any_order(store: SqlStore) -> None:
    rows = [
        artefact(1, at_ms=at, status=status, id=bytes([at])) for at, status in ((1, "alpha"), (3, "beta"), (2, "x"))
    ]
    keep(store, *rows)
    keep(store, *rows[::-1])
    assert [row.status for row in store.trust.artefacts()] == ["beta"]
    assert store.trust.artefacts(["knowledge/000001.md", "no.md"]) == store.trust.artefacts()


def test_content_that_was_let_in_again_is_not_rejected_any_more(store: SqlStore) -> None:
    told = [
        RejectedContent("a.md", "c1", 5, 1),
        RejectedContent("a.md", "c1", 9, 0),
        RejectedContent("a.md", "c2", 7, 1),
    ]
    for rows in (told, told[::-1]):
        store.trust.apply(rejected=rows)
        assert store.trust.rejected(["a.md", "b.md"]) == {("a.md", "c2")}


def test_how_many_ballots_somebody_cast_lately(store: SqlStore) -> None:
    first, second = artefact(1), artefact(2)
    keep(store, first, second, ballots=[ballot(first, 7, at_ms=10), ballot(second, 7, at_ms=20), ballot(second, 8)])
    assert (store.trust.ballots_by(7, 0), store.trust.ballots_by(7, 15)) == (2, 1)


# --- SQL and Python agree ---------------------------------------------------------------------------------------------


class RandomWorld:
    """Artefacts and ballots near the thresholds, so that every row of the table decides about some."""

    def __init__(self, many: int, seed: int) -> None:
        self.draw = Random(seed)
        self.artefacts = [self._artefact(number) for number in range(many)]
        self.ballots = [one for row in self.artefacts for one in self._ballots(row)]
        self.strikes = [Strike(voter, "a.md", rev) for voter in range(1, 4) for rev in range(voter)]

    def _artefact(self, number: int) -> ArtefactRow:
        pick = self.draw.choice
        age = pick((0, 47 * HOUR_MS, 48 * HOUR_MS, 14 * DAY_MS - 1, 14 * DAY_MS, 200 * DAY_MS, -DAY_MS))
        return artefact(
            number,
            kind=pick(("entry", "entry", "practice", "route")),
            status=str(pick(tuple(EntryStatus))),
            since_ms=NOW - age,
            submitter=pick((0, 5)),
            hold=pick((0, 0, 1)),
            good_rev=pick((0, 1)),
            good_status="beta",
            good_content="another",
        )

    def _ballots(self, row: ArtefactRow) -> Iterator[BallotRow]:
        confirming = self.draw.choice((0.0, 0.5, 0.9, 1.0))
        for voter in self.draw.sample(range(1, 40), self.draw.choice((0, 0, 1, 2, 2, 3, 12))):
            flag = self.draw.random() < 0.02
            verdict = 2 if flag else int(self.draw.random() >= confirming)
            at_ms = NOW - self.draw.choice((1, 89, 91, 200)) * DAY_MS
            yield ballot(row, voter, verdict, source=self.draw.randrange(len(SOURCES)), at_ms=at_ms)

    def counted(self, since_ms: int) -> list[Aggregates]:
        """Everything counted here, one artefact at a time."""
        struck = Counter(strike.voter for strike in self.strikes)
        cast = defaultdict[int, list[BallotRow]](list)
        for one in self.ballots:
            if struck[one.voter] < BANNED_FROM and not (one.verdict == 2 and struck[one.voter]):
                cast[one.cohort].append(one)
        mine = [[one for one in cast[row.cohort] if one.voter != row.submitter] for row in self.artefacts]
        return [Aggregates(tally(own), tally([o for o in own if o.at_ms >= since_ms])) for own in mine]


def tally(cast: list[BallotRow]) -> Tally:
    by = [[0] * len(SOURCES) for _ in range(3)]
    for one in cast:
        by[one.verdict][one.source] += 1
    last = max((one.at_ms for one in cast if one.verdict == 0), default=0)
    return Tally(tuple(by[0]), tuple(by[1]), sum(by[2]), last)


@pytest.fixture(scope="module")
def world() -> RandomWorld:
    return RandomWorld(MANY, seed=18)


@pytest.fixture(scope="module")
def expected(world: RandomWorld) -> dict[PresetName, dict[str, Decision]]:
    found: dict[PresetName, dict[str, Decision]] = {}
    counts = world.counted(window_start(PRESETS["hub"], NOW))
    for name, preset in PRESETS.items():
        rows, pairs = table(preset), zip(world.artefacts, counts, strict=True)
        decided = {row.artefact: decide(row, whole, NOW, preset, rows) for row, whole in pairs}
        found[name] = {path: one for path, one in decided.items() if one.transition is not Transition.STAY}
    return found


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_sql_and_python_agree_on_100_000_artefacts(
    database: str,
    world: RandomWorld,
    expected: dict[PresetName, dict[str, Decision]],
    request: pytest.FixtureRequest,
) -> None:
    store = opener(database, request)()
    keep(store, *world.artefacts, ballots=world.ballots, strikes=world.strikes)
    for name, preset in PRESETS.items():
        assert {one.artefact.artefact: one.decision for one in evaluate(store.trust, preset, NOW)} == expected[name]
        assert len({one.transition for one in expected[name].values()}) == 5, "every row of the table decides"
    store.close()


def test_every_table_can_be_read_in_order(store: SqlStore) -> None:
    page = artefact(1)
    keep(store, page, ballots=[ballot(page, 7)])
    assert {name: len(store.trust.table(name)) for name in TABLES} == {
        "index_trust_artefacts": 1,
        "index_trust_ballots": 1,
        "index_trust_rejected": 0,
        "index_trust_strikes": 0,
        "index_trust_tallies": 1,
    }
