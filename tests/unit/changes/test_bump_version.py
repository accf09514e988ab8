"""How much a version goes up, and for what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.changes.bump_version import Bump, Version, bump_of, counted, folded, read_version, replayed, split_messages
from cairn.errors import Refused, UsageError


@pytest.mark.parametrize(
    ("title", "body", "kind"),
    [
        ("feat(knowledge): retries", "", "minor"),
        ("feat(knowledge-freshness): retries", "", "minor"),
        ("feat(knowledge)!: retries", "", "patch"),
        ("feat: retries", "", "patch"),
        ("fix(knowledge): a limit", "", "patch"),
        ("chore(knowledge): refresh limits", "", "patch"),
        ("anything at all", "", "patch"),
        ("feat(knowledge): BREAKING CHANGE: names", "", "major"),
        ("chore(knowledge): x", "BREAKING CHANGE: names", "major"),
        ("chore(knowledge): x", "one\nBREAKING CHANGE: names", "major"),
        ("chore(knowledge): x", "one\rBREAKING CHANGE: names", "major"),
        ("chore(knowledge): x", "one\u2028BREAKING CHANGE: names", "major"),
        ("chore(knowledge): x", "one\u2029BREAKING CHANGE: names", "major"),
        ("chore(knowledge): x", "one\x0bBREAKING CHANGE: names", "patch"),
        ("chore(knowledge): x", "one\x85BREAKING CHANGE: names", "patch"),
        ("chore(knowledge): x", "this is no BREAKING CHANGE: at all", "patch"),
        ("chore(knowledge): x", " BREAKING CHANGE: names", "patch"),
        ("chore(knowledge): x", "breaking change: names", "patch"),
    ],
)
def test_the_words_of_a_change_say_its_kind(title: str, body: str, kind: str) -> None:
    assert bump_of(title, body).kind == kind


def test_a_title_that_says_nothing_is_told() -> None:
    assert "so it is a patch" in bump_of("Update limits").notice
    assert bump_of("chore(knowledge): refresh limits").notice == ""


@pytest.mark.parametrize(
    ("kind", "count", "after"),
    [("major", 1, "2.0.0"), ("minor", 1, "1.3.0"), ("patch", 1, "1.2.4"), ("patch", 5, "1.2.8")],
)
def test_the_next_version(kind: str, count: int, after: str) -> None:
    bumps = counted(Bump("t", kind), count)  # type: ignore[arg-type]
    assert str(folded(Version(1, 2, 3), bumps)) == after


def test_a_larger_step_is_taken_once() -> None:
    with pytest.raises(UsageError, match="--count is for patches"):
        counted(Bump("t", "minor"), 2)


@pytest.mark.parametrize("text", ["1.2.3", " 1.2.3\n", "1.2.3\r\n", "\ufeff1.2.3"])
def test_a_version_is_read(text: str) -> None:
    assert read_version(text, file="VERSION") == Version(1, 2, 3)


@pytest.mark.parametrize(
    "text", ["", "v1.2.3", "1.2", "1.2.3.4", "1.2.3-rc1", "1.2.x", "१.२.३", "1.2.3\n1.2.4", "-1.2.3"]
)
def test_what_is_none_is_refused_by_name(text: str) -> None:
    with pytest.raises(Refused, match="`knowledge/VERSION` holds no version"):
        read_version(text, file="knowledge/VERSION")


def test_messages_are_replayed_from_the_oldest_on() -> None:
    log = "\0".join(
        [
            "chore(knowledge): a\n",
            "feat(knowledge): b\n\nlong text\n",
            "chore(knowledge): bump knowledge/VERSION to 1.3.0\n",
            "\n",
            "chore(knowledge): c\n\nBREAKING CHANGE: names\n",
            "chore(knowledge): d\n",
        ]
    )
    bumps = replayed(split_messages(log))
    assert [bump.kind for bump in bumps] == ["patch", "minor", "major", "patch"]
    assert str(folded(Version(1, 2, 3), bumps)) == "2.0.1"
    assert replayed(split_messages("")) == []


@given(st.lists(st.sampled_from(["major", "minor", "patch"]), max_size=20))
def test_a_version_only_goes_up(kinds: list[str]) -> None:
    before = Version(1, 2, 3)
    for kind in kinds:
        after = folded(before, [Bump("t", kind)])  # type: ignore[arg-type]
        assert after > before
        before = after
