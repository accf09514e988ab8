"""Computes from the layout of the map whether people can read it, for small and large repositories."""

import json
import random
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from cairn.core.extension_points import KindSpec
from cairn.core.model.graph import Node, Triple
from cairn.extensions.core.colours import distance, distinct
from cairn.extensions.core.formatters import html
from cairn.plugin import FormatterContext

SCRIPT = Path(__file__).parents[3] / "map_layout.js"
PAGE = Path(html.__file__).parent / "html_page"
WIDTH, HEIGHT = 1416, 760
SIZES = (10, 100, 1_000, 5_000)
ALIKE = 60
"""Dots of a few pixels that differ by less look the same."""

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="the map is drawn by JavaScript: needs node")


def even(size):
    """Folders of the same size, two deep."""
    return [f"docs/part-{n % 40}/section-{n % 7}/page-{n}.md" for n in range(size)]


def uneven(size):
    """A few large folders, many small ones, one that dominates, and the folders that everybody has."""
    pick = random.Random(size)
    known = [".claude/agents/a.md", "docs/guide.md", "src/notes.md", ".github/x.md", "README.md", "CHANGELOG.md"]
    names = [f"area-{int(pick.paretovariate(0.9))}" for _ in range(size)]
    depths = (f"lib/{name}/topic-{pick.randrange(1, 9)}/{n}.md" for n, name in enumerate(names))
    return [*known, *depths][:size]


def many_small(size):
    """One folder of a few documents for each skill."""
    return [
        f"skills/skill-{n // 6}/references/{n}.md" if n % 6 else f"skills/skill-{n // 6}/SKILL.md" for n in range(size)
    ]


def nested(size):
    """Everything below two folders, as in a repository of one tool."""
    return [f"tool/components/{'abc'[n % 3] * 3}/{'defg'[n % 4] * 4}/item-{n // 30}/{n}.md" for n in range(size)]


TREES = [
    pytest.param(make, size, id=f"{make.__name__}-{size}")
    for make in (even, uneven, many_small, nested)
    for size in SIZES
]


