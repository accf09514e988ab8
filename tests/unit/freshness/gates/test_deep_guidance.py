"""The sections that a corpus asks for."""

import pytest

from cairn.core.model.change import Level
from cairn.core.model.knowledge import Corpus
from cairn.freshness.gates.deep_guidance import DeepGuidance
from judging import CORPUS, PATH, judge, page


@pytest.mark.parametrize(
    ("body", "level"),
    [
        ("## Deep Guidance\n\nText.\n", Level.PASS),
        ("Intro.\n\n## Deep Guidance   \n", Level.PASS),
        ("## Deep Guidance ##\n", Level.PASS),
        ("## Deep Guidance\r\n\r\nText.\r\n", Level.PASS),
        ("## deep guidance\n", Level.BLOCK),
        ("### Deep Guidance\n", Level.BLOCK),
        ("## Deep Guidance, part two\n", Level.BLOCK),
        ("```md\n## Deep Guidance\n```\n", Level.BLOCK),
        ("~~~~\n```\n## Deep Guidance\n~~~~\n", Level.BLOCK),
        ("```\ncode\n```\n\n## Deep Guidance\n", Level.PASS),
        ("Text.\n", Level.BLOCK),
    ],
)
def test_the_heading_stands_outside_of_code_and_is_spelled_just_so(body: str, level: Level) -> None:
    assert judge(DeepGuidance(), {}, {PATH: page(body)}).level is level


@pytest.mark.parametrize(
    ("corpus", "level"),
    [
        (CORPUS._replace(required_sections=()), Level.PASS),
        (CORPUS._replace(required_sections=("## Rules", "Examples")), Level.BLOCK),
        (CORPUS._replace(required_sections=("Rules",)), Level.PASS),
        (Corpus("notes", "knowledge", "plain"), Level.PASS),
    ],
)
def test_the_corpus_says_which(corpus: Corpus, level: Level) -> None:
    assert judge(DeepGuidance(), {}, {PATH: page("## Rules\n")}, corpora=(corpus,)).level is level


def test_it_says_which_page_lacks_which_section() -> None:
    ruling = judge(DeepGuidance(), {}, {PATH: page("Text.\n"), "knowledge/api/keys.md": page("Text.\n", name="keys")})
    first = ruling.evidence[0]
    assert (first["path"], first["section"]) == ("knowledge/api/keys.md", "## Deep Guidance")
    assert "and 1 more" in ruling.reason


def test_a_page_that_goes_and_one_about_pages_need_none() -> None:
    assert judge(DeepGuidance(), {PATH: page("## Deep Guidance\n")}, {}).level is Level.PASS
    assert judge(DeepGuidance(), {}, {"knowledge/README.md": "# Us\n"}).level is Level.PASS
