"""`graph`: what is around a node, and what is wrong with it."""

from typing import TYPE_CHECKING, Any

from cairn.core.model.issue import places_of, proofs_of
from cairn.graph.subgraph import end_of, inspect, node_called
from cairn.mcp.tools.tool import Arguments, Schema, Tool, ToolAnswer, ToolCallContext, maybe, rows, text, texts
from cairn.retrieve.excerpt import one_line
from cairn.workspace.findings import every_issue

if TYPE_CHECKING:
    from cairn.core.model.issue import Issue
    from cairn.graph.subgraph import Inspection

_MOST = 40
_PROOFS = 3
_PLACES = 6


def answer(call: ToolCallContext, given: Arguments) -> ToolAnswer:
    call.fresh()
    app = call.app
    store = app.scanned_store()
    node = node_called(store, given["id"], root=app.root, here=app.root)
    data = _data(inspect(store, node, files=app.files, tokenizer=None, issues=every_issue(app)))
    return ToolAnswer(data, "\n".join(_lines(data)))


def _data(seen: "Inspection") -> dict[str, Any]:
    out = [{"id": end_of(link), "kind": link.kind, "state": link.state} for link in seen.links_out]
    into = [{"id": link.source, "kind": link.kind} for link in seen.links_in]
    issues = [_issue(issue, seen.node.path) for issue in seen.issues]
    totals = (("outgoing", out), ("incoming", into), ("issues", issues))
    return {
        "id": seen.node.path,
        "title": one_line(seen.node.title),
        "kind": seen.node.qualified_kind,
        **{name: _each_once(found)[:_MOST] for name, found in totals},
        "notes": [
            f"{_MOST} of {len(_each_once(found))} {name}." for name, found in totals if len(_each_once(found)) > _MOST
        ],
    }


def _each_once(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({repr(row): row for row in found}.values())


def _issue(issue: "Issue", node: str) -> dict[str, Any]:
    """With the line of this node, whichever node the finding is shown at."""
    places = places_of(issue)
    here = next((place for place in places if place.path == node), None)
    others = [place for place in places if place is not here]
    evidence = [*(proof.sentence for proof in proofs_of(issue)), *filter(None, [issue.detail])]
    return {
        "analyzerId": issue.analyzer,
        "severity": str(issue.severity),
        "message": one_line(issue.message),
        "line": here.line or None if here else None,
        "evidence": [one_line(sentence) for sentence in evidence[:_PROOFS]],
        "otherPlaces": [one_line(f"{place.path}:{place.line or 1}") for place in others[:_PLACES]],
        "morePlaces": max(0, len(others) - _PLACES),
        "fix": one_line(issue.fix.summary) if issue.fix else None,
    }


def _lines(data: dict[str, Any]) -> list[str]:
    lines = [f"{data['id']} ({data['kind']}): {data['title']}"]
    lines += [f"→ {one_line(row['id'])} ({row['kind']}{_unless_node(row['state'])})" for row in data["outgoing"]]
    lines += [f"← {one_line(row['id'])} ({row['kind']})" for row in data["incoming"]]
    lines += [_finding(row) for row in data["issues"]]
    return [*lines, *data["notes"]]


def _finding(row: dict[str, Any]) -> str:
    """The problem, the evidence, the other places, the fix."""
    at = f" line {row['line']}" if row["line"] else ""
    more = f" and {row['morePlaces']:,} more" if row["morePlaces"] else ""
    parts = [
        f"{row['severity']}{at}, {row['analyzerId']}: {row['message']}",
        *(f"Evidence: {sentence}" for sentence in row["evidence"]),
        *([f"Also: {', '.join(row['otherPlaces'])}{more}"] if row["otherPlaces"] else []),
        *([f"Fix: {row['fix']}"] if row["fix"] else []),
    ]
    return "\n  ".join(parts)


def _unless_node(state: str) -> str:
    return "" if state == "node" else f", {state}"


_LINE: Schema = {"type": ["integer", "null"]}

GRAPH = Tool(
    "graph",
    "See what is around a node",
    "What a page, agent, skill or command links to, what links to it, and issues that were found on it.",
    takes={"id": text("Path, name or title", 1000)},
    needs=("id",),
    gives={
        "id": text(),
        "title": text(),
        "kind": text(),
        "outgoing": rows(id=text(), kind=text(), state=text()),
        "incoming": rows(id=text(), kind=text()),
        "issues": rows(
            analyzerId=text(),
            severity=text(),
            message=text(),
            line=_LINE,
            evidence=texts(),
            otherPlaces=texts(),
            morePlaces={"type": "integer"},
            fix=maybe(),
        ),
        "notes": texts(),
    },
    answer=answer,
    otherwise="`search` finds pages by what they say.",
)
