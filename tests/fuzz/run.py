"""Calls every function with made-up texts in a child process, and reports what raises or takes too long."""

import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, NamedTuple

from tests.fuzz.functions import Target, call, targets
from tests.fuzz.pump import grows
from tests.fuzz.texts import Case, case, repeated

from cairn.errors import CairnError
from cairn.freshness.questions.checked_words import AnswerProblem
from cairn.lib.html.tree import TooDeep
from cairn.lib.text.copied_words import CopyProblem
from cairn.lib.urls.host import HostProblem
from cairn.lib.urls.url import UrlProblem
from cairn.lib.yaml.compose import NotComposed
from cairn.lib.yaml.parse import YamlProblem
from child import bounded

LIMIT_SECONDS = 4.0
"""Of computing, for one call with at most 20,000 characters."""
RAISES: dict[str, tuple[type[BaseException], ...]] = {
    "cairn.lib.code.data.load_data": (ValueError, RecursionError),
    "cairn.lib.code.data.data_outline": (ValueError, RecursionError),
    "cairn.lib.code.grammar.grammar_outline": (KeyError,),
    "cairn.lib.code.python.python_outline": (SyntaxError, ValueError, RecursionError, MemoryError),
    "cairn.lib.urls.host.parse_host": (HostProblem,),
    "cairn.lib.urls.url.split_url": (UrlProblem,),
    "cairn.lib.html.tree.parse_html": (TooDeep,),
    "cairn.freshness.questions.checked_words.must_be_harmless": (AnswerProblem,),
    "cairn.freshness.questions.checked_words.must_fit": (AnswerProblem,),
    "cairn.lib.text.copied_words.replaced": (CopyProblem,),
    "cairn.lib.yaml.parse.load_yaml": (YamlProblem,),
    "cairn.lib.yaml.compose.compose_mapping": (NotComposed,),
    "cairn.lib.yaml.splice.pieces": (ValueError,),
}
"""Functions that report bad input by an error, as their docstrings say; whoever calls them expects it."""


class Failure(NamedTuple):
    function: str
    problem: str
    text: str
    seed: int


def fuzz(seed: int, seconds: float, some: Sequence[Target] | None = None) -> list[Failure]:
    """The first failure of each function."""
    waiting = list(targets() if some is None else some)
    end = time.monotonic() + seconds
    found: list[Failure] = []
    while waiting and time.monotonic() < end:
        failure, seed = _until_failure(waiting, seed, end)
        if failure is None:
            break
        found.append(failure)
        waiting = [one for one in waiting if one.name != failure.function]
    return found


def _until_failure(some: Sequence[Target], seed: int, end: float) -> tuple[Failure | None, int]:
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        try:
            _work(some, seed, end, writes)
        finally:
            os._exit(3)
    os.close(writes)
    last: Any = None
    with os.fdopen(reads, "rb") as stream:
        while True:
            try:
                last = pickle.load(stream)
            except EOFError:
                break
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 0 or last is None:
        return None, seed
    function, at, problem = last
    problem = problem or f"takes more than {LIMIT_SECONDS:g} s (ended with {status})"
    return Failure(function, problem, case(Random(at)).text, at), at + 1


def _work(some: Sequence[Target], seed: int, end: float, writes: int) -> None:
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    sys.setrecursionlimit(1_000)
    while time.monotonic() < end:
        made = case(Random(seed))
        for target in Random(seed).sample(some, max(1, len(some) // 4)):
            _tell(writes, (target.name, seed, ""))
            bounded()
            signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_SECONDS)
            try:
                call(target, made, Random(seed))
            except (CairnError, *RAISES.get(target.name, ())):
                pass
            except BaseException as error:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                where = traceback.extract_tb(error.__traceback__)[-1]
                _tell(
                    writes,
                    (target.name, seed, f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})"[:300]),
                )
                os._exit(1)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        seed += 1
    os._exit(0)


# --- growth -----------------------------------------------------------------------------------------------------------

_SIZES = (2_000, 8_000)
_LARGER = (8_000, 32_000)
"""Once more with these, before anybody is told."""


def growing(seed: int, seconds: float, some: Sequence[Target] | None = None) -> list[Failure]:
    """Functions whose time grows faster than the text: each gets the same repetition in two lengths."""
    waiting = [one for one in (targets() if some is None else some) if one.name not in QUADRATIC]
    end = time.monotonic() + seconds
    found: list[Failure] = []
    while waiting and time.monotonic() < end:
        random = Random(seed)
        texts, larger = repeated(random, _SIZES), repeated(Random(seed), _LARGER)
        for target in random.sample(waiting, max(1, len(waiting) // 8)):
            if time.monotonic() >= end:
                break
            if all(_child(partial(_grows, target, pair, seed)) for pair in (texts, larger)):
                found.append(Failure(target.name, "its time grows faster than the text", texts[0].text[:80], seed))
                waiting.remove(target)
        seed += 1
    return found


def _grows(target: Target, texts: Sequence[Case], seed: int) -> bool:
    def work(made: Case) -> Callable[[], object]:
        def run() -> None:
            with suppress(Exception):  # whatever fails is found by the other test
                call(target, made, Random(seed))

        return run

    return grows(*map(work, texts))


def _child(work: Callable[[], bool]) -> bool:
    """In a process of its own, which is ended when it has used up its time."""
    child = os.fork()
    if child == 0:
        bounded()
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_SECONDS * 4)
        sys.setrecursionlimit(1_000)
        os._exit(int(work()))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0


QUADRATIC = {
    "cairn.graph.relink.endings": "it gets a path, and what it returns is that long",
    "cairn.core.scope.scope_of": "it gets a path, which has at most 4,096 characters",
    "cairn.observe.lens_contradictions.marks.is_history": "it gets a path, which has at most 4,096 characters",
    "cairn.curate.conflicts.changed_lines": "difflib compares lines, and long texts are not compared",
}
"""Functions that are not linear, and what bounds them."""


def _tell(writes: int, what: Any) -> None:
    os.write(writes, pickle.dumps(what))


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    for failure in fuzz(int(sys.argv[2]) if len(sys.argv) > 2 else 0, seconds):
        print(f"{failure.function}  seed {failure.seed}\n    {failure.problem}\n    {failure.text[:100]!r}")
