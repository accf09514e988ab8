"""`--near PATH`: which file of the workspace a person means."""

from pathlib import Path

from cairn.cli.invocation import Invocation
from cairn.errors import UsageError


def from_root(ctx: Invocation, root: Path, path: str) -> str:
    """As the graph has it: from where they stand, else from the root, as other commands print it. A file that is not
    there yet has a place all the same."""
    from cairn.graph.subgraph import spellings

    found = list(spellings(path, root=root, here=ctx.directory))
    if not found:
        raise UsageError(f"{path} is not in this workspace; --near takes files below {root}")
    return next((one for one in found if (root / one).exists()), found[0])
