"""`cairn scrub`: secrets and personal data out of a text."""

import sys
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.errors import NotFound, UsageError

if TYPE_CHECKING:
    from cairn.lib.scrub.find import SecretHit


@define(
    "scrub",
    help="Print a text without the keys, tokens, passwords, addresses and numbers in it; a mark such as "
    "`[REDACTED:email]` stands there instead. With --check, say where they are, never what they are; ends with 1 when "
    "there is a secret or something that names a person. The file is not changed.",
    examples=(
        ("cairn scrub session.log > clean.log", "a copy without them"),
        ("git diff --cached | cairn scrub --check", "anything in what I am about to commit?"),
        ("cairn scrub --check notes.md --json", "where, and by which rule"),
    ),
    exits=(0, 1, 2, 5),
    timed=False,
)
@argument("file", required=False, metavar="[FILE|-]", help="Text in UTF-8; stdin without one, or for -.")
@click.option("--check", is_flag=True, help="Only say where something is.")
def command(ctx: Invocation, file: str | None, check: bool) -> int:
    data = _data(ctx, file)
    if b"\0" in data:
        raise UsageError(f"`{file or '-'}` has NUL bytes and is no text; name a file that is.")
    text = data.decode("utf-8", "surrogateescape")
    return _check(ctx, text) if check else _redact(ctx, text)


def _data(ctx: Invocation, file: str | None) -> bytes:
    if file is None and ctx.stdin_tty:
        raise UsageError("name a file, or pipe a text in; `cairn scrub -` reads what you type")
    if file in (None, "-"):
        return sys.stdin.buffer.read()
    try:
        return (ctx.directory / str(file)).read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        raise NotFound(f"There is no file `{file}`; check the path.") from None


def _redact(ctx: Invocation, text: str) -> int:
    from cairn.lib.scrub.find import redact

    redacted = redact(text)
    if ctx.json:
        clean = redacted.text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        ctx.out.emit_json({"text": clean, "counts": redacted.counts})
        return 0
    sys.stdout.flush()
    sys.stdout.buffer.write(redacted.text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    if redacted.counts:
        ctx.out.say(f"took out {', '.join(f'{count} {rule}' for rule, count in sorted(redacted.counts.items()))}")
    return 0


def _check(ctx: Invocation, text: str) -> int:
    from cairn.lib.scrub.find import find

    hits = find(text)
    places = [_place(text, hit) for hit in hits]
    if ctx.json:
        ctx.out.emit_json({"hits": places})
    else:
        for place in places:
            ctx.out.data(safe(f"{place['line']}:{place['column']} {place['rule']} ({place['category']})"))
        if not places:
            ctx.out.say("nothing was found")
    return int(any(hit.category == "direct" for hit in hits))


def _place(text: str, hit: "SecretHit") -> dict[str, Any]:
    """Lines and columns from 1, columns in code points."""
    line = text.count("\n", 0, hit.start) + 1
    column = hit.start - text.rfind("\n", 0, hit.start)
    return {"line": line, "column": column, "length": hit.end - hit.start, "rule": hit.rule, "category": hit.category}
