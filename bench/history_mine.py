"""Mines a history for document lines that an author had to correct because something left the code.

Counts of every word in code run along with the history. A token is gone at the commit at which its count falls to
zero. A document line that a commit edits or removes is a case when it lost a token that is gone: `same` when it went in
that very commit, `late` when it went in an earlier one while the line already stood there. `values` are lines in which
an author replaced one literal by another, as a line of code did that names the same thing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from history_definitions import CodeLine, best_form
from history_filter import line_reason, page_reason, token_reason
from history_paths import PathKind, is_document, kind_of
from history_stream import Commit, FileChange, Hunk
from history_values import ValueChange, name_beside, swaps, value_changes
from history_words import DocumentToken, code_lines, path_keys, tokens, words_of_code, words_of_document

MOST_EVIDENCE = 12
LONGEST_LINE = 400


class Loss(NamedTuple):
    """A token that a document line lost, and how code had it until the commit."""

    written: str
    form: str
    evidence: str
    """A removed line of code, as `path: text`."""


class Case(NamedTuple):
    kind: str
    """`same`, `late` or `values`."""
    commit: str
    """The commit that made the line wrong."""
    parent: str
    fix: str
    """The commit in which the author corrected the line."""
    path: str
    line: int
    """From 1, in the document before the fix; at the case's own commit the text decides."""
    text: str
    losses: tuple[Loss, ...]
    excluded: str
    """Why the case does not count, or nothing."""

    @property
    def late(self) -> bool:
        return self.commit != self.fix

    @property
    def form(self) -> str:
        return self.losses[0].form


class Gone(NamedTuple):
    at: int
    lines: tuple[CodeLine, ...]


class DocumentLine(NamedTuple):
    text: str
    born: int


class Changed(NamedTuple):
    """What replaying needs to know of every commit."""

    id: str
    parent: str
    code: bool
    documents: bool
    edited: dict[str, frozenset[int]]
    """Lines of documents that the commit edits or removes and does not move, by path; numbers of the parent."""


