"""One file, from its bytes to what is stored of it."""

import json
from hashlib import sha256
from typing import Any

import pytest

from cairn.core.ports.runtime import FoundFile
from cairn.graph.extraction import Crew, Providers
from cairn.graph.read_file import FileReader, FileReading, SkippedFile, Validators, frontmatter_json, tags_of
from cairn.plugin import KindSpec
from unit.graph.tiny import LINKS, bundle, extractor, find, provider, registry_of

SPEC = KindSpec(label="l", color="#fff", schema={"properties": {"model": {"type": "string"}}})


def reader(strict: bool = False, **more: Any) -> FileReader:
    made = {"provider/p": provider("p", spec=SPEC), "extractor/links": LINKS, **more}
    registry = registry_of(bundle("m", made))
    return FileReader(Providers(registry.providers, None), Crew(registry.extractors), Validators(), strict=strict)


def read(data: bytes | str, path: str = "docs/my-page.md", **more: Any) -> FileReading:
    raw = data.encode() if isinstance(data, str) else data
    found = reader(**more).read(FoundFile(path, len(raw), 1, 1), raw)
    assert isinstance(found, FileReading)
    return found


TITLES = [
    ("---\ntitle: T\nname: n\n---\n# H", "T"),
    ("---\nname: n\n---\n# H", "n"),
    ("# H\n", "H"),
    ("---\ntitle: [x]\n---\ntext", "my-page"),
    ("---\ntitle: |\n  two\n  lines\n---\n", "two lines"),
    ("", "my-page"),
]


@pytest.mark.parametrize(("text", "title"), TITLES)
def test_the_title(text: str, title: str):
    assert read(text).title == title


def test_a_hidden_file_has_a_title_too():
    assert read("", "docs/.md").title == "docs/.md"


@pytest.mark.parametrize(
    ("frontmatter", "tags"),
    [
        ({"tags": ["a", "b"], "topics": ["b", "c"]}, [("a", "frontmatter"), ("b", "frontmatter"), ("c", "topics")]),
        ({"tags": "a, b ,,"}, [("a", "frontmatter"), ("b", "frontmatter")]),
        ({"tags": [1, None, " ", "x"]}, [("x", "frontmatter")]),
        ({"tags": {"a": 1}}, []),
        ({}, []),
    ],
)
def test_tags_have_a_source_each(frontmatter: dict[str, Any], tags: list[tuple[str, str]]):
    assert list(tags_of(frontmatter)) == tags


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        ("---\na: 1\n---\nbody", (13, 4)),
        ("Grüße", (0, 7)),
        (b"\xef\xbb\xbfx", (3, 1)),
        (b"\xff\xfe\xfd abc", (0, 7)),
        (b"---\na: \xff\n---\n\xff\xff\xff\xff", (7, 11)),
        (b"", (0, 0)),
    ],
)
def test_sizes_are_those_of_the_file(data: bytes | str, parts: tuple[int, int]):
    """Also where the text stands for bytes that are no UTF-8, and is longer than they were."""
    found = read(data)
    raw = data.encode() if isinstance(data, str) else data
    assert found.bytes_frontmatter + found.bytes_body == len(raw)
    assert found.bytes_frontmatter >= 0
    if b"\xff" not in raw:
        assert (found.bytes_frontmatter, found.bytes_body) == parts


def test_the_body_hash_is_of_the_decoded_body():
    assert read("---\na: 1\n---\nbody").body_hash == sha256(b"body").digest()
    assert read(b"\xef\xbb\xbfbody").body_hash == sha256(b"body").digest()


# bytes, strict, rules with severity and line
PROBLEMS = [
    (b"---\na: [\n---\n", False, [("frontmatter-parse-error", "warn", 3)]),
    (b"---\na: [\n---\n", True, [("frontmatter-parse-error", "error", 3)]),
    (b"---\nmodel: 3\n---\n", False, [("frontmatter-invalid", "warn", 1)]),
    (b"---\nmodel: 3\n---\n", True, [("frontmatter-invalid", "error", 1)]),
    (b"---\na: 1\n", True, [("frontmatter-malformed", "error", 1)]),
    (b"one\n\xff\n", True, [("file-encoding", "warn", 2)]),
    (b"\xef\xbb\xbf---\na: 1\n---\n", False, [("frontmatter-malformed", "warn", 1)]),
    (b"x" * 1_000_001, True, [("line-too-long", "warn", 1)]),
    (b"fine\n", True, []),
]


