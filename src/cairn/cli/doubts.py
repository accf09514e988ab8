"""Sentences in doubt, as `cairn check --diff` shows them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from cairn.cli.invocation import Invocation
from cairn.cli.issues import print_issues
from cairn.cli.output import reader_may_leave, safe
from cairn.graph.findings.visible import not_read
from cairn.version import __version__

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.core.model.issue import Issue
    from cairn.freshness.ask_diff import JudgedMentions
    from cairn.freshness.diff.doubt import StaleSentence
    from cairn.freshness.diff.survey import SurveyResult


def show_survey(ctx: Invocation, app: "App", found: "SurveyResult", given: dict[str, Any]) -> int:
    """1 when a sentence is in doubt, so that a hook can hold a commit back."""
    with reader_may_leave():
        _show(ctx, app, found, given)
    return 1 if found.doubts and given["fail_on"] != "never" else 0


def show_judged(ctx: Invocation, app: "App", judged: "JudgedMentions", given: dict[str, Any]) -> int:
    """The same with what readers answered; questions that wait and those that were not asked are one line each."""
    from cairn.jobs.spent import is_stopped

    found = judged.survey
    with reader_may_leave():
        if ctx.json:
            ctx.out.emit_json({**survey_json(found), "judged": _judged_json(judged)})
        else:
            _show(ctx, app, found, given)
            _tell_judged(ctx, app, judged, named=given["reader"] is not None)
    if is_stopped(judged.spent):
        return 1
    return 1 if found.doubts and given["fail_on"] != "never" else 0


def _judged_json(judged: "JudgedMentions") -> dict[str, Any]:
    from cairn.jobs.spent import spent_value

    counts = {name: getattr(judged, name) for name in ("false", "holds", "undecided", "failed", "waiting", "left")}
    return {**counts, "spent": spent_value(judged.spent)}


def _tell_judged(ctx: Invocation, app: "App", judged: "JudgedMentions", *, named: bool) -> None:
    from cairn.cli.judging import tell_read
    from cairn.freshness.questions.still_holds.question import QUESTION

    parts = (
        (judged.false, "false"),
        (judged.holds, "still right"),
        (judged.undecided, "undecided"),
        (judged.failed, "without an answer"),
    )
    if said := [f"{number:,} {words}" for number, words in parts if number]:
        ctx.out.say(f"sentences about changed code, as readers answered: {', '.join(said)}")
    tell_read(ctx, judged.spent, named=named)
    if waiting := app.waiting_line([QUESTION.id]):
        ctx.out.say(waiting)
    if judged.left:
        ctx.out.say(f"{_number(judged.left, 'more sentence')} not asked about; the next run asks about the next ones")


def _show(ctx: Invocation, app: "App", found: "SurveyResult", given: dict[str, Any]) -> None:
    if given["as_sarif"] or given["as_github"]:
        _for_machines(ctx, app, found, sarif_wanted=given["as_sarif"])
    elif ctx.json:
        ctx.out.emit_json(survey_json(found))
    else:
        _for_people(ctx, found)


def _for_machines(ctx: Invocation, app: "App", found: "SurveyResult", *, sarif_wanted: bool) -> None:
    from cairn.graph.findings.visible import rule_texts
    from cairn.graph.sarif import github, sarif

    issues, unread = _issues(found.doubts), not_read(found.unread)
    if sarif_wanted:
        left = [unread] if unread else []
        ctx.out.emit_json(sarif(issues, rule_texts(app.registry), __version__, left=left))
        return
    for line in github(issues):
        ctx.out.data(line)
    if unread:
        ctx.out.say(safe(unread))


def survey_json(found: "SurveyResult") -> dict[str, Any]:
    unread = not_read(found.unread)
    return {
        "doubts": [_doubt_json(doubt) for doubt in found.doubts],
        "mentions": [_doubt_json(doubt) for doubt in found.mentions],
        "counts": {
            "doubts": len(found.doubts),
            "sentences": len(_sentences(found)),
            "certain": sum(doubt.certain for doubt in found.doubts),
            "documents": len({doubt.document for doubt in found.doubts}),
            "changedFiles": found.changed,
            "causes": len({doubt.cause for doubt in found.doubts}),
        },
        "notes": [],
        "unread": [unread] if unread else [],
    }


def _doubt_json(doubt: "StaleSentence") -> dict[str, Any]:
    return {
        "document": doubt.document,
        "line": doubt.line,
        "sentence": " ".join(doubt.sentence.split()),
        "name": doubt.written,
        "reason": str(doubt.reason),
        "message": doubt.message,
        "certain": doubt.certain,
        "code": {"path": doubt.path, "line": doubt.code_line},
        "before": doubt.old or None,
        "after": doubt.new or None,
        "cause": doubt.cause,
        "fix": doubt.fix,
    }


def _issues(doubts: Iterable["StaleSentence"]) -> list["Issue"]:
    from cairn.freshness.diff.doubt import as_issues

    return as_issues(doubts)


def _for_people(ctx: Invocation, found: "SurveyResult") -> None:
    print_issues(ctx.out, _issues((*found.doubts, *(found.mentions if ctx.verbosity else ()))))
    if unread := not_read(found.unread):
        ctx.out.data(unread)
    ctx.out.data(_tally(found, notes=bool(ctx.verbosity)))


def _sentences(found: "SurveyResult") -> set[tuple[str, int]]:
    """Lines in doubt. One may state several things that are false."""
    return {(doubt.document, doubt.line) for doubt in found.doubts}


def _tally(found: "SurveyResult", *, notes: bool) -> str:
    files = _number(found.changed, "changed file")
    shown = f", {_number(len(found.mentions), 'note')}" if notes and found.mentions else ""
    if not found.doubts:
        return f"No sentence in doubt{shown} ({files})"
    documents = _number(len({doubt.document for doubt in found.doubts}), "document")
    return f"{_number(len(_sentences(found)), 'sentence')} of {documents} in doubt{shown} ({files})"


def _number(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
