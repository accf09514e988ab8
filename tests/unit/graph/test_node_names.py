"""How a name that somebody typed becomes a path."""

from pathlib import Path

import pytest

from cairn.graph.node_names import addresses, path_called, spellings


@pytest.mark.parametrize(
    ("here", "name", "expected"),
    [
        ("", "a.md", ["a.md"]),
        ("", "./docs/a.md", ["docs/a.md"]),
        ("docs", "a.md", ["docs/a.md", "a.md"]),
        ("docs", "docs/a.md", ["docs/docs/a.md", "docs/a.md"]),
        ("docs", "../a.md", ["a.md"]),
        ("docs", "../../a.md", []),
        ("docs/deep", "../x/./y.md", ["docs/x/y.md"]),
        ("", "..", []),
        ("", "mcp://server", ["mcp:/server"]),
    ],
)
def test_spellings(tmp_path, here, name, expected):
    root = tmp_path / "repo"
    (root / "docs" / "deep").mkdir(parents=True)
    assert list(spellings(name, root=root, here=root / here)) == expected


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("https://x.dev/a#b", "https://x.dev/a"),
        ("https://x.dev/a/", "https://x.dev/a"),
        ("https://x.dev/a", "https://x.dev/a/"),
    ],
)
def test_an_address_is_found_as_people_copy_it(name, known):
    assert known in addresses(name)
    assert list(addresses(f"route://{name}")) == []


def test_an_absolute_path_below_the_root(tmp_path):
    assert list(spellings(str(tmp_path / "a" / "b.md"), root=tmp_path, here=tmp_path)) == ["a/b.md"]
    assert list(spellings("/etc/passwd", root=tmp_path, here=tmp_path)) == []


def test_the_workspace_may_be_reached_through_a_link(tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    assert list(spellings("a.md", root=tmp_path / "link", here=real)) == ["a.md"]


def test_what_is_known_wins(tmp_path):
    (tmp_path / "docs").mkdir()

    def called(*known: str) -> str:
        return path_called("./a.md", set(known).__contains__, root=tmp_path, here=Path(tmp_path, "docs"))

    assert called("a.md", "docs/a.md") == "docs/a.md"
    assert called("a.md") == "a.md"
    assert called() == "a.md"
