"""`cairn.turn`: the public door to turns of a Python program, see `cairn.capture.python_turn`."""

import os
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from cairn.capture.python_turn import PythonTurn, TurnSetting
from cairn.errors import NotInitialised

if TYPE_CHECKING:
    from cairn.capture.ports import OwnCapturePorts

Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def turn(stage: Function) -> Function: ...
@overload
def turn(
    stage: str | None = None,
    *,
    source: str | None = None,
    agent: str | None = None,
    session: str | None = None,
    turn_id: str | None = None,
    turn_number: int | None = None,
    channel: str | None = None,
    project: str | None = None,
    workspace: str | os.PathLike[str] | None = None,
    internal: bool = False,
) -> PythonTurn: ...
def turn(stage: Any = None, **given: Any) -> Any:
    """A turn, for `with`, `async with` or as a decorator. What is left out is taken from the turn around it."""
    if callable(stage):
        return PythonTurn(TurnSetting(stage=stage.__name__), open=_workspace)(stage)
    return PythonTurn(TurnSetting(stage=stage, **given), open=_workspace)


def _workspace(place: str | os.PathLike[str] | None, env: Mapping[str, str] = os.environ) -> "OwnCapturePorts | None":
    """None when everything is switched off, or, with one warning, where there is no workspace."""
    from cairn.config.load import find_root
    from cairn.core.switches import read_switches

    if read_switches(env).off:
        return None
    from cairn.app.build import build_app

    try:
        return build_app(find_root(Path(place or ".")), env=dict(env))
    except NotInitialised:
        # Said of this place and not of the caller's, so that Python shows it once, however many turns there are.
        warnings.warn("cairn.turn: there is no Cairn workspace here, so turns leave no trace", RuntimeWarning, 1)
        return None
