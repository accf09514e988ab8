"""`cairn scrub`, through the program."""

import subprocess
from pathlib import Path
from random import Random

import pytest

from drawn_secrets import TOKENS
from program import cairn, clean_env, command_line, fits_schema

TOKEN = TOKENS["github-token"](Random(9))


def piped(data: bytes, *args: str, cwd: Path) -> tuple[int, bytes, str]:
    done = subprocess.run(command_line("scrub", *args), input=data, cwd=cwd, env=clean_env(), capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode()


def test_a_clean_copy(tmp_path: Path) -> None:
    file = tmp_path / "log.txt"
    file.write_text(f"é {TOKEN}\r\nin /home/jane/x\n")
    ran = cairn("scrub", "log.txt", cwd=tmp_path)
    assert (ran.code, ran.out) == (0, "é [REDACTED:github-token]\r\nin ~/x\n")
    assert ran.err == "took out 1 github-token, 1 home\n"
    assert TOKEN in file.read_text()


@pytest.mark.parametrize("args", [(), ("-",)])
def test_what_is_piped_in_comes_out_byte_for_byte(tmp_path: Path, args: tuple[str, ...]) -> None:
    data = b"\xff\xfe no text \xe9\n" + "日本\n".encode()
    assert piped(data, *args, cwd=tmp_path) == (0, data, "")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (f"a\nb {TOKEN}\n", 1, "2:3 github-token (direct)\n"),
        ("in /home/jane/x\n", 0, "1:4 home (indirect)\n"),
        ("nothing\n", 0, ""),
    ],
)
def test_where_something_is_and_never_what(tmp_path: Path, text: str, code: int, said: str) -> None:
    ended, out, err = piped(text.encode(), "--check", cwd=tmp_path)
    assert (ended, out.decode()) == (code, said)
    assert TOKEN not in err


def test_as_json(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(f"x {TOKEN}")
    for args in (("a",), ("a", "--check")):
        value = cairn("scrub", *args, "--json", cwd=tmp_path).json()
        fits_schema(value, "scrub")
        assert TOKEN not in repr(value)


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [("gone.txt", 5, "There is no file `gone.txt`"), ("folder", 5, "There is no file"), ("bin", 2, "has NUL bytes")],
)
def test_what_cannot_be_read(tmp_path: Path, name: str, code: int, said: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "bin").write_bytes(b"\0" + TOKEN.encode())
    ran = cairn("scrub", name, cwd=tmp_path)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
