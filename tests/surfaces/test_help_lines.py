"""Help of the commands that `cairn --help` lists: each option has one line, which begins with an imperative."""

import re

import pytest

from program import cairn

COMMANDS = (
    "try", "init", "check", "search", "status", "graph", "uninstall",
    "agent install", "agent uninstall", "agent list", "agent doctor",
)  # fmt: skip
VERBS = {
    "Ask",
    "Check",
    "Choose",
    "Count",
    "Draw",
    "Explain",
    "Ignore",
    "Include",
    "Install",
    "List",
    "Open",
    "Limit",
    "Prefer",
    "Print",
    "Record",
    "Replace",
    "Report",
    "Run",
    "Search",
    "Show",
    "Skip",
    "Treat",
    "Use",
    "Write",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_options_have_one_line_with_an_imperative(tmp_path, command):
    shown = cairn(*command.split(), "--help", cwd=tmp_path).out
    part = re.search(r"^Options:\n(.*?)\n\n", shown + "\n\n", re.S | re.M)
    joined = re.sub(r"(?<=\])\n +", "  ", part[1] if part else "")  # a long list of choices has a line of its own
    for line in joined.splitlines():
        option = re.fullmatch(r"  -\S.*?  +(\S+) .*", line)
        assert option and option[1] in VERBS, line
