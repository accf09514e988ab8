"""Runs the real program in a process of its own, as a person would."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import warm

SCHEMAS = Path(__file__).parent.parent / "docs" / "schemas"


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


def command_line(*args: str) -> list[str]:
    return [sys.executable, "-m", "cairn", *args]


def clean_env(**more: str) -> dict[str, str]:
    """The environment without what would change how Cairn behaves."""
    left_out = {"NO_COLOR"} | ({"XDG_STATE_HOME"} if "HOME" in more else set())
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CAIRN_", "GIT_")) and k not in left_out}
    return {**kept, **more}


def cairn(*args: str, cwd: Path, stdin: bytes | None = None, timeout: float = 60, **env: str) -> Ran:
    """Without `stdin` there is nothing to read; else it comes through a pipe."""
    whole = clean_env(**env)
    start = warm.run if warm.can_be_warm(whole, stdin) else _cold
    code, out, err = start(args, cwd=cwd, env=whole, stdin=stdin, timeout=timeout)
    return Ran(code, out.decode(), err.decode())


def _cold(
    args: Sequence[str], *, cwd: Path, env: Mapping[str, str], stdin: bytes | None, timeout: float
) -> tuple[int, bytes, bytes]:
    given: dict[str, Any] = {"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}
    done = subprocess.run(command_line(*args), cwd=cwd, env=env, capture_output=True, timeout=timeout, **given)
    return done.returncode, done.stdout, done.stderr


def fits_schema(value: Any, name: str) -> None:
    """Fails with the first difference when the value is not what the published schema promises."""
    validator(name).validate(value)


@cache
def validator(name: str) -> Any:
    import jsonschema_rs

    schemas = {file.name.removesuffix(".schema.json"): json.loads(file.read_text()) for file in SCHEMAS.glob("*.json")}
    registry = jsonschema_rs.Registry([(schema["$id"], schema) for schema in schemas.values()])
    return jsonschema_rs.validator_for(schemas[name], registry=registry)
