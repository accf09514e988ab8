"""Gathers what `check`, `scan`, `status`, `try` and SARIF report: one list, computed in one place.

Issues of the scan are joined with sources that drifted and with the results of the phase `read`. Each issue gets the
scope of its document; people see those about current documents.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.core.model.issue import Fix, Issue, Severity
from cairn.core.model.knowledge import corpus_of
from cairn.core.ports.runtime import Progress
from cairn.core.repository.repository import Repository
from cairn.core.scope import Scope, is_for_agents
from cairn.errors import CairnError
from cairn.freshness.ports import FreshnessPorts
from cairn.graph.findings.visible import left_out, left_out_by_scope
from cairn.graph.run_scan import ScanResult, failure_sentences
from cairn.knowledge.base import KnowledgeBase
from cairn.lib.code.read import GRAMMARS
from cairn.lib.document.document import format_of
from cairn.lib.text.parse_json import parse_json
from cairn.version import __version__
from cairn.workspace.ports import WorkspacePorts

if TYPE_CHECKING:
    from cairn.core.registry import ExtensionFailure

NEVER_PRINTED = frozenset(
    {"reference-redundant", "extractor-collision", "symlink-skipped", "contribution-orphan", "unknown-slot"}
)
"""Of the specification that Cairn follows. They report ordinary Markdown, and stay in the graph's own JSON."""


class Findings(NamedTuple):
    issues: tuple[Issue, ...]
    """About current documents, worst first."""
    aside: tuple[tuple[Scope, Issue], ...]
    """About documents that are left out by their scope."""
    not_checked: tuple[str, ...]
    """Checks that were not made, each with the reason."""
    failures: "tuple[ExtensionFailure, ...]" = ()
    looked: Mapping[str, int] = {}
    """How many documents, files and commits were read."""
    unread: tuple[str, ...] = ()
    """Documents that were not read, with counts by reason; empty if all were read."""
    timings: tuple[tuple[str, float], ...] = ()
    """Each stage with its seconds; empty if the answer came from the cache."""
    scopes: Mapping[str, Scope] = {}
    """By path, of documents among `issues` that are not current: with `--all` only."""
    documents_aside: Mapping[Scope, int] = {}
    """Documents that are left out, by scope."""

    def scope(self, issue: Issue) -> Scope:
        return self.scopes.get(issue.path, Scope.CURRENT)

    @property
    def left_out(self) -> str:
        """The documents that are left out, with their errors and warnings; empty if there are none."""
        return left_out_by_scope(self.documents_aside, Counter(scope for scope, issue in self.aside if _counts(issue)))

    @property
    def failed(self) -> tuple[str, ...]:
        """Checks that failed, each with the reason."""
        return tuple(f"{failure.extension} (it failed: {failure.message})" for failure in self.failures)


def gather(ports: WorkspacePorts, *, everything: bool = False, progress: Progress | None = None) -> Findings:
    """`everything` includes the documents that are left out by scope. Answered from the cache as long as neither the
    scan nor the work tree nor the history changed."""
    stored = [_weighed(ports, issue) for issue in stored_issues(ports) if not _is_ordinary(issue)]
    state = ports.work_tree_stamp()
    stamp = "" if state is None else _stamp(ports, stored, state, everything=everything)
    kept = ports.store.cached(_CACHED, stamp) if stamp else None
    if kept is not None and (found := _unpacked(kept)):
        return found
    found = _computed(ports, stored, everything=everything, progress=progress)
    if stamp and not found.failures:
        _keep(ports, stamp, found)
    return found


def _is_ordinary(issue: Issue) -> bool:
    """Whether it reports ordinary Markdown, such as the handle of a person."""
    called = issue.analyzer == "reference-broken" and (issue.data or {}).get("kind") in ("mentions", "invokes")
    handle = called and issue.severity is Severity.INFO and not is_for_agents(issue.path)
    return handle or issue.analyzer in NEVER_PRINTED


_HARMLESS = frozenset(
    {"file-encoding", "file-binary", "file-oversized", "name-reserved", "line-too-long", "link-kind-conflict"}
)
_KEY_LOST = "frontmatter-parse-error"
_FRONTMATTER = frozenset({_KEY_LOST, "frontmatter-malformed"})
_UNREAD = frozenset({"file-binary", "file-oversized", "file-unreadable"})


