"""A contribution: something an extension shows beside a node, in a slot that the surfaces know."""

from collections.abc import Mapping
from typing import Any, NamedTuple

SLOTS = (
    "card.title.right",
    "card.subtitle.left",
    "card.footer.left",
    "card.footer.right",
    "graph.node.alert",
    "inspector.header.badge",
    "inspector.action.button",
    "inspector.body.panel.breakdown",
    "inspector.body.panel.records",
    "inspector.body.panel.tree",
    "inspector.body.panel.key-values",
    "inspector.body.panel.link-list",
    "inspector.body.panel.markdown",
    "topbar.nav.start",
)


class View(NamedTuple):
    """An entry of a manifest's `ui` map: where and how a payload is shown."""

    slot: str
    label: str = ""
    tooltip: str = ""
    icon: str | None = None
    empty_text: str = ""
    emit_when_empty: bool = False
    priority: int = 100


class Contribution(NamedTuple):
    path: str
    extension: str
    """Qualified id."""
    key: str
    """Of the manifest's `ui` map."""
    slot: str
    payload: Mapping[str, Any]
