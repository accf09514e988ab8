"""Where calls are answered: each with an application of its own, so that many can be answered at once."""

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cairn.core.agent_host import host_turn, session_around
from cairn.core.ports.runtime import Here
from cairn.core.switches import read_switches
from cairn.errors import CairnError, ConfigError, EnvironmentProblem, NotFound, StoreLocked
from cairn.lib.text.names import did_you_mean
from cairn.mcp.tools.context import CONTEXT
from cairn.mcp.tools.gap import GAP
from cairn.mcp.tools.graph import GRAPH
from cairn.mcp.tools.jobs import JOBS
from cairn.mcp.tools.note import NOTE
from cairn.mcp.tools.propose import PROPOSE
from cairn.mcp.tools.read import READ
from cairn.mcp.tools.search import SEARCH
from cairn.mcp.tools.tool import Caller, Tool, ToolAnswer, ToolCallContext, checked
from cairn.mcp.tools.validate import VALIDATE

if TYPE_CHECKING:
    from cairn.app.build import App

TOOLS: tuple[Tool, ...] = (SEARCH, READ, CONTEXT, NOTE, VALIDATE, PROPOSE, GAP, GRAPH, JOBS)

Result = TypeVar("Result")
_FLAG: Final = re.compile(r"`[^`]*`|(?<![\w-])--([a-z][a-z-]+)")
"""An option that stands by itself; one in a command to be typed is left alone."""
_FOR_THE_USER: Final = "That is for the user to mend: tell them, and go on without Cairn."
_SETTLES: Final = 1.0
"""Seconds for which a scan holds: agents ask several things at once."""
_IN_THE_WAY: Final = 15.0
"""Seconds until another try, after somebody else's writing was waited for in vain: each try takes long, too."""

logger = logging.getLogger("cairn.mcp")


class CallFailed(Exception):
    """The call cannot be answered; the message says why, and what the model can do."""


def opener(root: Path, env: Mapping[str, str], db: str | None = None) -> "Callable[[], App]":
    """Opens the workspace for one call. Where the database cannot be written, calls are answered from memory; that is
    logged once. Notes and votes are safe: they go to the ledger first, which fails by itself."""
    from cairn.app.build import build_app

    told: set[str] = set()

    def tell(why: str) -> None:
        if why not in told:
            logger.warning("note: %s", why)
        told.add(why)

    return lambda: build_app(root, env=env, db=db, in_memory=tell)


@dataclass
class RequestHandler:
    open: "Callable[[], App]"
    """An application for one call. Settings and database are looked at anew: both may change while we serve."""
    env: Mapping[str, str] = field(default_factory=dict)
    tools: tuple[Tool, ...] = TOOLS
    _scanning: Lock = field(default_factory=Lock)
    _tried: float = float("-inf")
    _problem: str | None = None
    """Why the last scan was not possible."""

    def call(self, name: str, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
        tool = self._called(name)
        if tool.writes and not tool.while_off and read_switches(self.env).off:
            raise CallFailed("CAIRN_OFF is set here, so nothing is written down; go on without it.")
        return self.answered(
            lambda app: tool.answer(
                ToolCallContext(app, _placed(app, caller), lambda: self._fresh(app)), checked(tool, given)
            ),
            tool.otherwise,
        )

    def answered(self, work: "Callable[[App], Result]", otherwise: str = "") -> Result:
        """What the work gives; whatever goes wrong becomes a sentence."""
        try:
            with self._opened() as app:
                return work(app)
        except CairnError as error:
            raise CallFailed(f"{_spoken(error.message)} {_way_on(error, otherwise)}".rstrip()) from error
        except Exception as error:  # one bug must not take the server with it
            logger.exception("a call failed")
            name = type(error).__name__
            raise CallFailed(
                f"Something went wrong inside Cairn ({name}); go on without it and tell the user."
            ) from error

    def brought_up_to_date(self, app: "App") -> None:
        self._fresh(app)

    @contextmanager
    def _opened(self) -> "Iterator[App]":
        with closing(self.open()) as app:
            app.workers = Here()  # a process with threads must not be copied
            yield app

    def _called(self, name: str) -> Tool:
        for tool in self.tools:
            if tool.name == name:
                return tool
        names = [tool.name for tool in self.tools]
        hint = did_you_mean(name[:80], names) or f"; there are {', '.join(names)}"
        raise CallFailed(_spoken(f"There is no tool `{name[:80]}`{hint}"))

    def _fresh(self, app: "App") -> str | None:
        with suppress(CairnError):  # whoever asks the database gets the same error with its sentence
            _ = app.store
        with self._scanning:
            elapsed = time.monotonic() - self._tried
            if app.works_in_memory or elapsed >= (_IN_THE_WAY if self._problem else _SETTLES):
                self._problem = app.update_graph()
                self._tried = time.monotonic()
            return self._problem


def _placed(app: "App", caller: Caller) -> Caller:
    """With the turn and the session of the host that asks, as its hooks told them."""
    opened = host_turn(app, host=caller.host, session=caller.session)
    if opened is None:
        return caller._replace(session=caller.session or session_around(app.env))
    return caller._replace(host=opened.host, session=opened.session, turn=opened.turn)


def _way_on(error: CairnError, otherwise: str) -> str:
    """What there is to do besides what the message says. What is wrong with the workspace is not for a model to mend,
    least of all by a command that throws something away."""
    if isinstance(error, NotFound) and "path" not in error.details:  # else the page was found, and something of it not
        return otherwise
    mended = isinstance(error, EnvironmentProblem | ConfigError) and not isinstance(error, StoreLocked)
    return _FOR_THE_USER if mended else ""


def _spoken(message: str) -> str:
    """A sentence of the command line for somebody who has arguments instead of options."""
    text = _FLAG.sub(lambda found: f"`{found[1].replace('-', '_')}`" if found[1] else found[0], message).rstrip()
    first = text.partition(" ")[0]
    text = text[:1].upper() + text[1:] if first.isalpha() else text  # a path or a name stays as it is
    return text if text.endswith((".", "?", "!")) else f"{text}."
