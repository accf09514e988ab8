"""Agent hosts and layouts as they exist in repositories, through the real program."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from program import cairn

SKILL = "---\nname: {name}\ndescription: Does {name}.\n---\n{body}\n"


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def scanned(root: Path) -> dict[str, Any]:
    assert cairn("init", cwd=root).code in (0, 1)
    found: dict[str, Any] = cairn("scan", "--json", cwd=root).json()
    return found


def kinds(found: dict[str, Any]) -> dict[str, str]:
    return {node["path"]: f"{node['provider']}/{node['kind']}" for node in found["nodes"]}


def links(found: dict[str, Any], source: str) -> dict[str, str | None]:
    """What each thing that a file says resolves to."""
    return {
        link["trigger"]["originalTrigger"]: link.get("resolvedTarget")
        for link in found["links"]
        if link["source"] == source
    }


def broken(found: dict[str, Any], *, notes: bool = False) -> list[str]:
    return [
        issue["data"]["trigger"]
        for issue in found["issues"]
        if issue["analyzerId"] == "reference-broken" and (notes or issue["severity"] != "info")
    ]


# --- plugin repositories ----------------------------------------------------------------------------------------------


@pytest.fixture
def marketplace(tmp_path: Path) -> Path:
    listed = {
        "name": "m",
        "plugins": [{"name": "Baking", "source": "./tools/baker"}, {"name": "away", "source": "a/b:c"}],
    }
    agent = "---\nname: baker\ndescription: Bakes.\ntools: &t [Read]\n---\nRun /baking:knead, then /sweep.\n"
    write(
        tmp_path,
        {
            ".claude-plugin/marketplace.json": json.dumps(listed),
            "plugins/cleaning/.claude-plugin/plugin.json": json.dumps({"name": "cleaning"}),
            "plugins/cleaning/agents/cleaner.md": agent.replace("baker", "cleaner"),
            "plugins/cleaning/commands/sweep.md": "Sweep.\n",
            "plugins/cleaning/skills/mop/SKILL.md": SKILL.format(name="mop", body="Mop."),
            "plugins/cleaning/skills/mop/agents/helper.md": "A prompt of this skill.\n",
            "plugins/bare/commands/x/y.md": "Do y.\n",
            "tools/baker/agents/baker.md": agent,
            "tools/baker/commands/knead.md": "---\ndescription: Kneads.\n---\nKnead.\n",
            "tools/baker/commands/README.md": "About.\n",
            "docs/commands/serve.md": "# serve\n",
            "docs/agents/list.md": "# Agents\n",
        },
    )
    return tmp_path


def test_plugin_repository_counts(marketplace: Path) -> None:
    found = kinds(scanned(marketplace))
    assert Counter(found.values()) == {
        "agent-files/agent": 2,
        "agent-files/command": 3,
        "agent-files/skill": 1,
        "markdown/markdown": 4,
    }
    assert found["docs/commands/serve.md"] == found["docs/agents/list.md"] == "markdown/markdown"
    assert found["plugins/cleaning/skills/mop/agents/helper.md"] == "markdown/markdown"


def test_plugin_repository_is_read_as_the_host_reads_it(marketplace: Path) -> None:
    found = scanned(marketplace)
    assert links(found, "tools/baker/agents/baker.md") == {
        "/baking:knead": "tools/baker/commands/knead.md",
        "/sweep": "plugins/cleaning/commands/sweep.md",
    }
    assert broken(found) == []
    assert not [i for i in found["issues"] if i["analyzerId"] == "name-collision"]


def test_plugin_manifest_that_comes_later_changes_what_files_are(tmp_path: Path) -> None:
    write(tmp_path, {"kit/commands/go.md": "Go.\n", "README.md": "# R\n"})
    assert kinds(scanned(tmp_path))["kit/commands/go.md"] == "markdown/markdown"
    write(tmp_path, {"kit/.claude-plugin/plugin.json": '{"name": "kit"}'})
    found = cairn("scan", "--json", cwd=tmp_path).json()
    assert kinds(found)["kit/commands/go.md"] == "agent-files/command"


FILES = {
    "AGENTS.md": "agent-files/instructions",
    "pkg/deep/CLAUDE.md": "agent-files/instructions",
    "GEMINI.md": "agent-files/instructions",
    ".github/copilot-instructions.md": "agent-files/instructions",
    ".cursorrules": "agent-files/instructions",
    ".cursor/rules/style.mdc": "agent-files/rule",
    "skills/a/SKILL.md": "agent-files/skill",
    "skills/group/b/SKILL.md": "agent-files/skill",
    ".claude/skills/group/c/SKILL.md": "agent-files/skill",
    ".claude/skills/d/SKILL.md": "claude/skill",
    ".agents/skills/e/SKILL.md": "agent-skills/skill",
    "pkg/.claude/agents/f.md": "agent-files/agent",
    "docs/agents.md": "markdown/markdown",
}


def test_files_that_agents_read_anywhere_in_the_tree(tmp_path: Path) -> None:
    write(tmp_path, {path: SKILL.format(name=path.split("/")[-2:][0], body="") for path in FILES})
    assert kinds(scanned(tmp_path)) == FILES


# --- names ------------------------------------------------------------------------------------------------------------


def test_dup_skill_of_two_hosts_is_that_of_the_active_one(tmp_path: Path) -> None:
    dup = SKILL.format(name="dup", body="Do it.")
    write(
        tmp_path,
        {
            ".agents/skills/dup/SKILL.md": dup,
            ".claude/skills/dup/SKILL.md": dup,
            ".claude/agents/a.md": SKILL.format(name="a", body="Run /dup."),
            ".agents/notes.md": "Run /dup.\n",
        },
    )
    found = scanned(tmp_path)
    assert links(found, ".claude/agents/a.md") == {"/dup": ".claude/skills/dup/SKILL.md"}
    assert links(found, ".agents/notes.md") == {"/dup": ".claude/skills/dup/SKILL.md"}
    assert not [i for i in found["issues"] if i["analyzerId"] == "name-collision"]


def test_of_two_plugins_the_nearer_one_is_meant(tmp_path: Path) -> None:
    write(tmp_path, {"CLAUDE.md": "x\n"})
    for plugin in ("alpha", "zeta"):
        write(
            tmp_path,
            {
                f"plugins/{plugin}/commands/dup.md": "Do it.\n",
                f"plugins/{plugin}/agents/{plugin}.md": SKILL.format(name=plugin, body="Run /dup."),
            },
        )
    found = scanned(tmp_path)
    assert links(found, "plugins/zeta/agents/zeta.md") == {"/dup": "plugins/zeta/commands/dup.md"}
    assert links(found, "plugins/alpha/agents/alpha.md") == {"/dup": "plugins/alpha/commands/dup.md"}


def test_nested_folder_of_the_host_holds_for_the_files_around_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".claude/commands/go.md": "Go.\n",
            "packages/a/.claude/commands/go.md": "Go.\n",
            "CLAUDE.md": "Run /go.\n",
            "packages/a/CLAUDE.md": "Run /go.\n",
            "packages/b/CLAUDE.md": "Run /go.\n",
        },
    )
    found = scanned(tmp_path)
    assert links(found, "CLAUDE.md") == {"/go": ".claude/commands/go.md"}
    assert links(found, "packages/a/CLAUDE.md") == {"/go": "packages/a/.claude/commands/go.md"}
    assert links(found, "packages/b/CLAUDE.md") == {"/go": ".claude/commands/go.md"}


def test_of_two_equally_near_plugins_none_is_meant(tmp_path: Path) -> None:
    files = {f"plugins/{plugin}/commands/only.md": "Do it.\n" for plugin in ("alpha", "zeta")}
    write(tmp_path, {**files, "CLAUDE.md": "Run /only and /zeta:only.\n"})
    found = scanned(tmp_path)
    assert links(found, "CLAUDE.md") == {"/only": None, "/zeta:only": "plugins/zeta/commands/only.md"}
    assert broken(found, notes=True) == []
    (note,) = [issue for issue in found["issues"] if issue["analyzerId"] == "name-collision"]
    assert (note["severity"], note["data"]["candidates"]) == ("info", sorted(files))
    (tmp_path / "plugins/alpha/commands/only.md").unlink()
    found = cairn("scan", "--json", cwd=tmp_path).json()
    assert links(found, "CLAUDE.md")["/only"] == "plugins/zeta/commands/only.md"


def test_skill_is_meant_before_a_command_of_its_name(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".claude/commands/dup.md": "Do it.\n",
            ".claude/skills/dup/SKILL.md": SKILL.format(name="dup", body="Do it."),
            "CLAUDE.md": "Run /dup.\n",
        },
    )
    assert links(scanned(tmp_path), "CLAUDE.md") == {"/dup": ".claude/skills/dup/SKILL.md"}


def test_several_hosts_without_a_terminal_take_the_first_and_store_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"AGENTS.md": "x\n", "CLAUDE.md": "x\n"})
    assert cairn("init", cwd=tmp_path).code == 0
    assert "active_provider" not in (tmp_path / ".cairn/settings.json").read_text()
    ran = cairn("scan", cwd=tmp_path)
    assert ran.code == 0
    assert "several agent hosts are used here (claude, openai); the rules of claude apply" in ran.err


# --- paths ------------------------------------------------------------------------------------------------------------


def test_bare_file_name_in_a_nested_agent_file_is_found_in_the_root(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "CLAUDE.md": "# Rules\n",
            "CONTRIBUTING.md": "# C\n",
            "pkg/STYLE.md": "# S\n",
            "other/only/HERE.md": "# H\n",
            "scripts/go.py": "",
            "pkg/deep/CLAUDE.md": "See `CONTRIBUTING.md`, `STYLE.md`, `only/HERE.md`, @scripts/go.py and @STYLE.md.\n",
        },
    )
    found = scanned(tmp_path)
    assert broken(found, notes=True) == []
    assert links(found, "pkg/deep/CLAUDE.md") == {
        "CONTRIBUTING.md": "CONTRIBUTING.md",
        "STYLE.md": "pkg/STYLE.md",
        "only/HERE.md": "other/only/HERE.md",
        "@scripts/go.py": None,
        "@STYLE.md": "pkg/STYLE.md",
    }


def test_page_that_comes_and_goes_above_an_agent_file(tmp_path: Path) -> None:
    write(tmp_path, {"pkg/deep/AGENTS.md": "See `docs/GUIDE.md`.\n", "docs/x.md": "# X\n"})
    assert broken(scanned(tmp_path)) == ["docs/GUIDE.md"]
    write(tmp_path, {"pkg/docs/GUIDE.md": "# G\n"})
    assert broken(cairn("scan", "--json", cwd=tmp_path).json(), notes=True) == []
    (tmp_path / "pkg/docs/GUIDE.md").unlink()
    assert broken(cairn("scan", "--json", cwd=tmp_path).json()) == ["docs/GUIDE.md"]


def test_symlinked_agents_file_is_the_same_document(tmp_path: Path) -> None:
    write(tmp_path, {"CLAUDE.md": "# Rules\n", "README.md": "[rules](AGENTS.md) and `AGENTS.md`\n"})
    (tmp_path / "AGENTS.md").symlink_to("CLAUDE.md")
    found = scanned(tmp_path)
    assert "AGENTS.md" not in kinds(found)
    assert [issue for issue in found["issues"] if issue["analyzerId"] != "reference-redundant"] == []
    assert set(links(found, "README.md").values()) == {"CLAUDE.md"}
    assert "symlink" not in cairn("check", cwd=tmp_path).out
    (tmp_path / "AGENTS.md").unlink()
    assert broken(cairn("scan", "--json", cwd=tmp_path).json()) == ["AGENTS.md"]


# --- calls and frontmatter --------------------------------------------------------------------------------------------


def test_text_that_only_looks_like_a_call_is_not_reported(tmp_path: Path) -> None:
    text = (
        "<!-- /old-command @old-agent -->\n\nInstall @types/node, use @app.route, mail a@b.org, ask @alice.\n\n"
        "![](https://img.example/@scope/badge.svg)\n\n"
        "    /indented @code\n\nGET /api/users and /etc/hosts, `/inline`, /compact.\n\n```\n/fenced\n```\n"
    )
    write(tmp_path, {"CLAUDE.md": text, ".claude/commands/deploy-prod.md": "Deploy.\n"})
    found = scanned(tmp_path)
    assert broken(found) == []
    assert broken(found, notes=True) == ["@alice"]
    write(tmp_path, {"CLAUDE.md": "Then run /deploy-prd.\n"})
    assert broken(cairn("scan", "--json", cwd=tmp_path).json()) == ["/deploy-prd"]


def test_calls_with_the_prefix_of_agents_and_the_name_of_a_plugin(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".claude/agents/reviewer.md": SKILL.format(name="reviewer", body=""),
            "plugins/foo/agents/baker.md": SKILL.format(name="baker", body=""),
            "plugins/foo/commands/yes.md": "Yes.\n",
            "CLAUDE.md": "Ask @agent-reviewer, @agent-foo:baker, @agent-explore. Run /foo:yes, /foo:nogo, /foo:a:b.\n",
        },
    )
    found = scanned(tmp_path)
    assert links(found, "CLAUDE.md") == {
        "@agent-reviewer": ".claude/agents/reviewer.md",
        "@agent-foo:baker": "plugins/foo/agents/baker.md",
        "@agent-explore": None,
        "/foo:yes": "plugins/foo/commands/yes.md",
        "/foo:nogo": None,
        "/foo:a": None,
    }
    assert broken(found) == broken(found, notes=True) == ["/foo:nogo"]


def test_agent_keeps_its_name_whatever_its_tools_are(tmp_path: Path) -> None:
    tools = {
        "anchor": "&t [Read]",
        "text": "Read, Grep",
        "unclosed": "[Read",
        "tag": "!only [Read]",
        "alias": "*nothing",
    }
    for name, said in tools.items():
        text = f"---\nname: {name}\ndescription: Use when: always\ntools: {said}\n---\n"
        write(tmp_path, {f".claude/agents/of-{name}.md": text})
    found = scanned(tmp_path)
    read = {node["frontmatter"]["name"]: node["frontmatter"] for node in found["nodes"]}
    assert {name: front["description"] for name, front in read.items()} == dict.fromkeys(tools, "Use when: always")
    assert {name: front.get("tools") for name, front in read.items()} == {
        "anchor": ["Read"],
        "text": "Read, Grep",
        "unclosed": None,
        "tag": None,
        "alias": None,
    }
    said = [i["message"].split("`")[1] for i in found["issues"] if i["analyzerId"] == "frontmatter-parse-error"]
    assert Counter(said) == {"description": 5, "tools": 3}
