"""The gates about pages: what their layout asks for, the sections agents are served, and how much is rewritten."""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from cairn.changes.gate import GateContext
from cairn.core.model.change import OVER_REWRITE_LABEL, RESTORING, ChangeSet, GateRuling, Level
from cairn.core.model.issue import Issue, Severity
from cairn.core.model.knowledge import Corpus, Entry, Volatility, corpus_of
from cairn.errors import CairnError
from cairn.freshness.sections import headings
from cairn.freshness.validate import Names, PageValidation, named_twice, note_name, validate_page
from cairn.knowledge.allowlist import Allowlist, parse_allowlist, text_in_use
from cairn.knowledge.base import ALLOWLIST
from cairn.knowledge.corpora import ROUTES, kind_of, sections_of
from cairn.knowledge.read import take_entry
from cairn.lib.markdown.frontmatter import ParsedFile, decode, parse
from cairn.lib.text.line_diff import changed_lines


class PageVersion(NamedTuple):
    """A page at one moment."""

    parsed: ParsedFile
    entry: Entry | None
    """As far as it can be understood."""


class ChangedPage(NamedTuple):
    path: str
    corpus: Corpus
    kind: str
    old: PageVersion | None
    """None when the page is new."""
    new: PageVersion | None
    """None when it goes."""


def touched_pages(change: ChangeSet, around: GateContext) -> Iterator[ChangedPage]:
    """Those of the layouts that Cairn has rules for; what lies elsewhere is nobody's page."""
    for edit in change.edits:
        corpus = corpus_of(edit.path, around.corpora)
        kind = kind_of(corpus, edit.path) if corpus else None
        if corpus is None or kind is None or kind == ROUTES or corpus.layout == "plain":
            continue
        old = _side(around.base(edit.path), edit.path, corpus, kind)
        yield ChangedPage(edit.path, corpus, kind, old, _side(edit.content, edit.path, corpus, kind))


def _side(data: bytes | None, path: str, corpus: Corpus, kind: str) -> PageVersion | None:
    if data is None:
        return None
    parsed = parse(decode(data).text)
    entry = take_entry(path, parsed.frontmatter, kind=kind, layout=corpus.layout, body=parsed.body)
    return PageVersion(parsed, entry)


LIMIT: Final = 0.20


class PageChurn(NamedTuple):
    """How much of a page's body a change turns over; the frontmatter does not count."""

    added: int
    removed: int
    old_lines: int
    new_lines: int

    @property
    def deleted(self) -> float:
        """Of the old body."""
        return self.removed / max(1, self.old_lines)

    @property
    def turned(self) -> float:
        """Added and removed, of the new body."""
        return (self.added + self.removed) / max(1, self.new_lines)

    @property
    def too_much(self) -> bool:
        return self.deleted > LIMIT or self.turned > LIMIT


class AntiOverRewrite:
    """Too much of a stable page written anew.

    **What it checks.** The body of every page that was `stable` before the change: deleted lines may be at most 20 % of
    the old body, added and deleted ones together at most 20 % of the new. Other pages get a note.

    **Why it matters.** A stable page was read and confirmed by people. A model that is asked to touch up a sentence
    likes to write the whole page again, and nobody reads a diff of a whole page.

    **How to pass.** Make a smaller edit, or ask a reviewer to add the label `override:anti-over-rewrite`; the label of
    whoever made the change does not count.
    """

    id: Final = "anti-over-rewrite"

    def judge(self, change: ChangeSet, around: GateContext) -> GateRuling:
        if change.kind in RESTORING:
            return GateRuling(self.id, Level.PASS, "It restores an earlier text.")
        pages = [page for page in touched_pages(change, around) if _rewritten(page, change, around)]
        high = [(page, churn) for page in pages if (churn := churn_of(page)).too_much]
        facts = tuple(_fact(page, churn) for page, churn in sorted(high, key=lambda one: -one[1].turned))
        stable = [(page, churn) for page, churn in high if _was_stable(page)]
        if not high:
            return GateRuling(self.id, Level.PASS, "No page changes by more than 20 %.")
        if not stable:
            reason = f"{_ratios(*high[0])}; that page is not stable, so this is only a note."
            return GateRuling(self.id, Level.NOTE, reason, facts)
        if around.labelled(OVER_REWRITE_LABEL):
            return GateRuling(
                self.id, Level.NOTE, f"{_ratios(*stable[0])}; the label `{OVER_REWRITE_LABEL}` allows it.", facts
            )
        fix = f"Make a smaller edit, or ask a reviewer to add the label `{OVER_REWRITE_LABEL}`."
        reason = f"{_ratios(*stable[0])}. At most 20 % of a stable page may change. {fix}"
        return GateRuling(self.id, Level.BLOCK, reason, facts)


