"""Choosing a formatter and drawing with it."""

import pyromark
import pytest

from cairn.core.extension_points import FormatterContext, FormatterManifest
from cairn.core.model.graph import Link, Node, Triple
from cairn.core.model.issue import Issue, Severity
from cairn.core.registry import LoadedExtension, Registry
from cairn.errors import EnvironmentProblem, UsageError
from cairn.graph.subgraph import Part
from cairn.workspace.draw import draw, find_formatter, format_for, markdown

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
        LoadedExtension("shed", "title", "formatter", Title(), {}),
        LoadedExtension("shed", "broken", "formatter", Broken(), {}),
        LoadedExtension("shed", "off", "formatter", Title(), {}, enabled=False),
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


def node(path: str, title: str = "", description: str = "", kind: str = "markdown") -> Node:
    return Node(path, kind, "markdown", title or path, description, {}, "", "", Triple(0, 0, 0))


def link(source: str, target: str) -> Link:
    return Link(source, target, "references", 1.0, ("x",), "", "", False, 1, 0, "", resolved=target, state="node")


def test_a_table_for_each_kind():
    part = Part((node("b.md"), node("a.md", "First"), node("c.md", kind="note")), (link("b.md", "a.md"),), ())
    text = markdown(part, title="Everything")
    assert text.splitlines() == [
        "# Everything",
        "",
        "3 documents, 1 link, 0 findings.",
        "",
        "## markdown/markdown (2)",
        "",
        "| path | title | description | links to |",
        "|---|---|---|---|",
        "| [a.md](a.md) | First |  |  |",
        "| [b.md](b.md) | b.md |  | [First](a.md) |",
        "",
        "## markdown/note (1)",
        "",
        "| path | title | description | links to |",
        "|---|---|---|---|",
        "| [c.md](c.md) | c.md |  |  |",
    ]


def test_a_node_that_links_to_itself_or_twice_is_listed_once():
    part = Part((node("a.md"), node("b.md")), (link("a.md", "b.md"), link("a.md", "b.md"), link("a.md", "a.md")), ())
    assert "| [a.md](a.md) | a.md |  | [b.md](b.md) |" in markdown(part, title="x")


def test_text_of_others_means_nothing():
    nasty = "a | b\n# h <script>x</script> [l](u) `c` *e* &amp; \\ $m$"
    part = Part((node("a (1)|x.md", nasty, nasty),), (), (Issue("r", Severity.ERROR, ("a (1)|x.md",), nasty, line=3),))
    html = pyromark.html(markdown(part, title=nasty), options=pyromark.Options.ENABLE_TABLES)
    assert html.count("<table>") == html.count("<h1>") == 1
    assert html.count("<tr>") + html.count("<th>") <= 6
    assert "<script>" not in html
    assert html.count("<a href") == 1
    assert 'href="a%20%281%29%7Cx.md"' in html
    assert "<code>" not in html
    assert "<em>" not in html


def test_an_empty_part():
    assert markdown(Part((), (), ()), title="x") == "# x\n\n0 documents, 0 links, 0 findings.\n"
