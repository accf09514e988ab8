"""Finds the sentences that a change between two moments of a repository makes false."""

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cairn.core.isolate import each, item
from cairn.core.ports.runtime import Files
from cairn.core.ports.vcs import Change
from cairn.core.scope import Scope, scope_of
from cairn.freshness.diff.definition import ChangedFile, is_manifest
from cairn.freshness.diff.doubt import StaleReason, StaleSentence
from cairn.freshness.diff.literals import has_values, literals_of
from cairn.freshness.diff.names import name_doubts
from cairn.freshness.diff.pages import ScriptFolders, SurveyedPages, SurveyMemory
from cairn.freshness.diff.vanished import OWN, Grep, LostWords, bounded_grep
from cairn.freshness.states import LARGEST, RepositoryState, RevisionState, StateSpan, WorkTree
from cairn.lib.code.model import Probe
from cairn.lib.document.document import UNREAD, format_of
from cairn.lib.markdown.frontmatter import decode

if TYPE_CHECKING:
    from cairn.freshness.path_sources import DeclaredSource

__all__ = ["SurveyMemory", "SurveyOptions", "SurveyResult", "survey", "survey_revisions"]

_HEAD = 4096
_MARKED = re.compile(rb"(?i)generated|edit|status")
"""Words of pages that a program wrote, or that record a decision; the others need not be judged by their text."""

IsWanted = Callable[[str, str], bool]
"""Whether a document, by its path and the beginning of its text, is judged."""


class SurveyResult(NamedTuple):
    doubts: tuple[StaleSentence, ...]
    """One for each place; those of one cause have the same `cause`."""
    mentions: tuple[StaleSentence, ...] = ()
    """Notes: sentences that name something that changed, without a proof that they are false."""
    changed: int = 0
    """Files that differ; one that moved counts once."""
    unread: Mapping[str, int] = MappingProxyType({})
    """Documents in formats that are not read, by suffix."""
    lacking: int = 0
    """Contents that this clone does not have."""


class SurveyedRepository(Protocol):
    """What a survey asks of version control."""

    def files(self, rev: str) -> tuple[str, ...]: ...
    def changed(self, old: str, new: str | None = None) -> tuple[Change, ...]: ...
    def show(self, wanted: Sequence[tuple[str, str]]) -> list[bytes | None]: ...
    def grep(self, rev: str | None, words: Sequence[str]) -> Iterable[tuple[str, str]]: ...


class SurveyOptions(NamedTuple):
    locked: Callable[[RepositoryState], "Sequence[DeclaredSource]"] = lambda _: ()
    """Sources that lock files declare, as some moment has them."""
    probe: Probe | None = None
    mentions: bool = False
    """Whether notes are wanted. They take longer: files are parsed."""
    ranked: bool = False
    """Instead of notes, the lines that a reader should be asked about, the most doubtful first."""
    memory: SurveyMemory | None = None
    project: str = ""
    """The name of the repository's folder, which may be that of its program."""


def _is_current(path: str, head: str) -> bool:
    return scope_of(path, head) is Scope.CURRENT


def survey(
    span: StateSpan,
    vcs: SurveyedRepository,
    files: Files,
    is_wanted: IsWanted = _is_current,
    options: SurveyOptions | None = None,
) -> SurveyResult:
    """The doubts that a change puts into the documents that stand at its end."""
    old = RevisionState(vcs, span.old)
    new: RepositoryState = WorkTree(files) if span.new is None else RevisionState(vcs, span.new)
    changes = vcs.changed(span.old, span.new)
    return _examine(
        SurveySides(old, new, new),
        changes,
        is_wanted,
        lambda words: vcs.grep(span.new, words),
        options or SurveyOptions(),
    )


def survey_revisions(
    vcs: SurveyedRepository,
    before: str,
    after: str,
    *,
    documents_from: str | None = None,
    memory: SurveyMemory | None = None,
) -> SurveyResult:
    """The doubts that the change from one tree to another puts into the documents of the latter, or of a third tree."""
    sides = SurveySides(
        RevisionState(vcs, before), RevisionState(vcs, after), RevisionState(vcs, documents_from or after)
    )
    options = SurveyOptions(memory=memory)
    found = _examine(sides, vcs.changed(before, after), _is_current, lambda words: vcs.grep(after, words), options)
    return found._replace(lacking=getattr(vcs, "lacking", 0))


class SurveySides(NamedTuple):
    old: RepositoryState
    new: RepositoryState
    documents: RepositoryState


