"""Bytes to text, whatever servers say about them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.html.charset import decode_page

CASES: dict[str, tuple[bytes, str, str]] = {
    "utf-8": ("Grüße".encode(), "text/html; charset=utf-8", "Grüße"),
    "utf-8 with a mark": ("Grüße".encode("utf-8-sig"), "text/html; charset=latin-1", "Grüße"),
    "utf-16 with a mark": (b"\xff\xfe" + "Grüße".encode("utf-16-le"), "", "Grüße"),
    "utf-16 big-endian": (b"\xfe\xff" + "Grüße".encode("utf-16-be"), "", "Grüße"),
    "latin-1 said": ("Grüße".encode("latin-1"), "text/html; charset=ISO-8859-1", "Grüße"),
    "latin-1 means windows": ("“Grüße”".encode("cp1252"), "text/html; charset=latin1", "“Grüße”"),
    "utf-8 although the server says latin-1": ("Grüße".encode(), "text/html; charset=iso-8859-1", "Grüße"),
    "said by the page": (b"<meta charset='windows-1251'>" + "Привет".encode("cp1251"), "text/html",
                         "<meta charset='windows-1251'>Привет"),
    "said by the page, the old way": (
        b'<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">' + "日本".encode("cp932"), "",
        '<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">日本'),
    "a charset that nobody knows": (b"Gr\xfc\xdfe", "text/html; charset=klingon", "Gr\ufffd\ufffde"),
    "a codec that is no charset": (b"uryy\xff", "text/html; charset=rot13", "uryy\ufffd"),
    "another": (b"\xff", "text/html; charset=zlib_codec", "\ufffd"),
    "wrong charset": ("日本語のテキスト".encode("euc-jp"), "text/html; charset=utf-8",
                      "日本語のテキスト".encode("euc-jp").decode("utf-8", "replace")),
    "empty": (b"", "", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_decoding(name: str) -> None:
    body, kind, text = CASES[name]
    decoded = decode_page(body, kind)
    assert decoded.text == text
    assert decoded.damaged == text.count("\ufffd")


@given(
    body=st.binary(max_size=300), charset=st.sampled_from(["", "utf-8", "utf-16", "big5", "iso-2022-jp", "hex", "idna"])
)
def test_nothing_that_is_sent_breaks_it(body: bytes, charset: str) -> None:
    assert isinstance(decode_page(body, f"text/html; charset={charset}").text, str)
