import io
import json
import os
import threading

import pytest

from cairn.cli.output import Output, elapsed, json_text, wants_color, write_all
from cairn.cli.progress import TerminalProgress
from cairn.core.ports.runtime import Silent


class Terminal(io.StringIO):
    def isatty(self):
        return True


def output(stdout=None, stderr=None, **given):
    return Output(stdout or io.StringIO(), stderr or io.StringIO(), **given)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0ms"),
        (0.034, "34ms"),
        (0.9994, "999ms"),
        (0.9996, "1.0s"),
        (2.44, "2.4s"),
        (59.94, "59.9s"),
        (59.96, "1m 0s"),
        (102, "1m 42s"),
        (3725, "62m 5s"),
    ],
)
def test_elapsed_time_in_words(seconds, text):
    assert elapsed(seconds) == text


def test_data_goes_to_stdout_and_talk_to_stderr():
    out = output()
    out.data("data")
    out.say("talk")
    out.warn("careful")
    assert out.stdout.getvalue() == "data\n"
    assert out.stderr.getvalue() == "talk\nwarning: careful\n"


def test_quiet_keeps_warnings_and_errors():
    out = output(quiet=True)
    out.say("talk")
    out.warn("careful")
    out.fail("broken")
    assert out.stderr.getvalue() == "warning: careful\ncairn: broken\n"


def test_details_are_for_those_who_ask():
    out = output(verbosity=1)
    out.detail("one")
    out.detail("two", level=2)
    assert out.stderr.getvalue() == "one\n"


def test_colours_only_on_a_terminal():
    assert output(Terminal(), color=True).style("x", "red", "bold") == "\x1b[31;1mx\x1b[0m"
    assert output(Terminal(), color=False).style("x", "red") == "x"
    assert output(color=True).style("x", "red") == "x"
    assert output(Terminal(), color=True).style_err("x", "red") == "x"


@pytest.mark.parametrize(
    ("env", "flag", "wanted"),
    [
        ({}, False, True),
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, False, True),
        ({"TERM": "dumb"}, False, False),
    ],
)
def test_who_decides_about_colours(env, flag, wanted):
    assert wants_color(env, flag) is wanted


def test_progress_is_drawn_on_a_terminal_only():
    assert isinstance(output(stderr=Terminal()).progress(), TerminalProgress)
    assert isinstance(output(stderr=Terminal(), quiet=True).progress(), Silent)
    assert isinstance(output(stderr=Terminal(), json=True).progress(), Silent)
    assert isinstance(output().progress(), Silent)


def test_tables_are_cut_on_a_terminal_only():
    wide = [["x" * 200]]
    terminal, pipe = output(Terminal()), output()
    terminal.table(wide)
    pipe.table(wide)
    assert len(terminal.stdout.getvalue()) == 81
    assert pipe.stdout.getvalue() == "x" * 200 + "\n"


def test_an_empty_table_prints_nothing():
    out = output()
    out.table([], header=("a",))
    assert out.stdout.getvalue() == ""


def test_json_keeps_letters_and_survives_names_that_are_no_unicode():
    assert json_text({"a": "é漢"}) == '{\n  "a": "é漢"\n}'
    assert json.loads(json_text({"a": "\udcff"})) == {"a": "\udcff"}


@pytest.mark.parametrize("blocking", [True, False])
def test_a_slow_pipe_gets_everything(blocking):
    """Far more than the 64 KiB that a pipe holds, also when the pipe says that it is full."""
    reader, writer = os.pipe()
    os.set_blocking(writer, blocking)
    received = bytearray()

    def drain():
        while chunk := os.read(reader, 1000):
            received.extend(chunk)

    thread = threading.Thread(target=drain)
    thread.start()
    with open(writer, "w", encoding="utf-8") as stream:
        write_all(stream, "é" * 500_000)
    thread.join()
    os.close(reader)
    assert received.decode() == "é" * 500_000


def test_an_encoding_that_lacks_a_letter_gets_an_escape(tmp_path):
    with open(tmp_path / "x", "w", encoding="ascii") as stream:
        write_all(stream, "é")
    assert (tmp_path / "x").read_bytes() == b"\\xe9"
