"""The files for GitHub: what must be in them, whatever the workspace is called."""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

import cairn
from cairn.core.model.knowledge import Corpus
from cairn.errors import Refused
from cairn.lib.yaml.parse import load_yaml
from cairn.workspace.workflows.texts import ACTION, FRESHNESS, GATES, PATHS, VERSION, WorkflowOptions, bodies, texts

REPOSITORY = Path(__file__).parents[4]
SCHEMA = json.loads((Path(__file__).parent / "workflow.schema.json").read_text())
KNOWLEDGE = Corpus("k", "knowledge", "entries")
PLAIN = WorkflowOptions("", "main", (KNOWLEDGE,))
ODD = WorkflowOptions(
    "team's kb/[a] *", "release/1.0 & more", (Corpus("a", "it's $(here)", "entries"), Corpus("b", "", "nodes"))
)


@pytest.mark.parametrize("wanted", [PLAIN, ODD, PLAIN._replace(reader="openai-compatible")])
def test_every_file_is_what_github_reads(wanted: WorkflowOptions) -> None:
    for path, text in texts(wanted).items():
        assert "@@" not in text, path
        name = "action" if path == ACTION else "workflow"
        jsonschema_rs.validator_for({"$ref": f"#/$defs/{name}", **SCHEMA}).validate(load_yaml(text))


@pytest.mark.parametrize("path", [path for path in PATHS if path != ACTION])
def test_rights_are_few_and_everything_is_pinned(path: str) -> None:
    value: Any = load_yaml(bodies(PLAIN)[path])
    assert value["permissions"] == {} and value["concurrency"]["group"]
    [job] = value["jobs"].values()
    assert set(job["permissions"].values()) <= {"read", "write"}
    assert all(len(step["uses"].partition("@")[2]) == 40 for step in job["steps"] if step.get("uses", ".")[0] != ".")


def test_gates_run_from_the_base_branch() -> None:
    value: Any = load_yaml(bodies(PLAIN)[GATES])
    assert list(value["on"]) == ["pull_request_target"]
    assert value["on"]["pull_request_target"]["paths"] == ["knowledge/**"]
    [job] = value["jobs"].values()
    checkout, *_ = job["steps"]
    assert checkout["with"] == {"fetch-depth": 0}, "and no `ref`: what is checked out is the base"
    assert all("${{" not in step.get("run", "") for step in job["steps"])


def test_what_was_asked_for_is_in_them() -> None:
    made = bodies(PLAIN._replace(schedule="30 4 * * 1-5", reader="deepseek"))
    night: Any = load_yaml(made[FRESHNESS])
    assert night["on"]["schedule"] == [{"cron": "30 4 * * 1-5"}]
    step = night["jobs"]["night"]["steps"][-1]
    assert step["env"]["DEEPSEEK_API_KEY"] == "${{ secrets.DEEPSEEK_API_KEY }}"
    assert step["run"] == "cairn freshness run --push-state --with deepseek --yes"
    assert (
        load_yaml(bodies(PLAIN)[FRESHNESS])["jobs"]["night"]["steps"][-1]["run"] == "cairn freshness run --push-state"
    )
    action: Any = load_yaml(made[ACTION])
    assert action["inputs"]["version"]["default"] == cairn.__version__


def test_odd_names_mean_nothing_to_github_or_the_shell() -> None:
    made = bodies(ODD)
    version: Any = load_yaml(made[VERSION])
    assert version["on"]["push"]["branches"] == ["release/1.0 & more"]
    assert version["on"]["push"]["paths"] == [r"team's kb/\[a\] \*/it's $(here)/**", r"team's kb/\[a\] \*/**"]
    assert "for file in 'it'\"'\"'s $(here)/VERSION' VERSION; do" in made[VERSION]
    for name in ("a${{ github.token }}", "a\nb", "@@VERSION@@"):
        with pytest.raises(Refused, match="cannot stand in a workflow"):
            bodies(PLAIN._replace(directory=name))


def test_the_action_of_the_project_is_the_one_that_workflows_use() -> None:
    assert (REPOSITORY / "action.yml").read_text() == bodies(PLAIN)[ACTION]


def test_the_hooks_for_pre_commit_call_commands_that_there_are() -> None:
    hooks: Any = load_yaml((REPOSITORY / ".pre-commit-hooks.yaml").read_text())
    jsonschema_rs.validator_for({"$ref": "#/$defs/hooks", **SCHEMA}).validate(hooks)
    entries = {"cairn check --staged", "cairn freshness validate", "cairn index rebuild --stage"}
    assert {hook["entry"] for hook in hooks} == entries
