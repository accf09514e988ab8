import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cairn.lib.markdown.frontmatter import MAX_LINE, Problem, SplitFile, decode, parse, split

CONTRACT = re.compile(r"^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$")
EMPTY = re.compile(r"---\r?\n---(?:\r?\n|\Z)")

PIECES = st.lists(st.sampled_from(["---", "-", "\n", "\r\n", "\r", "a: 1", " ", "\n---\n", "é"]), max_size=10)


@given(PIECES.map("".join))
@example("---\n\n---\n")
@example("---\r\n\r\n---\r\nx")
@example("---\na\n---b")
@example("---\n---x\n---\n")
def test_splitting_is_what_the_pattern_of_the_contract_does(text: str) -> None:
    if EMPTY.match(text):
        return
    found = CONTRACT.match(text)
    raw, body = (found[1], found[2]) if found else (None, text)
    line = text[: len(text) - len(body)].count("\n") + 1
    assert split(text) == SplitFile(raw, body, line)


SPLITS = {
    "none": ("# Title\n", SplitFile(None, "# Title\n", 1)),
    "some": ("---\na: 1\n---\nbody\n", SplitFile("a: 1", "body\n", 4)),
    "no newline at the end": ("---\na: 1\n---", SplitFile("a: 1", "", 3)),
    "carriage returns": ("---\r\na: 1\r\n---\r\nbody", SplitFile("a: 1", "body", 4)),
    "blank line": ("---\n\n---\nbody", SplitFile("", "body", 4)),
    "nothing between": ("---\n---\nbody", SplitFile("", "body", 3)),
    "nothing between, carriage returns": ("---\r\n---\r\nbody", SplitFile("", "body", 3)),
    "nothing between, nothing after": ("---\n---", SplitFile("", "", 2)),
    "nothing between, a rule later": ("---\n---\nbody\n---\n", SplitFile("", "body\n---\n", 3)),
    "not closed": ("---\na: 1\n", SplitFile(None, "---\na: 1\n", 1)),
    "not at the start": ("\n---\na: 1\n---\n", SplitFile(None, "\n---\na: 1\n---\n", 1)),
}


@pytest.mark.parametrize(("text", "expected"), SPLITS.values(), ids=SPLITS)
def test_splitting(text: str, expected: SplitFile) -> None:
    assert split(text) == expected


def test_parsing_gives_mapping_body_and_line() -> None:
    parsed = parse("---\nname: x\ntags: [a, b]\n---\n# Title\n")
    assert parsed.frontmatter == {"name": "x", "tags": ["a", "b"]}
    assert (parsed.raw, parsed.body, parsed.body_line) == ("name: x\ntags: [a, b]", "# Title\n", 5)
    assert parsed.problems == ()


@pytest.mark.parametrize("text", ["# Title", "---\n---\nx", "---\n\n---\nx", "---\n# only a comment\n---\nx", ""])
def test_no_or_empty_frontmatter_is_an_empty_mapping_and_no_problem(text: str) -> None:
    parsed = parse(text)
    assert parsed.frontmatter == {}
    assert parsed.problems == ()


# (text, rule, line, hint)
PROBLEMS = {
    "syntax": ("---\na: 1\nb: [\n---\nx", "frontmatter-parse-error", 3, None),
    "duplicate in a value": ("---\na: {b: 1, b: 2}\n---\nx", "frontmatter-parse-error", 2, None),
    "alias": ("---\na: 1\nb: *c\n---\nx", "frontmatter-parse-error", 3, None),
    "list": ("---\n- a\n- b\n---\nx", "frontmatter-parse-error", 2, None),
    "scalar": ("---\njust text\n---\nx", "frontmatter-parse-error", 2, None),
    "indented": ("  ---\n  name: x\n  ---\nbody", "frontmatter-malformed", 1, "paste-with-indent"),
    "indented by a tab": ("\t---\r\nname: x\n", "frontmatter-malformed", 1, "paste-with-indent"),
    "not closed": ("---\nname: x\n\nbody", "frontmatter-malformed", 1, "missing-close"),
    "blanks behind": ("--- \nname: x\n---\nbody", "frontmatter-malformed", 1, "blank-behind"),
    "not closed, carriage returns": ("---\r\nmy-name : x\r\nbody", "frontmatter-malformed", 1, "missing-close"),
    "byte order mark": ("\ufeff---\nname: x\n---\nbody", "frontmatter-malformed", 1, "byte-order-mark"),
}


@pytest.mark.parametrize(("text", "rule", "line", "hint"), PROBLEMS.values(), ids=PROBLEMS)
def test_what_is_wrong_is_told_with_the_line_of_the_file(text: str, rule: str, line: int, hint: str | None) -> None:
    (problem,) = parse(text).problems
    assert (problem.rule, problem.line, problem.hint) == (rule, line, hint)
    assert problem.message.endswith(".")


@pytest.mark.parametrize("text", ["---\n\nA rule.", "  ---\nA rule.", "---\n", "---", "----\na: 1", " a: 1"])
def test_a_rule_is_no_broken_frontmatter(text: str) -> None:
    assert parse(text).problems == ()


