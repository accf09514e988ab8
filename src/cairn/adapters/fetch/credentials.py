"""Passwords and tokens for single hosts, from the operator's environment and from nowhere else.

`CAIRN_FETCH_AUTH` holds words `host=SECRET`: a secret with a colon is a user with a password, any other a token. It
goes to exactly that host, never along a redirect to another one, and over https only, unless the place stands in
`CAIRN_FETCH_ALLOW`.
"""

from base64 import b64encode
from collections.abc import Collection, Mapping

from cairn.errors import EnvironmentProblem
from cairn.lib.urls.host import HostProblem, parse_host
from cairn.lib.urls.url import PORTS, Place, Url

VARIABLE = "CAIRN_FETCH_AUTH"


class Credentials:
    def __init__(self, by_place: Mapping[Place, str], vouched: Collection[Place] = ()) -> None:
        self._by_place = by_place
        self._vouched = vouched

    def __repr__(self) -> str:
        return f"Credentials({len(self._by_place)} hosts)"

    def header(self, url: Url) -> str | None:
        """The value of `Authorization` for a request."""
        if url.scheme != "https" and url.place not in self._vouched:
            return None
        return self._by_place.get(url.place)


def read_credentials(text: str, vouched: Collection[Place] = ()) -> Credentials:
    return Credentials(dict(_credential(number, word) for number, word in enumerate(text.split(), 1)), vouched)


def _credential(number: int, word: str) -> tuple[Place, str]:
    place, equals, secret = word.partition("=")
    host, colon, port = place.rpartition(":")
    if not colon or not port.isdecimal():
        host, port = place, str(PORTS["https"])
    try:
        if not (equals and secret and secret.isascii() and secret.isprintable()) or len(port) > 5:
            raise HostProblem("has no secret")
        return (parse_host(host).text, int(port)), _scheme(secret)
    except HostProblem:
        # The word itself is not shown: it may be the secret.
        raise EnvironmentProblem(
            f"Word {number} of {VARIABLE} is not `host=token` or `host=user:password`; write it like that."
        ) from None


def _scheme(secret: str) -> str:
    return f"Basic {b64encode(secret.encode()).decode()}" if ":" in secret else f"Bearer {secret}"