def _examine(
    sides: SurveySides,
    changes: Iterable[Change],
    is_wanted: IsWanted,
    grep: Grep,
    options: SurveyOptions,
) -> SurveyResult:
    grep = bounded_grep(grep, sides.new)
    files = list(_changed_files([change for change in changes if not OWN.match(change.path)], sides))
    if not files:
        return SurveyResult((), unread=_unread(sides.documents))
    texts = _texts(sides.documents, is_wanted)
    pages = SurveyedPages(texts, options.memory, (sides.old, sides.new), lambda: _programs(grep, options.project))
    moved = _moves(files)
    kept = list(_paired(files, moved))
    homes = ScriptFolders(sides.old.facts().keys() | sides.new.facts().keys(), pages)
    values = [
        *_isolated("changed values", lambda: _value_doubts(kept, pages, grep)),
        *_isolated("changed requirements", lambda: _requirement_doubts(kept, pages, grep)),
    ]
    names = _isolated(
        "removed names",
        lambda: name_doubts(LostWords(files, sides.new.facts, moved, sides.new.read), pages, grep, homes),
    )
    found = [
        *(one for one in names if one.certain),
        *_isolated("removed paths", lambda: _path_doubts(files, moved, sides, pages)),
        *(one for one in values if one.certain),
        *_isolated("moved imports", lambda: _import_doubts(files, pages, sides)),
        *_isolated("changed calls", lambda: _call_doubts(kept, pages, grep, sides.new)),
        *_isolated("removed subcommands", lambda: _command_doubts(files, pages, grep)),
        *_isolated("flags of subcommands", lambda: _subcommand_doubts(files, pages, grep, sides.new)),
        *_isolated("parsers of commands", lambda: _parser_doubts(files, pages, grep, sides.new)),
        *_isolated("removed tasks", lambda: _task_doubts(files, pages, sides.new)),
    ]
    stood = StandingLines(files, moved, texts)
    sources = _isolated("declared sources", lambda: _source_doubts(files, moved, sides, texts, options))

    def counts(one: StaleSentence) -> bool:
        at_home = one.reason in _OF_NO_HOME or homes.concern([one.path], one.document)
        return at_home and stood(one) and not is_denied(one)

    def is_denied(one: StaleSentence) -> bool:
        return one.reason in _ABSENT and pages.page(one.document).denies(one.line, one.written)

    doubts = _in_order([*_once([*filter(counts, found)]), *sources])
    notes = [one for one in (*values, *names) if not one.certain]
    if options.mentions and not options.ranked:
        notes += _isolated("mentions", lambda: _symbol_notes(files, pages, options))
    mentions = _in_order(_without(filter(counts, notes), doubts))
    if options.ranked:
        asked = _isolated("lines to ask about", lambda: _worth_asking(files, pages, options))
        standing = (one for one in asked if homes.concern([one.path], one.document) and stood(one))
        mentions = (*mentions, *_without(standing, (*doubts, *mentions)))
    return SurveyResult(doubts, mentions, len(files) - len(moved), _unread(sides.documents))


_OF_NO_HOME = (StaleReason.PATH, StaleReason.REMOVED, StaleReason.RENAMED)
"""A path means the same everywhere; for names all files that had them were asked."""
_ABSENT = (*_OF_NO_HOME, StaleReason.ARGUMENT, StaleReason.CHANGED)
"""What may be said of something that is gone: a sentence that denied it stays true."""


def _programs(grep: Grep, project: str) -> frozenset[str]:
    from cairn.freshness.diff.commands import declared_programs

    return declared_programs(grep) | {project.lower()}


def _isolated(name: str, rule: Callable[[], Iterable[StaleSentence]]) -> list[StaleSentence]:
    """What one rule finds; one that fails does not cost the results of the others."""
    found: list[StaleSentence] = []
    with item(f"the check of {name}"):
        found.extend(rule())
    return found


def _unread(state: RepositoryState) -> Counter[str]:
    return Counter(posixpath.splitext(path)[1] for path in state.facts() if path.endswith(UNREAD))


def _import_doubts(files: Sequence[ChangedFile], pages: SurveyedPages, sides: SurveySides) -> Iterable[StaleSentence]:
    if not any(file.path.endswith(".py") and file.old for file in files):
        return ()
    from cairn.freshness.diff.python_code import import_doubts

    return import_doubts(files, pages, sides.old, sides.new)


def _call_doubts(
    files: Sequence[ChangedFile], pages: SurveyedPages, grep: Grep, code: RepositoryState
) -> Iterable[StaleSentence]:
    """Parsers are imported when there is something to parse."""
    if not any(file.path.endswith(".py") and file.old and file.new for file in files):
        return ()
    from cairn.freshness.diff.python_code import call_doubts

    return call_doubts(files, pages, grep, code)


def _command_doubts(files: Sequence[ChangedFile], pages: SurveyedPages, grep: Grep) -> Iterable[StaleSentence]:
    if not any(file.old and _DECLARES_COMMANDS.search(file.old) for file in files):
        return ()
    from cairn.freshness.diff.commands import command_doubts

    return command_doubts(files, pages, grep)


