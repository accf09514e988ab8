"""Which forge a workspace uses: the repository itself, unless the operator names another one."""

from typing import TYPE_CHECKING

from cairn.core.ports.forge import Forge

if TYPE_CHECKING:
    from cairn.app.build import App


def forge_of(app: "App") -> Forge:
    base = app.settings.optional_text("change.base")
    if app.settings.text("change.forge") == "github":
        return _github(app, base)
    from cairn.adapters.forge.local.forge import LocalForge

    return LocalForge(app.root, base=base)


def _github(app: "App", base: str | None) -> Forge:
    from cairn.adapters.forge.github.forge import open_github
    from cairn.adapters.vcs.program import GitProgram

    git = GitProgram(app.root)
    seconds = 10.0
    origin = git.attempt("remote", "get-url", "origin", seconds=seconds) or b""
    prefix = git.attempt("rev-parse", "--show-prefix", seconds=seconds) or b""
    folder = prefix.decode("utf-8", "surrogateescape").removesuffix("\n")
    return open_github(app.env, origin=origin.decode("utf-8", "replace").strip() or None, base=base, prefix=folder)
