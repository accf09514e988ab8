"""Takes entries out of an open request of a run: it covers only the texts that it names."""

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from cairn.core.model.change import ChangeRequest, ChangeSet
from cairn.core.model.verdict import Verdict
from cairn.errors import CairnError
from cairn.freshness.proposal import ORIGIN
from cairn.freshness.verdict_wire import verdict_of

_SECTION: Final = re.compile(r"(?m)^(?=# \S)")
_COUNTED: Final = re.compile(r"\b\d[\d,]* entr(?:y is|ies are|y|ies)\b")


def pages_of(request: ChangeRequest) -> tuple[str, ...]:
    """Pages that a request is about; one that only edits a lock file names them."""
    pages = request.evidence.get("pages")
    return (*request.paths, *(str(page) for page in (pages if isinstance(pages, list) else ())))


def hashes_of(request: ChangeRequest) -> Mapping[str, str]:
    """Hashes of the texts that a request covers, by source."""
    known = request.evidence.get("hashes")
    return known if isinstance(known, dict) else {}


def verdicts_in(request: ChangeRequest) -> list[Verdict]:
    """What a request rests on; what can't be read is left out."""
    found = []
    for value in _verdicts(request.evidence) if request.origin == ORIGIN else ():
        with suppress(CairnError):
            found.append(verdict_of(value))
    return found


def without_entries(change: ChangeSet, paths: Collection[str], names: Collection[str]) -> ChangeSet | None:
    """The change without these entries; None when nothing is left of it. Pages that share a lock file are withdrawn
    together."""
    edits = tuple(edit for edit in change.edits if edit.path not in paths)
    if not edits or change.evidence.get("pages"):
        return None
    verdicts = [one for one in _verdicts(change.evidence) if one.get("entry_name") not in names]
    kept = {checked.get("url") for one in verdicts for checked in one.get("sources_checked") or ()}
    hashes = {reference: hash for reference, hash in change.evidence["hashes"].items() if reference in kept}
    return replace(
        change,
        edits=edits,
        title=_COUNTED.sub(lambda found: _counted(found[0], len(edits)), change.title, count=1),
        body="".join(part for part in _SECTION.split(change.body) if part.partition("\n")[0][2:] not in names),
        evidence={**change.evidence, "verdict": verdicts, "hashes": hashes},
    )


def _verdicts(evidence: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    value = evidence.get("verdict")
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]


def _counted(written: str, number: int) -> str:
    verb = (" is" if number == 1 else " are") if written.endswith(("is", "are")) else ""
    return f"{number:,} {'entry' if number == 1 else 'entries'}{verb}"
