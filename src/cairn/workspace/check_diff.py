"""Surveys a change: chooses the two states and the documents that `cairn check --diff` compares.

Imports inside functions keep start-up within its bar: most changes need few of them.
"""

import posixpath
from typing import TYPE_CHECKING

from cairn.core.model.knowledge import Corpus
from cairn.core.scope import Scope
from cairn.errors import ConfigError
from cairn.freshness.diff.survey import SurveyOptions, SurveyResult, survey
from cairn.freshness.states import RepositoryState, StateSpan, span_of, staged_span
from cairn.knowledge.corpora import configured, with_a_place_to_write
from cairn.knowledge.serving_status import page_scope
from cairn.lib.document.document import format_of
from cairn.workspace.ports import WorkspacePorts

if TYPE_CHECKING:
    from cairn.freshness.ask_diff import JudgedMentions
    from cairn.freshness.path_sources import DeclaredSource
    from cairn.jobs.ask import ReadNow


def look_at_diff(
    ports: WorkspacePorts,
    revision: str | None,
    *,
    node: str | None = None,
    everything: bool = False,
    mentions: bool = False,
) -> SurveyResult:
    """What the change since a revision puts in doubt, in all current documents or in one of any scope; without a
    revision, what is staged. `everything` includes the documents that are left out by scope. No scan is needed: the
    documents are those that stand at the end of the change."""
    return _surveyed(ports, _span(ports, revision), node, everything, mentions=mentions)


def judge_diff(
    ports: WorkspacePorts,
    revision: str | None,
    reader: "ReadNow | None",
    *,
    node: str | None = None,
    everything: bool = False,
) -> "JudgedMentions":
    """The same, and whether sentences that name something that changed still hold, as readers answered."""
    from cairn.freshness.ask_diff import judge_mentions

    span = _span(ports, revision)
    found = _surveyed(ports, span, node, everything, mentions=True, ranked=True)
    return judge_mentions(ports, found, span, reader)


def _span(ports: WorkspacePorts, revision: str | None) -> StateSpan:
    return staged_span(ports.vcs) if revision is None else span_of(ports.vcs, revision)


def _surveyed(
    ports: WorkspacePorts,
    span: StateSpan,
    node: str | None,
    everything: bool,
    *,
    mentions: bool,
    ranked: bool = False,
) -> SurveyResult:
    only = _document_named(ports, node, span) if node is not None else None
    corpora = with_a_place_to_write(
        configured(ports.settings)
    )  # to find others takes a walk over the work tree, which may be another state

    def is_wanted(path: str, head: str) -> bool:
        if only is not None:
            return path == only
        return everything or page_scope(path, corpora, head) is Scope.CURRENT

    options = SurveyOptions(lambda state: _locked(ports, state), ports.probe, mentions, ranked, project=ports.root.name)
    return survey(span, ports.trees if span.new else ports.vcs, ports.files, is_wanted, options)


def _document_named(ports: WorkspacePorts, name: str, span: StateSpan) -> str:
    """The path of the document that a person means: one that is there at the end of the change, or a name that the last
    scan knows."""
    path = name.removeprefix("./")
    there = ports.files.exists(path) if span.new is None else path in ports.vcs.files(span.new)
    if format_of(path) and there:
        return path
    from cairn.graph.subgraph import find_node

    return find_node(ports.scanned_store(), name).path


def _locked(ports: WorkspacePorts, state: RepositoryState) -> "list[DeclaredSource]":
    """The sources that lock files declare at some moment. One that can't be read is reported by `cairn check`."""
    if not any(path.endswith("cairn.lock") for path in state.facts()):
        return []
    from cairn.knowledge.lockfile import lock_file

    found: list[DeclaredSource] = []
    for corpus in ports.corpora:
        if corpus.layout == "plain" and (data := state.read([lock_file(corpus)]).get(lock_file(corpus))):
            found += _declared(corpus, data)
    return found


def _declared(corpus: Corpus, data: bytes) -> "list[DeclaredSource]":
    from cairn.freshness.path_sources import declared_by_lock
    from cairn.knowledge.lockfile import parse_lock

    try:
        lock = parse_lock(data.decode("utf-8", "replace"), corpus.name)
    except ConfigError:
        return []
    pages = ((posixpath.join(corpus.root, inside), record) for inside, record in lock.pages.items())
    return [one for path, record in pages for one in declared_by_lock(path, {}, record) if one.locked]
