"""Briefings that are ready before a session begins: one a branch, made by the detached step, read by the hook."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from cairn.changes.write import write_file
from cairn.errors import CairnError
from cairn.hook.aside import BRIEFING, branch_of
from cairn.hook.briefed import LIMIT, MODE, kept, place_of, state_of
from cairn.retrieve.briefing import briefing_of, usual_budget
from cairn.retrieve.ports import RetrievePorts

PAUSE_MS: Final = 180_000
"""A turn is short, and a briefing looks at every page: of the same commit there is no new one before this."""
_BRANCHES: Final = 8


def refresh(ports: RetrievePorts, nudge_of: Callable[[], str], *, at_once: bool = False) -> bool:
    """Whether a new one was made. Made anew when the branch or its commit is another one, and now and then."""
    kept, now_ms = _kept(ports), ports.clock.now_ms()
    branch, head = branch_of(str(ports.root)), _head(ports)
    mine = next((one for one in kept if one.get("branch") == branch), {})
    fresh = mine.get("head") == head and 0 <= now_ms - mine.get("at_ms", 0) < PAUSE_MS
    if (fresh and not at_once) or not _is_scanned(ports):
        return False
    made = {"branch": branch, "head": head, "at_ms": now_ms, **_texts(ports, nudge_of)}
    others = [one for one in kept if one.get("branch") != branch]
    _write(ports, [made, *others][:_BRANCHES])
    return True


def _texts(ports: RetrievePorts, nudge_of: Callable[[], str]) -> dict[str, Any]:
    """With and without a reminder: whether it is time for that is known when the session begins. And of which file each
    line is, so that it can be left out when that is another one then."""
    ports.update_graph()
    budget = usual_budget(ports)
    nudge = nudge_of()
    plain = briefing_of(ports, budget)
    with_nudge = briefing_of(ports, budget, nudge=nudge) if nudge else plain
    lines = {one.line: one.path for one in (*plain.shown, *with_nudge.shown)}
    pages = [[line, *state_of(str(ports.root), path)] for line, path in lines.items()]
    return {"text": plain.text, "pages": pages, **({"nudged": with_nudge.text} if with_nudge.nudge else {})}


def _is_scanned(ports: RetrievePorts) -> bool:
    """A step that nobody waits for does not scan a repository for the first time."""
    try:
        return bool(ports.scanned_store())
    except CairnError:
        return False


def _head(ports: RetrievePorts) -> str | None:
    with suppress(CairnError):
        return ports.vcs.resolve("HEAD")
    return None


def _base(ports: RetrievePorts) -> str | None:
    with suppress(CairnError):
        return ports.main_branch()
    return None


def _kept(ports: RetrievePorts) -> list[dict[str, Any]]:
    found = kept(str(ports.root)).get("briefings")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _write(ports: RetrievePorts, briefings: list[dict[str, Any]]) -> None:
    """As many as the hook will read."""
    base = _base(ports)
    while True:
        text = json.dumps({"v": 3, "place": place_of(str(ports.root)), "base": base, "briefings": briefings}) + "\n"
        if len(text) <= LIMIT or not briefings:
            break
        briefings = briefings[:-1]
    write_file(ports.root, BRIEFING, text, mode=MODE)