def test_frontmatter_behind_a_byte_order_mark_is_read() -> None:
    assert parse("\ufeff---\nname: x\n---\nbody").frontmatter == {"name": "x"}


@pytest.mark.parametrize(
    "raw", ["__proto__: {a: 1}\nb: 2", 'b: 2\n"\\x5f_proto__": 1', "b: 2\nconstructor: x\nprototype: y"]
)
def test_keys_that_would_poison_javascript_are_dropped(raw: str) -> None:
    assert parse(f"---\n{raw}\n---\n").frontmatter == {"b": 2}


@given(st.text(alphabet="-\n\r ab:[*&!'\"\ufeff", max_size=30))
def test_any_text_can_be_parsed(text: str) -> None:
    parsed = parse(text)
    assert text.endswith(parsed.body)
    assert all(1 <= problem.line <= text.count("\n") + 1 for problem in parsed.problems)


# --- TOML -----------------------------------------------------------------------------------------------------------


def test_a_toml_file_is_all_frontmatter() -> None:
    text = 'name = "x"\nat = 2024-05-01\nwhen = 2024-05-01T10:00:00Z\n[[list]]\nclock = 10:30:00\nn = 1.5\n'
    parsed = parse(text, "toml")
    assert parsed.frontmatter == {
        "name": "x",
        "at": "2024-05-01",
        "when": "2024-05-01T10:00:00+00:00",
        "list": [{"clock": "10:30:00", "n": 1.5}],
    }
    assert (parsed.raw, parsed.body, parsed.body_line, parsed.problems) == (text, "", 1, ())


TOML_PROBLEMS = {
    "syntax": ("a = 1\nb = \n", 2),
    "end": ("a = 1\n\nb = '''x", 3),
    "duplicate": ("a = 1\na = 2\n", 2),
    "infinity": ("a = inf", 1),
    "long number": ("a = " + "9" * 30, 1),
    "very long number": ("a = " + "9" * 5000, 1),
    "deep": ("a = " + "[" * 20_000, 1),
}


@pytest.mark.parametrize(("text", "line"), TOML_PROBLEMS.values(), ids=TOML_PROBLEMS)
def test_what_is_wrong_with_toml_is_told_too(text: str, line: int) -> None:
    parsed = parse(text, "toml")
    (problem,) = parsed.problems
    assert (problem.rule, problem.line) == ("frontmatter-parse-error", line)
    assert " (at " not in problem.message
    assert parsed.frontmatter == {}


def test_dangerous_keys_of_toml_and_its_byte_order_mark() -> None:
    parsed = parse("\ufeff__proto__ = 1\na = 2", "toml")
    assert parsed.frontmatter == {"a": 2}
    assert [problem.hint for problem in parsed.problems] == ["byte-order-mark"]


# --- bytes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "a\nb", "a\r\nb", "é 日本 🎉\n"])
def test_good_text_is_decoded_without_a_word(text: str) -> None:
    assert decode(text.encode()) == (text, (), False)


# (bytes, text, rule, line, hint)
BYTES = {
    "latin-1": (b"a\nb\xe9c\n", "a\nb\ufffdc\n", "file-encoding", 2, None),
    "cut off": ("a\n\né".encode()[:-1], "a\n\n\ufffd", "file-encoding", 3, None),
    "mark": (b"\xef\xbb\xbfa", "a", "file-encoding", 1, "byte-order-mark"),
    "mark and frontmatter": (b"\xef\xbb\xbf---\na: 1", "---\na: 1", "frontmatter-malformed", 1, "byte-order-mark"),
    "long line": (b"a\n" + b"x" * (MAX_LINE + 1), "a\n" + "x" * (MAX_LINE + 1), "line-too-long", 2, None),
}


@pytest.mark.parametrize(("data", "text", "rule", "line", "hint"), BYTES.values(), ids=BYTES)
def test_bytes_that_are_not_quite_text(data: bytes, text: str, rule: str, line: int, hint: str | None) -> None:
    decoded = decode(data)
    assert decoded.text == text
    assert [(problem.rule, problem.line, problem.hint) for problem in decoded.problems] == [(rule, line, hint)]


def test_lines_up_to_the_limit_are_fine() -> None:
    assert decode(b"\n".join([b"x" * MAX_LINE] * 3)).problems == ()


def test_a_file_with_nul_is_no_text() -> None:
    decoded = decode(b"a\nb\0c")
    assert decoded.binary
    assert decoded.text == ""
    assert decoded.problems == (Problem("file-binary", decoded.problems[0].message, 2),)


@given(st.binary(max_size=40))
def test_any_bytes_can_be_decoded_and_parsed(data: bytes) -> None:
    decoded = decode(data)
    assert "\0" not in decoded.text
    parse(decoded.text)


def test_a_block_of_text_at_the_end_keeps_its_last_line_break() -> None:
    assert parse("---\na: |\n  one\n  two\n---\nbody").frontmatter == {"a": "one\ntwo\n"}
