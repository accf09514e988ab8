"""Which file of a corpus is what."""

import pytest

from cairn.core.model.knowledge import Corpus, Layout
from cairn.knowledge.base import KnowledgeBase
from cairn.knowledge.layouts import category_of, folders_of, is_decision, kind_of, suffixes_of
from cairn.lib.document.outline import DOCUMENTS

KINDS: list[tuple[Layout, str, str | None]] = [
    ("entries", "kb/security/tokens.md", "entry"),
    ("entries", "kb/security/deep/er/tokens.md", "entry"),
    ("entries", "kb/tokens.md", "entry"),
    ("entries", "kb/practice/reviews.md", "practice"),
    ("entries", "kb/map/billing.md", "map"),
    ("entries", "kb/decisions/0001-queue.md", "decision"),
    ("entries", "kb/adr/0001-queue.md", "decision"),
    ("entries", "kb/ADRs/0001-queue.md", "decision"),
    ("entries", "kb/security/README.md", None),
    ("entries", "kb/INDEX.md", None),
    ("entries", "kb/GRAPH.md", None),
    ("entries", "kb/tool/SKILL.md", None),
    ("entries", "kb/security/tokens.json", None),
    ("entries", "kb/VERSION", None),
    ("nodes", "kb/nodes/practice/practice-reviews.md", "practice"),
    ("nodes", "kb/nodes/map/map-billing.md", "map"),
    ("nodes", "kb/nodes/map/index.md", None),
    ("nodes", "kb/nodes/other/x.md", None),
    ("nodes", "kb/nodes/x.md", None),
    ("nodes", "kb/INDEX.md", None),
    ("nodes", "kb/_sessions/20260101-1200-x.md", None),
    ("artefacts", "kb/skills/renew-card/canonical.md", "procedure"),
    ("artefacts", "kb/skills/renew-card/research-report.md", None),
    ("artefacts", "kb/skills/renew-card/SKILL.md", None),
    ("artefacts", "kb/skills/canonical.md", None),
    ("artefacts", "kb/paths/index.json", "routes"),
    ("artefacts", "kb/paths/other.json", None),
    ("artefacts", "kb/index.json", None),
    ("plain", "kb/guide.md", "entry"),
    ("plain", "kb/README.md", "entry"),
    ("plain", "kb/GUIDE.MD", "entry"),
    ("plain", "kb/adr/0001-queue.md", "decision"),
    ("plain", "kb/adr/README.md", "entry"),
    ("plain", "kb/adr/template.md", "entry"),
    ("plain", "kb/decisions/2024/0001-queue.md", "decision"),
    ("plain", "kb/picture.png", None),
]


@pytest.mark.parametrize(("layout", "path", "kind"), KINDS)
def test_kind(layout: Layout, path: str, kind: str | None) -> None:
    assert kind_of(Corpus("kb", "kb", layout), path) == kind


@pytest.mark.parametrize(("layout", "path", "kind"), KINDS)
def test_the_repository_itself_may_be_the_corpus(layout: Layout, path: str, kind: str | None) -> None:
    assert kind_of(Corpus("kb", "", layout), path.removeprefix("kb/")) == kind


@pytest.mark.parametrize(("layout", "path", "kind"), [row for row in KINDS if row[2]])
def test_pages_lie_where_the_corpus_says_that_it_has_some(layout: Layout, path: str, kind: str) -> None:
    corpus = Corpus("kb", "kb", layout)
    assert path.startswith(folders_of(corpus))
    assert path.lower().endswith(suffixes_of(corpus))


def test_a_folder_of_decisions_is_known_by_its_own_name() -> None:
    assert kind_of(Corpus("adr", "packages/a/docs/adr", "plain"), "packages/a/docs/adr/0001-x.md") == "decision"
    assert not is_decision("adrian/notes.md")


def test_of_nested_corpora_the_innermost_decides() -> None:
    outer, inner = Corpus("docs", "docs", "plain"), Corpus("knowledge", "docs/knowledge", "entries")
    base = KnowledgeBase((inner, outer))
    assert base.kind("docs/knowledge/README.md") is None
    assert base.kind("docs/README.md") == "entry"
    assert base.kind("docs/knowledge/practice/x.md") == "practice"
    assert base.kind("src/x.md") is None
    assert (base.layout("docs/knowledge/a/x.md"), base.layout("docs/x.md")) == ("entries", "plain")


@pytest.mark.parametrize(
    ("corpora", "folders"),
    [
        ((Corpus("a", "a", "plain"), Corpus("b", "b/c", "nodes")), ("a/", "b/c/nodes/")),
        ((Corpus("a", "", "artefacts"),), ("skills/", "paths/")),
        ((Corpus("a", "", "plain"), Corpus("b", "b", "nodes")), ()),
        ((), ()),
    ],
)
def test_folders_of_a_base(corpora: tuple[Corpus, ...], folders: tuple[str, ...]) -> None:
    assert KnowledgeBase(corpora).folders() == folders


def test_only_artefacts_need_json() -> None:
    assert KnowledgeBase((Corpus("b", "b", "entries"), Corpus("c", "c", "nodes"))).suffixes() == (".md",)
    assert KnowledgeBase((Corpus("a", "a", "artefacts"),)).suffixes() == (".md", "index.json")


def test_documentation_has_pages_of_every_format() -> None:
    assert KnowledgeBase((Corpus("a", "a", "plain"),)).suffixes() == tuple(sorted(DOCUMENTS))


def test_the_stamp_tells_bases_apart() -> None:
    one = KnowledgeBase((Corpus("a", "a", "plain"),))
    other = (one._replace(corpora=(Corpus("a", "a", "entries"),)), one._replace(allowlist="hosts: [a.b]"))
    assert len({one.stamp, *(base.stamp for base in other)}) == 3
    assert KnowledgeBase((Corpus("a", "a", "plain"),)).stamp == one.stamp


@pytest.mark.parametrize(
    ("path", "category"), [("kb/security/a.md", "security"), ("kb/x/y/a.md", "x/y"), ("kb/a.md", "")]
)
def test_category(path: str, category: str) -> None:
    assert category_of(Corpus("kb", "kb", "entries"), path) == category
