"""Words that a reader copied by hand are replaced where they stand, and the stop stands there once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.text.copied_words import CopyProblem, first_copied, replaced

PAGE = """# Proxy

The proxy cuts requests at 40 MB, for bodies only. Use hooks instead.
Restoring takes a week. Then rest (see the guide).

- Keep logs for 14 days
- Keep **access logs** in `s3`.
- **Ask Ana first**.

| Plan | Size |
| --- | --- |
| Free | 50 MB |

Two names are reserved:

Keep it. Keep it. 料金は月額です。
"""


def applied(old: str, new: str, text: str = PAGE) -> str:
    words = replaced(old, new, text)
    return text[: words.start] + words.new + text[words.end :]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("Use hooks instead", "Use a plugin instead.", "for bodies only. Use a plugin instead.\n"),
        ("use hooks  instead", "use a plugin instead", "for bodies only. Use a plugin instead.\n"),
        ("Use hooks instead", "Use a plugin", "for bodies only. Use a plugin.\n"),
        ("Use hooks instead", "", "for bodies only. \n"),
        ("Restoring takes a week", "Restoring takes a month.", "Restoring takes a month. Then"),
        ("cuts requests at 40 MB", "cuts requests at 60 MB", "cuts requests at 60 MB, for bodies"),
        ("Then rest (see the guide)", "Then stop (see the guide).", "Then stop (see the guide).\n"),
        ("the  guide", "the other guide", "(see the other guide)."),
        ("* Keep logs for 14  days.", "* Keep logs for 30 days.", "- Keep logs for 30 days.\n"),
        ("Keep access logs in s3", "Keep access logs in `gcs`.", "- Keep access logs in `gcs`.\n"),
        ("Keep access logs", "Keep all logs", "- Keep all logs in `s3`.\n"),
        ("Ask Ana first", "Ask Ben first.", "- **Ask Ben first**.\n"),
        ("|Free|50 MB|", "| Free | 80 MB |", "\n| Free | 80 MB |\n"),
        ("Two  names are reserved:", "Three names are reserved:", "\nThree names are reserved:\n"),
        ("料金は月額です", "料金は年額です。", "料金は年額です。\n"),
    ],
)
def test_new_words_fit_into_the_place_of_the_old(old: str, new: str, line: str) -> None:
    assert line in applied(old, new)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("The proxy cuts requests at 40 MB.", "The proxy cuts requests at 60 MB.", "the sentence goes on"),
        ("The proxy cuts requests", "The proxy is gone.", "the sentence goes on"),
        ("The proxy … instead.", "Use a plugin.", "leaves words out"),
        ("Restoring takes … the guide).", "Rest.", "leaves words out"),
        ("The proxy cuts ...", "The proxy is gone", "the sentence goes on|leaves words out"),
        ("Keep it.", "Drop it.", "more than once"),
        ("keep  IT", "drop it", "more than once"),
        ("The proxy cuts requests at 50 MB", "x", "is not in .text.; copy"),
        ("eep logs for 14  day", "x", "is not in .text.; copy"),
        ("", "x", "is not in .text.; copy"),
    ],
)
def test_words_that_can_not_be_replaced_are_refused(old: str, new: str, why: str) -> None:
    with pytest.raises(CopyProblem, match=why):
        replaced(old, new, PAGE)


def test_an_ellipsis_of_the_text_itself_is_copied() -> None:
    assert (
        applied("Ask  Ana… then deploy.", "Ask Ben… then deploy.", "Ask Ana… then deploy.") == "Ask Ben… then deploy."
    )


def test_the_first_place_of_a_copy_has_its_stop() -> None:
    assert first_copied("keep  it", PAGE) == "Keep it."
    assert first_copied("The proxy … instead", PAGE) is None


@given(st.text(max_size=30), st.text(max_size=20), st.text(max_size=60))
def test_only_words_of_the_text_are_replaced(old: str, new: str, text: str) -> None:
    try:
        words = replaced(old, new, text)
    except CopyProblem:
        return
    assert 0 <= words.start < words.end <= len(text)
