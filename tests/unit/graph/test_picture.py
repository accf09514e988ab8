"""Choosing a formatter and drawing with it."""

import pytest

from cairn.core.extension_points import FormatterContext, FormatterManifest
from cairn.core.registry import Loaded, Registry
from cairn.errors import EnvironmentProblem, UsageError
from cairn.graph.picture import draw, find_formatter, format_for
from cairn.graph.subgraph import Part

EMPTY = Part((), (), ())


class Title:
    manifest = FormatterManifest(version="1.2", description="The title only.")

    def format(self, ctx: FormatterContext) -> str:
        return f"{ctx.title} {ctx.root}"


class Broken(Title):
    def format(self, ctx: FormatterContext) -> str:
        raise KeyError("oops")


REGISTRY = Registry(
    extensions=(
        Loaded("shed", "title", "formatter", Title(), {}),
        Loaded("shed", "broken", "formatter", Broken(), {}),
        Loaded("shed", "off", "formatter", Title(), {}, enabled=False),
    )
)


@pytest.mark.parametrize("name", ["title", "shed/title"])
def test_drawing(name):
    assert draw(REGISTRY, name, EMPTY, title="T", root="a.md") == "T a.md"


@pytest.mark.parametrize("name", ["off", "svg", ""])
def test_a_format_that_is_not_there(name):
    with pytest.raises(UsageError, match="there are broken, title"):
        find_formatter(REGISTRY, name)


def test_all_formatters_are_off():
    with pytest.raises(UsageError, match="all formatters are off"):
        find_formatter(Registry(), "ascii")


def test_a_formatter_that_fails_is_named():
    with pytest.raises(EnvironmentProblem, match=r"plugin shed/broken 1\.2 \(extension-error\).*KeyError: 'oops'"):
        draw(REGISTRY, "broken", EMPTY, title="T")


@pytest.mark.parametrize(
    ("name", "format"),
    [("a.html", "html"), ("A.HTML", "html"), ("x.gv", "dot"), ("x.mmd", "mermaid"), ("x.svg", None), ("html", None)],
)
def test_by_the_ending_of_a_file(name, format):
    assert format_for(name) == format
