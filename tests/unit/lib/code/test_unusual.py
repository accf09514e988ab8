"""Code files that a reader does not expect, or that would keep it busy, are read as text and never stop the others."""

import pytest

from cairn.adapters.process.probe import comes_back
from cairn.lib.code.read import outline

UNUSUAL = {
    "a key without a value that is continued": ("tox.ini", b"[testenv]\ncommands\n    check --diff\n"),
    "9,000 blanks in a justfile": ("justfile", b"build:\n  echo\nx" + b" " * 9_000 + b"\n"),
    "9,000 blanks behind a rule": ("Makefile", b"all: a\nx" + b" " * 9_000 + b"!\n"),
    "a name of 29 parts": ("x.py", b"_".join([b"alpha"] * 29) + b" = 1\n"),
    "a key of 29 parts": ("a.env", b"A_" * 29 + b"=1\n"),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_an_unusual_file_has_an_outline(name: str) -> None:
    path, data = UNUSUAL[name]
    assert outline(path, data, comes_back).path == path


def test_a_continued_key_without_a_value_is_explained() -> None:
    read = outline("tox.ini", b"[testenv]\ncommands\n    check --diff\n", comes_back)
    assert (read.language, read.note) == ("text", "It could not be read as INI, so it was read as text.")


def test_an_error_that_nobody_expected_is_no_end_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: str, data: bytes, language: str) -> None:
        raise AttributeError("unexpected")

    monkeypatch.setattr("cairn.lib.code.data.data_outline", fail)
    assert outline("a.json", b"{}", comes_back).language == "text"


def test_a_file_with_a_very_long_line_is_tried_out_first() -> None:
    tried: list[bool] = []

    def probe(work: object) -> bool:
        tried.append(True)
        return False

    read = outline("a.json", b'{"a": "' + b"x" * 6_000 + b'"}', probe)
    assert tried and read.note == "Reading it as JSON took too long, so it was read as text."
