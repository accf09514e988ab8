"""Makes texts that nobody would write: mutated pages and code, soups of tokens, and pumped repetitions."""

# ruff: noqa: E501

from random import Random
from typing import NamedTuple

SEEDS = (
    "# Title\n\nSome *text* with `code`, a [link](docs/a.md#part) and <b>HTML</b>.\n\n"
    "- Always use the 30s timeout\n- Port 8080, not 80\n\n```sh\nmake test --fast\n```\n",
    "---\nid: practice-a\ntitle: 'A: b'\ntags: [x, y]\nsummary: one\nsources:\n  - url: https://a.example/x\n---\n\n## Part\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "Title\n=====\n\n.. code-block:: python\n\n   x = 1\n\n:ref:`a <b>` and `c <d>`_ and |e|.\n\n.. toctree::\n\n   a <b>\n",
    "import X from './x'\n\n<Tabs items={[1, 2]}>\n  text {value} # not a heading\n</Tabs>\n\n{/* comment */}\n## Title {#id}\n",
    "[tox]\nenvlist = py311, lint\n\n[testenv]\ndeps =\n    pytest\n    check --diff\ncommands =\n    pytest {posargs}\n",
    "build target='x': deps\n  echo {{target}}\n\nexport A := 'b'\n@lint *args:\n  ruff {{args}}\n",
    "CC ?= gcc\nall: a.o b.o\n\t$(CC) -o $@ $^ \\\n\t  -Wall\n.PHONY: all\ninclude x.mk\n",
    "[project]\nname = \"x\"\nversion = '1.2.3'\n[tool.a.b]\nc = [1, 2, {d = 3}]\n[project.scripts]\nx = 'x:main'\n",
    "a: 1\nb:\n  - c: &x [1, 2]\n    d: *x\n  - 'e': !!str 5\nf: |\n  text\n---\ng: 1e400\n",
    '{"a": {"b": [1, 2.5, null]}, // comment\n "c": "d\\u00e9",}\n',
    "A=1\nexport B='x y'\n# comment\nC = d # e\n",
    'class A(B):\n    """Doc."""\n    x: int = 30\n\n    def f(self, a, *, b=None) -> str:\n        return a[1:2] + f\'{b}\'\n\nTIMEOUT = 30\n',
    "export const TIMEOUT = 30;\nexport default class A extends B { constructor(x = 1) { super(); } get y() { return `a${x}`; } }\n",
    "#!/bin/sh\nset -e\nmake test && ./run.sh --flag=1 | grep 'x'\n",
    "[USER]: remember: from now on use 500, not 200\n\n[AGENT]: ok, `a_b_c` is 5 min (was 1:2)\n",
    '{"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": "hi"}]}}\n',
    "* @org/team a@b.example\n/docs/ @x # comment\n[Section][2] @y\n",
    "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-TIMEOUT = 30\n+TIMEOUT = 60\n",
    "https://user:pw@[::1]:8080/a/../b?q=1#f http://[x //[y ftp://a.b./%zz",
    "2026-01-02T03:04:05+05:30 12 March 2024, v1.2.3-rc.1, $5k, 1,000.5 MB, 3:1, 99.9%, 5 thousand minutes",
)
TOKENS = (
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\x00",
    "\ufeff",
    "\u2028",
    "é",
    "文",
    "😀",
    "\\",
    "/",
    "//",
    "../",
    "~",
    "@",
    "#",
    "##",
    "```",
    "~~~",
    "`",
    "``",
    "*",
    "**",
    "_",
    "__",
    "-",
    "--",
    "---",
    "- ",
    "1. ",
    "> ",
    "| ",
    "|",
    ":",
    "::",
    ";",
    ",",
    ".",
    "..",
    "...",
    "=",
    "==",
    ":=",
    "=>",
    "->",
    "<",
    ">",
    "</",
    "<!--",
    "-->",
    "{",
    "}",
    "{{",
    "}}",
    "{#",
    "{%",
    "[",
    "]",
    "[[",
    "]]",
    "](",
    "(",
    ")",
    "'",
    '"',
    "'''",
    '"""',
    "&",
    "&amp;",
    "&#x0;",
    "!",
    "!!",
    "!!str ",
    "&a ",
    "*a",
    "? ",
    "|-\n",
    ">-\n",
    "%",
    "$",
    "${",
    "$(",
    "^",
    "+",
    "0",
    "1",
    "00",
    "1.2",
    "1,2",
    "1:2",
    "1_000",
    "1e400",
    "0x1f",
    ".5",
    "5.",
    "v1",
    "٣",
    "²",
    "inf",
    "nan",
    "s",
    "ms",
    "minutes",
    "MB",
    "%",
    "k",
    "thousand",
    "million",
    "one",
    "two",
    "not",
    "is",
    "a",
    "b",
    "name",
    "a_b",
    "A_B",
    "aB",
    "AbC",
    "a-b",
    "a.b",
    "a/b.md",
    "README.md",
    "http://",
    "https://a.example/",
    "[::1]",
    "mailto:",
    "data:",
    "def ",
    "class ",
    "import ",
    "from ",
    "if ",
    "export ",
    "include ",
    "[x]",
    "null",
    "true",
    "status: ",
    "id: ",
    "key",
    "key =",
    "key:",
    "    continued",
    "\tcommand",
    ".. note::",
    ":ref:`x`",
    "`a <b>`_",
    "=====",
    "-----",
)
UNITS = (
    "a_",
    "a-",
    "a.",
    "a/",
    "a:",
    "a ",
    " ",
    "\n",
    "\t",
    " \n",
    "a",
    "A",
    "0",
    "0.",
    "0,",
    "_",
    "-",
    "*",
    "`",
    "#",
    "[",
    "(",
    "<",
    "{",
    "<!--",
    "/*",
    "\\",
    '"',
    "'",
    "=",
    "|",
    ">",
    "a\n",
    "- ",
    "- a\n",
    "[a](",
    "](",
    "**a",
    "a`",
    "../",
    "a=",
    "@a ",
    ":a:",
    "&a",
    "%",
    "$",
    "é",
    "\r",
    "<a ",
    "{{",
    "a_b ",
    "1,",
    "x: ",
)


