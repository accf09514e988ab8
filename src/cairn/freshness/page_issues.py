"""Finds what `cairn check` adds to the issues of the scan: sources that drifted, stale indexes, broken locks."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cairn.core.model.graph import Node
from cairn.core.model.issue import Fix, Issue, Severity
from cairn.core.model.knowledge import Corpus, corpus_of
from cairn.core.ports.files import Files, ReadFailed
from cairn.core.ports.graph import NodeFilter
from cairn.core.ports.store import Store
from cairn.errors import ConfigError, EnvironmentProblem
from cairn.freshness.drift import Around, CodeIndex, Reading, build_index, drift
from cairn.freshness.path_sources import Declared, declared_by_lock, declared_in
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.states import WorkTree
from cairn.graph.subgraph import find_node
from cairn.knowledge.base import KnowledgeBase
from cairn.knowledge.lockfile import NAME, Lock, parse_lock

_URL_OF_SOURCE = re.compile(r"sources\[(\d{1,6})\]\.url")


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


def without_vouched(issues: Iterable[Issue], store: Store, env: Mapping[str, str]) -> Iterator[Issue]:
    """Without those about addresses that the operator of this machine lets sources be at. The scan does not know them:
    what it stores must not depend on who ran it."""
    from cairn.app.web_fetcher import ALLOW

    if not env.get(ALLOW):
        yield from issues
        return
    for issue in issues:
        if issue.analyzer != "entry-invalid" or not _is_vouched(issue, store, env):
            yield issue


def of_entries(knowledge: KnowledgeBase, issues: Iterable[Issue]) -> Iterator[Issue]:
    """Frontmatter that is not read is a warning on any page, and an error on a page of knowledge: `lint` and
    `freshness validate` call it one, and whoever looks for the page does not find it."""
    for issue in issues:
        lost = issue.severity is Severity.WARN and issue.analyzer.startswith("frontmatter-")
        yield issue._replace(severity=Severity.ERROR) if lost and _is_entry(knowledge, issue.path) else issue


def _is_entry(knowledge: KnowledgeBase, path: str) -> bool:
    return knowledge.kind(path) is not None and knowledge.layout(path) not in (None, "plain")


def _is_vouched(issue: Issue, store: Store, env: Mapping[str, str]) -> bool:
    field = str((issue.data or {}).get("field", ""))
    return is_vouched_source(env, find_node(store, issue.path).frontmatter, field)


def is_vouched_source(env: Mapping[str, str], frontmatter: Mapping[str, Any], field: str) -> bool:
    """Whether a field is the address of a source that the operator of this machine allows."""
    from cairn.app.web_fetcher import ALLOW, allowed_places
    from cairn.lib.urls.url import refuse_url

    found = _URL_OF_SOURCE.fullmatch(field)
    listed = frontmatter.get("sources") if found and env.get(ALLOW) else None
    at = int(found[1]) if found else 0
    item = listed[at] if isinstance(listed, list) and at < len(listed) else None
    url = item.get("url") if isinstance(item, dict) else None
    return isinstance(url, str) and refuse_url(url, allow=allowed_places(env)) is None


def drift_issues(ports: FreshnessPorts) -> list[Issue]:
    """Computed here and now; a workspace without declared path sources pays nothing for it."""
    locks, broken = read_locks(ports.files, ports.corpora)
    found = list(declared_sources(ports, locks))
    drifted = drift(found, Around(ports.files, ports.vcs, lambda: code_index(ports), ports.probe)) if found else []
    return [*broken, *drifted]


def code_index(ports: FreshnessPorts) -> CodeIndex:
    """Everything that the files of the repository define now."""
    return build_index(WorkTree(ports.files), store=ports.store, reading=_reading(ports))


def _reading(ports: FreshnessPorts) -> Reading:
    return Reading(ports.probe, ports.workers)


def declared_sources(ports: FreshnessPorts, locks: Mapping[str, Lock]) -> Iterator[Declared]:
    """In the pages, and in the lock files of corpora whose pages stay untouched."""
    for node in knowledge_nodes(ports.store, ports.corpora):
        corpus = corpus_of(node.path, ports.corpora)
        if corpus is not None and corpus.name in locks:
            record = locks[corpus.name].pages.get(corpus.inside(node.path))
            yield from declared_by_lock(node.path, node.frontmatter, record)
        else:
            yield from declared_in(node.path, node.frontmatter)


def read_locks(files: Files, corpora: Iterable[Corpus]) -> tuple[dict[str, Lock], list[Issue]]:
    """By corpus; one that cannot be read is an issue of its own, and as good as empty."""
    locks: dict[str, Lock] = {}
    broken: list[Issue] = []
    for corpus in corpora:
        if corpus.layout == "plain":
            try:
                locks[corpus.name] = parse_lock(lock_text(files, corpus), lock_file(corpus))
            except ConfigError as error:
                locks[corpus.name] = Lock()
                said = str(error.details["said"])
                message = said[:1].upper() + said[1:]
                broken.append(
                    Issue("lock-invalid", Severity.ERROR, (lock_file(corpus),), message, error.details["line"])
                )
    return locks, broken


def lock_file(corpus: Corpus) -> str:
    return posixpath.join(corpus.root, NAME)


def lock_text(files: Files, corpus: Corpus) -> str:
    """Empty when there is none yet."""
    try:
        data = files.read(lock_file(corpus))[0]
    except ReadFailed as error:
        if error.rule != "file-vanished":
            raise EnvironmentProblem(str(error)) from None
        return ""
    return data.decode("utf-8", "replace")


def knowledge_nodes(store: Store, corpora: Iterable[Corpus]) -> Iterator[Node]:
    """The pages of all corpora, each once."""
    seen: set[str] = set()
    for corpus in corpora:
        wanted = NodeFilter(path_glob=f"{corpus.root}/*" if corpus.root else None)
        for node in store.find_nodes(wanted):
            if not node.virtual and node.path not in seen:
                seen.add(node.path)
                yield node
