"""Every extractor against its case file: what it emits for a small text, all of it and nothing else."""

from typing import Any

import pytest

from cairn.lib.markdown.frontmatter import parse
from cairn.plugin import Document
from unit.extensions.built_ins import bound, cases
from unit.extensions.fake_contexts import FakeExtractorContext

CASES = list(cases("extractor"))


@pytest.mark.parametrize(("extension", "case"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_case(extension: Any, case: dict[str, Any]) -> None:
    document = make_document(case)
    ctx = FakeExtractorContext(document, case.get("settings", {}))

    bound(extension, case).extract(ctx)

    if "meant" in case:  # the other links stand in examples
        meant = [link for link in ctx.links if not (link.get("data") or {}).get("example")]
        assert [f"{link['kind']} {link['target']}" for link in meant] == case["meant"]
    else:
        assert [f"{link['kind']} {link['target']}" for link in ctx.links] == case.get("links", [])
    for key, value in case.get("first", {}).items():
        assert ctx.links[0].get(key, False) == value, key
    assert ctx.nodes == case.get("nodes", [])
    assert sorted(ctx.facts) == sorted(case.get("facts", []))
    problems = [" ".join(problem[:3]).strip() for problem in ctx.facts.get("_problems", ())]
    assert sorted(problems) == sorted(case.get("problems", []))
    assert ctx.chips == case.get("chips", {})
    assert set(ctx.chips) <= set(extension.manifest.ui)


def make_document(case: dict[str, Any]) -> Document:
    """As a whole `text`, or in parts where that is enough."""
    path = case.get("path", "docs/a.md")
    if "text" not in case:
        return Document(path, case.get("frontmatter", {}), case.get("body", ""))
    parsed = parse(case["text"])
    return Document(path, parsed.frontmatter, parsed.body, parsed.body_line, case["text"])


@pytest.mark.parametrize(
    "body", ["", "\n", "[" * 2000, "@" * 2000, "/" * 2000, "`" * 2000, "[[" * 999, "a/" * 2000 + ".md"]
)
@pytest.mark.parametrize("extension", list(dict.fromkeys(c[1] for c in CASES)), ids=lambda e: type(e).__name__)
def test_hostile_text_gives_nothing_and_takes_no_time(extension: Any, body: str) -> None:
    ctx = FakeExtractorContext(Document("docs/a.md", {}, body))
    extension.extract(ctx)
    assert ctx.links == []
