"""A port whose calls are moments: one before each, one after."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeVar, cast

from cairn.adapters.faults.moments import Moments

Port = TypeVar("Port")


def counted(name: str, port: Port, moments: Moments) -> Port:
    """Like the port in every way but that."""
    return cast(Port, _Counted(name, port, moments))


class _Counted:
    def __init__(self, name: str, port: object, moments: Moments) -> None:
        self._name, self._port, self._moments = name, port, moments

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Whoever asks what it is hears what it stands for."""
        return type(self._port)

    def __getattr__(self, part: str) -> Any:
        value = getattr(self._port, part)
        name = f"{self._name}.{part}"
        if type(value).__module__.startswith("cairn.adapters.storage."):
            return _Counted(name, value, self._moments)
        return _call(name, value, self._moments) if callable(value) else value


def _call(name: str, real: Callable[..., Any], moments: Moments) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        moments.moment(f"before {name}")
        result = real(*arguments, **named)
        moments.moment(f"after {name}")
        if isinstance(result, AbstractContextManager):
            return _Entered(name, result, moments)
        return result

    return call


class _Entered(AbstractContextManager[Any]):
    """A transaction: what is done in it, and its end."""

    def __init__(self, name: str, real: AbstractContextManager[Any], moments: Moments) -> None:
        self._name, self._real, self._moments = name, real, moments

    def __enter__(self) -> Any:
        inside = self._real.__enter__()
        self._moments.moment(f"in {self._name}")
        return None if inside is None else _Counted(self._name, inside, self._moments)

    def __exit__(self, *why: Any) -> bool | None:
        self._moments.moment(f"end of {self._name}")
        done = self._real.__exit__(*why)
        self._moments.moment(f"after {self._name} ended")
        return done
