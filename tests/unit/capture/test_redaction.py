"""A text is found however it is written, and nothing else is."""

import json
from html import escape
from urllib.parse import quote

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cairn.capture.redaction import MARK, Needle, literal_needle, pattern_needle
from cairn.errors import UsageError

NAME = 'Ada "Müller" / Łoś 🦘'
SPELLED = {
    "as it is": NAME.encode(),
    "small": NAME.lower().encode(),
    "capitals": NAME.upper().encode(),
    "UTF-16, little": NAME.encode("utf-16-le"),
    "UTF-16, big, capitals": NAME.upper().encode("utf-16-be"),
    "JSON": json.dumps(NAME).encode(),
    "JSON, letters as they are": json.dumps(NAME, ensure_ascii=False).encode(),
    "JSON in JSON": json.dumps(json.dumps(NAME)).encode(),
    "JSON in JSON in JSON": json.dumps(json.dumps(json.dumps({"a": NAME}))).encode(),
    "JSON, capital digits": json.dumps(NAME).replace("00fc", "00FC").encode(),
    "JSON, slash": json.dumps(NAME).replace("/", "\\/").encode(),
    "percent": quote(NAME, safe="").encode(),
    "percent, small digits": quote(NAME, safe="").lower().encode(),
    "percent, twice": quote(quote(NAME, safe=""), safe="").encode(),
    "of a form": quote(NAME, safe="").replace("%20", "+").encode(),
    "HTML": escape(NAME).encode(),
    "HTML, letters by name": escape(NAME).replace("ü", "&uuml;").encode(),
    "HTML, letters by number": escape(NAME).replace("ü", "&#xFC;").replace("Ł", "&#321;").encode(),
    "letters with marks behind them": 'Ada "Mu\u0308ller" / Łos\u0301 🦘'.encode(),
    "wrapped": NAME.replace(" ", "\n  ", 1).encode(),
    "with a hard blank": NAME.replace(" ", "\u00a0").encode(),
    "wrapped, in JSON": json.dumps(NAME.replace(" ", "\n")).encode(),
}


@pytest.mark.parametrize("data", SPELLED.values(), ids=list(SPELLED))
def test_a_text_is_found_however_it_is_written(data: bytes):
    needle = literal_needle([NAME])
    around = b"\x00before " + data + b" behind\xff"
    assert needle.found(around)
    masked = needle.masked(around)
    assert not needle.found(masked) and MARK.encode() in masked
    assert masked.startswith(b"\x00before ") and masked.endswith(b" behind\xff")


@pytest.mark.parametrize("data", [b"", b"Ada M", b'Ada "Mueller" / Los', b"\xff\xfe", b"AdaMuller"])
def test_what_is_something_else_is_not_found(data: bytes):
    assert not literal_needle([NAME]).found(data)


@settings(deadline=None)
@given(st.text(min_size=4, max_size=30), st.binary(max_size=40))
def test_any_text_is_found_as_it_is_and_in_json(text: str, around: bytes):
    assume(len(text.strip()) >= 4 and text.strip() == text)
    assume(text.encode("utf-8", "replace").decode() == text)
    needle = literal_needle([text])
    data = around + json.dumps({"x": text}).encode() + around
    assert needle.found(data)
    assert needle.found(text.encode() + around)


def test_several_texts_are_one_needle():
    needle = Needle(literals=["first-thing", "second-thing"])
    assert needle.found(b"the SECOND-thing") and needle.found(b"first-thing") and not needle.found(b"third-thing")
    assert needle.masked(b"first-thing, second-thing") == b"[FORGOTTEN], [FORGOTTEN]"


PATTERN = r"M(ü|ue)ller-\d+"
MEANT = {
    "as it is": "Müller-7".encode(),
    "JSON": json.dumps("Müller-7").encode(),
    "JSON in JSON": json.dumps(json.dumps("Müller-7")).encode(),
    "percent": quote("Müller-7").encode(),
    "HTML": b"M&uuml;ller-7",
    "UTF-16": "Müller-7".encode("utf-16-le"),
    "UTF-16, in the middle": b"\0" + "Müller-7".encode("utf-16-be"),
}


@pytest.mark.parametrize("data", MEANT.values(), ids=list(MEANT))
def test_a_pattern_is_found_in_what_bytes_mean(data: bytes):
    needle = pattern_needle(PATTERN)
    assert needle.found(b"x " + data) and not needle.found(b"x Mueller")
    assert not needle.found(needle.masked("Müller-7 and Mueller-8".encode()))


@pytest.mark.parametrize("text", ["", "  ", "abc", "   abc   "])
def test_a_literal_that_stands_everywhere_is_refused(text: str):
    with pytest.raises(UsageError, match="4 characters"):
        literal_needle([text])


@pytest.mark.parametrize("text", ["(", "a{9999999999999}", "a*", "", "x|"])
def test_a_pattern_that_is_none_or_fits_everything_is_refused(text: str):
    with pytest.raises(UsageError, match="--pattern"):
        pattern_needle(text)


def test_what_is_shown_does_not_show_it():
    assert literal_needle(["hunter2-secret"]).shown("docs/Hunter2-Secret.md") == "docs/[FORGOTTEN].md"
