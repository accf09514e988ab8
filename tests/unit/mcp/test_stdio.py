"""Frames off a wire that anybody may write to."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from cairn.mcp.stdio import frames_in

LONGEST = 10
lines = st.binary(max_size=25).filter(lambda line: b"\n" not in line)


def reader(data, cuts):
    """The same bytes in pieces of any size."""
    places = sorted({cut % (len(data) + 1) for cut in cuts} | {0, len(data)})
    pieces = [data[a:b] for a, b in pairwise(places) if data[a:b]] + [b""]
    return iter(pieces).__next__


@given(st.lists(lines, max_size=8), st.lists(st.integers(0, 300), max_size=10))
def test_lines_come_out_whole_however_they_arrive(sent, cuts):
    data = b"".join(line + b"\n" for line in sent)
    expected = [line if len(line) <= LONGEST else None for line in sent]
    assert list(frames_in(reader(data, cuts), LONGEST)) == expected


@given(lines.filter(bool), st.lists(st.integers(0, 30), max_size=5))
def test_a_last_line_without_its_end_counts(line, cuts):
    assert list(frames_in(reader(line, cuts), LONGEST)) == [line if len(line) <= LONGEST else None]


def test_of_a_line_that_is_too_long_nothing_is_kept():
    pieces = iter([b"x" * 9] * 1000 + [b"\n", b"ok\n", b""])
    assert list(frames_in(pieces.__next__, LONGEST)) == [None, b"ok"]
