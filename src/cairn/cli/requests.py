"""Change requests on the page: a row for each, or everything about one."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cairn.cli.invocation import Invocation
from cairn.cli.output import Output, columns, safe

if TYPE_CHECKING:
    from cairn.core.model.change import ChangeRequest, GateRuling, Level, RequestNote

ID = "Of the request; its beginning will do."
_COLORS = {"pass": "green", "note": "blue", "warn": "yellow", "block": "red"}


def emit(ctx: Invocation, request: "ChangeRequest", **more: Any) -> None:
    from cairn.changes.request_lifecycle import request_value

    ctx.out.emit_json({"request": request_value(request), **more})


def summary_row(out: Output, request: "ChangeRequest", now_ms: int) -> list[str]:
    age = _age(now_ms - request.opened_at_ms)
    level = _level(out, request.level)
    return [request.id, request.state, level, age, safe(request.subject), safe(request.title)]


def ruling_rows(out: Output, rulings: "Sequence[GateRuling]") -> list[list[str]]:
    order = sorted(rulings, key=lambda ruling: -ruling.level)
    return [[safe(ruling.gate), _level(out, ruling.level), safe(ruling.reason)] for ruling in order]


def say_gates(ctx: Invocation, request: "ChangeRequest") -> None:
    """Only what is worth a person's time."""
    for gate, level, reason in ruling_rows(ctx.out, [ruling for ruling in request.rulings if ruling.level]):
        ctx.out.say(f"  {level} {gate}: {reason}")


def page(out: Output, request: "ChangeRequest") -> str:
    return "\n".join(_lines(out, request))


def _lines(out: Output, request: "ChangeRequest") -> Iterator[str]:
    yield f"{out.style(request.id, 'bold')}  {request.state}  {safe(request.title)}"
    yield from columns([[f"  {name}", text] for name, text in _facts(request) if text])
    if request.body.strip():
        yield ""
        yield from (f"  {safe(line)}".rstrip() for line in request.body.strip().split("\n"))
    if request.rulings:
        yield from ("", "gates")
        yield from columns([["  " + gate, level, reason] for gate, level, reason in ruling_rows(out, request.rulings)])
        yield from _opinion(request.rulings)
    if request.notes:
        yield from ("", "what happened")
        yield from columns([_note(note) for note in request.notes])


def _opinion(rulings: "Sequence[GateRuling]") -> Iterator[str]:
    found = [line for ruling in rulings for line in doubt_lines(ruling)]
    if found:
        yield from ("", "the second opinion rests on", *found)


def doubt_lines(ruling: "GateRuling") -> Iterator[str]:
    """What a second opinion rests on, a few lines each; nothing for other gates."""
    for fact in ruling.evidence if ruling.gate == "review" else ():
        remarks = (str(remark) for remark in fact.get("remarks", ()))
        yield from (f"    {safe(remark)}" for remark in remarks if remark not in ruling.reason)  # said there already
        if "claim" in fact:
            yield f"    {safe(str(fact['path']))}: “{safe(str(fact['claim']))}”"
            yield f"      {safe(str(fact['why']))}"
            if fact.get("quote"):
                yield f"      {safe(str(fact['source']))}: “{safe(str(fact['quote']))}”"


def _facts(request: "ChangeRequest") -> Iterator[tuple[str, str]]:
    yield "about", safe(request.subject)
    yield "from", safe(request.origin) + (f" ({safe(request.kind)})" if request.kind else "")
    yield "follows", f"text from {_SOURCES[request.taint.word]}"
    yield "files", safe(", ".join(request.paths))
    yield "branch", safe(f"{request.branch} for {request.base_branch}")
    yield "labels", safe(", ".join(f"{label.name} (by {label.setter})" for label in request.labels))
    yield "approved", safe(", ".join(request.approved_by))
    yield "merged as", request.merged_commit or ""
    yield "takes back", request.reverts or ""
    yield "at", request.url or ""


_SOURCES = {"person": "a person", "repository": "the repository", "model": "a model", "outside": "outside"}


def _note(note: "RequestNote") -> list[str]:
    from cairn.journal import iso_utc

    at = iso_utc(note.at_ms)[:16].replace("T", " ")
    return [f"  {at}", safe(note.who), f"{note.what}{': ' if note.text else ''}{safe(note.text)}"]


def _level(out: Output, level: "Level") -> str:
    return out.style(level.word, _COLORS[level.word])


def _age(milliseconds: int) -> str:
    minutes = max(0, milliseconds) // 60_000
    if minutes < 60:
        return f"{minutes}m"
    return f"{minutes // 60}h" if minutes < 48 * 60 else f"{minutes // 1440}d"
