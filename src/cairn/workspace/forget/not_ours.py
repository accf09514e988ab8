"""What holds it and is not ours to change: pages of people, transcripts of hosts, what git and servers keep."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from cairn.core.ports.git_refs import REMOTE, STATE_REF
from cairn.freshness.sync_state import mode_of
from cairn.workspace.forget.refs import open_requests, state_holds
from cairn.workspace.forget.stored_files import ForgetContext, is_looked_after

PRUNE: Final = "git gc --prune=now"
EXPIRE: Final = "git reflog expire --expire-unreachable=now --all && git gc --prune=now"
REWRITE: Final = "git filter-repo --replace-text FILE"


def held_by_git(scene: ForgetContext) -> dict[str, str]:
    """Sentences about such objects, each with the command that removes them."""
    if scene.wanted.needle is None or not scene.wanted.of_words or scene.app.vcs.root() is None:
        return {}
    holding = scene.app.own_refs.objects_holding(scene.wanted.holds)
    found = {}
    if holding.in_history:
        found["the history of git"] = f"your commits or your index hold it; `{REWRITE}` rewrites them, then `{PRUNE}`"
    if holding.in_reflog:
        found["objects of git that a reflog points at"] = f"`{EXPIRE}` removes them"
    if holding.unreached:
        found["objects of git that nothing points at"] = f"`{PRUNE}` removes them"
    return found


class ForeignCopy(NamedTuple):
    what: str
    why: str
    """And what a person can do."""
    stays: bool = False
    """Whether it must not be called gone while this is there: a request of Cairn's own, objects of git."""

    def json(self) -> dict[str, str]:
        return {"what": self.what, "why": self.why}


def outside(scene: ForgetContext) -> list[ForeignCopy]:
    """Looked at before anything is purged. What is to be forgotten does not show in it."""
    found = [*_pages(scene), *_settings(scene), *_transcripts(scene), *_git(scene), *_server(scene)]
    return list(dict.fromkeys(one._replace(what=scene.wanted.shown(one.what)) for one in found))


def _pages(scene: ForgetContext) -> Iterator[ForeignCopy]:
    for name in scene.pages:
        yield ForeignCopy(
            name, "your file: edit it, and run this again; git's history has it, too, if you committed it"
        )


def _settings(scene: ForgetContext) -> Iterator[ForeignCopy]:
    for name in settings(scene):
        place = name == ".cairn/identity.json"
        yield ForeignCopy(name, "says where this work tree lies" if place else "yours to edit")


def settings(scene: ForgetContext) -> list[str]:
    """Files in `.cairn` that people write, or that nothing works without."""
    if scene.wanted.needle is None or scene.wanted.by_rules:
        return []
    found = (
        (path.relative_to(scene.app.root).as_posix(), path)
        for path in scene.app.stored_files.below(scene.app.root / ".cairn")
    )
    return [name for name, path in found if not is_looked_after(name) and scene.file_holds(path)]


def _transcripts(scene: ForgetContext) -> Iterator[ForeignCopy]:
    for found in scene.transcripts:
        yield ForeignCopy(_homely(found.path), f"the transcript of {found.host}: delete it there if you want to")


def _homely(path: str) -> str:
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path.startswith(f"{home}/") else path


def _git(scene: ForgetContext) -> Iterator[ForeignCopy]:
    for id in open_requests(scene):
        yield ForeignCopy(
            f"the open change request {id}", f"`cairn change close {id}`, then run this again", stays=True
        )
    for what, why in held_by_git(scene).items():
        yield ForeignCopy(what, why, stays=True)
    if state_holds(scene) and mode_of(scene.app) == "push":
        yield ForeignCopy(f"{STATE_REF} at {REMOTE}", "what was pushed stays in its history there, and in other clones")


def staying(scene: ForgetContext) -> list[str]:
    """What holds it after the purge although it is not the user's alone, each with the command that removes it."""
    found = [one._replace(what=scene.wanted.shown(one.what)) for one in _git(scene) if one.stays]
    return [f"{one.what}: {one.why}" for one in found]


def _server(scene: ForgetContext) -> Iterator[ForeignCopy]:
    if isinstance(scene.app.store_location, str):
        why = "its write-ahead log and its backups keep what was there for as long as its operator says"
        yield ForeignCopy("the PostgreSQL server", why)
