"""Reads every page of the corpora strictly, and mends slips. Needs no scan, no database and no workspace."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from posixpath import normpath
from typing import Any, NamedTuple

from cairn.changes.write import write_file
from cairn.core.isolate import item
from cairn.core.model.issue import Fix, Issue, Severity
from cairn.core.model.knowledge import Corpus, FieldProblem, Layout, corpus_of
from cairn.core.ports.runtime import FoundFile, ReadFailed
from cairn.errors import CannotEdit, NotFound, UsageError
from cairn.freshness.ports import FreshnessPorts
from cairn.knowledge.allowlist import Allowlist, parse_allowlist, text_in_use
from cairn.knowledge.base import ALLOWLIST
from cairn.knowledge.corpora import kind_of, suffixes_of
from cairn.knowledge.edit import mended
from cairn.knowledge.lockfile import read_locks
from cairn.knowledge.read import EntryReading, take_entry
from cairn.knowledge.routes import read_strict
from cairn.lib.markdown.frontmatter import decode, parse
from cairn.lib.text.names import normalize_trigger
from cairn.lib.urls.url import Place, allowed_places, refuse_url

Names = dict[tuple[str, str], list[str]]
"""Paths by corpus and name."""


class PageValidation(NamedTuple):
    reading: EntryReading | None
    """None when the file could not be read as text."""
    issues: tuple[Issue, ...]


def validate_page(
    path: str, data: bytes, corpus: Corpus, *, allowlist: Allowlist | None, vouched: Collection[Place] = ()
) -> PageValidation:
    """`vouched` are places that the operator of this machine lets sources be in, though they are inside."""
    text, problems, binary = decode(data)
    severity = Severity.ERROR if binary else Severity.WARN
    of_bytes = tuple(Issue(p.rule, severity, (path,), p.message, p.line) for p in problems)
    if binary:
        return PageValidation(None, of_bytes)
    reading = read_strict(path, text, corpus, allowlist=allowlist)
    if vouched and reading.errors:
        reading = _vouched_for(reading, path, text, corpus, vouched)
    return PageValidation(reading, (*of_bytes, *_issues(path, reading)))


def _vouched_for(
    reading: EntryReading, path: str, text: str, corpus: Corpus, vouched: Collection[Place]
) -> EntryReading:
    """Without what is only said about addresses that somebody vouches for."""
    page = parse(text)
    listed = page.frontmatter.get("sources")
    items = enumerate(listed if isinstance(listed, list) else ())
    urls = {f"sources[{at}].url": item.get("url") for at, item in items if isinstance(item, dict)}
    fine = {field for field, url in urls.items() if isinstance(url, str) and refuse_url(url, allow=vouched) is None}
    errors = tuple(problem for problem in reading.errors if problem.field not in fine)
    if errors:
        return reading._replace(errors=errors)
    kind = kind_of(corpus, path) or "entry"
    entry = take_entry(path, page.frontmatter, kind=kind, layout=corpus.layout, body=page.body)
    return reading._replace(entry=entry, errors=())


def _issues(path: str, reading: EntryReading) -> Iterator[Issue]:
    for severity, problems in ((Severity.ERROR, reading.errors), (Severity.WARN, reading.warnings)):
        yield from (_issue(path, severity, problem) for problem in problems)


def _issue(path: str, severity: Severity, problem: FieldProblem) -> Issue:
    fix = Fix(problem.fix, problem.rule == "url-fragment") if problem.fix else None
    data = {"field": problem.field} if problem.field else None
    return Issue(problem.rule, severity, (path,), problem.message, problem.line, fix=fix, data=data)


def note_name(names: Names, reading: EntryReading | None, path: str, corpus: Corpus) -> None:
    """Remember what a page is called, to find out who else is."""
    if reading and reading.entry and corpus.layout != "plain":
        names.setdefault((corpus.name, normalize_trigger(reading.entry.name)), []).append(path)


def named_twice(names: Mapping[tuple[str, str], list[str]]) -> Iterator[Issue]:
    for (_, name), paths in names.items():
        if len(paths) > 1:
            shown = name.replace(" ", "-")
            message = f"The name `{shown}` is also that of `{paths[0]}`; give one of them another."
            yield from (
                Issue("name-duplicate", Severity.ERROR, (path, paths[0]), message, 1, data={"field": "name"})
                for path in paths[1:]
            )


class CorpusPage(NamedTuple):
    corpus: Corpus
    file: FoundFile


class ValidationResult(NamedTuple):
    corpora: tuple[Corpus, ...]
    pages: Mapping[str, int]
    """How many, by the name of the corpus."""
    issues: tuple[Issue, ...]
    """By path and line."""

    @property
    def looked_at(self) -> tuple[Corpus, ...]:
        """Corpora with pages among those that were asked about; all of them when there is no page at all."""
        return tuple(corpus for corpus in self.corpora if self.pages[corpus.name]) or self.corpora

    def json(self) -> dict[str, Any]:
        from cairn.core.model.graph import issue_json

        return {
            "corpora": [{**_corpus_json(c), "pages": self.pages[c.name]} for c in self.corpora],
            "pages": sum(self.pages.values()),
            "issues": [issue_json(issue) for issue in self.issues],
            "counts": {str(s): sum(i.severity == s for i in self.issues) for s in (Severity.ERROR, Severity.WARN)},
        }


def _corpus_json(corpus: Corpus) -> dict[str, Any]:
    return {"name": corpus.name, "root": corpus.root, "layout": corpus.layout}


def validate(ports: FreshnessPorts, paths: Sequence[str] = (), *, layout: Layout | None = None) -> ValidationResult:
    """All corpora, or what is in these files and folders (relative to the root). With a layout, each of these folders
    is taken for a corpus of that layout, whatever the settings say."""
    corpora = _taken_as(ports, paths, layout) if layout else _known(ports)
    pages, issues = _pages(ports, corpora, paths)
    allowlist = _allowlist(ports)
    names: Names = {}
    for page in pages:
        with item(page.file.path):
            reading, found = _read(ports, page, ports.settings.integer("scan.max_file_size_bytes"), allowlist)
            issues += found
            note_name(names, reading, page.file.path, page.corpus)
    issues += named_twice(names)
    issues += [] if layout or paths else read_locks(ports.files, ports.corpora)[1]
    issues.sort(key=lambda issue: (issue.path, issue.line or 0))
    counts = {corpus.name: sum(page.corpus is corpus for page in pages) for corpus in corpora}
    return ValidationResult(corpora, counts, tuple(issues))


# --- which pages ----------------------------------------------------------------------------------------------------


def _known(ports: FreshnessPorts) -> tuple[Corpus, ...]:
    if not ports.corpora:
        raise NotFound(
            "No knowledge was found here; name the folder and say how it is arranged, "
            "for example `cairn freshness validate knowledge --layout entries`."
        )
    return ports.corpora


def _taken_as(ports: FreshnessPorts, paths: Sequence[str], layout: Layout) -> tuple[Corpus, ...]:
    if not paths:
        raise UsageError("--layout says how a folder is arranged; name the folder too.")
    for path in paths:
        if (ports.root / path).is_file():
            raise UsageError(f"--layout is about a folder, and `{path}` is a file; name the root of its corpus.")
    roots = dict.fromkeys("" if normpath(path) == "." else normpath(path) for path in paths)
    return tuple(Corpus(root or "repository", root, layout) for root in roots)


def _pages(
    ports: FreshnessPorts, corpora: tuple[Corpus, ...], paths: Sequence[str]
) -> tuple[list[CorpusPage], list[Issue]]:
    """The pages, and what would be one if it could be read, as an issue."""
    roots = tuple(paths) or tuple(c.root or "." for c in corpora if not c.root or ports.files.exists(c.root))
    if not roots:
        return [], []
    suffixes = tuple(sorted({suffix for corpus in corpora for suffix in suffixes_of(corpus)}))
    walk = ports.files.walk(ports.scan_request(only=roots).walk(suffixes))
    found = [CorpusPage(corpus, file) for file in walk.files if (corpus := corpus_of(file.path, corpora))]
    pages = [page for page in found if kind_of(page.corpus, page.file.path)]
    passed = [p for p in walk.problems if (corpus := corpus_of(p.path, corpora)) and kind_of(corpus, p.path)]
    if paths and not pages:
        asked = ", ".join(f"`{path}`" for path in paths)
        known = ", ".join(f"`{corpus.root or '.'}` (layout {corpus.layout})" for corpus in corpora)
        raise NotFound(f"There is no page of knowledge in {asked}; corpora here are {known}.")
    return pages, [Issue(problem.rule, Severity.WARN, (problem.path,), problem.message) for problem in passed]


# --- what is wrong --------------------------------------------------------------------------------------------------


def _allowlist(ports: FreshnessPorts) -> Allowlist | None:
    """Unlike in a scan, a list that cannot be read is said here and ends the command: this is the gate."""
    from cairn.knowledge.corpora import text_of

    own = text_of(ports.files, ALLOWLIST) if ports.files.exists(ALLOWLIST) else ""
    text = text_in_use(ports.settings.text("freshness.allowlist"), own)
    return parse_allowlist(text) if text else None


def _read(
    ports: FreshnessPorts, page: CorpusPage, limit: int, allowlist: Allowlist | None
) -> tuple[EntryReading | None, Iterable[Issue]]:
    path = page.file.path
    if page.file.size > limit:
        message = f"`{path}` has {page.file.size:,} bytes, more than scan.max_file_size_bytes ({limit:,}); split it up."
        return None, [Issue("file-oversized", Severity.ERROR, (path,), message)]
    try:
        data = ports.files.read(path)[0]
    except ReadFailed as failed:
        return None, [Issue(failed.rule, Severity.ERROR, (path,), str(failed))]
    return validate_page(path, data, page.corpus, allowlist=allowlist, vouched=allowed_places(ports.env))


class MendedPage(NamedTuple):
    path: str
    before: str
    after: str


def mend(ports: FreshnessPorts, issues: Iterable[Issue], *, dry_run: bool) -> tuple[list[MendedPage], list[str]]:
    """What was changed, or would be, and which pages could not be, with the reason. All pages are read before the
    first is written."""
    done: list[MendedPage] = []
    notes: list[str] = []
    for path in dict.fromkeys(issue.path for issue in issues if issue.fix and issue.fix.autofixable):
        try:
            before = ports.files.read(path)[0].decode("utf-8")
            done.append(MendedPage(path, before, mended(before)))
        except (ReadFailed, UnicodeDecodeError, CannotEdit) as error:
            notes.append(f"{path} was left as it is: {error}")
    changed = [one for one in done if one.before != one.after]
    for one in () if dry_run else changed:
        write_file(ports.root, one.path, one.after)
    return changed, notes
