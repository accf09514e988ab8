"""The material of the worked examples in each prompt, as the input of its question."""

from collections.abc import Mapping, Sequence
from typing import Any

Facts = Mapping[str, Any]


def _messages(*said: tuple[str, str]) -> Facts:
    shown = [
        {"who": who, "text": text, "start": 1000 * number, "cut": [], "earlier": False, "outside": False}
        for number, (who, text) in enumerate(said)
    ]
    facts = {"session": "s-1", "date": "2026-01-05", "from": 0, "through": 9000}
    return {**facts, "messages": shown, "found": [], "pages": []}


def _document(path: str, headings: Sequence[str], text: str) -> Facts:
    facts = {"path": path, "from": 0, "headings": list(headings), "text": text}
    return {**facts, "outside": False, "made": [], "pages": []}


def _candidate(title: str, body: str, said: str, page: Facts) -> Facts:
    candidate = {"kind": "practice", "title": title, "summary": title, "body": body, "tags": [], "confidence": "high"}
    turns = [{"who": "person", "text": said, "quoted": True}]
    evidence = [{"where": "a session of 2026-01-05", "turns": turns}]
    return {"candidate": candidate, "evidence": evidence, "pages": [page], "others": [], "decided": []}


def _page(id: str, title: str, summary: str, text: str, section: str = "") -> Facts:
    facts = {"id": id, "kind": "practice", "title": title, "summary": summary, "section": section}
    return {**facts, "text": text, "words": len(text.split())}


def _entry(path: str, title: str, text: str, *sources: Facts, lost: Sequence[str] = ()) -> Facts:
    entry = {"path": path, "title": title, "summary": "", "edition": None, "text": text}
    return {"entry": entry, "sources": list(sources), "lost": list(lost)}


def _changed(reference: str, heading: str, *passages: tuple[str, str]) -> Facts:
    shown = [{"mark": mark, "text": text} for mark, text in passages]
    facts = {"reference": reference, "standing": "changed", "left_out": 0, "text": "", "cut": False}
    return {**facts, "sections": [{"heading": heading, "passages": shown}]}


def _sentence(
    document: str, heading: str, sentence: str, named: str, path: str, before: str, after: str, *elsewhere: Facts
) -> Facts:
    code = {"path": path, "before": before, "after": after, "diff": ""}
    about = {"document": document, "heading": heading, "sentence": sentence, "paragraph": sentence}
    return {**about, "named": named, "code": code, "elsewhere": list(elsewhere), "names": []}


def _edition(path: str, title: str, edition: str, reference: str, *lines: str) -> Facts:
    entry = {"path": path, "title": title, "summary": "", "edition": edition}
    return {"entry": entry, "sources": [{"reference": reference, "lines": list(lines)}]}


def _request(path: str, new: str, gone: str, reference: str, source: str) -> Facts:
    page = {"path": path, "edition": None, "edition_before": None, "text": new, "new": [new], "gone": [gone]}
    sources = [{"reference": reference, "text": source, "cut": False}]
    return {"title": "Refresh a page", "pages": [page], "evidence": [], "sources": sources}


def _passage(path: str, headings: Sequence[str], date: str, text: str) -> Facts:
    return {"path": path, "headings": list(headings), "text": text, "sources": [], "date": date}


