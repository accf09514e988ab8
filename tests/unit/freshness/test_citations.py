"""Who cites what, counted."""

from cairn.core.model.knowledge import Source
from cairn.core.ports.sources import SourceRow
from cairn.freshness.citations import ELSEWHERE, Citation, HostCount, by_category, by_host, cited
from cairn.knowledge.allowlist import AllowedPlace, Allowlist

LIST = Allowlist([AllowedPlace("owasp.org", "", "security"), AllowedPlace("docs.example.org", "/api", "api")])
CITATIONS = [
    Citation("b.md", Source("url", "https://owasp.org/xss", "#a", hash="sha256:1")),
    Citation("a.md", Source("url", "https://owasp.org/xss", "#a")),
    Citation("a.md", Source("url", "https://owasp.org/xss")),
    Citation("c.md", Source("url", "https://docs.example.org/api/x")),
    Citation("c.md", Source("url", "https://docs.example.org/blog")),
    Citation("c.md", Source("path", "src/app.py", "connect")),
    Citation("d.md", Source("url", "not a url")),
]
ROWS = [
    SourceRow("https://owasp.org/xss", "#a", looks=4, flips=3),
    SourceRow("https://owasp.org/xss", failures=2),
    SourceRow("https://gone.example.org/", failures=9),
]


def test_a_source_is_listed_once_with_all_who_cite_it() -> None:
    listed = cited(CITATIONS, ROWS, LIST)
    assert [(one.reference, one.documents, one.category) for one in listed] == [
        ("not a url", ("d.md",), ELSEWHERE),
        ("https://docs.example.org/api/x", ("c.md",), "api"),
        ("https://docs.example.org/blog", ("c.md",), ELSEWHERE),
        ("https://owasp.org/xss", ("a.md",), "security"),
        ("https://owasp.org/xss#a", ("a.md", "b.md"), "security"),
        ("src/app.py#connect", ("c.md",), ""),
    ]
    assert [one.unstable for one in listed] == [False] * 4 + [True, False]
    assert [one.row is not None for one in listed] == [False] * 3 + [True, True, False]


def test_counts_by_host_and_by_category() -> None:
    listed = cited(CITATIONS, ROWS, LIST)
    assert by_host(listed)[0] == HostCount("owasp.org", "security", 2, 2, 1)
    assert [(count.host, count.category) for count in by_host(listed)[1:]] == [
        ("", ELSEWHERE),
        ("docs.example.org", "api"),
        ("docs.example.org", ELSEWHERE),
    ]
    assert by_category(listed) == {"api": (1, 1), ELSEWHERE: (2, 2), "security": (2, 2)}
