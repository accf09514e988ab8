from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.knowledge import Entry, EntryStatus, Source, Volatility
from cairn.knowledge.content_hash import canonical_body, canonical_text, semantic_hash

HASH = "sha256:" + "0" * 64
ENTRY = Entry(
    path="kb/a.md",
    kind="entry",
    name="a",
    title="A",
    summary="About a.",
    topics=("x", "y"),
    depends_on=("b",),
    sources=(Source("url", "https://example.org", "#c", "2026-01-01", HASH),),
    status=EntryStatus.ALPHA,
    version="0.1.0",
    last_reviewed="2026-01-01",
    extra={"owner": "web", "created": "2026-01-01", "checked_at": "2026-01-01T10:00:00Z", "limits": {"a": 1}},
)
BODY = "# A\n\nUse `<T>` at 30 <b>seconds</b>.\n\n```py\nif x:\n    y()\n```\n"

SAME: dict[str, dict[str, Any]] = {
    "a status": {"status": EntryStatus.STABLE},
    "a version": {"version": "1.0.0", "version_frozen": True},
    "a review": {"last_reviewed": "2026-02-01"},
    "another hash": {"sources": (Source("url", "https://example.org", "#c", "2026-02-01", None, HASH, 2),)},
    "a slower pace": {"volatility": Volatility.STABLE},
    "the order of topics": {"topics": ("y", "x")},
    "a move": {"path": "kb/b/a.md"},
    "other dates": {"extra": {"owner": "web", "created": "2026-02-02", "limits": {"a": 1, "seen": "2026-01-01"}}},
    "a note of the bumper": {"extra": {"owner": "web", "limits": {"a": 1}, "maintenance": True}},
}
OTHER: dict[str, dict[str, Any]] = {
    "a title": {"title": "B"},
    "a summary": {"summary": "About b."},
    "a topic": {"topics": ("x",)},
    "a requirement": {"depends_on": ("c",)},
    "an edition": {"edition": "2"},
    "another source": {"sources": (Source("url", "https://example.org", "#d"),)},
    "a limit": {"extra": {"owner": "web", "limits": {"a": 2}}},
}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_what_is_about_an_entry_does_not_change_what_it_says(change: dict[str, Any]) -> None:
    assert semantic_hash(replace(ENTRY, **change), BODY) == semantic_hash(ENTRY, BODY)


@pytest.mark.parametrize("change", OTHER.values(), ids=OTHER)
def test_what_is_in_an_entry_does(change: dict[str, Any]) -> None:
    assert semantic_hash(replace(ENTRY, **change), BODY) != semantic_hash(ENTRY, BODY)


# (body, another, whether they say the same)
BODIES = {
    "lines broken elsewhere": ("a b\nc\n", "a\nb c", True),
    "blank lines": ("a\n\n\nb", "a\nb", True),
    "carriage returns": ("a\r\nb\r\n", "a\nb\n", True),
    "tags": ("at <vv name='x' uid='1'/> 30", "at <vv name='y' uid='2'/> 30", True),
    "composed letters": ("é", "e\u0301", True),
    "a word": ("a b", "a c", False),
    "a number": ("30 seconds", "60 seconds", False),
    "an address": ("<https://a.example>", "<https://b.example>", False),
    "a comment": ("a <!-- b -->", "a <!-- c -->", False),
    "a tag in code": ("`Vec<String>`", "`Vec<u8>`", False),
    "a tag in a fence": ("```\nVec<String>\n```", "```\nVec<u8>\n```", False),
    "indentation in a fence": ("```\nif x:\n  a\n  b\n```", "```\nif x:\n  a\nb\n```", False),
    "blanks at the end in a fence": ("```\na  \n```\n", "```\na\n```", True),
    "a comparison": ("a < b > c", "a < d > c", False),
}


@pytest.mark.parametrize(("one", "other", "same"), BODIES.values(), ids=BODIES)
def test_what_a_body_says(one: str, other: str, same: bool) -> None:
    assert (canonical_body(one) == canonical_body(other)) is same


@given(st.text())
def test_any_body_has_a_canonical_text(body: str) -> None:
    assert canonical_text(ENTRY, body).endswith("\n")
    assert semantic_hash(ENTRY, body).startswith("sha256:")


@given(st.lists(st.sampled_from(["a", " ", "\n", "\t", "b c", "\r\n"]), max_size=12).map("".join))
def test_blanks_of_prose_never_count(body: str) -> None:
    assert canonical_body(body) == " ".join(body.split())
