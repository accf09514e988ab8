"""Where a text has what was asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.search_query import parse_query
from cairn.retrieve.match import UnitFinder, fold, text_of

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
