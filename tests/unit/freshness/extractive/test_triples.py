"""The labelled triples of the bench: what was reached stays reached."""

from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[4] / "bench"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCH))
    import audit

    return audit


def test_triples(bench: ModuleType) -> None:
    pages = [page for path in sorted((BENCH / "audit").glob("*.txt")) for page in bench.read_pages(path)]
    score = bench.Score("triples", tuple(bench.judge_triples(pages)))
    assert len(score.judged) >= 300
    assert 2 * len(score.harmless) >= len(score.judged)
    assert score.recall() >= 0.9
    assert score.alarms_per_thousand <= 10


def test_generated(bench: ModuleType) -> None:
    pages = [page for path in sorted((BENCH / "audit").glob("*.txt")) for page in bench.read_pages(path)]
    score = bench.Score("generated", tuple(bench.judge_generated(pages, pages, 200)))
    assert score.recall() >= 0.85
    assert score.alarms_per_thousand <= 10
