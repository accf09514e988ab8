"""Texts that the fuzzer found, each with the function that hung, failed or printed a warning about them."""

import pytest

from cairn.capture.new_text import is_statement
from cairn.freshness.diff.command_parsers import command_parsers
from cairn.freshness.diff.denials import denies
from cairn.freshness.diff.python_code import signatures
from cairn.lib.markdown.blocks import seen_text
from cairn.lib.markdown.mdx import without_jsx
from cairn.lib.scrub.value import judged
from cairn.lib.yaml.compose import read_keys
from cairn.lib.yaml.splice import pieces


def test_judged_ends_on_a_long_value_of_example_words() -> None:
    judged("name0" + "a_" * 200 + "~", quoted=True, password=True, closed=True)


def test_seen_text_ends_on_a_long_run_of_backticks() -> None:
    assert seen_text("<b>" + "`" * 20_000).startswith("   ")


@pytest.mark.parametrize(
    ("text", "expected"), [("1," * 10_000, False), ("one two three four five", True), ("one two three four", False)]
)
def test_is_statement_counts_words(text: str, expected: bool) -> None:
    assert is_statement(text) is expected


def test_read_keys_prints_no_warning_about_an_anchor_that_recurs() -> None:
    read = read_keys("a: 1\nb:\n  - c: &x [1]\n  - c: &x [1, 2]\n")
    assert read is not None
    assert read.value["a"] == 1


def test_signatures_print_no_warning_about_other_peoples_code() -> None:
    assert set(signatures(b"def f(a): return 1if a else 2\n")) == {"f"}


def test_pieces_refuses_deep_brackets_with_a_value_error() -> None:
    with pytest.raises(ValueError, match="composer"):
        pieces("{" * 5_000)


def test_mdx_reads_unclosed_comments_in_linear_time() -> None:
    assert without_jsx("- <!--" * 60_000).startswith("-     -")


def test_command_parsers_reads_nothing_in_code_that_is_nested_too_deeply() -> None:
    assert not command_parsers("-" * 100_000 + "1\n")


def test_denies_takes_a_place_behind_the_text() -> None:
    assert not denies("short", 1_000, 1_005)
