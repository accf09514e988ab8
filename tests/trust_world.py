"""A repository whose pages live: commits, ballots of made-up voters, days that pass, and ticks."""

from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Any

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.changes.requests import merge
from cairn.core.model.change import RequestState
from cairn.core.ports.trust import ArtefactRow, Source
from cairn.trust.ballots import Ballot, Verdict
from cairn.trust.maintain import Desk
from cairn.trust.tick import TickResult, TrustJournal, tick
from repository import git

DAY_MS = 86_400_000
START = 1_780_000_000_000
PAGE = "knowledge/http/limits.md"


def page(body: str = "A client may send 100 requests a minute.", **front: str) -> str:
    said = {"name": "limits", "description": "How many requests.", "status": "alpha", **front}
    lines = "\n".join(f"{key}: {value}" for key, value in said.items() if value)
    return f"---\n{lines}\n---\n# Limits\n\n## Summary\n\n{body}\n\n## Deep Guidance\n\nBack off on 429.\n"


class TrustWorld:
    def __init__(self, folder: Path, *, preset: str = "team", env: dict[str, str] | None = None) -> None:
        self.root, self.preset = folder, preset
        self.env = {"XDG_STATE_HOME": str(folder.parent / "state"), "HOME": str(folder.parent), **(env or {})}
        self.clock = SettableClock(START)
        self._voters = count(1_000)
        folder.mkdir(parents=True)
        git(folder, "init", "-q", "-b", "main")
        git(folder, "config", "user.name", "Ada")
        git(folder, "config", "user.email", "ada@example.org")
        (folder / ".cairn").mkdir()
        (folder / ".cairn" / ".gitignore").write_text("*\n")
        self.app = self.opened()

    def opened(self, **flags: object) -> App:
        given = {"trust.preset": self.preset, "scan.tokenize": False, **flags}
        return build_app(self.root, env=self.env, clock=self.clock, flags=given, tracked=lambda _: (), installed=False)

    def write(self, text: str, path: str = PAGE) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def commit(self, text: str, path: str = PAGE, *, author: str = "Ada") -> None:
        self.write(text, path)
        git(self.root, "add", "-A")
        git(self.root, "commit", "-qm", "Edit", "--author", f"{author} <{author}@example.org>")

    def read(self, path: str = PAGE) -> str:
        return (self.root / path).read_text()

    def pass_days(self, days: float) -> None:
        self.clock.set(self.clock.now_ms() + int(days * DAY_MS))

    def row(self, path: str = PAGE) -> ArtefactRow:
        [found] = self.app.store.trust.artefacts([path])
        return found

    def vote(
        self, number: int = 1, verdict: Verdict = "confirm", *, source: Source = "person", path: str = PAGE
    ) -> list[int]:
        """Ballots of so many voters that nobody has heard before."""
        row, voters = self.row(path), [next(self._voters) for _ in range(number)]
        ballots = [Ballot(row, voter, source, verdict, row.revision, "It says so.") for voter in voters]
        TrustJournal(self.app).cast(ballots)
        return voters

    def tick(self, *, merging: bool = True) -> TickResult:
        self.app.update_graph()
        done = tick(self.app)
        if merging:
            self.merge_all()
        return done

    def merge_all(self) -> None:
        for request in reversed(self.app.forge.requests(states=(RequestState.OPEN, RequestState.READY))):
            merge(self.app, request.id)

    def grow(self, to: str = "beta", path: str = PAGE) -> None:
        """As many confirmations and days as it takes."""
        self.tick()
        for status, days in (("beta", 3), ("stable", 15)):
            self.vote(6, path=path)
            self.pass_days(days)
            self.tick()
            assert self.row(path).status == status, self.row(path)
            if status == to:
                break
        self.tick()

    def desk(self) -> Desk:
        self.app.update_graph()
        return Desk(self.app)

    def transitions(self) -> list[str]:
        from cairn.trust.overview import history

        return [event.what for event in history(self.app, PAGE)]


def decided(done: TickResult) -> list[tuple[str, str]]:
    return [(str(event.row.transition), event.row.status) for _, event in done.decided]


def tables(world: TrustWorld) -> dict[str, Any]:
    from cairn.adapters.storage.sql.trust import TABLES

    return {name: world.app.store.trust.table(name) for name in TABLES}


def many(paths: Iterable[str]) -> dict[str, str]:
    return {path: page(name=Path(path).stem) for path in paths}
