"""Tells which links a change of the files can have touched, by the paths and names that they look up."""

from collections.abc import Iterable

from cairn.graph.relink import Relinker
from cairn.graph.resolve import ROOTED, climbed, path_spellings


def both(target: str) -> tuple[str, ...]:
    """A target that may be loose, and the pages that may have answered to it so far."""
    return (target, *path_spellings(target))


def endings(path: str) -> Iterable[str]:
    """The path, and what is left of it below each of its folders: a page may call it by any of these."""
    parts = path.split("/")
    return ("/".join(parts[index:]) for index in range(len(parts)))


def loose_state(relinker: Relinker, target: str, name: str | None) -> str:
    paths = climbed(name[1:], target) if name and name[:1] == ROOTED else (target,)
    if any(map(relinker.on_disk, paths)):
        return "file"
    return "reference" if relinker.is_reference(target) else "broken"
