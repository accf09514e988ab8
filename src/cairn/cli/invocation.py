"""One run of a command: what it was called with, where, how it may print, and questions to the person who called it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cairn.cli.output import Output, safe
from cairn.core.event_bus import EventBus
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.config.settings import LayeredSettings


@dataclass(frozen=True, slots=True)
class Invocation:
    out: Output
    env: Mapping[str, str]
    directory: Path
    db: str | None = None
    stdin_tty: bool = False
    stdout_tty: bool = False
    stderr_tty: bool = False
    bus: EventBus = field(default_factory=EventBus)

    @property
    def json(self) -> bool:
        return self.out.json

    @property
    def quiet(self) -> bool:
        return self.out.quiet

    @property
    def verbosity(self) -> int:
        return self.out.verbosity

    @property
    def color(self) -> bool:
        return self.out.color

    @property
    def interactive(self) -> bool:
        """Whether somebody is there to answer a question."""
        return self.stdin_tty and self.stderr_tty and not self.json

    def root(self) -> Path:
        """The workspace that the folder belongs to."""
        from cairn.config.load import find_root

        if not self.directory.is_dir():
            raise UsageError(f"there is no folder {self.directory}; check the path given to -C")
        return find_root(self.directory)

    def settings(self, flags: Mapping[str, object] | None = None, *, root: Path | None = None) -> "LayeredSettings":
        """The settings in force; what is odd about them is said, once."""
        from cairn.config.load import by_git, load

        place = root or self.root()
        settings = load(place, env=self.env, flags=self._flags(flags), tracked=by_git(place))
        for warning in settings.warnings:
            self.out.warn(warning)
        return settings

    def app(
        self,
        flags: Mapping[str, object] | None = None,
        *,
        root: Path | None = None,
        built_ins: bool = True,
        installed: bool = True,
        reads: bool = False,
    ) -> "App":
        """Builds the application for this workspace, with the settings in force. Close it: `with closing(…)`. One that
        only reads goes on in memory, and says so, where the database cannot be written."""
        from cairn.app.build import build_app

        place = root or self.root()
        settings = self.settings(flags, root=place)
        note = (lambda why: self.out.say(f"note: {safe(why)}")) if reads else None
        app = build_app(
            place,
            settings=settings,
            env=self.env,
            built_ins=built_ins,
            installed=installed,
            in_memory=note,
        )
        app.bus = self.bus
        return app

    def _flags(self, flags: Mapping[str, object] | None) -> dict[str, object]:
        return {**(flags or {}), **({"store.url": self.db} if self.db else {})}


def ask_provider(ctx: Invocation) -> Callable[[Sequence[str]], str | None] | None:
    """Which of several agent hosts counts; None when nobody is there to answer."""
    if not ctx.interactive:
        return None

    def ask(found: Sequence[str]) -> str | None:
        ctx.out.say(f"Several agent hosts are used here: {', '.join(found)}.")
        answer: str = click.prompt("Whose rules count?", type=click.Choice(list(found)), default=found[0], err=True)
        return answer

    return ask


def confirmed(ctx: Invocation, question: str, *, yes: bool) -> bool:
    """True by --yes or by a person's word; False when there is nobody to ask."""
    return yes or (ctx.interactive and click.confirm(question, default=False, err=True))
