"""Formatters: the same bytes each time, and no text that can break out of its place."""

import html
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.plugin import Fix, FormatterContext, Issue, Link, Node, Severity, Tag
from unit.extensions.built_ins import extensions, kinds
from unit.extensions.fake_contexts import make_link, make_node

FORMATTERS = {qualified.partition("/")[2]: formatter for qualified, formatter in extensions("formatter")}
NASTY = '</script><img src=x onerror=alert(1)><!-- "quoted" [b](c) {d} \\ & `e` #f; é漢\u2028'


def graph(title: str = "handbook", node_title: str = "Start") -> FormatterContext:
    nodes: tuple[Node, ...] = (
        make_node(".claude/agents/helper.md", "claude/agent", title="helper"),
        make_node("README.md", title=node_title, description="the beginning", tags=(Tag("ops", "frontmatter"),)),
        make_node("docs/map.md", "kb/map", title="Map"),
    )
    links: tuple[Link, ...] = (
        make_link("README.md", "docs/map.md", resolved=True, lines=[3]),
        make_link("README.md", "docs/map.md", resolved=True, original="again", normalized="again", lines=[8]),
        make_link("README.md", "@helper", "mentions", by_name=True, resolved=".claude/agents/helper.md", lines=[5]),
        make_link("README.md", "gone.md", confidence=0.5, lines=[6]),
        make_link("README.md", "setup.py", "points", state="file", lines=[7]),
    )
    broken = "The file `gone.md` does not exist."
    issues = (Issue("reference-broken", Severity.ERROR, ("README.md",), broken, line=6, fix=Fix("Correct the path.")),)
    return FormatterContext(nodes, links, issues, kinds(), title, "README.md")


EMPTY = FormatterContext((), (), (), {}, "nothing")


@pytest.mark.parametrize("name", FORMATTERS)
def test_same_graph_same_bytes(name: str) -> None:
    assert FORMATTERS[name].format(graph()) == FORMATTERS[name].format(graph())
    assert FORMATTERS[name].format(EMPTY).endswith("\n")


def test_ascii() -> None:
    assert FORMATTERS["ascii"].format(graph()).splitlines() == [
        "handbook",
        "3 documents, 5 links, 1 finding",
        "around: README.md",
        "",
        "## agent (1)",
        "- .claude/agents/helper.md  helper",
        "",
        "## markdown (1)",
        "- README.md  Start",
        "",
        "## map (1)",
        "- docs/map.md  Map",
        "",
        "## links (5)",
        "- README.md --mentions--> .claude/agents/helper.md  [1.00]",
        "- README.md --points--> setup.py  [1.00]  (file)",
        "- README.md --references--> docs/map.md  [1.00]",
        "- README.md --references--> docs/map.md  [1.00]",
        "- README.md --references--> gone.md  [0.50]  (broken)",
        "",
        "## findings (1)",
        "- [error] reference-broken README.md:6: The file `gone.md` does not exist.",
    ]


def test_json() -> None:
    data = json.loads(FORMATTERS["json"].format(graph(node_title=NASTY)))
    assert [node["title"] for node in data["nodes"]] == ["helper", NASTY, "Map"]
    assert [link["state"] for link in data["links"]] == ["node", "node", "node", "broken", "file"]
    assert data["issues"][0]["analyzerId"] == "reference-broken"
    assert data["root"] == "README.md"


def test_mermaid() -> None:
    assert FORMATTERS["mermaid"].format(graph()).splitlines() == [
        "%% handbook",
        "flowchart LR",
        '  n0["helper"]:::k0',
        '  n1["Start"]:::k2',
        '  n2["Map"]:::k1',
        '  m0["gone.md"]:::missing',
        "  n1 -->|mentions| n0",
        "  n1 -->|references| n2",
        "  n1 -.->|references| m0",
        "  classDef k0 fill:#8b5cf622,stroke:#8b5cf6",
        "  classDef k1 fill:#9ca3af22,stroke:#9ca3af",
        "  classDef k2 fill:#7aa2d822,stroke:#7aa2d8",
        "  classDef missing fill:#ef444411,stroke:#ef4444,stroke-dasharray:4 3",
        "  style n1 stroke-width:3px",
    ]


@given(st.text(min_size=1))
def test_mermaid_labels_come_back(title: str) -> None:
    lines = FORMATTERS["mermaid"].format(graph(title, title)).split("\n")
    found = re.fullmatch(r'  n1\["([^"<>`\\\n]+)"\]:::k2', lines[3])
    assert found
    shown = re.sub(r"#(\d+|\w+);", lambda m: html.unescape(f"&#{m[1]};" if m[1].isdigit() else f"&{m[1]};"), found[1])
    assert shown.replace("\u200b", "") == " ".join(title.split()).replace("\u200b", "")


