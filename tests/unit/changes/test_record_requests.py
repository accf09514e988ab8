"""The ledger hears of each thing that happened to a request, and hears of it once."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cairn.app.build import App, build_app
from cairn.changes.record_requests import catch_up
from cairn.changes.requests import PublishResult, close, merge, publish_change
from cairn.core.model.change import ChangeSet, FileEdit
from end_state import events
from repository import git, make

ACTS = {
    "close": ("change_closed", lambda app, id: close(app, id, reason="")),
    "merge": ("change_merged", lambda app, id: merge(app, id)),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path / "work", {".cairn/settings.json": "{}", ".gitignore": ".cairn/ledger\n", "a.md": "# A\n"})


def opened(root: Path) -> App:
    return build_app(root, env={"PATH": os.environ["PATH"]}, installed=False)


@pytest.fixture
def app(root: Path) -> Iterator[App]:
    with closing(opened(root)) as app:
        yield app


@pytest.mark.parametrize("act", ACTS)
def test_another_process_that_was_faster_to_record_it(app: App, root: Path, act: str) -> None:
    change = ChangeSet("person", "a page", git(root, "rev-parse", "HEAD"), (FileEdit("b.md", b"# B\n"),), "B")
    published = publish_change(app, change)
    assert isinstance(published, PublishResult)
    kind, carry_out = ACTS[act]
    real = getattr(app.forge, act)

    def then_somebody_looks(*given: Any, **named: Any) -> Any:
        done = real(*given, **named)
        with closing(opened(root)) as other:
            assert catch_up(other, other.forge.requests()) == 1
        return done

    setattr(app.forge, act, then_somebody_looks)
    carry_out(app, published.request.id)
    assert [one["type"] for one in events(root)].count(kind) == 1
