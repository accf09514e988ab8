"""What change requests leave in a repository, for those who take Cairn away again."""

from pathlib import Path

from cairn.adapters.forge.local.forge import LocalForge
from cairn.errors import CairnError


def refs_left(root: Path) -> list[str]:
    """Names of refs. Where git cannot be asked there are none that we could take away."""
    try:
        return sorted(LocalForge(root).belongings())
    except CairnError:
        return []


def drop_refs(root: Path) -> None:
    LocalForge(root).leave()
