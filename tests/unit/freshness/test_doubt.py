"""Stories: something changes in the code, and which sentences of the documents are in doubt then."""

from pathlib import Path
from typing import NamedTuple

import pytest

from cairn.adapters.files.local import LocalFiles
from cairn.adapters.storage.memory import open_memory
from cairn.adapters.vcs.git import Git
from cairn.freshness.states import span_of
from cairn.freshness.survey import Ports, Survey, survey
from repository import commit, git, make, put

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
    Story("a flag's default changes", "default=4", "default=2", [(8, "--workers", "changed")]),
    Story("a class of that name is gone", "class Client:", "class Agent:", [(5, "Client.fetch", "renamed")]),
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


class Tale(NamedTuple):
    """A story about several files."""

    what: str
    before: dict[str, str]
    after: dict[str, str | None]
    doubts: list[tuple[str, int, str]]
    """(document, line, part of the message)"""


def page(sentence: str) -> str:
    return f"# Page\n\n{sentence}\n"


CONNECT = "def connect(host, timeout=30):\n    print(host)\n    return timeout\n"
LONG = ", ".join(f"a_long_name_{number}: int" for number in range(12))
TALES = [
    Tale(
        "a file moved, and a document names its path",
        {"src/net.py": CONNECT, "a.md": page("See `src/net.py`.")},
        {"src/net.py": None, "src/wire.py": CONNECT},
        [("a.md", 3, "The file src/net.py is now src/wire.py.")],
    ),
    Tale(
        "a file is gone",
        {"src/net.py": CONNECT, "a.md": page("See `src/net.py`.")},
        {"src/net.py": None},
        [("a.md", 3, "The file src/net.py is gone.")],
    ),
    Tale(
        "a folder moved",
        {"old/a.py": "x = 1\n", "old/b.py": "y = 2\n", "a.md": page("All of it is in `old/`.")},
        {"old/a.py": None, "old/b.py": None, "new/a.py": "x = 1\n", "new/b.py": "y = 2\n"},
        [("a.md", 3, "The folder old is now new.")],
    ),
    Tale(
        "a function moved, and nobody says where it is",
        {"src/net.py": CONNECT, "src/wire.py": "", "a.md": page("Call `connect()`.")},
        {"src/net.py": "", "src/wire.py": CONNECT},
        [],
    ),
    Tale(
        "a function moved, and a document says where it was",
        {"src/net.py": CONNECT, "src/wire.py": "", "a.md": page("Call `net.connect()`.")},
        {"src/net.py": "", "src/wire.py": CONNECT},
        [("a.md", 3, "`connect` moved from src/net.py to src/wire.py.")],
    ),
    Tale(
        "a package still gives out what moved inside of it",
        {"src/net/_a.py": CONNECT, "src/net/_b.py": "", "a.md": page("Call `net.connect()`.")},
        {"src/net/_a.py": "", "src/net/_b.py": CONNECT},
        [],
    ),
    Tale(
        "the author touched the sentence",
        {"src/net.py": CONNECT, "a.md": page("Call `connect()`, it waits 30 seconds.")},
        {"src/net.py": CONNECT.replace("30", "60"), "a.md": page("Call `connect()`, it waits a while.")},
        [],
    ),
    Tale(
        "the author touched another sentence",
        {"src/net.py": CONNECT, "a.md": page("Hello. Call `connect()`, it waits 30 seconds.")},
        {"src/net.py": CONNECT.replace("30", "60"), "a.md": page("Hi. Call `connect()`, it waits 30 seconds.")},
        [("a.md", 3, "`connect(host, timeout=30)` is now `connect(host, timeout=60)`")],
    ),
    Tale(
        "a document that is new is about what is new",
        {"src/net.py": CONNECT},
        {"src/net.py": CONNECT.replace("30", "60"), "a.md": page("Call `connect()`.")},
        [],
    ),
    Tale(
        "the sentence says already what is so now",
        {"src/net.py": CONNECT, "a.md": page("Call `connect(timeout=60)`.")},
        {"src/net.py": CONNECT.replace("30", "60")},
        [],
    ),
    Tale(
        "two functions of one name, and nothing that tells them apart",
        {"a.py": CONNECT, "b.py": CONNECT, "a.md": page("Call `connect()`.")},
        {"a.py": CONNECT.replace("30", "60")},
        [],
    ),
    Tale(
        "two functions of one name, and a page that is about one file",
        {"a.py": CONNECT, "b.py": CONNECT, "a.md": page("As in `a.py`: call `connect()`.")},
        {"a.py": CONNECT.replace("30", "60")},
        [("a.md", 3, "`connect` changed in a.py")],
    ),
    Tale(
        "tests and other people's code define nothing",
        {"tests/a.py": CONNECT, "vendor/b.py": CONNECT, "a.md": page("Call `connect()`.")},
        {"tests/a.py": None, "vendor/b.py": None},
        [],
    ),
    Tale(
        "an example means something to its own pages",
        {"examples/x/a.py": CONNECT, "examples/x/a.md": page("Call `connect()`."), "b.md": page("Call `connect()`.")},
        {"examples/x/a.py": CONNECT.replace("30", "60")},
        [("examples/x/a.md", 3, "`connect` changed")],
    ),
    Tale(
        "a key of a settings file",
        {"conf.toml": "[server]\nport = 80\n", "a.md": page("`server.port` is 80.")},
        {"conf.toml": "[server]\nport = 90\n"},
        [("a.md", 3, "conf.toml")],
    ),
    Tale(
        "an attribute that the sentence names beside its class",
        {"a.py": "class Pool:\n    size = 5\n    name = 'x'\n", "a.md": page("A `Pool` has a size of 5.")},
        {"a.py": "class Pool:\n    size = 6\n    name = 'x'\n"},
        [("a.md", 3, "`Pool` changed")],
    ),
    Tale(
        "an attribute that the sentence about a class doesn't name",
        {"a.py": "class Pool:\n    size = 5\n    name = 'x'\n", "a.md": page("A `Pool` has a size of 5.")},
        {"a.py": "class Pool:\n    size = 5\n    name = 'y'\n"},
        [],
    ),
    Tale(
        "a line of an example still works when something changes that it does not use",
        {"a.py": CONNECT, "a.md": "```python\nfrom a import connect\nconnect(1)\nconnect(1, timeout=30)\n```\n"},
        {"a.py": CONNECT.replace("timeout", "wait")},
        [("a.md", 4, "`connect` changed in a.py")],
    ),
    Tale(
        "an import needs the name to be there",
        {"a.py": CONNECT, "a.md": "```python\nfrom a import connect\n```\n"},
        {"a.py": CONNECT.replace("connect", "dial")},
        [("a.md", 2, "`connect` is now `dial`")],
    ),
    Tale(
        "who names a list means the whole of it",
        {"a.py": "KNOWN_HOSTS = ['one', 'two']\n", "a.md": page("See `KNOWN_HOSTS`. Such as `two` in `KNOWN_HOSTS`.")},
        {"a.py": "KNOWN_HOSTS = ['one', 'three']\n"},
        [("a.md", 3, "`KNOWN_HOSTS` changed")],
    ),
    Tale(
        "types of a signature that is too long to be shown",
        {"a.py": f"def connect({LONG}, timeout: int = 30): ...\n", "a.md": page("Call `connect()`.")},
        {"a.py": f"def connect({LONG.replace('int', 'str')}, timeout: float = 30): ...\n"},
        [],
    ),
    Tale(
        "a default at the end of a signature that is too long to be shown",
        {"a.py": f"def connect({LONG}, timeout: int = 30): ...\n", "a.md": page("Call `connect()`.")},
        {"a.py": f"def connect({LONG}, timeout: int = 60): ...\n"},
        [("a.md", 3, "`timeout=30` is now `timeout=60`")],
    ),
    Tale(
        "a value that everybody has, of another parameter",
        {
            "a.py": "def connect(a=False, b=False): ...\n",
            "a.md": "```python\nconnect(a=False)\nconnect(b=False)\n```\n",
        },
        {"a.py": "def connect(a=False, b=None): ...\n"},
        [("a.md", 3, "`connect` changed in a.py")],
    ),
    Tale(
        "the type of a parameter that has a name of its own",
        {"a.py": "def connect(max_size: int = 3): ...\n", "a.md": page("`max_size` is a limit.")},
        {"a.py": "def connect(max_size: float = 3): ...\n"},
        [],
    ),
    Tale(
        "a class is called with what it does not take any more",
        {
            "a.py": "class Pool:\n    def __init__(self, size=1): ...\n",
            "a.md": page("Make a `Pool()`. A `Pool` is one."),
        },
        {"a.py": "class Pool:\n    def __init__(self, number): ...\n"},
        [("a.md", 3, "`Pool` changed")],
    ),
    Tale(
        "a method that moved up, away from the name that the page gives it",
        {"a.py": "class Pool:\n    def take_one(self):\n        return 1\n", "a.md": page("Use `Pool.take_one`.")},
        {"a.py": "class Pool:\n    pass\n\n\nclass Base:\n    def take_one(self):\n        return 1\n"},
        [("a.md", 3, "`Pool.take_one` is now `Base.take_one` in a.py")],
    ),
    Tale(
        "a flag of somebody else's program",
        {
            "a.py": "import argparse\nargparse.ArgumentParser().add_argument('--upgrade')\n",
            "a.md": page("Run `pip install --upgrade x`."),
        },
        {"a.py": ""},
        [],
    ),
    Tale(
        "what a program printed, and files that everybody has",
        {
            "lib.py": "X = 1\n",
            "setup.py": "",
            "a.md": "```console\n$ tool \\\n    lib.py\nran (lib.py:7)\n```\n\nNo `setup.py`. Run `python setup.py`.\n",
        },
        {"lib.py": None, "setup.py": None},
        [("a.md", 3, "The file lib.py is gone."), ("a.md", 7, "The file setup.py is gone.")],
    ),
    Tale(
        "a language without a grammar",
        {"a.lua": "function send_mail(x)\nend\n", "a.md": page("Call `send_mail()`.")},
        {"a.lua": "function post_mail(x)\nend\n"},
        [("a.md", 3, "`send_mail` is gone from a.lua")],
    ),
    *(
        Tale(
            f"a half-edited file: {path}",
            {path: text, "k.md": page(f"Use `{name}`."), "s.md": f"---\nsources:\n  - path: {path}#{name}\n---\n"},
            {path: text.replace(*edit)},
            [],
        )
        for path, text, name, edit in [
            ("a.py", CONNECT, "connect()", ("(host", "(host, =")),
            ("a.ts", "export class PageStore { load(a: string) {} }\n", "PageStore.load", ("{ load", "{{ (( load")),
            ("a.json", '{"server": {"port": 80}}', "server.port", ("80", "80 80")),
            ("a.toml", "[server]\nport = 80\n", "server.port", ("80", "80 80")),
            ("a.yaml", "server:\n  port: 80\n", "server.port", ("80", "[80")),
            ("a.py", CONNECT, "connect()", (CONNECT, "<<<<<<< ours\n" + CONNECT + "=======\n>>>>>>> theirs\n")),
            ("a.py", CONNECT, "connect()", (CONNECT, CONNECT + "# more\n" * 400_000)),
            ("a.py", CONNECT, "connect()", (CONNECT, CONNECT + "# more\n" * 800_000)),
        ]
    ),
    Tale(
        "what is not even written in a half-edited file",
        {"a.py": CONNECT, "a.md": page("Call `connect()`.")},
        {"a.py": CONNECT.replace("connect", "dial").replace("(host", "(host, =")},
        [("a.md", 3, "`connect` is gone from a.py")],
    ),
    Tale(
        "a declared source",
        {
            "a.py": CONNECT + "\n\ndef other():\n    return 1\n",
            "k.md": "---\nname: k\nsources:\n  - path: a.py#connect\n---\nText.\n",
            "l.md": "---\nname: l\nsources:\n  - path: a.py#other\n---\nText.\n",
        },
        {"a.py": CONNECT.replace("print(host)", "print(host, 1)") + "\n\ndef other():\n    return 1\n"},
        [("k.md", 4, "The source a.py#connect is not what it was.")],
    ),
    Tale(
        "a declared source that is gone",
        {"a.py": CONNECT, "k.md": "---\nname: k\nsources:\n  - path: a.py#connect\n  - path: a.py\n---\nText.\n"},
        {"a.py": "x = 1\n"},
        [("k.md", 4, "There is no `connect` in a.py any more."), ("k.md", 5, "The source a.py is not what it was.")],
    ),
]


