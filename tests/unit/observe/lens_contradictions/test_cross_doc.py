"""What lens H finds in a set of documents, and that a finding stays the same while it is the same thing."""

import pytest

from cairn.core.model.lens import Finding
from cairn.observe.lens import LensDocument, LensView
from cairn.observe.lens_contradictions.cross_doc import CrossDoc


def look(pages: dict[str, str]) -> list[Finding]:
    documents = [LensDocument(path, text) for path, text in pages.items()]
    return list(CrossDoc().look(LensView(lambda: documents, frozenset({"docs"}))))


DECISIONS = {f"docs/adr/000{n}-x{n}.md": f"# {n}. Something\n\nStatus: accepted\n" for n in (1, 2, 3)}

CASES: dict[str, tuple[dict[str, str], list[tuple[str, str, str, int]]]] = {
    "two numbers": (
        {"a.md": "# A\n\nBackups are kept for 30 days.\n", "b.md": "Backups are kept for 90 days.\n"},
        [],
    ),
    "a rule and its opposite": ({"a.md": "Always squash commits.\n", "b.md": "Never squash commits.\n"}, []),
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
        [("P3", "superseded-cited", "guide.md", 3)],
    ),
    "cited beside its successor, or in an index": (
        {
            "guide.md": "The [rules](new.md) were [others](old.md).\n",
            "index.md": "- [rules](old.md)\n",
            "old.md": "---\nsuperseded_by: new.md\n---\n# Rules\n",
            "new.md": "# New rules\n",
        },
        [],
    ),
    "cited without a successor to link to": (
        {"guide.md": "Follow [the rules](old.md).\n", "old.md": "---\nstatus: deprecated\n---\n# Rules\n"},
        [],
    ),
    "words at the top of a page are no mark": (
        {"guide.md": "See [b](b.md).\n", "b.md": "# B\n\nThis page is outdated, and [c](c.md) is better.\n"}
        | {"c.md": "# C\n\nReplaces the old [page](b.md) in part.\n"},
        [],
    ),
    "a label with a colon may have a remark": (
        {"a.md": "# A\n\nReplaces: [b](b.md) in the build container\n", "b.md": "# B\n"},
        [("P2", "superseded-unmarked", "b.md", 1)],
    ),
    "a status field may have a remark": (
        {
            "guide.md": "See [old](old.md).\n",
            "old.md": "# Old\n\n**Status**: accepted, superseded by [new](new.md) since May\n",
            "new.md": "# New\n",
        },
        [("P3", "superseded-cited", "guide.md", 1)],
    ),
    "a sentence that begins like a label is no mark": (
        {
            "a.md": "# A\n\nReplaces [npm](npm.md) in the build container only; laptops keep using npm.\n",
            "npm.md": "# npm\n",
        },
        [],
    ),
    "a sentence about a status is no mark": (
        {
            "guide.md": "See [old](old.md).\n",
            "old.md": "# Old\n\nThe status page was superseded by [new](new.md)\n",
            "new.md": "# New\n",
        },
        [],
    ),
    "replaced, and links to its successor": (
        {"a.md": "---\nsupersedes: b.md\n---\n# A\n", "b.md": "# B\n\nSee [a](a.md) for more.\n"},
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
        [("P3", "dead-reference", "docs/guide.md", 3)],
    ),
    "ids that are numbers of a tracker": (
        {f"seps/{n}-x.md": f"# SEP-{n}: Something\n" for n in (985, 1024, 1319)}
        | {"seps/1400-x.md": "# SEP-1400: Other\n\nSupersedes: SEP-1002\n\nSee SEP-985, SEP-1024 and SEP-1335.\n"},
        [],
    ),
    "an id of these documents that a page supersedes and that is missing": (
        DECISIONS | {"docs/adr/0004-x4.md": "# 4. Other\n\nSupersedes: ADR-9\n"},
        [("P0", "supersedes-missing", "docs/adr/0004-x4.md", 3)],
    ),
    "ids that live elsewhere": (
        {"a.md": "### US-1\n\nSee JIRA-1 and CVE-2024.\n", "b.md": "US-7, US-8 and US-9 are done. RFC-2119 too.\n"},
        [],
    ),
    "an id in quotes or code": (
        DECISIONS | {"a.md": 'ADR-1, ADR-2 and ADR-3 hold. Write it as “ADR-99”, "see ADR-97", or `ADR-98`.\n'},
        [],
    ),
    "an id in a sentence with an example": (
        DECISIONS | {"a.md": "ADR-1, ADR-2 and ADR-3 hold, for example. Others are like ADR-99.\n"},
        [("P3", "dead-reference", "a.md", 1)],
    ),
    "an id in a sentence about replacing": (
        DECISIONS | {"a.md": "# A\n\nADR-1, ADR-2 and ADR-3 hold.\n\nReplaces parts of ADR-9.\n"},
        [("P3", "dead-reference", "a.md", 5)],
    ),
    "a page about the past": (
        DECISIONS
        | {"CHANGELOG.md": "Supersedes: gone.md\n\nSee ADR-9.\n", "docs/old/a.md": "# A\n"}
        | {"b.md": "# B\n\nSupersedes: [a](docs/old/a.md)\n"},
        [],
    ),
}


@pytest.mark.parametrize(("pages", "expected"), CASES.values(), ids=CASES)
def test_the_lens_reports_broken_marks_and_ids(
    pages: dict[str, str], expected: list[tuple[str, str, str, int]]
) -> None:
    found = [(one.severity, one.evidence["kind"], one.source_doc, one.line) for one in look(pages)]
    assert found == expected


def test_pages_that_are_over_are_not_compared() -> None:
    pages = {"a.md": "# A\n", "old.md": "# Old\n\nStatus: superseded\n", "CHANGELOG.md": "# Changes\n"}
    compared: list[str] = []
    documents = [LensDocument(path, text) for path, text in pages.items()]
    lens = CrossDoc(lambda some: compared.extend(one.path for one in some) or [])
    assert list(lens.look(LensView(lambda: documents, frozenset({"docs"})))) == [] and compared == ["a.md"]


ONE = {"a.md": "# A\n\nSupersedes: [b](b.md)\n", "b.md": "# B\n\n## Rate limits\n"}


def test_a_finding_names_the_problem_the_evidence_and_the_fix() -> None:
    [found] = look(ONE)
    assert found.lens == "H-cross-doc"
    assert found.title == "`b.md` has no link to `a.md`, which supersedes it"
    assert found.description == "Line 3 of `a.md` says “Supersedes: [b](b.md)”; the old page does not."
    assert found.fix_hint == "Write `Superseded by` and a link to `a.md` at the top of `b.md`."


EDITS = {
    "lines above": ONE | {"a.md": "# A\n\nHello.\n\nSupersedes: [b](b.md)\n"},
    "another page": ONE | {"c.md": "# C\n\nThe moon is round.\n"},
    "another label": ONE | {"a.md": "# A\n\nStatus: accepted\n\n**Replaces**: [the limits](b.md)\n"},
}


@pytest.mark.parametrize("edited", EDITS.values(), ids=EDITS)
def test_the_id_survives_edits_that_do_not_mend_it(edited: dict[str, str]) -> None:
    assert [one.id for one in look(edited)] == [one.id for one in look(ONE)]


def test_another_page_is_another_finding() -> None:
    moved = {"c.md": ONE["a.md"], "b.md": ONE["b.md"]}
    assert {one.id for one in look(moved)}.isdisjoint(one.id for one in look(ONE))
