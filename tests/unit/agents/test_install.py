"""What is shipped for agents: skills as the standard wants them, and the plugin folder made of the same parts."""

import json
import re
from pathlib import Path

import pytest

import cairn
from cairn.agents.hook_settings import installed, wired
from cairn.agents.hosts import AGENTS, our_command
from cairn.agents.install import SKILLS, skill_files, skill_text
from cairn.agents.mcp_entry import PLACES, entry_in, is_ours
from cairn.cli.describe import describe_all, names
from cairn.cli.main import root_group
from cairn.lib.markdown.frontmatter import parse
from cairn.mcp.request_handler import TOOLS

PLUGIN = Path(__file__).parents[3] / "plugins" / "claude-code"


@pytest.mark.parametrize("name", SKILLS)
def test_a_skill_is_one(name):
    parsed = parse(skill_text(name))
    assert set(parsed.frontmatter) == {"name", "description"}
    assert parsed.frontmatter["name"] == name
    assert 20 < len(parsed.frontmatter["description"]) <= 1024
    assert parsed.problems == ()
    assert len(parsed.body.splitlines()) < 500


@pytest.mark.parametrize("name", SKILLS)
def test_a_skill_names_commands_that_there_are(name):
    known = set(names(root_group()))
    groups = {command.split()[0] for command in known if " " in command}
    for command, more in re.findall(r"`cairn ([a-z-]+) ?([a-z-]*)", skill_text(name)):
        called = f"{command} {more}" if command in groups else command
        assert called in known


@pytest.mark.parametrize("name", SKILLS)
def test_a_skill_names_options_that_there_are(name):
    program = describe_all(root_group())
    known = dict(flags_below(program))
    for said in re.findall(r"`cairn ([^`]+)`", skill_text(name)):
        words = re.sub(r"'[^']*'|\"[^\"]*\"", "", said).split()
        command = " ".join(words[:2]) if " ".join(words[:2]) in known else words[0]
        for flag in (word for word in words if word.startswith("-")):
            assert flag in known[command] | flags(program), said


def flags(command):
    return {flag for option in command["options"] for flag in option["flags"]}


def flags_below(command):
    for below in command["commands"]:
        yield below["name"], flags(below)
        yield from flags_below(below)


def test_the_skill_knows_every_tool():
    assert {tool.name for tool in TOOLS} <= set(re.findall(r"`([a-z]+)`", skill_text("cairn")))


def test_the_plugin_has_the_same_skills():
    shipped = {path.parent.name: path.read_text("utf-8") for path in PLUGIN.glob("skills/*/SKILL.md")}
    assert shipped == {name: skill_text(name) for name in SKILLS}


def test_the_plugin_has_the_hooks_that_installing_writes():
    agent = AGENTS["claude"]
    text = (PLUGIN / "hooks/hooks.json").read_text()
    assert json.loads(text) == json.loads(installed(agent, None, ("cairn",)))
    assert all(our_command(hook.command) for hook in wired(agent, text))


def test_the_plugin_starts_the_server():
    entry = entry_in(PLACES["claude"], ".mcp.json", (PLUGIN / ".mcp.json").read_text())
    assert is_ours(entry)
    assert entry["command"] == "cairn"


def test_the_manifest_is_of_this_version():
    manifest = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text())
    assert re.fullmatch(r"[a-z][a-z-]*", manifest["name"])
    assert manifest["version"] == cairn.__version__
    assert manifest["description"]


def test_most_hosts_share_a_folder():
    assert {path.split("/")[0] for path in skill_files("codex")} == {".agents"}
    assert {path.split("/")[0] for path in skill_files("claude")} == {".agents", ".claude"}
