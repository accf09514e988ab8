"""What `cairn check` looks at: the issues of the scan, sources that drifted, and what a change puts in doubt."""

from collections.abc import Iterator

from cairn.app.build import App
from cairn.freshness.code_index import CodeIndex, build_index
from cairn.freshness.declared import Declared, declared_in
from cairn.freshness.drift import Around, drift, worst_first
from cairn.freshness.states import WorkTree, span_of, staged_span
from cairn.freshness.survey import Ports, Survey, survey
from cairn.kernel.model.issue import Issue
from cairn.kernel.model.node import Node
from cairn.kernel.ports.graph import NodeFilter
from cairn.workspace.findings import all_issues
from cairn.workspace.subgraph import find_node


def issues_now(app: App) -> list[Issue]:
    """Of the last scan, and of sources that changed since somebody looked; worst first."""
    return list(worst_first([*all_issues(app.store), *drift_issues(app)]))


def drift_issues(app: App) -> list[Issue]:
    """Computed here and now; a workspace without declared path sources pays nothing for it."""
    found = list(declared_sources(app))
    return drift(found, Around(app.files, app.vcs, lambda: code_index(app))) if found else []


def code_index(app: App) -> CodeIndex:
    """Everything that the files of the repository define now."""
    return build_index(WorkTree(app.files), store=app.store, workers=app.workers)


def declared_sources(app: App) -> Iterator[Declared]:
    for node in knowledge_nodes(app):
        yield from declared_in(node.path, node.frontmatter)


def knowledge_nodes(app: App) -> Iterator[Node]:
    """The pages of all corpora, each once."""
    seen: set[str] = set()
    for corpus in app.corpora:
        wanted = NodeFilter(path_glob=f"{corpus.root}/*" if corpus.root else None)
        for node in app.store.find_nodes(wanted):
            if not node.virtual and node.path not in seen:
                seen.add(node.path)
                yield node


def look_at_diff(app: App, revision: str | None, *, node: str | None = None) -> Survey:
    """What the change since a revision puts in doubt, in all documents or in one; without a revision, what is
    staged."""
    span = staged_span(app.vcs) if revision is None else span_of(app.vcs, revision)
    nodes = app.store.nodes() if node is None else [find_node(app.store, node)]
    documents = [one.path for one in nodes if not one.virtual]
    return survey(span, documents, Ports(app.files, app.vcs, app.store, app.workers))
