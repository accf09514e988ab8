"""Which proxy the operator's environment names for a host, if any."""

from collections.abc import Mapping

import httpcore


def proxy_for(env: Mapping[str, str], scheme: str, host: str) -> httpcore.Proxy | None:
    """As other programs read it: `https_proxy` and its like, in small letters first; `no_proxy` lists exceptions."""
    if _excepted(env.get("no_proxy") or env.get("NO_PROXY") or "", host):
        return None
    names: tuple[str, ...] = (f"{scheme}_proxy", f"{scheme}_proxy".upper(), "all_proxy", "ALL_PROXY")
    if scheme == "http":
        names = ("http_proxy", "all_proxy", "ALL_PROXY")  # HTTP_PROXY may be a header of a request to a CGI program
    address = next((env[name] for name in names if env.get(name)), None)
    return None if address is None else _proxy(address)


def _proxy(address: str) -> httpcore.Proxy | None:
    from urllib.parse import unquote, urlsplit

    parts = urlsplit(address if "://" in address else f"http://{address}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    auth = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    port = parts.port or (443 if parts.scheme == "https" else 80)
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return httpcore.Proxy(f"{parts.scheme}://{name}:{port}", auth=auth)


def _excepted(listed: str, host: str) -> bool:
    if is_loopback(host):
        return True
    names = [name.strip().lower().lstrip(".") for name in listed.split(",") if name.strip()]
    return "*" in names or any(host == name or host.endswith(f".{name}") for name in names)


def is_loopback(host: str) -> bool:
    return host in ("localhost", "::1", "[::1]") or host.startswith("127.")
