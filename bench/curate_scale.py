"""What curating a session costs against a small base and a large one, and how memory grows with sessions.

usage: python bench/curate_scale.py [--entries 100 10000] [--sessions 100 1000] [--json]
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from cairn.app.build import App, build_app
from cairn.app.curate.pages import Neighbours, WorkPages
from cairn.app.workspace.scanning import run_scan
from cairn.curate.act import decide
from cairn.curate.plan import Planner
from cairn.kernel.model.candidate import Candidate, Kind
from cairn.kernel.model.change import Taint

PAGE = """---
name: {name}
description: {summary}
topics: [{tag}]
confidence: medium
---

# {title}

## Deep Guidance

{body}
"""
SETTINGS = '{"corpora": {"knowledge": {"root": "knowledge", "layout": "entries"}}}'
_VERBS = "use keep run write store check rotate deploy build cache log name test merge split".split()


TURNS = 3
"""Each size is measured so often, by turns, and the middle one counts: a machine is never quite idle."""


class Language:
    """Sentences of a vocabulary in which few words are said often and most rarely, as people do."""

    def __init__(self, seed: int, size: int = 20_000) -> None:
        self._random = random.Random(seed)
        self._words = [
            f"{a}{b}{n}"
            for n in range(size // 100)
            for a in "bdfgklmnpr"
            for b in ("an", "el", "ir", "ot", "us", "am", "en", "ol", "ur", "is")
        ]
        self._weights = [1 / (rank + 3) for rank in range(len(self._words))]

    def sentence(self) -> str:
        chosen = self._random.choices(self._words, self._weights, k=self._random.randint(5, 9))
        return f"{self._random.choice(_VERBS).capitalize()} {' '.join(chosen)}."


def workspace(root: Path, entries: int) -> None:
    (root / ".cairn").mkdir(parents=True)
    (root / ".cairn/settings.json").write_text(SETTINGS)
    language = Language(1)
    folder = root / "knowledge/practice"
    folder.mkdir(parents=True)
    for number in range(entries):
        title = language.sentence()
        body = " ".join(language.sentence() for _ in range(12))
        text = PAGE.format(name=f"p-{number}", summary=title, tag=title.split()[1], title=title, body=body)
        (folder / f"p-{number}.md").write_text(text)


def candidates(sessions: int) -> list[Candidate]:
    """Two a session; what people say, they say again: one in two was said before."""
    language, drawn = Language(2), random.Random(3)
    known = [language.sentence() for _ in range(50)]
    found = []
    for session in range(sessions):
        for index in range(2):
            text = drawn.choice(known) if index else language.sentence()
            kind: Kind = drawn.choice(["practice", "map"])
            origin = f"s-{session}:{kind}:{index}"
            found.append(Candidate(origin, kind, text.rstrip("."), text, text, ("tag",), "high", Taint.PERSON))
    return found


def planned(app: App, some: Sequence[Candidate]) -> Planner:
    pages = WorkPages(app, {})
    planner = Planner("run", "now", decide, Neighbours(app, pages), pages, how="here")
    planner.take_all(some)
    return planner


def per_session(entries: int, sessions: int) -> dict[str, float]:
    """Milliseconds of processor time of a session, once the pages are scanned, and the peak of memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        workspace(root, entries)
        with closing(build_app(root, env=os.environ, installed=False)) as app:
            run_scan(app, app.scan_request(), take_first=True, remember=False)
            some = candidates(sessions)
            planned(app, some[:10])
            before = time.process_time()
            planned(app, some)
            spent = time.process_time() - before
    return {"ms": spent / sessions * 1000, "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def alone(entries: int, sessions: int) -> dict[str, float]:
    """In a process of its own, so that the peak is its own."""
    command = [sys.executable, __file__, "--one", str(entries), str(sessions)]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", nargs=2, type=int, default=[100, 10_000])
    parser.add_argument("--sessions", nargs=2, type=int, default=[100, 1_000])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", nargs=2, type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.one:
        print(json.dumps(per_session(*given.one)))
        return 0
    by_turns = [alone(entries, given.sessions[0]) for _ in range(TURNS) for entries in given.entries]
    small, large = (sorted(by_turns[at::2], key=lambda one: one["ms"])[TURNS // 2] for at in (0, 1))
    few, many = (alone(given.entries[0], sessions) for sessions in given.sessions)
    told: dict[str, Any] = {
        "entries": given.entries,
        "sessions": given.sessions,
        "ms": [round(small["ms"], 2), round(large["ms"], 2)],
        "ratio": round(large["ms"] / small["ms"], 2),
        "mb": [round(few["mb"], 1), round(many["mb"], 1)],
        "growth": round(many["mb"] / few["mb"], 2),
    }
    if given.json:
        print(json.dumps(told))
        return 0
    small_base, large_base = (f"{entries:,} entries" for entries in given.entries)
    print(f"a session against {small_base} {told['ms'][0]} ms, against {large_base} {told['ms'][1]} ms")
    print(f"ratio {told['ratio']} (bar 2)")
    print(f"peak of {given.sessions[0]:,} sessions {told['mb'][0]} MB, of {given.sessions[1]:,} {told['mb'][1]} MB")
    print(f"growth {told['growth']}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
