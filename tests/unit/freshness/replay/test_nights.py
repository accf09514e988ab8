"""What one night leaves to the next: confirmations pause, and have the date of the day."""

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.played_workspace import PlayedApp
from cairn.core.model.change import RequestState
from cairn.errors import UsageError
from cairn.freshness.replay.world import ChangeRates, PlayedWeb, PlayedWorld
from cairn.freshness.replay.year import night

DAY_MS = 86_400_000
STILL = ChangeRates(touching=0, noise=0, outage=0, unstable=0)


class Desk:
    def __init__(self, **settings: object) -> None:
        self.clock = SettableClock()
        self.world = PlayedWorld(8, seed=4, rates=STILL)
        self.app = PlayedApp(self.world.files(), PlayedWeb(self.world), self.clock, **settings)

    def sleep(self, days: int = 1) -> None:
        self.clock.advance(days * DAY_MS)

    def first_night(self) -> None:
        """Pages of the web are kept; entries about files of the repository can be confirmed at once."""
        assert len(night(self.app).baseline) == 3
        self.close_all()
        self.sleep()

    def close_all(self) -> None:
        for request in self.app.repository.requests(states=(RequestState.OPEN,)):
            self.app.repository.close(request.id, now_ms=self.clock.now_ms())


def test_confirmations_pause_and_then_have_the_date_of_the_day_on_which_they_are_asked_for() -> None:
    desk = Desk()
    desk.first_night()
    [first] = night(desk.app).opened
    desk.close_all()
    desk.sleep()
    again = night(desk.app)
    assert again.opened == () and len(again.confirmed) == 8
    [held] = again.held
    assert held.title == "confirmations" and len(held.paths) == 8 and "pause for 2 days" in held.reason
    desk.sleep()
    [second] = night(desk.app).opened
    assert second.id != first.id
    text = desk.app.repository.files(desk.app.repository.request(second.id or "").head)[held.paths[0]].decode()
    assert "last-reviewed: 2026-01-04" in text


def test_confirmations_that_each_have_their_own_request_do_not_pause() -> None:
    desk = Desk(**{"freshness.confirmations": "each", "freshness.max_per_run": 100})
    desk.first_night()
    assert len(night(desk.app).opened) == 8
    desk.close_all()
    assert len(night(desk.app).opened) == 8


def test_a_repository_in_memory_knows_its_revisions() -> None:
    desk = Desk()
    tree, start = desk.app.tree, desk.app.repository.tip
    path = desk.world.entries[0].path
    desk.app.repository.commit({path: b"new", "more.md": b"", desk.world.entries[1].path: None})
    tree.note()
    assert tree.resolve("main") == tree.resolve("HEAD") == desk.app.repository.tip != start == tree.resolve(start)
    assert sorted(change.status for change in tree.changed(start)) == ["added", "changed", "removed"]
    assert [commit.id for commit in tree.versions(path)] == [desk.app.repository.tip, start]
    assert tree.show([(start, path), ("main", path), ("main", "nothing")])[1:] == [b"new", None]
    with pytest.raises(UsageError):
        tree.resolve("nowhere")