@pytest.mark.parametrize(("data", "strict", "expected"), PROBLEMS, ids=range(len(PROBLEMS)))
def test_what_is_wrong_is_said_with_its_line(data: bytes, strict: bool, expected: list[tuple[str, str, int]]):
    found = [(i.analyzer, str(i.severity), i.line) for i in read(data, strict=strict).issues]
    if expected and expected[0][0] == "frontmatter-parse-error":
        assert [(rule, severity) for rule, severity, _ in found] == [(r, s) for r, s, _ in expected]
        assert found[0][2] in (2, 3)
    else:
        assert found == expected


def test_a_file_with_nul_bytes_is_no_node():
    found = reader().read(FoundFile("a.md", 3, 1, 1), b"x\n\0")
    assert isinstance(found, SkippedFile)
    assert (found.issue.analyzer, found.issue.line, found.issue.path) == ("file-binary", 2, "a.md")


def test_what_ran_is_stamped_and_can_run_again_alone():
    found = read("<a.md>")
    assert found.extractors == ("m/links@1",)
    other = reader(**{"extractor/other": extractor(find(r"(\w+)\."))})
    extracted, ran = other.again("x.md", b"---\na: 1\n---\n<a.md>", frozenset({"m/other@1"}))
    assert ran == ["m/other@1"]
    assert [(s.candidates[0].target, s.line) for s in extracted.signals] == [("a", 4)]


def test_frontmatter_is_kept_as_it_was_written():
    assert frontmatter_json({}) == "{}"
    text = frontmatter_json({"b": "ü", "a": [1]})
    assert "ü" in text
    assert list(json.loads(text).items()) == [("b", "ü"), ("a", [1])]


@pytest.mark.parametrize("path", ["docs/a.rst", "docs/a.mdx"])
def test_a_page_is_outlined_once(path: str, monkeypatch: pytest.MonkeyPatch):
    """It takes most of the time of a scan."""
    from cairn.lib.document import document
    from cairn.lib.document import document as readable

    outlined: list[str] = []
    outline = document.outline

    def counting(path: str, text: str) -> Any:
        outlined.append(path)
        return outline(path, text)

    monkeypatch.setattr(document, "outline", counting)
    monkeypatch.setattr(readable, "outline", counting)
    assert read("Title\n=====\n\nWords.\n", path).text
    assert outlined == [path]


SCHEMA = {
    "type": "object",
    "required": ["name", "description", "owner"],
    "properties": {"model": {"enum": ["a", "b"]}, "tools": {"type": "array", "items": {"type": "string"}}},
}
GOOD = {"name": "n", "description": "d", "owner": "o"}

# what is there, and a piece of each sentence about it
CASES: list[tuple[str, dict[str, object], list[str]]] = [
    ("fine", GOOD, []),
    ("a wrong value is named by its place", {**GOOD, "model": "c"}, ["frontmatter `model`: "]),
    ("also inside a list", {**GOOD, "tools": ["x", 3]}, ["frontmatter `tools.1`: "]),
    ("a missing key", {"name": "n", "description": "d"}, ['frontmatter: "owner" is a required property']),
    ("name and description are the analyzer's to report", {"owner": "o"}, []),
    ("every place is reported", {**GOOD, "model": 1, "tools": 2}, ["`model`", "`tools`"]),
]


@pytest.mark.parametrize(("value", "sentences"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_errors(value: dict[str, object], sentences: list[str]):
    found = sorted(Validators().errors("p/k", SCHEMA, value))
    assert len(found) == len(sentences)
    assert all(piece in sentence for piece, sentence in zip(sentences, found, strict=True))


BROKEN = [{"type": "nonsense"}, {"$ref": "https://example.invalid/schema"}, {"pattern": "("}, {"properties": 3}]


@pytest.mark.parametrize("schema", BROKEN, ids=str)
def test_a_schema_that_is_none_is_named_once_and_checks_nothing(schema: dict[str, object]):
    validators = Validators()
    assert [validators.errors("p/page", schema, value) for value in ({}, GOOD)] == [[], []]
    made = provider("p", spec=KindSpec(label="l", color="#fff", schema=schema))
    (failure,) = validators.take_failures(registry_of(bundle("m", {"provider/p": made})).providers)
    assert failure.extension == "m/p"
    assert failure.message.startswith("the schema of its kind `page` is not valid: ")
    assert "\n" not in failure.message


def test_nothing_to_say_about_schemas_that_nobody_needed():
    made = provider("p", spec=KindSpec(label="l", color="#fff", schema={"type": "nonsense"}))
    assert Validators().take_failures(registry_of(bundle("m", {"provider/p": made})).providers) == []
