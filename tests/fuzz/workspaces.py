"""Checks workspaces of made-up documents, which gives them to every analyzer, and reports what fails or hangs."""

import os
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from random import Random

from tests.fuzz.pump import grows
from tests.fuzz.texts import Case, case, repeated

from cairn.app.build import build_app
from cairn.core.isolate import collected
from cairn.core.ports.runtime import Here
from cairn.graph.run_scan import failure_sentences, run_scan
from cairn.workspace.findings import gather
from child import bounded

LIMIT_SECONDS = 60
"""Of computing, for one workspace; a sound one takes less than a second."""
_DOCUMENTS = 12
_SIZES = (25_000, 100_000)


def failing(seed: int, seconds: float, folder: Path) -> list[str]:
    """What failed in workspaces of mutated documents, and in those with one long repetition."""
    found: list[str] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end and not found:
        random = Random(seed)
        root = _made(folder / f"{seed}-some", _documents(random))
        found += _in_a_child(folder / f"{seed}.txt", lambda root=root: _problems(root))  # type: ignore[misc]
        short, long = repeated(random, _SIZES)
        roots = [_made(folder / f"{seed}-{len(one.text)}", _around(one)) for one in (short, long)]
        found += _in_a_child(folder / f"{seed}-long.txt", lambda roots=roots: _growth(*roots))  # type: ignore[misc]
        found = [f"seed {seed}: {one}" for one in found]
        seed += 1
    return found


def _documents(random: Random) -> dict[str, str]:
    made = [case(random, longest=4_000) for _ in range(_DOCUMENTS)]
    return {f"docs/{number}/{one.path}": one.text for number, one in enumerate(made)}


def _around(one: Case) -> dict[str, str]:
    """As a page at the top, and as whatever its name says."""
    return {"README.md": f"# Title\n\n{one.text}\n", f"docs/{one.path}": one.text}


def _made(root: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode("utf-8", "replace"))
    return root


def _problems(root: Path) -> list[str]:
    """Of a scan and a check, as `cairn check` does them."""
    with collected() as bad, closing(build_app(root, env={}, db=":memory:", installed=False)) as app:
        app.workers = Here()
        scanned = run_scan(app, app.scan_request(), take_first=True, remember=False)
        found = gather(app, everything=True)
    failed = [*failure_sentences(scanned.report.failures), *failure_sentences(found.failures)]
    return [*failed, *(f"{one.name}: {one.error}" for one in bad)]


def _growth(short: Path, long: Path) -> list[str]:
    wrong = _problems(short)
    if not wrong and grows(lambda: _problems(short), lambda: _problems(long)):
        wrong = ["a check takes more than linear time for a longer repetition"]
    return wrong


def _in_a_child(told: Path, work: Callable[[], list[str]]) -> list[str]:
    child = os.fork()
    if child == 0:
        bounded()
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_SECONDS)
        try:
            told.write_text("\n".join(work()))
        except BaseException as error:
            told.write_text(f"{type(error).__name__}: {error}")
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        return [f"a check takes more than {LIMIT_SECONDS} s of computing"]
    return [line for line in told.read_text().splitlines() if line]
