"""The proof of a removal: what it costs, and the name that took the place of another."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from cairn.adapters.files.local import LocalFiles
from cairn.adapters.vcs.history import read_history
from cairn.core.ports.runtime import WalkRequest
from cairn.core.repository.deletion_history import Successors
from cairn.core.repository.repository import Repository
from commits import commit


class Counting:
    """A history that counts the versions it is asked for."""

    def __init__(self, root: Path) -> None:
        self._history = read_history(root)
        self.read: list[str] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._history, name)

    def blobs(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
        for id, data in self._history.blobs(ids):
            self.read.append(id)
            yield id, data


def test_a_version_is_not_read_again_for_each_name(tmp_path: Path) -> None:
    names = [f"fetch_page_{number}" for number in range(60)]
    page = "".join(f"Call `{name}()`.\n" for name in names)
    commit(tmp_path, {"README.md": page, "a.py": "".join(f"def {name}(url):\n    pass\n" for name in names)}, day=1)
    commit(tmp_path, {"a.py": "pass\n"}, day=2)
    history = Counting(tmp_path)
    past = Repository(LocalFiles(tmp_path), history, WalkRequest()).past  # type: ignore[arg-type]
    assert all(past.removed_name(name) for name in names)
    assert len(history.read) == 4, "two versions, once to find names and once for the proof"


def test_the_only_line_of_the_same_shape_has_the_new_name() -> None:
    lines = Successors(["def load_page(url):", "def load_image(path):", "x = 1"])
    assert lines.of("fetch_page", "def fetch_page(url):") == "load_page"
    assert lines.of("fetch_all", "def fetch_all(url):") is None, "the names have nothing in common"
    assert lines.of("fetch_image", "def fetch_image(url):") is None, "the line is another one"


def test_two_lines_of_the_same_shape_prove_nothing() -> None:
    lines = Successors(["def load_page(url):", "def save_page(url):"])
    assert lines.of("fetch_page", "def fetch_page(url):") is None


def test_a_long_line_is_the_same_one_whatever_its_name() -> None:
    lines = Successors(["def load(url, timeout, retries):", "def other(url):"])
    assert lines.of("fetch_all", "def fetch_all(url, timeout, retries):") == "load"
