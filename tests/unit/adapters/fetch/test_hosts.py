"""Who is asked next, on a clock that stands still until told."""

from cairn.adapters.fetch.hosts import FetchJob, Hosts, Pace

USUAL = Pace(2, 0.5)


class Watch:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def hosts(watch: Watch, *urls: str, pace: Pace = USUAL) -> Hosts:
    return Hosts([FetchJob(url, url.split("/")[0]) for url in urls], lambda _: pace, now=watch)


def ready(found: Hosts) -> tuple[str | None, float | None]:
    job, wait = found._ready()
    return (job.url if job else None), wait


def test_two_requests_to_a_host_are_apart_and_others_come_meanwhile() -> None:
    watch = Watch()
    found = hosts(watch, "a/1", "a/2", "a/3", "b/1")
    assert [ready(found) for _ in range(3)] == [("a/1", None), ("b/1", None), (None, 0.5)]
    watch.now += 0.5
    assert ready(found) == ("a/2", None)
    watch.now += 0.5
    assert ready(found) == (None, None), "two are under way; only their end helps"
    found.finish("a")
    assert ready(found) == ("a/3", None)


def test_what_is_tried_again_comes_first_when_its_host_may_be_asked() -> None:
    watch = Watch()
    found = hosts(watch, "a/1", "a/2")
    job = found.take()
    assert job is not None
    found.later(job, "a", 30.0)
    assert ready(found) == (None, 30.0)
    watch.now += 30.0
    again = found.take()
    assert again == job._replace(attempt=2)


def test_a_request_that_is_not_made_delays_no_other() -> None:
    found = hosts(Watch(), "a/1", "a/2")
    assert ready(found) == ("a/1", None)
    found.spare("a")
    assert ready(found) == ("a/2", None)


def test_a_redirect_gives_a_place_back_and_takes_another() -> None:
    watch = Watch()
    found = hosts(watch, "a/1", "a/2", pace=Pace(1, 0.0))
    assert ready(found) == ("a/1", None)
    assert ready(found) == (None, None)
    found.move("a", "b")
    assert ready(found) == ("a/2", None)
    found.finish("b")
    found.finish("a")
    assert found.take() is None


def test_nobody_waits_after_a_stop() -> None:
    found = hosts(Watch(), "a/1")
    found.stop()
    assert found.take() is None
