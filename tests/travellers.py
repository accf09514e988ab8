"""Two clones and what they share: a bare repository, as a server would have it."""

import os
from contextlib import closing
from pathlib import Path
from typing import Any

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.core.ports.sources import AttemptRow, SourceRow, SourceTextRow
from cairn.lib.html.read import CANON
from repository import git, make

NOW = 1_790_000_000_000
URL = "https://docs.example.org/limits"
PAGE = f"""---
name: limits
description: How often a client may call.
sources:
  - url: {URL}
---
# Limits

## Deep Guidance

Call less.
"""
FILES = {
    "knowledge/http/limits.md": PAGE,
    ".cairn/settings.json": '{"corpora": {"k": {"root": "knowledge", "layout": "entries"}}}',
    ".gitignore": ".cairn/*\n!.cairn/settings.json\n",
}


class Clone:
    """A workspace with its own store."""

    def __init__(self, root: Path, db: str | None = None) -> None:
        self.root = root
        self.db = db

    def app(self, **flags: object) -> App:
        env = {name: value for name, value in os.environ.items() if not name.startswith("CAIRN_")}
        return build_app(self.root, env=env, clock=SettableClock(NOW), db=self.db, flags=flags)

    def saw(self, text: str, at_ms: int = NOW, url: str = URL, **more: Any) -> str:
        """As a run does it: the page is kept, then the rows; the hash of the text."""
        with closing(self.app()) as app:
            key = app.blobs.put(text.encode())
            row = SourceRow(url, "", CANON, key, key, key, seen_at_ms=at_ms, looks=1, **more)
            app.store.web.keep_sources([row], [SourceTextRow(url, "", CANON, key, key, key, at_ms)])
        return key

    def failed(self, path: str, at_ms: int = NOW) -> None:
        with closing(self.app()) as app:
            app.store.web.keep_attempts([AttemptRow(path, 1, "timeout", "It took too long.", at_ms, at_ms + 1)])

    def forgets(self, path: str) -> None:
        with closing(self.app()) as app:
            app.store.web.forget_attempts([path])

    def knows(self) -> dict[str, Any]:
        with closing(self.app()) as app:
            web = app.store.web
            return {
                "texts": {row.url: (app.blobs.get(row.snapshot or "") or b"").decode() for row in web.sources()},
                "history": len(web.texts()),
                "attempts": [row.path for row in web.attempts()],
            }


def server(tmp_path: Path) -> Path:
    bare = tmp_path / "server.git"
    start = make(tmp_path / "start", FILES)
    git(tmp_path, "clone", "-q", "--bare", os.fspath(start), os.fspath(bare))
    return bare


def clone(bare: Path, name: str, db: str | None = None) -> Clone:
    root = bare.parent / name
    git(bare.parent, "clone", "-q", os.fspath(bare), os.fspath(root))
    return Clone(root, db)
