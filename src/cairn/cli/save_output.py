"""Where output goes that the terminal does not get: the file of `-o`, and the page of a job on GitHub."""

import os
import stat
from pathlib import Path
from typing import Any

import click

from cairn.cli.invocation import Invocation
from cairn.cli.output import safe, write_all
from cairn.errors import Refused

STDOUT = "-"

output_option = click.option("-o", "--output", metavar="FILE", help="Write to FILE; - is stdout.")
force_option = click.option("--force", is_flag=True, help="Replace an existing file.")


def refuse_to_replace(ctx: Invocation, output: str | None, *, force: bool) -> None:
    """Before any work is done: a file that is there stays, unless somebody insists."""
    if output in (None, STDOUT) or force:
        return
    target = ctx.directory / str(output)
    if os.path.lexists(target) and not _takes_a_stream(target):
        raise Refused(f"`{output}` is there already; add --force to replace it.", path=output)


def deliver(ctx: Invocation, root: Path, text: str, *, format: str, output: str | None) -> None:
    """To stdout as it is, or into the file; then under --json stdout says what was written."""
    if output is None or output == STDOUT:
        write_all(ctx.out.stdout, text)
        return
    put(root, ctx.directory / output, text)
    written: dict[str, Any] = {"file": output, "format": format, "bytes": len(text.encode("utf-8", "surrogatepass"))}
    if ctx.json:
        ctx.out.emit_json(written)
    else:
        ctx.out.say(f"wrote {output} ({format}, {written['bytes']:,} bytes)")


def put(root: Path, target: Path, text: str) -> None:
    """Into a file, whole or not at all; or down a stream."""
    if _takes_a_stream(target):
        target.write_text(text, encoding="utf-8")
        return
    from cairn.changes.write import save

    save(root, target, text)


def _takes_a_stream(target: Path) -> bool:
    """Such as /dev/null or a named pipe."""
    try:
        mode = target.stat().st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


VARIABLE = "GITHUB_STEP_SUMMARY"


def append_job_summary(ctx: Invocation, text: str) -> None:
    """Elsewhere than in a job nothing happens. A page that cannot be written is no reason to fail."""
    path = ctx.env.get(VARIABLE, "")
    if not path:
        return
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        ctx.out.warn(f"the summary of the job could not be written to {safe(path)}: {error.strerror}")
