"""`cairn observe phase`: say that a phase is complete."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe

if TYPE_CHECKING:
    from cairn.app.build import App


@define(
    "complete",
    help="Record that a phase is complete. For those in `observe.phase_audit.phases` the documents are audited by "
    "H-cross-doc, quickly; what it finds holds nobody up.",
    examples=(
        ("cairn observe phase complete tech-stack", "the documents of that phase are written"),
        ("cairn observe phase complete tech-stack --json", "for a program"),
    ),
)
@argument("name", metavar="NAME", help="A name such as tech-stack.")
def complete_command(ctx: Invocation, name: str) -> int:
    from cairn.core.ledger_events import tell

    with closing(ctx.app()) as app:
        told = tell(app, "phase_completed", {"phase": name})
        audited = after_phase(ctx, app, name)
    if ctx.json:
        ctx.out.emit_json({"event": told.id, "phase": name, **audited})
    return 0


@define(
    "audit",
    help="Audit the documents of a phase by H-cross-doc, as its end does, and record no event. Waits for the result, "
    "also when `observe.phase_audit.detached` is set.",
    examples=(
        ("cairn observe phase audit tech-stack", "look at its documents again"),
        ("cairn observe phase audit tech-stack --json", "for a program"),
    ),
)
@argument("name", metavar="NAME", help="A name such as tech-stack.")
def audit_command(ctx: Invocation, name: str) -> int:
    with closing(ctx.app()) as app:
        audited = after_phase(ctx, app, name, now=True)
    if ctx.json:
        ctx.out.emit_json({"phase": name, **audited})
    return 0


def after_phase(ctx: Invocation, app: "App", phase: str, *, now: bool = False) -> dict[str, Any]:
    """Audit, say what came of it, and return that for programs."""
    from cairn.cli.findings import print_audit
    from cairn.observe.audit_phase import phase_audit

    done = phase_audit(app, phase, now=now)
    if done.audit is None:
        ctx.out.say(safe(f"no audit: {done.why}"))
        return {"audit": None, "why": done.why, "files": []}
    if not ctx.json:
        print_audit(ctx.out, done.audit, show_acknowledged=False)
    for text in (*(f"wrote {file}" for file in done.files), done.audit.notes[-1]):
        ctx.out.say(safe(text))
    audit = {"report_id": done.audit.report_id, "verdict": done.audit.verdict, "summary": done.audit.summary}
    return {"audit": audit, "why": "", "files": list(done.files)}


command = define_group(
    "phase",
    [complete_command, audit_command],
    help="Say that a phase is complete.",
    examples=(
        ("cairn observe phase complete tech-stack", "the documents of that phase are written"),
        ("cairn observe phase complete tech-stack --json", "for a program"),
    ),
    exits=(0, 2),
)
