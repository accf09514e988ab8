"""Literal values in configuration files."""

from cairn.lib.site.literals import MISSING, LiteralValue, string_of, without_comments, yaml_names, yaml_value


def test_strings_are_read_and_expressions_are_computed() -> None:
    assert string_of("{ base: '/x/' }", "base") == LiteralValue("/x/", False)
    assert string_of('{ "base": "/x/" }', "base") == LiteralValue("/x/", False)
    assert string_of("{ base: isDev ? '/' : '/x/' }", "base") == LiteralValue(None, True)
    assert string_of("{ base: `/${name}/` }", "base") == LiteralValue(None, True)
    assert string_of("{ database: '/x/' }", "base") == MISSING


def test_a_double_slash_in_a_string_is_no_comment() -> None:
    assert without_comments("a: 'https://x' // note\n/* b: 1 */ c") == "a: 'https://x' \n c"


def test_yaml_values_are_read_beside_unknown_tags() -> None:
    text = "docs_dir: 'a' # note\nx: !!python/name:y\nplugins:\n  - search\n  - macros:\n      z: 1\n"
    assert yaml_value(text, "docs_dir") == "a"
    assert yaml_names(text, "plugins") == {"search", "macros"}
