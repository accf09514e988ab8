"""The bytes of a page as text: by its byte order mark, by what the server says, by what the page says of itself."""

import codecs
import re
from typing import NamedTuple

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE | re.ASCII)
_IN_PAGE = re.compile(rb"<meta[^>]{0,300}?charset\s*+=\s*+(?:[\"']\s*+)?([\w.:-]+)", re.IGNORECASE)
_HEAD = 2_048
_RENAMED = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252",
            "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "shift-jis": "cp932",
            "sjis": "cp932", "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "iso-8859-9": "cp1254", "tis-620": "cp874",
            "utf8": "utf-8", "utf-16": "utf-16-le"}  # fmt: skip
"""As browsers read these names: most pages that say latin-1 mean what Windows made of it."""
_TEXT_CODECS = re.compile(
    r"utf-8|utf-16-(?:le|be)|cp\d{3,4}|iso-8859-\d{1,2}|windows-\d{4}|koi8-[ru]|gb18030|big5|euc-jp|iso-2022-jp"
    r"|mac-?(?:roman|cyrillic)", re.ASCII
)  # fmt: skip
"""Nothing else is looked up: the standard library knows codecs that are no character sets."""


class DecodedPage(NamedTuple):
    text: str
    charset: str
    damaged: int
    """How many characters could not be read."""


def decode_page(body: bytes, content_type: str = "") -> DecodedPage:
    """A charset that does not fit its text is passed over when UTF-8 does: servers are wrong more often than UTF-8 is
    right by accident."""
    for mark, charset in _BOMS:
        if body.startswith(mark):
            return _decoded(body[len(mark) :], charset)
    try:
        return DecodedPage(body.decode("utf-8"), "utf-8", 0)
    except UnicodeDecodeError:
        pass
    said = _charset(content_type) or _charset_in_page(body) or "utf-8"
    return _decoded(body, said)


def _decoded(body: bytes, charset: str) -> DecodedPage:
    text = body.decode(charset, "replace")
    return DecodedPage(text, charset, text.count("\ufffd"))


def _charset(content_type: str) -> str | None:
    found = _IN_HEADER.search(content_type)
    return _known(found[1]) if found else None


def _charset_in_page(body: bytes) -> str | None:
    found = _IN_PAGE.search(body[:_HEAD])
    return _known(found[1].decode("ascii", "replace")) if found else None


def _known(name: str) -> str | None:
    name = _RENAMED.get(name.lower(), name.lower())
    if not _TEXT_CODECS.fullmatch(name):
        return None
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


class FetchedPage(NamedTuple):
    """What came back."""

    url: str
    """As it was asked for."""
    final_url: str
    status: int
    content_type: str
    body: bytes
    """Decoded of its transfer and content encodings."""
    etag: str | None
    modified: str | None
    unchanged: bool = False
    """304: the body is empty, what was stored holds."""
