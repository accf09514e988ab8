"""Putting the files for GitHub into a repository, bringing them up to date, and taking them away again."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from cairn.changes.write import remove_file, remove_folder, write_file
from cairn.errors import CairnError, CannotWrite, EnvironmentProblem, Refused, UsageError
from cairn.workspace.ports import WorkspacePorts
from cairn.workspace.workflows.texts import (
    DAILY,
    FRESHNESS,
    NOBODY,
    PATHS,
    SECRETS,
    Standing,
    WorkflowOptions,
    WorkflowStamp,
    stamp_of,
    standing_of,
    texts,
)


class _Field(NamedTuple):
    name: str
    lowest: int
    highest: int
    words: tuple[str, ...] = ()
    """Names for the numbers from the lowest on."""


_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_FIELDS: Final = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of the month", 1, 31),
    _Field("month", 1, 12, _MONTHS),
    _Field("day of the week", 0, 6, _DAYS),
)
_PART: Final = re.compile(r"(?:\*|(\w{1,3})(?:-(\w{1,3}))?)(?:/(\d{1,2}))?", re.ASCII)


def checked_schedule(text: str) -> str:
    """In its normal spelling; `UsageError` says which field is wrong."""
    fields = text.split()
    if len(fields) != len(_FIELDS):
        names = ", ".join(field.name for field in _FIELDS)
        raise UsageError(f"`{text}` is no schedule: it needs five fields ({names}), such as `0 9 * * *`.")
    for given, field in zip(fields, _FIELDS, strict=True):
        if not all(_fits(part, field) for part in given.split(",")):
            raise UsageError(
                f"`{given}` is no {field.name} of a schedule; write a number from {field.lowest} to {field.highest}, a "
                "range like 1-5, a step like */6, or *."
            )
    return " ".join(fields)


def _fits(part: str, field: _Field) -> bool:
    found = _PART.fullmatch(part)
    if found is None:
        return False
    first, last, step = found.groups()
    numbers = [_number(word, field) for word in (first, last) if word is not None]
    if any(number is None for number in numbers) or (step is not None and int(step) == 0):
        return False
    return len(numbers) < 2 or int(numbers[0] or 0) <= int(numbers[1] or 0)


def _number(word: str, field: _Field) -> int | None:
    if word.upper() in field.words:
        return field.lowest + field.words.index(word.upper())
    return int(word) if word.isdigit() and field.lowest <= int(word) <= field.highest else None


FOLDERS = (".github/actions/cairn", ".github/actions", ".github/workflows", ".github")
"""Those that may be there only because of us, the deepest first."""


class WorkflowStep(NamedTuple):
    path: str
    """From the top of the repository."""
    standing: Standing
    before: str
    after: str

    @property
    def in_the_way(self) -> bool:
        return self.standing in ("edited", "foreign")


class WorkflowPlan(NamedTuple):
    top: Path
    wanted: WorkflowOptions
    steps: tuple[WorkflowStep, ...]


def plan(ports: WorkspacePorts, *, schedule: str | None = None, reader: str | None = None) -> WorkflowPlan:
    """What would be written. What is not said stays as it was said the last time."""
    top = top_of(ports)
    said = stamp_of(_text(top, FRESHNESS) or "")
    known = dict(said.facts) if said else {}
    wanted = _wanted(ports, _schedule(schedule, known.get("schedule")), _reader(reader, known.get("reader")))
    steps = []
    for path, after in texts(wanted).items():
        before = _text(top, path)
        _must_be_of_this_workspace(path, stamp_of(before or ""), wanted.directory)
        steps.append(WorkflowStep(path, standing_of(before, after), before or "", after))
    return WorkflowPlan(top, wanted, tuple(steps))


def _wanted(ports: WorkspacePorts, schedule: str, reader: str) -> WorkflowOptions:
    corpora = tuple(corpus for corpus in ports.corpora if corpus.layout != "plain") or ports.corpora
    if not corpora:
        raise EnvironmentProblem("There is no corpus to look after; name its folder in `corpora` of the settings.")
    return WorkflowOptions(_directory(ports), ports.main_branch(), corpora, schedule, reader)


def _directory(ports: WorkspacePorts) -> str:
    """Of the workspace, from the top of the repository; empty if it is the top."""
    found = os.path.relpath(os.path.realpath(ports.root), os.path.realpath(top_of(ports)))
    return "" if found == "." else found


def _schedule(given: str | None, known: str | None) -> str:
    if given is not None:
        return checked_schedule(given)
    try:
        return checked_schedule(known or DAILY)
    except UsageError:
        return DAILY  # somebody has edited the stamp; the file will be refused as edited


def _reader(given: str | None, known: str | None) -> str:
    if given is None:
        return known if known is not None and known in SECRETS else NOBODY
    if given not in SECRETS or given == NOBODY:
        names = ", ".join(name for name in SECRETS if name)
        raise UsageError(
            f"`{given}` is not a reader that GitHub's machines have; choose one of {names}, or add a step that "
            "installs its program, and `--with`, to the workflow yourself."
        )
    return given


def _must_be_of_this_workspace(path: str, stamp: WorkflowStamp | None, directory: str) -> None:
    there = stamp.facts.get("directory", directory) if stamp else directory
    if there != directory:
        raise Refused(
            f"{path} looks after the workspace in `{there or '.'}`; a repository has these files once, so run this "
            "command there.",
            path=path,
        )


def carry_out(planned: WorkflowPlan, *, force: bool) -> list[str]:
    """The paths that were written. Files that are somebody else's, or edited, stop all of it, unless forced."""
    hindrances = [step for step in planned.steps if step.in_the_way]
    if hindrances and not force:
        raise Refused(" ".join(_why(step) for step in hindrances) + " Nothing was written; --force replaces them.")
    return [step.path for step in planned.steps if write_file(planned.top, step.path, step.after)]


