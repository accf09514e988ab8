"""A chapter of the full story: a page earns trust over weeks, loses it by a bad edit, and is held by a flag."""

from cairn.workspace.demo.stage import Stage

STEAM = "knowledge/ovens/steam.md"
LATER = "later.py"
_TEXT = """---
name: steam
description: How much steam the deck oven gets.
topics: [ovens]
volatility: stable
last-reviewed: null
version-pin: null
sources: []
status: alpha
---

# Steam

## Summary

Rye gets steam for 12 minutes, wheat for 8.

## Deep Guidance

Open the flue afterwards, or the crust turns to leather.
"""
_LATER = """import sys
from cairn.adapters.clock.system import SystemClock
from cairn.cli.boundary import run

days, now_ms = int(sys.argv[1]), SystemClock.now_ms
SystemClock.now_ms = lambda clock: now_ms(clock) + days * 86_400_000
sys.exit(run(sys.argv[2:]))
"""
"""So that nobody waits for two weeks: the program as it is, with another date."""


def trust_is_earned(stage: Stage) -> None:
    stage.say("An agent wrote a page about steam. It is alpha: new, and confirmed by nobody.")
    stage.write(STEAM, _TEXT)
    stage.write(LATER, _LATER)
    stage.git("add", STEAM)
    stage.git("commit", "--quiet", "--message", "Add a page about steam")
    stage.cairn("config", "set", "trust.preset", "team")
    stage.cairn("trust", "tick")
    stage.say("Two bakers used it, and it held. Ballots alone are not enough: it also has to stand for 48 hours.")
    for name in ("Ada", "Grace"):
        _vote(stage, 0, name, "confirm")
    stage.cairn("trust", "why", STEAM)
    stage.say("Three days later it is beta; two weeks and two more confirmations later it is stable.")
    _later(stage, 3, "trust", "tick")
    for name in ("Mary", "Linus"):
        _vote(stage, 4, name, "confirm")
    _tick_and_merge(stage, 19)


def trust_is_lost(stage: Stage) -> None:
    stage.say("Somebody changes a number. The new text starts at alpha, and the bakers who try it reject it.")
    stage.edit(STEAM, ("12 minutes", "42 minutes"))
    stage.git("commit", "--quiet", "--message", "More steam", STEAM)
    for name in ("Ada", "Grace"):
        _vote(stage, 21, name, "reject", "--reason", "The rye came out wet.")
    stage.say("The tick goes back to the text that was stable. Agents are served that text from now on, merged or not.")
    _tick_and_merge(stage, 22)
    _later(stage, 22, "trust", "history", STEAM)
    stage.say(
        "One flag against a stable page is not enough to remove it. It gets a strong warning, and waits for a person."
    )
    _vote(stage, 23, "Mallory", "flag", "--reason", "I do not like it.")
    _later(stage, 23, "trust", "tick")
    _later(stage, 23, "trust", "why", STEAM)
    stage.git("config", "user.name", "Sourdough")


def _vote(stage: Stage, days: int, name: str, *said: str) -> None:
    stage.git("config", "user.name", name)
    if days:
        _later(stage, days, "trust", "validate", STEAM, *said)
    else:
        stage.cairn("trust", "validate", STEAM, *said)


def _later(stage: Stage, days: int, *args: str) -> None:
    stage.python(LATER, str(days), *args)


def _tick_and_merge(stage: Stage, days: int) -> None:
    from cairn.workspace.demo.agents import request_of

    _later(stage, days, "trust", "tick")
    stage.cairn("change", "merge", request_of(stage, STEAM))
