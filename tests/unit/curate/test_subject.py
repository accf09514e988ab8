"""Which page a candidate is about."""

import pytest

from cairn.curate.shortlist import Near
from cairn.curate.subject import likely
from cairn.kernel.model.candidate import Candidate

PAGES = [
    Near(
        "log-as-json-lines", "a.md", "practice", "Log as JSON lines", "Services log JSON lines to stdout.", ("logging",)
    ),
    Near("retry-uploads", "b.md", "practice", "Retry uploads at most 4 times", "Uploads are retried, then dropped."),
    Near("name-branches", "c.md", "practice", "Name branches after their ticket", "So that people find both."),
    Near("ingest", "d.md", "map", "The ingest service", "Receives packets of buoys and writes lines to the lake."),
]


def candidate(said: str) -> Candidate:
    title, _, why = said.partition(" Why: ")
    return Candidate("s:practice:0", "practice", title, said, f"{title}\n\nWhy: {why}" if why else title)


@pytest.mark.parametrize(
    ("said", "page"),
    [
        ("Never put a position into a log line", "log-as-json-lines"),
        ("Never put a position into a log line Why: boats and their people are personal data", "log-as-json-lines"),
        ("Retry uploads of firmware twice", "retry-uploads"),
        ("The ingest service drops empty packets", "ingest"),
        ("Write a line about uploads", None),
        ("Format dates as ISO 8601", None),
        ("Name services after rivers", None),
        ("", None),
    ],
)
def test_by_the_words_that_tell_pages_apart(said, page):
    found = likely(candidate(said), PAGES)
    assert (found.id if found else None) == page


def test_make_is_a_program_and_nothing_that_is_generated():
    pages = [Near("generated", "e.md", "practice", "Never commit generated files", "Nor lockfiles.", ("git",)), *PAGES]
    assert likely(candidate("Always run `make lint` before committing"), pages) is None


def test_among_no_pages_there_is_none():
    assert likely(candidate("Log as JSON lines"), []) is None
