"""Sentences in doubt, as `cairn check --diff` shows them."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import cairn
from cairn.app.workspace.unread import unread
from cairn.cli.invocation import Invocation
from cairn.cli.output import reader_may_leave
from cairn.cli.width import safe

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.freshness.doubt import Doubt
    from cairn.freshness.survey import Survey


def show_survey(ctx: Invocation, app: "App", found: "Survey", given: dict[str, Any]) -> int:
    """1 when a sentence is in doubt, so that a hook can hold a commit back."""
    for note in found.notes:
        ctx.out.warn(safe(note))
    with reader_may_leave():
        _show(ctx, app, found, given)
    return 1 if found.doubts and given["fail_on"] != "never" else 0


def _show(ctx: Invocation, app: "App", found: "Survey", given: dict[str, Any]) -> None:
    if given["as_sarif"] or given["as_github"]:
        _for_machines(ctx, app, found, sarif_wanted=given["as_sarif"])
    elif ctx.json:
        ctx.out.emit_json(survey_json(found, unread(app)))
    else:
        _for_people(ctx, app, found)


def _for_machines(ctx: Invocation, app: "App", found: "Survey", *, sarif_wanted: bool) -> None:
    from cairn.freshness.survey import as_issue
    from cairn.workspace.annotations import github, sarif
    from cairn.workspace.findings import rule_texts

    issues = [as_issue(doubt) for doubt in found.doubts]
    if sarif_wanted:
        left = [*found.notes, *unread(app)]
        ctx.out.emit_json(sarif(issues, rule_texts(app.registry), cairn.__version__, left=left))
        return
    for line in github(issues):
        ctx.out.data(line)
    for sentence in unread(app):
        ctx.out.say(safe(sentence))


def survey_json(found: "Survey", unread: Sequence[str]) -> dict[str, Any]:
    return {
        "doubts": [_doubt_json(doubt) for doubt in found.doubts],
        "counts": {
            "doubts": len(found.doubts),
            "certain": sum(doubt.certain for doubt in found.doubts),
            "documents": len({doubt.document for doubt in found.doubts}),
            "changedFiles": found.changed,
        },
        "notes": list(found.notes),
        "unread": list(unread),
    }


def _doubt_json(doubt: "Doubt") -> dict[str, Any]:
    return {
        "document": doubt.document,
        "line": doubt.line,
        "sentence": doubt.sentence,
        "name": doubt.written,
        "reason": str(doubt.reason),
        "message": doubt.message,
        "certain": doubt.certain,
        "code": {"path": doubt.path, "line": doubt.code_line},
        "before": doubt.old or None,
        "after": doubt.new or None,
    }


def _for_people(ctx: Invocation, app: "App", found: "Survey") -> None:
    for document, group in groupby(found.doubts, key=lambda doubt: doubt.document):
        ctx.out.data(ctx.out.style(safe(document), "bold"))
        for (line, sentence), same in groupby(group, key=lambda doubt: (doubt.line, doubt.sentence)):
            _print_sentence(ctx, line, sentence, list(same))
        ctx.out.data("")
    for line in unread(app):
        ctx.out.data(line)
    ctx.out.data(_tally(found))


def _print_sentence(ctx: Invocation, line: int, sentence: str, found: Sequence["Doubt"]) -> None:
    ctx.out.data(f"{line:>5}  {safe(_shortened(sentence))}")
    for doubt in found:
        color = "red" if doubt.certain else "yellow"
        place = f"  {ctx.out.style(f'{doubt.path}:{doubt.code_line}', 'dim')}" if doubt.code_line else ""
        ctx.out.data(f"       {ctx.out.style(str(doubt.reason), color)}  {safe(doubt.message)}{place}")


def _shortened(sentence: str, most: int = 240) -> str:
    return sentence if len(sentence) <= most else sentence[: most - 1].rstrip() + "…"


def _tally(found: "Survey") -> str:
    files = f"{found.changed:,} changed file{'' if found.changed == 1 else 's'}"
    if not found.doubts:
        return f"{files}; nothing that a document says is in doubt"
    number = len({(doubt.document, doubt.line, doubt.sentence) for doubt in found.doubts})
    documents = len({doubt.document for doubt in found.doubts})
    return (
        f"{files}; {number:,} sentence{'' if number == 1 else 's'} of {documents:,} "
        f"document{'' if documents == 1 else 's'} in doubt"
    )
