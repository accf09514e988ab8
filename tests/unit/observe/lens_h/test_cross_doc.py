"""What lens H finds in a set of documents, and that a finding stays the same while it is the same thing."""

from typing import Any

import pytest

from cairn.kernel.model.finding import Finding
from cairn.observe.lens import Around, Document
from cairn.observe.lens_h.cross_doc import CrossDoc


def look(pages: dict[str, str]) -> list[Finding]:
    documents = [Document(path, text) for path, text in pages.items()]
    return list(CrossDoc().look(Around(lambda: documents, frozenset({"docs"}))))


DECISIONS = {f"docs/adr/000{n}-x{n}.md": f"# {n}. Something\n\nStatus: accepted\n" for n in (1, 2, 3)}

CASES: dict[str, tuple[dict[str, str], list[tuple[str, str, str, int]]]] = {
    "two numbers": (
        {"a.md": "# A\n\nBackups are kept for 30 days.\n", "b.md": "Backups are kept for 90 days.\n"},
        [("P1", "contradiction", "a.md", 3)],
    ),
    "two lists": (
        {"a.md": "`ink_mode` must be one of `x`, `y`.\n", "b.md": "`ink_mode` must be one of `x`, `z`.\n"},
        [("P2", "contradiction", "a.md", 1)],
    ),
    "a page that replaces nothing": (
        {"a.md": "---\nname: a\nsupersedes: gone\n---\n# A\n"},
        [("P0", "supersedes-missing", "a.md", 3)],
    ),
    "a page that replaces one by its name": (
        {"a.md": "---\nsupersedes: old-thing\n---\n# A\n", "b.md": "---\nname: old-thing\nstatus: superseded\n---\n"},
        [],
    ),
    "a page outside": ({"a.md": "Supersedes: [that](https://example.org/a)\n"}, []),
    "replaced, and does not say so": (
        DECISIONS | {"docs/adr/0004-x4.md": "# 4. Other\n\nSupersedes ADR-0002\n"},
        [("P2", "superseded-unmarked", "docs/adr/0002-x2.md", 1)],
    ),
    "replaced, and says so": (
        {
            "docs/adr/0004-x4.md": "# 4. Other\n\nSupersedes [2](0002-x2.md)\n",
            "docs/adr/0002-x2.md": "# 2. Something\n\nStatus: superseded by [4](0004-x4.md)\n",
        },
        [],
    ),
    "cited as if it held": (
        {
            "guide.md": "# Guide\n\nFollow [the rules](old.md).\n\nAgain [the rules](old.md).\n",
            "old.md": "# Rules\n\nSuperseded by [new rules](new.md).\n",
            "new.md": "# New rules\n\nWe had [rules](old.md).\n",
        },
        [("P2", "superseded-cited", "guide.md", 3)],
    ),
    "cited as what it is": (
        {
            "guide.md": "The rules were [once others](old.md).\n",
            "index.md": "- [rules](old.md)\n",
            "old.md": "---\nstatus: deprecated\n---\n# Rules\n",
        },
        [],
    ),
    "a draft is not over": (
        {"guide.md": "See [plans](plans.md).\n", "plans.md": "---\nstatus: draft\n---\nBackups are kept for 9 days.\n"}
        | {"b.md": "Backups are kept for 90 days.\n"},
        [],
    ),
    "nothing replaced it": (
        {"guide.md": "See [b](b.md).\n", "b.md": "---\nsuperseded_by: null\ndeprecated: false\n---\n# B\n"},
        [],
    ),
    "a decision that nobody took": (
        DECISIONS | {"docs/guide.md": "As ADR-0001 and ADR-2 say.\n\nSee ADR-17.\n"},
        [("P1", "dead-reference", "docs/guide.md", 3)],
    ),
    "ids that live elsewhere": (
        {"a.md": "### US-1\n\nSee JIRA-1 and CVE-2024.\n", "b.md": "US-7, US-8 and US-9 are done. RFC-2119 too.\n"},
        [],
    ),
    "an id that is only shown": (DECISIONS | {"a.md": "Write it like ADR-99, or `ADR-98`.\n"}, []),
    "a heading that is gone": (
        {"a.md": "See [limits](b.md#rate-limit).\n", "b.md": "# B\n\n## Rate limits\n"},
        [("P2", "dead-reference", "a.md", 1)],
    ),
    "headings that are there": (
        {
            "a.md": "[x](b.md#rate-limits) [y](#here) [z](b.md#L3) [w](gone.md#x)\n\n## Here\n",
            "b.md": "## Rate limits\n",
        },
        [],
    ),
}


@pytest.mark.parametrize(("pages", "expected"), CASES.values(), ids=CASES)
def test_what_is_found(pages: dict[str, str], expected: list[tuple[str, str, str, int]]):
    found = [(one.severity, one.evidence["kind"], one.source_doc, one.line) for one in look(pages)]
    assert found == expected


ONE = {"a.md": "# A\n\nBackups are kept for 30 days.\n", "b.md": "Backups are kept for 90 days.\n"}


def test_a_contradiction_shows_both_sentences():
    [found] = look(ONE)
    assert found.lens == "H-cross-doc"
    assert found.title == "`a.md` and `b.md` give different numbers: 30 days and 90 days"
    claims: list[dict[str, Any]] = found.evidence["claims"]
    assert claims == [
        {"path": "a.md", "line": 3, "text": "Backups are kept for 30 days."},
        {"path": "b.md", "line": 1, "text": "Backups are kept for 90 days."},
    ]


EDITS = {
    "lines above": ONE | {"a.md": "# A\n\nHello.\n\nBackups are kept for 30 days.\n"},
    "another page": ONE | {"c.md": "# C\n\nThe moon is round.\n"},
    "another value": ONE | {"b.md": "Backups are kept for 60 days.\n"},
    "other words around it": ONE | {"b.md": "# B\n\nWell.\n\nBackups are kept for 90 days, and are encrypted.\n"},
}


@pytest.mark.parametrize("edited", EDITS.values(), ids=EDITS)
def test_the_id_survives_edits_that_do_not_mend_it(edited: dict[str, str]):
    assert [one.id for one in look(edited)] == [one.id for one in look(ONE)]


def test_another_page_is_another_finding():
    moved = {"a.md": ONE["a.md"], "c.md": ONE["b.md"]}
    assert {one.id for one in look(moved)}.isdisjoint(one.id for one in look(ONE))
