"""Repairs lose nothing; what would lose something is left as it is."""

import pytest

from cairn.jobs.repair import repaired, shortened

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["items", "note"],
    "properties": {
        "items": {"type": "array", "items": {"$ref": "#/$defs/item"}},
        "note": {"type": ["string", "null"]},
        "some": {"type": "array", "minItems": 1},
        "title": {"type": "string", "maxLength": 20},
        "body": {"type": "string", "maxLength": 20},
        "score": {"type": "number"},
        "line": {"type": "integer"},
        "kind": {"enum": ["still-true", "gone", None]},
        "tags": {"type": "array", "maxItems": 2, "items": {"type": "string"}},
        "quotes": {"type": "array", "minItems": 1, "items": {"type": "string"}},
        "reason": {"type": "string", "maxLength": 20, "pattern": r"^\S[^\n\r]*$"},
    },
    "$defs": {"item": {"type": "object", "additionalProperties": False, "properties": {"tags": {"type": "array"}}}},
}


def fixed(**value):
    found, notes = repaired({"items": [], "note": None, **value}, SCHEMA)
    return {key: found[key] for key in value if key in found}, notes


@pytest.mark.parametrize(
    ("given", "put_right", "note"),
    [
        ({"extra": 1}, {}, "`extra` is not asked for"),
        ({"items": [{"x": 1, "tags": None}]}, {"items": [{"tags": []}]}, "`items/0/x` is not asked for"),
        ({"items": None}, {"items": []}, "`items` is empty, not null"),
        ({"title": "A title of several words"}, {"title": "A title of several…"}, "`title` is shortened"),
        ({"score": "0.9"}, {"score": 0.9}, "`score` is a number"),
        ({"line": "12"}, {"line": 12}, "`line` is a number"),
        ({"tags": ["Fake Clock", "#ops"]}, {"tags": ["fake-clock", "ops"]}, "`tags/0` is `fake-clock`"),
        ({"tags": ["a", "b", "c"]}, {"tags": ["a", "b"]}, "`tags` has the first 2"),
        ({"tags": ["A", "a", " ", "b"]}, {"tags": ["a", "b"]}, "`tags/0` is `a`"),
        ({"tags": "Ops Team, ci"}, {"tags": ["ops-team", "ci"]}, "`tags` is a list"),
        ({"quotes": "we use it, always"}, {"quotes": ["we use it, always"]}, "`quotes` is a list"),
        ({"reason": "some words " * 9}, {"reason": "some words some…"}, "`reason` is on one line"),
        ({"reason": "two\nlines"}, {"reason": "two lines"}, "`reason` is on one line"),
        ({"kind": "Still true"}, {"kind": "still-true"}, "`kind` is `still-true`"),
    ],
)
def test_what_loses_nothing_is_put_right(given, put_right, note):
    found, notes = fixed(**given)
    assert found == put_right and notes[0].startswith(note)


@pytest.mark.parametrize(
    "given",
    [
        {"title": "x" * 41},
        {"body": "A body of several words"},
        {"score": "high"},
        {"score": "nan"},
        {"line": "1.5"},
        {"kind": "maybe"},
        {"some": None},
        {"note": ["no text"]},
        {"items": "a text"},
    ],
)
def test_the_rest_is_left_as_it_is(given):
    assert fixed(**given) == (given, ())


def test_what_may_be_empty_need_not_be_given():
    assert repaired({}, SCHEMA) == ({"items": [], "note": None}, ("`items` is empty", "`note` is empty"))


def test_a_title_ends_at_a_word_where_it_has_words():
    assert shortened("one two three four", 12) == "one two…"
    assert shortened("x" * 30, 12) == "x" * 11 + "…"


def test_a_list_under_another_name_is_not_lost():
    found, _ = repaired({"findings": [{"tags": []}]}, SCHEMA)
    assert "items" not in found, "so that the report is refused, and asked for again"
    assert repaired({"findings": [], "remark": "x"}, SCHEMA)[0]["items"] == []
