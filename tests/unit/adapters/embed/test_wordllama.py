"""The small model of the extra: read from its own package, and a sentence where there is none."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.embed import wordllama as adapter
from cairn.errors import MissingExtra


class Row(list[float]):
    def tolist(self) -> list[float]:
        return list(self)


class StandIn:
    """The package, as far as we use it."""

    __file__ = "/somewhere/wordllama/__init__.py"
    __version__ = "9.9"

    def __init__(self, problem: Exception | None = None) -> None:
        self.WordLlama, self.problem, self.asked = self, problem, dict[str, Any]()

    def load(self, **given: Any) -> "StandIn":
        self.asked = given
        if self.problem is not None:
            raise self.problem
        return self

    def embed(self, texts: list[str]) -> list[Row]:
        return [Row([len(text), 0.5]) for text in texts]


@pytest.fixture(autouse=True)
def _unloaded() -> Iterator[None]:
    adapter.wordllama.cache_clear()
    yield
    adapter.wordllama.cache_clear()


def installed(monkeypatch: pytest.MonkeyPatch, package: object) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", package)


def test_it_reads_its_own_files_and_never_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    package = StandIn()
    installed(monkeypatch, package)
    model = adapter.wordllama()
    assert package.asked == {"cache_dir": Path("/somewhere/wordllama"), "disable_download": True}
    assert model.embed(["a", "bc"]) == [[1, 0.5], [2, 0.5]]
    assert model.embed([]) == []
    assert model.id == "wordllama-256-9.9"
    assert adapter.wordllama() is model


@pytest.mark.parametrize(
    ("package", "sentence"),
    [(None, "pip install 'cairn-kb[embeddings]'"), (StandIn(FileNotFoundError("no weights")), "no weights")],
    ids=["not installed", "half of it"],
)
def test_what_is_missing_is_one_sentence(monkeypatch: pytest.MonkeyPatch, package: object, sentence: str) -> None:
    installed(monkeypatch, package)
    with pytest.raises(MissingExtra) as caught:
        adapter.wordllama()
    assert sentence in caught.value.message
