"""The detached step: what hooks left as pointers becomes notes and session logs, one process at a time."""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from cairn.core.isolate import collected
from cairn.core.ports.application import CanBeClosed
from cairn.errors import CairnError
from cairn.hook.aside import LOCK, WANTED, log
from cairn.workspace.ports import WorkspacePorts
from cairn.workspace.single_process import alone

ROUNDS = 20
"""Hooks may ask for more while we work; after so many rounds the next hook starts a fresh process."""


LATE_SECONDS = 1.0
"""Between two looks at the transcript of a host that calls the hook first, and writes then."""


class DrainResult(NamedTuple):
    done: Mapping[str, int]
    """By part: how many things were done."""
    errors: tuple[str, ...] = ()
    busy: bool = False
    """Another process is draining, and will handle this too."""

    def json(self) -> dict[str, Any]:
        return {"busy": self.busy, "done": dict(self.done), "errors": list(self.errors)}

    def sentence(self) -> str:
        if self.busy:
            return "Another process is already draining; it will handle this too."
        told = [f"{name} {count:,}" for name, count in self.done.items() if count]
        return ", ".join(told) or "nothing waited"


DrainPart = Callable[[WorkspacePorts], int]


class OpenWorkspace(WorkspacePorts, CanBeClosed, Protocol):
    """The workspace, opened for one round."""


Opener = Callable[[], OpenWorkspace]


def brief(root: Path, opener: Opener) -> DrainResult:
    """Only the briefing, whoever else drains: somebody waits for it."""
    done: dict[str, int] = {}
    errors: list[str] = []
    _round(root, opener, (("briefing", _briefing),), done, errors)
    return DrainResult(done, tuple(errors))


def drain_all(
    root: Path,
    opener: Opener,
    *,
    parts: "tuple[tuple[str, DrainPart], ...] | None" = None,
    last: "tuple[tuple[str, DrainPart], ...] | None" = None,
    wait: Callable[[float], None] = time.sleep,
) -> DrainResult:
    """Work until nobody asks for more. Asked for while we held the lock, the work is done by us. A host that has not
    written its turn down yet is waited for, for seconds. `last` comes without the lock: it may take minutes."""
    last = (LAST if parts is None else ()) if last is None else last
    drained = _drain(root, opener, PARTS if parts is None else parts, wait)
    if drained.busy or not last:
        return drained
    done, errors = dict(drained.done), list(drained.errors)
    _round(root, opener, last, done, errors)
    return DrainResult(done, tuple(errors))


def _drain(
    root: Path, opener: Opener, parts: tuple[tuple[str, DrainPart], ...], wait: Callable[[float], None]
) -> DrainResult:
    done: dict[str, int] = {}
    errors: list[str] = []
    for _ in range(ROUNDS):
        with alone(root / LOCK) as is_alone:
            if not is_alone:
                return DrainResult(done, tuple(errors), busy=not done)
            with suppress(FileNotFoundError):
                os.unlink(root / WANTED)
            _round(root, opener, parts, done, errors)
        if os.path.lexists(root / WANTED):  # looked at after the lock was let go: no wish falls in between
            continue
        if not _has_late_turns(opener):
            break
        wait(LATE_SECONDS)
    return DrainResult(done, tuple(errors))


def _has_late_turns(opener: Opener) -> bool:
    from cairn.capture.settle_turns import has_late_turns

    with suppress(CairnError), closing(opener()) as ports:
        return has_late_turns(ports)
    return False


def _round(
    root: Path, opener: Opener, parts: tuple[tuple[str, DrainPart], ...], done: dict[str, int], errors: list[str]
) -> None:
    """Every part, whatever becomes of the others."""
    with closing(opener()) as ports:
        for name, work in parts:
            try:
                with collected() as bad:
                    done[name] = done.get(name, 0) + work(ports)
                for one in bad:
                    errors.append(f"{name}: {one.name} was skipped: {one.error}")
                    log(str(root), "drain", name, errors[-1])
            except Exception as problem:  # nobody watches a detached process: whatever it is goes to the log
                said = problem.message if isinstance(problem, CairnError) else f"{type(problem).__name__}: {problem}"
                errors.append(f"{name}: {said}")
                log(str(root), "drain", name, said)


# --- the parts --------------------------------------------------------------------------------------------------------


def _turns(ports: WorkspacePorts) -> int:
    from cairn.capture.settle_turns import settle_turns

    return len(settle_turns(ports))


def _sessions(ports: WorkspacePorts) -> int:
    from cairn.capture.settle_turns import capture_spooled

    return capture_spooled(ports)


def _proposals(ports: WorkspacePorts) -> int:
    """Explicit cues only: nothing of a session is sent to a model unless a person asks for it."""
    from cairn.curate.propose import ProposeOptions, propose_sessions

    return sum(len(result.candidates) for result in propose_sessions(ports, ProposeOptions()).results)


def _misses(ports: WorkspacePorts) -> int:
    from cairn.observe.missed_questions import count_misses

    ports.index_ledger()
    return count_misses(ports)


def _meaning(ports: WorkspacePorts) -> int:
    """Where the operator wants vectors: those that are missing."""
    from cairn.retrieve.embeddings import make_in_background

    return make_in_background(ports)


def _watchdog(ports: WorkspacePorts) -> int:
    from cairn.capture.watchdog import watch

    return int(watch(ports) is not None)


def _retention(ports: WorkspacePorts) -> int:
    from cairn.capture.retention import expire_sometimes

    return expire_sometimes(ports)


def _briefing(ports: WorkspacePorts) -> int:
    """What the next session is told."""
    from cairn.curate.pending_candidates import nudge_of
    from cairn.retrieve.briefing import refresh

    return int(refresh(ports, lambda: nudge_of(ports)))


def _questions(ports: WorkspacePorts) -> int:
    """Where the operator agreed to it, once after each session."""
    from cairn.workspace.read_after_session import read_after_session

    return read_after_session(ports)


PARTS: tuple[tuple[str, DrainPart], ...] = (
    ("turns", _turns),
    ("sessions", _sessions),
    ("candidates", _proposals),
    ("misses", _misses),
    ("vectors", _meaning),
    ("watchdog", _watchdog),
    ("retention", _retention),
    ("briefing", _briefing),
)

LAST: tuple[tuple[str, DrainPart], ...] = (("questions", _questions),)
