"""Which two sentences can't both be right: the pairs of the bench, and what holds whatever the pages say."""

from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.observe.lens import Document
from cairn.observe.lens_h.claims import claims
from cairn.observe.lens_h.contradict import Contradiction, conflict, contradictions
from cairn.observe.lens_h.passages import passages

BENCH = Path(__file__).parents[4] / "bench"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCH))
    import contradict

    return contradict


def test_the_pairs_of_the_bench(bench: ModuleType):
    cases = [case for path in sorted((BENCH / "contradict").glob("*.yaml")) for case in bench.read_cases(path)]
    scores = {score.name: score for score in bench.scores(cases)}
    assert sum(case.kind != "fine" for case in cases) >= 70
    assert sum(case.kind == "fine" for case in cases) >= 90
    assert min(score.precision for name, score in scores.items() if name != "fine") >= bench.PRECISION
    assert scores["all"].recall >= 0.9
    assert scores["blind"].recall >= 0.8


def test_pages_about_different_things_need_to_share_more(bench: ModuleType):
    cases = [c for path in sorted((BENCH / "contradict").glob("*.yaml")) for c in bench.read_cases(path, bench.APART)]
    score = bench.score("apart", cases)
    assert score.precision >= bench.PRECISION
    assert score.recall >= 0.7


def pair(one: str, other: str) -> tuple[Contradiction, ...]:
    return contradictions([Document("docs/limits.md", one), Document("docs/setup.md", other)])


KINDS = {
    "value": ("Backups are kept for 30 days.", "Backups are kept for 90 days.", "30 days and 90 days"),
    "default": ("`pool_size` defaults to 5.", "| Key | Default |\n|---|---|\n| `pool_size` | 9 |", "5 and 9"),
    "duty": ("Workers must retry a delivery.", "Workers must not retry a delivery.", ""),
    "opposite": ("Audit files are immutable.", "Audit files are mutable.", ""),
    "choice": ("`ink_mode` must be one of `a`, `b`.", "`ink_mode` must be one of `a`, `c`.", ""),
    "name": ("Sessions are stored in Redis.", "Sessions are stored in PostgreSQL.", "Redis and PostgreSQL"),
    "order": ("Prefer tables over lists.", "Prefer lists over tables.", ""),
}


@pytest.mark.parametrize(("kind", "case"), KINDS.items(), ids=KINDS)
def test_the_kind_and_the_two_values_are_told(kind: str, case: tuple[str, str, str]):
    one, other, apart = case
    [found] = pair(one, other)
    assert (found.kind, found.apart) == (kind, apart)


SILENT = {
    "the same page": ("Backups are kept for 30 days.\n\nBackups are kept for 90 days.", "Nothing."),
    "a number that is a version": ("The agent needs Python 3.10.", "The agent needs Python 3.10 or newer."),
    "a verb that excludes nothing": ("Starling supports HTTP 103 replies.", "Starling supports HTTP 206 replies."),
    "a code of an error": ("502 — the upstream broker is gone.", "504 — the upstream broker is gone."),
    "a placeholder": ("[Competitor 1]: strengths and prices.", "[Competitor 2]: strengths and prices."),
    "a comment": ("<!-- Backups are kept for 30 days. -->", "Backups are kept for 90 days."),
    "a denied part": ("Group handlers by layer, not by feature.", "Group handlers by layer by feature."),
    "words in another order": ("Never log payloads.", "Payloads in logs."),
    "a lead to a list": ("Never log payloads:", "Log payloads:"),
    "a title": ("Worker threads", "In `Worker` threads, this field does not exist."),
    "a place that describes": ("Its constants are described in Os.", "Its constants are described in Crypto."),
    "two denials": ("Never merge a branch that is not rebased.", "Merge a branch that is not rebased."),
}


@pytest.mark.parametrize(("one", "other"), SILENT.values(), ids=SILENT)
def test_what_is_left_alone(one: str, other: str):
    assert pair(one, other) == ()


def test_many_values_of_one_thing_are_a_form_that_pages_share():
    pages = [
        Document(f"docs/{'abcdefghi'[n]}/limits.md", f"The greenhouse sensor reports {n} readings.")
        for n in range(2, 8)
    ]
    assert contradictions(pages) == ()
    assert len(contradictions(pages[:2])) == 1


def test_pages_that_agree_are_not_shown_once_more_with_each_that_does_not():
    agree = [Document(f"docs/{place}.md", "Backups are kept for 30 days.") for place in "abcd"]
    differ = [Document(f"ops/{place}.md", "Backups are kept for 90 days.") for place in "wxyz"]
    found = contradictions([*agree, *differ])
    assert len(found) < len(agree) + len(differ)
    assert {path for one in found for path in (one.one.path, one.other.path)} == {d.path for d in [*agree, *differ]}


def test_a_second_opinion_has_the_last_word():
    pages = [Document("a.md", "Backups are kept for 30 days."), Document("b.md", "Backups are kept for 90 days.")]
    heard: list[int] = []

    def nothing(found: "list[Contradiction] | tuple[Contradiction, ...]") -> tuple[Contradiction, ...]:
        heard.append(len(found))
        return ()

    assert contradictions(pages, second_opinion=nothing) == ()
    assert heard == [1]


SENTENCES = [
    "Backups are kept for 30 days.",
    "Backups are kept for 90 days.",
    "Backups are not kept.",
    "Workers must retry a failed delivery.",
    "Workers must never retry a failed delivery.",
    "`pool_size` defaults to 5.",
    "The default value of `pool_size` is 50.",
    "Telemetry is disabled by default.",
    "Telemetry is enabled by default.",
    "In staging, telemetry is enabled by default.",
    "Prefer tables over lists.",
    "Prefer lists over tables.",
    "| Key | Default |\n|---|---|\n| `pool_size` | 9 |",
    "Sessions are stored in Redis.",
    "Sessions are stored in `valkey`.",
    "The word is `stray.",
    "(((",
]
_pages = st.lists(st.lists(st.sampled_from(SENTENCES), max_size=5), min_size=1, max_size=5)


def _documents(pages: list[list[str]]) -> list[Document]:
    return [Document(f"docs/{n}.md", "# Handbook\n\n" + "\n\n".join(said)) for n, said in enumerate(pages)]


@settings(max_examples=60, deadline=None)
@given(_pages, st.randoms(use_true_random=False))
def test_the_order_of_the_documents_does_not_matter(pages: list[list[str]], random: Random):
    documents = _documents(pages)
    shuffled = list(documents)
    random.shuffle(shuffled)
    assert contradictions(documents) == contradictions(shuffled)


@settings(max_examples=60, deadline=None)
@given(_pages)
def test_two_claims_contradict_each_other_both_ways(pages: list[list[str]]):
    said = [claim for page in _documents(pages) for passage in passages(page) for claim in claims(passage)]
    for one in said:
        assert conflict(one, one) is None
        for other in said:
            assert conflict(one, other) == conflict(other, one)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str):
    assert contradictions([Document("a.md", text), Document("b.md", text)]) == ()


@pytest.mark.parametrize(
    "text", ["[" * 300_000, "(" * 300_000, "`" * 300_000, "is a " * 60_000, "|" * 300_000, "> " * 99_999]
)
def test_hostile_text_is_passed_over(text: str):
    assert contradictions([Document("a.md", text), Document("b.md", text)]) == ()
