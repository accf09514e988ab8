from pathlib import Path

import pytest


@pytest.fixture
def seen(try_command):
    """The invocation that a command gets from these arguments."""

    def parse(*args, env=None):
        caught = []

        def function(ctx):
            caught.append(ctx)
            return 0

        assert try_command(function, *args, env=env) == 0
        return caught[0]

    return parse


PLACES = [("before", lambda flags: (*flags, "try-it")), ("after", lambda flags: ("try-it", *flags))]


@pytest.mark.parametrize("place", [place for _, place in PLACES], ids=[name for name, _ in PLACES])
def test_global_options_stand_before_or_after_the_command(seen, place):
    ctx = seen(*place(("--json", "-vv", "-q", "--no-color", "-C", "sub", "--db", "x.db")))
    assert (ctx.json, ctx.verbosity, ctx.quiet, ctx.color) == (True, 2, True, False)
    assert (ctx.directory, ctx.db) == (Path("sub"), "x.db")


def test_defaults(seen):
    ctx = seen("try-it")
    assert (ctx.json, ctx.verbosity, ctx.quiet, ctx.color, ctx.db) == (False, 0, False, True, None)
    assert ctx.directory == Path(".")
    assert ctx.interactive is False


def test_on_both_sides_they_add_up(seen):
    ctx = seen("-v", "-C", "a", "try-it", "-vv", "-C", "b")
    assert ctx.verbosity == 3
    assert ctx.directory == Path("a/b")


def test_an_absolute_folder_starts_anew(seen):
    assert seen("-C", "a", "try-it", "-C", "/b").directory == Path("/b")


def test_the_environment_counts_as_well(seen):
    ctx = seen("try-it", env={"CAIRN_JSON": "1", "NO_COLOR": "1"})
    assert (ctx.json, ctx.color) == (True, False)


def test_a_later_flag_does_not_undo_an_earlier_one(seen):
    assert seen("--json", "try-it", "-v").json is True
