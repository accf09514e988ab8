"""Any bytes under any name: an outline, and never an exception."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.adapters.process.probe import comes_back
from cairn.lib.code import grammar
from cairn.lib.code.data import MAX_KEYS
from cairn.lib.code.model import Outline
from cairn.lib.code.read import MAX_BYTES, language_of, outline

SUFFIXES = [
    "py", "pyi", "json", "yaml", "toml", "ini", "env", "js", "ts", "tsx", "go", "rs", "java", "c", "h", "cpp", "cs",
    "rb", "php", "kt", "swift", "sh", "mk", "md", "txt",
]  # fmt: skip


def names(found: Outline) -> list[str]:
    return [symbol.name for symbol in found.symbols]


@pytest.mark.parametrize(
    ("path", "data", "language"),
    [
        ("a.py", b"", "python"),
        ("A.PY", b"", "python"),
        ("a/b.tsx", b"", "tsx"),
        ("a.h", b"int class_of(int);\n", "c"),
        ("a.h", b"#pragma once\nnamespace a {\n}\n", "cpp"),
        ("Makefile", b"", "make"),
        ("GNUmakefile", b"", "make"),
        ("rules.mk", b"", "make"),
        ("justfile", b"", "just"),
        (".env", b"", "env"),
        ("Pipfile", b"", "toml"),
        ("setup.cfg", b"", "ini"),
        ("docs/readme.md", b"", "text"),
        ("LICENSE", b"", "text"),
        ("run", b"#!/usr/bin/env python3\n", "python"),
        ("run", b"#!/usr/bin/python3.12 -I\n", "python"),
        ("run", b"#!/bin/sh\n", "bash"),
        ("run", b"#!/usr/bin/env -S node --x\n", "javascript"),
        ("run", b"#!/usr/bin/perl\n", "text"),
        ("run.txt", b"#!/bin/sh\n", "text"),
    ],
)
def test_the_language_is_told_by_the_name_and_else_by_the_first_line(path: str, data: bytes, language: str) -> None:
    assert language_of(path, data) == language


@given(st.sampled_from(SUFFIXES), st.binary(max_size=300))
def test_random_bytes_never_raise(suffix: str, data: bytes) -> None:
    found = outline(f"a.{suffix}", data)
    assert len(found.digest) == 64
    assert found == outline(f"a.{suffix}", data)


@given(st.sampled_from(SUFFIXES), st.text(alphabet="ab1 \n\t:=-+.,'\"`(){}[]<>#/$&*!?@\\", max_size=120))
def test_texts_of_marks_never_raise(suffix: str, text: str) -> None:
    for symbol in outline(f"a.{suffix}", text.encode()).symbols:
        assert symbol.name
        assert 1 <= symbol.line <= symbol.end_line
        assert symbol.shown.isprintable()


@pytest.mark.parametrize(
    ("path", "data", "note"),
    [
        ("a.py", b"print 'a'\n", "Line 1 is not valid Python"),
        ("a.py", b"x = 1\ndef f(:\n", "Line 2 is not valid Python"),
        ("a.py", b"x = 1\0\n", "could not be read as Python"),
        ("a.py", b"(" * 5_000, "Python"),
        ("a.py", b"x = " + b"-" * 50_000 + b"1", "nested too deeply to be read as Python"),
        ("a.py", b"x = " + b"1+" * 20_000 + b"1", "nested too deeply to be read as Python"),
        ("a.json", b"{", "could not be read as JSON"),
        ("a.json", b"[" * 100_000, "nested too deeply to be read as JSON"),
        ("a.json", b'{"a": ' + b"9" * 10_000 + b"}", "could not be read as JSON"),
        ("a.toml", b"a = \n", "could not be read as TOML"),
        ("a.toml", b"a" + b".a" * 100_000 + b" = 1\n", "could not be read as TOML"),
        ("a.yaml", b"a: &b 1\nc: *b\n", "could not be read as YAML"),
        ("a.yaml", b"a: !!python/object b\n", "could not be read as YAML"),
        ("a.yaml", b"[" * 5_000, "could not be read as YAML"),
        ("a.ini", b"a = 1\n", "could not be read as INI"),
        ("a.js", b"}{)(" * 50, "Much of it is not valid JavaScript"),
        ("a.py", b"x = 1\n" * (MAX_BYTES // 6 + 1), "larger than 2 MB"),
        ("a.json", b" " * (MAX_BYTES + 1), "larger than 2 MB"),
        ("a.js", b"x();\n" * (grammar.MAX_BYTES // 5 + 1), "larger than 500 KB"),
        ("a.tsx", b'<\na\'[f-"<g"([d:a+<e, ', "took too long"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_can_not_be_read_is_text_and_says_why(path: str, data: bytes, note: str) -> None:
    found = outline(path, data, comes_back)
    assert (found.language, found.symbols) == ("text", ())
    assert note in found.note


@pytest.mark.parametrize(("path", "data"), [("a.tsx", b"const A = 1;\n"), ("a.js", b"x();\n" * 10_000)])
def test_what_could_keep_a_parser_busy_needs_a_probe(path: str, data: bytes) -> None:
    assert "may never end" in outline(path, data).note
    assert outline(path, data, lambda work: True).note == ""


def test_text_without_a_better_reading_needs_no_note() -> None:
    assert outline("a.md", b"words\n").note == ""


def test_a_hole_in_a_file_leaves_the_other_names() -> None:
    found = outline("a.c", b"int good(void) { return 1; }\nWEIRD_MACRO(x) y z {\nint other(void) { return 2; }\n")
    assert "good" in names(found)
    assert found.note == "Parts of it are not valid C, so some names may be missing."


def test_without_the_extra_it_is_text_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_language_pack", None)
    found = outline("a.go", b"package p\nfunc f() {}\n")
    assert found.language == "text"
    assert "cairn-kb[code]" in found.note


@pytest.mark.parametrize(
    ("path", "data", "name"),
    [
        ("a.py", b"\xef\xbb\xbfx = 1\n", "x"),
        ("a.py", b"x = 1\r\ny = 2\r\n", "y"),
        ("a.py", b"x = 1\ry = 2\r", "y"),
        ("a.py", b"# coding: latin-1\nx = '\xe9'\n", "x"),
        ("a.py", b"# coding: no-such\nx = '\xc3\xa9'\n", "x"),
        ("a.py", b"# coding: rot13\nx = 1\n", "x"),
        ("a.py", "größe = 1\n".encode(), "größe"),
        ("a.py", b"x = '\\d'\n", "x"),
        ("a.py", b"x = 0x" + b"f" * 20_000 + b"\n", "x"),
        ("a.json", b'\xef\xbb\xbf{"x": 1}', "x"),
        ("a.json", '{"x": 1}'.encode("utf-16"), "x"),
        ("a.toml", b"x = 1\r\n", "x"),
        ("a.go", b"\xef\xbb\xbfpackage p\r\nfunc x() {}\r\n", "x"),
        ("a.js", b"function x() { return '\xff' }", "x"),
    ],
)
def test_marks_line_ends_and_encodings_do_not_hide_names(path: str, data: bytes, name: str) -> None:
    assert name in names(outline(path, data))


def test_latin_1_and_utf_8_are_the_same_text() -> None:
    old, new = outline("a.py", b"# coding: latin-1\nX = '\xe9'\n"), outline("a.py", b"X = '\xc3\xa9'\n")
    assert old.digest == new.digest


def test_a_file_with_very_many_keys_has_names_down_to_a_level() -> None:
    data = json.dumps({f"k{index}": {"a": {"b": index}} for index in range(MAX_KEYS // 2)}).encode()
    found = outline("a.json", data)
    assert "k0.a" in names(found)
    assert "k0.a.b" not in names(found)
    assert "up to 2 deep" in found.note


def test_a_long_file_of_text_is_not_taken_apart() -> None:
    data = b"a  b\n" * 2_000_000
    assert outline("a.lock", data).digest != outline("a.lock", data.replace(b"  ", b" ")).digest
