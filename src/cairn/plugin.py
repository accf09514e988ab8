"""The public door: all that an extension may import.

Built-in extensions come through here like anybody's. What is not in `__all__` may change without notice.
"""

from typing import TYPE_CHECKING, Any

from cairn.kernel.knowledge.base import KnowledgeBase
from cairn.kernel.knowledge.corpus import Corpus
from cairn.kernel.looking import LensContext, LensManifest
from cairn.kernel.model.contribution import Contribution, View
from cairn.kernel.model.issue import Fix, Issue, Severity
from cairn.kernel.model.link import Link, Occurrence
from cairn.kernel.model.node import ExternalRef, Node, Tag, Triple
from cairn.kernel.model.signal import Candidate, Rejection, Signal
from cairn.kernel.model.wire import issue_json, link_json, node_json
from cairn.kernel.points import (
    ActionManifest,
    AnalyzerContext,
    AnalyzerManifest,
    ExtractorContext,
    ExtractorManifest,
    FormatterContext,
    FormatterManifest,
    HookContext,
    HookManifest,
    KindSpec,
    Plugin,
    Precondition,
    Presentation,
    ProviderManifest,
    Setting,
)
from cairn.kernel.ports.graph import Degree, GraphView, IssueCount, NodeFilter, SharedName
from cairn.kernel.text.document import Document
from cairn.kernel.text.markdown import MarkdownLink
from cairn.kernel.text.outline import DOCUMENTS, format_of
from cairn.kernel.text.outline_parts import PageLink, PageOutline
from cairn.kernel.text.trigger import knowledge_name, normalize_trigger

if TYPE_CHECKING:
    from cairn.kernel.model.finding import Finding, finding_id
    from cairn.kernel.ports.vcs import Commit
    from cairn.kernel.repository.addresses import OnForge
    from cairn.kernel.repository.commands import command_lines
    from cairn.kernel.repository.directory_trees import DirectoryTree, TreeEntry, directory_trees
    from cairn.kernel.repository.imports import Import
    from cairn.kernel.repository.mentions import Mention, is_telling, mentions
    from cairn.kernel.repository.past import FileRemoval, NameRemoval
    from cairn.kernel.repository.proof import Place, Proof, proven
    from cairn.kernel.repository.repository import Repository
    from cairn.kernel.repository.values import OldValue
    from cairn.kernel.scope import scope_of
    from cairn.kernel.text.outline_parts import Block

__all__ = [
    "DOCUMENTS",
    "ActionManifest",
    "AnalyzerContext",
    "AnalyzerManifest",
    "Block",
    "Candidate",
    "Commit",
    "Contribution",
    "Corpus",
    "Degree",
    "DirectoryTree",
    "Document",
    "ExternalRef",
    "ExtractorContext",
    "ExtractorManifest",
    "FileRemoval",
    "Finding",
    "Fix",
    "FormatterContext",
    "FormatterManifest",
    "GraphView",
    "HookContext",
    "HookManifest",
    "Import",
    "Issue",
    "IssueCount",
    "KindSpec",
    "KnowledgeBase",
    "LensContext",
    "LensManifest",
    "Link",
    "MarkdownLink",
    "Mention",
    "NameRemoval",
    "Node",
    "NodeFilter",
    "Occurrence",
    "OldValue",
    "OnForge",
    "PageLink",
    "PageOutline",
    "Place",
    "Plugin",
    "Precondition",
    "Presentation",
    "Proof",
    "ProviderManifest",
    "Rejection",
    "Repository",
    "Setting",
    "Severity",
    "SharedName",
    "Signal",
    "Tag",
    "TreeEntry",
    "Triple",
    "View",
    "command_lines",
    "directory_trees",
    "finding_id",
    "format_of",
    "is_telling",
    "issue_json",
    "knowledge_name",
    "link_json",
    "mentions",
    "node_json",
    "normalize_trigger",
    "proven",
    "scope_of",
]


_LATER = {
    "Finding": "cairn.kernel.model.finding",
    "finding_id": "cairn.kernel.model.finding",
    "Block": "cairn.kernel.text.outline_parts",
    "FileRemoval": "cairn.kernel.repository.past",
    "Mention": "cairn.kernel.repository.mentions",
    "NameRemoval": "cairn.kernel.repository.past",
    "Commit": "cairn.kernel.ports.vcs",
    "OldValue": "cairn.kernel.repository.values",
    "command_lines": "cairn.kernel.repository.commands",
    "DirectoryTree": "cairn.kernel.repository.directory_trees",
    "TreeEntry": "cairn.kernel.repository.directory_trees",
    "directory_trees": "cairn.kernel.repository.directory_trees",
    "Import": "cairn.kernel.repository.imports",
    "OnForge": "cairn.kernel.repository.addresses",
    "scope_of": "cairn.kernel.scope",
    "Place": "cairn.kernel.repository.proof",
    "Proof": "cairn.kernel.repository.proof",
    "Repository": "cairn.kernel.repository.repository",
    "is_telling": "cairn.kernel.repository.mentions",
    "mentions": "cairn.kernel.repository.mentions",
    "proven": "cairn.kernel.repository.proof",
}
"""Names for lenses and for analyzers of the phase `read`. Every scan imports this module and needs none of them."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)
