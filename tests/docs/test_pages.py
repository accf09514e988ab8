"""The generated pages are up to date, and every page leads where it says."""

import importlib.util
import re
import shutil
from pathlib import Path

import pytest

from cairn import errors
from cairn.adapters.files.walker import Walker
from cairn.cli.describe import names
from cairn.cli.main import root_group
from cairn.cli.table import EXITS
from cairn.config.keys import KEYS
from cairn.config.settings import VARIABLES
from cairn.core.switches import read_switches
from cairn.extensions import BUILT_INS
from cairn.graph.ingest import CAPPED, OVERSIZED
from cairn.graph.moved_files import HISTORY_RULES
from cairn.graph.read_file import READING_RULES
from program import cairn

REPOSITORY = Path(__file__).parents[2]
DOCS = REPOSITORY / "docs"


def generator():
    spec = importlib.util.spec_from_file_location("docs_build", DOCS / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILD = generator()
MADE = BUILD.pages()


@pytest.mark.parametrize("name", list(MADE))
def test_a_generated_page_is_up_to_date(name):
    assert (DOCS / name).read_text() == MADE[name], "run `make docs`"


def test_every_command_is_documented():
    page = (DOCS / "reference/cli.md").read_text()
    assert [name for name in names(root_group()) if f"# cairn {name}\n" not in page] == []
    assert [code for code in EXITS if f"| {code} | " not in page] == []


def test_every_setting_and_variable_is_documented():
    page = (DOCS / "reference/config.md").read_text()
    assert [key.name for key in KEYS if f"| `{key.name}` | " not in page] == []
    assert [name for name in VARIABLES if f"| `{name}` | " not in page] == []


def test_every_switch_of_the_environment_is_documented():
    class Seen(dict):
        """Remembers what it was asked for."""

        def get(self, name, default=None):
            self[name] = default
            return default

    seen = Seen()
    read_switches(seen)
    assert set(seen) == set(BUILD.SWITCHES)


def test_no_variable_is_read_that_nobody_documented():
    read = {
        name
        for path in (REPOSITORY / "src" / "cairn").rglob("*.py")
        for name in re.findall(r'"(CAIRN_[A-Z_]+[A-Z])"', path.read_text())
    }
    assert read - set(VARIABLES) - set(BUILD.SWITCHES) - set(BUILD.OPERATOR) == set()


def test_every_extension_is_documented():
    page = (DOCS / "reference/extensions.md").read_text()
    plugins = [importlib.import_module(name).PLUGIN for name in BUILT_INS]
    assert [f"{p.id}/{ref.id}" for p in plugins for ref in p.extensions if f"`{p.id}/{ref.id}`" not in page] == []


def test_every_issue_of_reading_is_documented():
    walked = set(re.findall(r'"((?:file|name|symlink)-[a-z-]+)"', Path(Walker.walk.__code__.co_filename).read_text()))
    rules = {*READING_RULES, *HISTORY_RULES, OVERSIZED, CAPPED, *walked} - {"file-vanished"}  # that one is no issue
    assert rules <= set(BUILD.KERNEL_RULES)


def error_classes():
    found = [errors.CairnError]
    for known in found:
        found += known.__subclasses__()
    return [kind for kind in found if kind.__module__ == "cairn.errors"]


@pytest.mark.parametrize("kind", error_classes(), ids=lambda kind: kind.__name__)
def test_every_error_has_a_recipe(kind):
    page = (DOCS / "reference/troubleshooting.md").read_text()
    section = page.partition(f"\n## {kind.code}\n")[2].partition("\n## ")[0]
    assert f"`{kind.__name__}`" in section
    assert f"exit code {kind.exit_code}" in section or kind is errors.ExtensionFailed
    assert f"{kind.__name__} " in errors.__doc__, "draw it into the picture at the top of errors.py"


@pytest.fixture(scope="module")
def own_pages(tmp_path_factory):
    """Our own documentation, seen by Cairn."""
    folder = tmp_path_factory.mktemp("own")
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, folder / name)
    shutil.copytree(DOCS, folder / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    assert cairn("init", "--no-scan", cwd=folder).code == 0
    return cairn("scan", "--json", cwd=folder).json()


def test_no_link_of_ours_is_broken(own_pages):
    """Paths between backticks are left out: many are examples."""
    assert len(own_pages["nodes"]) > 10
    broken = [link for link in own_pages["links"] if link["kind"] == "references" and link["state"] == "broken"]
    assert [(link["source"], link["target"]) for link in broken] == []


def test_every_page_can_be_reached_from_the_readme(own_pages):
    leads = {}
    for link in own_pages["links"]:
        leads.setdefault(link["source"], set()).add(link.get("resolvedTarget"))
    reached = waiting = {"README.md"}
    while waiting:
        waiting = {target for page in waiting for target in leads.get(page, ()) if target} - reached
        reached = reached | waiting
    assert {node["path"] for node in own_pages["nodes"]} - reached == set()


def test_the_index_lists_every_page_once_under_its_group():
    groups = re.split(r"^## (.*)$", (DOCS / "README.md").read_text(), flags=re.M)[1:]
    listed = [
        (title.lower(), page)
        for title, text in zip(groups[::2], groups[1::2], strict=True)
        for page in re.findall(r"^- \[.*?\]\((.*?\.md)\)", text, re.M)
    ]
    pages = [path.relative_to(DOCS) for path in DOCS.rglob("*.md") if path != DOCS / "README.md"]
    assert sorted(listed) == sorted((page.parent.as_posix(), page.as_posix()) for page in pages)


def test_our_frontmatter_and_names_are_in_order(own_pages):
    """Again without what stands between backticks."""
    issues = [issue for issue in own_pages["issues"] if issue.get("data", {}).get("kind") != "points"]
    assert [issue for issue in issues if issue["severity"] != "info"] == []


def test_the_glossary_has_at_most_40_terms():
    terms = re.findall(r"^\*\*", (DOCS / "reference/glossary.md").read_text(), re.M)
    assert 0 < len(terms) <= 40


def headings(page):
    """As forges make anchors of them."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    titles = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.name)
def test_anchors_are_there(page):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.S)
    for target, anchor in re.findall(r"\]\(([\w./-]*)#([\w-]+)\)", text):
        assert anchor in headings(page.parent / target if target else page)


def test_the_page_of_findings_lists_read_time_analyzers_with_their_severity():
    """Each of them has the severities that its module names."""
    words = {"ERROR": "error", "WARN": "warning", "INFO": "note"}
    made = {}
    for module in (REPOSITORY / "src/cairn/extensions").glob("*/analyzers/*.py"):
        text = module.read_text("utf-8")
        if 'phase="read"' in text:
            found = set(re.findall(r"Severity\.([A-Z]+)", text))
            made[module.stem.replace("_", "-")] = " or ".join(words[one] for one in words if one in found)
    listed = re.findall(
        r"^\| \[`([\w-]+)`\]\(extensions\.md#\1\) \| ([\w ]+) \|", page("reference/findings.md"), re.MULTILINE
    )
    assert dict(listed) == made


def page(name):
    return (DOCS / name).read_text("utf-8")


REPLACED = (
    "Say that a file that went is",
    "Take back that one file became another.",
    "List files that went and left something behind",
    "Decide where a session said otherwise",
    "Say which versions of what",
    "See what was looked for and not found",
    "none keeps agents, commands or skills",
    "nothing that we are sure of",
    "its signature is another one",
    "may be turned over by",
    "is at it already",
    "a part of this page failed",
    "nothing is known here of earlier runs",
)
"""Phrases that readers found foreign, as the style guide lists them."""


@pytest.mark.parametrize("phrase", REPLACED)
def test_messages_and_pages_have_no_phrase_that_was_replaced(phrase):
    files = [*(REPOSITORY / "src").rglob("*.py"), *DOCS.rglob("*.md"), REPOSITORY / "README.md"]
    assert [file.name for file in files if phrase in file.read_text("utf-8")] == []
