"""What came of a program that was run."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol


class ShellResult(NamedTuple):
    code: int | None
    """None when it did not end in time."""
    out: str
    err: str
    seconds: float


class RunShell(Protocol):
    """Runs one line of a shell, as agent hosts run their hooks."""

    def __call__(
        self, line: str, *, stdin: bytes, cwd: str, env: Mapping[str, str], seconds: float = 15.0
    ) -> ShellResult: ...
