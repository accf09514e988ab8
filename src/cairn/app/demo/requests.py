"""Change requests of the story, by what they are about."""

from cairn.adapters.forge.local.forge import LocalForge
from cairn.app.demo.stage import Stage
from cairn.kernel.model.change import State


def request_of(stage: Stage, wanted: str) -> str:
    """The id of the open request of a kind, or about a page; nobody can know it before."""
    waiting = LocalForge(stage.folder).requests(states=(State.OPEN, State.READY))
    return next(one.id for one in waiting if wanted in (one.kind, *one.paths))