EXAMPLES: Mapping[str, tuple[Facts, Facts]] = {
    "core/learned": (
        _messages(
            ("person", "The import job is too slow, look at it"),
            ("agent", "It opens a connection per row. I could raise the pool to 50 and run the rows in parallel."),
            (
                "person",
                "no. the pool has 12 connections on purpose, the ledger db is shared with billing. never touch the "
                "ledger\nfrom more than one worker, billing dies otherwise",
            ),
        ),
        _messages(
            ("person", "skip the slow tests for now, I only want to see whether it builds"),
            (
                "agent",
                "It builds. By the way, `make seed` deletes all rows before it fills the tables. Shall I note that it "
                "may\nonly be run against a local database?",
            ),
            ("person", "yes please. At my last job they just blocked it with a firewall"),
        ),
    ),
    "core/distil": (
        _document(
            "docs/queue.md",
            ("Queue", "Workers"),
            "Four workers take jobs from the queue (`QUEUE_WORKERS`). Don't raise that: each of them holds a lock on "
            "the mail\ngateway, which allows five. To start one by hand, run `bin/worker`. We may move to Kafka next "
            "year.",
        ),
        _document(
            "README.md",
            ("Tally",),
            "Tally is the fastest way to count things. Install it with `pip install tally`, then run `tally init` and "
            "answer the\nquestions.",
        ),
    ),
    "core/place": (
        _candidate(
            "Keep access logs for 30 days",
            "Keep access logs for 30 days.",
            "we keep them for 30 days",
            _page(
                "practice-keep-access-logs-for-14-days",
                "Keep access logs for 14 days",
                "Access logs are deleted after 14 days.",
                "# Keep access logs for 14 days\n\nKeep access logs for 14 days, then delete them. They hold addresses "
                "of customers, so they must not be kept for\nlonger than needed.",
            ),
        ),
        _candidate(
            "Squash commits before merging, except for release branches",
            "Squash the commits of a branch before merging. Release branches are merged as they are.",
            "squash as always. only release branches we merge as they are",
            _page(
                "merging",
                "Merging",
                "How branches reach main.",
                "## Merging\n\n- Squash the commits of a branch before merging.\n- Delete the branch afterwards.",
                "Merging",
            ),
        ),
    ),
    "core/still-true": (
        _entry(
            "guides/uploads.md",
            "Uploads",
            "Files of up to 50 MB are accepted. Uploads that fail are kept for a day, so that they can be resumed.",
            _changed(
                "https://example.org/uploads",
                "Limits",
                ("gone", "A file may have 50 MB."),
                ("new", "A file may have 80 MB."),
                ("new", "Videos are converted in the background."),
                ("gone", "An upload that breaks off can be resumed for 24 hours."),
            ),
            lost=["Files of up to 50 MB are accepted."],
        ),
        _entry(
            "guides/retries.md",
            "Retries",
            "A call is tried 3 times.",
            _changed(
                "src/client.md",
                "Calls",
                ("gone", "The client tries each call 3 times."),
                ("new", "The client retries calls that fail."),
                ("kept", "`attempts` (default: 3) counts the first try, too."),
            ),
            lost=["A call is tried 3 times."],
        ),
    ),
    "core/still-holds": (
        _sentence(
            "docs/client.md",
            "Client > Timeouts",
            "`connect` waits 30 seconds for an answer unless you pass `timeout`.",
            "connect",
            "src/client.py",
            "def connect(host, timeout=30):\n    return Session(host, timeout)",
            "def connect(host, timeout=WAIT, retries=2):\n    return Session(host, timeout, retries)",
            {"path": "src/defaults.py", "diff": "@@ -1,1 +1,2 @@\n PORT = 8080\n+WAIT = 10"},
        ),
        _sentence(
            "docs/cache.md",
            "Cache",
            "`Cache.get` returns None for a key that is unknown.",
            "Cache.get",
            "src/cache.py",
            "def get(self, key):\n    return self._items.get(key)",
            "def get(self, key):\n    self._hits += 1\n    return self._items.get(key)",
        ),
    ),
    "core/frontier": (
        _edition(
            "security/checklist.md",
            "Checklist for web applications",
            "Acme Verification Standard 4.0",
            "https://acme.example/standard",
            "Acme Verification Standard",
            "Version 5.0 (stable) was released on 30 May 2025.",
            "Version 6.0 is being drafted; join the working group.",
        ),
        _edition(
            "tools/build.md",
            "Building with Forge",
            "Forge 3",
            "https://forge.example/docs",
            "Forge documentation",
            "You are reading the documentation of Forge 3.2.",
            "Release candidate: Forge 4.0-rc1",
            "Needs Node 22 or later",
        ),
    ),
    "core/review": (
        _request(
            "guides/limits.md",
            "Every client may make 60 calls a minute.",
            "Clients may make 100 calls a minute.",
            "https://example.org/limits",
            "Without a token, a client may make 60 calls a minute. With a token there are 600.",
        ),
        _request(
            "guides/logs.md",
            "Logs are kept for 30 days.",
            "Logs are kept for 14 days.",
            "docs/logging.md",
            "Retention is 30 days. Exports are possible at any time.",
        ),
    ),
    "core/contradiction": (
        {
            "a": _passage(
                "docs/deploy.md",
                ("Deploying", "Staging"),
                "2025-03-01",
                "Staging is deployed from `develop` every night at 02:00 UTC.",
            ),
            "b": _passage(
                "CONTRIBUTING.md", ("Releases",), "2025-09-12", "A nightly job deploys the branch `main` to staging."
            ),
        },
        {
            "a": _passage("docs/api.md", ("Limits",), "2025-05-04", "A request may take 30 seconds."),
            "b": _passage("docs/worker.md", ("Jobs",), "2025-05-04", "A job may take 15 minutes; then it is stopped."),
        },
    ),
}
