"""Reports over kept pages: hosts that several houses link to, and that nobody cites."""

from pathlib import Path

import pytest

from cairn.adapters.blobs.memory import MemoryBlobs
from cairn.app.build import App, build_app
from cairn.core.ports.sources import SourceRow
from cairn.freshness.reports import HostCandidate, coverage, frontier_report
from cairn.freshness.snapshots import pack
from cairn.graph.run_scan import run_scan
from cairn.lib.html.charset import FetchedPage
from repository import make

ENTRY = "---\nname: {0}\ndescription: About {0}.\nsources:\n{1}---\n## Summary\n\nYes.\n\n## Deep Guidance\n\nYes.\n"
LINKED = '<html><body><nav><a href="https://menu.test/">Menu</a></nav><main><h1>A</h1><p>{}</p></main></body></html>'


def app_with(root: Path, entries: dict[str, list[str]], pages: dict[str, list[str]]) -> App:
    """Entries with the addresses that they cite, and kept pages with the addresses that their text links to."""
    files = {
        f"knowledge/c/{name}.md": ENTRY.format(name, "".join(f"  - url: {url}\n" for url in urls))
        for name, urls in entries.items()
    }
    files[".cairn/settings.json"] = '{"corpora": {"k": {"root": "knowledge", "layout": "entries"}}}'
    app = build_app(make(root, files), env={})
    app.__dict__["blobs"] = MemoryBlobs()
    rows = []
    for url, links in pages.items():
        text = LINKED.format(" ".join(f'Read <a href="{link}">this</a> as well.' for link in links))
        key = app.blobs.put(pack(FetchedPage(url, url, 200, "text/html", text.encode(), None, None)))
        rows.append(SourceRow(url, canon=1, hash="sha256:0", snapshot=key, seen_at_ms=1))
    run_scan(app, app.scan_request())
    app.store.web.keep_sources(rows)
    return app


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ({"https://a.test/1": ["https://spec.test/x"], "https://b.test/1": ["https://www.spec.test/y"]}, ["spec.test"]),
        ({"https://a.test/1": ["https://spec.test/x"], "https://docs.a.test/1": ["https://spec.test/y"]}, []),
        ({"https://a.test/1": ["https://b.test/1"], "https://b.test/1": ["https://a.test/1"]}, []),
        ({"https://a.test/1": ["https://x.com/x"], "https://b.test/1": ["https://x.com/x"]}, []),
        ({"https://a.test/1": ["https://owasp.org/x"], "https://b.test/1": ["https://owasp.org/x"]}, []),
        ({"https://a.test/1": ["javascript:a()", "#b"], "https://b.test/1": ["mailto:a@b.test", "#b"]}, []),
    ],
    ids=["two houses", "two hosts of one house", "who is cited", "everywhere", "on the packed list", "no pages"],
)
def test_hosts_worth_a_look(tmp_path: Path, links: dict[str, list[str]], expected: list[str]) -> None:
    first, second = links
    app = app_with(tmp_path, {"one": [first], "two": [second]}, links)
    try:
        report = frontier_report(app)
    finally:
        app.close()
    assert report.candidates == [HostCandidate(host, 2, 2) for host in expected] and report.pages == 2


def test_gaps_of_the_ledger(tmp_path: Path) -> None:
    app = app_with(tmp_path, {"row-locks": ["https://a.test/1"]}, {})
    payload = {"topic": "lock-timeouts", "source": "agent_search", "project_id": "0" * 64, "task_id": None}
    app.ledger.append("knowledge_gap_signal", {**payload, "branch": "main"}, now_ms=app.clock.now_ms())
    app.ledger.append("knowledge_gap_signal", {**payload, "topic": "row-locks", "branch": "main"}, now_ms=2_000_000)
    try:
        found = coverage(app, taxonomy=None, here=tmp_path)
    finally:
        app.close()
    assert [(gap.topic, gap.signals, gap.nearest) for gap in found.gaps] == [
        ("lock-timeouts", 1, "knowledge/c/row-locks.md")
    ]
