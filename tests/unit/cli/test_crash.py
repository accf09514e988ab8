"""A log of a crash is made to be pasted into an issue, so it does not say what somebody wants forgotten."""

import pytest

from cairn.cli.crash import describe

ARGS = {
    "told": (["scan", "--strict"], "command: cairn scan --strict"),
    "forgotten": (["forget", "--literal", "hunter2-secret"], "command: cairn forget …"),
    "behind an option": (["--json", "forget", "--pattern=hunter2-secret"], "command: cairn --json forget …"),
}


@pytest.mark.parametrize("args, said", ARGS.values(), ids=list(ARGS))
def test_the_command_in_a_log(args: list[str], said: str):
    text = describe("ValueError: x", args)
    assert said in text.splitlines() and "hunter2" not in text
