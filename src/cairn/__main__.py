"""Where `cairn` and `python -m cairn` begin: as little as possible, so that what follows can be quick."""

import os
import sys


def main() -> int:
    # What agents call every turn is told apart here, by its first words, before anything else is imported.
    if sys.argv[1:2] == ["hook"] and len(sys.argv) > 2 and sys.argv[2] != "drain" and sys.argv[2][0:1] != "-":
        from cairn.hook import main as hook

        return hook(sys.argv[2:])
    if sys.argv[-1:] == ["mcp"]:
        from cairn.mcp.front import workspace_of

        root = workspace_of(sys.argv[1:], os.environ)
        if root is not None:
            return _serve(root)
    try:
        from cairn.cli.boundary import run
    except KeyboardInterrupt:
        return 130
    return run(sys.argv[1:])


def _serve(root: str) -> int:
    """As agent hosts start it: the client's first questions are answered before anything else is imported."""
    from cairn.mcp.front import greet, tell_listed

    opening = greet(lambda opened: tell_listed(root, os.environ, opened))
    if isinstance(opening, int):
        return opening
    from cairn.cli.boundary import run
    from cairn.mcp.server import serve_rest

    return run(sys.argv[1:], work=lambda: serve_rest(root, os.environ, opening))


if __name__ == "__main__":
    sys.exit(main())
