"""Do the installed workflows guard what they should? Each problem is one sentence with what to do about it."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from cairn.core.model.issue import HealthFinding, HealthState
from cairn.errors import CairnError
from cairn.lib.yaml.parse import YamlProblem, load_yaml
from cairn.version import __version__
from cairn.workspace.ports import WorkspacePorts
from cairn.workspace.workflows.install import plan, top_of
from cairn.workspace.workflows.texts import ACTION, FRESHNESS, GATES, PATHS, VERSION, stamp_of

AGAIN: Final = "run `cairn freshness install-workflow`"
ANEW: Final = "`cairn freshness install-workflow --force`"
_ALLOWED: Final[Mapping[str, Mapping[str, str]]] = {
    FRESHNESS: {"contents": "write", "pull-requests": "write", "issues": "write"},
    GATES: {"contents": "read", "security-events": "write"},
    VERSION: {"contents": "write", "pull-requests": "write"},
}
_PINNED: Final = re.compile(r"\./.+|[\w.-]+/[\w./-]+@[0-9a-f]{40}")
_HEAD: Final = re.compile(r"github\.(?:event\.pull_request\.head\.|head_ref)")
_TAKES_OVER: Final = re.compile(
    r"\bgit\s++(?:-\S++\s++(?:[\w.]++=\S*+\s++|[./]\S*+\s++)?+)*+(?:checkout|switch|merge|pull|reset|rebase|cherry-pick|am|apply)\b"
    r"|\bgh\s+pr\s+checkout\b|\|\s*(?:bash|sh|tar|python3?)\b"
)
_SPOKEN: Final = re.compile(
    r"\$\{\{\s*(?:github\.event\.(?!pull_request\.number\b)|github\.head_ref|inputs\.)[^{}]*+\}\}"
)
_INSTALLS: Final = re.compile(r"\bcairn-kb(?:\[[\w,]*\])?(?!\[)(?!==|[\w-])")
_LARGEST: Final = 1024 * 1024


class _Workflow(NamedTuple):
    path: str
    text: str
    value: Mapping[str, Any]

    @property
    def triggers(self) -> Mapping[str, Any]:
        found = self.value.get("on")
        if isinstance(found, str):
            return {found: None}
        if isinstance(found, list):
            return dict.fromkeys(map(str, found))
        return found if isinstance(found, dict) else {}

    @property
    def jobs(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        found = self.value.get("jobs")
        for name, job in found.items() if isinstance(found, dict) else ():
            if isinstance(job, dict):
                yield str(name), job

    @property
    def steps(self) -> Iterator[Mapping[str, Any]]:
        for _, job in self.jobs:
            yield from _steps(job)
        yield from _steps(self.value.get("runs"))


def _steps(job: object) -> Iterator[Mapping[str, Any]]:
    steps = job.get("steps") if isinstance(job, dict) else None
    yield from (step for step in steps or () if isinstance(step, dict)) if isinstance(steps, list) else ()


def inspect(ports: WorkspacePorts) -> list[HealthFinding]:
    """About the files of ours, and about every other workflow that runs Cairn."""
    top = top_of(ports)
    found: list[HealthFinding] = []
    for path in (*PATHS, *_others(top)):
        found += _about(ports, top, path)
    if not any(finding.state is not HealthState.OK for finding in found):
        found.append(
            HealthFinding("ci", HealthState.OK, "gates run from the base branch, everything is pinned, rights are few")
        )
    return found


def _others(top: Path) -> list[str]:
    folder = top / ".github/workflows"
    names = (
        sorted(file.name for file in folder.iterdir() if file.suffix in (".yml", ".yaml")) if folder.is_dir() else []
    )
    paths = [f".github/workflows/{name}" for name in names]
    return [path for path in paths if path not in PATHS and "cairn" in (_read(top, path) or "")]


def _read(top: Path, path: str) -> str | None:
    target = top / path
    if not target.is_file() or target.stat().st_size > _LARGEST:
        return None
    return target.read_bytes().decode("utf-8", "replace")


def _about(ports: WorkspacePorts, top: Path, path: str) -> Iterator[HealthFinding]:
    text = _read(top, path)
    if text is None:
        yield HealthFinding("ci", HealthState.ERROR, f"{path} is not there, or cannot be read", AGAIN)
        return
    try:
        value = load_yaml(text)
    except YamlProblem as problem:
        yield HealthFinding("ci", HealthState.ERROR, f"{path} is no YAML: {problem.message}", f"mend it, or run {ANEW}")
        return
    workflow = _Workflow(path, text, value if isinstance(value, dict) else {})
    if path in PATHS:
        yield from _ours(ports, workflow)
    for message, fix in _problems(workflow):
        yield HealthFinding("ci", HealthState.ERROR, f"{path}: {message}", fix)


# --- ours -----------------------------------------------------------------------------------------------------------


def _ours(ports: WorkspacePorts, workflow: _Workflow) -> Iterator[HealthFinding]:
    stamp = stamp_of(workflow.text)
    if stamp is None:
        yield HealthFinding("ci", HealthState.WARN, f"{workflow.path} was not written by Cairn", f"{ANEW} replaces it")
    elif not stamp.intact:
        yield HealthFinding(
            "ci", HealthState.WARN, f"{workflow.path} was edited since Cairn wrote it", f"{ANEW} undoes that"
        )
    elif stamp.facts.get("version") != __version__:
        message = f"{workflow.path} is of Cairn {stamp.facts.get('version')}, and {__version__} is installed here"
        yield HealthFinding("ci", HealthState.WARN, message, AGAIN)
    elif _outdated(ports, workflow):
        yield HealthFinding("ci", HealthState.WARN, f"{workflow.path} does not fit the settings any more", AGAIN)
    else:
        yield HealthFinding("ci", HealthState.OK, f"{workflow.path} is as Cairn {__version__} writes it")


def _outdated(ports: WorkspacePorts, workflow: _Workflow) -> bool:
    try:
        return any(step.path == workflow.path and step.standing != "keep" for step in plan(ports).steps)
    except CairnError:
        return False  # said elsewhere: no corpus, no branch


# --- all ------------------------------------------------------------------------------------------------------------


def _problems(workflow: _Workflow) -> Iterator[tuple[str, str]]:
    yield from _pins(workflow)
    yield from _spoken_words(workflow)
    if workflow.path != ACTION:
        yield from _rights(workflow)
        yield from _base(workflow)
    if workflow.path == FRESHNESS and not workflow.triggers.get("schedule"):
        yield "it has no schedule, so no night comes by itself", AGAIN
    if workflow.path == GATES and "pull_request_target" not in workflow.triggers:
        yield (
            "gates do not run on `pull_request_target`, so a proposal could leave them out",
            f"use that trigger, or run {ANEW}",
        )


def _pins(workflow: _Workflow) -> Iterator[tuple[str, str]]:
    for step in workflow.steps:
        uses = str(step.get("uses", ""))
        if uses and not _PINNED.fullmatch(uses):
            yield f"`{uses}` is not pinned to a commit", "name the full commit behind the @"
        if _INSTALLS.search(str(step.get("run", ""))):
            yield "it installs whatever version of cairn-kb is the latest", f"write cairn-kb=={__version__}"
    version = _default_version(workflow)
    if version is not None and version != __version__:
        yield f"it installs cairn-kb {version}, and {__version__} is installed here", AGAIN


def _default_version(workflow: _Workflow) -> str | None:
    inputs = workflow.value.get("inputs")
    version = inputs.get("version") if isinstance(inputs, dict) else None
    return str(version.get("default", "")) if isinstance(version, dict) and workflow.path == ACTION else None


def _spoken_words(workflow: _Workflow) -> Iterator[tuple[str, str]]:
    """Somebody's title or branch name that stands in a script is run as part of it."""
    for step in workflow.steps:
        if found := _SPOKEN.search(str(step.get("run", ""))):
            yield f"`{found[0]}` stands in a script, where its words would be run", "hand it over in `env`"


