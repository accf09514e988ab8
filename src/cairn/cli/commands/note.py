"""`cairn note`: write down what a turn brought, or why nothing is worth writing down."""

import sys
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import CairnCommand, argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.core.model.session import TurnRequest, TurnResult

_LARGEST = 1024 * 1024


def note_command(called: str) -> CairnCommand:
    """`cairn note` and, for those who know it by that name, `cairn knowledge note`."""
    options: list[Callable[[Any], Any]] = [
        argument("text", required=False, help="What is worth knowing, in a sentence or a few."),
        click.option("--summary", metavar="TEXT", help="The same as the argument."),
        click.option("--decision", metavar="TEXT", help="What was decided, if something was."),
        click.option("--type", metavar="TYPE", help="lesson, pattern, failed_target, decision, insight, retro …"),
        click.option("--evidence", multiple=True, metavar="POINTER", help="commit:…, file:…, test:…; repeat it."),
        click.option(
            "--tag", "--usefulness", "tags", multiple=True, metavar="TAG", help="What it is useful for; repeat it."
        ),
        click.option("--keep", is_flag=True, help="Also propose it as a page, word for word; `cairn curate` asks."),
        click.option("--kind", type=click.Choice(("practice", "map")), help="Of that page. Default: practice."),
        click.option("--tool", "tools", multiple=True, metavar="NAME", help="A tool that the turn used; repeat it."),
        click.option("--skip-reason", metavar="REASON", help="Why there is no note: no-new-information, …"),
        click.option("--target", metavar="NAME", help="What failed, with --type failed_target."),
        click.option("--turn-id", metavar="ID", help="Of the turn; the same one again updates its note."),
        click.option("--session", metavar="ID", help="Default: the agent's session, if its host says."),
        click.option("--turn", type=click.IntRange(min=0), metavar="N", help="Its number in the session."),
        click.option(
            "-s", "--source", metavar="NAME", help="Who produces notes: a host, a loop. Default: the host, or cli."
        ),
        click.option("-a", "--agent", metavar="NAME", help="Which agent, or person. Default: the host, or person."),
        click.option("--channel", metavar="NAME", help="Where it was asked for: slack, telegram, system …"),
        click.option("--stage", metavar="NAME", help="Of a loop: plan, test, implement, review …"),
        click.option("--project", metavar="NAME", help="Which project it is about."),
        click.option("--loop-id", metavar="ID", help="Of the loop that the agent runs in."),
        click.option("--story-id", metavar="ID", help="Of the story that it works on."),
        click.option("--run-id", metavar="ID", help="Of the run."),
        click.option("--stdin", is_flag=True, help="Read the request as JSON from stdin; see docs/how-to/turns.md."),
    ]

    def command(ctx: Invocation, stdin: bool, text: str | None, **given: Any) -> int:
        with closing(ctx.app()) as app:
            if stdin:
                return _answer(ctx, *_write(app, _from_stdin(text, given)))
            return _answer(ctx, *_write(app, _request(ctx, app, text, given)))

    for option in reversed(options):
        command = option(command)
    return define(
        "note",
        help="Write down what a turn brought: a note that can be found again, or the reason why there is none. Secrets "
        "and personal data are taken out first. The same turn said twice is one note.",
        examples=(
            (f'{called} "The importer needs UTF-8; latin-1 files lose rows silently."', "a note"),
            (f'{called} --keep "Prices are integers, in cents."', "as a page, once a person has merged it"),
            (f"{called} --skip-reason no-new-information --session s1 --turn 4", "why there is none"),
        ),
    )(command)


# --- what was asked -------------------------------------------------------------------------------------------------


def _request(ctx: Invocation, app: "App", text: str | None, given: dict[str, Any]) -> "TurnRequest":
    from cairn.capture.turn_request import note_request

    if text is not None and given["summary"] is not None:
        raise UsageError("the note's words were given twice; leave --summary out")
    asked = {**given, "summary": text if text is not None else given["summary"]}
    if asked["kind"] and not asked["keep"]:
        raise UsageError("--kind is the kind of the page that --keep proposes; give both")
    declared = app.settings.texts("capture.skip_reasons")
    asked |= _of_the_host(ctx, app, asked)
    return note_request(asked, env=ctx.env, typed=ctx.stdin_tty, declared=declared)


def _of_the_host(ctx: Invocation, app: "App", asked: dict[str, Any]) -> dict[str, Any]:
    """In a shell that an agent opened, a note belongs to the turn that is under way there, unless it says otherwise."""
    from cairn.capture.note import id_for_note
    from cairn.core.agent_host import host_around, host_turn

    host = host_around(ctx.env)
    if host is None or any(asked.get(name) is not None for name in ("turn_id", "turn", "session", "source", "agent")):
        return {}
    opened = host_turn(app, host=host)
    return {"session": opened.session, "turn_id": id_for_note(app, opened.turn)} if opened else {}


def _from_stdin(text: str | None, given: dict[str, Any]) -> "TurnRequest":
    import json

    from cairn.capture.turn_request import read_turn

    if text is not None or any(value not in (None, (), False) for value in given.values()):
        raise UsageError("with --stdin everything is in the JSON; leave the other options out")
    data = sys.stdin.buffer.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise UsageError("what came on standard input is more than a megabyte; that is no note")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise UsageError("what came on standard input is not JSON; docs/how-to/turns.md shows the form") from None
    return read_turn(value)


def _write(app: "App", request: "TurnRequest") -> "tuple[TurnRequest, TurnResult, tuple[str, ...]]":
    from cairn.capture.note import write_turn

    return request, write_turn(app, request), app.settings.texts("capture.skip_reasons")


# --- what became of it ----------------------------------------------------------------------------------------------


def _answer(ctx: Invocation, request: "TurnRequest", written: "TurnResult", declared: tuple[str, ...]) -> int:
    if written.outcome == "failed":
        from cairn.capture.turn_request import failure_sentence

        raise UsageError(failure_sentence(request, written.result, declared), turn_id=written.turn_id)
    if ctx.json:
        ctx.out.emit_json(written_json(written))
    else:
        ctx.out.data(safe(_sentence(written)))
    return 0


def _sentence(written: "TurnResult") -> str:
    from cairn.capture.note import SWITCHED_OFF

    if written.outcome == "skipped":
        if written.result == SWITCHED_OFF:
            return "no note: CAIRN_OFF is set, so nothing is written down"
        said = f"; {written.duplicate_of} said so before, and counts it" if written.duplicate_of else ""
        return f"no note: {written.result}{said}"
    words = {"inserted": "noted", "updated": "noted anew", "unchanged": "noted already, nothing changed"}
    low = ", little; `cairn turns list --low` shows it" if written.low else ""
    score = f" (score {written.score}{low})" if written.score is not None and written.result == "inserted" else ""
    return f"{words[written.result]}: {written.note}{score}"


def written_json(written: "TurnResult") -> dict[str, Any]:
    return {
        "turnId": written.turn_id,
        "outcome": written.outcome.value,
        "result": written.result,
        "note": written.note,
        "duplicateOf": written.duplicate_of,
        "score": written.score,
    }


command = note_command("cairn note")
