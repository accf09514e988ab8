"""The scan: walk, take in what changed, resolve what that touches, ask the analyzers. One transaction."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from cairn.core.model.graph import LINK_KINDS, ProviderClaim, dump_signals, without
from cairn.core.model.issue import Issue
from cairn.core.ports.graph import Appearance, NameRow, NodeRow, Orphan, Rename
from cairn.core.ports.runtime import Files, FileWalk, FoundFile, ReadFailed
from cairn.core.ports.store import ScanSession
from cairn.core.registry import ExtensionFailure, Registry, placed
from cairn.errors import Refused
from cairn.graph.analysis import Analysis
from cairn.graph.extraction import Crew, ExtractionResult, Providers, classify_file
from cairn.graph.ingest import CAPPED, OVERSIZED, Difference, Receiver, cap, compare, walk_issues
from cairn.graph.moved_files import Matches, match
from cairn.graph.read_file import FRONTMATTER_RULES, TEXTS, FileReader, Validators, claims_text
from cairn.graph.relink import Referee, Relinker, both, endings, loose_state
from cairn.graph.resolve import DOC_NAME, LABEL_NAME, ROOTED, spelled_by
from cairn.graph.scan_request import ScanPorts, ScanReport, ScanRequest
from cairn.lib.document.document import UNREAD

_EACH_TIME = (
    "file-unreadable",
    "file-changing",
    "file-special",
    "name-undecodable",
    "name-deceptive",
    "name-case-twin",
    "symlink-skipped",
    CAPPED,
)
"""Rules about what was passed over; found again by every walk."""

_LINKING = ("extractors", "reference_paths", "active_provider", "providers", "symlinks")
"""What every link depends on besides the files."""

_STALE_TEXTS = 1_000
"""So many outdated rows may stay in the full-text index before it is made anew."""


def scan(request: ScanRequest, *, registry: Registry, active: str | None, ports: ScanPorts) -> ScanReport:
    """Bring the stored graph up to date with the files."""
    started = ports.clock.monotonic()
    lens = Providers(registry.providers, active)
    suffixes = tuple(sorted({s for p in registry.providers for s in p.manifest.extensions}))
    walk = ports.files.walk(request.walk((*suffixes, *UNREAD))) if suffixes else FileWalk((), ())
    unread = _unread(walk.files)
    walk = walk._replace(files=lens.wanted(walk.files))
    with ports.store.scan() as session:
        registry = placed(registry, _known_paths(request, session, walk), ports.files.exists, _reader(ports.files))
        lens = Providers(registry.providers, active)
        run = _Run(request, session, registry, lens, ports, walk.links)
        run.prepare()
        run.take_in(walk)
        run.resolve()
        run.analyse()
        run.finish(walk, unread)
        report = run.report(walk, int((ports.clock.monotonic() - started) * 1000))
        if request.dry_run:
            session.abandon()
    return report


def _known_paths(request: ScanRequest, session: ScanSession, walk: FileWalk) -> Iterable[str]:
    """All files, also where only some folders are scanned."""
    stored = (path for path, *_ in session.facts()) if request.only else ()
    return chain((file.path for file in walk.files), stored)


def _reader(files: Files) -> Callable[[str], str]:
    def read(path: str) -> str:
        try:
            return files.read(path)[0].decode("utf-8", "replace")
        except ReadFailed:
            return ""

    return read


class _Run:
    """One scan under way. Each step leaves in `dirty` the nodes that the next one has to look at; None is all."""

    def __init__(
        self,
        request: ScanRequest,
        session: ScanSession,
        registry: Registry,
        lens: Providers,
        ports: ScanPorts,
        symlinks: Sequence[tuple[str, str]],
    ) -> None:
        self._request = request
        self._symlinks = dict(symlinks)
        self._session = session
        self._registry = registry
        self._lens = lens
        self._ports = ports
        self._crew = Crew(registry.extractors)
        self._validators = Validators()
        self._reader = FileReader(lens, self._crew, self._validators, strict=request.strict)
        self._referee = Referee(registry.extractors, lens)
        self._now = ports.clock.now_ms()
        self._before: Mapping[str, Any] = {}
        self._receiver: Receiver
        self._all = False
        """Whether every link has to be resolved again."""
        self._relink: set[int] = set()
        self._implying: set[str] = set()
        """Files that imply virtual nodes. Those are kept without the extractor that said so: when one is gone, …"""
        self._again: list[FoundFile] = []
        """… its file is read anew as a whole."""
        self._dirty: set[int] | None = set()
        self._recount = False
        """Whether issues changed that no analyzer made."""
        self._unchanged = 0
        self._matches = Matches((), (), ())
        self._failures: list[ExtensionFailure] = []
        self._analyzers: list[str] = []
        self._relinked = 0

    # --- what the last scan left ---------------------------------------------------------------------------------

    def prepare(self) -> None:
        if self._request.rebuild:
            self._session.clear()
        self._before = self._session.meta()
        self._symlinks |= self._symlinks_elsewhere()
        self._reader.emitters = self._session.emitters(_emissions(self._registry))
        self._receiver = Receiver(
            self._session,
            self._ports.files,
            self._reader,
            max_size=self._request.max_file_size,
            workers=self._ports.workers,
        )
        cold = not self._before
        if cold:  # every link will be resolved once, as soon as all names are known
            self._reader.referee = self._referee
        self._all = cold or self._changed(*_LINKING)
        if not cold:
            self._recount = self._changed("strict")
            if self._changed("providers", "active_provider", "strict"):
                self._look_again(classify=self._changed("providers"))
            if self._changed("extractors", "providers") or self._before.get("unfinished"):
                self._extract_again()

    def _symlinks_elsewhere(self) -> dict[str, str]:
        """Those outside of the folders asked for stay."""
        in_scope = self._in_scope()
        return {path: target for path, target in self._before.get("symlinks", ()) if not in_scope(path)}

    def _stamps(self) -> dict[str, Any]:
        """What the stored graph depends on besides the files."""
        return {
            "providers": [p.stamp for p in self._registry.providers],
            "extractors": [e.stamp for e in self._registry.extractors],
            "active_provider": self._lens.active,
            "reference_paths": list(self._request.reference_paths),
            "symlinks": [[path, self._symlinks[path]] for path in sorted(self._symlinks)],
            "strict": self._request.strict,
            "max_file_size": self._request.max_file_size,
            "texts": TEXTS,
        }

    def _changed(self, *keys: str) -> bool:
        stamps = self._stamps()
        return any(self._before.get(key) != stamps[key] for key in keys)

    def _look_again(self, *, classify: bool) -> None:
        """Other providers, or another active one: what is stored is seen anew, no file is read."""
        looks: list[Appearance] = []
        names: list[NameRow] = []
        issues: list[Issue] = []
        claims: list[tuple[int, str]] = []
        rows = [row for row in self._session.rows() if not row.virtual]
        written = self._session.names_by_node([row.id for row in rows if row.path.endswith(".rst")])
        for row in rows:
            frontmatter = json.loads(row.frontmatter)
            claimed = self._lens.claims(row.path, frontmatter) if classify else _claims(row)
            seen = classify_file(row.path, frontmatter, claimed, self._lens)
            claims.append((row.id, claims_text(claimed)))
            looks.append(Appearance(row.id, seen.kind, seen.provider, int(seen.reserved)))
            names += [NameRow(name, row.id, origin) for name, origin in seen.names]
            kept = (name for name in written.get(row.id, ()) if name.startswith((LABEL_NAME, DOC_NAME)))
            names += [NameRow(name, row.id, "page") for name in kept]
            issues += self._reader.invalid(row.path, seen, frontmatter)
        self._session.set_claims(claims)
        self._session.set_appearances(looks)
        self._session.replace_names([look.id for look in looks], names)
        self._session.drop_issues(rules=("frontmatter-invalid",))
        self._session.add_issues(issues)
        self._session.set_severity(FRONTMATTER_RULES, "error" if self._request.strict else "warn")

    def _extract_again(self) -> None:
        """Extractors came, went, changed or failed: only those that are new to a node run, over its file."""
        self._implying = {file for *_, file in self._session.virtuals()}
        for id, ran in self._session.extractor_sets().items():
            for node, path, claims in self._session.nodes_with_set(id):
                wanted = frozenset(self._crew.applicable(claims))
                if wanted != frozenset(ran):
                    self._refit(node, path, frozenset(ran), wanted)

    def _refit(self, node: int, path: str, ran: frozenset[str], wanted: frozenset[str]) -> None:
        try:
            data, fact = self._ports.files.read(path)
        except ReadFailed:
            return  # the walk is about to notice
        extracted, sound = self._reader.again(path, data, wanted - ran)
        gone = {stamp.partition("@")[0] for stamp in ran - wanted}
        if not sound and not gone:
            return  # failed as before
        self._session.refit(node, gone, self._refitted(node, gone, extracted), self._set_of(ran & wanted, sound))
        self._receiver.put_extras(node, extracted)
        self._relink.add(node)
        if extracted.cut or (gone and path in self._implying):
            self._again.append(fact)

    def _refitted(self, node: int, gone: Collection[str], extracted: ExtractionResult) -> str:
        """The signals of a node less those of some extractors, and with new ones."""
        emitters = self._reader.emitters
        before = next(iter(self._session.stored([node])), None)
        kept = without(before.signals, emitters, gone) if before else []
        return dump_signals([*kept, *extracted.signals], emitters)

    def _set_of(self, kept: Iterable[str], sound: Iterable[str]) -> int:
        return self._session.extractor_set([*kept, *sound])

    # --- the files -----------------------------------------------------------------------------------------------

    def take_in(self, walk: FileWalk) -> None:
        self._refuse_sudden_emptiness(walk)
        found, capped = cap(walk.files, self._request.max_nodes)
        difference = self._difference(found)
        self._unchanged = difference.unchanged
        fresh = difference.fresh
        total = len(fresh)
        self._receiver.remove(difference.gone)
        self._receiver.take(fresh, tick=lambda done: self._ports.progress.step("reading", done, total))
        for extractor in self._registry.extractors if fresh else ():
            self._ports.progress.event("extractor.completed", extractorId=extractor.qualified)
        self._take_forced(found)
        self._take_again(self._again)
        intake = self._receiver.intake
        self._say_passed_over([*walk_issues(walk), *capped, *intake.issues])
        self._refresh_virtuals()
        self._refresh_texts(found)
        self._matches = match(intake.left, intake.came)

    def _say_passed_over(self, issues: Sequence[Issue]) -> None:
        """What this walk passed over, instead of what the last one did; what lies outside of the folders asked for
        stays said."""
        in_scope = self._in_scope()
        said = [issue for issue in self._ports.store.issues(analyzers=_EACH_TIME) if in_scope(issue.path)]
        if sorted(map(repr, said)) != sorted(map(repr, issues)):
            self._session.drop_issues(rules=_EACH_TIME, paths=[issue.path for issue in said])
            self._session.add_issues(issues)
            self._recount = True

    def _refuse_sudden_emptiness(self, walk: FileWalk) -> None:
        """A disk that is not mounted looks like a repository in which everything was deleted."""
        request = self._request
        if walk.files or request.allow_empty or request.only or not self._before.get("files_walked"):
            return
        raise Refused(
            f"No file was found where there were {self._before['files_walked']:,}; "
            "if that is right, scan again with --allow-empty."
        )

    def _difference(self, found: Sequence[FoundFile]) -> Difference:
        known = self._session.facts()
        difference = compare(found, known, self._in_scope())
        if self._request.verify:
            return difference._replace(fresh=list(found), unchanged=0)
        if self._changed("max_file_size") and self._before:
            return difference._replace(fresh=self._judged_anew(found, difference.fresh))
        return difference

    def _judged_anew(self, found: Sequence[FoundFile], fresh: Sequence[FoundFile]) -> list[FoundFile]:
        """With those that were too large, and those that are now."""
        limit = self._request.max_file_size
        aside = self._session.set_aside_paths()
        wanted = set(fresh)
        return [f for f in found if f in wanted or f.size > limit or aside.get(f.path) == OVERSIZED]

    def _in_scope(self) -> Callable[[str], bool]:
        """Nodes outside of the folders asked for stay."""
        only = self._request.only
        if not only:
            return lambda _: True
        folders = tuple("" if name in (".", "./") else f"{name.rstrip('/')}/" for name in only)
        return lambda path: path in only or path.startswith(folders)

    def _take_forced(self, found: Sequence[FoundFile]) -> None:
        intake = self._receiver.intake
        forced = set(self._request.force).difference(intake.added, intake.changed)
        if forced:
            self._receiver.take([f for f in found if f.path in forced], tick=lambda _: None, force=True)

    def _take_again(self, files: Sequence[FoundFile]) -> None:
        """Write everything about these anew, although nothing about them changed."""
        intake = self._receiver.intake
        before = list(intake.changed)
        self._receiver.take(files, tick=lambda _: None, force=True)
        intake.changed[:] = before

    def _refresh_virtuals(self) -> None:
        """Virtual nodes are there while a file implies them; where no file was written, none has come or gone."""
        intake = self._receiver.intake
        if self._before and not (intake.ids or intake.removed or intake.lost_targets or self._relink):
            return
        implied: dict[str, tuple[str, str, str, list[str]]] = {}
        for path, kind, provider, title, file in self._session.virtuals():
            implied.setdefault(path, (kind, provider, title, []))[3].append(file)
        self._receiver.put_virtuals({path: _virtual_row(path, *seen) for path, seen in implied.items()})

    def _refresh_texts(self, found: Iterable[FoundFile]) -> None:
        """Outdated rows of the full-text index are left where they are, until there are too many. All are written
        anew where an older version of Cairn put other words into it."""
        rows, current = self._session.text_counts()
        if self._request.only:
            return  # another scan will see all files
        outdated = bool(self._before) and self._changed("texts")
        if outdated or rows - current > max(_STALE_TEXTS, current // 2):
            self._session.clear_texts()
            self._take_again(list(found))

    # --- the links -----------------------------------------------------------------------------------------------

    def resolve(self) -> None:
        relinker = Relinker(
            self._session,
            self._referee,
            self._lens,
            on_disk=self._ports.files.exists,
            reference_paths=self._request.reference_paths,
            emitters=self._reader.emitters,
            symlinks=self._symlinks,
            workers=self._ports.workers,
        )
        if self._reader.referee is not None:
            self._resolve_sketched(relinker)
            return
        ids = None if self._all else self._touched(relinker)
        if ids is not None and not ids and not self._receiver.intake.lost_targets:
            return
        before = set() if ids is None else self._session.resolved_from(ids)
        total = None if ids is None else len(ids)
        done = relinker.run(ids, tick=lambda n: self._ports.progress.step("linking", n, total))
        self._relinked = len(done.sources)
        if ids is None:
            self._dirty = None
        else:
            self._dirty = done.sources | done.targets | before | self._receiver.intake.ids | self._live_lost()
        self._session.settle(self._dirty)

    def _resolve_sketched(self, relinker: Relinker) -> None:
        sketched = self._receiver.sketched
        total = len(sketched)
        self._relinked = relinker.run_sketched(sketched, tick=lambda n: self._ports.progress.step("linking", n, total))
        self._dirty = None
        self._session.settle(None)

    def _live_lost(self) -> set[int]:
        return self._session.living(self._receiver.intake.lost_targets)

    def _touched(self, relinker: Relinker) -> set[int]:
        """Nodes that changed, and those whose links may now lead elsewhere."""
        intake = self._receiver.intake
        paths = {spelling for path in intake.paths for target in spelled_by(path) for spelling in both(target)}
        loose = self._session.loose_targets()
        paths |= {target for target, name, state in loose if state != loose_state(relinker, target, name)}
        names = intake.names | {f"{ROOTED}{ending}" for path in intake.paths for ending in endings(path)}
        linkers = self._session.linkers(paths=paths, names=names) if paths or names else set()
        return intake.ids | linkers | self._relink

    # --- the analyzers -------------------------------------------------------------------------------------------

    def analyse(self) -> None:
        analyzers = [a for a in self._registry.analyzers if a.manifest.phase != "read"]
        stamps = [a.stamp for a in analyzers]
        if self._before.get("analyzers") != stamps:
            self._dirty = None
        intake = self._receiver.intake
        moved = bool(self._dirty is None or self._dirty or intake.paths or intake.names)
        if moved or self._recount:
            analysis = Analysis(self._session, analyzers, self._lens, self._dirty)
            done = analysis.run() if moved else analysis.recount()
            self._failures = done.failures
            self._analyzers = [stamp for stamp in stamps if stamp in done.ran or not done.failures]
            for analyzer in analyzers:
                if analyzer.stamp in done.ran:
                    self._ports.progress.event("analyzer.completed", analyzerId=analyzer.qualified)
        else:
            self._analyzers = stamps
        known = [e.qualified for e in self._registry.extensions if e.enabled]
        if self._before.get("extensions") != known:
            self._session.drop_contributions(keep=known)

    # --- the end -------------------------------------------------------------------------------------------------

    def finish(self, walk: FileWalk, unread: dict[str, int]) -> None:
        intake = self._receiver.intake
        changed = bool(intake.added or intake.changed or intake.removed)
        stamp = self._now if changed or not self._before else self._before.get("changed_at_ms", self._now)
        if changed:
            self._keep_history()
        self._session.set_meta(
            {
                **self._stamps(),
                "providers": [p.stamp for p in self._registry.providers if p.qualified not in self._failed()],
                "unfinished": bool(self._failed() & {e.qualified for e in self._registry.extractors}),
                "analyzers": self._analyzers,
                "extensions": [e.qualified for e in self._registry.extensions if e.enabled],
                "scanned_at_ms": self._now,
                "changed_at_ms": stamp,
                "files_walked": len(walk.files),
                "unread": self._before.get("unread", {}) if self._request.only else unread,
                "texts": self._before.get("texts") if self._request.only and self._before else TEXTS,
            }
        )

    def _failed(self) -> set[str]:
        """Extensions that failed on a file: the next scan asks them again."""
        self._receiver.intake.failures += self._reader.take_failures()
        return {failure.extension for failure in self._receiver.intake.failures}

    def _keep_history(self) -> None:
        """State hangs on paths: it follows a file that moved, and is remembered for one that went."""
        session, matches = self._session, self._matches
        intake = self._receiver.intake
        session.forget_orphans([*intake.added, *(page.path for page in intake.came)])
        renames = [Rename("", m.old, m.new, m.confidence, (), self._now) for m in matches.moves]
        renames += [Rename("", "", a.new, "ambiguous", a.candidates, self._now) for a in matches.ambiguous]
        session.record_renames(renames)
        for move in matches.moves:
            session.move_state(move.old, move.new)
        lost = [gone for gone in matches.orphans if not self._explained(gone.path)]
        session.record_orphans([Orphan(g.path, self._now, g.body_hash, g.frontmatter_hash, 0) for g in lost])

    def _explained(self, path: str) -> bool:
        """A file that is still there was left out (too large, unreadable, ignored); it did not go."""
        files = self._ports.files
        return files.exists(path) or files.ignored(path, self._request.walk(()))

    def report(self, walk: FileWalk, duration_ms: int) -> ScanReport:
        intake = self._receiver.intake
        moved = {(m.old, m.new) for m in self._matches.moves}
        return ScanReport(
            added=tuple(sorted(set(intake.added) - {new for _, new in moved})),
            changed=tuple(sorted(intake.changed)),
            removed=tuple(sorted(set(intake.removed) - {old for old, _ in moved})),
            renamed=tuple(sorted(moved)),
            unchanged=self._unchanged,
            relinked=self._relinked,
            counts=self._ports.store.counts(),
            failures=(*intake.failures, *self._failures),
            files_walked=len(walk.files),
            duration_ms=duration_ms,
            active_provider=self._lens.active,
            providers=tuple(p.id for p in self._registry.providers),
            oversized=tuple(f.path for f in walk.files if f.size > self._request.max_file_size),
        )


def _unread(files: Sequence[FoundFile]) -> dict[str, int]:
    """How many documents there are of each format that is not read."""
    found = [suffix for file in files for suffix in UNREAD if file.path.lower().endswith(suffix)]
    return dict(sorted(Counter(found).items()))


def _emissions(registry: Registry) -> list[tuple[str, str]]:
    """Every pair of extractor and kind of link that a signal may name, so that workers agree on the numbers."""
    return [(extractor.qualified, kind) for extractor in registry.extractors for kind in LINK_KINDS]


def _claims(row: NodeRow) -> tuple[ProviderClaim, ...]:
    return tuple(ProviderClaim(*claim.split("/", 1)) for claim in row.claims.split())


def _virtual_row(path: str, kind: str, provider: str, title: str, files: list[str]) -> NodeRow:
    described = (path, kind, provider, "", title, "", "{}", b"", b"")
    facts = (0, 0, None, 0, 0, 0)
    return NodeRow(
        0,
        *described,
        *facts,
        reserved=0,
        virtual=1,
        derived_from=json.dumps(files),
        external_refs=None,
        external_refs_count=0,
        extractors=0,
        text_id=None,
    )
