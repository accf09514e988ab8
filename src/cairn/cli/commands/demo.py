"""`cairn demo`: runs the main commands on a sample repository, and explains each."""

import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe

if TYPE_CHECKING:
    from cairn.workspace.demo.stage import DemoStep, Stage

_ROOM = 78
_ENTRIES = 24
"""Of the year that is replayed: enough to see something, few enough to take seconds."""


@define(
    "demo",
    help="Run the main commands on the repository of a small bakery, and explain each. Every command is really run. "
    "Needs git; no key, no server, no network.",
    examples=(
        ("cairn demo", "in a temporary folder, which is kept"),
        ("cairn demo --full --to bakery --pause", "all chapters, one by one, in a folder of your own"),
        ("cairn demo --year --seed 3", "how often a year of nights would ask you"),
    ),
    exits=(0, 2, 3),
)
@click.option("--full", is_flag=True, help="All chapters: also renames, agents, gaps, conflicts, sources on the web.")
@click.option("--to", metavar="DIR", help="The folder; empty or not there yet. Default: a temporary one.")
@click.option("--keep/--no-keep", default=True, help="Keep the folder at the end, or remove it. Default: keep.")
@click.option("--pause", is_flag=True, help="Wait after each chapter, on a terminal.")
@click.option("--year", is_flag=True, help="Only replay a year of nights, on a simulated clock. Writes nothing.")
@click.option("--seed", type=int, default=2, help="Which year; the same number is the same year.")
def command(ctx: Invocation, full: bool, to: str | None, keep: bool, pause: bool, year: bool, seed: int) -> int:
    if year:
        return _year(ctx, seed)
    from cairn.workspace.demo.chapters import CHAPTERS, SHORT, tell
    from cairn.workspace.demo.stage import Stage, fresh_folder, take_away

    folder = fresh_folder(ctx.directory / to if to else None)
    teller = _Silent() if ctx.json else _Teller(ctx, pause=pause and ctx.interactive)
    stage = Stage(folder, _environment(ctx), teller, live=ctx.stdout_tty and not ctx.json)
    tell(stage, CHAPTERS if full else SHORT)
    if not keep:
        take_away(folder)
    if ctx.json:
        ctx.out.emit_json(_json(folder, keep, stage.steps))
    else:
        _farewell(ctx, folder, keep, full, stage)
    return 0


def _year(ctx: Invocation, seed: int) -> int:
    from cairn.app.played_workspace import open_played
    from cairn.freshness.replay.year import ReplayOptions, lines, replay, year_json

    year = replay(ReplayOptions(_ENTRIES, seed, every=7), open_played)
    if ctx.json:
        ctx.out.emit_json(year_json(year))
        return 0
    ctx.out.say(f"{_ENTRIES} entries, a run every week, seed {seed}")
    for line in lines(year):
        ctx.out.data(line)
    return 0


def _environment(ctx: Invocation) -> dict[str, str]:
    return {**ctx.env, **({} if ctx.color else {"NO_COLOR": "1"})}


class _Teller:
    """For people. The story is what was asked for, so it goes to stdout; -q leaves the talk out."""

    def __init__(self, ctx: Invocation, *, pause: bool) -> None:
        self._out = ctx.out
        self._pause = pause
        self._last = ""
        self._file = ""

    def title(self, number: int, text: str) -> None:
        self._begin("title")
        self._out.data(self._out.style(f"{number}. {text}", "bold"))

    def say(self, text: str) -> None:
        if not self._out.quiet:
            self._begin("say")
            self._out.data(fill(safe(text), _ROOM, break_on_hyphens=False, break_long_words=False))

    def command(self, line: str) -> None:
        self._begin("command")
        self._out.data(self._out.style(f"$ {line}", "cyan"))

    def output(self, text: str) -> None:
        self._last = "output"
        if text:
            self._out.data(text.rstrip("\n"))

    def change(self, path: str, old: str, new: str) -> None:
        self._begin("change")
        if path != self._file:
            self._out.data(path)
            self._file = path
        self._out.data(self._out.style(f"  - {old}", "red"))
        self._out.data(self._out.style(f"  + {new}", "green"))

    def end_chapter(self) -> None:
        self._file = ""
        if self._pause:
            self._out.say("")
            click.pause("… press a key to go on", err=True)

    def _begin(self, kind: str) -> None:
        """An empty line between two things, but not between two of a kind."""
        if self._last and (kind in ("title", "say") or kind != self._last):
            self._out.data("")
        self._last = kind


class _Silent:
    """For programs, which get the list of steps at the end."""

    def title(self, number: int, text: str) -> None: ...

    def say(self, text: str) -> None: ...

    def command(self, line: str) -> None: ...

    def output(self, text: str) -> None: ...

    def change(self, path: str, old: str, new: str) -> None: ...

    def end_chapter(self) -> None: ...


def _json(folder: Path, keep: bool, steps: "Sequence[DemoStep]") -> dict[str, Any]:
    from cairn.workspace.demo.chapters import FAULTS, PAGE

    return {
        "folder": str(folder),
        "kept": keep,
        "page": str(folder / PAGE) if keep else None,
        "planted": [fault._asdict() for fault in FAULTS],
        "steps": [
            {"chapter": step.chapter, "command": step.command, "exitCode": step.exit_code, "output": step.output}
            for step in steps
        ],
    }


def _program(ctx: Invocation) -> str:
    """How to call this very program from where the person is."""
    if shutil.which("cairn", path=ctx.env.get("PATH")):
        return "cairn"
    script = Path(sys.executable).with_name("cairn")
    return shlex.quote(str(script)) if script.exists() else "cairn"


def _farewell(ctx: Invocation, folder: Path, keep: bool, full: bool, stage: "Stage") -> None:
    """The map comes last: it is what to look at next."""
    from cairn.workspace.demo.chapters import PAGE

    out = ctx.out
    out.data("")
    if not keep:
        out.data(f"Removed {folder}.")
        return
    place = shlex.quote(str(folder))
    program = _program(ctx)
    # The pages of the demo were on this machine, which Cairn refuses to read without this.
    allowed = "".join(f"{name}={value} " for name, value in stage.variables.items() if name == "CAIRN_FETCH_ALLOW")
    lines = [
        (f"{allowed}{program} -C {place} check", "list what is still wrong"),
        (f"git -C {place} log --oneline --stat", "show what was committed and merged"),
    ]
    if not full:
        lines = [(f"{program} demo --full", "run all chapters")]
    lines.append((f"rm -r {place}", "remove the folder"))
    room = max(len(line) for line, _ in lines)
    # Not as a table: that would be cut to the terminal's width, and these are to be copied.
    out.data("\n".join(f"  {line:<{room}}  # {purpose}" for line, purpose in lines))
    out.data(f"\nIn a repository of your own, start with `{program} try`.")
    out.data(f"Open the map in a browser: {(folder / PAGE).as_uri()}")
