"""`cairn freshness lint-unsourced|anti-over-rewrite|deep-guidance-check`: one gate about one change."""

import sys
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import CairnCommand, Example, argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.errors import NotFound, UsageError
from cairn.version import __version__

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.changes.check_changes import GateRequest, GateResult

_COLORS = {"pass": "green", "note": "blue", "warn": "yellow", "block": "red"}


def _gate_command(
    name: str, gate: str, *, help: str, examples: tuple[Example, ...], label: bool = False
) -> CairnCommand:
    @define(name, help=help, examples=examples, exits=(0, 1, 2, 5))
    @argument("paths", nargs=-1, metavar="[PATH]...", help="Pages; without any, what your branch and edits changed.")
    @click.option("--files-from", metavar="FILE", help="Pages as a JSON array or one a line; - reads stdin.")
    @click.option("--diff", metavar="FILE", help="Look at a unified diff instead; - reads stdin.")
    @click.option("--sarif", "as_sarif", is_flag=True, help="As SARIF 2.1.0 on stdout.")
    @click.option("--github", "as_github", is_flag=True, help="As annotations in GitHub's log.")
    def command(ctx: Invocation, **given: Any) -> int:
        return _run(ctx, gate, given)

    if label:
        option = click.Option(["labels", "--label"], multiple=True, metavar="NAME", help="A label that a person set.")
        listed = click.Option(["--pr-labels"], default="", metavar="CSV", help="The same, separated by commas.")
        command.params[1:1] = [option, listed]
    return command


def _run(ctx: Invocation, gate: str, given: dict[str, Any]) -> int:
    if given["as_sarif"] + given["as_github"] + ctx.json > 1:
        raise UsageError("Choose one of --json, --sarif and --github.")
    if bool(given["paths"]) + bool(given["files_from"]) + bool(given["diff"]) > 1:
        raise UsageError("Name pages, or give --files-from or --diff; one of them.")
    if not ctx.directory.is_dir():
        raise UsageError(f"there is no folder {ctx.directory}; check the path given to -C")
    from cairn.app.open_workspace import open_around
    from cairn.changes.check_changes import judge
    from cairn.core.model.change import Level

    app = open_around(ctx.directory, env=ctx.env)
    judged = judge(app, gate, _asked(ctx, app, given))
    _show(ctx, judged, given)
    return int(judged.ruling.level is Level.BLOCK)


def _asked(ctx: Invocation, app: "App", given: dict[str, Any]) -> "GateRequest":
    from cairn.changes.check_changes import GateRequest, from_root, listed_paths

    given_as_csv = (label.strip() for label in given.get("pr_labels", "").split(","))
    labels = (*given.get("labels", ()), *filter(None, given_as_csv))
    if given["diff"]:
        return GateRequest(diff=read_input(ctx, given["diff"]), labels=labels)
    if not given["files_from"]:
        return GateRequest(from_root(app, ctx.directory, given["paths"]), labels=labels)
    listed = listed_paths(read_input(ctx, given["files_from"]).decode("utf-8", "replace"))
    if not listed:
        raise UsageError("--files-from names no page.")
    return GateRequest(from_root(app, ctx.directory, listed), labels=labels)


def read_input(ctx: Invocation, name: str) -> bytes:
    """A file that a person named, or stdin."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return (ctx.directory / name).read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        raise NotFound(f"There is no file `{name}`; check the path.") from None
    except OSError as error:
        raise UsageError(f"`{name}` cannot be read: {error.strerror}.") from None


def _show(ctx: Invocation, judged: "GateResult", given: dict[str, Any]) -> None:
    from cairn.changes.check_changes import issues_of, rule_texts

    if given["as_sarif"]:
        from cairn.app.gates import GATES
        from cairn.graph.sarif import sarif

        ctx.out.emit_json(sarif(issues_of(judged.ruling), rule_texts(GATES), __version__))
    elif given["as_github"]:
        from cairn.graph.sarif import github

        for line in github(issues_of(judged.ruling)):
            ctx.out.data(line)
    elif ctx.json:
        ctx.out.emit_json(judged.json())
    else:
        _for_people(ctx, judged)


def _for_people(ctx: Invocation, judged: "GateResult") -> None:
    ruling = judged.ruling
    word = ctx.out.style(ruling.level.word, _COLORS[ruling.level.word])
    ctx.out.data(f"{word} {ruling.gate}: {safe(ruling.reason)}")
    for fact in ruling.evidence:
        place = f"{fact['path']}:{fact['line']}" if "line" in fact else str(fact["path"])
        ctx.out.data(f"  {safe(place)} {safe(str(fact.get('message', '')))}")


unsourced_command = _gate_command(
    "lint-unsourced",
    "unsourced",
    help="Name added sentences that demand something (must, should, never, always) and have no link to a source of "
    "their entry within three lines. It is advice: it ends with 0.",
    examples=(
        ("cairn freshness lint-unsourced", "what your branch and your edits add"),
        ("git diff main... | cairn freshness lint-unsourced --diff - --github", "in a pipeline"),
    ),
)

rewrite_command = _gate_command(
    "anti-over-rewrite",
    "anti-over-rewrite",
    label=True,
    help="Stop a change that writes more than a fifth of a stable page anew: deleted lines of the old text, or added "
    "and deleted ones of the new. Ends with 1 when it does.",
    examples=(
        ("cairn freshness anti-over-rewrite", "what your branch and your edits do"),
        ("cairn freshness anti-over-rewrite --label override:anti-over-rewrite", "somebody allowed it"),
    ),
)

guidance_command = _gate_command(
    "deep-guidance-check",
    "deep-guidance",
    help="Check that pages have the sections that their corpus asks for, such as `## Deep Guidance`, outside of blocks "
    "of code. Ends with 1 when one is missing.",
    examples=(
        ("cairn freshness deep-guidance-check knowledge/api/limits.md", "one page"),
        ("cairn freshness deep-guidance-check --files-from changed.json", "those that a list names"),
    ),
)
