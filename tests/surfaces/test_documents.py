"""Repositories whose documents are all `.rst` or all `.mdx`, in every command, through the real program."""

from pathlib import Path

import pytest

from program import cairn
from repository import make, put

CODE = "def connect(host, timeout=30):\n    return host\n"
RST = {
    "README.rst": "Widget\n======\n\nStart with :doc:`docs/index`.\n",
    "docs/conf.py": "project = 'widget'\n",
    "docs/index.rst": """\
.. _start:

Welcome
=======

.. toctree::

   guide/install
   guide/missing

See :ref:`installing`, :doc:`/guide/install` and :ref:`elsewhere`.

.. code-block:: python

   connect("localhost")

Zebra settings
--------------

Without more, ``connect()`` waits 30 seconds.
""",
    "docs/guide/install.rst": """\
.. _installing:

Install the widget
******************

Back to `the start <../index.rst>`_, on to `nowhere <gone.rst>`_.

.. A comment about unicorns.
""",
    "src/net.py": CODE,
}
MDX = {
    "README.mdx": "# Widget\n\nStart with [the guide](docs/guide.mdx).\n",
    "docs/guide.mdx": """\
---
title: Guide
---
import Card from "@site/Unicorn"

# Guide

<Card href="./other.mdx">
    On to [nowhere](./gone.mdx).
</Card>

## Zebra settings

Without more, `connect()` waits 30 seconds.
""",
    "docs/other.mdx": "# Other\n\nBack to [the guide](/docs/guide).\n",
    "src/net.py": CODE,
}
REPOSITORIES = {"rst": RST, "mdx": MDX}


@pytest.fixture(params=REPOSITORIES)
def form(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def root(tmp_path: Path, form: str) -> Path:
    root = make(tmp_path / "repo", REPOSITORIES[form])
    assert cairn("init", cwd=root).code in (0, 1)
    return root


def documents(form: str) -> list[str]:
    return sorted(path for path in REPOSITORIES[form] if path.endswith(f".{form}"))


def test_scan_takes_all_documents(root: Path, form: str) -> None:
    found = cairn("scan", "--json", cwd=root).json()
    assert sorted(node["path"] for node in found["nodes"]) == documents(form)
    assert found["stats"]["errorsCount"] == {"rst": 2, "mdx": 1}[form]


def test_check_reports_what_does_not_exist(root: Path, form: str) -> None:
    ran = cairn("check", "--json", cwd=root)
    broken = {(i["nodeIds"][0], i["line"]) for i in ran.json()["issues"] if i["severity"] == "error"}
    expected = {"rst": {("docs/index.rst", 9), ("docs/guide/install.rst", 6)}, "mdx": {("docs/guide.mdx", 9)}}
    assert (ran.code, broken) == (1, expected[form])


def test_a_label_that_nobody_defines_is_only_a_note(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"a.rst": "A\n=\n\n:ref:`elsewhere`\n"})
    cairn("init", cwd=root)
    ran = cairn("check", "-v", cwd=root)
    assert ran.code == 0
    assert "No page here defines the label `elsewhere`" in ran.out


def test_search_finds_the_section_and_no_markup(root: Path, form: str) -> None:
    ran = cairn("search", "zebra settings", "-q", cwd=root)
    assert "› Zebra settings" in ran.out.splitlines()[0]
    assert "unicorn" not in cairn("search", "unicorn", "-q", cwd=root).out


def test_the_graph_has_the_references(root: Path, form: str) -> None:
    links = cairn("scan", "--json", cwd=root).json()["links"]
    found = {(link["source"], link["resolvedTarget"]) for link in links if link.get("resolvedTarget")}
    assert (
        found
        >= {
            "rst": {
                ("README.rst", "docs/index.rst"),
                ("docs/index.rst", "docs/guide/install.rst"),
                ("docs/guide/install.rst", "docs/index.rst"),
            },
            "mdx": {
                ("README.mdx", "docs/guide.mdx"),
                ("docs/guide.mdx", "docs/other.mdx"),
                ("docs/other.mdx", "docs/guide.mdx"),
            },
        }[form]
    )


def test_check_diff_names_the_sentence(root: Path, form: str) -> None:
    put(root, {"src/net.py": CODE.replace("connect", "dial")})
    ran = cairn("check", "--diff", "HEAD", "-q", cwd=root)
    assert ran.code == 1
    assert "docs/" in ran.out and "renamed to `dial`" in ran.out


def test_a_label_that_moves_is_found_again(tmp_path: Path) -> None:
    files = {"a.rst": "A\n=\n\n:ref:`there`\n", "b.rst": ".. _there:\n\nB\n=\n", "c.rst": "C\n=\n"}
    root = make(tmp_path / "repo", files)
    cairn("init", cwd=root)
    put(root, {"b.rst": "B\n=\n", "c.rst": ".. _there:\n\nC\n=\n"})
    links = cairn("scan", "--json", cwd=root).json()["links"]
    assert [link["resolvedTarget"] for link in links] == ["c.rst"]


def test_documents_that_are_not_read_are_counted(tmp_path: Path) -> None:
    files = {"README": "Widget\n======\n", "docs/a.adoc": "= A\n", "docs/b.adoc": "= B\n", "c.org": "* C\n"}
    files |= {"d.qmd": "# D\n", "e.mdown": "# E\n", "f.mkd": "# F\n"}
    root = make(tmp_path / "repo", {**files, "huge.rst": "x" * 1_100_000, "bin/uninstall": "#!/bin/sh\n"})
    cairn("init", cwd=root)
    for command in ("scan", "check"):
        lines = cairn(command, "-q", cwd=root).out.splitlines()
        unread = "2 .adoc files, 1 .mdown file, 1 .mkd file, 1 .org file, 1 .qmd file"
        assert f"skipped 1 file: 1 larger than 1 MB; not read: {unread}" in lines
    assert [n["path"] for n in cairn("scan", "--json", cwd=root).json()["nodes"]] == ["README"]


def test_documents_below_a_folder_that_is_ignored_by_default_are_named(tmp_path: Path) -> None:
    pages = {f"doc/build/{name}.rst": "Page\n====\n" for name in "abc"}
    root = make(tmp_path / "repo", {"README": "Widget\n", **pages})
    cairn("init", cwd=root)
    line = "not read: 3 documents below doc/build/ (ignored by default; `!doc/build/` in .cairnignore reads them)"
    assert line in cairn("check", "-q", cwd=root).out.splitlines()
    put(root, {".cairnignore": "!doc/build/\n"})
    assert "not read" not in cairn("check", "-q", cwd=root).out


def test_pages_of_sphinx_in_plain_text_are_counted(tmp_path: Path) -> None:
    files = {"docs/conf.py": "source_suffix = '.txt'\n", "docs/index.txt": "A\n=\n", "docs/b/c.txt": "C\n=\n"}
    root = make(tmp_path / "repo", {"README": "Widget\n", **files})
    assert "not read: 2 .txt files below docs/" in cairn("init", cwd=root).out.splitlines()


def test_a_page_that_git_ignores_is_not_missing(tmp_path: Path) -> None:
    toctree = "A\n=\n\n.. toctree::\n\n   made\n   missing\n"
    root = make(tmp_path / "repo", {"a.rst": toctree, ".gitignore": "made.rst\n"})
    cairn("init", cwd=root)
    found = cairn("check", "--json", cwd=root).json()["issues"]
    assert [i["line"] for i in found if i["severity"] == "error"] == [7]
