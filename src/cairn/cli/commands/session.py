"""`cairn session`: keep what was said in sessions of agents, and look at it."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.commands.session_propose import propose_command, retry_command
from cairn.cli.commands.session_prune import prune_command
from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe, write_all
from cairn.cli.paging import say_more
from cairn.core.isolate import item
from cairn.core.model.session import HOSTS
from cairn.errors import NotFound, UsageError
from cairn.journal import iso_utc

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.capture.capture_session import CaptureResult
    from cairn.core.model.session import Host
    from cairn.core.session_log import KeptSession

STATES = ("pending", "done", "failed", "skipped")
host_option = click.option("--host", type=click.Choice(HOSTS), help="Only sessions of this agent host.")


@define(
    "capture",
    help="Add what is new in transcripts to the logs of their sessions: what people and agents said, without secrets "
    "and personal data, without `<private>…</private>`, without what tools printed. Without --transcript, those of "
    "this project are looked up in the folders that agent hosts keep in your home directory. Ends with 1 when "
    "something could not be scrubbed; nothing of that session is kept then.",
    examples=(
        ("cairn session capture --latest", "the session that was last added to"),
        ("cairn session capture", "all sessions of this project"),
        ("cairn session capture --transcript rollout.jsonl --host codex", "a file, of this host"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@click.option("--transcript", metavar="FILE", help="This one, wherever it is.")
@host_option
@click.option("--session", metavar="ID", help="Only this session; with --transcript: what it is called.")
@click.option("--latest", is_flag=True, help="Only the one that was last added to.")
def capture_command(
    ctx: Invocation, transcript: str | None, host: "Host | None", session: str | None, latest: bool
) -> int:
    from cairn.capture.capture_session import capture_session, captured_value
    from cairn.capture.retention import sweep_sessions

    if transcript and latest:
        raise UsageError("--transcript names one transcript and --latest looks for one; give only one of them.")
    captured: list[CaptureResult] = []
    with closing(ctx.app()) as app:
        for found_host, id, path in _meant(ctx, app, transcript, host, session, latest=latest):
            with item(str(path)):
                captured.append(capture_session(app, found_host, id, path, "manual"))
                if not ctx.json:
                    _tell(ctx, captured[-1])
        gone = sweep_sessions(app)
    if ctx.json:
        ctx.out.emit_json({"captured": [captured_value(one) for one in captured], "removed": gone})
    elif gone:
        ctx.out.say(f"took away {len(gone)} old {'log' if len(gone) == 1 else 'logs'}, as `capture.session_days` says")
    return int(any(one.status == "blocked" for one in captured))


def _meant(
    ctx: Invocation, app: "App", transcript: str | None, host: "Host | None", session: str | None, *, latest: bool
) -> list[tuple["Host", str, Path]]:
    from cairn.capture.transcript_owner import recognised

    if transcript is not None:
        path = ctx.directory / transcript
        named = recognised(app.transcripts, path, host, session)
        return [(named.host, named.session, path)]
    found = app.transcripts.find((host,) if host else HOSTS)
    wanted = [one for one in found if session in (None, one.session)][: 1 if latest else None]
    if not wanted:
        whose = f" `{session}`" if session else "" if host is None else f" of {host}"
        raise NotFound(f"No transcript of a session{whose} in this project was found; name one with --transcript FILE.")
    return [(one.host, one.session, Path(one.path)) for one in wanted]


_TOO_SHORT = "too short to learn from"
_WORDS = {
    "created": "kept",
    "grown": "added to",
    "rewritten": "added to",
    "unchanged": "nothing new for",
    "no-content": "nothing was said in",
    "blocked": "kept nothing of",
    "forgotten": "kept nothing of",
}


def _tell(ctx: Invocation, captured: "CaptureResult") -> None:
    """Two lines at most for each: what happened, and what a person should know about it."""
    whose = safe(f"{captured.host} {captured.session}")
    messages = "1 message" if captured.segments == 1 else f"{captured.segments:,} messages"
    what = f"{messages}, {captured.chars:,} characters" if captured.segments else ""
    removed = sum(captured.redactions.values())
    parts = [what, f"{removed:,} redacted" if removed else "", _TOO_SHORT if captured.cursory else ""]
    told = ", ".join(part for part in parts if part)
    ctx.out.data(f"{_WORDS[captured.status]} {whose}{f': {told}' if told else ''}")
    for remark in captured.remarks:
        ctx.out.warn(f"{whose}: {safe(remark)}")


@define(
    "list",
    help="List the logs of sessions, newest first.",
    examples=(
        ("cairn session list", "all of them"),
        ("cairn session list --status pending", "those that wait to be read"),
        ("cairn session list --host codex --limit 5", "of one agent host"),
    ),
)
@click.option("--status", type=click.Choice(STATES), help="Only with this state of proposals.")
@host_option
@click.option("--limit", type=click.IntRange(min=0), default=50, metavar="N", help="At most so many (50).")
@click.option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Pass over so many.")
def list_command(ctx: Invocation, status: str | None, host: "Host | None", limit: int, offset: int) -> int:
    from cairn.core.session_log import list_sessions

    with closing(ctx.app()) as app:
        now = iso_utc(app.clock.now_ms())
        page = list_sessions(app.session_logs(), status=status, host=host, limit=limit, offset=offset)
    shown, more = page.sessions, max(0, page.total - offset - len(page.sessions))
    if ctx.json:
        ctx.out.emit_json({"sessions": [_value(one) for one in shown], "total": page.total, "more": more})
        return 0
    header = ("session", "host", "last added", "status", "turns", "chars", "why")
    ctx.out.table([_row(one, now) for one in shown], header=header)
    if not page.total:
        ctx.out.say("there is none" if page.kept else "there is none yet; `cairn session capture` makes them")
    elif len(shown) < page.total:
        ctx.out.say(f"{len(shown):,} of {page.total:,} sessions")
        say_more(ctx, more, offset + len(shown))
    return 0


def _row(one: "KeptSession", now: str) -> list[str]:
    log = one.log
    at = (log.updated_at or log.captured_at)[:16].replace("T", " ")
    turns, chars = (f"{log.user_turns:,}", f"{log.transcript_chars:,}") if log.transcript_bytes else ("", "")
    return [safe(log.session_id), log.host or "", safe(at), log.proposal_status, turns, chars, safe(_why(one, now))]


def _why(one: "KeptSession", now: str) -> str:
    """Why nothing was proposed from a session, and when that is tried again."""
    log = one.log
    if log.proposal_status != "failed":
        short = log.proposal_error == "cursory_session"
        return "" if log.proposal_status != "skipped" else _TOO_SHORT if short else log.proposal_error or ""
    often = "once" if log.proposal_attempts <= 1 else f"{log.proposal_attempts} times"
    again = _next_try(one)
    by = f"`cairn session {'propose' if again else 'retry'} --with NAME`"
    when = f"again after {again[:16].replace('T', ' ')}" if again and again > now else f"{by} tries again"
    return f"{often}, {when}: {log.proposal_error or 'nobody wrote down why'}"


def _next_try(one: "KeptSession") -> str | None:
    from cairn.curate.session_candidates import next_try_ms

    at = next_try_ms(one.log)
    return None if at is None else iso_utc(at)


def _value(one: "KeptSession") -> dict[str, Any]:
    log = one.log
    return {
        "session": log.session_id,
        "host": log.host,
        "log": one.path,
        "capturedAt": log.captured_at,
        "updatedAt": log.updated_at,
        "capturedBy": log.captured_by,
        "status": log.proposal_status,
        "error": log.proposal_error,
        "attempts": log.proposal_attempts,
        "triedAt": log.proposal_tried_at,
        "nextTryAt": _next_try(one),
        "proposalLog": log.proposal_log,
        "secretScan": log.secret_scan_status,
        "redactions": log.redactions,
        "hash": log.transcript_hash,
        "userTurns": log.user_turns,
        "chars": log.transcript_chars,
        "parts": log.parts,
        "readThrough": log.read_through,
        "curatedThrough": log.curated_through,
        "cuesThrough": log.cues_through,
        "curatedAt": log.curator_processed_at,
        "topics": list(log.topics),
    }


@define(
    "show",
    help="Print what was said in a session, as its log keeps it.",
    examples=(
        ("cairn session show 5f1c", "by the beginning of its id"),
        ("cairn session show 5f1c --raw", "the log as it is, with its head"),
        ("cairn session show 5f1c --json", "everything that is known of it, and the text"),
    ),
    exits=(0, 2, 5),
)
@argument("id", help="Of the session; its beginning will do.")
@click.option("--raw", is_flag=True, help="The file itself, byte for byte.")
def show_command(ctx: Invocation, id: str, raw: bool) -> int:
    from cairn.core.session_log import session_named, text_of

    with closing(ctx.app()) as app:
        logs = app.session_logs()
        kept, now = session_named(logs, id), iso_utc(app.clock.now_ms())
        text = text_of(logs, kept.name)
        whole = logs.read(kept.name, 0, logs.size(kept.name)).decode("utf-8", "replace") if raw else ""
    if ctx.json:
        ctx.out.emit_json({"session": _value(kept), "text": whole if raw else text})
    elif raw and not ctx.stdout_tty:
        write_all(ctx.out.stdout, whole)
    else:
        ctx.out.data("\n".join(map(safe, (whole if raw else text).split("\n"))))
    if not (ctx.json or raw):
        _tell_proposals(ctx, kept, now)
    return 0


def _tell_proposals(ctx: Invocation, kept: "KeptSession", now: str) -> None:
    """Beside what was said: what came of it."""
    log, why = kept.log, _why(kept, now)
    ctx.out.say(safe(f"proposals: {log.proposal_status}{f' ({why})' if why else ''}"))
    if log.topics:
        ctx.out.say(safe(f"topics: {', '.join(log.topics)}"))
    if log.proposal_log:
        ctx.out.say(safe(f"what the model answered: {log.proposal_log}"))


command = define_group(
    "session",
    [capture_command, list_command, show_command, propose_command, retry_command, prune_command("session")],
    help="Keep what was said in sessions of agents, and look at it.",
    examples=(
        ("cairn session capture --latest", "keep the last one"),
        ("cairn session list", "which are kept"),
        ("cairn session show 5f1c", "what was said"),
    ),
    exits=(0, 1, 2, 3, 5),
)
