"""What the commands about trust share: the page that somebody names, and how an artefact is printed."""

from typing import TYPE_CHECKING, Any

from cairn.journal import iso_utc

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.cli.invocation import Invocation
    from cairn.core.model.graph import Node
    from cairn.core.ports.trust import ArtefactRow

PAGE = "A page of knowledge, by its path, name or title."


def page_at(ctx: "Invocation", app: "App", name: str) -> "Node":
    """The page that a person means; `NotFound` or `Refused` for anything else."""
    from cairn.core.model.knowledge import KINDS
    from cairn.errors import Refused
    from cairn.graph.subgraph import node_called

    node = node_called(app.scanned_store(), name, root=app.root, here=ctx.directory)
    if app.knowledge.kind(node.path) is None and node.kind not in KINDS:
        raise Refused(f"`{node.path}` is no page of knowledge but a {node.kind}; ballots are about pages of knowledge.")
    return node


def when(at_ms: int) -> str:
    return iso_utc(at_ms)[:16].replace("T", " ")


def artefact_value(row: "ArtefactRow") -> dict[str, Any]:
    return {
        "path": row.artefact,
        "kind": row.kind,
        "status": row.status,
        "version": row.version,
        "contentRev": row.rev,
        "anchor": row.anchor,
        "since": iso_utc(row.since_ms),
        "onHold": bool(row.hold),
        "landed": bool(row.landed) and row.seen_status == row.status,
        "revision": row.revision,
        "good": {"contentRev": row.good_rev, "status": row.good_status} if row.good_rev else None,
    }
