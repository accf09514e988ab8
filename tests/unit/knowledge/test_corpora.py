"""The corpora of a workspace, from its settings or from its files."""

import json
from pathlib import Path
from typing import Any

import pytest

from cairn.app.build import App, build_app
from cairn.core.model.knowledge import Corpus, Layout
from cairn.errors import ConfigError
from cairn.knowledge.base import KnowledgeBase
from cairn.knowledge.corpora import (
    SAMPLE,
    category_of,
    detect,
    folders_of,
    is_decision,
    kind_of,
    suffixes_of,
    with_a_place_to_write,
)
from cairn.lib.document.document import DOCUMENTS


def app(root: Path, corpora: Any = None, **files: str) -> App:
    said = {} if corpora is None else {"corpora": corpora}
    for path, text in {".cairn/settings.json": json.dumps(said), **files}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return build_app(root, env={}, tracked=lambda _: ())


@pytest.mark.parametrize(
    ("said", "corpora"),
    [
        ({"kb": {"root": "a/b/", "layout": "nodes"}}, [("kb", "a/b", "nodes", None)]),
        ({"kb": {"layout": "plain"}}, [("kb", "kb", "plain", None)]),
        ({"kb": {"root": "./kb/../docs"}}, [("kb", "docs", "entries", None)]),
        ({"all": {"root": ".", "layout": "plain"}}, [("all", "", "plain", None)]),
        ({"kb": {"required_sections": []}}, [("kb", "kb", "entries", ())]),
        ({"kb": {"required_sections": ["Why", "How"]}}, [("kb", "kb", "entries", ("Why", "How"))]),
        (
            {"b": {"root": "docs/b"}, "a": {"root": "docs", "layout": "plain"}},
            [("a", "docs", "plain", None), ("b", "docs/b", "entries", None)],
        ),
    ],
)
def test_as_the_settings_say(tmp_path: Path, said: Any, corpora: Any):
    assert [tuple(corpus)[:4] for corpus in app(tmp_path, said).corpora] == corpora


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"a": {"layout": "tree"}}, "'corpora.a.layout' expects one of entries, nodes, artefacts, plain, not \"tree\""),
        ({"a": {"root": "../other"}}, "names '../other', which is outside the repository"),
        ({"a": {"root": "/etc"}}, "outside the repository"),
        ({"a": {"root": ""}}, "'corpora.a.root' expects a text"),
        ({"a": {"roots": "x"}}, "did you mean 'corpora.a.root'"),
        ({"a": "docs"}, "'corpora.a' is a group of settings and must be an object"),
        (
            {"a": {"root": "docs", "layout": "plain"}, "b": {"root": "docs/.", "layout": "entries"}},
            "`a` (layout plain) and `b` (layout entries) both have the folder `docs`; a folder has one layout",
        ),
        ({"a": {"root": "README.md"}}, "`README.md`, which is a file; name the folder"),
    ],
)
def test_what_cannot_be_is_one_sentence(tmp_path: Path, said: Any, words: str):
    with pytest.raises(ConfigError) as caught:
        _ = app(tmp_path, said, **{"README.md": "# Read me\n"}).corpora
    assert words in caught.value.message
    assert "\n" not in caught.value.message


def test_as_the_files_show(tmp_path: Path):
    pages = {f"docs/{name}.md": "# A page\n" for name in "abc"}
    assert [corpus.root for corpus in app(tmp_path, **pages).corpora] == ["docs"]
    assert app(tmp_path / "empty").corpora == ()


def test_what_git_ignores_is_not_found(tmp_path: Path):
    pages = {f"docs/{name}.md": "# A page\n" for name in "abc"}
    assert app(tmp_path, **pages, **{".gitignore": "docs/\n"}).corpora == ()


def test_a_corpus_that_is_not_there_yet_takes_no_part(tmp_path: Path):
    here = app(tmp_path, {"knowledge": {"root": "knowledge"}, "docs": {"layout": "plain"}}, **{"docs/a.md": "# A\n"})
    assert [corpus.name for corpus in here.knowledge.corpora] == ["docs"]


def test_the_list_of_hosts_is_read_when_it_is_there(tmp_path: Path):
    listed = {"docs/knowledge-freshness/authoritative-sources.yaml": "hosts: [example.org]\n", "pages/a.md": ""}
    assert app(tmp_path, {"pages": {}}, **listed).knowledge.allowlist == ""
    assert app(tmp_path, {"pages": {"root": "pages"}}, **listed).knowledge.allowlist == "hosts: [example.org]\n"


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({}, ("knowledge", "knowledge")),
        ({f"docs/{name}.md": "# A\n" for name in "abc"}, ("knowledge", "knowledge")),
        ({"knowledge/a.md": "# Somebody's\n"}, ("entries", "knowledge/entries")),
    ],
)
def test_pages_of_somebody_else_are_asked_for_nothing(tmp_path: Path, files: dict[str, str], place: tuple[str, str]):
    made = with_a_place_to_write(app(tmp_path, **files).corpora)
    assert [(corpus.name, corpus.root) for corpus in made if corpus.layout == "entries"] == [place]
    assert not any(corpus.layout == "entries" and corpus.holds(path) for corpus in made for path in files)


