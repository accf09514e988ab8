"""Taking files in: which ones are new or changed, what they say, and the rows that are stored of them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from cairn.core.isolate import item
from cairn.core.model.issue import Issue, Severity
from cairn.core.ports.graph import (
    ContributionRow,
    EnrichmentRow,
    MissingNode,
    NameRow,
    NodeRow,
    TagRow,
    TextRow,
    VirtualRow,
)
from cairn.core.ports.runtime import Files, FileWalk, FoundFile, Here, ReadFailed, Workers
from cairn.core.ports.store import ScanSession
from cairn.core.registry import ExtensionFailure
from cairn.graph.extraction import ExtractionResult
from cairn.graph.read_file import READING_RULES, FileReader, FileReading, SkippedFile

_BATCH = 100
WORTH_SHARING = 1_500
"""From so many files on it pays to read them in several processes."""
OVERSIZED = "file-oversized"
CAPPED = "node-limit"


class Difference(NamedTuple):
    """What a walk found, compared with what is stored."""

    fresh: list[FoundFile]
    """New, or with other facts than before."""
    gone: list[str]
    unchanged: int


Facts = tuple[str, int, int, int]
"""The values of a `FoundFile`."""


def compare(found: Sequence[FoundFile], known: Set[Facts], in_scope: Callable[[str], bool]) -> Difference:
    fresh = [file for file in found if file not in known]
    unchanged = len(found) - len(fresh)
    if unchanged == len(known):
        return Difference(fresh, [], unchanged)
    present = {file.path for file in found}
    gone = [path for path, *_ in known if path not in present and in_scope(path)]
    return Difference(fresh, sorted(gone), unchanged)


class Intake:
    """What happened to the nodes while files were taken in."""

    def __init__(self) -> None:
        self.added: list[str] = []
        self.changed: list[str] = []
        self.removed: list[str] = []
        self.ids: set[int] = set()
        """Nodes that were written."""
        self.came: list[MissingNode] = []
        self.left: list[MissingNode] = []
        self.names: set[str] = set()
        """Names that now mean something else than before."""
        self.paths: set[str] = set()
        """Paths at which a node appeared or vanished."""
        self.lost_targets: set[int] = set()
        """Nodes that a removed node pointed at."""
        self.issues: list[Issue] = []
        self.failures: list[ExtensionFailure] = []


class Batch(NamedTuple):
    """What became of some files; made where they were read, which may be another process."""

    files: Sequence[FoundFile]
    readings: list[FileReading]
    aside: list[tuple[FoundFile, Issue]]
    lost: list[str]
    issues: list[Issue]
    failures: list[ExtensionFailure]


class Receiver:
    """Reads what is fresh and writes it; forgets what is gone."""

    def __init__(
        self, session: ScanSession, files: Files, reader: FileReader, *, max_size: int, workers: Workers | None = None
    ) -> None:
        self._session = session
        self._files = files
        self._reader = reader
        self._max_size = max_size
        self._workers = workers or Here()
        self._next_id = session.last_id() + 1
        self._cold = self._next_id == 1
        self._next_text = session.last_text_id() + 1
        self.intake = Intake()
        self.sketched: list[tuple[int, str, bytes]] = []
        """(id, path, packed links) of the files that were read with a referee."""

    def take(self, fresh: Sequence[FoundFile], *, tick: Callable[[int], None], force: bool = False) -> None:
        """`force`: write also what says the same as before."""
        done = 0
        workers = self._workers if len(fresh) >= WORTH_SHARING else Here()
        for batch in workers.map(self._read, _chunks(fresh)):
            self._take_batch(batch, force)
            done += len(batch.files)
            tick(done)

    def _take_batch(self, batch: Batch, force: bool) -> None:
        known = {} if self._cold else self._session.ids([file.path for file in batch.files])
        old = {row.path: row for row in self._session.rows(known.values())} if known else {}
        self.intake.issues += batch.issues
        self.intake.failures += batch.failures
        self.remove([path for path in batch.lost if path in known])
        self._set_aside(batch.aside)
        self._write([r for r in batch.readings if force or not self._same(r, old.get(r.fact.path))], old)

    def _read(self, files: Sequence[FoundFile]) -> Batch:
        """Changes nothing here: this may run in another process."""
        batch = Batch(files, [], [], [], [], [])
        for file in files:
            taken = None
            with item(file.path):
                try:
                    taken = self._read_one(file)
                except ReadFailed as failed:  # said by an issue, so it is not a bad item
                    if failed.rule != "file-vanished":
                        batch.issues.append(Issue(failed.rule, Severity.ERROR, (file.path,), str(failed)))
            if taken is None:
                batch.lost.append(file.path)
            elif isinstance(taken, SkippedFile):
                batch.lost.append(file.path)
                batch.aside.append((taken.fact, taken.issue))
            else:
                batch.readings.append(taken)
        batch.failures.extend(self._reader.take_failures())
        return batch

    def _read_one(self, file: FoundFile) -> FileReading | SkippedFile:
        if file.size > self._max_size:
            return SkippedFile(file, _oversized(file, self._max_size))
        data, fact = self._files.read(file.path)
        return self._reader.read(fact, data)

    def _set_aside(self, aside: Sequence[tuple[FoundFile, Issue]]) -> None:
        self._session.set_aside([(file, issue.analyzer) for file, issue in aside])
        self._session.add_issues([issue for _, issue in aside])

    def _same(self, reading: FileReading, old: NodeRow | None) -> bool:
        """A file that was only touched: new facts, the same content."""
        if old is None:
            return False
        row = self._row(reading, old.id, old.text_id)
        if _content(row) != _content(old):
            return False
        stored = next(iter(self._session.stored([old.id])), None)
        if stored is None or stored.signals != reading.signals:
            return False
        self._session.touch([reading.fact])
        return True

    def _write(self, readings: Sequence[FileReading], old: dict[str, NodeRow]) -> None:
        if not readings:
            return
        ids = self._assign(readings, old)
        replaced = [old[r.fact.path].id for r in readings if r.fact.path in old]
        self._note_changes(readings, ids, old, replaced)
        if replaced:
            self._session.forget_details(replaced)
        self._session.drop_aside([r.fact.path for r in readings])
        self._put(readings, ids)

    def _assign(self, readings: Sequence[FileReading], old: dict[str, NodeRow]) -> list[int]:
        ids = []
        for reading in readings:
            before = old.get(reading.fact.path)
            ids.append(before.id if before else self._next_id)
            self._next_id += before is None
        return ids

    def _note_changes(
        self, readings: Sequence[FileReading], ids: Sequence[int], old: dict[str, NodeRow], replaced: Sequence[int]
    ) -> None:
        intake = self.intake
        if self._reader.referee is not None:  # the first scan: nothing can have moved, or have meant something else
            intake.added += [reading.fact.path for reading in readings if reading.kind is not None]
            return
        intake.ids.update(ids)
        former = self._session.names_by_node(replaced) if replaced else {}
        for reading, id in zip(readings, ids, strict=True):
            path = reading.fact.path
            before = old.get(path)
            names = {name for name, _ in reading.names}
            if before is None:
                if reading.kind is not None:
                    intake.added.append(path)
                intake.came.append(MissingNode(path, reading.body_hash, reading.frontmatter_hash))
                intake.paths.add(path)
                intake.names |= names
            else:
                if reading.kind is not None:
                    intake.changed.append(path)
                if _looks_other(before, reading, former.get(id, set()), names):
                    intake.names |= names | former.get(id, set())
                    intake.paths.add(path)

    def _put(self, readings: Sequence[FileReading], ids: Sequence[int]) -> None:
        session = self._session
        pairs = list(zip(ids, readings, strict=True))
        rows = []
        texts = []
        for id, reading in pairs:
            rows.append(self._row(reading, id, self._next_text))
            texts.append(TextRow(self._next_text, *reading.text))
            self._next_text += 1
        session.put_nodes(rows)
        session.put_texts(texts)
        session.put_signals([(id, r.signals) for id, r in pairs])
        session.put_names([NameRow(name, id, origin) for id, r in pairs for name, origin in r.names])
        session.put_rejections((), [(id, r.rejections) for id, r in pairs if r.rejections is not None])
        self.sketched += [(id, r.fact.path, r.links) for id, r in pairs if r.links]
        session.put_tags([TagRow(id, tag, source) for id, r in pairs for tag, source in r.tags])
        session.put_contributions([ContributionRow(id, *c) for id, r in pairs for c in r.contributions])
        session.put_enrichments([EnrichmentRow(id, *e) for id, r in pairs for e in r.enrichments])
        session.put_virtuals([VirtualRow(id, *v) for id, r in pairs for v in r.virtuals])
        session.add_issues([issue for _, r in pairs for issue in r.issues])

    def put_extras(self, id: int, extracted: ExtractionResult) -> None:
        """What extractors said beside links about a node that is known otherwise."""
        session = self._session
        session.put_contributions([ContributionRow(id, *c) for c in extracted.contributions])
        session.put_enrichments([EnrichmentRow(id, *e) for e in extracted.enrichments])
        session.put_virtuals([VirtualRow(id, *v) for v in extracted.virtuals])

    def _row(self, reading: FileReading, id: int, text_id: int | None) -> NodeRow:
        fact = reading.fact
        return NodeRow(
            id,
            fact.path,
            reading.kind,
            reading.provider,
            reading.claims,
            reading.title,
            reading.description,
            reading.frontmatter,
            reading.body_hash,
            reading.frontmatter_hash,
            reading.bytes_frontmatter,
            reading.bytes_body,
            fact.mtime_ns // 1_000_000,
            fact.size,
            fact.mtime_ns,
            fact.inode,
            int(reading.reserved),
            0,
            None,
            reading.external,
            reading.external_count,
            self._session.extractor_set(reading.extractors),
            text_id,
        )

    def put_virtuals(self, implied: dict[str, NodeRow]) -> None:
        """Make the virtual nodes those that files imply now; the ids of the rows are given here."""
        existing = {row.path: row for row in self._session.virtual_rows()}
        self._drop({path: row.id for path, row in existing.items() if path not in implied})
        rows = []
        for path, row in implied.items():
            old = existing.get(path)
            if old is None:
                row = row._replace(id=self._next_id)
                self._next_id += 1
                self.intake.paths.add(path)
                self.intake.ids.add(row.id)
                rows.append(row)
            elif row._replace(id=old.id) != old:
                self.intake.ids.add(old.id)
                rows.append(row._replace(id=old.id))
        self._session.put_nodes(rows)

    def remove(self, paths: Collection[str]) -> None:
        """Nodes, and files that had been set aside, that are no longer there."""
        if not paths:
            return
        ids = self._session.ids(paths)
        self._session.drop_aside(paths)
        self.intake.left += self._session.gone(list(ids)) if ids else []
        self.intake.removed += sorted(ids)
        self._drop(ids)

    def _drop(self, ids: dict[str, int]) -> None:
        """Nodes by path, files or not."""
        if not ids:
            return
        intake = self.intake
        intake.paths.update(ids)
        for names in self._session.names_by_node(list(ids.values())).values():
            intake.names |= names
        intake.lost_targets |= self._session.resolved_from(ids.values())
        self._session.drop_issues(rules=READING_RULES, paths=ids)
        self._session.drop_nodes(ids.values())


def _content(row: NodeRow) -> NodeRow:
    """A row without what may differ between two readings of one content: the facts, and what resolving adds."""
    return row._replace(size=0, mtime_ns=0, inode=0, modified_at_ms=0, external_refs=None, external_refs_count=0)


def _looks_other(before: NodeRow, now: FileReading, former: set[str], names: set[str]) -> bool:
    same = (before.kind, before.provider, before.reserved) == (now.kind, now.provider, int(now.reserved))
    return not same or former != names


def _oversized(file: FoundFile, limit: int) -> Issue:
    message = f"`{file.path}` has {file.size:,} bytes, more than scan.max_file_size_bytes ({limit:,}); it was skipped."
    return Issue(OVERSIZED, Severity.INFO, (file.path,), message, data={"bytes": file.size, "limit": limit})


def walk_issues(walk: FileWalk) -> Iterator[Issue]:
    for problem in walk.problems:
        severity = Severity.INFO if problem.rule == "symlink-skipped" else Severity.WARN
        yield Issue(problem.rule, severity, (problem.path,), problem.message)


def cap(found: Sequence[FoundFile], limit: int | None) -> tuple[Sequence[FoundFile], list[Issue]]:
    """The first so many files, and an issue that says what was left out."""
    if limit is None or len(found) <= limit:
        return found, []
    first = found[limit]
    message = f"scan.max_nodes is {limit:,}: {len(found) - limit:,} files from `{first.path}` on were left out."
    return found[:limit], [Issue(CAPPED, Severity.WARN, (first.path,), message, data={"limit": limit})]


def _chunks(files: Sequence[FoundFile]) -> Iterable[Sequence[FoundFile]]:
    return (files[start : start + _BATCH] for start in range(0, len(files), _BATCH))
