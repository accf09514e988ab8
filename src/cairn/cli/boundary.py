"""The one boundary: whatever goes wrong becomes a sentence and an exit code."""

import errno
import gc
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from cairn.core.isolate import collected
from cairn.errors import CairnError, EnvironmentProblem, UsageError

if TYPE_CHECKING:
    from cairn.cli.options import Globals
    from cairn.core.isolate import BadItem

INTERNAL = 70
INTERRUPTED = 130

_ENVIRONMENT = {
    errno.ENOSPC: "the disk is full; free some space and run the command again",
    errno.EDQUOT: "your disk quota is used up; free some space and run the command again",
    errno.EROFS: "the file system is read-only; run the command where it can write",
    errno.EACCES: "permission denied; check who owns it",
    errno.EPERM: "permission denied; check who owns it",
    errno.EMFILE: "too many open files; raise the limit with `ulimit -n`",
    errno.ENFILE: "too many open files on this machine; try again later",
    errno.EIO: "the disk reports an error; check its health",
}


def run(
    args: Sequence[str],
    env: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    work: Callable[[], int] | None = None,
) -> int:
    """Runs one command line and says how it ended. Nothing is raised. `work` does what the command would, for a caller
    that has begun with it already."""
    # A command makes millions of small values and hardly a cycle; to look for cycles all the time costs a tenth of it.
    gc.set_threshold(200_000, 50, 50)
    _open_closed_streams()
    try:
        code = _guarded(args, env, platform, work)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        from cairn.cli.output import drop_output

        drop_output()
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as problem:  # telling what went wrong went wrong too: stdout is a full disk, say
        return _last_words(problem)


def _open_closed_streams() -> None:
    """Started with `>&-` a stream is missing, and the next file opened would take its place."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _guarded(args: Sequence[str], env: Mapping[str, str], platform: str, work: Callable[[], int] | None) -> int:
    try:
        with collected() as bad:
            code = _dispatch(args, env, platform) if work is None else work()
        return _with_bad_items(bad, code, args, env) if bad else code
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except OSError as problem:
        from cairn.cli.output import OutputFailed

        if isinstance(problem, OutputFailed):
            raise
        return _translated(problem, args, env)
    except CairnError as problem:
        return report(problem, args, env)
    except Exception as problem:
        return _translated(problem, args, env)


def _with_bad_items(bad: "Sequence[BadItem]", code: int, args: Sequence[str], env: Mapping[str, str]) -> int:
    """Items that failed while the rest was done, on stderr: each by its name, and one log for all."""
    from cairn.cli.crash import write_text
    from cairn.cli.output import Output, safe, wants_color

    out = Output(sys.stdout, sys.stderr, color=wants_color(env, peek(args, env).no_color))
    once = list(dict.fromkeys((one.name, one.error) for one in bad))
    for name, error in once[:_MOST_NAMED]:
        out.fail(safe(f"{name} was skipped: {error}"))
    log = write_text("\n".join(one.trace for one in bad), args)[1]
    more = f" ({len(once) - _MOST_NAMED:,} more in the log)" if len(once) > _MOST_NAMED else ""
    number = f"{len(once):,} item{'' if len(once) == 1 else 's'}"
    where = f" with {log}" if log else ""
    out.say(f"the rest is complete; {number} failed inside Cairn{more}, please report it{where}")
    return code or 1


_MOST_NAMED = 20


def _dispatch(args: Sequence[str], env: Mapping[str, str], platform: str) -> int:
    if platform == "win32":
        raise EnvironmentProblem("Cairn does not support Windows yet; it runs on Linux, macOS and inside WSL")
    if "_CAIRN_COMPLETE" in env:
        from cairn.cli.main import complete

        return complete(env["_CAIRN_COMPLETE"], env)
    if not args or list(args) in (["-h"], ["--help"]):
        return _top(args, env)
    if list(args) == ["--version"]:
        from cairn.version import __version__

        sys.stdout.write(f"cairn {__version__}\n")
        return 0
    return _command(args, env)


def _top(args: Sequence[str], env: Mapping[str, str]) -> int:
    """The help page without click, which is most of the time that it would take."""
    from cairn.cli.table import top_page

    if not args and peek(args, env).json:
        raise UsageError("name a command; `cairn help --all` lists them")
    stream = sys.stdout if args else sys.stderr
    stream.write(top_page())
    return 0 if args else UsageError.exit_code


def _command(args: Sequence[str], env: Mapping[str, str]) -> int:
    start = time.monotonic()
    from cairn.cli.main import invoke
    from cairn.cli.options import Globals

    shared = Globals(env)
    code = invoke(args, shared)
    if shared.timed:
        _say_time(shared, time.monotonic() - start)
    return code


def _say_time(shared: "Globals", seconds: float) -> None:
    from cairn.cli.output import elapsed

    out = shared.output()
    if not out.json:
        out.say(out.style_err(f"done in {elapsed(seconds)}", "dim"))


def _translated(problem: Exception, args: Sequence[str], env: Mapping[str, str]) -> int:
    """Everything that is not ours: click's usage errors, the machine's limits, and bugs."""
    import click

    if isinstance(problem, click.Abort):
        raise KeyboardInterrupt
    if isinstance(problem, click.ClickException):
        from cairn.cli.misuse import usage_error

        return report(usage_error(problem), args, env)
    limit = _limit(problem)
    if limit is not None:
        return report(limit, args, env)
    return _crashed(problem, args, env)


def _limit(problem: Exception) -> CairnError | None:
    """A limit of this machine, which no log would help to understand."""
    if isinstance(problem, MemoryError):
        return EnvironmentProblem("there is not enough memory for this; close something or scan fewer files")
    if isinstance(problem, FileNotFoundError) and not _is_somewhere():
        return EnvironmentProblem("the folder you are in is gone; change to one that exists and run the command again")
    if isinstance(problem, OSError) and problem.errno in _ENVIRONMENT:
        where = f"{problem.filename}: " if problem.filename else ""
        return EnvironmentProblem(f"{where}{_ENVIRONMENT[problem.errno]}", errno=errno.errorcode[problem.errno])
    return None


def _is_somewhere() -> bool:
    """Whether the current folder exists; it may have been deleted meanwhile."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _crashed(problem: Exception, args: Sequence[str], env: Mapping[str, str]) -> int:
    from cairn.cli.crash import write_log

    text, log = write_log(problem, args)
    if peek(args, env).verbosity >= 2:
        _write(sys.stderr, text)
    advice = f"please report it with {log}" if log else "run it with -vv and report what you see"
    name = f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__
    bug = CairnError(f"something went wrong inside Cairn ({name.splitlines()[0]}); {advice}", log=log)
    return report(bug, args, env, exit_code=INTERNAL, code="internal")