def laid_out(paths):
    nodes = [{"path": path, "title": f"About {path.split('/')[-1]}", "kind": 0} for path in paths]
    data = {
        "title": "garden",
        "kinds": [{"label": "Page", "color": "#7aa2d8"}],
        "nodes": nodes,
        "links": [],
        "issues": [],
    }
    command = ["node", str(SCRIPT), str(PAGE), str(WIDTH), str(HEIGHT)]
    done = subprocess.run(command, input=json.dumps(data), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def inside(box, mark):
    return box["x"] <= mark["x"] <= box["x"] + box["w"] and box["y"] <= mark["y"] <= box["y"] + box["h"]


@pytest.mark.parametrize(("make", "size"), TREES)
def test_map_is_readable(make, size):
    paths = make(size)
    plan = laid_out(paths)
    boxes = plan["boxes"]
    assert {mark["page"] for mark in plan["marks"]} >= set(range(size)), "each document has a dot or a title"
    innermost = [
        max((box for box in boxes if inside(box, mark)), key=lambda box: box["depth"]) for mark in plan["marks"]
    ]
    named = sum(not box["more"] for box, mark in zip(innermost, plan["marks"], strict=True) if mark["page"] is not None)
    assert named >= 0.8 * size, "documents in a group with a name of its own"
    assert all(box["label"].strip("….") for box in boxes), "each box has a label"
    whole = sum(box["label"] == box["name"] for box in boxes)
    assert whole >= 0.6 * len(boxes), "most labels are not cut"
    everything = WIDTH * HEIGHT
    for box in boxes:
        parts = [
            b
            for b in boxes
            if b["depth"] == box["depth"] and b["path"].rpartition("/")[0] == box["path"].rpartition("/")[0]
        ]
        share = box["size"] / sum(part["size"] for part in parts)
        area = box["w"] * box["h"] / sum(part["w"] * part["h"] for part in parts)
        assert area >= share / 2, f"{box['path']} is too small beside its neighbours"
        assert box["depth"] or box["w"] * box["h"] >= everything * box["size"] / size / 2, f"{box['path']} is too small"


@pytest.mark.parametrize(("make", "size"), TREES)
def test_labels_do_not_overlap(make, size):
    labels = sorted(laid_out(make(size))["labels"], key=lambda label: label["x"])
    assert labels
    for n, one in enumerate(labels):
        for other in labels[n + 1 :]:
            if other["x"] >= one["x"] + one["w"]:
                break
            apart = other["y"] + other["h"] <= one["y"] + 0.5 or one["y"] + one["h"] <= other["y"] + 0.5
            assert apart, (one, other)


@pytest.mark.parametrize("size", SIZES)
def test_known_folders_have_a_box(size):
    shown = {box["path"] for box in laid_out(uneven(size))["boxes"]}
    assert {".claude", "docs", "src", ".github"} <= shown


def test_documents_at_the_top_have_titles_beside_a_huge_folder():
    top = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CLAUDE.md", "CODE_OF_CONDUCT.md"]
    plan = laid_out([*top, *(f"cli/components/{n % 30}/{n}.md" for n in range(3_800))])
    titled = {mark["page"] for mark in plan["marks"] if mark["titled"]}
    assert set(range(6)) <= titled


def test_hosts_have_boxes_with_names():
    """Many URLs of one host, few of most others, and documents that get most of the room."""
    paths = [f"docs/{n}.md" for n in range(100)]
    few = [f"https://host-{n}.example.org/{m}" for n in range(40) for m in range(1 + n % 4)]
    plan = laid_out([*paths, *few, *(f"https://forge.example.org/{n}" for n in range(2_000))])
    web = {box["label"] for box in plan["boxes"] if box["path"].startswith("on the web")}
    assert {"on the web", "forge.example.org", "40 more hosts"} == web
    assert {mark["page"] for mark in plan["marks"]} >= set(range(len(paths) + len(few) + 2_000))


def test_title_of_a_template_is_the_name_of_the_file():
    titles = {"a/b-c.md": "{% data x %} in short", "a/index.md": "{{ x }}", "d.md": "{ plain }"}
    nodes = tuple(Node(path, "x", "p", title, "", {}, "", "", Triple(0, 0, 0)) for path, title in titles.items())
    page = html.extension.format(FormatterContext(nodes, (), (), {}, "garden", None, ""))
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])
    assert [node["title"] for node in data["nodes"]] == ["b c", "a", "{ plain }"]


# --- the legend -------------------------------------------------------------------------------------------------------


def page_with(kinds):
    nodes = tuple(Node(f"{n}.md", kind, "p", kind, "", {}, "", "", Triple(0, 0, 0)) for n, kind in enumerate(kinds))
    specs = {f"p/{kind}": KindSpec(label=kind, color=color, emoji="x") for kind, color in kinds.items()}
    return html.extension.format(FormatterContext(nodes, (), (), specs, "garden", None, ""))


def test_kinds_with_one_colour_get_different_ones():
    page = page_with({"Command": "#f59e0b", "Plugin command": "#f59e0b", "Skill": "#10b981", "Open skill": "#14b8a6"})
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])
    colours = [kind["color"] for kind in data["kinds"]]
    assert len(colours) == 4
    assert all(distance(a, b) > ALIKE for n, a in enumerate(colours) for b in colours[n + 1 :])


@pytest.mark.parametrize("number", [1, 16, 40])
def test_distinct_colours_never_repeat(number):
    given = distinct({f"kind {n}": "#f59e0b" for n in range(number)})
    assert given["kind 0"] == "#f59e0b" and len(set(given.values())) == number


def test_legend_names_boxes_dots_and_lines():
    legend = re.search(r'<footer id="legend".*?</footer>', page_with({"Page": "#7aa2d8"}), re.S)[0]
    words = " ".join(re.sub(r"<[^>]+>", " ", legend).split())
    order = [words.index(part) for part in ("Colour is the kind", "Box folder", "Dot document", "Line link")]
    assert all(a < b for a, b in pairwise(order))


def test_a_colour_with_a_name_is_kept():
    """The kind of a plugin may have one, and it can't be compared with others."""
    given = distinct({"Document": "#3b82f6", "Recipe": "teal", "Note": "teal"})
    assert (given["Document"], given["Recipe"]) == ("#3b82f6", "teal")
    assert len(set(given.values())) == 3
