"""`cairn agent`: puts hooks into the settings of agent hosts, takes them out again, and tries them."""

from collections.abc import Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING

import click

from cairn.cli.define import define, define_group
from cairn.cli.diff import diff_lines, print_diff
from cairn.cli.invocation import Invocation, confirmed
from cairn.cli.output import safe
from cairn.core.model.session import HOSTS, Host
from cairn.errors import CairnError, NotFound, Refused

if TYPE_CHECKING:
    from cairn.agents.install import InstallPlan
    from cairn.app.build import App

_which = click.option(
    "--agent",
    "agents",
    multiple=True,
    type=click.Choice(HOSTS),
    help="Choose a host. Default: all used here.",
)
_yes = click.option("--yes", is_flag=True, help="Skip the question.")
_dry_run = click.option("-n", "--dry-run", is_flag=True, help="Show what would change, and change nothing.")


@define(
    "install",
    help="Write hooks into the settings of agent hosts, so that every turn leaves a trace, and the entry that "
    "lets them search and read knowledge over MCP; with --skills also three skills and a command for them. Shows "
    "what changes first; what others wrote stays as it is, and a file that was there has a backup in .cairn/backups.",
    examples=(
        ("cairn agent install", "for the hosts that are used here"),
        ("cairn agent install --agent claude --yes", "for Claude Code, without asking"),
        ("cairn agent install --skills --dry-run", "only show what would change"),
    ),
    exits=(0, 1, 2, 5),
)
@_which
@click.option("--mcp/--no-mcp", default=True, help="Write the entry for `cairn mcp`, or don't.")
@click.option("--add-mcp", is_flag=True, help="Install the MCP library if it is missing.")
@click.option("--skills", is_flag=True, help="Write skills and a command for agents, too.")
@_yes
@_dry_run
def install_command(
    ctx: Invocation, agents: tuple[Host, ...], mcp: bool, add_mcp: bool, skills: bool, yes: bool, dry_run: bool
) -> int:
    from cairn.agents.hosts import AGENTS
    from cairn.agents.install import InstallOptions, each_once, found_hosts, plan_install, program_for

    root = ctx.root()
    wanted = agents or tuple(found_hosts(root))
    if not wanted:
        raise NotFound("No agent host shows here; name one with --agent claude, codex, cursor or opencode.")
    program = program_for(ctx.env)
    extras = InstallOptions(mcp, skills, library=not mcp or _has_library(ctx, add=add_mcp, dry_run=dry_run))
    plans = each_once([plan_install(root, AGENTS[name], program, extras) for name in dict.fromkeys(wanted)])
    done = _carried_out(ctx, plans, "agent_installed", "Write this?", yes=yes, dry_run=dry_run)
    if done:
        with closing(ctx.app()) as app:
            _make_first_briefing(app)
    if not ctx.json:
        _tell_install(ctx, plans, done)
    return 0


def _make_first_briefing(app: "App") -> None:
    """So that already the first session is told something; the detached step goes on with it."""
    from cairn.curate.pending_candidates import nudge_of
    from cairn.retrieve.briefing import refresh

    with suppress(CairnError, OSError):
        refresh(app, lambda: nudge_of(app), at_once=True)


def _has_library(ctx: Invocation, *, add: bool, dry_run: bool) -> bool:
    """Offers to add the library before anything is written: an entry that cannot be served would be of no use."""
    import shlex

    from cairn.agents.mcp_entry import add_library, adding, has_library

    if has_library():
        return True
    command = shlex.join(adding())
    ctx.out.say(f"Agents get tools over MCP, which needs a library that is not here: {safe(command)}")
    if dry_run or not (add or confirmed(ctx, "Add it now?", yes=False)):
        return False
    with closing(ctx.app()) as app:
        problem = add_library(ctx.env, str(ctx.root()), app.run_shell)
    if problem:
        ctx.out.warn(f"it could not be added: {safe(problem)}")
    return not problem


def _tell_install(ctx: Invocation, plans: "Sequence[InstallPlan]", done: bool) -> None:
    for plan in plans:
        if not plan.changes:
            ctx.out.data(f"{plan.agent.title}: everything is in place already")
        elif done:
            written = ", ".join(change.path for change in plan.changes if change.after is not None)
            ctx.out.data(f"{plan.agent.title}: written to {safe(written)}")
        for note in plan.notes:
            ctx.out.say(safe(note))
    if done:
        ctx.out.say("next: `cairn agent doctor` tries each of them")


