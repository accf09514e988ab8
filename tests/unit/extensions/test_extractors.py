"""Every extractor against its case file: what it emits for a small text, all of it and nothing else."""

from typing import Any

import pytest

from cairn.plugin import Document
from unit.extensions.built_ins import cases
from unit.extensions.fake_contexts import FakeExtractorContext

CASES = list(cases("extractor"))


@pytest.mark.parametrize(("extension", "case"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_case(extension: Any, case: dict[str, Any]) -> None:
    document = Document(case.get("path", "docs/a.md"), case.get("frontmatter", {}), case.get("body", ""))
    ctx = FakeExtractorContext(document, case.get("settings", {}))

    extension.extract(ctx)

    assert [f"{link['kind']} {link['target']}" for link in ctx.links] == case.get("links", [])
    for key, value in case.get("first", {}).items():
        assert ctx.links[0].get(key, False) == value, key
    assert ctx.nodes == case.get("nodes", [])
    assert ctx.chips == case.get("chips", {})
    assert set(ctx.chips) <= set(extension.manifest.ui)


@pytest.mark.parametrize(
    "body", ["", "\n", "[" * 2000, "@" * 2000, "/" * 2000, "`" * 2000, "[[" * 999, "a/" * 2000 + ".md"]
)
@pytest.mark.parametrize("extension", list(dict.fromkeys(c[1] for c in CASES)), ids=lambda e: type(e).__name__)
def test_hostile_text_gives_nothing_and_takes_no_time(extension: Any, body: str) -> None:
    ctx = FakeExtractorContext(Document("docs/a.md", {}, body))
    extension.extract(ctx)
    assert ctx.links == []
