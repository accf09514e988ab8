import errno
import json
from pathlib import Path

import click
import pytest

from cairn import errors
from cairn.cli.boundary import run
from program import fits_schema


def raising(problem):
    def function(ctx):
        raise problem

    return function


def all_errors(base=errors.CairnError):
    for kind in base.__subclasses__():
        yield kind
        yield from all_errors(kind)


@pytest.mark.parametrize("kind", sorted(all_errors(), key=lambda kind: kind.__name__))
def test_every_error_has_its_exit_code_and_one_sentence(try_command, capsys, kind):
    assert try_command(raising(kind())) == kind.exit_code
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err == f"cairn: {' '.join(kind.__doc__.split())}\n"


@pytest.mark.parametrize("args", [("--json", "try-it"), ("try-it", "--json")])
def test_an_error_as_json(try_command, capsys, args):
    problem = errors.Conflict("already there", file=Path("a.md"), lines=(1, 2))
    assert try_command(raising(problem), *args) == 3
    seen = capsys.readouterr()
    assert seen.err == ""
    value = json.loads(seen.out)
    fits_schema(value, "error")
    assert value["error"] == {
        "code": "conflict",
        "message": "already there",
        "details": {"file": "a.md", "lines": [1, 2]},
    }


def test_the_environment_can_ask_for_json(try_command, capsys):
    assert try_command(raising(errors.NotFound()), env={"CAIRN_JSON": "1"}) == 5
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "not-found"


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space"), "the disk is full"),
        (OSError(errno.EDQUOT, "Quota"), "quota"),
        (PermissionError(errno.EACCES, "Denied", "/x/y"), "/x/y: permission denied"),
        (OSError(errno.EMFILE, "Files"), "too many open files"),
        (MemoryError(), "not enough memory"),
    ],
)
def test_limits_of_the_machine_are_sentences(try_command, capsys, problem, sentence):
    assert try_command(raising(problem)) == 2
    err = capsys.readouterr().err
    assert sentence in err
    assert err.count("\n") == 1


def test_a_bug_leaves_a_log_to_paste(try_command, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert try_command(raising(ZeroDivisionError("oh\nno")), "try-it", "--db", "postgresql://me:hush@host/x") == 70
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "ZeroDivisionError: oh)" in err
    (log,) = tmp_path.glob("cairn-crash-*.log")
    assert str(log) in err
    text = log.read_text()
    assert "Traceback" in text
    assert "command: cairn try-it" in text
    assert "hush" not in text
    assert log.stat().st_mode & 0o777 == 0o600


def test_in_a_workspace_the_log_stays_there(try_command, capsys, tmp_path):
    (tmp_path / ".cairn").mkdir()
    (tmp_path / ".cairn" / "settings.json").write_text("{}")
    assert try_command(raising(ValueError()), "try-it", "--json") == 70
    value = json.loads(capsys.readouterr().out)
    fits_schema(value, "error")
    assert value["error"]["code"] == "internal"
    log = Path(value["error"]["details"]["log"])
    assert log.parent == tmp_path / ".cairn" / "log"
    assert log.exists()


def test_a_linked_log_folder_is_not_followed(try_command, capsys, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    temporary = tmp_path / "temporary"
    for folder in (elsewhere, temporary, tmp_path / ".cairn"):
        folder.mkdir()
    (tmp_path / ".cairn" / "settings.json").write_text("{}")
    (tmp_path / ".cairn" / "log").symlink_to(elsewhere)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    assert try_command(raising(ValueError())) == 70
    assert list(elsewhere.iterdir()) == []
    assert len(list(temporary.iterdir())) == 1


def test_the_traceback_is_for_those_who_ask(try_command, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    try_command(raising(ValueError("x")), "-v", "try-it", "-v")
    assert "Traceback" in capsys.readouterr().err
    try_command(raising(ValueError("x")), "try-it", "-v")
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("problem", [KeyboardInterrupt(), click.Abort()])
def test_an_interrupt_is_quiet(try_command, capsys, problem):
    assert try_command(raising(problem)) == 130
    assert capsys.readouterr() == ("", "")


def test_hostile_text_in_a_message_is_made_visible(try_command, capsys):
    try_command(raising(errors.NotFound("no \x1b[2J here")))
    assert capsys.readouterr().err == "cairn: no \\x1b[2J here\n"


def test_windows_is_said_not_to_be_supported(capsys):
    assert run(["version"], {}, "win32") == 2
    assert "Windows" in capsys.readouterr().err


def test_the_result_of_a_command_is_the_exit_code(try_command, capsys):
    assert try_command(lambda ctx: 1) == 1
    assert capsys.readouterr().err.startswith("done in ")


@pytest.mark.parametrize("flag", ["-q", "--quiet", "--json"])
def test_the_time_is_not_said_to_those_who_want_quiet(try_command, capsys, flag):
    assert try_command(lambda ctx: 0, "try-it", flag) == 0
    assert capsys.readouterr().err == ""


def test_the_time_is_not_said_after_a_command_that_does_not_want_it(try_command, capsys):
    assert try_command(lambda ctx: 0, timed=False) == 0
    assert capsys.readouterr().err == ""
