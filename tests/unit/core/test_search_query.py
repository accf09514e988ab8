"""What a query means: four signs, everything else as it stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.ports.search import Term
from cairn.core.search_query import LIGHT_WEIGHT, LONGEST, MOST_UNITS, Filters, Query, parse_query, words_of
from cairn.errors import UsageError


def spelled(query: Query) -> list[str]:
    """Each unit by its spellings: `/` between spellings, `*` for what goes on, `!` for what must be there."""
    return [
        "/".join(" ".join(words) for words in unit.term.spellings) + "*" * unit.term.prefix + "!" * unit.must
        for unit in query.units
    ]


UNITS: dict[str, list[str]] = {
    "rotate keys": ["rotate", "keys"],
    "How do I rotate the signing key?": ["rotate", "signing", "key"],
    "what is it": ["what", "is", "it"],
    "key key KEY": ["key"],
    '"signing key" lock': ["signing key!", "lock"],
    'rot* "the whole" x': ["rot*", "the whole!", "x"],
    "**bold** * **": ["bold"],
    "maxRetryCount": ["maxretrycount/max retry count"],
    "max_retry_count": ["max retry count"],
    "docs/keys.md": ["docs keys md"],
    "asyncio.TaskGroup": ["asyncio taskgroup/asyncio task group"],
    "--no-scan -v": ["no scan", "v"],
    "ERR_CONN_RESET E1234 0x80070005": ["err conn reset", "e1234", "0x80070005"],
    "v2.3.1": ["v2 3 1"],
    "naïve Ünïcode": ["naïve", "ünïcode"],
    "AND OR NOT": ["and", "or", "not"],
    "(a OR b) NEAR/3 ^x {title}: z": ["b", "near 3", "x", "title", "z"],
    'an "open quote': ["open", "quote"],
    '"" "  " key': ["key"],
    "如何轮换密钥？": ["轮 换", "密 钥"],
    "鍵": ["鍵"],
    "鍵を交換する": ["鍵", "を 交", "交 換", "換 す"],
    "กุญแจ": ["ก ุ ญ", "ุ ญ แ", "ญ แ จ"],
    "서명키": ["서 명", "키"],
    "مِفْتاح": ["مفتاح/المفتاح"],
    "المفتاح": ["المفتاح/مفتاح"],
    "восстанавливают копии": ["восстанавлива*", "копии"],
    "API密钥": ["api", "密 钥"],
}


@pytest.mark.parametrize(("text", "expected"), UNITS.items())
def test_units(text: str, expected: list[str]) -> None:
    assert spelled(parse_query(text)) == expected


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("x kind:agent,skill kind:command", Filters(kinds=("agent", "skill", "command"))),
        ('x tag:"on call" tag:ops', Filters(tags=("on call", "ops"))),
        ("x type:lesson path:docs/ status:alpha", Filters(types=("lesson",), paths=("docs/",), statuses=("alpha",))),
        ("x kind: tag:, title:y", Filters()),
    ],
)
def test_filters(text: str, filters: Filters) -> None:
    assert parse_query(text).filters == filters


def test_filters_of_query_and_options_come_together() -> None:
    assert Filters(kinds=("a", "b")) | Filters(kinds=("b", "c"), tags=("t",)) == Filters(("a", "b", "c"), ("t",))


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("keys -locks", (Term((("locks",),)),)),
        ('keys -"front door" -lo*', (Term((("front", "door"),)), Term((("lo",),), True))),
        ("keys --locks -5 -x self-made a-b", ()),
    ],
)
def test_what_is_left_out(text: str, never: tuple[Term, ...]) -> None:
    assert parse_query(text).never == never


def test_little_words_weigh_nothing_or_little() -> None:
    query = parse_query("how do I use the oven")
    assert query.ignored == ("how", "do", "I", "the")
    assert {unit.shown: unit.weight for unit in query.units} == {"use": LIGHT_WEIGHT, "oven": 1.0}
    assert parse_query("how do I").ignored == ()


EMPTY = {
    "": "There is no word",
    "? ! * ^ () -- \"\" ''": "There is no word",
    "-locks": "only says what to leave out",
    "kind:agent": "only has filters",
}


@pytest.mark.parametrize(("text", "words"), EMPTY.items())
def test_a_query_with_nothing_to_look_for_is_answered_with_a_sentence(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as told:
        parse_query(text)
    assert told.value.message.endswith(".")


def test_a_huge_query_is_cut_and_says_so() -> None:
    query = parse_query(" ".join(f"word{number}" for number in range(20_000)))
    assert len(query.units) == MOST_UNITS
    assert f"first {MOST_UNITS} words" in query.notes[0]
    assert parse_query("x" * 100_000).units[0].term == Term((("x" * LONGEST,),))
    assert parse_query("three short words").notes == ()


@given(st.text())
def test_any_text_is_a_query_or_a_sentence(text: str) -> None:
    try:
        query = parse_query(text)
    except UsageError:
        return
    assert query.units
    for unit in query.units:
        assert unit.weight > 0
        assert all(word and (word == word.lower() or len(word) == 1) for s in unit.term.spellings for word in s)


@given(st.text(alphabet='"*-:() ANDORTNEkindtag^{}+,', max_size=60))
def test_signs_never_become_operators(text: str) -> None:
    try:
        query = parse_query(text)
    except UsageError:
        return
    words = [word for unit in query.units for spelling in unit.term.spellings for word in spelling]
    assert all(word.isalnum() for word in words)


def test_words_are_cut_as_the_index_cuts_them() -> None:
    assert words_of("Snake_case, camelCase & 東京 x") == ("snake", "case", "camelcase", "東", "京", "x")


@pytest.mark.parametrize("word", ["import", "importer", "severity", "availability"])
def test_a_word_weighs_what_it_tells_whatever_has_the_same_stem(word: str) -> None:
    (unit,) = parse_query(f"how important are several available {word}").units
    assert (unit.shown, unit.weight) == (word, 1.0)
