"""The public door: all that an extension may import.

Built-in extensions come through here like anybody's. What is not in `__all__` may change without notice.
"""

from typing import TYPE_CHECKING, Any

from cairn.core.extension_points import (
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
from cairn.core.model.graph import (
    Candidate,
    Contribution,
    ExternalRef,
    Link,
    Node,
    Occurrence,
    Rejection,
    Signal,
    Tag,
    Triple,
    View,
    issue_json,
    link_json,
    node_json,
)
from cairn.core.model.issue import Fix, Issue, Severity
from cairn.core.model.knowledge import Corpus
from cairn.core.model.lens import LensContext, LensManifest
from cairn.core.ports.graph import Degree, GraphView, IssueCount, NodeFilter, SharedName
from cairn.knowledge.base import KnowledgeBase
from cairn.lib.document.document import DOCUMENTS, Document, format_of
from cairn.lib.document.parts import PageLink, PageOutline
from cairn.lib.markdown.outline import MarkdownLink
from cairn.lib.text.names import knowledge_name, normalize_trigger

if TYPE_CHECKING:
    from cairn.core.model.issue import Place, Proof, proven
    from cairn.core.model.lens import Finding, finding_id
    from cairn.core.ports.vcs import Commit
    from cairn.core.repository.code import Mention, is_telling, mentions
    from cairn.core.repository.code_blocks import DirectoryTree, Import, TreeEntry, command_lines, directory_trees
    from cairn.core.repository.deletions import FileRemoval, NameRemoval, OldValue
    from cairn.core.repository.repository import Repository
    from cairn.core.repository.tree import OnForge
    from cairn.core.scope import scope_of
    from cairn.lib.document.parts import Block

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
    "Finding": "cairn.core.model.lens",
    "finding_id": "cairn.core.model.lens",
    "Block": "cairn.lib.document.parts",
    "FileRemoval": "cairn.core.repository.deletions",
    "Mention": "cairn.core.repository.code",
    "NameRemoval": "cairn.core.repository.deletions",
    "Commit": "cairn.core.ports.vcs",
    "OldValue": "cairn.core.repository.deletions",
    "command_lines": "cairn.core.repository.code_blocks",
    "DirectoryTree": "cairn.core.repository.code_blocks",
    "TreeEntry": "cairn.core.repository.code_blocks",
    "directory_trees": "cairn.core.repository.code_blocks",
    "Import": "cairn.core.repository.code_blocks",
    "OnForge": "cairn.core.repository.tree",
    "scope_of": "cairn.core.scope",
    "Place": "cairn.core.model.issue",
    "Proof": "cairn.core.model.issue",
    "Repository": "cairn.core.repository.repository",
    "is_telling": "cairn.core.repository.code",
    "mentions": "cairn.core.repository.code",
    "proven": "cairn.core.model.issue",
}
"""Names for lenses and for analyzers of the phase `read`. Every scan imports this module and needs none of them."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)
