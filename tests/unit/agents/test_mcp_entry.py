"""The MCP entry in files of others: in, out, and nothing else moves."""

import tomllib

import pytest

from cairn.agents.mcp_entry import PLACES, entry_in, is_ours, with_entry, without_entry
from cairn.errors import ConfigError

PROGRAM = ("cairn",)
FOREIGN = {
    "claude": '{\n    "mcpServers": {"other": {"command": "npx"}},\n    "x": [1, 2]\n}\n',
    "cursor": '{"mcpServers": {}}',
    "opencode": '{\r\n  "theme": "x",\r\n  "mcp": {"other": {"type": "local"}}\r\n}\r\n',
    "codex": 'model = "x"  # mine\n\n[mcp_servers.other]\ncommand = "npx"\n',
}
WANTED = {
    "claude": {"command": "cairn", "args": ["mcp"]},
    "cursor": {"command": "cairn", "args": ["-C", "${workspaceFolder}", "mcp"]},
    "opencode": {"type": "local", "command": ["cairn", "mcp"], "enabled": True},
    "codex": {"command": "cairn", "args": ["mcp"]},
}


@pytest.mark.parametrize("host", PLACES)
def test_a_new_file_comes_and_goes(host):
    place = PLACES[host]
    text = with_entry(place, "file", None, PROGRAM)
    assert entry_in(place, "file", text) == WANTED[host]
    assert with_entry(place, "file", text, PROGRAM) == text
    assert without_entry(place, "file", text, None) is None


@pytest.mark.parametrize("host", PLACES)
@pytest.mark.parametrize("backup", [True, False])
def test_what_others_wrote_stays_to_the_byte(host, backup):
    place, before = PLACES[host], FOREIGN[host]
    text = with_entry(place, "file", before, PROGRAM)
    assert entry_in(place, "file", text) == WANTED[host]
    after = without_entry(place, "file", text, before if backup else None)
    assert after == before or (not backup and after is None)  # nothing but an empty place for servers was there


@pytest.mark.parametrize("host", PLACES)
def test_another_program_takes_the_place_of_the_old_one(host):
    place = PLACES[host]
    text = with_entry(place, "file", with_entry(place, "file", FOREIGN[host], ("/old/bin/cairn",)), PROGRAM)
    assert entry_in(place, "file", text) == WANTED[host]
    assert "/old/bin" not in text


@pytest.mark.parametrize(
    "tail",
    [
        '\n[mcp_servers.other]\ncommand = "npx"\n',
        "\n[[things]]\na = 1\n",
        "",
        '\n[mcp_servers.cairn-two]\ncommand = "x"\n',
    ],
)
def test_a_table_goes_without_its_neighbours(tail):
    place = PLACES["codex"]
    text = with_entry(place, "file", 'model = "x"', PROGRAM) + tail
    after = without_entry(place, "file", text, None)
    assert tomllib.loads(after) == tomllib.loads('model = "x"\n' + tail)


@pytest.mark.parametrize(
    ("entry", "ours"),
    [
        ({"command": "cairn", "args": ["mcp"]}, True),
        ({"command": "/opt/bin/cairn", "args": ["mcp"]}, True),
        ({"command": "/usr/bin/python3", "args": ["-P", "-m", "cairn", "mcp"]}, True),
        ({"command": ["cairn", "mcp"], "type": "local"}, True),
        ({"command": "cairn", "args": ["-C", "${workspaceFolder}", "mcp"]}, True),
        ({"command": "cairn", "args": ["mcp", "--http", "0.0.0.0:1"]}, False),
        ({"command": "uvx", "args": ["--from", "cairn-kb[mcp]", "cairn", "mcp"]}, False),
        ({"command": "rm", "args": ["-rf", "mcp"]}, False),
        ({"command": None}, False),
        ({"command": "cairn", "args": "mcp"}, False),
        ({"url": "http://127.0.0.1:8321/mcp"}, False),
        ("cairn", False),
        (None, False),
    ],
)
def test_only_a_plain_call_is_ours(entry, ours):
    assert is_ours(entry) is ours


def test_an_entry_of_somebodys_own_stays():
    place = PLACES["claude"]
    text = '{"mcpServers": {"cairn": {"url": "http://127.0.0.1:8321/mcp"}}}'
    assert with_entry(place, "file", text, PROGRAM) == text


@pytest.mark.parametrize(
    ("host", "text", "said"),
    [
        ("claude", "{", "is not valid JSON"),
        ("claude", '{"mcpServers": []}', "`mcpServers` is no object"),
        ("codex", "a = ", "is not valid TOML"),
    ],
)
def test_a_file_that_is_broken_is_not_touched(host, text, said):
    with pytest.raises(ConfigError, match=said):
        with_entry(PLACES[host], "file", text, PROGRAM)
