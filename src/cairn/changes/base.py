"""Finds the commit that a change is made for."""

from contextlib import suppress
from typing import Protocol

from cairn.core.ports.application import HasForge, HasVcs
from cairn.errors import EnvironmentProblem, UsageError


class _Ports(HasForge, HasVcs, Protocol):
    pass


def base_commit(ports: _Ports) -> str:
    """The commit that changes are made for. For a forge elsewhere it is the one that was last fetched from there: a
    branch here may lag behind, or hold what nobody pushed."""
    name = ports.forge.base_branch()
    if ports.forge.name == "local":
        return ports.vcs.resolve(f"refs/heads/{name}")
    for ref in (f"refs/remotes/origin/{name}", f"refs/heads/{name}"):
        with suppress(UsageError):
            return ports.vcs.resolve(ref)
    raise EnvironmentProblem(f"The base branch `{name}` is not in this clone; run `git fetch origin {name}`.")
