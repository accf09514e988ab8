from datetime import date
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cairn.core.model.knowledge import LAYOUTS, Corpus, Entry, EntryStatus, Layout, Source, Volatility
from cairn.knowledge.allowlist import parse_allowlist
from cairn.knowledge.fields import fields_by_name
from cairn.knowledge.read import MOST_PROBLEMS, EntryReading, deep_guidance, has_section, read_tolerant
from cairn.knowledge.routes import read_strict
from unit.knowledge.pages import BODY, CORPORA, LEAST, PATHS, page


def read(layout: Layout, frontmatter: dict[str, Any], body: str = BODY) -> EntryReading:
    return read_strict(PATHS[layout], page(frontmatter, body), CORPORA[layout])


def entry_of(text: str) -> EntryReading:
    return read_strict("kb/web/caching.md", text, CORPORA["entries"])


# --- strict: what comes out -----------------------------------------------------------------------------------------


def test_an_entry_with_everything() -> None:
    text = """---
name: caching
description: When to keep what was computed.
topics: [web, speed, web]
tags: [http]
volatility: fast-moving
last-reviewed: 2026-01-31
version-pin: "2021"
sources:
  - url: https://example.org/cache
    anchor: '#etag'
    retrieved: 2026-01-30
  - path: ./src/app.py#connect
status: beta
version_pin: true
owner: web
---
# All about caches

## Deep Guidance
"""
    found = entry_of(text)
    assert (found.errors, found.warnings) == ((), ())
    assert found.entry == Entry(
        path="kb/web/caching.md",
        kind="entry",
        name="caching",
        title="All about caches",
        summary="When to keep what was computed.",
        topics=("web", "speed", "http"),
        volatility=Volatility.FAST_MOVING,
        last_reviewed="2026-01-31",
        edition="2021",
        sources=(
            Source("url", "https://example.org/cache", "#etag", "2026-01-30"),
            Source("path", "src/app.py", "connect"),
        ),
        status=EntryStatus.BETA,
        version_frozen=True,
        extra={"owner": "web"},
    )


def test_a_node_is_known_by_its_id_and_keeps_its_own_keys() -> None:
    entry = read("nodes", {**LEAST["nodes"], "tags": ["a"], "depends_on": ["map-x"], "x_team": 3}).entry
    assert entry is not None
    assert (entry.name, entry.kind, entry.title) == ("practice-caching", "practice", "Caching")
    assert (entry.topics, entry.depends_on, entry.extra) == (("a",), ("map-x",), {"x_team": 3})


def test_a_procedure_depends_on_what_it_requires() -> None:
    entry = read("artefacts", {"id": "caching", "name": "Cache it", "requires": ["a", {"id": "b"}]}).entry
    assert entry is not None
    assert (entry.name, entry.kind, entry.title, entry.depends_on) == ("caching", "procedure", "Cache it", ("a", "b"))


@pytest.mark.parametrize("text", ["", "# Hello\n", "---\nstatus: published\nname: 3\nsources: yes\n---\n# Hello\n"])
def test_nothing_is_asked_of_a_plain_page(text: str) -> None:
    found = read_strict("docs/a/hello.md", text, CORPORA["plain"])
    assert (found.errors, found.warnings) == ((), ())
    assert found.entry is not None
    assert (found.entry.name, found.entry.status) == ("hello", None)


def test_a_file_that_is_no_page_of_the_corpus_is_not_judged() -> None:
    assert read_strict("kb/README.md", "no frontmatter", CORPORA["entries"]) == EntryReading(None)


# --- strict: what is wrong with a file ------------------------------------------------------------------------------

# (text, rule, line, part of the message)
FILES = {
    "nothing": ("", "entry-invalid", 1, "no frontmatter"),
    "text only": ("# Title\n", "entry-invalid", 1, "start the file with `---`"),
    "not closed": ("---\nname: x\n", "frontmatter-malformed", 1, "never closed"),
    "indented": ("  ---\n  name: x\n  ---\n", "frontmatter-malformed", 1, "must not be indented"),
    "a list": ("---\n- a\n---\n", "frontmatter-parse-error", 2, "must be a mapping"),
    "a key twice": ("---\nname: a\nname: b\n---\n", "frontmatter-parse-error", 3, "occurs twice"),
    "an alias": ("---\nname: b\ntitle: *a\n---\n", "frontmatter-parse-error", 3, "no anchor"),
    "a tag": ("---\nname: x\ntitle: !!python/name:os.system x\n---\n", "frontmatter-parse-error", 3, "tag"),
    "a tab": ("---\nname: a\n\ttitle: b\n---\n", "frontmatter-parse-error", 2, "not valid YAML"),
}


