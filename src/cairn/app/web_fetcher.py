"""The fetcher as the operator's environment wants it; no file of a repository has a say in it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cairn.lib.urls.url import allowed_places

if TYPE_CHECKING:
    from cairn.core.ports.sources import Fetcher


def web_fetcher(env: Mapping[str, str]) -> "Fetcher":
    from cairn.adapters.fetch import backend, credentials
    from cairn.adapters.fetch.web import WebFetcher

    allow = allowed_places(env)
    return WebFetcher(
        allow=allow,
        credentials=credentials.read_credentials(env.get(credentials.VARIABLE, ""), allow),
        proxy=backend.read_proxy(env.get(backend.VARIABLE, "")),
    )