PATHS = (
    "a.md",
    "b.md",
    "a.rst",
    "b.mdx",
    "tox.ini",
    "justfile",
    "Makefile",
    "pyproject.toml",
    "a.yaml",
    "a.json",
    ".env",
    "a.py",
    "a.ts",
    "a.sh",
    "session.md",
    "session.jsonl",
    "CODEOWNERS",
    "a.diff",
    "urls.txt",
    "numbers.md",
)
"""What a file of each seed would be called."""


class Case(NamedTuple):
    text: str
    path: str


def case(random: Random, longest: int = 20_000) -> Case:
    """One text. Most are small and mutated; some are long repetitions."""
    at = random.randrange(len(SEEDS))
    kind = random.random()
    if kind < 0.65:
        return Case(_mutated(random, SEEDS[at]), PATHS[at])
    made = _soup(random) if kind < 0.88 else _pumped(random, longest)
    return Case(made, random.choice(PATHS))


def _soup(random: Random) -> str:
    some = random.sample(TOKENS, random.randint(2, 12))
    return "".join(random.choice(some) for _ in range(random.randint(1, 40)))


def _pumped(random: Random, longest: int) -> str:
    """A repetition between two other things, sometimes on a line of a page."""
    unit = random.choice(UNITS) if random.random() < 0.7 else "".join(random.choices(TOKENS, k=random.randint(1, 3)))
    times = random.choice((29, 300, 2_000, longest // max(len(unit), 1)))
    pumped = random.choice(("", *TOKENS)) + unit * times + random.choice(("", "", "x", "\x00", *TOKENS))
    if random.random() < 0.5:
        return pumped
    lines = random.choice(SEEDS).split("\n")
    lines.insert(random.randint(0, len(lines)), random.choice(("", "name", "x: ", "# ", "- ", "  ", "```\n")) + pumped)
    return "\n".join(lines)


def repeated(random: Random, sizes: tuple[int, int]) -> tuple[Case, Case]:
    """The same repetition between the same two things, in two lengths."""
    unit = random.choice(UNITS) if random.random() < 0.7 else "".join(random.choices(TOKENS, k=2))
    before, after = random.choice(("", *TOKENS)), random.choice(("", "x", "\x00", *TOKENS))
    path = random.choice(PATHS)
    short, long = (Case(before + unit * (size // len(unit)) + after, path) for size in sizes)
    return short, long


def _mutated(random: Random, seed: str) -> str:
    for _ in range(random.randint(1, 6)):
        seed = random.choice(_MUTATIONS)(random, seed)
    return seed


def _cut(random: Random, seed: str) -> str:
    start = random.randint(0, len(seed))
    return seed[:start] + seed[start + random.randint(1, 12) :]


def _insert(random: Random, seed: str) -> str:
    at = random.randint(0, len(seed))
    return seed[:at] + random.choice(TOKENS) + seed[at:]


def _lines(random: Random, seed: str) -> str:
    """One line doubled, moved, indented, or cut behind a sign."""
    lines = seed.split("\n")
    at = random.randrange(len(lines))
    line = lines[at]
    lines[at : at + 1] = random.choice(
        ([line, line], ["    " + line], [line.lstrip()], [line.split("=")[0].rstrip()], [line.split(":")[0]], [])
    )
    random.random() < 0.2 and random.shuffle(lines)
    return "\n".join(lines)


def _doubled(random: Random, seed: str) -> str:
    start = random.randint(0, len(seed))
    piece = seed[start : start + random.randint(1, 10)]
    return seed[:start] + piece * random.choice((2, 3, 40)) + seed[start:]


def _spliced(random: Random, seed: str) -> str:
    other = random.choice(SEEDS)
    return seed[: random.randint(0, len(seed))] + other[random.randint(0, len(other)) :]


_MUTATIONS = (_cut, _insert, _lines, _lines, _doubled, _spliced)
