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

__all__ = [
    "DOCUMENTS",
    "ActionManifest",
    "AnalyzerContext",
    "AnalyzerManifest",
    "Candidate",
    "Contribution",
    "Corpus",
    "Degree",
    "Document",
    "ExternalRef",
    "ExtractorContext",
    "ExtractorManifest",
    "Finding",
    "Fix",
    "FormatterContext",
    "FormatterManifest",
    "GraphView",
    "HookContext",
    "HookManifest",
    "Issue",
    "IssueCount",
    "KindSpec",
    "KnowledgeBase",
    "LensContext",
    "LensManifest",
    "Link",
    "MarkdownLink",
    "Node",
    "NodeFilter",
    "Occurrence",
    "PageLink",
    "PageOutline",
    "Plugin",
    "Precondition",
    "Presentation",
    "ProviderManifest",
    "Rejection",
    "Setting",
    "Severity",
    "SharedName",
    "Signal",
    "Tag",
    "Triple",
    "View",
    "finding_id",
    "format_of",
    "issue_json",
    "knowledge_name",
    "link_json",
    "node_json",
    "normalize_trigger",
]


def __getattr__(name: str) -> Any:
    """Findings are for lenses, and every scan imports this module."""
    if name not in ("Finding", "finding_id"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cairn.kernel.model import finding

    return getattr(finding, name)