def report(
    problem: CairnError,
    args: Sequence[str],
    env: Mapping[str, str],
    *,
    exit_code: int | None = None,
    code: str | None = None,
) -> int:
    """One sentence on stderr, or one JSON object on stdout."""
    from cairn.cli.output import Output, safe, wants_color

    seen = peek(args, env)
    out = Output(sys.stdout, sys.stderr, color=wants_color(env, seen.no_color))
    if seen.json:
        error = {"code": code or problem.code, "message": problem.message, "details": dict(problem.details)}
        out.emit_json({"ok": False, "error": _plain(error)})
    else:
        out.fail(safe(problem.message))
    return problem.exit_code if exit_code is None else exit_code


class Peek:
    """The global options as far as they can be seen without parsing; errors happen before that is done."""

    def __init__(self, args: Sequence[str], env: Mapping[str, str]) -> None:
        from cairn.core.switches import read_switches

        given = list(args[: args.index("--")]) if "--" in args else list(args)
        self.json = "--json" in given or read_switches(env).json
        self.no_color = "--no-color" in given
        self.verbosity = sum(len(arg) - 1 for arg in given if arg.startswith("-v") and arg.strip("v") == "-")


def peek(args: Sequence[str], env: Mapping[str, str]) -> Peek:
    return Peek(args, env)


def _plain(value: Any) -> Any:
    """Details may hold paths and the like; JSON gets them as text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _write(stream: TextIO, text: str) -> None:
    from cairn.cli.output import write_all

    write_all(stream, text)


def _last_words(problem: Exception) -> int:
    import contextlib

    from cairn.cli.output import drop_output

    limit = _limit(problem)
    why = f"{problem.strerror}" if isinstance(problem, OSError) and problem.strerror else type(problem).__name__
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"cairn: the output could not be written ({why}); check where it goes\n")
    drop_output()
    return limit.exit_code if limit else INTERNAL
