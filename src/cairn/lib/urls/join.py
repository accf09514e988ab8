"""Where a reference on a page or in a redirect leads, read as a browser reads it."""

import re

from cairn.lib.urls.url import Url, UrlProblem, split_url

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*+):", re.ASCII)
_AROUND = "".join(map(chr, range(0x21)))
_INSIDE = str.maketrans(dict.fromkeys("\t\r\n"))


def join_url(base: Url, reference: str) -> Url:
    """The absolute URL that a reference means on the page `base`. Raises `UrlProblem`."""
    text = reference.strip(_AROUND).translate(_INSIDE)
    found = _SCHEME.match(text)
    if found is not None:
        scheme, rest = found[1].lower(), text[found.end() :]
        if scheme != base.scheme or rest[:1] in ("/", "\\"):
            return split_url(text)
        text = rest  # `https:page` on a page of https is that page beside it
    return split_url(_absolute(base, text))


def _absolute(base: Url, text: str) -> str:
    if text[:1] in ("/", "\\") and text[1:2] in ("/", "\\"):
        return f"{base.scheme}:{text}"
    if text[:1] in ("/", "\\"):
        return base.origin + text
    if not text or text.startswith("#"):
        return base.origin + base.target + text
    if text.startswith("?"):
        return base.origin + base.path + text
    return base.origin + base.path[: base.path.rfind("/") + 1] + text


def without_fragment(url: str) -> str:
    """What is asked of a server: the URL in its normal spelling, without what follows `#`. One that nobody should ask
    for stays as it is, cut at its `#`."""
    try:
        parts = split_url(url)
    except UrlProblem:
        return url.partition("#")[0]
    return str(parts._replace(fragment=None)) if parts.userinfo is None else url.partition("#")[0]
