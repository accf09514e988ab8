"""What in a document looks like a name of the code, and what is too common to be one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.freshness.mentions import is_telling, mentions

SPANS = {
    "connect()": ["call connect"],
    "connect(host, timeout=30)": ["call connect"],
    "await client.connect(x)": ["call client.connect"],
    "def connect(host):": ["call connect"],
    "Client.connect": ["name Client.connect", "key Client.connect"],
    "Client::connect": ["name Client.connect"],
    "Client#connect": ["name Client.connect"],
    "self.max_size": ["name max_size", "key self.max_size"],
    "@cached_property": ["name cached_property"],
    "class HttpClient": ["name HttpClient"],
    "MAX_SIZE = 30": ["name MAX_SIZE"],
    "maxSize": ["name maxSize"],
    "Client": ["name Client"],
    "--verbose": ["flag --verbose"],
    "--level=3": ["flag --level"],
    "tool run --fast src/a.py": ["flag --fast", "path src/a.py"],
    "src/app.py": ["path src/app.py"],
    "./src/app.py": ["path src/app.py"],
    "src/app.py:12": ["path src/app.py"],
    "src/app.py::main": ["path src/app.py"],
    "docs/": ["path docs/"],
    "Makefile": ["path Makefile", "name Makefile"],
    "pyproject.toml": ["name pyproject.toml", "key pyproject.toml"],
    "tool.ruff.line-length": ["key tool.ruff.line-length"],
    "make lint": ["target lint"],
    "npm run build": ["script build"],
    # says too little
    "name": [],
    "id": [],
    "True": [],
    "HTTP": [],
    "str": [],
    "ValueError": [],
    "print()": [],
    "get()": [],
    "os.path.join": ["key os.path.join", "path os.path.join"],
    "__init__": [],
    "Client.__init__": ["key Client.__init__"],
    "-v": [],
    "x + y": [],
    "/etc/passwd": [],
    "a" * 400: [],
}


@pytest.mark.parametrize(("code", "found"), SPANS.items(), ids=lambda value: str(value)[:40])
def test_inline_code(code: str, found: list[str]) -> None:
    body = f"Before. Then `{code}` stands here. After.\n"
    assert sorted(f"{m.kind} {m.text}" for m in mentions(body)) == sorted(found)


LINES = {
    ("bash", "$ tool --fast src/a.py"): ["flag --fast tool", "path src/a.py "],
    ("console", "$ uv run tool --fast"): ["flag --fast tool"],
    ("sh", "python -m tool --fast"): ["flag --fast tool"],
    ("sh", "LEVEL=3 tool --fast"): ["flag --fast tool"],
    ("", "$ make lint"): ["target lint make"],
    ("", "make lint"): [],
    ("python", "from httpx import Client, AsyncClient"): ["name httpx.Client ", "name httpx.AsyncClient "],
    ("python", "r = httpx.get_all(url, f(1))"): ["call httpx.get_all "],
    ("python", "# call_me() later"): [],
    ("json", '{"a_b": 1}'): [],
}


@pytest.mark.parametrize(("fence", "found"), LINES.items(), ids=lambda value: str(value)[:40])
def test_fenced_code(fence: tuple[str, str], found: list[str]) -> None:
    language, line = fence
    body = f"Text.\n\n```{language}\n{line}\n```\n"
    assert sorted(f"{m.kind} {m.text} {m.part}" for m in mentions(body)) == sorted(found)
    assert all(m.line == 4 and m.sentence.text == line for m in mentions(body))


@pytest.mark.parametrize(
    ("name", "called", "telling"),
    [
        ("connect", True, True),
        ("connect", False, False),
        ("max_size", False, True),
        ("_max_size", False, True),
        ("_size", False, False),
        ("Pool", False, True),
        ("Any", False, False),
        ("go", True, False),
        ("__attrs_attrs__", False, True),
        ("np.array", False, False),
        ("client.x", False, False),
    ],
)
def test_how_much_a_name_tells(name: str, called: bool, telling: bool) -> None:
    assert is_telling(name, called=called) is telling


def test_the_line_is_that_of_the_name_and_the_sentence_is_whole() -> None:
    body = "# T\n\nOne. Two goes on\nwith `max_size` here,\nand ends. Three.\n"
    (found,) = mentions(body, first_line=5)
    assert (found.line, found.sentence.line) == (8, 7)
    assert found.sentence.text == "Two goes on with `max_size` here, and ends."


@given(st.text(alphabet="`~a.b_/-#\n ()|$:", max_size=200))
def test_any_text_is_survived(text: str) -> None:
    for mention in mentions(text):
        assert mention.text and 1 <= mention.line <= text.count("\n") + 1
