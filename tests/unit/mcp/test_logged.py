"""What agents ask and read over MCP is in the log of questions, with the session; what is refused is not."""

from pathlib import Path

import mcp_workspace
from mcp_workspace import asked, called, events


def test_questions_and_readings_are_written_down(tmp_path: Path) -> None:
    root = mcp_workspace.make(tmp_path / "bakery")
    called(root, "search", {"query": "how hot are the ovens?"}, CLAUDE_SESSION_ID="s1")
    called(root, "read", {"id": "ovens"}, CLAUDE_SESSION_ID="s1")
    asked(root, lambda client: client.read_resource("cairn://entry/flour"))
    assert called(root, "read", {"id": "poison"}).is_error
    told = [event for event in events(root) if event["type"] in ("search_asked", "page_read")]
    facts = [(event["type"], event["payload"]["surface"], event["payload"]["session"]) for event in told]
    assert facts == [("search_asked", "mcp", "s1"), ("page_read", "mcp", "s1"), ("page_read", "mcp", None)]
    assert [event["payload"].get("path") for event in told[1:]] == [
        "knowledge/baking/ovens.md",
        "knowledge/baking/flour.md",
    ]
    assert all(len(event["payload"]["revision"]) == 40 for event in told[1:])
