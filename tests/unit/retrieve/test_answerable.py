"""Whether anything answers a question: the rare words decide."""

import pytest

from asked import ask
from cairn.adapters.storage.memory import open_memory
from workbench import Bench

STORE = "# The store\n\nAll packages are in the store. Where the store is, says `pnpm store path`.\n"
PRUNE = "# Prune\n\nPrune packages that nobody needs. It works at night.\n"
MAIL = "# Help\n\nSend an email to the list when the store is broken.\n"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    bench = Bench(tmp_path_factory.mktemp("fits"), open_memory())
    filler = [
        (f"docs/page-{n}.md", f"# Page {n}\n\nThe store has packages, and page {n} has more.\n") for n in range(60)
    ]
    secure = ("docs/cipher.md", "# Hidden\n\nA cipher keeps the token secret.\n")
    bench.write_all([("docs/store.md", STORE), ("docs/prune.md", PRUNE), ("docs/mail.md", MAIL), secure, *filler])
    bench.scan()
    return bench


@pytest.mark.parametrize(
    ("question", "fits"),
    [
        ("where is the store?", True),
        ("send an email when the store is broken", True),
        ("prune packages at night", True),
        ("how do I encrypt the packages in the store?", False),
        ("does prune send an email about packages in the store?", False),
        ("schedule prune of packages in the store", False),
    ],
)
def test_a_passage_without_the_rarest_word_does_not_fit(bench: Bench, question: str, fits: bool) -> None:
    answer = ask(bench, question)
    assert answer.fits is fits, answer.fit
