"""A scratch workspace in which the questions of an evaluation set are asked, and what was asked and answered there."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from cairn.app.build import App, build_app
from cairn.changes.write import write_file
from cairn.core.ports.jobs import Execution, ExecutionFilter
from cairn.jobs.ask import Answer, Outcome, Unanswered
from judge_sets import Item, JudgeSet
from strangers_clones import git, quiet_environment

CAIRN = (sys.executable, "-m", "cairn")
_OWN_ENVIRONMENT = {"CAIRN_INTERNAL": "1"}


def open_room(folder: Path, files: Mapping[str, str]) -> App:
    """A repository with these files and a workspace in it, made when it is not there."""
    root, env = folder / "workspace", quiet_environment(folder / "home")
    if not (root / ".cairn").is_dir():
        root.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            write_file(root, path, text)
        git(root, "init", "--quiet", "--initial-branch=main")
        for key, value in (("user.name", "bench"), ("user.email", "bench@example.org")):
            git(root, "config", key, value)
        commit(root, "Begin")
        cairn(root, env, "init", "--quiet")
        commit(root, "Make a workspace")
    return build_app(root, env=env | _OWN_ENVIRONMENT)


def commit(root: Path, message: str) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message", message)


def cairn(root: Path, env: Mapping[str, str], *args: str) -> str:
    done = subprocess.run([*CAIRN, *args], cwd=root, env=dict(env), capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"cairn {' '.join(args)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


# --- what every kind of set gives -------------------------------------------------------------------------------------


class AnswerParts(NamedTuple):
    """How much of one answer is right."""

    right: int = 0
    """Positive statements that the label asks for: lessons, edits, disagreements, drifted sentences."""
    wrong: int = 0
    missed: int = 0
    notes: tuple[str, ...] = ()
    unsure: tuple[Mapping[str, Any], ...] = ()
    """Statements that match no expectation: a blind judge decides about them."""
    details: Mapping[str, int] = {}
    """Counts of what is looked at beside precision and recall."""

    @property
    def is_right(self) -> bool:
        return not (self.wrong or self.missed)


class JudgeBooth(Protocol):
    """Puts the items of one kind of set through the interface that users have."""

    app: App
    given: JudgeSet

    def ask(self) -> None:
        """Asks what is not asked yet, and uses the answers that are there. Doing it twice is doing it once."""
        ...

    def subjects(self, item: Item) -> Sequence[str]:
        """Of its questions, as they begin."""
        ...

    def label(self, item: Item) -> str: ...

    def result(self, item: Item) -> Any:
        """What Cairn has in the end; None while nothing was answered."""
        ...

    def score(self, item: Item, result: Any) -> AnswerParts: ...

    def raw(self, item: Item, report: Mapping[str, Any]) -> Any:
        """A report as it was given, in the form of a result."""
        ...

    def texts(self, result: Any) -> str:
        """Everything that would become knowledge."""
        ...

    def measures(self) -> Mapping[str, Any]:
        """What can be measured without a reader."""
        ...


class AskedItem(NamedTuple):
    """The questions about an item, and the records of their answers, oldest first."""

    item: Item
    rows: tuple[Execution, ...]

    @property
    def refused(self) -> tuple[Execution, ...]:
        return tuple(row for row in self.rows if row.failure_reason == "report-invalid")


def asked_items(booth: JudgeBooth) -> list[AskedItem]:
    rows = [
        row
        for row in reversed(booth.app.store.jobs.executions(ExecutionFilter()))
        if row.status == "completed" or row.failure_reason == "report-invalid"
    ]
    return [
        AskedItem(item, tuple(row for row in rows if any(map(row.node_id.startswith, booth.subjects(item)))))
        for item in booth.given.items
    ]


def value_of(found: Outcome | None) -> Mapping[str, Any] | None:
    """None while it waits. Where no answer counts, nothing comes of it, as in life."""
    match found:
        case Answer(value):
            return value
        case Unanswered():
            return {}
    return None


def report_of(row: Execution) -> Any:
    """The answer of an execution; None where it was no JSON object."""
    value = json.loads(row.report_json) if row.report_json else None
    return value if isinstance(value, dict) else None
