"""The weights of `curate/rules/signs.py`, fitted to sentences of sessions with known outcomes.

usage: python bench/curate_weights.py

Looked at are the sessions that rules may be tuned on: `bench/curate/*.yaml` but `held-out.yaml`, and `dev` and `blind`
of `bench/curate/actions`. A sentence counts as telling when it has all words that an expected statement must have. What
is printed goes into the module; how good that is say `judge` and `fresh` of `bench/curate.py --actions`, which are not
used here.
"""

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ryaml import loads  # type: ignore[attr-defined]

sys.path.insert(0, str(Path(__file__).resolve().parent))

import curate_actions
from cairn.curate.rules.clauses import led
from cairn.curate.rules.propose import messages
from cairn.curate.rules.signs import signs
from cairn.curate.rules.speech import Said

OLD = ("lessons", "nothing", "second", "third", "blind")
ROUNDS, PACE, HOLD_BACK = 400, 2.0, 5.0


class Row(NamedTuple):
    seen: frozenset[str]
    tells: bool


def cases() -> Iterator[tuple[list[dict[str, Any]], list[list[str]]]]:
    """(turns, words of each expected statement)."""
    for half in ("dev", "blind"):
        for session in curate_actions.sessions(half):
            yield list(session.turns), [list(one.says) for one in session.expect]
    for name in OLD:
        for one in loads((curate_actions.HERE.parent / f"{name}.yaml").read_text("utf-8")):
            yield list(one.get("turns", ())), [[str(word) for word in e.get("says", ())] for e in one.get("expect", ())]


def rows() -> Iterator[Row]:
    for turns, expected in cases():
        said = [Said("user", turn["u"]) if "u" in turn else Said("assistant", turn.get("a", "")) for turn in turns]
        for message in messages(said):
            for index, sentence in enumerate(message.told):
                core, corrects, rule = led(sentence.text.strip())
                seen = signs(core, message.around(index), corrects=corrects, rule=rule)
                text = sentence.text.lower()
                yield Row(seen, any(words and all(w.lower() in text for w in words) for words in expected))


def fitted(known: list[Row]) -> dict[str, float]:
    """Logistic regression by plain descent; large weights are held back, since there are few sentences."""
    names = ["base", *sorted(frozenset().union(*(row.seen for row in known)))]
    weights = dict.fromkeys(names, 0.0)
    for _ in range(ROUNDS):
        slope = {name: (HOLD_BACK * weight if name != "base" else 0.0) for name, weight in weights.items()}
        for row in known:
            seen = ("base", *row.seen)
            miss = 1 / (1 + math.exp(-sum(weights[name] for name in seen))) - row.tells
            for name in seen:
                slope[name] += miss
        for name in names:
            weights[name] -= PACE * slope[name] / len(known)
    return weights


def main() -> int:
    known = list(rows())
    print(f"{len(known)} sentences, {sum(row.tells for row in known)} of them telling")
    for name, weight in sorted(fitted(known).items(), key=lambda one: one[1]):
        print(f'    "{name}": {weight:.2f},')
    return 0


if __name__ == "__main__":
    sys.exit(main())
