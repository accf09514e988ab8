import io
import json
import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.cli.output import (
    Output,
    TerminalProgress,
    bar,
    columns,
    cut,
    elapsed,
    json_text,
    safe,
    wants_color,
    width,
    write_all,
)
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


RED = "\x1b[31m"
RESET = "\x1b[0m"


@pytest.mark.parametrize(
    ("text", "room"),
    [("", 0), ("abc", 3), ("漢字", 4), ("é", 1), ("e\u0301", 1), (f"{RED}ab{RESET}", 2), ("👍", 2), ("a\u200bb", 2)],
)
def test_width_counts_columns(text, room):
    assert width(text) == room


@pytest.mark.parametrize(
    ("text", "room", "short"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 4, "abc…"),
        ("漢字漢字", 5, "漢字…"),
        ("漢字漢字", 4, "漢…"),
        (f"{RED}abcdef{RESET}", 3, f"{RED}ab…{RESET}"),
        ("abc", 0, "…"),
    ],
)
def test_cutting_leaves_an_ellipsis(text, room, short):
    assert cut(text, room) == short


@given(st.text(), st.integers(1, 40))
def test_what_is_cut_fits(text, room):
    assert width(cut(text, room)) <= room


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢", "plain é 漢"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\nb", "a\\x0ab"),
        ("x\u202egnp.exe", "x\\u202egnp.exe"),
        ("\x9b31m", "\\x9b31m"),
        ("\udcff", "\\udcff"),
    ],
)
def test_text_from_outside_cannot_play_with_the_terminal(text, shown):
    assert safe(text) == shown


def test_columns_are_aligned():
    assert columns([["a", "b"], ["漢字", "c"], [f"{RED}x{RESET}", "d"]]) == [
        "a     b",
        "漢字  c",
        f"{RED}x{RESET}     d",
    ]


def test_cells_keep_colours_and_lose_other_sequences():
    assert columns([[f"{RED}x{RESET}\x1b]0;title\x07"]]) == [f"{RED}x{RESET}\\x1b]0;title\\x07"]


def test_the_widest_column_gives_way():
    lines = columns([["key", "x" * 100, "end"]], room=40)
    assert width(lines[0]) == 40
    assert lines[0].startswith("key  xxx")
    assert lines[0].endswith("…  end")


def test_without_a_terminal_nothing_is_cut():
    assert columns([["x" * 500, "y"]]) == ["x" * 500 + "  y"]


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_quick_work_shows_nothing():
    stream, clock = io.StringIO(), Clock()
    progress = TerminalProgress(stream, clock=clock)
    progress.step("reading", 1, 10)
    progress.close()
    assert stream.getvalue() == ""


def test_a_bar_is_drawn_ten_times_a_second_at_most():
    stream, clock = io.StringIO(), Clock()
    progress = TerminalProgress(stream, clock=clock)
    for done in range(1000):
        clock.now = done / 1000
        progress.step("reading", done, 1000)
    assert 5 <= stream.getvalue().count("\r") <= 10


def test_what_happens_next_starts_on_a_clean_line():
    stream, clock = io.StringIO(), Clock()
    progress = TerminalProgress(stream, clock=clock)
    clock.now = 1.0
    progress.step("reading", 5, 10)
    progress.event("scan.completed", nodes=3)
    assert stream.getvalue().endswith("\r\x1b[K")


def test_the_bar_fits_the_terminal():
    stream, clock = io.StringIO(), Clock()
    progress = TerminalProgress(stream, room=20, clock=clock)
    clock.now = 1.0
    progress.step("reading\x1b[2J", 5, 10)
    line = stream.getvalue().removeprefix("\r\x1b[K")
    assert len(line) == 19
    assert "\x1b" not in line


def test_how_a_bar_looks():
    assert bar("reading", 0, 4) == "reading ░░░░░░░░░░░░░░░░░░░░░░░░ 0/4   0%"
    assert bar("reading", 2, 4) == "reading ████████████░░░░░░░░░░░░ 2/4  50%"
    assert bar("reading", 9, 4).endswith("100%")
    assert bar("reading", 1234, None) == "reading 1,234"
    assert bar("reading", 0, 0) == "reading 0"