@pytest.mark.parametrize(("text", "rule", "line", "said"), FILES.values(), ids=FILES)
def test_a_file_that_cannot_be_read(text: str, rule: str, line: int, said: str) -> None:
    found = entry_of(text)
    assert found.entry is None
    (problem,) = found.errors
    assert (problem.rule, problem.line, problem.field) == (rule, line, "")
    assert said in problem.message


def test_a_byte_order_mark_and_carriage_returns_are_read_over() -> None:
    text = "\ufeff" + page(LEAST["entries"]).replace("\n", "\r\n")
    found = entry_of(text)
    assert found.entry is not None
    assert [problem.rule for problem in found.warnings] == ["frontmatter-malformed"]


def test_all_errors_come_at_once_in_the_order_of_the_file_with_their_lines() -> None:
    text = """---
# who wrote this?
name: Caching
topics:
  - web
  - 2024
volatility: often
sources:
- url: https://example.org
  hash: abc

- retrieved: 2026-02-30
  url: >-
    http://localhost/
last_reviewed: {year: 2026}
---
## Deep Guidance
"""
    found = entry_of(text)
    assert found.entry is None
    assert [(p.line, p.field) for p in found.errors] == [
        (1, "description"),
        (3, "name"),
        (3, "name"),
        (6, "topics[1]"),
        (7, "volatility"),
        (10, "sources[0].hash"),
        (12, "sources[1].retrieved"),
        (13, "sources[1].url"),
        (15, "last_reviewed"),
    ]
    assert {p.rule for p in found.errors} == {"entry-invalid", "name-mismatch"}
    assert all(p.message.startswith(f"`{p.field}` ") for p in found.errors)


def test_a_name_must_be_that_of_the_file() -> None:
    (problem,) = read("entries", {**LEAST["entries"], "name": "cache"}).errors
    assert (problem.rule, problem.fix) == ("name-mismatch", "name: caching")
    assert problem.message == "`name` is `cache`, but its file is called `caching`; make both the same."


def test_a_page_with_endless_problems_is_cut_short() -> None:
    found = read("entries", {**LEAST["entries"], "topics": [1] * 50_000})
    assert len(found.errors) == MOST_PROBLEMS + 1
    assert "more than 100 problems" in found.errors[-1].message


# --- strict: doubts -------------------------------------------------------------------------------------------------

ALLOWED = parse_allowlist("hosts: [example.org]\ngithub_repos: []\n")

# what is added to the smallest page, body, (rule, field, line) of each warning
DOUBTS: dict[str, tuple[dict[str, Any], str, list[tuple[str, str, int]]]] = {
    "none": ({"sources": [{"url": "https://www.example.org/a"}]}, BODY, []),
    "200 characters": ({"description": "x" * 200}, BODY, []),
    "201 characters": ({"description": "x" * 201}, BODY, [("description-long", "description", 3)]),
    "no source": ({"volatility": "fast-moving"}, BODY, [("fast-moving-unsourced", "volatility", 4)]),
    "no source, but slow": ({"volatility": "evolving", "sources": []}, BODY, []),
    "no section": ({}, "# Caching\n", [("section-missing", "", 5)]),
    "section in a fence": ({}, "```\n## Deep Guidance\n```\n", [("section-missing", "", 5)]),
    "section after a fence": ({}, "```\n## Deep Guidance\n```\n## Deep Guidance\n", []),
    "section spelled otherwise": ({}, "## Deep guidance\n", [("section-missing", "", 5)]),
    "fragment": (
        {"sources": [{"url": "https://example.org/#a"}]},
        BODY,
        [("url-fragment", "sources[0].url", 4)],
    ),
    "another host": (
        {"sources": [{"path": "a.py"}, {"url": "https://example.com/"}]},
        BODY,
        [("source-off-allowlist", "sources[1].url", 4)],
    ),
}


