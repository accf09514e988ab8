"""What the script that runs real agent hosts notices after `cairn agent uninstall`."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

_FILE = Path(__file__).parents[1] / "hosts" / "left_behind.py"
SPEC = importlib.util.spec_from_file_location("left_behind", _FILE)
assert SPEC and SPEC.loader
left_behind: Any = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(left_behind)

MINE = b'{\n  "model": "opus"\n}\n'
OURS = b'{\n  "model": "opus", "hooks": "cairn"\n}\n'
CASES: dict[str, tuple[dict[str, bytes | None], dict[str, bytes | None], int]] = {
    "everything is as before": ({}, {"settings.json": MINE, "hooks.json": None}, 0),
    "one byte differs": ({}, {"settings.json": MINE + b"\n", "hooks.json": None}, 1),
    "a new file stays": ({}, {"settings.json": MINE}, 1),
    "a file of the user is lost": ({}, {"settings.json": None, "hooks.json": None}, 1),
    "a file that git ignores changed": ({}, {"settings.json": MINE, "hooks.json": None, "ignored": b"x"}, 1),
    "the host wrote meanwhile": ({"settings.json": OURS + b" "}, {"settings.json": MINE + b" ", "hooks.json": None}, 0),
    "ours stays in it": ({"settings.json": OURS + b" "}, {"settings.json": OURS + b"  ", "hooks.json": None}, 1),
}


def write(root: Path, files: dict[str, bytes | None]) -> None:
    for name, data in files.items():
        if data is None:
            (root / name).unlink()
        else:
            (root / name).write_bytes(data)


@pytest.mark.parametrize("name", CASES)
def test_every_byte_is_compared(tmp_path: Path, name: str):
    meanwhile, removed, wrong = CASES[name]
    states = []
    for files in ({"settings.json": MINE, "ignored": b"log"}, {"settings.json": OURS, "hooks.json": b"cairn"}):
        write(tmp_path, files)
        states.append(left_behind.contents(tmp_path))
    for files in (meanwhile, removed):
        write(tmp_path, files)
        states.append(left_behind.contents(tmp_path))
    assert len(left_behind.left_behind(*states)) == wrong
