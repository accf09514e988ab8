"""`cairn.turn`: a stretch of work that leaves a trace, whatever becomes of it.

    with cairn.turn(stage="implement", session=loop) as turn:
        turn.tool("pytest", ok=False)
        turn.note("The parser is reused; a second one would drift.", evidence=["commit:4f2a91c"])

It is eligible when it begins and has exactly one outcome when it ends: the note or the skip that was asked for, what
its tools tell, or the class of the exception that left it. Works as a decorator too, also of `async def`.
"""

import inspect
import os
import warnings
from collections.abc import Callable, Iterable
from contextvars import ContextVar, Token
from functools import wraps
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeVar

from cairn.core.model.session import ToolCall, TurnRequest
from cairn.errors import CairnError
from cairn.journal import new_id

if TYPE_CHECKING:
    from cairn.capture.ports import CapturePorts, OwnCapturePorts

OpenPlace = Callable[[str | os.PathLike[str] | None], "OwnCapturePorts | None"]
"""Opens the workspace at a place; None where there is none, or nothing shall be recorded."""
Function = TypeVar("Function", bound=Callable[..., Any])

_SOURCE: Final = "python"


class TurnSetting(NamedTuple):
    stage: str | None = None
    source: str | None = None
    agent: str | None = None
    session: str | None = None
    turn_id: str | None = None
    turn_number: int | None = None
    channel: str | None = None
    project: str | None = None
    workspace: str | os.PathLike[str] | None = None
    internal: bool = False


class PythonTurn:
    """One stretch of work. Everything said to it before its end goes into its one outcome."""

    def __init__(self, facts: TurnSetting, ports: "CapturePorts | None" = None, open: OpenPlace | None = None) -> None:
        """`open` makes ports for this turn, which are closed after it, where none are given."""
        self._facts = facts
        self._given = ports
        self._open = open
        self._opened: OwnCapturePorts | None = None
        self._ports: CapturePorts | None = None
        self._request: TurnRequest | None = None
        self._tools: list[ToolCall] = []
        self._said: dict[str, Any] = {}
        self._token: Token[PythonTurn | None] | None = None
        self._began = 0.0

    # --- what the work tells --------------------------------------------------------------------------------------

    @property
    def id(self) -> str | None:
        """Of the turn; None outside of a workspace."""
        return None if self._request is None else self._request.turn_id

    def note(
        self,
        summary: str,
        *,
        decision: str | None = None,
        type: str | None = None,
        evidence: Iterable[str] = (),
        tags: Iterable[str] = (),
    ) -> None:
        """What it brought. Said again, the last one counts."""
        more = {"evidence": tuple(evidence), "tags": tuple(tags), "skip_reason": None}
        self._said |= {"summary": summary, "decision": decision, "type": type, **more}

    def skip(self, reason: str = "no-new-information") -> None:
        """That there is nothing to note, and why."""
        self._said["skip_reason"] = reason

    def tool(self, name: str, target: str = "", *, ok: bool | None = None) -> None:
        """That a tool was used, on what, and whether that worked."""
        self._tools.append(ToolCall(name, target, ok))

    # --- with -----------------------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        if self._request is not None:
            raise RuntimeError("this turn has begun already; call cairn.turn(…) again for another one")
        self._began = perf_counter()
        self._token = _current.set(self)
        outer = self._token.old_value
        try:
            if self._given is None and self._open is not None:
                self._opened = self._open(self._facts.workspace)
            self._ports = self._given or self._opened
            if self._ports is not None:
                self._request = _request(self._facts, outer if isinstance(outer, PythonTurn) else None, self._ports)
                self._begin(self._ports, self._request)
        except CairnError as error:
            self._give_up(error)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            _current.reset(self._token)
        ports, request = self._ports, self._request
        if ports is None or request is None:
            return
        try:
            if kind is None:
                self._finish(ports, request)
            else:
                self._fail(ports, request, kind.__name__)
        except CairnError as problem:
            self._give_up(problem)
        finally:
            if self._opened is not None:
                self._opened.close()

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, trace)

    def _begin(self, ports: "CapturePorts", request: TurnRequest) -> None:
        from cairn.capture.note import at_home, policy_of, record
        from cairn.capture.turn_outcome import eligible
        from cairn.capture.turn_request import settled

        clean = settled(at_home(ports, request))
        self._request = clean
        record(ports, [eligible(clean, policy_of(ports), internal=self._facts.internal)], began=self._began)

    def _finish(self, ports: "CapturePorts", request: TurnRequest) -> None:
        from dataclasses import replace

        from cairn.capture.note import write_turn

        said = replace(request, tools=tuple(self._tools), **self._said)
        asked = bool(said.skip_reason or said.summary)
        done = write_turn(ports, said, automatic=not asked)
        if done.outcome == "failed":
            warnings.warn(f"cairn.turn: the turn could not be noted: {done.result}", RuntimeWarning, stacklevel=3)

    def _fail(self, ports: "CapturePorts", request: TurnRequest, code: str) -> None:
        from cairn.capture.note import policy_of, record
        from cairn.capture.turn_outcome import failure

        if not ports.turn_memory.standing(request.turn_id).outcome:
            event = failure(request, code, attempt=1, policy=policy_of(ports))
            record(ports, [event], began=self._began)

    def _give_up(self, error: CairnError) -> None:
        """The work goes on: it is not there for its trace."""
        self._ports = self._request = None
        warnings.warn(f"cairn.turn: nothing was recorded: {error.message}", RuntimeWarning, stacklevel=4)

    # --- @ --------------------------------------------------------------------------------------------------------

    def __call__(self, function: Function) -> Function:
        """Each call is a turn of its own."""
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError("cairn.turn cannot tell when a generator ends; use `with cairn.turn(…)` inside of it")
        if inspect.iscoroutinefunction(function):

            @wraps(function)
            async def awaited(*args: Any, **given: Any) -> Any:
                with PythonTurn(self._facts, self._given, self._open):
                    return await function(*args, **given)

            return awaited  # type: ignore[return-value]

        @wraps(function)
        def called(*args: Any, **given: Any) -> Any:
            with PythonTurn(self._facts, self._given, self._open):
                return function(*args, **given)

        return called  # type: ignore[return-value]


_current: ContextVar[PythonTurn | None] = ContextVar("cairn_turn", default=None)


def turn_in(ports: "CapturePorts", *, stage: str, agent: str) -> PythonTurn:
    """Of Cairn's own work: marked as internal, so that nobody takes it for an agent's."""
    return PythonTurn(TurnSetting(stage=stage, source="cairn", agent=agent, internal=True), ports)


# --- where, and whose -----------------------------------------------------------------------------------------------


def _request(facts: TurnSetting, outer: PythonTurn | None, ports: "CapturePorts") -> TurnRequest:
    around = outer._request if outer is not None else None
    source = facts.source or (around.source if around else _SOURCE)
    session = facts.session or (around.session if around else None)
    project = facts.project or (around.context.get("project") if around else None)
    named = {"stage": facts.stage, "project": project}
    return TurnRequest(
        turn_id=facts.turn_id or f"{source}:{session or 'none'}:{new_id(ports.clock.now_ms())}",
        source=source,
        agent=facts.agent or (around.agent if around else source),
        session=session,
        channel=facts.channel or (around.channel if around else None),
        turn_number=facts.turn_number,
        context={name: value for name, value in named.items() if value},
    )
