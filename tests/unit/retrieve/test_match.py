"""Where a text has what was asked for."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.search_query import parse_query
from cairn.retrieve.match import UnitFinder, fold, meant, text_of
from workbench import Bench

PLACES: dict[tuple[str, str], list[str]] = {
    ("rotating keys", "Rotate the key; keyboard ROTATIONS, turnkey"): ["Rotate", "key", "ROTATIONS"],
    ('"signing key"', "signing  keys, signing the key, key signing"): ["signing  keys"],
    ("lock*", "locksmith and Lockout, padlock"): ["locksmith", "Lockout"],
    ('"the lock*"', "the locks"): ["the locks"],
    ("retry", "maxRetryCount, RetryCount, max_retry, entry"): ["Retry", "Retry", "retry"],
    ("maxRetryCount", "max_retry_count, max retry counts, maxRetryCount"): [
        "max_retry_count",
        "max retry counts",
        "maxRetryCount",
    ],
    ("resume", "Le résumé, RÉSUMÉ"): ["résumé", "RÉSUMÉ"],
    ("café", "cafe\u0301 and cafe"): ["café", "cafe"],
    ("轮换", "我们轮换，轮 换，换轮"): ["轮换", "轮 换"],
    ("สินค้า", "คืนสินค้าได้"): ["สิน", "ินค", "นค้", "ค้า"],
    ("مفتاح", "مِفْتاح، المفتاح"): ["مفتاح", "المفتاح"],
    ("восстанавливают", "он восстанавливает"): ["восстанавливает"],
    ("policy", "policies police"): ["policies"],
    ("hope", "hoping hopping"): ["hoping"],
    ("E1234", "error e1234; E12345"): ["e1234"],
    ("x", "İx ẞ x"): ["x"],
}


@pytest.mark.parametrize(("query", "text", "expected"), [(q, t, e) for (q, t), e in PLACES.items()])
def test_places(query: str, text: str, expected: list[str]) -> None:
    seen = text_of(text)
    spans = UnitFinder(parse_query(query).units).spans(seen)
    assert [seen.shown[span.start : span.end] for span in spans] == expected


def test_units_are_told_apart_and_may_overlap() -> None:
    query = parse_query('"signing key" key')
    finder = UnitFinder(query.units)
    assert [(span.start, span.unit) for span in finder.spans(text_of("a signing key"))] == [(2, 0), (10, 1)]
    assert finder.units(text_of("the key")) == {1}
    assert finder.units(text_of("nothing")) == set()


@given(st.text())
def test_folding_keeps_every_place(text: str) -> None:
    seen = text_of(text)
    assert len(fold(text)) == len(text)
    assert len(seen.folded) == len(seen.shown)


@given(st.text(alphabet="abAB çÇé_-.密钥İß\n", max_size=80), st.text(alphabet="abç密*", min_size=1, max_size=6))
def test_spans_lie_in_the_text_and_in_order(text: str, asked: str) -> None:
    from cairn.errors import UsageError

    try:
        units = parse_query(asked).units
    except UsageError:
        return
    seen = text_of(text)
    spans = UnitFinder(units).spans(seen)
    assert spans == sorted(spans)
    assert all(0 <= span.start < span.end <= len(seen.shown) for span in spans)


WORDS = (
    "quarantine column downtime flaky deployments address Kubernetes broken started stale cents customers café scaling "
    "configuration accessibility"
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    bench = Bench(tmp_path_factory.mktemp("house"), open_memory())
    bench.write("docs/words.md", f"# Words\n\n{WORDS}\n")
    bench.write("docs/more.md", "# Words\n\naddress, again\n")
    bench.scan()
    return bench


MEANT = {
    "quarentine": "quarantine",  # another vowel
    "colum": "column",  # a letter left out
    "downtme": "downtime",
    "flakey": "flaky",  # a letter too many
    "kubernettes": "kubernetes",
    "deplyoment": "deployment",  # two letters the wrong way round
    "adresses": "addresses",
    "scailing": "scaling",
    "configuraton": "configuration",  # in an ending, so that the stem is quite another
    "accessibilty": "accessibility",
}


@pytest.mark.parametrize(("typed", "word"), MEANT.items())
def test_a_slip_is_understood(house: Bench, typed: str, word: str) -> None:
    assert meant(typed, house.store) == word


@pytest.mark.parametrize(
    "typed",
    [
        "broker",  # not broken
        "state",  # neither stale nor, by way of `starte`, start
        "cafe",  # too short to tell
        "volumn",  # the first letter is another
        "qrantine",  # two slips
        "e1234",
        "密钥",
        "",
        "x" * 100,
    ],
)
def test_other_words_stay_what_they_are(house: Bench, typed: str) -> None:
    assert meant(typed, house.store) is None


def test_words_of_pages_that_are_gone_are_not_meant(tmp_path: Path) -> None:
    bench = Bench(tmp_path, open_memory())
    bench.write("docs/keep.md", "# Keep\n")
    bench.write("docs/words.md", "# Words\n\nquarantine\n")
    bench.scan()
    (tmp_path / "docs" / "words.md").unlink()
    bench.scan()
    assert meant("quarentine", bench.store) is None
