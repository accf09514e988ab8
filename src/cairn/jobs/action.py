"""Actions that are asked as jobs: a prompt, the schema of the report, and the documents that it suits."""

import json
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from cairn.core.extension_points import Mode, Precondition, Stability
from cairn.core.model.graph import Node
from cairn.core.registry import LoadedExtension, Registry
from cairn.errors import NotFound, UsageError
from cairn.jobs.question import Question
from cairn.lib.text.names import did_you_mean

_FOLDER: Final = Path(__file__).parent / "actions"
_PLUGIN: Final = "core"
PROMPT, SCHEMA = "prompt.md", "report.schema.json"


class JobAction(NamedTuple):
    id: str
    """Qualified."""
    version: str
    description: str
    mode: Mode = "probabilistic"
    stability: Stability = "stable"
    expected_seconds: int | None = None
    answer_tokens: int = 500
    """Of a usual answer."""
    priority: int = 0
    tags: tuple[str, ...] = ()
    precondition: Precondition = Precondition()
    prompt: str | None = None
    """The template; None where the action has none and so can't be a job."""
    schema: Mapping[str, Any] = {}
    """Of its report, besides what every report has."""
    question: Question | None = None
    """Of an action that a feature asks, with the checks of its answers."""

    def suits(self, node: Node, active_provider: str | None) -> bool:
        kinds, providers = self.precondition.kind, self.precondition.provider
        return (not kinds or node.qualified_kind in kinds) and (not providers or active_provider in providers)


def all_actions(registry: Registry, questions: Iterable[Question] = ()) -> dict[str, JobAction]:
    """By id: those of Cairn, the questions of its features, and those of plugins that are switched on."""
    own = [_built_in(folder) for folder in sorted(_FOLDER.iterdir()) if (folder / PROMPT).is_file()]
    added = [_of_plugin(one) for one in registry.actions]
    return {action.id: action for action in (*own, *map(action_of, questions), *added)}


def action_of(question: Question) -> JobAction:
    facts = question.facts
    return JobAction(
        question.id,
        question.version,
        facts["description"],
        expected_seconds=facts["expected_seconds"],
        answer_tokens=facts["answer_tokens"],
        priority=facts.get("priority", 0),
        tags=tuple(facts.get("tags", ())),
        prompt=question.prompt,
        schema=question.report_schema,
        question=question,
    )


def find_action(name: str, known: Mapping[str, JobAction]) -> JobAction:
    """By its id, or by the part after the slash where that is clear."""
    found = [action for id, action in known.items() if name in (id, id.partition("/")[2])]
    if len(found) > 1:
        raise UsageError(f"`{name}` can be {' or '.join(action.id for action in found)}; name one of them.")
    if not found:
        hint = did_you_mean(name, known) or "; `cairn actions list` lists the actions"
        raise NotFound(f"There is no action `{name}`{hint}.", action=name)
    return found[0]


def action_value(action: JobAction) -> dict[str, Any]:
    """As JSON."""
    condition = action.precondition
    return {
        "id": action.id,
        "version": action.version,
        "description": action.description,
        "mode": action.mode,
        "stability": action.stability,
        "expectedDurationSeconds": action.expected_seconds,
        "priority": action.priority,
        "tags": list(action.tags),
        "precondition": {
            "kind": list(condition.kind),
            "provider": list(condition.provider),
            "analyzerIds": list(condition.analyzer_ids),
        },
        "asked": action.prompt is not None,
    }


@cache
def _built_in(folder: Path) -> JobAction:
    import tomllib

    facts = tomllib.loads((folder / "action.toml").read_text("utf-8"))
    return JobAction(
        f"{_PLUGIN}/{folder.name}",
        facts["version"],
        facts["description"],
        expected_seconds=facts["expected_seconds"],
        answer_tokens=facts["answer_tokens"],
        tags=tuple(facts.get("tags", ())),
        prompt=(folder / PROMPT).read_text("utf-8"),
        schema=json.loads((folder / SCHEMA).read_text("utf-8")),
    )


def _of_plugin(loaded: LoadedExtension[Any]) -> JobAction:
    manifest = loaded.manifest
    action = JobAction(
        loaded.qualified,
        manifest.version,
        manifest.description,
        mode=manifest.mode,
        stability=manifest.stability,
        expected_seconds=manifest.expected_seconds,
        precondition=manifest.precondition,
    )
    if manifest.mode != "probabilistic":
        return action
    prompt, schema = _files_beside(loaded.extension, (PROMPT, SCHEMA))
    return action._replace(prompt=prompt, schema=_object(schema)) if prompt and schema else action


def _files_beside(extension: object, names: Iterable[str]) -> list[str]:
    """Texts that lie beside the module of an extension; empty where there is no such file."""
    module = sys.modules.get(type(extension).__module__)
    folder = Path(getattr(module, "__file__", None) or "/nowhere/x").parent
    files = [folder / name for name in names]
    return [file.read_text("utf-8") if file.is_file() else "" for file in files]


def _object(text: str) -> Mapping[str, Any]:
    value = json.loads(text)
    return value if isinstance(value, dict) else {}
