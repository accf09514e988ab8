"""From what somebody wrote behind `#` to the place that is meant."""

import pytest

from cairn.lib.code.anchor import AnchorPlace, locate, same_elsewhere
from cairn.lib.code.model import Outline, Symbol
from cairn.lib.code.read import outline

PYTHON = b"""\
class Client:
    def connect(self, host, timeout=30):
        return host

    def close(self): ...


class Server:
    def close(self): ...


p.add_argument("--port", default=1)
q.add_argument("--port", default=2)
"""
JSON = b'{"scripts": {"test": "jest"}, "a.b": [{"c": 1}]}'
MARKDOWN = b"# Top\n\n## Getting started!\n\nwords\n\n```\n## no heading\n```\n\n### Deeper\n\n## Next\n\nmore\n"


def find(path: str, data: bytes, anchor: str | None) -> AnchorPlace | None:
    return locate(outline(path, data), data, anchor)


@pytest.mark.parametrize(
    ("path", "data", "anchor", "lines", "shown"),
    [
        ("a.py", PYTHON, None, (1, 13), "a.py"),
        ("a.py", PYTHON, "", (1, 13), "a.py"),
        ("a.py", PYTHON, "Client.connect", (2, 3), "connect(self, host, timeout=30)"),
        ("a.py", PYTHON, "#Client.connect", (2, 3), "connect(self, host, timeout=30)"),
        ("a.py", PYTHON, "Client.connect()", (2, 3), "connect(self, host, timeout=30)"),
        ("a.py", PYTHON, "Client::connect", (2, 3), "connect(self, host, timeout=30)"),
        ("a.py", PYTHON, "connect", (2, 3), "connect(self, host, timeout=30)"),
        ("a.py", PYTHON, "Client.connect.timeout", (2, 2), "timeout=30"),
        ("a.py", PYTHON, "--port", (12, 13), "--port default=1"),
        ("a.py", PYTHON, "L2-L3", (2, 3), "L2-L3"),
        ("a.py", PYTHON, "L3-2", (2, 3), "L2-L3"),
        ("a.py", PYTHON, "L2", (2, 2), "L2"),
        ("a.json", JSON, "scripts.test", (1, 1), 'scripts.test = "jest"'),
        ("a.json", JSON, "/scripts/test", (1, 1), 'scripts.test = "jest"'),
        ("a.json", JSON, "'a.b'[0].c", (1, 1), '"a.b"[0].c = 1'),
        ("a.json", JSON, "/a.b/0/c", (1, 1), '"a.b".0.c = 1'),
        ("a.md", MARKDOWN, "getting-started", (3, 12), "Getting started!"),
        ("a.md", MARKDOWN, "Next", (13, 15), "Next"),
    ],
)
def test_places(path: str, data: bytes, anchor: str | None, lines: tuple[int, int], shown: str) -> None:
    found = find(path, data, anchor)
    assert found is not None
    assert ((found.line, found.end_line), found.shown) == (lines, shown)
    assert found.digest.startswith("sha256:")
    assert len(found.digest) == 71


@pytest.mark.parametrize(
    ("path", "data", "anchor"),
    [
        ("a.py", PYTHON, "gone"),
        ("a.py", PYTHON, "close"),
        ("a.py", PYTHON, "timeout"),
        ("a.py", PYTHON, "--gone"),
        ("a.py", PYTHON, "L0"),
        ("a.py", PYTHON, "L13-L14"),
        ("a.py", PYTHON, "L999999999999"),
        ("a.json", JSON, "test"),
        ("a.json", JSON, "scripts..test"),
        ("a.json", JSON, "scripts.[0]"),
        ("a.json", JSON, "/a.b/9"),
        ("a.json", JSON, "scripts."),
        ("a.md", MARKDOWN, "no-heading"),
        ("a.txt", b"words\n", "words"),
    ],
)
def test_what_is_not_there(path: str, data: bytes, anchor: str) -> None:
    assert find(path, data, anchor) is None