ENTRY = "---\nname: a\ndescription: about a\n---\n# A\n"
NODE = "---\nid: practice-a\nkind: practice\n---\n"
PROCEDURE = "---\nid: renew\nstatus: stable\n---\n"
PAGE = "# A page\n"
ROUTES = '{"paths": [{"id": "a", "sources": []}]}'

STORIES: dict[str, tuple[dict[str, str], list[tuple[str, str, str]]]] = {
    "nothing": ({"README.md": PAGE, "src/notes.md": PAGE}, []),
    "entries in the usual places": (
        {"content/knowledge/security/a.md": ENTRY, "content/knowledge/README.md": PAGE},
        [("knowledge", "content/knowledge", "entries")],
    ),
    "entries, half of them without frontmatter": (
        {"knowledge/x/a.md": ENTRY, "knowledge/x/b.md": PAGE},
        [("knowledge", "knowledge", "entries")],
    ),
    "a folder of that name with other pages": (
        {"knowledge/x/a.md": PAGE, "src/knowledge/b.md": PAGE},
        [("knowledge", "knowledge", "plain")],
    ),
    "documentation that is written large": ({f"Docs/{name}.md": PAGE for name in "abc"}, [("docs", "Docs", "plain")]),
    "only a README": ({"knowledge/README.md": ENTRY}, []),
    "a skill that is called knowledge": ({".claude/skills/knowledge/SKILL.md": ENTRY}, []),
    "skills in a folder that is called knowledge": ({"knowledge/a/SKILL.md": ENTRY}, []),
    "nodes": (
        {".ai/knowledge-base/nodes/practice/practice-a.md": NODE, ".ai/knowledge-base/INDEX.md": PAGE},
        [("knowledge-base", ".ai/knowledge-base", "nodes")],
    ),
    "nodes in folders by topic": (
        {
            ".ai/knowledge-base/ENTRY.md": PAGE,
            ".ai/knowledge-base/nodes/index.md": PAGE,
            ".ai/knowledge-base/nodes/shop/prices/practice-a.md": NODE,
            ".ai/knowledge-base/nodes/practice/practice-b.md": NODE,
        },
        [("nodes", ".ai/knowledge-base/nodes", "plain")],
    ),
    "an entry page of something else": ({"ENTRY.md": PAGE, "src/nodes/a/b.md": PAGE}, []),
    "folders that only look like nodes": ({"nodes/map/a.md": PAGE}, []),
    "procedures in the repository itself": (
        {"skills/renew/canonical.md": PROCEDURE, "skills/renew/research-report.md": PAGE},
        [("repository", "", "artefacts")],
    ),
    "routes": ({"corpus/paths/index.json": ROUTES}, [("corpus", "corpus", "artefacts")]),
    "another index of paths": ({"corpus/paths/index.json": '{"openapi": "3.1.0", "paths": {"/pets": {}}}'}, []),
    "no JSON": ({"corpus/paths/index.json": "[" * 100_000}, []),
    "skills of an agent host": ({"skills/a/SKILL.md": ENTRY, ".agents/skills/b/SKILL.md": ENTRY}, []),
    "documentation": (
        {f"docs/{name}.md": PAGE for name in "abc"},
        [("docs", "docs", "plain")],
    ),
    "too little documentation": ({"docs/a.md": PAGE, "docs/b.md": PAGE}, []),
    "documentation with decisions in it": (
        {"docs/a.md": PAGE, "docs/b.md": PAGE, "docs/adr/0001-x.md": PAGE},
        [("docs", "docs", "plain")],
    ),
    "decisions alone, and in packages": (
        {"docs/adr/0001-x.md": PAGE, "packages/a/docs/adr/0002-y.md": PAGE},
        [("adr", "docs/adr", "plain"), ("packages-a-docs-adr", "packages/a/docs/adr", "plain")],
    ),
    "a decision without a number": (
        {"decisions/queue.md": "# Queue\n\n## Status\n\nAccepted\n"},
        [("decisions", "decisions", "plain")],
    ),
    "other decisions": ({"decisions/list.md": PAGE}, []),
    "knowledge within documentation": (
        {**{f"docs/{name}.md": PAGE for name in "abc"}, "docs/knowledge/x/a.md": ENTRY},
        [("docs", "docs", "plain"), ("knowledge", "docs/knowledge", "entries")],
    ),
    "material of tests": (
        {"tests/fixtures/knowledge/x/a.md": ENTRY, "vendor/x/docs/adr/0001-x.md": PAGE},
        [],
    ),
}


@pytest.mark.parametrize("story", STORIES)
def test_story(story: str) -> None:
    files, wanted = STORIES[story]
    assert [tuple(corpus)[:3] for corpus in detect(sorted(files), files.__getitem__)] == wanted


def test_only_a_sample_is_opened() -> None:
    opened: list[str] = []

    def read(path: str) -> str:
        opened.append(path)
        return ENTRY

    found = detect([f"knowledge/x/{number:05d}.md" for number in range(5_000)], read)
    assert [corpus.root for corpus in found] == ["knowledge"]
    assert len(opened) == SAMPLE


@pytest.mark.parametrize("text", ["", "---\n", "---\nname: [\n---\n", "---\nname: 1\ndescription: 2\n---\n"])
def test_whatever_a_page_says(text: Any) -> None:
    found = detect(["knowledge/a.md", "knowledge/nodes/map/b.md"], lambda _: text)
    assert [(corpus.root, corpus.layout) for corpus in found] == [("knowledge", "plain")]


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
