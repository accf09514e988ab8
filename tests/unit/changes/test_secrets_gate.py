"""The gate that keeps secrets out of requests."""

from random import Random

import pytest

from cairn.changes.secrets_gate import Secrets
from cairn.core.model.change import Level
from drawn_secrets import TOKENS, private_key
from judging import judge

TOKEN = TOKENS["github-token"](Random(5))


@pytest.mark.parametrize(
    ("before", "after", "level"),
    [
        ("", f"token {TOKEN}\n", Level.BLOCK),
        (f"token {TOKEN}\n", f"token {TOKEN}\nmore\n", Level.PASS),
        (f"token {TOKEN}\n", "gone\n", Level.PASS),
        ("", "ask jane.doe@bakery.net\n", Level.BLOCK),
        ("", "ask support@bakery.net\n", Level.NOTE),
        ("", "in /home/jane/work\n", Level.NOTE),
        ("", "ask user@example.com\n", Level.PASS),
    ],
)
def test_only_what_is_added_counts(before: str, after: str, level: Level) -> None:
    ruling = judge(Secrets(), {"a.txt": before} if before else {}, {"a.txt": after})
    assert ruling.level is level


def test_what_was_found_is_never_told() -> None:
    ruling = judge(Secrets(), {}, {"docs/a.md": f"\n\nIt is {TOKEN}.\n"}, body=f"see {TOKEN}")
    in_text, in_file = ruling.evidence
    assert in_text == {"place": "text", "line": 1, "rule": "github-token", "category": "direct"}
    assert (in_file["path"], in_file["line"], in_file["rule"]) == ("docs/a.md", 3, "github-token")
    assert TOKEN not in repr(ruling)
    assert "a github token is in the text of the change, and 1 more" in ruling.reason


def test_a_key_of_which_only_one_line_is_new() -> None:
    key = private_key(Random(2)).splitlines()
    before = "\n".join([*key[:-1], ""])
    assert (
        judge(Secrets(), {"k.pem": before.replace("PRIVATE", "PUBLIC")}, {"k.pem": "\n".join(key)}).level is Level.BLOCK
    )
    ruling = judge(Secrets(), {}, {"k.pem": "\n".join(key)}, title=f"add {TOKEN}")
    assert [fact.get("place", fact.get("path")) for fact in ruling.evidence] == ["title", "k.pem"]


def test_what_is_no_text_and_what_goes_are_passed_over() -> None:
    assert judge(Secrets(), {"a.bin": "x"}, {"a.bin": f"\0{TOKEN}"}).level is Level.PASS
    assert judge(Secrets(), {"a.txt": TOKEN}, {}).level is Level.PASS
