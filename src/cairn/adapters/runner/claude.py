"""The `claude` program: the prompt on its stdin, the answer on its stdout, no tools, and an end when time is up."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress

from cairn.core.model_budget import RunnerAnswer, RunnerFailed

PROGRAM = "claude"
GRACE_SECONDS = 0.5
"""Between asking a program to end and ending it."""


class ClaudeProgram:
    provider = "anthropic"
    model = "claude"
    """Which one the program chose is its own affair; it does not say."""

    def __init__(self, program: str, env: Mapping[str, str]) -> None:
        self._program = program
        # Its hooks are ours in many repositories; what Cairn asks itself is no turn of anybody's.
        self._env = {**env, "CAIRN_OFF": "1", "CAIRN_INTERNAL": "1"}

    def run(self, prompt: str, *, timeout_seconds: float) -> RunnerAnswer:
        # In an empty folder: instructions of the repository are none for an auditor.
        with tempfile.TemporaryDirectory(prefix="cairn-audit-") as empty:
            out, err, code = self._ran(prompt.encode(), empty, timeout_seconds)
        if code != 0:
            said = _last_line(err) or _last_line(out) or "it said nothing"
            raise RunnerFailed(f"`{PROGRAM}` ended with {code}: {said}", retryable=True)
        text = out.decode("utf-8", "replace")
        if not text.strip():
            raise RunnerFailed(f"`{PROGRAM}` gave an empty answer.", retryable=True)
        return RunnerAnswer(text, self.provider, self.model)

    def _ran(self, prompt: bytes, folder: str, seconds: float) -> tuple[bytes, bytes, int]:
        try:
            process = subprocess.Popen(
                [self._program, "-p", "--tools", ""],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=self._env,
                start_new_session=True,
            )
        except OSError as error:
            raise RunnerFailed(f"`{PROGRAM}` could not be started: {error.strerror}.", retryable=False) from None
        with process:
            try:
                out, err = process.communicate(prompt, timeout=seconds)
            except subprocess.TimeoutExpired:
                _end(process)
                raise RunnerFailed(f"`{PROGRAM}` gave no answer within {seconds:g} seconds.", retryable=True) from None
            except BaseException:
                _end(process)
                raise
            return out, err, process.returncode


def _end(process: "subprocess.Popen[bytes]") -> None:
    """It and whatever it started: first asked, then ended."""
    _signal(process, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=GRACE_SECONDS)
    _signal(process, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=GRACE_SECONDS)


def _signal(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _last_line(data: bytes) -> str:
    lines = data.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:200] if lines else ""