def _weighed(ports: WorkspacePorts, issue: Issue) -> Issue:
    """For a reader of the repository. Odd bytes and names that a host has, too, break nothing. A key that no parser of
    YAML reads is lost: an error where hosts or Cairn need it. Other flaws of frontmatter count only there."""
    if issue.analyzer in _HARMLESS or _is_advice(issue):
        return issue._replace(severity=Severity.INFO)
    if issue.analyzer not in _FRONTMATTER or issue.severity is not Severity.WARN:
        return issue
    corpus = corpus_of(issue.path, ports.corpora)
    read_here = is_for_agents(issue.path) or (corpus is not None and corpus.layout != "plain")
    if issue.analyzer == _KEY_LOST:
        return issue._replace(severity=Severity.ERROR) if read_here else issue
    return issue if read_here else issue._replace(severity=Severity.INFO)


def _is_advice(issue: Issue) -> bool:
    """Whether hosts accept a file without a field that they recommend."""
    return issue.analyzer == "schema-violation" and (issue.data or {}).get("missing") == ["description"]


def every_issue(ports: WorkspacePorts) -> list[Issue]:
    """Also those about documents that are left out by their scope; for a page about one node."""
    found = gather(ports)
    return [*found.issues, *(issue for _, issue in found.aside)]


def for_people(ports: WorkspacePorts, *, notes: bool = False, named: str | None = None) -> tuple[Issue, ...]:
    """What `check` prints: errors and warnings about current documents. Notes too if they are wanted, or if they are of
    the analyzer that somebody named."""
    return tuple(issue for issue in gather(ports).issues if notes or _counts(issue) or issue.analyzer == named)


def _counts(issue: Issue) -> bool:
    return issue.severity is not Severity.INFO


def _computed(ports: WorkspacePorts, stored: list[Issue], *, everything: bool, progress: Progress | None) -> Findings:
    from cairn.graph.analysis import run_read_phase
    from cairn.graph.findings.broken_links import explained, links_in_tags, report_unchecked, with_evidence
    from cairn.graph.findings.visible import without_habits

    now = ports.clock.monotonic
    started = now()
    repository = repository_of(ports, everything=everything)
    commits = len(repository.history.commits)
    history = ((f"history ({commits:,} commits)", now() - started),)
    read = run_read_phase(ports.registry, repository, progress, now)
    started = now()
    current = [issue for issue in stored if repository.tree.is_current(issue.path)]
    others = [issue for issue in stored if not repository.tree.is_current(issue.path)]
    # Apart, so that no finding has places in documents that are left out.
    shown = explained([*current, *links_in_tags(repository)], repository)
    report_unchecked(repository, shown)
    issues = [with_evidence(issue, repository.tree) for issue in (*shown, *explained(others, repository))]
    issues = without_habits([*issues, *read.issues])
    found = sorted_by_scope(issues, repository, tuple(read.failures), everything=everything)
    not_read = {issue.path for issue in stored if issue.analyzer in _UNREAD}
    documents = Counter(_scope(repository, path) for path in repository.tree.documents if path not in not_read)
    return found._replace(
        not_checked=(*found.not_checked, *missing_grammars(repository.tree.paths)),
        looked={**found.looked, "documents": documents.pop(Scope.CURRENT, 0)},
        documents_aside=documents,
        unread=unread(ports),
        timings=(*history, *read.timings, ("broken links and scopes", now() - started)),
    )


def _scope(repository: Repository, path: str) -> Scope:
    """As far as this check is concerned: with `--all`, every document counts as current."""
    return Scope.CURRENT if repository.tree.is_current(path) else repository.tree.scope(path)


# --- the cache ------------------------------------------------------------------------------------------------------

_CACHED = "findings"


def _stamp(ports: WorkspacePorts, stored: list[Issue], state: str, *, everything: bool) -> str:
    """Of everything that the findings are computed from."""

    analyzers = [loaded.stamp for loaded in ports.registry.analyzers]
    walk = ports.scan_request().walk(())
    parts = (__version__, analyzers, stored, state, everything, walk, grammars_installed())
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _keep(ports: WorkspacePorts, stamp: str, found: Findings) -> None:
    """A checkout that can't be written to is read all the same."""
    body = [
        [_packed(issue) for issue in found.issues],
        [[scope, _packed(issue)] for scope, issue in found.aside],
        found.not_checked,
        dict(found.looked),
        found.unread,
        dict(found.scopes),
        dict(found.documents_aside),
    ]
    with suppress(CairnError):
        ports.store.keep_cached(_CACHED, stamp, json.dumps(body, ensure_ascii=False))


def _packed(issue: Issue) -> list[Any]:
    return [*issue[:6], list(issue.fix) if issue.fix else None, issue.data and dict(issue.data)]