def test_dot() -> None:
    assert FORMATTERS["dot"].format(graph()).splitlines() == [
        'digraph "handbook" {',
        '  graph [rankdir=LR, charset="UTF-8"];',
        '  node [shape=box, style="rounded,filled", fontname="Helvetica"];',
        '  edge [fontname="Helvetica", fontsize=10];',
        '  ".claude/agents/helper.md" [label="helper", tooltip=".claude/agents/helper.md",'
        ' color="#8b5cf6", fillcolor="#8b5cf622"];',
        '  "README.md" [label="Start", tooltip="README.md", color="#7aa2d8", fillcolor="#7aa2d822", penwidth=3];',
        '  "docs/map.md" [label="Map", tooltip="docs/map.md", color="#9ca3af", fillcolor="#9ca3af22"];',
        '  "gone.md" [label="gone.md", style="rounded,dashed", color="#ef4444", fontcolor="#ef4444"];',
        '  "README.md" -> ".claude/agents/helper.md" [label="mentions", style=dashed];',
        '  "README.md" -> "docs/map.md" [label="references", style=solid];',
        '  "README.md" -> "gone.md" [label="references", style=solid, color="#ef4444"];',
        "}",
    ]


@given(st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"]), min_size=1))
def test_dot_labels_come_back(title: str) -> None:
    text = FORMATTERS["dot"].format(graph(title, title))
    found = re.search(r'^  "README\.md" \[label="((?:[^"\\\n]|\\.)*)", tooltip="README\.md"', text, flags=re.MULTILINE)
    assert found
    plain = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], found[1])
    assert plain.replace("&amp;", "&") == title


class Page(HTMLParser):
    """Tags with their attributes, and what stands in script elements, as a browser splits them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        (self.scripts if self.tags and self.tags[-1][0] == "script" and data.strip() else self.texts).append(data)


@pytest.mark.parametrize("title", ["plain", NASTY, "@@data@@ @@script@@"])
def test_html_keeps_text_as_text(title: str) -> None:
    page = Page(FORMATTERS["html"].format(graph(title, title)))
    plain = Page(FORMATTERS["html"].format(graph()))
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    data = json.loads(page.scripts[0])
    assert data["nodes"][1]["title"] == title
    assert data["title"] == " ".join(title.split())
    assert page.scripts[1] == plain.scripts[1]


def test_html_holds_the_graph() -> None:
    data = json.loads(Page(FORMATTERS["html"].format(graph())).scripts[0])
    assert data["root"] == 1
    assert [kind["label"] for kind in data["kinds"]] == ["Agent", "Page", "kb/map"]
    assert data["links"][2] == {"from": 1, "to": 0, "kind": "mentions", "line": 5, "state": "node"}
    assert data["links"][3] == {"from": 1, "target": "gone.md", "kind": "references", "line": 6, "state": "broken"}
    assert data["nodes"][1]["tags"] == ["ops"]
    assert data["issues"] == [
        {
            "severity": "error",
            "rule": "reference-broken",
            "text": "The file `gone.md` does not exist.",
            "nodes": [1],
            "line": 6,
            "fix": "Correct the path.",
        }
    ]


def test_html_asks_nobody_for_anything() -> None:
    text = FORMATTERS["html"].format(graph())
    page = Page(text)
    addresses = [value for _, attrs in page.tags for key, value in attrs.items() if key in ("src", "href")]
    assert all(address and address.startswith(("#", "data:")) for address in addresses)
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|WebSocket|https?://|innerHTML|eval\(", text)
    assert any("default-src 'none'" in (attrs.get("content") or "") for _, attrs in page.tags)


def test_html_has_a_table_a_legend_and_everything_that_its_script_looks_for() -> None:
    page = Page(FORMATTERS["html"].format(graph()))
    tags = page.tags
    ids = {attrs.get("id") for _, attrs in tags}
    assert {"table-view", "search", "filters", "panel", "empty", "legend"} <= ids
    wanted = set(re.findall(r'(?:by|getElementById)\("([\w-]+)"\)', page.scripts[1]))
    assert len(wanted) > 20 and wanted <= ids


def test_html_merges_kinds_with_one_label_and_colour() -> None:
    spec = kinds()["claude/agent"]
    two = graph()._replace(kinds={"claude/agent": spec, "kb/map": spec})
    data = json.loads(Page(FORMATTERS["html"].format(two)).scripts[0])
    assert [kind["label"] for kind in data["kinds"]] == ["Agent", "markdown/markdown"]
    assert [node["kind"] for node in data["nodes"]] == [0, 1, 0]


def test_html_has_the_summary_in_its_header() -> None:
    text = FORMATTERS["html"].format(graph()._replace(summary=f"All about {NASTY}"))
    assert f'<p id="summary">All about {html.escape(" ".join(NASTY.split()))}</p>' in text


def test_html_names_its_buttons() -> None:
    tags = Page(FORMATTERS["html"].format(graph())).tags
    assert all(
        attrs.get("aria-label") or attrs.get("aria-pressed") or attrs.get("class") for t, attrs in tags if t == "button"
    )
