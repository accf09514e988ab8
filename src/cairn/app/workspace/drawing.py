"""Draws a part of the graph with the formatters that are plugged in."""

import sys
from contextlib import redirect_stdout

from cairn.app.build import App
from cairn.app.workspace.gather import for_people
from cairn.kernel.model.issue import Issue
from cairn.kernel.repository.proof import narrowed
from cairn.workspace.picture import draw, find_formatter
from cairn.workspace.subgraph import Part

_JSON = "application/json"


def drawn(app: App, format: str, part: Part, *, root: str | None = None, notes: bool = False) -> str:
    """What a formatter prints on its way must not end up in the picture. JSON has the issues of the scan, everything
    else those that `check` prints."""
    machine = find_formatter(app.registry, format).manifest.content_type == _JSON
    shown = part if machine else as_checked(app, part, notes=notes)
    with redirect_stdout(sys.stderr):
        return draw(app.registry, format, shown, title=title_of(app), root=root)


def as_checked(app: App, part: Part, *, notes: bool = False) -> Part:
    """The part with the issues that `check` prints."""
    found = for_people(app, notes=notes)
    whole = len(part.nodes) == app.store.counts()["nodes"]
    return part._replace(issues=found if whole else _within(found, part))


def _within(issues: tuple[Issue, ...], part: Part) -> tuple[Issue, ...]:
    """At the places that are in this part."""
    paths = {node.path for node in part.nodes}
    return tuple(kept for issue in issues if (kept := narrowed(issue, lambda place: place.path in paths)))


def title_of(app: App) -> str:
    return app.root.resolve().name or "graph"
