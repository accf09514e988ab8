"""Stories: something changes in the code, and which sentences of the documents are in doubt then."""

from pathlib import Path
from typing import NamedTuple

import pytest

from cairn.adapters.files.local import LocalFiles
from cairn.adapters.storage.memory import open_memory
from cairn.adapters.vcs.git import Git
from cairn.freshness.states import span_of
from cairn.freshness.survey import Ports, Survey, survey
from repository import make, put

APP = '''"""The application."""

import argparse

MAX_SIZE = 100
LEVELS = ["low", "high"]


def connect(host, timeout=30):
    retries = 3
    return (host, timeout, retries)


def open_port(number: int = 8080) -> int:
    return number


class Client:
    """Talks."""

    verify = True

    def __init__(self, base, follow=True):
        self.base = base

    def fetch(self, url, *, limit=10):
        return url

    async def drain(self):
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--workers", type=int, default=4)
    return parser
'''
DOC = """# Guide

Call `connect()` with a host. It waits 30 seconds (`timeout=30`), then `connect()` gives up.

- `Client.fetch` gets a page.
- Nothing is larger than `MAX_SIZE`, which is 100.

The module is `src/app/core.py`, and `make lint` checks it. Start it with `--workers`:

```bash
$ app --workers 8
```

Words like `name`, `True`, `retries` and `low` mean nothing here. `open_port()` listens.
"""
FILES = {
    "src/app/core.py": APP,
    "src/app/__init__.py": "",
    "docs/guide.md": DOC,
    "Makefile": "lint:\n\truff check\n\ntest:\n\tpytest\n",
    "pyproject.toml": '[project]\nname = "app"\nversion = "1.2.0"\n\n[project.scripts]\napp = "app.core:main"\n',
}


class Story(NamedTuple):
    what: str
    old: str
    new: str
    doubts: list[tuple[int, str, str]]
    """(line, name as written, reason)"""
    path: str = "src/app/core.py"


STORIES = [
    Story("a default changes", "timeout=30", "timeout=60", [(3, "connect()", "changed"), (3, "connect()", "changed")]),
    Story("a function is renamed", "def connect(", "def dial(", [(3, "connect()", "renamed")] * 2),
    Story("a parameter is renamed", "(host, timeout", "(address, timeout", [(3, "connect()", "changed")] * 2),
    Story("a method is renamed", "def fetch(", "def load(", [(5, "Client.fetch", "renamed")]),
    Story("a method loses a default", "limit=10", "limit", [(5, "Client.fetch", "changed")]),
    Story("a value changes", "MAX_SIZE = 100", "MAX_SIZE = 200", [(6, "MAX_SIZE", "changed")]),
    Story("a constant is renamed", "MAX_SIZE = 100", "LARGEST = 100", [(6, "MAX_SIZE", "renamed")]),
    Story(
        "a flag is renamed",
        '"--workers"',
        '"--threads"',
        [(8, "--workers", "removed"), (11, "$ app --workers 8", "removed")],
    ),
    Story(
        "a flag's default changes",
        "default=4",
        "default=2",
        [(8, "--workers", "changed"), (11, "$ app --workers 8", "changed")],
    ),
    Story("a class of that name is gone", "class Client:", "class Agent:", [(5, "Client.fetch", "moved")]),
    Story("a target is renamed", "lint:", "style:", [(8, "make lint", "renamed")], "Makefile"),
    # nothing that a reader would notice
    Story("a comment comes", "MAX_SIZE = 100", "# the limit\nMAX_SIZE = 100  # bytes", []),
    Story("another layout", "(host, timeout=30)", "(\n    host,\n    timeout=30,\n)", []),
    Story("a local is renamed", "retries", "attempts", []),
    Story("a docstring changes", "Talks.", "Talks to a server.", []),
    Story("a type is written down", "(host, timeout=30)", "(host: str, timeout: float = 30) -> tuple", []),
    Story("something optional is added", "timeout=30)", "timeout=30, proxy=None)", []),
    Story("a keyword is added before others", "*, limit=10", "*, depth=1, limit=10", []),
    Story("the body changes", "return url", "return url.strip()", []),
    Story("a new function", "class Client:", "def unrelated(x=1):\n    return x\n\n\nclass Client:", []),
    Story("what nobody names changes", "follow=True", "follow=False", []),
    Story("a flag nobody names is gone", '    parser.add_argument("--verbose", action="store_true")\n', "", []),
    Story("another target is renamed", "test:", "check:", [], "Makefile"),
    Story("a version nobody names", "1.2.0", "1.3.0", [], "pyproject.toml"),
]


def look(root: Path, rev: str = "HEAD") -> Survey:
    git = Git(root)
    documents = [str(path.relative_to(root)) for path in root.rglob("*.md")]
    store = open_memory()
    try:
        return survey(span_of(git, rev), documents, Ports(LocalFiles(root), git, store))
    finally:
        store.close()


def told(found: Survey) -> list[tuple[int, str, str]]:
    return sorted((doubt.line, doubt.written, str(doubt.reason)) for doubt in found.doubts)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.what)
def test_stories(tmp_path: Path, story: Story) -> None:
    root = make(tmp_path / "repo", FILES)
    before = FILES[story.path]
    assert story.old in before
    put(root, {story.path: before.replace(story.old, story.new)})
    assert told(look(root)) == sorted(story.doubts)
