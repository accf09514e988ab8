"""Text that Cairn stores or shows: the value of a secret's name goes, whatever it looks like."""

import pytest

from cairn.lib.scrub.find import find, redact_kept
from cairn.lib.scrub.rules import KEPT
from cairn.retrieve.excerpt import Excerpt
from cairn.retrieve.search import _excerpt

HIDDEN = {
    "DB_PASSWORD=plover": "DB_PASSWORD=[REDACTED:password]",
    "ran with token=changeme and failed": "ran with token=[REDACTED:secret] and failed",
    'clientSecret: "example"': 'clientSecret: "[REDACTED:secret]"',
    "api_key=plover": "api_key=[REDACTED:secret]",
    "?user=ada&password=admin&x=1": "?user=ada&password=[REDACTED:password]&x=1",
}
LEFT = [
    "password=$DB_PASSWORD",
    "token=None",
    "max_tokens=4096",
    "password = getpass()",
    "secret=${{ secrets.X }}",
    "key=value",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_a_name_and_its_value(text: str) -> None:
    assert redact_kept(text).text == HIDDEN[text]
    assert find(redact_kept(text).text, KEPT) == ()


@pytest.mark.parametrize("text", LEFT)
def test_a_variable_is_no_value(text: str) -> None:
    assert redact_kept(text).text == text


def test_marks_in_an_excerpt_move_with_the_text() -> None:
    text = "deploy with PGPASSWORD=plover and restart"
    shown = _excerpt(Excerpt(text, ((0, 6), (34, 41)), 3, "Deploy"))
    assert shown.text == "deploy with PGPASSWORD=[REDACTED:password] and restart"
    assert [shown.text[start:end] for start, end in shown.marks] == ["deploy", "restart"]
