"""`cairn try` from beginning to end: scan into memory, ask every finder, keep the best."""

import sys
from collections.abc import Mapping
from contextlib import closing, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from cairn.adapters.storage.memory import open_memory
from cairn.adapters.vcs.past import Past
from cairn.app.build import App
from cairn.app.trying import analyzed, gone, recipes, references
from cairn.app.trying.finding import Finder, Finding, best
from cairn.app.trying.ground import Deadline, Ground
from cairn.config.layer import defaults
from cairn.config.settings import merge
from cairn.errors import CairnError
from cairn.kernel.ports.progress import Progress, Silent
from cairn.kernel.request import Ports
from cairn.kernel.scan import scan
from cairn.workspace.findings import KERNEL_RULES
from cairn.workspace.manifests import why_it_matters
from cairn.workspace.providers import detect

FINDERS: tuple[tuple[str, Finder], ...] = (
    ("references", references.find),
    ("commands", recipes.find),
    ("analyzers", analyzed.find),
    ("code that is gone", gone.find),
)
"""In the order in which they are asked, quick ones first. A new finder is one more line."""

KINDS = (
    references.KIND,
    gone.KIND,
    recipes.KIND,
    recipes.VERSION,
)
"""What the finders tell; the checks of the scan add theirs."""

SECONDS = 35.0
"""After that no new work is begun; what is under way ends within the limits of each question to git."""
MOST_NODES = 20_000


class Tried(NamedTuple):
    root: Path
    findings: tuple[Finding, ...]
    """Every one, best first."""
    shown: tuple[Finding, ...]
    looked: Mapping[str, int]
    seconds: float
    left_out: tuple[str, ...]
    problems: tuple[str, ...]
    """Finders that failed, each with why."""
    kinds: tuple[str, ...]
    """That can be asked for."""

    def json(self) -> dict[str, Any]:
        return {
            "root": str(self.root),
            "findings": [finding.json() for finding in self.shown],
            "total": len(self.findings),
            "looked": {**self.looked, "seconds": round(self.seconds, 1)},
            "leftOut": list(self.left_out),
            "problems": list(self.problems),
        }


def look_around(
    root: Path,
    *,
    env: Mapping[str, str],
    progress: Progress | None = None,
    kind: str | None = None,
    everything: bool = False,
    seconds: float = SECONDS,
    finders: tuple[tuple[str, Finder], ...] = FINDERS,
) -> Tried:
    """Nothing is written, not even a cache: the store is in memory and git is only asked."""
    app = App(root, merge([defaults()]), env=env)
    deadline = Deadline(app.clock.monotonic, seconds)
    progress = progress or Silent()
    with closing(open_memory(now_ms=app.clock.now_ms())) as store, redirect_stdout(sys.stderr):
        ground = Ground(root, app.files, store, Past(root), deadline, app.probe, _whys(app))
        request = app.scan_request(max_nodes=MOST_NODES)
        active = next(iter(detect(app.registry, app.files.exists)), None)
        scan(
            request,
            registry=app.registry,
            active=active,
            ports=Ports(app.files, store, app.clock, progress, app.workers),
        )
        findings, problems = _ask(ground, finders, progress)
        looked = {**ground.counts(), "commits": ground.past.commits()}
    wanted = [finding for finding in findings if kind in (None, finding.kind)]
    ordered = best(wanted, len(wanted))
    shown = ordered if everything else best(wanted)
    kinds = tuple(sorted({*KINDS, *(finding.kind for finding in findings)}))
    return Tried(
        root, tuple(ordered), tuple(shown), looked, deadline.spent(), tuple(deadline.left_out), problems, kinds
    )


def _whys(app: App) -> dict[str, str]:
    known = {rule: text.rstrip(".") for rule, text in KERNEL_RULES.items()}
    return known | {analyzer.id: why_it_matters(analyzer.extension) for analyzer in app.registry.analyzers}


def _ask(
    ground: Ground, finders: tuple[tuple[str, Finder], ...], progress: Progress
) -> tuple[list[Finding], tuple[str, ...]]:
    """A finder that fails is named, and takes nobody else's findings with it."""
    found: list[Finding] = []
    problems: list[str] = []
    for number, (name, finder) in enumerate(finders, 1):
        progress.step(f"looking for {name}", number, len(finders))
        if ground.deadline.over():
            ground.deadline.say(name)
            continue
        try:
            found += finder(ground)
        except CairnError as error:
            problems.append(f"{name}: {error.message}")
        except Exception as error:  # somebody else's repository may hold anything; what we found elsewhere still counts
            problems.append(f"{name}: {type(error).__name__}: {error}")
    return found, tuple(problems)
