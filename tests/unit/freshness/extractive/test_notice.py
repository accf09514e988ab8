"""What a notice says came to an end."""

import pytest

from cairn.freshness.extractive.notice import notice_in
from cairn.freshness.extractive.passages import passages

ENDED = {
    "The `foo_bar` option is deprecated, use `baz_qux` instead.": "·foo_bar option",
    "`getUser` has been removed in v5.": "·getuser",
    "Deprecated: the implicit grant.": "implicit grant",
    "Cron jobs are no longer supported.": "cron job",
}
WHOLE = ["This service is deprecated.", "Note: this page is archived.", "The project has been discontinued."]
NOTHING = [
    "The grant is not deprecated.",
    "Items removed from the cart are kept for a day.",
    "It runs every day.",
]


@pytest.mark.parametrize(("text", "subject"), ENDED.items())
def test_names_what_ended(text: str, subject: str) -> None:
    notice = notice_in(passages(text)[0])
    assert notice is not None
    assert [atom.key for atom in notice.subject if atom.counts] == subject.split()
    assert not notice.whole


@pytest.mark.parametrize("text", WHOLE)
def test_is_about_the_page(text: str) -> None:
    notice = notice_in(passages(text)[0])
    assert notice is not None
    assert notice.whole


@pytest.mark.parametrize("text", NOTHING)
def test_is_no_notice(text: str) -> None:
    assert notice_in(passages(text)[0]) is None


def test_old_news_is_no_notice() -> None:
    before = passages("`foo_bar` is deprecated.")[0]
    after = passages("`foo_bar` is deprecated since spring.")[0]
    assert notice_in(after, before.atoms) is None
