"""Finds inputs on which a regular expression takes more than linear time.

From the parsed expression we take each repetition: what leads to it, and what it repeats. An attack repeats that many
times and then ends in something that does not match, so that every way to split the repetition is tried.
"""

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from tests.fuzz.patterns import Found

from child import bounded

SHORT = 1_000
"""Characters of the shorter text; the longer one has four times as many."""
LIMIT_SECONDS = 2.0
"""Of computing, for the longer text: a cubic search needs minutes."""
ALPHABET = " \t\na_A0-./:#*`'\"[](<>{,|=\\~@$%&;!?+^é\x0b"
TAILS = ("", "\x00", "\n", "!", " x", "é")
_MANY = 8
"""A repetition of more than this many may be pumped."""
_PUMPS = 10
"""Per repetition."""
_SIGNS = 3
"""That a pair is made with."""


class Slow(NamedTuple):
    place: str
    pattern: str
    attack: str
    """The repeated part, with what stands before and after it."""


# --- attacks ----------------------------------------------------------------------------------------------------------


def attacks(pattern: str | bytes, flags: int, length: int = SHORT) -> Iterator[tuple[str, str]]:
    """Texts, each with its short form."""
    seen = set()
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    tree = _parser.parse(text, flags & ~re.UNICODE & ~re.ASCII & ~re.LOCALE)
    whole = sorted(_pumps_of(tree, 2), key=len)[:_PUMPS]
    repeats = list(_repeats(tree, ""))
    found = [(before, pump) for before, body in repeats for pump in _pumps(body)]
    whole += [before + _sample(body, "a") for before, body in repeats]  # each of its beginnings starts it again
    for before, pump in (*found, *(("", pump) for pump in whole)):
        for tail in TAILS:
            short = f"{before!r} + {pump!r} * n + {tail!r}"
            if pump and short not in seen:
                seen.add(short)
                yield before + pump * (length // len(pump)) + tail, short


def _repeats(tree: Sequence[Any], before: str) -> Iterator[tuple[str, Any]]:
    """Each repetition with a text that leads to it."""
    for kind, value in tree:
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            if value[1] > _MANY:
                yield before, value[2]
            yield from _repeats(value[2], before)
        elif kind is op.SUBPATTERN:
            yield from _repeats(value[3], before)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch, before)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from _repeats(value[1], before)
        elif kind is op.ATOMIC_GROUP:
            yield from _repeats(value, before)
        before += _sample([(kind, value)], "a")


def _pumps(body: Any) -> list[str]:
    return [*list(dict.fromkeys(_pumps_of(body, 0)))[:_PUMPS], *_pairs(body)]


def _pairs(body: Any) -> list[str]:
    """A letter of a word with a sign, both of which the repetition accepts: in `0,0,0,` a word begins at every other
    place, and in a row of either of them it does not."""
    accepted = [letter for letter in ALPHABET if _sample(body, letter) == letter]
    words = [letter for letter in accepted if letter.isalnum()]
    signs = [letter for letter in accepted if not (letter.isalnum() or letter == "_")]
    return [word + sign for word in dict.fromkeys((*words[:1], *words[-1:])) for sign in signs[:_SIGNS]]


def _pumps_of(body: Any, depth: int) -> Iterator[str]:
    """What a repetition repeats: an example of it with each of some letters, and single letters that it accepts."""
    for letter in ALPHABET:
        sample = _sample(body, letter)
        if sample and letter in sample:
            yield sample
    yield _sample(body, "a")
    yield _sample(body, "a") + _sample(body, " ")
    if depth:
        for _, inner in _repeats(body, ""):
            yield from _pumps_of(inner, depth - 1)


def _sample(tree: Sequence[Any], letter: str) -> str:
    """A short text that the tree matches, mostly made of this letter where it may choose."""
    return "".join(_sample_of(kind, value, letter) for kind, value in tree)


def _sample_of(kind: Any, value: Any, letter: str) -> str:
    if kind is op.LITERAL:
        return chr(value)
    if kind is op.NOT_LITERAL:
        return letter if ord(letter) != value else "b"
    if kind is op.ANY:
        return letter if letter != "\n" else "a"
    if kind is op.IN:
        return _member(value, letter)
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return _sample(value[2], letter) * max(value[0], 1 if value[1] else 0)
    if kind is op.SUBPATTERN:
        return _sample(value[3], letter)
    if kind is op.ATOMIC_GROUP:
        return _sample(value, letter)
    if kind is op.BRANCH:
        return _branch(value[1], letter)
    return ""


