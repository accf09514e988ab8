import io

from cairn.cli.progress import TerminalProgress, bar


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