@pytest.mark.parametrize(("added", "body", "expected"), DOUBTS.values(), ids=DOUBTS)
def test_what_is_doubtful_is_a_warning(added: dict[str, Any], body: str, expected: list[tuple[str, str, int]]) -> None:
    text = page({**LEAST["entries"], **added}, body)
    found = read_strict(PATHS["entries"], text, CORPORA["entries"], allowlist=ALLOWED)
    assert found.entry is not None
    assert [(p.rule, p.field, p.line) for p in found.warnings] == expected


def test_without_a_list_of_hosts_every_host_will_do() -> None:
    text = page({**LEAST["entries"], "sources": [{"url": "https://example.com/"}]})
    assert (
        read_strict(PATHS["entries"], text, CORPORA["entries"], allowlist=parse_allowlist("hosts: []")).warnings == ()
    )
    assert read_strict(PATHS["entries"], text, CORPORA["entries"]).warnings == ()


def test_a_corpus_may_ask_for_other_sections() -> None:
    corpus = Corpus("kb", "kb", "entries", required_sections=("## Why", "How"))
    text = page(LEAST["entries"], "## Why\n### How ###\n")
    assert read_strict(PATHS["entries"], text, corpus).warnings == ()
    missing = read_strict(PATHS["entries"], page(LEAST["entries"], "## How\n"), corpus).warnings
    assert [p.fix for p in missing] == ["## Why"]
    none = corpus._replace(required_sections=())
    assert read_strict(PATHS["entries"], page(LEAST["entries"], "Just text.\n"), none).warnings == ()


@pytest.mark.parametrize("layout", ["nodes", "artefacts"])
def test_house_rules_of_one_layout_never_touch_another(layout: Layout) -> None:
    assert read(layout, LEAST[layout], "Just text.\n").warnings == ()


def test_a_field_that_is_wrong_is_not_doubted_as_well() -> None:
    found = read("entries", {**LEAST["entries"], "sources": [{"url": "http://localhost/#a"}]})
    assert [p.rule for p in found.errors] == ["entry-invalid"]
    assert found.warnings == ()


# --- tolerant -------------------------------------------------------------------------------------------------------

# frontmatter, and what is different from an entry that says its name only
TOLERANT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a name": ({"name": " a "}, {}),
    "volatility": ({"name": "a", "volatility": "hourly"}, {}),
    "topics": ({"name": "a", "topics": ["x", 3, None, "", "x"]}, {"topics": ("x",)}),
    "one topic": ({"name": "a", "topics": "x"}, {"topics": ("x",)}),
    "sources": (
        {"name": "a", "sources": [{"url": 3}, "x", {"anchor": "#b"}, {"url": "https://a.example/#c", "canon": -1}]},
        {"sources": (Source("url", "https://a.example/", "#c"),)},
    ),
    "a path out of the repository": ({"name": "a", "sources": [{"path": "../x"}, {"path": "/x"}]}, {}),
    "status": ({"name": "a", "status": "published"}, {"extra": {"status": "published"}}),
    "a date that is none": ({"name": "a", "last-reviewed": "soon"}, {"last_reviewed": "soon"}),
    "another layout's keys": (
        {"id": "b", "name": "a", "summary": "s", "tags": ["t"]},
        {"summary": "s", "topics": ("t",), "extra": {"id": "b"}},
    ),
    "an id alone": ({"id": "a"}, {}),
    "nulls": ({"name": "a", "version-pin": None, "last-reviewed": None}, {}),
}


@pytest.mark.parametrize(("frontmatter", "different"), TOLERANT.values(), ids=TOLERANT)
def test_the_best_of_what_is_there(frontmatter: dict[str, Any], different: dict[str, Any]) -> None:
    expected = Entry(**{"path": "kb/a.md", "kind": "entry", "name": "a", "title": "a", "summary": "", **different})
    assert read_tolerant("kb/a.md", frontmatter, kind="entry") == expected


@pytest.mark.parametrize("frontmatter", [{}, {"name": ""}, {"name": "  "}, {"name": 3}, {"name": None, "title": "x"}])
def test_without_a_name_there_is_no_entry(frontmatter: dict[str, Any]) -> None:
    assert read_tolerant("kb/a.md", frontmatter, kind="entry") is None