def _unpacked(body: str) -> Findings | None:
    """None if another version wrote it."""
    try:
        issues, aside, not_checked, looked, unread, scopes, documents = parse_json(body)
        found = tuple(_issue(row) for row in issues)
        beside = tuple((Scope(scope), _issue(row)) for scope, row in aside)
        by_path = {path: Scope(scope) for path, scope in scopes.items()}
        by_scope = {Scope(scope): number for scope, number in documents.items()}
        return Findings(found, beside, tuple(not_checked), (), looked, tuple(unread), (), by_path, by_scope)
    except (ValueError, TypeError, AttributeError):
        return None


def _issue(row: list[Any]) -> Issue:
    analyzer, severity, nodes, message, line, detail, fix, data = row
    return Issue(analyzer, Severity(severity), tuple(nodes), message, line, detail, Fix(*fix) if fix else None, data)


# --- the parts ------------------------------------------------------------------------------------------------------


def repository_of(ports: WorkspacePorts, *, everything: bool = False) -> Repository:
    walk = ports.scan_request().walk(())
    return Repository(ports.files, ports.history(), walk, everything=everything, corpora=ports.corpora)


def stored_issues(ports: WorkspacePorts) -> list[Issue]:
    """Of the last scan, of sources that changed since somebody looked, and of generated documents."""
    from cairn.freshness.drift import drift_issues
    from cairn.graph.findings.visible import all_issues
    from cairn.knowledge.allowlist import without_vouched
    from cairn.workspace.findings import index_issues, of_entries

    stored = of_entries(ports.knowledge, without_vouched(all_issues(ports.store), ports.store, ports.env))
    return [*stored, *drift_issues(ports), *index_issues(ports)]


def sorted_by_scope(
    issues: Iterable[Issue], repository: Repository, failures: "tuple[ExtensionFailure, ...]", *, everything: bool
) -> Findings:
    from cairn.freshness.drift import worst_first

    kept: list[Issue] = []
    aside: list[tuple[Scope, Issue]] = []
    scopes: dict[str, Scope] = {}
    for issue in worst_first(issues):
        scope = repository.tree.scope(issue.path)
        if everything or scope is Scope.CURRENT:
            kept.append(issue)
            if scope is not Scope.CURRENT:
                scopes[issue.path] = scope
        else:
            aside.append((scope, issue))
    too_much = (
        ["removals of code (the repository has more code than Cairn reads)"] if repository.code.incomplete else []
    )
    not_checked = [*_without_history(repository), *repository.not_checked, *too_much]
    return Findings(tuple(kept), tuple(aside), tuple(not_checked), failures, _looked(repository), scopes=scopes)


def _without_history(repository: Repository) -> list[str]:
    """Names the checks that need more history than there is."""
    missing, lacking = repository.history.missing, repository.history.lacking
    checks = "removals of code, files and commands, and outdated versions"
    found = [f"{'earlier ' if repository.past.known else ''}{checks} ({missing})"] if missing else []
    if lacking:
        found.append(f"some {checks} (this clone lacks {lacking:,} old version{'s' if lacking > 1 else ''} of files)")
    return found


def _looked(repository: Repository) -> dict[str, int]:
    return {"files": len(repository.tree.paths), "commits": repository.history.number}


def as_checked(ports: WorkspacePorts, scanned: ScanResult, progress: Progress | None = None) -> ScanResult:
    """With the counts of `cairn check`. The counts that are stored and recorded are those of the scan alone, because
    they don't depend on history or on who ran the scan."""
    found = gather(ports, progress=progress)
    words = {Severity.ERROR: "errors", Severity.WARN: "warnings", Severity.INFO: "infos"}
    counts = {word: sum(issue.severity is severity for issue in found.issues) for severity, word in words.items()}
    report = scanned.report._replace(counts={**scanned.report.counts, **counts})
    return replace(
        scanned,
        report=report,
        warnings=(*scanned.warnings, *failure_sentences(found.failures)),
        unread="; ".join(found.unread),
        documents=found.looked["documents"],
        left_out=found.left_out,
    )


_OUTPUT = frozenset(("build", "dist", "out", "target"))
"""Folders that are ignored by default because programs write them; some projects keep their documents there."""


def unread(ports: WorkspacePorts) -> tuple[str, ...]:
    committed = _committed(ports)
    return (*left_out(ports.store), *_in_plain_text(committed), *_ignored_by_default(ports, committed))


def _committed(ports: WorkspacePorts) -> Sequence[str]:
    try:
        return ports.vcs.files("HEAD") if ports.vcs.root() else ()
    except CairnError:
        return ()  # nothing is committed yet