def test_lines_do_not_mind_spaces_and_do_mind_words() -> None:
    same, other = find("a.txt", b"a\n  b  c\n", "L2"), find("a.txt", b"x\nb c\r\n", "L2")
    assert same and other and same.digest == other.digest
    changed = find("a.txt", b"a\nb d\n", "L2")
    assert changed and changed.digest != same.digest


def test_a_key_too_many_is_found_all_the_same() -> None:
    import json

    data = json.dumps({f"k{index}": {"a": {"b": index}} for index in range(3_000)}).encode()
    found = find("a.json", data, "k7.a.b")
    assert found and found.shown == "k7.a.b = 7"
    assert found.note


def test_the_digest_of_a_flag_is_that_of_all_commands_that_have_it() -> None:
    before, after = find("a.py", PYTHON, "--port"), find("a.py", PYTHON.replace(b"default=2", b"default=3"), "--port")
    assert before and after and before.digest != after.digest


def test_the_note_of_the_file_is_told_with_the_place() -> None:
    found = find("a.py", b"def f(:\n", None)
    assert found and "read as text" in found.note


LONG = "def {name}(a):\n    b = a + 1\n    return {call}\n"


def symbol(found: Outline, name: str) -> Symbol:
    return next(one for one in found.symbols if one.name == name)


@pytest.mark.parametrize(
    ("before", "name", "after", "expected"),
    [
        pytest.param("X = 1\n", "X", {"b.py": "X = 1\n"}, "b.py#X", id="to another file"),
        pytest.param("X = 1\n", "X", {"b.py": "X = 2\n"}, "b.py#X", id="to another file, with another value"),
        pytest.param("X = 1\n", "X", {"a.py": "Y = 1\n"}, "a.py#Y", id="a new name"),
        pytest.param("X = 1\n", "X", {"b.py": "Y = 1\n"}, None, id="a short one in another file is an accident"),
        pytest.param("X = 1\n", "X", {"a.py": "Y = 1\nZ = 1\n"}, None, id="two that look alike"),
        pytest.param("X = 1\n", "X", {"b.py": "X = 1\n", "c.py": "X = 1\n"}, None, id="two of the name"),
        pytest.param("X = 1\n", "X", {"b.py": "X = 1\n", "c.py": "X = 2\n"}, "b.py#X", id="of two the same"),
        pytest.param("X = 1\n", "X", {"b.py": "def X(): ...\n"}, None, id="another kind"),
        pytest.param(
            LONG.format(name="f", call="b"), "f", {"b.py": LONG.format(name="g", call="b")}, "b.py#g", id="both new"
        ),
        pytest.param(
            LONG.format(name="f", call="f(b)"),
            "f",
            {"a.py": LONG.format(name="g", call="g(b)")},
            "a.py#g",
            id="recursion",
        ),
        pytest.param(
            "class A:\n    def m(self, a): return 1\n",
            "A.m",
            {"a.py": "class B:\n    def m(self, a): return 2\n"},
            "a.py#B.m",
            id="in a class with a new name",
        ),
        pytest.param("p.add_argument('--x')\n", "--x", {"b.py": "p.add_argument('--x')\n"}, "b.py#--x", id="a flag"),
        pytest.param("def f(a=1): ...\n", "f.a", {"a.py": "def f(b=1): ...\n"}, "a.py#f.b", id="a parameter"),
        pytest.param("X = 1\n", "X", {}, None, id="nowhere"),
    ],
)
def test_where_it_went(before: str, name: str, after: dict[str, str], expected: str | None) -> None:
    gone = symbol(outline("a.py", before.encode()), name)
    found = same_elsewhere(gone, [outline(path, text.encode()) for path, text in after.items()])
    assert (found.reference if found else None) == expected


def test_a_key_of_the_same_name_is_no_sign_but_one_of_the_same_value_is() -> None:
    gone = symbol(outline("a.json", b'{"version": 1}'), "version")
    assert same_elsewhere(gone, [outline("b.json", b'{"version": 2}')]) is None
    assert same_elsewhere(gone, [outline("b.json", b'{"version": 1}')]) is not None
