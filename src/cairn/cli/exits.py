"""The exit codes, one meaning each for every command."""

EXITS: dict[int, str] = {
    0: "all is fine",
    1: "there are findings, or Cairn refused",
    2: "bad usage, configuration or environment",
    3: "conflict or duplicate",
    4: "wrong token or nonce",
    5: "not found",
    70: "an error inside Cairn; a log to paste was written",
    130: "stopped by ^C",
}

ALWAYS = (70, 130)
"""Any command can end like this, so their pages don't repeat it."""
