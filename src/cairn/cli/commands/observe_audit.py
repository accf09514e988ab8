"""`cairn observe audit`: look at documents and knowledge as a whole, and say what does not fit together."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.arguments import budget_option
from cairn.cli.define import define
from cairn.cli.findings import print_audit
from cairn.cli.invocation import Invocation
from cairn.cli.judging import model_option, reading_now, tell_read, with_option
from cairn.cli.output import safe, write_all
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.observe.ask_contradictions import Contradictions
    from cairn.observe.audit import AuditRequest
    from cairn.observe.audit_result import Audit
    from cairn.observe.fix_findings import FixRun

_REVIEW = ("review-findings", "mmr-findings")
_FRAGMENT = ("dashboard-fragment", "dashboard-fragment-audit")


@define(
    "audit",
    help="Look at documents and knowledge as a whole through lenses: H-cross-doc finds marks and ids that name no "
    "document, links to superseded pages, and passages that disagree, as readers answered: with --with they answer "
    "now, otherwise the questions wait for `cairn judge` or your agent, at most 50 from one run; "
    "I-knowledge-gaps finds topics that were missed again and again. Writes a "
    "report, records each finding by its id, and exits with 1 when an open one is as severe as --fix-threshold.",
    examples=(
        ("cairn observe audit", "everything, quickly"),
        ("cairn observe audit --with claude --budget 100k", "have readers compare passages now"),
        ("cairn observe audit --fix --fix-command 'claude -p'", "let your agent mend what stands in the way"),
    ),
    exits=(0, 1, 2, 5),
)
@click.option("--profile", type=click.Choice(["fast", "full"]), default="fast", help="How thoroughly; fast without it.")
@click.option("--scope", type=click.Choice(["docs", "code", "all"]), default="all", help="Lenses of this scope.")
@click.option("--lens", "lenses", multiple=True, metavar="ID", help="Only this lens; repeat it. Overrides --scope.")
@click.option("--fix-threshold", type=click.Choice(["P0", "P1", "P2", "P3"]), help="What stands in the way, or graver.")
@click.option("--output", metavar="DIR", help="Folder for the report; without it `observe.reports`.")
@click.option("--mask-paths", is_flag=True, help="Names in place of paths, in all that is shown and written.")
@click.option("--show-acknowledged", is_flag=True, help="List what was acknowledged, too.")
@click.option("--render", type=click.Choice(_FRAGMENT), metavar="dashboard-fragment", help="As HTML on stdout.")
@click.option("--output-mode", type=click.Choice(_REVIEW), metavar="review-findings", help="As a list for reviewers.")
@click.option("--sarif", metavar="FILE", help="Also as SARIF 2.1.0; - is stdout.")
@click.option("--github", "as_github", is_flag=True, help="As annotations in GitHub's log.")
@click.option("--knowledge-root", metavar="DIR", help="Where the entries are that answer gaps.")
@click.option("--fix", "mending", is_flag=True, help="Let a program of yours mend what stands in the way.")
@click.option("--fix-command", metavar="COMMAND", help="The program; gets one finding on its standard input.")
@with_option
@model_option
@budget_option
def command(ctx: Invocation, **given: Any) -> int:
    from cairn.jobs.spent import is_stopped
    from cairn.observe.ask_contradictions import Contradictions
    from cairn.observe.audit import audit, without_paths

    _must_fit(ctx, given)
    flags = {"observe.fix_command": given["fix_command"]} if given["fix_command"] else {}
    with closing(ctx.app(flags)) as app:
        if given["mending"]:
            _must_be_ready(app)
        request = _request(ctx, given)
        reader = reading_now(ctx, app, given["reader"], model=given["model"], budget=given["budget"])
        compared = Contradictions(app, asks=True, reader=reader)
        done = audit(app, request, contradictions=compared)
        for run in done.runs:
            if run.state != "ran":
                ctx.out.warn(safe(f"{run.lens} did not look: {run.reason}"))
        for note in done.notes:
            ctx.out.warn(safe(note))
        _say_root(ctx, done)
        shown = without_paths(app, done) if given["mask_paths"] else done
        code = _show(ctx, app, shown, given) or int(is_stopped(compared.spent))
        _say_asked(ctx, app, compared, named=reader is not None)
        return _fix(ctx, app, done, request, given) if given["mending"] else code


def _say_asked(ctx: Invocation, app: "App", compared: "Contradictions", *, named: bool) -> None:
    from cairn.observe.questions.contradiction.question import QUESTION

    tell_read(ctx, compared.spent, named=named)
    if waiting := app.waiting_line([QUESTION.id]):
        ctx.out.say(waiting)
    if compared.left:
        pairs = "pair" if compared.left == 1 else "pairs"
        ctx.out.say(
            f"{compared.left:,} more {pairs} of passages not asked about; the next audit asks about the next ones"
        )


def _say_root(ctx: Invocation, audit: "Audit") -> None:
    if root := audit.facts.get("knowledge_root"):
        ctx.out.detail(safe(f"gaps were compared with {root['entries']:,} entries in {root['root'] or 'no place'}"))


def _must_fit(ctx: Invocation, given: dict[str, Any]) -> None:
    printed = {
        "--json": ctx.json,
        "--render": given["render"],
        "--output-mode": given["output_mode"],
        "--sarif -": given["sarif"] == "-",
        "--github": given["as_github"],
    }
    chosen = [name for name, wanted in printed.items() if wanted and not (name == "--json" and given["output_mode"])]
    if len(chosen) > 1:
        raise UsageError(f"{' and '.join(chosen)} would both be printed; choose one.")
    if given["mending"] and set(chosen) - {"--json"}:
        raise UsageError(f"{chosen[0]} shows one audit, and --fix makes two; leave one of them out.")
    if given["fix_command"] and not given["mending"]:
        raise UsageError("--fix-command says what --fix runs; add --fix.")


def _must_be_ready(app: "App") -> None:
    from cairn.observe.fix_findings import must_be_ready

    must_be_ready(app)


def _request(ctx: Invocation, given: dict[str, Any]) -> "AuditRequest":
    from cairn.observe.audit import AuditRequest

    return AuditRequest(
        profile=given["profile"],
        scope=given["scope"],
        lenses=tuple(dict.fromkeys(given["lenses"])),
        threshold=given["fix_threshold"],
        knowledge_root=str(ctx.directory / given["knowledge_root"]) if given["knowledge_root"] else None,
        args=tuple(_args(given)),
    )


def _args(given: dict[str, Any]) -> list[str]:
    """What was asked for, without paths and commands of this machine."""
    words = [f"--profile={given['profile']}", f"--scope={given['scope']}"]
    words += [f"--lens={lens}" for lens in given["lenses"]]
    words += [f"--fix-threshold={given['fix_threshold']}"] if given["fix_threshold"] else []
    return [*words, *(["--mask-paths"] if given["mask_paths"] else []), *(["--fix"] if given["mending"] else [])]


# --- showing --------------------------------------------------------------------------------------------------------


def _show(ctx: Invocation, app: "App", audit: "Audit", given: dict[str, Any]) -> int:
    if given["output_mode"]:
        from cairn.observe.audit_formats import review_findings

        ctx.out.emit_json(review_findings(audit.findings))
        return 0
    files = _written(ctx, app, audit, given)
    if given["render"]:
        from cairn.observe.audit_formats import fragment

        write_all(ctx.out.stdout, fragment(audit))
    elif given["as_github"]:
        from cairn.observe.audit_formats import github_lines

        for line in github_lines(audit.findings):
            ctx.out.data(line)
    elif ctx.json and not given["mending"]:
        from cairn.observe.report_files import sidecar

        ctx.out.emit_json({**_with_findings(sidecar(audit)), "files": files})
    elif given["sarif"] != "-" and not ctx.json:
        print_audit(ctx.out, audit, show_acknowledged=given["show_acknowledged"])
    for file in files:
        ctx.out.say(safe(f"wrote {file}"))
    return int(audit.verdict == "blocked")


def _written(ctx: Invocation, app: "App", audit: "Audit", given: dict[str, Any]) -> list[str]:
    from cairn.observe.report_files import save_report

    folder = ctx.directory / given["output"] if given["output"] else None
    files = save_report(app, audit, folder, twin=not ctx.json)
    if given["sarif"]:
        from cairn.changes.write import save
        from cairn.cli.output import json_text
        from cairn.observe.audit_formats import sarif_of

        text = json_text(sarif_of(audit.findings)) + "\n"
        if given["sarif"] == "-":
            write_all(ctx.out.stdout, text)
        else:
            save(app.root, ctx.directory / given["sarif"], text)
            files.append(given["sarif"])
    return files


# --- mending --------------------------------------------------------------------------------------------------------


def _fix(ctx: Invocation, app: "App", first: "Audit", request: "AuditRequest", given: dict[str, Any]) -> int:
    from cairn.observe.audit import without_paths
    from cairn.observe.fix_findings import fix

    fixed = fix(app, first, request, say=lambda text: ctx.out.say(safe(text)))
    last = fixed.postfix or first
    shown = without_paths(app, last) if given["mask_paths"] else last
    files = _written(ctx, app, shown, {**given, "sarif": None}) if fixed.postfix else []
    if ctx.json:
        ctx.out.emit_json({**_fixed_json(fixed), **_with_findings(_sidecar(shown)), "files": files})
    else:
        _print_fixed(ctx, fixed, shown)
    for file in files:
        ctx.out.say(safe(f"wrote {file}"))
    return int(fixed.failed or last.verdict == "blocked")


def _with_findings(report: dict[str, Any]) -> dict[str, Any]:
    """Also at the top, where the programs of seed 000 look for them."""
    return {**report, "findings": report["engine_output"]["findings"]}


def _sidecar(audit: "Audit") -> dict[str, Any]:
    from cairn.observe.report_files import sidecar

    return sidecar(audit)


def _fixed_json(fixed: "FixRun") -> dict[str, Any]:
    results = [
        {
            "id": result.finding.id,
            "lens": result.finding.lens,
            "severity": result.finding.severity,
            "title": result.finding.title,
            "outcome": result.outcome,
            "attempts": [attempt._asdict() for attempt in result.attempts],
        }
        for result in fixed.results
    ]
    attempts = [tried._asdict() for tried in fixed.command.attempts]
    return {
        "fix": {
            "commandAttempts": attempts,
            "results": results,
            "changed": list(fixed.changed),
            "committed": fixed.committed,
        }
    }


def _print_fixed(ctx: Invocation, fixed: "FixRun", last: "Audit") -> None:
    if not fixed.results:
        ctx.out.data("nothing stands in the way, so nothing was mended")
        return
    words = {"fixed": "mended", "gone": "mended with another one", "failed": "not mended"}
    for result in fixed.results:
        why = f": {result.attempts[-1].problem}" if result.outcome == "failed" else ""
        ctx.out.data(safe(f"{words[result.outcome]}  {result.finding.severity} {result.finding.title}{why}"))
    ctx.out.data(f"after that: {last.verdict}, {last.summary['blocking']} in the way")
    if fixed.committed:
        ctx.out.warn("the program made commits, although it was asked not to; look at them with `git log`")
    if fixed.changed:
        ctx.out.say(safe(f"changed, and not committed: {', '.join(fixed.changed[:10])}; look at it with `git diff`"))
