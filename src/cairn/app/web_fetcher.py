"""The fetcher as the operator's environment wants it; no file of a repository has a say in it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cairn.lib.urls.url import Place, parse_places

if TYPE_CHECKING:
    from cairn.core.ports.fetch import Fetcher

ALLOW = "CAIRN_FETCH_ALLOW"
"""`host:port,…`: places that are fetched whatever their port and address, such as a wiki of the house."""


def web_fetcher(env: Mapping[str, str]) -> "Fetcher":
    from cairn.adapters.fetch import credentials, proxy
    from cairn.adapters.fetch.web import WebFetcher

    allow = allowed_places(env)
    return WebFetcher(
        allow=allow,
        credentials=credentials.read_credentials(env.get(credentials.VARIABLE, ""), allow),
        proxy=proxy.read_proxy(env.get(proxy.VARIABLE, "")),
    )


def allowed_places(env: Mapping[str, str]) -> frozenset[Place]:
    return parse_places(env.get(ALLOW, ""))


def shown_places(env: Mapping[str, str]) -> list[str]:
    """For every report that used them."""
    return [f"{host}:{port}" for host, port in sorted(allowed_places(env))]
