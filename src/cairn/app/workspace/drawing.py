"""Drawing a part of the graph with what is plugged in."""

import sys
from contextlib import redirect_stdout

from cairn.app.build import App
from cairn.workspace.picture import draw
from cairn.workspace.subgraph import Part


def drawn(app: App, format: str, part: Part, *, root: str | None = None) -> str:
    """What a formatter prints on its way must not end up in the picture."""
    with redirect_stdout(sys.stderr):
        return draw(app.registry, format, part, title=title_of(app), root=root)


def title_of(app: App) -> str:
    return app.root.resolve().name or "graph"
