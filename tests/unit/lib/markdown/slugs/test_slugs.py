"""The table holds the anchors that the original renderers printed; `bench/slugs.py --table` writes it."""

import json
from pathlib import Path

import pytest

from cairn.lib.markdown.slugs import Renderer, accepted, anchors

_TABLE = json.loads((Path(__file__).parent / "originals.json").read_text())


def _of(*headings: str, renderer: Renderer = Renderer.GITHUB) -> list[str]:
    return anchors([(heading, ()) for heading in headings], renderer)


@pytest.mark.parametrize("renderer", _TABLE["anchors"])
@pytest.mark.parametrize("page", range(len(_TABLE["pages"])))
def test_anchors_equal_those_of_the_original(renderer: str, page: int) -> None:
    headings, expected = _TABLE["pages"][page], _TABLE["anchors"][renderer][page]
    assert dict(zip(enumerate(headings), _of(*headings, renderer=Renderer(renderer)), strict=True)) == dict(
        zip(enumerate(headings), expected, strict=True)
    )


def test_every_renderer_with_an_original_is_in_the_table() -> None:
    assert set(Renderer) - set(_TABLE["anchors"]) == {Renderer.MDBOOK, Renderer.ASTRO}


def test_github_keeps_the_variation_selector_of_a_dropped_emoji() -> None:
    assert _of("⚙️ Set-up") == ["\ufe0f-set-up"]


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("`--passes`: add more rustdoc passes", "--passes-add-more-rustdoc-passes"),
        ("Method-call 🐙 expressions \U0001f47c", "method-call--expressions-"),
        ("_-_12345", "_-_12345"),
        ("中文標題 CJK title", "中文標題-cjk-title"),
        ("Über", "über"),
        ("::", "section"),
        ("Title {#own}", "own"),
    ],
)
def test_mdbook_anchors_equal_those_in_its_own_tests(heading: str, anchor: str) -> None:
    assert _of(heading, renderer=Renderer.MDBOOK) == [anchor]


def test_an_id_next_to_the_heading_replaces_the_slug_where_attributes_exist() -> None:
    headings = [("Title", ("own",))]
    assert anchors(headings, Renderer.JEKYLL) == ["own"]
    assert anchors(headings, Renderer.GITHUB) == ["title"]


def test_accepted_has_the_anchors_of_older_versions() -> None:
    assert accepted([("A - b", ())], Renderer.GITLAB) == {"a---b", "a-b"}
    assert accepted([(":gear: Options", ())], Renderer.MKDOCS) == {"gear-options", "options"}


def test_accepted_has_both_readings_of_a_reference_link() -> None:
    assert accepted([("See [this][label]", ())], Renderer.GITHUB) == {"see-this", "see-thislabel"}


def test_a_heading_of_two_lines_is_slugged_as_one() -> None:
    assert _of("one\ntwo") == ["onetwo"]
    assert _of("one\ntwo", renderer=Renderer.MKDOCS) == ["one-two"]
