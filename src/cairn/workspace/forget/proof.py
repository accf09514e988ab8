"""The proof: every byte that Cairn keeps is searched again, as it stands there and unpacked."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cairn.adapters.files.bytes import files_below
from cairn.capture.session_logs import OLD_LOGS, logs_of
from cairn.workspace.forget.database import files, holding
from cairn.workspace.forget.outside import settings
from cairn.workspace.forget.scene import Scene


class Proof(NamedTuple):
    files: int
    bytes: int
    texts: int
    """Snapshots, unpacked."""
    rows: int
    left: tuple[str, ...]
    """Where it still is."""

    def json(self) -> dict[str, Any]:
        searched = {"files": self.files, "bytes": self.bytes, "texts": self.texts, "rows": self.rows}
        return {"searched": searched, "left": list(self.left)}


def proven(scene: Scene) -> Proof:
    """Where pages of people hold it, the graph does too: it is made of them."""
    mirrored = bool(scene.pages)
    allowed = {*settings(scene), *(_name(scene, file) for file in files(scene) if mirrored)}
    searched = size = 0
    left = ["the graph, which is made of your files"] if mirrored and scene.has_store else []
    for path in _everything(scene):
        name = _name(scene, path)
        searched, size = searched + 1, size + path.stat().st_size
        if scene.wanted.by_rules:
            continue  # the places say themselves what they still hold: a database is no text
        if name not in allowed and (scene.wanted.holds(_below(name)) or scene.file_holds(path)):
            left.append(name)
    texts, packed = _texts(scene)
    left += [*packed, *_rows(scene)]
    rows = scene.app.store.purge.total() if scene.has_store else 0
    return Proof(searched, size, texts, rows, tuple(scene.wanted.shown(name) for name in left))


def _everything(scene: Scene) -> Iterator[Path]:
    """Also the folders of logs where an older program keeps them, and a database that lies elsewhere."""
    root = scene.app.root
    seen = set()
    places = (".cairn", logs_of(scene.app).place, OLD_LOGS)
    for path in (*(path for place in places for path in files_below(root / place)), *files(scene)):
        if path not in seen and not path.name.endswith("-shm"):
            seen.add(path)
            yield path


def _below(name: str) -> bytes:
    return os.fsencode(name.removeprefix(".cairn/"))


def _name(scene: Scene, path: Path) -> str:
    return path.relative_to(scene.app.root).as_posix() if path.is_relative_to(scene.app.root) else os.fspath(path)


def _texts(scene: Scene) -> tuple[int, list[str]]:
    blobs = scene.app.blobs
    keys = () if scene.wanted.by_rules else blobs.keys()
    return len(keys), [f"the snapshot {key}" for key in keys if scene.wanted.holds(blobs.get(key) or b"")]


def _rows(scene: Scene) -> list[str]:
    return [f"the table {table}" for table in holding(scene)]
