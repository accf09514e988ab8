"""Which forge a workspace uses: the repository itself, unless the operator names another one."""

from contextlib import suppress
from typing import TYPE_CHECKING

from cairn.core.ports.forge import Forge
from cairn.errors import EnvironmentProblem, UsageError

if TYPE_CHECKING:
    from cairn.app.build import App


def forge_of(app: "App") -> Forge:
    base = app.settings.optional_text("change.base")
    if app.settings.text("change.forge") == "github":
        return _github(app, base)
    from cairn.adapters.forge.local.forge import LocalForge

    return LocalForge(app.root, base=base)


def base_commit(app: "App") -> str:
    """The commit that changes are made for. For a forge elsewhere it is the one that was last fetched from there: a
    branch here may lag behind, or hold what nobody pushed."""
    name = app.forge.base_branch()
    if app.forge.name == "local":
        return app.vcs.resolve(f"refs/heads/{name}")
    for ref in (f"refs/remotes/origin/{name}", f"refs/heads/{name}"):
        with suppress(UsageError):
            return app.vcs.resolve(ref)
    raise EnvironmentProblem(f"The base branch `{name}` is not in this clone; run `git fetch origin {name}`.")


def _github(app: "App", base: str | None) -> Forge:
    from cairn.adapters.forge.github.forge import open_github
    from cairn.adapters.vcs.program import GitProgram

    git = GitProgram(app.root)
    seconds = 10.0
    origin = git.attempt("remote", "get-url", "origin", seconds=seconds) or b""
    prefix = git.attempt("rev-parse", "--show-prefix", seconds=seconds) or b""
    folder = prefix.decode("utf-8", "surrogateescape").removesuffix("\n")
    return open_github(app.env, origin=origin.decode("utf-8", "replace").strip() or None, base=base, prefix=folder)
