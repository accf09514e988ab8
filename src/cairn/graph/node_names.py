"""Which node a person means: by a path as it looks from where they stand, from the root, or by name."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from cairn.core.model.node import Node
from cairn.core.ports.graph import GraphView
from cairn.graph.subgraph import find_node


def node_called(graph: GraphView, name: str, *, root: Path, here: Path) -> Node:
    """The node at that path below `here`, else below the root, else the only one of that name. An address is found as
    people copy it."""
    for path in (*spellings(name, root=root, here=here), *addresses(name)):
        found = graph.node(path)
        if found is not None:
            return found
    return find_node(graph, name)


def addresses(name: str) -> Iterator[str]:
    """Ways to write the address of the web that a name may be: pages are known without what follows a `#`, and a slash
    at the end makes no difference to anybody."""
    if name.startswith(("http://", "https://")):
        page = name.partition("#")[0]
        yield from (page, page.rstrip("/"), f"{page}/")


def path_called(name: str, known: Callable[[str], bool], *, root: Path, here: Path) -> str:
    """The same for a file that is gone: the first spelling that is known, else the name from the root."""
    return next((path for path in spellings(name, root=root, here=here) if known(path)), name.removeprefix("./"))


def spellings(name: str, *, root: Path, here: Path) -> Iterator[str]:
    """Paths from the root that the name may stand for, the likelier one first. The file need not be there."""
    home = root.resolve()
    folder = here.resolve()
    for base in dict.fromkeys((folder, home)):
        target = _without_dots(base / name)
        if home in target.parents:
            yield target.relative_to(home).as_posix()


def _without_dots(path: Path) -> Path:
    """`a/../b` is `b`; links in the file system are left alone, since nodes are named by where they lie."""
    return Path(os.path.normpath(path))
