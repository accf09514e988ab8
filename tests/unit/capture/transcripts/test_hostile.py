"""Transcripts that are broken, cut, huge, in another encoding, or made to harm: read as far as it goes, and said."""

import json
import tracemalloc
from collections.abc import Iterator
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.capture.transcripts import Tally, last_turn, segments, turns
from cairn.capture.transcripts.lines import LINE_LIMIT
from cairn.core.model.session import Host
from host_lines import claude, claude_result, claude_use, joined, line

HOSTS: tuple[Host, ...] = get_args(Host)
HELLO = line(claude("user", "Hello"))
BYE = line(claude("assistant", "Bye"))


def read(data: bytes, host: Host = "claude", size: int = 4096) -> tuple[list[str], Tally]:
    tally = Tally()
    chunks = (data[at : at + size] for at in range(0, len(data), size))
    return [s.text for s in segments(host, chunks, tally=tally) if not s.injected], tally


@pytest.mark.parametrize(
    ("data", "texts", "remark"),
    [
        (HELLO + b'{"type":"user","mess\n' + BYE, ["Hello", "Bye"], "1 line is broken; passed over"),
        (HELLO + b"[1,2]\n17\nnull\n" + BYE, ["Hello", "Bye"], "3 lines are broken; passed over"),
        (HELLO + BYE[:40], ["Hello"], "the last line is not whole; it is read when it is"),
        (HELLO + BYE[:-1], ["Hello", "Bye"], None),
        (b"\n \n" + HELLO + b"\0" * 5000 + BYE, ["Hello", "Bye"], None),
        (HELLO + b"\0" * 5000 + b"\n" + BYE, ["Hello", "Bye"], None),
        (b"\xef\xbb\xbf" + HELLO + BYE, ["Hello", "Bye"], None),
        (HELLO.replace(b"Hello", b"H\xe9llo") + BYE, ["Héllo", "Bye"], "1 line is not in UTF-8; read as Latin-1"),
        ((HELLO + BYE).decode().encode("utf-16"), ["Hello", "Bye"], "it is written in UTF-16-LE, not in UTF-8"),
        (
            b"\xfe\xff" + (HELLO + line(claude("user", "ਊ"))).decode().encode("utf-16-be"),
            ["Hello", "ਊ"],
            "it is written in UTF-16-BE, not in UTF-8",
        ),
        (HELLO + b"[" * 100_000 + b"\n" + BYE, ["Hello", "Bye"], "1 line is broken; passed over"),
        (HELLO + b'{"a":' + b"9" * 10_000 + b"}\n" + BYE, ["Hello", "Bye"], "1 line is broken; passed over"),
        (b"", [], None),
        (b"\x89PNG\r\n\x1a\n\0\0", [], None),
    ],
)
def test_what_can_be_read_is_read_and_the_rest_is_said(data: bytes, texts: list[str], remark: str | None) -> None:
    for size in (1, 3, 64, 1 << 20):
        found, tally = read(data, size=size)
        assert found == texts
        assert remark is None or remark in tally.remarks()


def test_how_far_was_read_stops_before_a_line_that_is_still_written() -> None:
    assert read(HELLO + BYE[:40])[1].through == len(HELLO)
    assert read(HELLO + BYE[:-1])[1].through == len(HELLO + BYE) - 1
    assert read(HELLO + b"x" * (LINE_LIMIT + 1))[1].through == len(HELLO)
    assert read(HELLO + b"x" * (LINE_LIMIT + 1) + b"\n" + BYE)[1].through == len(HELLO + BYE) + LINE_LIMIT + 2


def test_reading_on_gives_what_reading_at_once_gives() -> None:
    data = (HELLO + BYE).decode().encode("utf-16")
    cut = len(HELLO.decode().encode("utf-16"))
    rest = segments("claude", [data[cut:]], start=cut, encoding="utf-16-le")
    assert [(s.text, s.start) for s in rest] == [("Bye", cut)]


@pytest.mark.parametrize("text", ["a\x1b[2Jb", "a\0b", "\ud800ab", "a\x9bb"])
def test_what_moves_a_cursor_is_gone(text: str) -> None:
    found, _ = read(json.dumps(claude("user", text)).encode() + b"\n")
    assert found[0].replace("[2J", "").replace("\ufffd", "") == "ab"


def test_what_was_pasted_is_cut() -> None:
    (found,), _ = read(line(claude("user", "x" * 300_000)))
    assert len(found) < 101_000
    assert found.endswith("[… 200,000 characters left out]")


@pytest.mark.parametrize("host", HOSTS)
@given(data=st.binary(max_size=400), size=st.integers(1, 50))
@settings(max_examples=60, deadline=None)
def test_no_bytes_make_a_reader_fail(host: Host, data: bytes, size: int) -> None:
    read(data, host, size)
    last_turn(host, "s", data, start=5)


_KEYS = (
    "type",
    "role",
    "message",
    "content",
    "text",
    "payload",
    "info",
    "parts",
    "state",
    "input",
    "id",
    "uuid",
    "name",
)
_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["user", "assistant", "tool_use"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(_KEYS),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("host", HOSTS)
@given(values=st.lists(_JSON, max_size=5))
@settings(max_examples=80, deadline=None)
def test_no_json_makes_a_reader_fail(host: Host, values: list[object]) -> None:
    data = joined(values)
    list(turns(host, "s", segments(host, [data])))


def _stream(megabytes: int) -> Iterator[bytes]:
    yield joined([claude("user", "Go.")])
    block = joined([claude_use("t", "Read", file_path="a"), claude_result("t", "x" * 100_000)])
    for _ in range(megabytes * 10):
        yield block
    yield b"y" * (LINE_LIMIT * 3) + b"\n"
    yield BYE


def test_memory_stays_flat() -> None:
    peaks = []
    for megabytes in (4, 40):
        tracemalloc.start()
        assert list(segments("claude", _stream(megabytes)))[-1].text == "Bye"
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.2


def test_memory_stays_flat_in_a_document_of_opencode() -> None:
    message = json.dumps(
        {"info": {"role": "assistant"}, "parts": [{"type": "tool", "state": {"output": "x" * 90_000}}]}
    )

    def document(count: int) -> Iterator[bytes]:
        yield b'{"info":{},"messages":['
        for _ in range(count):
            yield message.encode() + b","
        yield b'{"info":{"role":"user"},"parts":[{"type":"text","text":"Hi"}]}]}'

    peaks = []
    for count in (20, 200):
        tracemalloc.start()
        assert [s.text for s in segments("opencode", document(count)) if s.text] == ["Hi"]
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.5