def churn_of(page: ChangedPage) -> PageChurn:
    old = page.old.parsed.body if page.old else ""
    new = page.new.parsed.body if page.new else ""
    change = changed_lines(old, new)
    return PageChurn(len(change.added), len(change.removed), len(old.split("\n")), len(new.split("\n")))


def _rewritten(page: ChangedPage, change: ChangeSet, around: GateContext) -> bool:
    """A new page rewrites nothing, and neither does one that only moved."""
    if page.old is None:
        return False
    before = around.base(page.path)
    return page.new is not None or all(edit.content != before for edit in change.edits)


def _was_stable(page: ChangedPage) -> bool:
    """Before the change: one that calls a page evolving must not open the door for itself."""
    return page.old is not None and page.old.entry is not None and page.old.entry.volatility is Volatility.STABLE


def _ratios(page: ChangedPage, churn: PageChurn) -> str:
    lost, turned = f"{churn.deleted:.0%} of its lines", f"{churn.turned:.0%} of the new text"
    return f"{page.path} loses {lost}, and {turned} is added or removed"


def _fact(page: ChangedPage, churn: PageChurn) -> dict[str, Any]:
    return {
        "path": page.path,
        "message": f"{_ratios(page, churn)}.",
        "added": churn.added,
        "removed": churn.removed,
        "deletedRatio": round(churn.deleted, 4),
        "changedRatio": round(churn.turned, 4),
        "stable": _was_stable(page),
    }


class DeepGuidance:
    """Pages without the sections that their corpus asks for.

    **What it checks.** Every page that the change touches, in a corpus that asks for sections: the layout `entries`
    asks for `## Deep Guidance`, and the setting `required_sections` of a corpus names others. A heading in a block of
    code is none.

    **Why it matters.** What agents are served of a page starts at that heading; without it they get nothing, or
    everything.

    **How to pass.** Add the heading, at the second level and spelled just so.
    """

    id: Final = "deep-guidance"

    def judge(self, change: ChangeSet, around: GateContext) -> GateRuling:
        missing = [fact for page in touched_pages(change, around) for fact in _missing(page)]
        if not missing:
            return GateRuling(self.id, Level.PASS, "Every page has the sections that its corpus asks for.")
        first = missing[0]
        more = f", and {len(missing) - 1} more are missing" if len(missing) > 1 else ""
        reason = f"{first['path']} has no section `{first['section']}`{more}; add the heading, spelled just so."
        return GateRuling(self.id, Level.BLOCK, reason, tuple(missing))


def _missing(page: ChangedPage) -> Iterator[dict[str, Any]]:
    wanted = sections_of(page.corpus)
    if page.new is None or not wanted:
        return
    there = {heading.text.strip("#").strip() for heading in headings(page.new.parsed.body) if heading.level == 2}
    for title in wanted:
        if title not in there:
            message = f"There is no section `## {title}`; add the heading, spelled just so."
            yield {"path": page.path, "section": f"## {title}", "message": message}


MOST_SHOWN: Final = 50


class ValidateGate:
    """Pages that are not what their layout asks for.

    **What it checks.** Every page of every corpus as it would be after the change, as `cairn freshness validate` does:
    frontmatter, fields, names that two pages have. Warnings are told for the pages that the change touches. An error in
    another page was there before; it is named, and does not block.

    **Why it matters.** A page with broken frontmatter is not selected, not audited and not served, and nobody notices.

    **How to pass.** Mend what the ruling names; `cairn freshness validate` says all of it.
    """

    id: Final = "validate"

    def __init__(self) -> None:
        self._known: dict[Hashable, PageValidation] = {}
        """A page of which nothing changed is not read again for the next change."""

    def judge(self, change: ChangeSet, around: GateContext) -> GateRuling:
        touched = {edit.path for edit in change.edits}
        issues = sorted(
            self._issues(around), key=lambda issue: (issue.path not in touched, issue.path, issue.line or 0)
        )
        errors = [issue for issue in issues if issue.severity is Severity.ERROR]
        errors.sort(key=lambda issue: issue.path not in touched)  # its own come first
        if errors:
            level = Level.WARN if all(map(touched.isdisjoint, (one.nodes for one in errors))) else Level.BLOCK
            return GateRuling(
                self.id, level, _sentence(errors, touched), tuple(map(_validate_fact, errors[:MOST_SHOWN]))
            )
        warnings = [issue for issue in issues if issue.path in touched]
        if warnings:
            reason = f"{_counted(warnings, 'warning')} about the pages of this change; {_place(warnings[0])}"
            return GateRuling(self.id, Level.NOTE, reason, tuple(map(_validate_fact, warnings[:MOST_SHOWN])))
        return GateRuling(self.id, Level.PASS, "Every page is what its layout asks for.")

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


def _validate_fact(issue: Issue) -> dict[str, Any]:
    return {
        "path": issue.path,
        "line": issue.line or 1,
        "rule": issue.analyzer,
        "severity": str(issue.severity),
        "message": issue.message,
    }
