"""The end of a prompt."""

import shlex

import pytest

from cairn.observe.prompt_tail import LONGEST_STEP, gap_tail

STEPS = ["plan", "tech stack", "plan'; rm -rf ~; echo '", "$(reboot)", "`reboot`", "a\nb\x1b[2J", "{step}", "x" * 500]


@pytest.mark.parametrize("step", STEPS)
def test_a_step_stays_one_word_of_the_command(step: str) -> None:
    (command,) = [line for line in gap_tail(step).splitlines() if line.startswith("    cairn")]
    words = shlex.split(command)
    assert words[:4] == ["cairn", "gaps", "signal", "TOPIC"]
    assert words[words.index("--step") + 1] == " ".join(step.replace("\x1b", " ").split())[:LONGEST_STEP]
    assert words[-2:] == ["--excerpt", "WHAT YOU WANTED TO KNOW"]
    assert len(words) == 10


def test_without_a_step_and_quiet() -> None:
    assert "--step" not in gap_tail()
    assert gap_tail("plan", quiet=True) == ""