def test_decisions_and_plain_pages_are_known_by_their_file() -> None:
    decision = read_tolerant("docs/adr/0001-use-x.md", {"status": "accepted"}, kind="decision", body="# Use X\n")
    assert decision is not None
    assert (decision.name, decision.title, decision.status) == ("0001-use-x", "Use X", None)
    plain = read_tolerant("docs/a.md", {}, kind="entry", layout="plain")
    assert plain is not None
    assert plain.name == "a"


def test_a_comment_in_code_is_no_title() -> None:
    entry = read_tolerant("kb/a.md", {"name": "a"}, kind="entry", body="```sh\n# Install\n```\n")
    assert entry is not None
    assert entry.title == "a"


# --- sections -------------------------------------------------------------------------------------------------------

GUIDANCE = {
    "none": ("# A\n\nText.\n", "# A\n\nText.\n"),
    "one": ("# A\n## Deep Guidance\nDo it.\n", "Do it.\n"),
    "blanks and case": ("## deep guidance  \n\n### B\n", "### B\n"),
    "carriage returns": ("## Deep Guidance\r\nDo it.\r\n", "Do it.\r\n"),
    "the first of two": ("## Deep Guidance\na\n## Deep Guidance\nb", "a\n## Deep Guidance\nb"),
    "of another level": ("### Deep Guidance\na", "### Deep Guidance\na"),
    "with more behind it": ("## Deep Guidance for all\na", "## Deep Guidance for all\na"),
    "at the end": ("a\n## Deep Guidance", ""),
}


@pytest.mark.parametrize(("body", "expected"), GUIDANCE.values(), ids=GUIDANCE)
def test_what_an_agent_is_given(body: str, expected: str) -> None:
    assert deep_guidance(body) == expected


BLANKS = " " * 1_000_000
ENDLESS = {
    "headings in a fence": "```\n" + "## Deep Guidance\n" * 50_000 + "```\n",
    "blanks and no end": f"## Deep Guidance{BLANKS}x\n",
    "marks and no end": "## Deep Guidance" + " #" * 500_000 + "x\n",
    "a title of blanks": f"#{BLANKS}x\n",
}


@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_heading_takes_no_endless_time(body: str) -> None:
    """A pattern that goes back and forth would be at these for hours."""
    assert not has_section(body, "Deep Guidance")
    assert deep_guidance(body)
    assert read("entries", LEAST["entries"], body).entry is not None


# --- any text -------------------------------------------------------------------------------------------------------

SNIPPETS = """---
name: a
sources:
- url: x
  path: ../a
topics: [1, {a: b}]
x: !t
? a
last-reviewed: 2026-02-30
&a *a
kind: map
[
"""
PIECES = st.lists(
    st.sampled_from([*SNIPPETS.splitlines(keepends=True), "\t", "- ", "'", "{", "\r\n", "\0", "é", ": "]), max_size=14
).map("".join)

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(sorted({name for layout in LAYOUTS for name in fields_by_name(layout)}))


@given(st.sampled_from(LAYOUTS), st.text(max_size=60) | PIECES.map(lambda text: f"---\n{text}\n---\n"))
@example("nodes", "---\n? a\n: b\n---\n")
def test_no_text_brings_the_reader_down(layout: Layout, text: str) -> None:
    found = read_strict(PATHS[layout], text, CORPORA[layout])
    assert (found.entry is None) or not found.errors
    assert all(1 <= p.line <= text.count("\n") + 1 for p in (*found.errors, *found.warnings))


@given(st.sampled_from(LAYOUTS), st.dictionaries(KEYS | st.text(max_size=6), VALUES, max_size=8))
def test_no_mapping_brings_the_readers_down(layout: Layout, frontmatter: dict[str, Any]) -> None:
    found = read(layout, frontmatter)
    assert found.entry is None or found.entry == read_tolerant(
        PATHS[layout], frontmatter, kind=found.entry.kind, body=BODY, layout=layout
    )
    for kind in ("entry", "practice", "procedure", "route", "decision"):
        read_tolerant("a/b.md", frontmatter, kind=kind)


@given(st.dates().map(date.isoformat))
def test_every_day_is_a_date(day: str) -> None:
    assert read("entries", {**LEAST["entries"], "last-reviewed": day}).errors == ()