def _rights(workflow: _Workflow) -> Iterator[tuple[str, str]]:
    fix = "write `permissions: {}` at the top, and what a job needs at the job"
    top = workflow.value.get("permissions")
    if top is None:
        yield "it does not say what it may do, so it may do what the repository allows by default", fix
    elif isinstance(top, str) and top != "read-all":
        yield f"it may do everything (`permissions: {top}`)", fix
    for name, job in workflow.jobs:
        yield from _rights_of(workflow, name, job.get("permissions"))


def _rights_of(workflow: _Workflow, name: str, rights: object) -> Iterator[tuple[str, str]]:
    if rights == "write-all":
        yield f"the job `{name}` may do everything", "name what it needs"
    allowed = _ALLOWED.get(workflow.path)
    if allowed is None or not isinstance(rights, dict):
        return
    for right, level in rights.items():
        if level == "write" and allowed.get(str(right)) != "write":
            yield f"the job `{name}` may write `{right}`, and does not need to", f"take it out, or run {ANEW}"


def _base(workflow: _Workflow) -> Iterator[tuple[str, str]]:
    """On `pull_request_target` a job has the rights of the repository; nothing of the proposal may be run there."""
    if "pull_request_target" not in workflow.triggers and "workflow_run" not in workflow.triggers:
        return
    for step in workflow.steps:
        if str(step.get("uses", "")).startswith("actions/checkout@") and _foreign(step.get("with")):
            yield "it checks out what is proposed, with the rights of the base branch", "fetch it as data instead"
        if _TAKES_OVER.search(str(step.get("run", ""))):
            yield "a script of it puts what is proposed into the checkout", "leave the checkout at the base branch"


def _foreign(given: object) -> bool:
    values = given.values() if isinstance(given, dict) else ()
    return any(_HEAD.search(str(value)) or "refs/pull/" in str(value) for value in values)