_DECLARES_COMMANDS = re.compile(rb"\bUse:|\badd_parser\(|ommand\(|\bgroup\(|Command::new|\bSubcommand\b")


def _subcommand_doubts(
    files: Sequence[ChangedFile], pages: SurveyedPages, grep: Grep, code: RepositoryState
) -> Iterable[StaleSentence]:
    if not any(file.old and file.new and _COMMANDS.search(file.path) for file in files):
        return ()
    from cairn.freshness.diff.commands import subcommand_doubts

    return subcommand_doubts(files, pages, grep, code)


_COMMANDS = re.compile(r"(?i)cmd|command")


def _parser_doubts(
    files: Sequence[ChangedFile], pages: SurveyedPages, grep: Grep, code: RepositoryState
) -> Iterable[StaleSentence]:
    changed = [file for file in files if file.path.endswith(".py") and file.old and file.new]
    declaring = [file for file in changed if _PARSES_COMMANDS.search(file.old or b"")]
    if not declaring:
        return ()
    from cairn.freshness.diff.commands import parser_doubts

    return parser_doubts(declaring, pages, grep, code)


_PARSES_COMMANDS = re.compile(rb"\badd_parser\(|^@[\w.]+\.(?:command|group)\b", re.MULTILINE)


def _task_doubts(files: Sequence[ChangedFile], pages: SurveyedPages, code: RepositoryState) -> Iterable[StaleSentence]:
    if not any(file.old and _TASKS.search(file.path) for file in files):
        return ()
    from cairn.freshness.diff.commands import task_doubts

    return task_doubts(files, pages, code)


_TASKS = re.compile(
    r"(?i)(?:^|/)(?:[^/]*makefile[^/]*|(?:package|composer)\.json|\.?justfile|rakefile)$|\.(?:mk|mak|just|rake|in)$"
)


def _moves(files: Sequence[ChangedFile]) -> Mapping[str, str]:
    """Where files that are gone went."""
    gone = {file.path: file.old for file in files if file.new is None}
    if not gone:
        return {}
    from cairn.freshness.diff.paths import moves

    return moves(gone, {file.path: file.new for file in files if file.old is None})


def _paired(files: Sequence[ChangedFile], moved: Mapping[str, str]) -> Iterator[ChangedFile]:
    """Each file that moved as one, with its old content and its new one."""
    came = {file.path: file for file in files if file.old is None}
    targets = frozenset(moved.values())
    for file in files:
        if file.path in moved:
            yield ChangedFile(moved[file.path], file.old, came[moved[file.path]].new)
        elif file.path not in targets:
            yield file


def _path_doubts(
    files: Sequence[ChangedFile], moved: Mapping[str, str], sides: SurveySides, pages: SurveyedPages
) -> Iterable[StaleSentence]:
    gone = [file.path for file in files if file.new is None]
    if not gone:
        return ()
    from cairn.freshness.diff.paths import LostPaths, path_doubts

    return path_doubts(LostPaths(gone, sides.new.facts().keys(), moved), pages)


def _source_doubts(
    files: Sequence[ChangedFile],
    moved: Mapping[str, str],
    sides: SurveySides,
    texts: Mapping[str, bytes],
    options: SurveyOptions,
) -> Iterable[StaleSentence]:
    locked = options.locked(sides.documents)
    declaring = {path: data for path, data in texts.items() if _may_declare(data)}
    if not declaring and not locked:
        return ()
    from cairn.freshness.diff.paths import SourceChange, source_doubts

    change = SourceChange(sides.old, sides.new, {file.path for file in files}, moved, options.probe)
    return source_doubts(texts, declaring, locked, change)


def _may_declare(data: bytes) -> bool:
    """Whether the frontmatter may have sources."""
    if not data.removeprefix(b"\xef\xbb\xbf").startswith(b"---"):
        return False
    end = data.find(b"\n---", 4)
    return data.find(b"sources", 0, end if end > 0 else len(data)) > 0


def _value_doubts(files: Sequence[ChangedFile], pages: SurveyedPages, grep: Grep) -> Iterable[StaleSentence]:
    valued = [file for file in files if has_values(file.path)]
    changes = [change for some in each(valued, literals_of, lambda file: file.path) for change in some]
    if not changes:
        return ()
    from cairn.freshness.diff.values import value_doubts

    return value_doubts(changes, pages, grep)


def _requirement_doubts(files: Sequence[ChangedFile], pages: SurveyedPages, grep: Grep) -> Iterable[StaleSentence]:
    if not any(file.old and file.new and is_manifest(file.path) for file in files):
        return ()
    from cairn.freshness.diff.requirements import requirement_doubts

    return requirement_doubts(files, pages, grep)


def _symbol_notes(
    files: Sequence[ChangedFile], pages: SurveyedPages, options: SurveyOptions
) -> Iterable[StaleSentence]:
    from cairn.freshness.diff.names import symbol_notes

    return symbol_notes(files, pages, options.probe)


