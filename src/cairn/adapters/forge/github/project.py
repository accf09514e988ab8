"""Which repository at which GitHub, and with whose token: the operator's environment says, and origin's address."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from cairn.errors import EnvironmentProblem

PUBLIC = "https://api.github.com"
HOW = "set GITHUB_REPOSITORY to `owner/name`"
TOKENS = ("GITHUB_TOKEN", "GH_TOKEN")
_NAME = re.compile(r"([A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))/([A-Za-z0-9._-]{1,100})")
_SCP = re.compile(r"(?:[^@/:\s]+@)?([^@/:\s]+):(?!//)/?(\S+)")
_ADDRESS = re.compile(r"(?:https?|ssh|git)://(?:[^@/\s]+@)?([^@/:\s]+)(?::\d+)?/(\S+)")


class GitHubProject(NamedTuple):
    api: str
    owner: str
    name: str

    @property
    def path(self) -> str:
        return f"/repos/{self.owner}/{self.name}"

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"


def token_from(env: Mapping[str, str]) -> str:
    for name in TOKENS:
        if token := env.get(name, "").strip():
            return token
    raise EnvironmentProblem(
        "There is no token for GitHub; set GITHUB_TOKEN (contents, pull requests and issues: read and write)."
    )


def place_from(env: Mapping[str, str], origin: str | None) -> GitHubProject:
    """`origin` is the address of the remote of that name."""
    api = env.get("GITHUB_API_URL", "").strip().rstrip("/") or PUBLIC
    named = env.get("GITHUB_REPOSITORY", "").strip()
    if named:
        return GitHubProject(api, *_owner_and_name(named, f"GITHUB_REPOSITORY is `{named[:80]}`"))
    if not origin:
        raise EnvironmentProblem(f"The repository has no remote `origin`, so its place at GitHub is unknown; {HOW}.")
    host, path = _split(origin)
    if host != _web_host(api):
        raise EnvironmentProblem(f"The remote `origin` is at {host}, and GitHub is at {_web_host(api)}; {HOW}.")
    return GitHubProject(api, *_owner_and_name(path, f"The remote `origin` leads to `{path[:80]}`"))


def _split(origin: str) -> tuple[str, str]:
    """Host and path, of `https://host/o/n.git`, `ssh://git@host/o/n` or `git@host:o/n.git`."""
    found = _ADDRESS.fullmatch(origin) or _SCP.fullmatch(origin)
    if found is None:
        raise EnvironmentProblem(f"The remote `origin` is no address at GitHub; {HOW}.")
    host = found[1].lower()
    return ("github.com" if host in ("ssh.github.com", "www.github.com") else host), found[2]


def _web_host(api: str) -> str:
    host = api.partition("://")[2].partition("/")[0].partition(":")[0].lower()
    return host.removeprefix("api.")


def _owner_and_name(text: str, what: str) -> tuple[str, str]:
    found = _NAME.fullmatch(text.rstrip("/").removesuffix(".git"))
    if found is None or found[2] in (".", ".."):
        raise EnvironmentProblem(f"{what}, which is not `owner/name`; {HOW}.")
    return found[1], found[2]
