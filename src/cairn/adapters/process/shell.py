"""Runs one line of a shell, as agent hosts run their hooks."""

import os
import signal
import subprocess
import time
from collections.abc import Mapping

from cairn.core.ports.process import ShellResult


def run_shell(line: str, *, stdin: bytes, cwd: str, env: Mapping[str, str], seconds: float = 15.0) -> ShellResult:
    started = time.monotonic()
    process = subprocess.Popen(
        ["/bin/sh", "-c", line],
        cwd=cwd,
        env=dict(env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(stdin, timeout=seconds)
        code: int | None = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        code = None
    return ShellResult(code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), time.monotonic() - started)
