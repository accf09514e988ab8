"""Where knowledge is found without anybody saying so."""

from typing import Any

import pytest

from cairn.knowledge.detect import SAMPLE, detect

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