def _branch(branches: Sequence[Any], letter: str) -> str:
    samples = [_sample(one, letter) for one in branches]
    return next((one for one in samples if letter in one), samples[0])


def _member(items: Sequence[Any], letter: str) -> str:
    """This letter if the set has it, else some other."""
    for one in (letter, *ALPHABET, *"bzBZ19"):
        if _accepts(items, one):
            return one
    first = items[-1]
    return chr(first[1] if first[0] is op.LITERAL else first[1][0]) if first[0] in (op.LITERAL, op.RANGE) else ""


_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}


def _accepts(items: Sequence[Any], letter: str) -> bool:
    negated = bool(items) and items[0][0] is op.NEGATE
    code = ord(letter)
    inside = False
    for kind, value in items:
        if kind is op.LITERAL:
            inside |= code == value
        elif kind is op.RANGE:
            inside |= value[0] <= code <= value[1]
        elif kind is op.CATEGORY:
            inside |= bool(re.match(_CATEGORIES[value], letter))
    return inside != negated


# --- trying them ------------------------------------------------------------------------------------------------------


def slow(found: Iterable[Found], length: int = SHORT) -> Iterator[Slow]:
    """Patterns whose time grows faster than the text, each with the first text that shows it."""
    waiting = list(found)
    while waiting:
        at, attack = _first_slow(waiting, length)
        if at is None:
            return
        yield Slow(waiting[at].place, str(waiting[at].pattern.pattern), attack)
        waiting = waiting[at + 1 :]


def _first_slow(found: Sequence[Found], length: int) -> tuple[int | None, str]:
    """Tried by a child, which the system ends when it has used up its time for one text."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        try:
            _try_all(found, length, writes)
        finally:
            os._exit(0)
    os.close(writes)
    with os.fdopen(reads, encoding="utf-8") as lines:
        last = ""
        for line in lines:
            last = line
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if ended == 0 and last.startswith("done"):
        return None, ""
    at, _, attack = last.partition("\t")
    return int(at), attack.rstrip("\n")


def _try_all(found: Sequence[Found], length: int, writes: int) -> None:
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    for at, one in enumerate(found):
        shorter = attacks(one.pattern.pattern, one.pattern.flags, length)
        longer = attacks(one.pattern.pattern, one.pattern.flags, 4 * length)
        for (small, short), (large, _) in zip(shorter, longer, strict=True):
            bounded()
            signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_SECONDS)
            os.write(writes, f"{at}\t{short[:300]}\n".encode())
            if grows(_searching(one, small), _searching(one, large)) and _grows_on(one, short, large, 16 * length):
                os._exit(1)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    os.write(writes, b"done\n")


def _grows_on(one: Found, short: str, large: str, length: int) -> bool:
    """Once more with a longer text, because the clock is coarse while a timer runs; a hang ends the child."""
    larger = next(text for text, other in attacks(one.pattern.pattern, one.pattern.flags, length) if other == short)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_SECONDS)
    return grows(_searching(one, large), _searching(one, larger))


def _searching(one: Found, text: str) -> Callable[[], object]:
    """As the package does it, to the end of the text."""
    data: Any = text.encode("latin-1", "replace") if isinstance(one.pattern.pattern, bytes) else text
    if one.method in ("match", "fullmatch"):
        return lambda: getattr(one.pattern, one.method)(data)
    return lambda: sum(1 for _ in one.pattern.finditer(data))


def grows(short: Callable[[], object], long: Callable[[], object]) -> bool:
    """Whether work on four times as much takes much more than four times as long, in time of this process: sixteen
    times is quadratic. What is done before the clock ticks is fast."""
    before, after = float("inf"), _seconds(long)
    if after >= _TICK:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)  # it makes the clock coarse, and this much ends by itself
        after = _seconds(long)
    for _ in range(_ROUNDS):  # by turns, so that a moment of load does not count for one of them alone
        if after < _TICK or after <= _RATIO * before < float("inf"):
            return False
        before, after = min(before, _seconds(short)), min(after, _seconds(long))
    return after > _RATIO * before


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


_TICK = 0.002
_RATIO = 8.0
_ROUNDS = 6


if __name__ == "__main__":
    from tests.fuzz.patterns import every

    length = int(sys.argv[1]) if len(sys.argv) > 1 else SHORT
    all_of_them = every()
    number = 0
    for one in slow(all_of_them, length):
        number += 1
        sys.stdout.write(f"{one.place}\n    {one.pattern}\n    {one.attack}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{number} of {len(all_of_them)} patterns are slow\n")