def _in_plain_text(committed: Sequence[str]) -> Iterator[str]:
    """Pages of Sphinx that end with `.txt`, which only its configuration tells from other text."""
    known = frozenset(committed)
    roots = [path.removesuffix("conf.py") for path in committed if path.rpartition("/")[2] == "conf.py"]
    for root in (root for root in roots if f"{root}index.txt" in known):
        pages = sum(path.startswith(root) and path.endswith(".txt") for path in committed)
        yield f"not read: {pages:,} .txt {'file' if pages == 1 else 'files'} below {root or './'}"


def _ignored_by_default(ports: WorkspacePorts, committed: Sequence[str]) -> list[str]:
    """Committed documents below a folder such as `doc/build/`."""
    folders = Counter(folder for path in committed if (folder := _output_folder(path)) and format_of(path))
    request = ports.scan_request().walk(())
    return [
        f"not read: {number:,} {'document' if number == 1 else 'documents'} below {folder} "
        f"(ignored by default; `!{folder}` in .cairnignore reads them)"
        for folder, number in sorted(folders.items())
        if ports.files.ignored(f"{folder}index.rst", request)
    ]


def _output_folder(path: str) -> str:
    """The outermost folder of that kind, with a slash at the end; empty when the path has none."""
    folders = path.split("/")[:-1]
    at = next((index for index, name in enumerate(folders) if name in _OUTPUT), None)
    return "" if at is None else "/".join(folders[: at + 1]) + "/"


_PACK = "tree_sitter_language_pack"
_ENOUGH = 3
"""Files."""
_SHOWN = 3


def grammars_installed() -> bool:
    try:
        return find_spec(_PACK) is not None
    except ValueError:  # somebody switched it off in this process
        return False


def missing_grammars(paths: Collection[str]) -> list[str]:
    """`functions and settings in TypeScript and Go (312 files), which need …`; empty if nothing is missing."""
    if grammars_installed():
        return []
    from cairn.lib.code.languages import LANGUAGES

    suffixes = Counter(path.rpartition(".")[2].lower() for path in paths)
    languages = ((GRAMMARS.get(suffix), number) for suffix, number in suffixes.items())
    files = Counter(LANGUAGES[language].title for language, number in languages if language for _ in range(number))
    least = _least(paths, files.total() + suffixes["py"])
    many = [(title, number) for title, number in files.most_common() if number >= least]
    if not many:
        return []
    total = sum(number for _, number in many)
    return [f"definitions in {_listed([title for title, _ in many])} ({total:,} file{'s' * (total > 1)}; {_INSTALL})"]


def _least(paths: Collection[str], code: int) -> int:
    """Of a small project with a manifest, most of its files. One script does not make a repository one of its
    language."""
    from cairn.core.repository.code import MANIFESTS

    has_manifest = any(path.rpartition("/")[2] in MANIFESTS for path in paths)
    return min(_ENOUGH, code // 2 + 1) if has_manifest else _ENOUGH


_INSTALL = "they need the extra `code`: `pip install 'cairn-kb[code]'`"


def _listed(titles: list[str]) -> str:
    shown = titles if len(titles) <= _SHOWN else [*titles[: _SHOWN - 1], f"{len(titles) - _SHOWN + 1} more languages"]
    return " and ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else shown[0]


def index_issues(ports: FreshnessPorts) -> list[Issue]:
    """Documents of bases that are not those of their nodes; that there are none is nobody's mistake. Nothing is read,
    or imported, where there is no base."""
    if not any(corpus.layout == "nodes" for corpus in ports.corpora):
        return []
    from cairn.curate.index_documents import stale_documents

    fix = Fix("Run `cairn index rebuild`.")
    return [
        Issue("index-stale", Severity.WARN, stale.paths, f"{stale.why}.", 1, fix=fix)
        for stale in stale_documents(ports)
        if not stale.missing
    ]


def of_entries(knowledge: KnowledgeBase, issues: Iterable[Issue]) -> Iterator[Issue]:
    """Frontmatter that is not read is a warning on any page, and an error on a page of knowledge: `lint` and
    `freshness validate` call it one, and whoever looks for the page does not find it."""
    for issue in issues:
        lost = issue.severity is Severity.WARN and issue.analyzer.startswith("frontmatter-")
        yield issue._replace(severity=Severity.ERROR) if lost and _is_entry(knowledge, issue.path) else issue


def _is_entry(knowledge: KnowledgeBase, path: str) -> bool:
    return knowledge.kind(path) is not None and knowledge.layout(path) not in (None, "plain")
