"""Stamps: which candidate had which fate, one line each, so that no candidate is looked at twice."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from cairn.core.model.candidate import Action, Failure

FAILED = "failed"


class Stamp(NamedTuple):
    origin: str
    fate: str
    """Of `Fate`, or `failed` for one that waits to be tried again."""
    run_id: str
    at: str
    reason: str = ""
    node: str = ""
    """Id of the page or of the conflict that came of it."""


def stamp_of(action: Action, *, run_id: str, at: str, node: str = "") -> Stamp:
    return Stamp(action.candidate_origin, action.fate.value, run_id, at, action.rationale[:400], node)


def failed(failure: Failure, at: str) -> Stamp:
    return Stamp(failure.candidate_origin, FAILED, failure.run_id, at, failure.detail[:400], failure.node_id)


def lines(stamps: Iterable[Stamp]) -> str:
    return "".join(f"{json.dumps(stamp._asdict(), ensure_ascii=False)}\n" for stamp in stamps)


def read_stamps(text: str) -> dict[str, Stamp]:
    """The last of each origin. A line that was cut short counts as none."""
    return {stamp.origin: stamp for value in _objects(text) if (stamp := _stamp(value))}


def _stamp(value: dict[str, Any]) -> Stamp | None:
    given = {name: value.get(name, "") for name in Stamp._fields}
    return Stamp(**given) if given["origin"] and all(isinstance(one, str) for one in given.values()) else None


def failure_lines(failures: Iterable[Failure]) -> str:
    return "".join(f"{json.dumps(failure._asdict(), ensure_ascii=False)}\n" for failure in failures)


def read_failures(text: str) -> list[Failure]:
    found = []
    for value in _objects(text):
        given = {name: value.get(name) for name in Failure._fields}
        if all(isinstance(one, str) for one in given.values()):
            found.append(Failure(**given))  # type: ignore[arg-type]
    return list({failure.candidate_origin: failure for failure in found}.values())


def _objects(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value