def _why(step: WorkflowStep) -> str:
    if step.standing == "foreign":
        return f"{step.path} was not written by Cairn."
    line, text = _first_difference(step)
    return f"{step.path} was edited since Cairn wrote it (line {line}: `{text[:80]}`)."


def _first_difference(step: WorkflowStep) -> tuple[int, str]:
    """Against what would be written, passing over the two lines of the stamp."""
    ours, theirs = step.after.splitlines(), step.before.splitlines()
    for number in range(2, max(len(ours), len(theirs))):
        one, other = (lines[number] if number < len(lines) else "" for lines in (ours, theirs))
        if one != other:
            return number + 1, other.strip() or "(gone)"
    return 1, theirs[0] if theirs else ""


# --- looking --------------------------------------------------------------------------------------------------------


def top_of(ports: WorkspacePorts) -> Path:
    top = ports.vcs.root()
    if top is None:
        raise EnvironmentProblem("Workflows belong to a git repository, and this is in none; run `git init` first.")
    return Path(top)


def _text(top: Path, path: str) -> str | None:
    """None when it is not there. What cannot be read as text is not ours, and must not be written over."""
    target = top / path
    if not target.is_symlink() and not target.exists():
        return None
    if target.is_symlink() or not target.is_file():
        raise CannotWrite(f"{path} is not a regular file; move it out of the way first.", path=path)
    try:
        return target.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise CannotWrite(f"{path} cannot be read: {error.strerror}.", path=path) from error


# --- leaving --------------------------------------------------------------------------------------------------------


class WorkflowRemoval(NamedTuple):
    top: Path | None = None
    ours: tuple[str, ...] = ()
    """As we wrote them."""
    edited: tuple[str, ...] = ()
    """They stay: somebody has put work into them."""


def left_behind(ports: WorkspacePorts) -> WorkflowRemoval:
    """Of this workspace; another one's files are not ours to take away."""
    try:
        top, directory = top_of(ports), _directory(ports)
        found = {path: stamp_of(_text(top, path) or "") for path in PATHS}
    except CairnError:
        return WorkflowRemoval()
    mine = {path: stamp for path, stamp in found.items() if stamp and stamp.facts.get("directory") == directory}
    ours = tuple(path for path, stamp in mine.items() if stamp.intact)
    return WorkflowRemoval(top, ours, tuple(path for path in mine if path not in ours))


def take_along(left: WorkflowRemoval) -> None:
    if left.top is None or not left.ours:
        return
    for path in left.ours:
        remove_file(left.top, path)
    _without_empty(left.top, FOLDERS)


def _without_empty(top: Path, folders: Sequence[str]) -> None:
    for folder in folders:
        place = top / folder
        if place.is_dir() and not place.is_symlink() and not any(place.iterdir()):
            remove_folder(top, folder)
