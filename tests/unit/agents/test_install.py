"""What is shipped for agents: skills as the standard wants them, and the plugin folder made of the same parts."""

import json
import re
import tomllib
from pathlib import Path

import pytest

import cairn
from cairn.agents.hook_settings import installed, wired
from cairn.agents.hosts import AGENTS, our_command
from cairn.agents.install import InstallOptions, Program, plan_install, plan_uninstall
from cairn.agents.mcp_entry import PLACES, entry_in, is_ours
from cairn.agents.shipped_skills import SKILLS, digest_of, files_to_remove, is_shipped, skill_files, skill_text
from cairn.cli.describe import describe_all, names
from cairn.cli.main import root_group
from cairn.core.model.session import HOSTS
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


def test_most_hosts_share_a_folder(tmp_path):
    assert {path.split("/")[0] for path in skill_files(tmp_path, "codex")} == {".agents"}
    assert {path.split("/")[0] for path in skill_files(tmp_path, "claude")} == {".agents", ".claude"}


def test_hosts_whose_skills_are_no_commands_get_one(tmp_path):
    assert ".opencode/commands/cairn-curate.md" in skill_files(tmp_path, "opencode")
    (tmp_path / ".opencode/command").mkdir(parents=True)
    (tmp_path / ".gemini").mkdir()
    found = skill_files(tmp_path, "opencode")
    markdown, toml = found[".opencode/command/cairn-curate.md"], found[".gemini/commands/cairn-curate.toml"]
    sentence = parse(markdown).frontmatter["description"]
    told = tomllib.loads(toml)
    assert told["description"] == sentence and sentence.startswith("Answer the questions") and len(sentence) < 120
    for order in (parse(markdown).body, told["prompt"]):
        assert ".agents/skills/cairn-curate/SKILL.md" in order
    assert set(found) <= set(files_to_remove(tmp_path, "opencode", shared=True))


def test_the_digests_know_every_shipped_text(tmp_path):
    """A text that changes gets a new line in `skills/digests.txt`: the old one stays, so that what an earlier version
    wrote is brought up to date and removed."""
    (tmp_path / ".gemini").mkdir()
    for host in HOSTS:
        for path, text in skill_files(tmp_path, host).items():
            assert is_shipped(text), f"{path}: add {digest_of(text)}"
    assert not is_shipped(skill_text("cairn") + "\n")


def test_a_text_of_an_earlier_version_is_brought_up_to_date_and_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("cairn.agents.shipped_skills._digests", lambda: frozenset([digest_of("as it was\n")]))
    path = ".agents/skills/cairn/SKILL.md"
    old = tmp_path / path
    old.parent.mkdir(parents=True)
    old.write_text("as it was\n")
    wanted = InstallOptions(mcp=False, skills=True)
    plan = plan_install(tmp_path, AGENTS["codex"], Program(("cairn",), True), wanted)
    assert next(one for one in plan.changes if one.path == path).action == "update"
    [gone] = [one for one in plan_uninstall(tmp_path, AGENTS["codex"]).changes if one.path == path]
    assert gone.action == "remove"
    old.write_text("edited\n")
    assert path not in {
        one.path for one in plan_install(tmp_path, AGENTS["codex"], Program(("cairn",), True), wanted).changes
    }
