"""New pages: where they go, what they say, how often they are looked at."""

from dataclasses import replace

import pytest

from cairn.core.model.knowledge import Corpus, Source
from cairn.errors import UsageError
from cairn.knowledge.new_page import PageDraft, advise, category_for, kind_for, page_path, render
from cairn.knowledge.routes import read_strict

ENTRIES = Corpus("knowledge", "knowledge", "entries")
NODES = Corpus("base", ".ai/knowledge-base", "nodes")
ARTEFACTS = Corpus("shelf", "shelf", "artefacts")
PLAIN = Corpus("docs", "", "plain")
DRAFT = PageDraft("a-page", "A page", "It says: yes.", "entry", "patterns", today="2026-06-05")
HASH = "sha256:" + "0" * 64


@pytest.mark.parametrize(
    ("corpus", "draft", "path"),
    [
        (ENTRIES, DRAFT, "knowledge/patterns/a-page.md"),
        (NODES, replace(DRAFT, kind="map", name="map-a-page"), ".ai/knowledge-base/nodes/map/map-a-page.md"),
        (ARTEFACTS, replace(DRAFT, kind="procedure"), "shelf/skills/a-page/canonical.md"),
        (PLAIN, DRAFT, "patterns/a-page.md"),
    ],
    ids=lambda value: getattr(value, "layout", ""),
)
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"body": "Text.\n\n## Deep Guidance\n\nMore."},
        {"body": "# Own title\n\nText."},
        {"topics": ("yes", "b"), "relates_to": ("other",), "confidence": "low"},
        {"sources": (Source("path", "src/a.py", "f", "2026-06-05", HASH), Source("url", "https://a.example", "#b"))},
        {"title": "Colons: and # marks", "summary": "- a 'quoted' \"thing\""},
    ],
    ids=["plain", "own section", "own title", "lists", "sources", "odd text"],
)
def test_the_page_is_one_that_its_corpus_takes(corpus, draft, path, more):
    draft = replace(draft, **more)
    assert page_path(corpus, draft) == path
    reading = read_strict(path, render(corpus, draft), corpus)
    assert reading.errors == ()
    assert reading.warnings == ()
    assert reading.entry is not None
    if corpus.layout != "plain":
        assert (reading.entry.name, reading.entry.summary) == (draft.name, draft.summary)
        assert reading.entry.sources == draft.sources


def test_every_section_that_the_corpus_asks_for_is_there_once():
    corpus = ENTRIES._replace(required_sections=("Summary", "## Deep Guidance"))
    for body in ("", "Text.", "## Summary\n\nShort.", "## Deep Guidance\n\nLong.\n\n## Summary\n\nShort."):
        text = render(corpus, replace(DRAFT, body=body))
        assert (text.count("## Summary"), text.count("## Deep Guidance")) == (1, 1), body
    assert "##" not in render(ENTRIES._replace(required_sections=()), DRAFT)


@pytest.mark.parametrize("corpus", [ENTRIES, PLAIN], ids=lambda corpus: corpus.layout)
def test_a_text_that_brings_its_title_has_it_once_and_first(corpus):
    lines = render(corpus, replace(DRAFT, body="# Own title\n\nText.")).splitlines()
    assert next(line for line in lines if line.startswith("#")) == "# Own title"
    assert "# A page" not in lines
    assert lines[-1] == "Text."


def test_nobody_has_looked_at_an_empty_page():
    assert "last-reviewed: null\n" in render(ENTRIES, DRAFT)
    assert "last-reviewed: 2026-06-05\n" in render(ENTRIES, replace(DRAFT, body="Text."))


ADVICE = [
    ((Source("url", "https://docs.vendor.example/api"),), "patterns", "fast-moving"),
    ((Source("url", "https://www.rfc-editor.org/rfc/rfc9110"),), "web", "evolving"),
    ((Source("url", "https://owasp.org/Top10"), Source("url", "https://vendor.example")), "web", "fast-moving"),
    ((Source("path", "src/a.py"),), "code", "evolving"),
    ((), "patterns", "stable"),
    ((), "design/principles", "stable"),
    ((), "billing", "evolving"),
]


@pytest.mark.parametrize(("sources", "category", "tier"), ADVICE)
def test_how_fast_the_subject_moves(sources, category, tier):
    advice = advise(replace(DRAFT, sources=sources, category=category))
    assert advice.volatility == tier
    assert advice.why


@pytest.mark.parametrize(
    ("corpus", "wanted", "kind"),
    [
        (ENTRIES, None, "entry"),
        (ENTRIES, "map", "map"),
        (NODES, "practice", "practice"),
        (ARTEFACTS, None, "procedure"),
    ],
)
def test_the_kind(corpus, wanted, kind):
    assert kind_for(corpus, wanted) == kind


@pytest.mark.parametrize(
    ("corpus", "kind", "wanted", "known", "category"),
    [
        (ENTRIES, "entry", "web/http", (), "web/http"),
        (ENTRIES, "entry", None, ("web",), "web"),
        (ENTRIES, "entry", None, (), "general"),
        (ENTRIES, "practice", None, ("web", "b"), "practice"),
        (ENTRIES, "decision", None, (), "decisions"),
        (NODES, "map", None, (), ""),
        (PLAIN, "entry", None, ("a", "b"), ""),
    ],
)
def test_the_category(corpus, kind, wanted, known, category):
    assert category_for(corpus, kind, wanted, known) == category


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: kind_for(NODES, None), "--kind"),
        (lambda: kind_for(NODES, "entry"), "practice, map"),
        (lambda: category_for(NODES, "map", "web", ()), "no category"),
        (lambda: category_for(ENTRIES, "entry", None, ("a", "b")), "a, b"),
        (lambda: category_for(ENTRIES, "entry", "../up", ()), "lower-case"),
        (lambda: category_for(ENTRIES, "entry", "Web", ()), "lower-case"),
        (lambda: category_for(ENTRIES, "map", "web", ()), "lies in `map`"),
    ],
)
def test_what_does_not_fit_is_said(ask, said):
    with pytest.raises(UsageError) as refused:
        ask()
    assert said in refused.value.message
