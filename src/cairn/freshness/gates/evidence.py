"""The gate `evidence`: what a verdict quotes, its sources really say."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from cairn.changes.gate import GateContext
from cairn.core.model.change import ChangeSet, Level, Ruling
from cairn.core.model.verdict import EDITION_UPGRADE, TO_BE_READ, CheckedSource, Verdict, VerdictFinding
from cairn.errors import CairnError
from cairn.freshness.normalise_verdict import is_quoted
from cairn.freshness.verdict_wire import verdict_of


class _Looked(NamedTuple):
    finding: VerdictFinding
    text: str | None
    """Of the source that it names; None when nobody kept it."""


class Evidence:
    """Changes whose evidence does not hold.

    **What it checks.** The verdict that a change was made from: every quote has to be in the kept text of the source it
    names, and every source it names has to be among those that were looked at.

    **Why it matters.** A model can make up a quote as easily as a claim. What is in the page tomorrow rests on it.

    **How to pass.** Run the audit again; where the text was not kept, `cairn freshness sources` shows what there is.
    """

    id: Final = "evidence"

    def judge(self, change: ChangeSet, around: GateContext) -> Ruling:
        if not change.evidence.get("verdict"):
            return Ruling(self.id, Level.PASS, "The change comes with no verdict whose quotes could be checked.")
        verdicts = _verdicts(change.evidence["verdict"])
        if isinstance(verdicts, str):
            return Ruling(self.id, Level.BLOCK, verdicts)
        looked = [_look(finding, verdict, around) for verdict in verdicts for finding in verdict.findings]
        false = [one for one in looked if one.text is not None and not _holds(one.finding, one.text)]
        if false:
            url = false[0].finding.evidence_url
            more = f", and {len(false) - 1} more are not there either" if len(false) > 1 else ""
            reason = f"A quote of the verdict is not in {url}{more}; run the audit again."
            return Ruling(self.id, Level.BLOCK, reason, tuple(_fact(one, "not in the source") for one in false))
        unseen = [one for one in looked if one.text is None]
        if unseen:
            reason = f"{len(unseen)} of {len(looked)} quotes were not checked: the text of their source was not kept."
            return Ruling(self.id, Level.NOTE, reason, tuple(_fact(one, "not checked") for one in unseen))
        said = "Every quote of the verdict is in its source." if looked else "The verdict quotes nothing."
        return Ruling(self.id, Level.PASS, said)


def _verdicts(value: Any) -> list[Verdict] | str:
    """One, or several where a request is about several entries; a sentence when they can't be read."""
    values: Sequence[Any] = value if isinstance(value, list) else [value]
    try:
        return [verdict_of(one) for one in values]
    except CairnError as error:
        return error.message


def _look(finding: VerdictFinding, verdict: Verdict, around: GateContext) -> _Looked:
    named = [one for one in verdict.sources_checked if _same_page(one, finding)]
    if not named:
        return _Looked(finding, "")  # a source that was not looked at proves nothing
    texts = [text for one in named if (text := _text(one, around)) is not None]
    if finding.drift_kind in (EDITION_UPGRADE, TO_BE_READ):  # said around the text: in a banner, in a menu
        texts += [text for one in named if (text := around.shown_text(one.url)) is not None]
    return _Looked(finding, "\n".join(texts) if texts else None)


def _same_page(checked: CheckedSource, finding: VerdictFinding) -> bool:
    return checked.url.partition("#")[0] == finding.evidence_url.partition("#")[0]


def _text(checked: CheckedSource, around: GateContext) -> str | None:
    kept = around.source_text(checked.url, checked.content_hash)
    if kept is not None or "://" in checked.url:
        return kept
    data = around.base(checked.url.partition("#")[0])  # a place in the repository
    return None if data is None else data.decode("utf-8", "replace")


def _holds(finding: VerdictFinding, text: str) -> bool:
    """What is gone can't be quoted; that it is gone can be seen. A passage to be read may stand elsewhere now."""
    if not finding.source_excerpt.strip() and finding.previous_excerpt.strip():
        return finding.drift_kind == TO_BE_READ or not is_quoted(finding.previous_excerpt, text)
    return is_quoted(finding.source_excerpt, text)


def _fact(one: _Looked, reason: str) -> Mapping[str, Any]:
    finding = one.finding
    return {
        "url": finding.evidence_url,
        "quote": (finding.source_excerpt or finding.previous_excerpt)[:300],
        "reason": reason,
    }
