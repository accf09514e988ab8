"""Which forge a workspace uses: the repository itself, unless the operator names another one."""

from typing import Protocol

from cairn.core.ports.application import HasEnvironment, HasRoot, HasSettings
from cairn.core.ports.forge import Forge


class ForgeChoice(HasRoot, HasEnvironment, HasSettings, Protocol):
    """What the choice depends on."""


def forge_of(ports: ForgeChoice) -> Forge:
    base = ports.settings.optional_text("change.base")
    if ports.settings.text("change.forge") == "github":
        return _github(ports, base)
    from cairn.adapters.forge.local.forge import LocalForge

    return LocalForge(ports.root, base=base)


def _github(ports: ForgeChoice, base: str | None) -> Forge:
    from cairn.adapters.forge.github.forge import open_github
    from cairn.adapters.vcs.program import GitProgram

    git = GitProgram(ports.root)
    seconds = 10.0
    origin = git.attempt("remote", "get-url", "origin", seconds=seconds) or b""
    prefix = git.attempt("rev-parse", "--show-prefix", seconds=seconds) or b""
    folder = prefix.decode("utf-8", "surrogateescape").removesuffix("\n")
    return open_github(ports.env, origin=origin.decode("utf-8", "replace").strip() or None, base=base, prefix=folder)
