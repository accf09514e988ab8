"""Texts that cannot give an anchor are not parsed; all others are."""

import pytest

from cairn.core.repository.repository import may_give


@pytest.mark.parametrize(
    ("anchor", "text"),
    [
        ("auth-endpoints-v2", "# Auth endpoints (v2)\n"),
        ("caf-bar", "## Café-Bar"),
        ("cafe-bar", "## Café-Bar"),
        ("über-uns", "# Über uns"),
        ("setup-1", "# Setup\n\n# Setup"),
        ("foobar", "### `foo.bar`"),
        ("a-link-here", "## A [link](https://example.org) here"),
        ("_set-up", "## ⚙️ Set-up"),
        ("中文", "# 中文"),
    ],
)
def test_a_text_that_may_give_it(anchor: str, text: str) -> None:
    assert may_give(anchor, text)


@pytest.mark.parametrize("text", ["", "# Auth\n\nendpoints v2\n", "# Endpoints of auth v2\n"])
def test_a_text_that_cannot(text: str) -> None:
    assert not may_give("auth-endpoints-v2", text)
