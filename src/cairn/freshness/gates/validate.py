"""The gate `validate`: every page is what its layout asks for."""

from collections.abc import Hashable, Iterable
from typing import Any, Final

from cairn.changes.gate import GateContext
from cairn.core.model.change import ChangeSet, Level, Ruling
from cairn.core.model.issue import Issue, Severity
from cairn.core.model.knowledge import corpus_of
from cairn.errors import CairnError
from cairn.freshness.validation import Names, Validation, named_twice, note_name, validate_page
from cairn.knowledge.allowlist import Allowlist, parse_allowlist, text_in_use
from cairn.knowledge.base import ALLOWLIST
from cairn.knowledge.layouts import kind_of

MOST_SHOWN: Final = 50


class Validate:
    """Pages that are not what their layout asks for.

    **What it checks.** Every page of every corpus as it would be after the change, as `cairn freshness validate` does:
    frontmatter, fields, names that two pages have. Warnings are told for the pages that the change touches. An error in
    another page was there before; it is named, and does not block.

    **Why it matters.** A page with broken frontmatter is not selected, not audited and not served, and nobody notices.

    **How to pass.** Mend what the ruling names; `cairn freshness validate` says all of it.
    """

    id: Final = "validate"

    def __init__(self) -> None:
        self._known: dict[Hashable, Validation] = {}
        """A page of which nothing changed is not read again for the next change."""

    def judge(self, change: ChangeSet, around: GateContext) -> Ruling:
        touched = {edit.path for edit in change.edits}
        issues = sorted(
            self._issues(around), key=lambda issue: (issue.path not in touched, issue.path, issue.line or 0)
        )
        errors = [issue for issue in issues if issue.severity is Severity.ERROR]
        errors.sort(key=lambda issue: issue.path not in touched)  # its own come first
        if errors:
            level = Level.WARN if all(map(touched.isdisjoint, (one.nodes for one in errors))) else Level.BLOCK
            return Ruling(self.id, level, _sentence(errors, touched), tuple(map(_fact, errors[:MOST_SHOWN])))
        warnings = [issue for issue in issues if issue.path in touched]
        if warnings:
            reason = f"{_counted(warnings, 'warning')} about the pages of this change; {_place(warnings[0])}"
            return Ruling(self.id, Level.NOTE, reason, tuple(map(_fact, warnings[:MOST_SHOWN])))
        return Ruling(self.id, Level.PASS, "Every page is what its layout asks for.")

    def _issues(self, around: GateContext) -> list[Issue]:
        names: Names = {}
        found: list[Issue] = []
        own = (around.base(ALLOWLIST) or b"").decode("utf-8", "replace")
        listed = text_in_use(str(around.settings.get("freshness.allowlist", "file")), own)
        allowlist = _allowlist(listed)
        for path, data in sorted(around.pages().items()):
            corpus = corpus_of(path, around.corpora)
            if corpus is not None and kind_of(corpus, path):
                key = (path, data, corpus, listed, around.vouched)
                known = self._known.get(key)
                if known is None:
                    known = validate_page(path, data, corpus, allowlist=allowlist, vouched=around.vouched)
                    self._known[key] = known
                found += known.issues
                note_name(names, known.reading, path, corpus)
        return [*found, *named_twice(names)]


def _allowlist(text: str) -> Allowlist | None:
    """A list that is broken at the base is not this change's fault; `cairn freshness validate` says so."""
    try:
        return parse_allowlist(text) if text else None
    except CairnError:
        return None


def _sentence(errors: list[Issue], touched: Iterable[str]) -> str:
    elsewhere = sum(issue.path not in touched for issue in errors)
    where = f", {elsewhere} of them in pages that it does not touch" if elsewhere else ""
    return f"{_counted(errors, 'error')}{where}; {_place(errors[0])}"


def _counted(issues: list[Issue], word: str) -> str:
    return f"{len(issues):,} {word}{'' if len(issues) == 1 else 's'}"


def _place(issue: Issue) -> str:
    return f"{issue.path} line {issue.line or 1}: {' '.join(issue.message.split())}"


def _fact(issue: Issue) -> dict[str, Any]:
    return {
        "path": issue.path,
        "line": issue.line or 1,
        "rule": issue.analyzer,
        "severity": str(issue.severity),
        "message": issue.message,
    }
