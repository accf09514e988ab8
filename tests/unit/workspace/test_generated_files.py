"""By its stamp a file is known again, and so are edits of others."""

import pytest

from cairn.workspace.workflows.texts import stamp_of, stamped, standing_of

OURS = stamped("on: push\n", {"version": "1.2.3"})


def test_a_file_is_known_again() -> None:
    stamp = stamp_of(OURS)
    assert stamp is not None and stamp.intact and stamp.facts == {"format": "1", "version": "1.2.3"}


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        (None, "create"),
        (OURS, "keep"),
        (stamped("on: pull_request\n", {}), "update"),
        (OURS + "# mine\n", "edited"),
        ("# mine\n" + OURS, "edited"),
        (OURS.replace("on: push", "on:  push"), "edited"),
        (OURS.replace("1.2.3", "9.9.9"), "update"),
        ("on: push\n", "foreign"),
        ("", "foreign"),
        ("x" * 5_000 + OURS, "foreign"),
        ("# cairn {broken} sha256:" + "a" * 64 + "\n", "edited"),
        ("# cairn [1] sha256:" + "a" * 64 + "\n", "foreign"),
    ],
)
def test_what_writing_a_file_would_mean(text: str | None, standing: str) -> None:
    assert standing_of(text, OURS) == standing