@define(
    "uninstall",
    help="Remove Cairn's hooks, MCP entries and skills from the project. A file that nobody else has changed "
    "meanwhile is as it was before.",
    examples=(
        ("cairn agent uninstall", "from every host"),
        ("cairn agent uninstall --agent cursor --dry-run", "only show what would change"),
    ),
    exits=(0, 1, 2),
)
@_which
@_yes
@_dry_run
def uninstall_command(ctx: Invocation, agents: tuple[Host, ...], yes: bool, dry_run: bool) -> int:
    from cairn.agents.hosts import AGENTS
    from cairn.agents.install import each_once, plan_uninstall

    root, shared = ctx.root(), not agents
    plans = each_once([plan_uninstall(root, AGENTS[name], shared=shared) for name in dict.fromkeys(agents or HOSTS)])
    notes = [note for plan in plans for note in plan.notes]
    plans = [plan for plan in plans if plan.changes]
    done = _carried_out(ctx, plans, "agent_uninstalled", "Change this?", yes=yes, dry_run=dry_run)
    if not ctx.json:
        if not plans:
            ctx.out.data("nothing of ours is installed here")
        for plan in plans if done else ():
            ctx.out.data(f"{plan.agent.title}: taken out of {safe(', '.join(c.path for c in plan.changes))}")
    for note in notes:
        ctx.out.warn(safe(note))
    return 0


def _carried_out(
    ctx: Invocation, plans: "Sequence[InstallPlan]", event: str, question: str, *, yes: bool, dry_run: bool
) -> bool:
    """Shows the difference, asks, writes, records; whether anything was written."""
    from cairn.agents.install import carry_out_plans

    changes = [change for plan in plans for change in plan.changes]
    if not ctx.json:
        for change in changes:
            print_diff(ctx.out, diff_lines(change.path, change.before or "", change.after or ""))
            if change.backup is not None:
                ctx.out.say(f"{safe(change.path)} as it is now goes to {safe(change.backup_path)}")
    if changes and not dry_run:
        if not confirmed(ctx, question, yes=yes):
            raise Refused("Nothing was written; say --yes to go ahead.")
        with closing(ctx.app()) as app:
            carry_out_plans(app, plans, event)
    done = bool(changes) and not dry_run
    if ctx.json:
        ctx.out.emit_json({"written": done, "agents": [plan.json() for plan in plans]})
    return done


@define(
    "list",
    help="List agent hosts: which are used here, and which have hooks or an MCP entry of Cairn's.",
    examples=(
        ("cairn agent list", "who calls Cairn here"),
        ("cairn agent list --json", "with the events of each file"),
    ),
)
def list_command(ctx: Invocation) -> int:
    from cairn.agents.doctor import host_rows

    rows = host_rows(ctx.root())
    if ctx.json:
        ctx.out.emit_json({"agents": rows})
        return 0
    for row in rows:
        here = "used here" if row["found"] else "not seen here"
        where = ", ".join(f"{len(file['events'])} hooks in {file['path']}" for file in row["files"]) or "no hooks"
        where += f", MCP in {row['mcp']}" if row["mcp"] else ""
        where = row["problem"] or where
        ctx.out.data(f"{row['agent']:<9} {row['title']:<12} {here:<14} {safe(where)}")
    return 0


@define(
    "doctor",
    help="Run every installed hook on a sample turn in a scratch folder: does it end well, "
    "answer as the host expects, record what it should, and how long does it take? Also shows what stands in the way, "
    "whether real turns of the last days came with their words and tools, and the last mishaps. Ends with 1 when "
    "something does not work.",
    examples=(
        ("cairn agent doctor", "after installing, or when turns are missing"),
        ("cairn agent doctor --agent codex --json", "for a program"),
    ),
    exits=(0, 1, 2),
)
@_which
def doctor_command(ctx: Invocation, agents: tuple[Host, ...]) -> int:
    from cairn.agents.doctor import examine_hosts
    from cairn.agents.hosts import AGENTS
    from cairn.agents.try_hooks import read_log

    root = ctx.root()
    chosen = [AGENTS[name] for name in dict.fromkeys(agents or HOSTS)]
    with closing(ctx.app()) as app:
        examined = examine_hosts(root, chosen, env=ctx.env, settings=app.settings, ports=app)
    tried, found = examined
    bad, mishaps = not examined.ok, read_log(root)
    if ctx.json:
        rows = [{"check": f.check, "state": str(f.state), "message": f.message} for f in found]
        hooks = [one.json() for one in tried]
        ctx.out.emit_json({"ok": not bad, "hooks": hooks, "findings": rows, "mishaps": mishaps})
        return int(bad)
    if not tried and not bad:
        ctx.out.data("no hooks of ours are installed here; `cairn agent install` writes them")
    for one in tried:
        mark = ctx.out.style("ok   ", "green") if one.ok else ctx.out.style("error", "red")
        ctx.out.data(f"{mark}  {one.agent.name:<9} {one.hook.event:<24} {one.milliseconds:>5} ms  {one.hook.command}")
        for problem in one.problems:
            ctx.out.data(f"       {safe(problem)}")
    for finding in found:
        ctx.out.data(f"{finding.state:<5}  {finding.check:<9} {safe(finding.message)}")
    for mishap in mishaps:
        ctx.out.data(f"log    {mishap['ts']}  {safe(mishap['hook'])}: {safe(mishap['error'])}")
    return int(bad)


command = define_group(
    "agent",
    [install_command, uninstall_command, list_command, doctor_command],
    help="Let agents call Cairn: hooks, MCP and skills for Claude Code, Codex, Cursor and OpenCode.",
    examples=(
        ("cairn agent install", "write the hooks"),
        ("cairn agent doctor", "try them"),
    ),
    exits=(0, 1, 2, 5),
)
