"""Which project this is, so that signals from many places can be counted by project: the same whoever cloned it how."""

from hashlib import sha256
from posixpath import normpath

_SAME_HOST = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
"""Names under which a host takes ssh on the port of https."""


def project_id(remote: str | None, root: str) -> str:
    """64 hexadecimal digits, made of the normalised remote, or of the physical path where there is none."""
    return sha256((normalised_remote(remote or "", root) or root).encode("utf-8", "surrogatepass")).hexdigest()


def normalised_remote(remote: str, root: str = "/") -> str | None:
    """`host/path`, the same for ssh, https and the short form `user@host:path`; a path as `file:///path`. Who clones,
    with which password and by which port is not in it. None for a text that is no address."""
    text = remote.strip()
    scheme, mark, rest = text.partition("://")
    if mark and _is_scheme(scheme):
        if scheme.lower() in ("file", "git+file"):
            return _local(rest.partition("/")[2], "/")
        authority, _, path = rest.partition("/")
        return _elsewhere(_host(authority), path)
    host, mark, path = _short_form(text)
    if mark and "/" not in host:
        return _elsewhere(_host(host), path)
    return _local(text, root) if text else None


def _is_scheme(text: str) -> bool:
    return text.isascii() and text[:1].isalpha() and text.replace("+", "").replace("-", "").replace(".", "").isalnum()


def _short_form(text: str) -> tuple[str, str, str]:
    """`user@host:path`; the host may be an address in brackets."""
    if (end := text.find("]:")) >= 0 and "[" in text[:end]:
        return text[: end + 1], ":", text[end + 2 :]
    return text.partition(":")


def _host(authority: str) -> str:
    """Without user, password and port."""
    host = authority.rpartition("@")[2].lower()
    host = host.partition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    return _SAME_HOST.get(host.rstrip("."), host.rstrip("."))


def _elsewhere(host: str, path: str) -> str | None:
    from urllib.parse import unquote

    path = _bare(unquote(path.partition("?")[0].partition("#")[0]))
    return f"{host}/{path}" if host and path else None


def _local(path: str, root: str) -> str | None:
    bare = _bare(normpath(f"{root}/{path}") if not path.startswith("/") else normpath(path))
    return f"file:///{bare}" if bare else None


def _bare(path: str) -> str:
    bare = "/".join(part for part in path.split("/") if part not in ("", "."))
    return bare[:-4] if bare.endswith(".git") and not bare.endswith("/.git") else bare.removesuffix("/.git")
