"""A web of its own: pages that tests and simulations put there, and a count of what was asked for."""

from collections import Counter
from collections.abc import Iterable, Iterator

from cairn.core.ports.sources import Conditions, FetchFailed, Outcome
from cairn.lib.html.charset import FetchedPage
from cairn.lib.urls.url import without_fragment


class MemoryFetcher:
    """Each URL answers with what was put last; conditions are honoured where the page has an etag."""

    def __init__(self) -> None:
        self._web: dict[str, list[Outcome]] = {}
        self._run: dict[str, Outcome] = {}
        self.asked: Counter[str] = Counter()

    def put(
        self, url: str, *texts: str | bytes, content_type: str = "text/html; charset=utf-8", etag: str | None = None
    ) -> None:
        """What it answers, one text a request; the last one stays."""
        bodies = [text.encode() if isinstance(text, str) else text for text in texts]
        self._web[url] = [FetchedPage(url, url, 200, content_type, body, etag, None) for body in bodies]

    def fail(self, url: str, failed: FetchFailed) -> None:
        self._web[url] = [failed]

    def new_run(self) -> None:
        """Forget what this run has fetched."""
        self._run.clear()

    def fetch(self, url: str, conditions: Conditions | None = None, *, again: bool = False) -> Outcome:
        key = without_fragment(url)
        known = self._run.get(key)
        too_little = isinstance(known, FetchedPage) and known.unchanged and not any(conditions or ())
        if again or known is None or too_little:
            self.asked[key] += 1
            self._run[key] = self._answer(key, conditions)
        return self._run[key]._replace(url=url)

    def _answer(self, key: str, conditions: Conditions | None) -> Outcome:
        answers = self._web.get(key)
        if not answers:
            return FetchFailed(key, "status", "The server answers 404: there is no such page.", status=404)
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, FetchedPage) and conditions and conditions.etag and conditions.etag == answer.etag:
            return answer._replace(status=304, body=b"", unchanged=True)
        return answer

    def fetch_all(self, wanted: Iterable[tuple[str, Conditions]], *, again: bool = False) -> Iterator[Outcome]:
        renewed: set[str] = set()
        for url, conditions in wanted:
            key = without_fragment(url)
            yield self.fetch(url, conditions, again=again and key not in renewed)
            renewed.add(key)

    def probe(self, url: str) -> Outcome:
        return self.fetch(url)

    def probe_all(self, urls: Iterable[str]) -> Iterator[Outcome]:
        return (self.probe(url) for url in urls)
