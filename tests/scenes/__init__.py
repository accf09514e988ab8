"""Kinds of work on tiny inputs, for the tests that kill, overtake and starve them.

Each is a workspace, a command that changes something, and what must be so once the command was run again."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from deaths import Scene
from scenes.capturing import a_drain, a_forget, a_note, a_session
from scenes.knowing import a_bootstrap, a_conflict, a_curation, a_followed_document, edits_of_the_work_tree
from scenes.requesting import a_closed_request, a_merge, a_night, a_request, a_verdict
from scenes.scanned import a_first_scan, a_second_scan

Maker = Callable[[Path], Scene | AbstractContextManager[Scene]]

NAMED_BY_THE_CONTRACT: dict[str, Maker] = {
    "note": a_note,
    "first-scan": a_first_scan,
    "second-scan": a_second_scan,
    "curate": a_curation,
    "curate-apply": edits_of_the_work_tree,
    "merge": a_merge,
    "night": a_night,
    "forget": a_forget,
    "capture": a_session,
    "drain": a_drain,
    "verdict": a_verdict,
    "request": a_request,
}
OTHERS: dict[str, Maker] = {
    "bootstrap": a_bootstrap,
    "followed-document": a_followed_document,
    "conflict": a_conflict,
    "close": a_closed_request,
}
SCENES = NAMED_BY_THE_CONTRACT | OTHERS


@contextmanager
def played(name: str, scratch: Path) -> Iterator[Scene]:
    made = SCENES[name](scratch)
    if isinstance(made, Scene):
        yield made
    else:
        with made as scene:
            yield scene
