"""A word that nobody wrote is taken for the one that was probably meant, and for nothing else."""

from pathlib import Path

import pytest

from cairn.adapters.storage.memory import open_memory
from cairn.retrieve.spelling import meant
from workbench import Bench

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