class Miner:
    """Reads commits in order and yields cases."""

    def __init__(self, program: str = "") -> None:
        self.program = program.lower()
        self.counts: Counter[str] = Counter()
        self.watched: Counter[str] = Counter()
        self.gone: dict[str, Gone] = {}
        self.documents: dict[str, list[DocumentLine]] = {}
        self.values: dict[tuple[str, str], list[tuple[int, ValueChange]]] = defaultdict(list)
        self.commits: list[Changed] = []

    def read(self, commit: Commit) -> Iterator[Case]:
        now = len(self.commits)
        self.commits.append(changed(commit))
        code = [one for one in commit.files if kind_of(one.path) is PathKind.CODE]
        self.count_paths(commit.files, now)
        self.count_words(code, now)
        for one in code if now else ():
            for hunk in one.hunks:
                for change in value_changes(one.path, hunk):
                    self.values[change.before, change.after].append((now, change))
        pages = [one for one in commit.files if is_document(one.path)]
        stands = frozenset(line.strip() for one in pages for hunk in one.hunks for line in hunk.added)
        for one in pages:
            if now:
                yield from self.cases_of(one, now, stands)
            self.apply(one, now)

    def count_paths(self, files: Iterable[FileChange], now: int) -> None:
        touched: dict[str, list[CodeLine]] = defaultdict(list)
        for one in files:
            if is_document(one.path) or not (one.created or one.deleted):
                continue
            for key in path_keys(one.path):
                self.counts[key] += 1 if one.created else -1
                touched[key] += [CodeLine(one.path, one.path)] if one.deleted else []
        self.note_gone(touched, now)

    def count_words(self, files: Iterable[FileChange], now: int) -> None:
        touched: dict[str, list[CodeLine]] = defaultdict(list)
        for one in files:
            for hunk in one.hunks:
                for text in hunk.added:
                    self.counts.update(words_of_code(text))
                for text in hunk.removed:
                    found = words_of_code(text)
                    self.counts.subtract(found)
                    for word in found:
                        if len(lines := touched[word]) < MOST_EVIDENCE and len(text) < LONGEST_LINE:
                            lines.append(CodeLine(one.path, text))
        self.note_gone(touched, now)

    def note_gone(self, touched: dict[str, list[CodeLine]], now: int) -> None:
        for key, lines in touched.items():
            if self.counts[key] > 0:
                self.gone.pop(key, None)
            elif self.watched[key] > 0 and key not in self.gone:
                self.gone[key] = Gone(now, tuple(lines))

    def apply(self, one: FileChange, now: int) -> None:
        lines = self.documents.setdefault(one.path, [])
        for hunk in reversed(one.hunks):
            start = hunk.old_start - 1 if hunk.removed else hunk.old_start
            lines[start : start + len(hunk.removed)] = [DocumentLine(text, now) for text in hunk.added]
            for text in hunk.added:
                self.watched.update(words_of_document(text))
            for text in hunk.removed:
                self.watched.subtract(words_of_document(text))
        if one.deleted:
            del self.documents[one.path]

    def cases_of(self, one: FileChange, now: int, stands: frozenset[str]) -> Iterator[Case]:
        before = self.documents.get(one.path, [])
        if one.created or not before:
            return
        texts = [line.text for line in before]
        in_code = code_lines(texts, one.path.lower().endswith(".rst"))
        page = page_reason(one, texts)
        for hunk in one.hunks:
            added = {token.written for text in hunk.added for token in tokens(text, True)}
            for offset, text in enumerate(hunk.removed):
                number = hunk.old_start + offset
                if text.strip() in stands or number > len(before) or not text.strip():
                    continue
                lost = [token for token in tokens(text, in_code[number - 1]) if token.written not in added]
                yield from self.lost_in(one.path, before[number - 1], number, lost, page, now)
            yield from self.swapped_in(one.path, hunk, before, texts, page, now)

    def lost_in(
        self, path: str, line: DocumentLine, number: int, lost: list[DocumentToken], page: str, now: int
    ) -> Iterator[Case]:
        """At most one case of a line: the tokens that went at the latest commit."""
        by_commit: dict[int, list[tuple[DocumentToken, Gone]]] = defaultdict(list)
        for token in lost:
            if (gone := self.gone_token(token)) and line.born < gone.at:
                by_commit[gone.at].append((token, gone))
        if not by_commit:
            return
        at = max(by_commit)
        losses, reasons = [], []
        for token, gone in by_commit[at]:
            names = [key.removeprefix("path:") for key in token.keys]
            form = "path" if token.shape == "path" else best_form(names, gone.lines)
            reason = token_reason(token, form, gone.lines, line.text, self.program, at < now)
            reasons.append(reason)
            if not reason:
                losses.append(
                    Loss(token.written, "flag" if token.shape == "flag" else form, evidence(names, gone.lines))
                )
        if not losses:
            token, gone = by_commit[at][0]
            losses = [Loss(token.written, "", evidence(token.keys, gone.lines))]
        excluded = page or line_reason(line.text) or ("" if "" in reasons else reasons[0])
        yield self.case("same" if at == now else "late", at, now, path, number, line.text, losses, excluded)

    def gone_token(self, token: DocumentToken) -> Gone | None:
        """When the last spelling of the token left the code; nothing while one of them stands."""
        if any(self.counts[key] > 0 for key in token.keys):
            return None
        found = [self.gone[key] for key in token.keys if key in self.gone]
        return max(found, key=lambda one: one.at, default=None)

    def swapped_in(
        self, path: str, hunk: Hunk, before: list[DocumentLine], texts: list[str], page: str, now: int
    ) -> Iterator[Case]:
        for swap in swaps(hunk):
            for at, change in reversed(self.values.get((swap.before, swap.after), ())):
                line = before[swap.number - 1]
                if line.born < at and (name := name_beside(change.names, texts, swap.number)):
                    shown = f"{change.line.path}: {change.line.text.strip()} -> {change.new_text.strip()}"
                    losses = [Loss(f"{name}: {swap.before} -> {swap.after}", "value", shown)]
                    excluded = page or line_reason(line.text)
                    yield self.case("values", at, now, path, swap.number, line.text, losses, excluded)
                    break

    def case(
        self, kind: str, at: int, now: int, path: str, number: int, text: str, losses: list[Loss], excluded: str
    ) -> Case:
        when, fix = self.commits[at], self.commits[now]
        return Case(kind, when.id, when.parent, fix.id, path, number, text, tuple(losses), excluded)


def evidence(names: Sequence[str], lines: Sequence[CodeLine]) -> str:
    """The removed line that defines the name, or else the first one."""
    defining = (line for line in lines if best_form(names, [line]))
    line = next(defining, lines[0] if lines else None)
    return f"{line.path}: {line.text.strip()[:200]}" if line else ""


def changed(commit: Commit) -> Changed:
    pages = [one for one in commit.files if is_document(one.path)]
    stands = frozenset(line.strip() for one in pages for hunk in one.hunks for line in hunk.added)
    edited = {
        one.path: frozenset(
            hunk.old_start + offset
            for hunk in one.hunks
            for offset, text in enumerate(hunk.removed)
            if text.strip() not in stands
        )
        for one in pages
        if not one.created
    }
    code = any(kind_of(one.path) is PathKind.CODE for one in commit.files)
    return Changed(commit.id, commit.parent, code, bool(pages), edited)


def mine(commits: Iterable[Commit], program: str = "") -> tuple[list[Case], list[Changed]]:
    """Returns all cases, excluded ones too, and every commit but the opening tree."""
    miner = Miner(program)
    cases = [case for commit in commits for case in miner.read(commit)]
    return unique(cases), miner.commits


def unique(cases: Iterable[Case]) -> list[Case]:
    """One case a line and commit; one that counts wins over an excluded one, words over values."""
    found: dict[tuple[str, str, str], Case] = {}
    for case in cases:
        key = (case.commit, case.path, case.text)
        if key not in found or (found[key].excluded and not case.excluded):
            found[key] = case
    return list(found.values())
