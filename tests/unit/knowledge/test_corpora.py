"""The corpora of a workspace, from its settings or from its files."""

import json
from pathlib import Path
from typing import Any

import pytest

from cairn.app.build import App, build_app
from cairn.errors import ConfigError
from cairn.knowledge.corpora import SAMPLE, detect, with_a_place_to_write


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
