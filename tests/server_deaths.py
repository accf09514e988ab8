"""Killing PostgreSQL at any moment of a scan: a sentence, never half a map, and a rerun finishes the work."""

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import warm
from cairn.adapters.storage.postgres.store import open_postgres
from deaths import Scene, all_went_well, chosen, ended_with_a_sentence, is_sound
from postgres_server import Server, running_server
from program import clean_env
from snapshot import snapshot

MOMENTS = 4
"""In an ordinary run."""


def loses_its_server_everywhere(scene: Scene, scratch: Path, *, plant: str = "") -> None:
    """After each call of the store, which is before the next one."""
    with running_server(durable=True) as server:
        desk = _Desk(scene, server, scratch, plant)
        before, after, names = desk.recorded()
        numbers = [number for number, name in enumerate(names, 1) if " after store." in name]
        wrong: list[str] = []
        for at in chosen(len(numbers), MOMENTS):
            found = desk.struck(numbers[at - 1], before, after)
            wrong += [f"killed at {names[numbers[at - 1] - 1]}: {one}" for one in found]
            if plant:
                all_went_well(wrong)
        all_went_well(wrong)


class _Desk:
    """Copies of one workspace, each with a schema of its own on the server."""

    def __init__(self, scene: Scene, server: Server, scratch: Path, plant: str) -> None:
        self._scene, self._server, self._scratch = scene, server, scratch
        self._planted = [("plants", "plant", plant)] if plant else []

    def recorded(self) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
        """What is stored before the work and after it, and the moments in between."""
        root, log = self._copy("recorded"), self._scratch / "moments.txt"
        before = self._stored(root)
        self._run(root, CAIRN_FAULT="0", CAIRN_FAULT_LOG=str(log))
        return before, self._stored(root), log.read_text().splitlines()

    def struck(self, number: int, before: dict[str, Any], after: dict[str, Any]) -> list[str]:
        """What is wrong after the server was killed at that moment."""
        root = self._copy(f"at-{number}")
        code, _, err = self._run(root, ("outage", "strike", str(number), str(self._server.pid)), CAIRN_FAULT="0")
        ended_with_a_sentence(code, err)
        self._server.start_again()
        stored = self._stored(root)
        wrong = (
            [] if stored in (before, after) else [f"half of a map: {_parts(before, stored)}, {_parts(after, stored)}"]
        )
        assert self._run(root)[0] in self._scene.work.codes
        self._scene.work.finished(root)
        is_sound(root)
        return wrong + ([] if self._stored(root) == after else ["the rerun made another map"])

    def _copy(self, name: str) -> Path:
        root = self._scratch / name
        shutil.copytree(self._scene.template, root, symlinks=True)
        (root / ".cairn/cairn.db").unlink()
        (root / ".cairn/settings.local.json").write_text(json.dumps({"store": {"url": self._server.url}}))
        assert self._run(root)[0] in (0, 1)
        self._scene.work.prepare(root)
        return root

    def _run(self, root: Path, *first: tuple[str, ...], **env: str) -> tuple[int, bytes, bytes]:
        whole, calls = clean_env(**env), [*self._planted, *first]
        return warm.run(self._scene.work.command, cwd=root, env=whole, stdin=None, timeout=60, first=calls)

    def _stored(self, root: Path) -> dict[str, Any]:
        with closing(open_postgres(self._server.url, workspace=str(root.resolve()), now_ms=0)) as store:
            return snapshot(store)


def _parts(expected: dict[str, Any], found: dict[str, Any]) -> str:
    return ", ".join(name for name in expected if expected[name] != found.get(name))
