"""Which file that came is which file that is gone."""

import pytest

from cairn.freshness.diff.paths import moves

LONG = b"one\ntwo\nthree\nfour\nfive\n"


@pytest.mark.parametrize(
    ("gone", "came", "expected"),
    [
        ({"a.py": LONG}, {"b.py": LONG}, {"a.py": "b.py"}),
        ({"a.py": LONG}, {"b.py": LONG + b"six\n"}, {"a.py": "b.py"}),
        ({"a.py": LONG}, {"b.py": b"one\nother\nthings\nentirely\nhere\n"}, {}),
        ({"a.py": LONG}, {"b.py": LONG + b"six\n", "c.py": LONG}, {"a.py": "c.py"}),
        ({"a.py": LONG, "b.py": LONG}, {"c.py": LONG}, {"a.py": "c.py"}),
        ({"x/a.png": None}, {"y/a.png": None, "y/b.png": None}, {"x/a.png": "y/a.png"}),
        ({"x/a.png": None}, {"y/a.png": None, "z/a.png": None}, {}),
        (
            {"x/p/__init__.py": b"", "x/q/__init__.py": b""},
            {"y/q/__init__.py": b"", "y/p/__init__.py": b""},
            {"x/p/__init__.py": "y/p/__init__.py", "x/q/__init__.py": "y/q/__init__.py"},
        ),
    ],
)
def test_moves(gone: dict[str, bytes | None], came: dict[str, bytes | None], expected: dict[str, str]) -> None:
    assert moves(gone, came) == expected


def test_a_large_folder_that_moved_and_changed() -> None:
    def text(number: int, value: int) -> bytes:
        return b"import os\nLIMIT = %d\ndef work_%d(a):\n    return a\n" % (value, number)

    gone: dict[str, bytes | None] = {f"old/d{n % 9}/m{n}.py": text(n, n) for n in range(3_000)}
    came: dict[str, bytes | None] = {f"new/d{n % 9}/m{n}.py": text(n, -1) for n in range(3_000)}
    found = moves(gone, came)
    assert len(found) == 3_000
    assert all(new == old.replace("old/", "new/") for old, new in found.items())
