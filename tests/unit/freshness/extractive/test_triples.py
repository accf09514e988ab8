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
    """Nothing is called drift that is none, and hardly any drift passes without being called so or shown."""
    pages = [page for path in sorted((BENCH / "audit").glob("*.txt")) for page in bench.read_pages(path)]
    score = bench.Score("triples", tuple(bench.judge_triples(pages)))
    assert len(score.judged) >= 300
    assert score.share("drift", drifted=False) == 0
    assert score.share("drift", drifted=True) >= 0.5
    assert score.share("current", drifted=True) <= 0.03


def test_generated(bench: ModuleType) -> None:
    pages = [page for path in sorted((BENCH / "audit").glob("*.txt")) for page in bench.read_pages(path)]
    score = bench.Score("generated", tuple(bench.judge_generated(pages, 200)))
    assert score.share("drift", drifted=False) <= 0.005
    assert score.share("current", drifted=True) <= 0.01
