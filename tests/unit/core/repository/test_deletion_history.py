"""Old versions of files: where a text stands in one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.repository.deletion_history import OldVersion


@pytest.mark.parametrize(
    ("data", "texts", "lines"),
    [
        (b"", [b"a"], []),
        (b"a", [b"a"], [0]),
        (b"a\nb\na b a\n", [b"a"], [0, 2]),
        (b"a\nb\n", [b"b", b"a"], [0, 1]),
        (b"\n\nab", [b"b"], [2]),
    ],
)
def test_lines_with_a_text(data: bytes, texts: list[bytes], lines: list[int]) -> None:
    assert OldVersion(data).lines_with(texts) == lines


@given(st.lists(st.sampled_from([b"", b"a", b"ab", b"ba b", b"b\r"])), st.sampled_from([b"a", b"b", b"ab"]))
def test_lines_with_a_text_are_those_that_have_it(lines: list[bytes], text: bytes) -> None:
    wanted = [at for at, line in enumerate(lines) if text in line]
    assert OldVersion(b"\n".join(lines)).lines_with([text]) == wanted
