"""A verdict as a change that others can judge: title, text, branch, labels, and the verdict itself as evidence."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cairn.core.model.change import ChangeSet, FileEdit, Label, Taint
from cairn.core.model.knowledge import Entry
from cairn.core.model.verdict import CheckedSource, Verdict, VerdictFinding, VerdictOutcome
from cairn.errors import Refused
from cairn.freshness.verdict_json import verdict_json

ORIGIN = "freshness"
LABEL = "knowledge-freshness"

_BREAKS: Final = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_CALLS: Final = re.compile(r"@(?=\w)|#(?=\d)|\b[Gg][Hh](?=-\d)|(?:issues|pull)/(?=\d)|<(?=[A-Za-z/!?])|[!\]](?=[\[(])")
"""What a forge acts upon: somebody is mentioned, an issue is closed, a picture is fetched."""
_JOINER: Final = "\u2060"
"""Has no width; what stands on both sides of it is not read as one."""
_EXCERPT: Final = 300
_NOT_IN_BRANCH: Final = re.compile(r"[^A-Za-z0-9._-]+")


def proposal(
    entry: Entry,
    verdict: Verdict,
    after: bytes,
    *,
    base: str,
    trusted: Mapping[str, str],
    review: str = "",
    evidence: Mapping[str, Any] | None = None,
    file: str | None = None,
    beside: Sequence[FileEdit] = (),
    drifted: bool = False,
) -> ChangeSet:
    """The page as the verdict leaves it, for the change path; of a page that is not ours to edit, the `file` that says
    what is known about it, and what has to stand beside that. `review` names a second opinion, where there was one.
    `drifted` when a sentence of the page has yet to be edited."""
    confirmation = verdict.outcome is VerdictOutcome.CURRENT
    return ChangeSet(
        origin=ORIGIN,
        subject=entry.path,
        base=base,
        edits=(FileEdit(file or entry.path, after), *beside),
        title=title_of(entry, verdict),
        body="\n".join(_body(entry, verdict, trusted, review, drifted)),
        branch=branch_of(entry, verdict.audit_date),
        labels=(Label(LABEL, ORIGIN), Label(f"volatility:{entry.volatility}", ORIGIN)),
        evidence={"verdict": verdict_json(verdict), "hashes": dict(trusted), **(evidence or {})},
        taint=taint_of(verdict),
        kind="confirmations" if confirmation else "drift",
    )


def taint_of(verdict: Verdict) -> Taint:
    """Whose words end up in the page: those of the web stay what they are, also when a model passed them on."""
    web = any(checked.url.startswith(("https://", "http://")) for checked in verdict.sources_checked)
    if web:
        return Taint.OUTSIDE
    return Taint.REPOSITORY if verdict.model.startswith("extractive/") else Taint.MODEL


def title_of(entry: Entry, verdict: Verdict) -> str:
    urls = [_line(checked.url) for checked in verdict.sources_checked]
    against = urls[0] if urls else "(no sources)"
    if len(urls) > 1:
        against += f" and {len(urls) - 1} other source{'s' if len(urls) > 2 else ''}"
    return f"chore(knowledge): refresh {entry.name} against {against}"


def branch_of(entry: Entry, day: str) -> str:
    name = _NOT_IN_BRANCH.sub("-", entry.name).strip("-.")
    if not name:
        raise Refused(f"No branch can be named after the entry `{entry.name}`; give it a name of letters and digits.")
    return f"{LABEL}/{name}-{day}"


# --- the text of a request ------------------------------------------------------------------------------------------


def _body(entry: Entry, verdict: Verdict, trusted: Mapping[str, str], review: str, drifted: bool) -> Iterator[str]:
    """Whatever a model or a page wrote stays on its line, so that it can't start a line such as `BREAKING CHANGE:`."""
    yield from ("## Summary", "", *_bullets([checked.url for checked in verdict.sources_checked]), "")
    yield from ("## Verdict", "", f"- verdict: {verdict.outcome}", f"- audit_date: {_line(verdict.audit_date)}")
    yield from (f"- model: {_line(verdict.model)}", "")
    yield from ("## Findings", "", *_findings(verdict.findings), "")
    if drifted and verdict.findings:
        yield from ("## Edit before merging", "", *_to_edit(entry, verdict.findings), "")
    yield from ("## Review", "", f"job_id: {_line(review)}" if review else "_No second opinion was asked for._", "")
    yield from ("## Sources", "", *_bullets([_source(one, trusted) for one in verdict.sources_checked]), "")
    yield from ("## Preserve warnings", "", *_bullets([_defused(warning) for warning in verdict.preserve_warnings]))


def _findings(findings: Sequence[VerdictFinding]) -> Iterator[str]:
    if not findings:
        yield "_No findings._"
        return
    yield from ("| severity | drift_kind | claim_in_entry | evidence_url |", "| --- | --- | --- | --- |")
    for one in findings:
        cells = (one.severity, _defused(one.drift_kind), _defused(one.claim_in_entry), one.evidence_url)
        yield f"| {' | '.join(map(_cell, cells))} |"
    if said := [line for one in findings for line in _excerpts(one)]:
        yield from ("", *_bullets(said))


def _to_edit(entry: Entry, findings: Sequence[VerdictFinding]) -> Iterator[str]:
    """Merged as it is, the request marks the source as drifted and leaves the finding open."""
    name = _line(entry.name)
    yield (
        f"Edit this in {_line(entry.path)} on the branch of this request. Without an edit the hash of the source stays "
        "as it is and the finding stays open. If the page is right, a person stamps it: "
        f"`cairn freshness audit-run-entry {name} --out verdict.json`, then "
        f"`cairn freshness audit-apply {name} verdict.json --read --apply`."
    )
    yield ""
    yield from _bullets(list(dict.fromkeys(_quoted(one.claim_in_entry) for one in findings)))


def _excerpts(finding: VerdictFinding) -> Iterator[str]:
    """What somebody who decides wants to see: what the source says now, and what it said."""
    now, before = (_quoted(text) for text in (finding.source_excerpt, finding.previous_excerpt))
    if now:
        yield f"{finding.evidence_url} says {now}" + (f"; before, it said {before}" if before else "")
    elif before:
        yield f"{finding.evidence_url} does not say {before} any more"


def _quoted(text: str) -> str:
    short = text if len(text) <= _EXCERPT else text[: _EXCERPT - 1] + "…"
    return f"“{_defused(short)}”" if text.strip() else ""


def _source(checked: CheckedSource, trusted: Mapping[str, str]) -> str:
    digest = trusted.get(checked.url) or trusted.get(checked.url.partition("#")[0]) or "not hashed"
    return f"{checked.url} ({digest}, retrieved {checked.retrieved_at})"


def _bullets(lines: Sequence[str]) -> list[str]:
    return [f"- {_line(line)}" for line in lines] or ["_None._"]


def _line(text: str) -> str:
    return _BREAKS.sub(" ", text).strip()


def _defused(text: str) -> str:
    """Words of a model or a page: they are shown, and a forge does nothing because of them."""
    return _CALLS.sub(lambda found: found[0] + _JOINER, _line(text))


def _cell(text: str) -> str:
    return _line(text).replace("\\", "\\\\").replace("|", "\\|")
