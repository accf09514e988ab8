"""Other words for those of a question: which ones there are, and that they rank pages without counting twice."""

from pathlib import Path

import pytest

from asked import ask, paths
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.search_query import parse_query
from cairn.lib.text.thesaurus import CLOSE, RELATED, others, phrases
from cairn.retrieve.weight import coverage, weigh
from workbench import Bench

SYNONYMS = {
    "delete": ["remove", "purge"],
    "purging": ["delete"],
    "login": ["authentication", "sign in"],
    "retries": ["try again"],
    "concurrency": ["parallel"],
}


@pytest.mark.parametrize(("word", "expected"), SYNONYMS.items(), ids=SYNONYMS)
def test_a_word_in_any_form_has_synonyms(word: str, expected: list[str]) -> None:
    found = {" ".join(other.words) for other in others(word)}
    assert set(expected) <= found


def test_related_words_count_less_than_synonyms() -> None:
    shares = {" ".join(other.words): other.share for other in others("delete")}
    assert (shares["remove"], shares["unlink"]) == (CLOSE, RELATED)


def test_no_group_of_the_table_repeats_a_word() -> None:
    table = Path(__file__).parents[4] / "src" / "cairn" / "lib" / "text" / "words" / "synonyms.txt"
    for line in table.read_text("utf-8").splitlines():
        words = line.replace(" ~ ", " ").split()
        assert line.startswith("#") or len(set(words)) == len(words), line


PHRASES = {
    "how do I get rid of snapshots": ["get rid of", "snapshots"],
    "turn off telemetry": ["turn off", "telemetry"],
    "log in twice": ["log in", "twice"],
    "set an environment variable": ["set", "environment", "variable"],
    "the man page": ["man", "page"],
    "NaN handling": ["NaN", "handling"],
}


@pytest.mark.parametrize(("question", "units"), PHRASES.items(), ids=PHRASES)
def test_a_phrase_with_a_little_word_is_one_thing_to_look_for(question: str, units: list[str]) -> None:
    assert [unit.shown for unit in parse_query(question).units] == units


def test_names_phrases_and_beginnings_have_no_synonyms() -> None:
    assert [unit.also for unit in parse_query('"delete" delete* delete_all docs/delete.md').units] == [(), (), (), ()]


def test_stretches_are_longest_first() -> None:
    first, *_ = phrases(["environment", "variable"])
    assert (first.start, first.end) == (0, 2)


PAGES = [
    ("docs/forget.md", "# Removing old snapshots\n\nSnapshots are removed by a policy.\n"),
    ("docs/list.md", "# Listing snapshots\n\nSnapshots are listed by date.\n"),
    ("docs/auth.md", "# Authentication\n\nUsers need a token.\n"),
    ("docs/both.md", "# Purge, remove, erase and wipe\n\nDrop, clear and discard.\n"),
    ("docs/other.md", "# Colours\n\nRed and green.\n"),
]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    bench = Bench(tmp_path_factory.mktemp("words"), open_memory())
    bench.write_all(PAGES)
    bench.scan()
    return bench


FOUND = {
    "how do I get rid of old snapshots?": "docs/forget.md",
    "purge snapshots": "docs/forget.md",
    "where do people log in?": "docs/auth.md",
}


@pytest.mark.parametrize(("question", "page"), FOUND.items(), ids=FOUND)
def test_a_page_is_found_by_other_words(bench: Bench, question: str, page: str) -> None:
    assert paths(ask(bench, question))[0] == page


def test_several_synonyms_of_a_word_count_once(bench: Bench) -> None:
    weighed = weigh(parse_query("delete snapshots"), bench.store)
    others_of_delete = frozenset(at for at, w in enumerate(weighed) if w.stands_for == 0)
    assert len(others_of_delete) > 2
    best = max(weighed[at].weight for at in others_of_delete)
    whole = sum(w.weight for w in weighed if w.stands_for is None)
    assert coverage(others_of_delete, weighed) == pytest.approx(best / whole)


def test_a_typed_word_counts_more_than_its_synonym(bench: Bench) -> None:
    assert paths(ask(bench, "wipe"))[0] == "docs/both.md"


def test_the_explanation_names_the_word_that_it_stands_for(bench: Bench) -> None:
    found = ask(bench, "get rid of snapshots").hits[0].explanation.found
    assert "remove (for get rid of)" in [one.shown for one in found]


FITS = {
    "how do I get rid of old snapshots?": True,
    "where are snapshots of colours authenticated by a lighthouse keeper?": False,
    "erase the lighthouse keeper": False,
}


@pytest.mark.parametrize(("question", "fits"), FITS.items(), ids=FITS)
def test_synonyms_alone_do_not_make_a_page_fit(bench: Bench, question: str, fits: bool) -> None:
    assert ask(bench, question).fits is fits


def test_a_quoted_phrase_that_nobody_wrote_counts_as_its_words(bench: Bench) -> None:
    assert paths(ask(bench, 'it says "snapshots removed, colours lost" after the policy ran'))[0] == "docs/forget.md"
    assert paths(ask(bench, '"snapshots removed, colours lost"')) == []


def test_a_slip_of_a_little_word_says_nothing(bench: Bench) -> None:
    (wher, *_) = weigh(parse_query("wher snapshots"), bench.store)
    assert (wher.unit.shown, wher.weight) == ("wher", 0.0)