def _worth_asking(
    files: Sequence[ChangedFile], pages: SurveyedPages, options: SurveyOptions
) -> Iterable[StaleSentence]:
    from cairn.freshness.diff.worth_asking import worth_asking

    return worth_asking(files, pages, options.probe)


def _once(found: Sequence[StaleSentence]) -> Iterator[StaleSentence]:
    """Without what another doubt about the same line says better."""
    stated = {(one.document, one.line, one.written) for one in found if one.reason is StaleReason.VALUE}
    named = {(one.document, one.line) for one in found if one.reason in _NAMES}
    modules = {(one.document, one.line) for one in found if one.reason in _NAMES and one.old == one.path}
    known: set[tuple[str, int, str]] = set()
    values: set[tuple[str, int, str, str]] = set()
    for one in found:
        place = (one.document, one.line, one.written)
        if one.reason in _NAMES and (place in stated or place in known):
            continue
        if one.reason is StaleReason.VALUE and (*place, one.path) in values:
            continue
        if one.reason is StaleReason.VALUE:
            values.add((*place, one.path))
        if one.reason is StaleReason.IMPORT and (place in known or (one.document, one.line) in modules):
            continue
        known.add(place)
        if one.reason is StaleReason.ARGUMENT and (one.document, one.line) in named:
            continue
        yield one


_NAMES = (StaleReason.REMOVED, StaleReason.RENAMED)


def _in_order(found: Iterable[StaleSentence]) -> tuple[StaleSentence, ...]:
    """Each place once for each cause."""
    return tuple(sorted(dict.fromkeys(found), key=lambda doubt: (doubt.document, doubt.line, doubt.written)))


def _without(notes: Iterable[StaleSentence], doubts: Collection[StaleSentence]) -> Iterator[StaleSentence]:
    """Notes about lines that nothing is said about yet."""
    known = {(doubt.document, doubt.line) for doubt in doubts}
    return (note for note in notes if (note.document, note.line) not in known)


class StandingLines:
    """Whether a line stood there before, or was edited and had the same name or value: one that the same change added
    was written by somebody who knows. A page that was renamed is compared with its old text."""

    def __init__(self, files: Iterable[ChangedFile], moved: Mapping[str, str], texts: Mapping[str, bytes]) -> None:
        old = {moved.get(file.path, file.path): file.old for file in files if file.old}
        changed = [file.path for file in files if file.path in texts]
        self._lines = {path: _lines(old.get(path)) for path in changed}
        self._kept = {path: _lines(texts[path]) for path in changed}

    def __call__(self, doubt: StaleSentence) -> bool:
        lines = self._lines.get(doubt.document)
        return lines is None or doubt.sentence in lines or self._was_edited(doubt, lines)

    def _was_edited(self, doubt: StaleSentence, lines: Collection[str]) -> bool:
        """Whether one of the lines that are gone had the same name or value, and most of the words."""
        kept = self._kept[doubt.document]
        before = (line for line in lines if doubt.written in line and line not in kept)
        return any(_are_alike(_words(line), _words(doubt.sentence)) for line in before)


def _lines(data: bytes | None) -> frozenset[str]:
    return frozenset(decode(data or b"").text.replace("\r\n", "\n").split("\n"))


def _words(line: str) -> list[str]:
    return re.findall(r"\w+", line.lower())


def _are_alike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether more than half of the words of the longer line are in both."""
    shared = sum((Counter(one) & Counter(other)).values())
    return shared * 2 > max(len(one), len(other))


def _changed_files(changes: Sequence[Change], sides: SurveySides) -> Iterator[ChangedFile]:
    """With both contents; without those of which nothing differs, or of which this clone lacks a version."""
    old = sides.old.read([change.path for change in changes if change.status != "added"])
    new = sides.new.read([change.path for change in changes if change.status != "removed"])
    for status, path in changes:
        lacking = (status != "added" and path not in old) or (status != "removed" and path not in new)
        if not lacking and old.get(path) != new.get(path):
            yield ChangedFile(path, _bounded(old.get(path)), _bounded(new.get(path)))


def _bounded(data: bytes | None) -> bytes | None:
    return data if data is None or len(data) < LARGEST else b""


def _texts(state: RepositoryState, is_wanted: IsWanted) -> dict[str, bytes]:
    paths = [path for path in state.facts() if format_of(path) and not OWN.match(path) and is_wanted(path, "")]
    texts = {path: data for path, data in state.read(sorted(paths)).items() if len(data) < LARGEST}
    return {
        path: data for path, data in texts.items() if not _MARKED.search(data[:_HEAD]) or is_wanted(path, _head(data))
    }


def _head(data: bytes) -> str:
    return decode(data[:_HEAD]).text
