"""What every client pays for: the list of tools, as few words as will do, and honest about what each does."""

import json
import os
from pathlib import Path

import jsonschema_rs
import pytest
from mcp_types import ListToolsResult

from cairn.adapters.tokens.bpe import bpe_tokens
from cairn.mcp.request_handler import TOOLS
from cairn.mcp.server import INSTRUCTIONS, _tool

SNAPSHOT = Path(__file__).with_name("tools.json")
MOST_TOOLS = 10
MOST_TOKENS = 3000


def listing():
    found = ListToolsResult(tools=[_tool(tool) for tool in TOOLS])
    return json.loads(found.model_dump_json(by_alias=True, exclude_none=True))["tools"]


def test_the_list_is_what_was_agreed():
    """A change here is a change for every agent. CAIRN_WRITE_TOOLS=1 writes the new list."""
    if os.environ.get("CAIRN_WRITE_TOOLS"):
        SNAPSHOT.write_text(json.dumps(listing(), indent=2, ensure_ascii=False) + "\n", "utf-8")
    assert listing() == json.loads(SNAPSHOT.read_text("utf-8"))


def test_few_tools_and_few_words():
    assert len(TOOLS) <= MOST_TOOLS
    tokenizer = bpe_tokens("o200k_base") or bpe_tokens("cl100k_base")
    assert tokenizer is not None
    assert tokenizer.count(json.dumps(listing())) <= MOST_TOKENS
    assert tokenizer.count(INSTRUCTIONS) <= 120


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_schemas_are_schemas(tool):
    for schema in (tool.input_schema, tool.output_schema):
        jsonschema_rs.meta.validate(schema)
        assert schema["type"] == "object"
    assert set(tool.needs) <= set(tool.takes)
    assert tool.description.endswith(".")


def test_hints_tell_the_truth():
    reading = {tool["name"] for tool in listing() if tool["annotations"]["readOnlyHint"]}
    assert reading == {"search", "read", "context", "graph"}
    writing = [tool["annotations"] for tool in listing() if tool["name"] not in reading]
    assert not any(hints["destructiveHint"] for hints in writing)
    assert [tool["name"] for tool in listing() if tool["annotations"]["openWorldHint"]] == ["propose", "jobs"]
