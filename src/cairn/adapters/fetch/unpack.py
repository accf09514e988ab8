"""A body as it comes in, unpacked piece by piece and never beyond its limits."""

import zlib
from collections.abc import Iterable

from cairn.adapters.fetch.limits import Limits

ACCEPTED = "gzip, deflate"


class TooLarge(Exception):
    """More than a page of prose can be; the message is a sentence."""


class BadEncoding(Exception):
    """Packed in a way that cannot be undone; the message is a sentence."""


def unpacked(pieces: Iterable[bytes], encoding: str, limits: Limits) -> bytes:
    """The whole body. Both sizes are limited while it comes in: what is too large is not kept and not awaited."""
    unpack = _unpacker(encoding)
    raw, body = 0, bytearray()
    for piece in pieces:
        raw += len(piece)
        if raw > limits.raw_bytes:
            raise TooLarge(f"More than {_size(limits.raw_bytes)} came; such a page is not read.")
        body += unpack.feed(piece, limits.decoded_bytes - len(body) + 1)
        if len(body) > limits.decoded_bytes:
            raise TooLarge(f"Unpacked it is more than {_size(limits.decoded_bytes)}; such a page is not read.")
    unpack.close()
    return bytes(body)


def _size(number: int) -> str:
    return f"{number // (1024 * 1024):,} MiB" if number >= 1024 * 1024 else f"{number:,} bytes"


class _Plain:
    def feed(self, piece: bytes, room: int) -> bytes:
        return piece[:room]

    def close(self) -> None:
        pass


class _Zlib:
    """gzip and deflate; the latter with or without its header, servers do both."""

    def __init__(self, *, gzip: bool) -> None:
        self._gzip = gzip
        self._stream = zlib.decompressobj(wbits=31) if gzip else None
        self._fed = False

    def feed(self, piece: bytes, room: int) -> bytes:
        if not piece:
            return b""
        self._fed = True
        try:
            if self._stream is None:
                self._stream = zlib.decompressobj(wbits=15 if piece[0] & 0x0F == 8 else -15)
            # What does not fit into the room is dropped: it is too large then anyway.
            return self._stream.decompress(piece, room)
        except zlib.error:
            raise BadEncoding("What came is not packed as its Content-Encoding says.") from None

    def close(self) -> None:
        if self._fed and self._stream is not None and not self._stream.eof:
            raise BadEncoding("What came breaks off in the middle of its packing.")


def _unpacker(encoding: str) -> _Plain | _Zlib:
    words = [word for word in (part.strip().lower() for part in encoding.split(",")) if word not in ("", "identity")]
    if not words:
        return _Plain()
    if words in (["gzip"], ["x-gzip"], ["deflate"]):
        return _Zlib(gzip=words != ["deflate"])
    raise BadEncoding(f"It is packed as `{encoding[:40]}`, which was not asked for.")
