"""Change requests and conflicts of the story, by what they are about."""

from cairn.adapters.forge.local.forge import LocalForge
from cairn.core.model.change import State
from cairn.curate.conflicts import read_conflict
from cairn.curate.resolve_conflict import short_id
from cairn.curate.state import CONFLICTS
from cairn.workspace.demo.stage import Stage


def request_of(stage: Stage, wanted: str) -> str:
    """The id of the open request of a kind, or about a page; nobody can know it before."""
    waiting = LocalForge(stage.folder).requests(states=(State.OPEN, State.READY))
    return next(one.id for one in waiting if wanted in (one.kind, *one.paths))


def conflict_of(stage: Stage) -> str:
    """The only one that waits."""
    files = sorted((stage.folder / CONFLICTS).glob("*.md"))
    found = [read_conflict(file.read_text("utf-8"), file.name) for file in files]
    return next(short_id(one) for one in found if one.status == "pending")