@pytest.mark.parametrize("tale", TALES, ids=lambda tale: tale.what)
def test_tales(tmp_path: Path, tale: Tale) -> None:
    root = make(tmp_path / "repo", tale.before)
    put(root, tale.after)
    found = look(root).doubts
    assert [(doubt.document, doubt.line) for doubt in found] == [(document, line) for document, line, _ in tale.doubts]
    for doubt, (_, _, part) in zip(found, tale.doubts, strict=True):
        assert part in doubt.message


def test_what_is_surely_false_comes_first(tmp_path: Path) -> None:
    text = "# A\n\n`connect()` is useful.\n\nWithout more, `connect()` waits 30 seconds.\n"
    root = make(tmp_path / "repo", {"a.py": CONNECT, "a.md": page("`connect()` is here."), "z.md": text})
    put(root, {"a.py": CONNECT.replace("30", "60")})
    found = [(doubt.document, doubt.line, doubt.certain) for doubt in look(root).doubts]
    assert found == [("z.md", 5, True), ("z.md", 3, False), ("a.md", 3, False)]


def test_two_commits_and_the_point_where_branches_parted(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"a.py": CONNECT, "a.md": page("Call `connect()`.")})
    git(root, "checkout", "-qb", "work")
    commit(root, {"a.py": CONNECT.replace("30", "60")})
    git(root, "branch", "later")
    commit(root, {"a.py": CONNECT})
    assert len(look(root, "main..later").doubts) == len(look(root, "later..work").doubts) == 1
    assert look(root, "main...work").doubts == look(root, "main...").doubts == ()


def test_a_language_without_a_grammar_is_said_once(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"a.py": "def f(:\n", "b.py": "x = 1\n", "a.md": page("Call `connect()`.")})
    put(root, {"a.py": "def g(:\n"})
    assert look(root).notes == ("a.py: Line 1 is not valid Python, so it was read as text.",)
