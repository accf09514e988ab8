"""The issues that a person should see: of the analyzers, of the scan itself, and of what moved or went."""

from collections.abc import Iterable, Mapping, Sequence

from cairn.core.model.issue import Issue, Severity
from cairn.core.ports.store import Store
from cairn.core.registry import Registry
from cairn.errors import NotFound
from cairn.graph.moved_files import HISTORY_RULES, history_issues
from cairn.graph.subgraph import find_node
from cairn.lib.text.nearest import hint

KERNEL_RULES: Mapping[str, str] = {
    "frontmatter-invalid": "The frontmatter does not fit the schema of its kind.",
    "frontmatter-malformed": "There is frontmatter that tools will not see.",
    "frontmatter-parse-error": "The frontmatter is not valid YAML or TOML.",
    "file-binary": "A file that should be text has NUL bytes.",
    "file-changing": "A file did not come to rest while it was read.",
    "file-encoding": "A file is not UTF-8.",
    "file-oversized": "A file is larger than scan.max_file_size_bytes.",
    "file-special": "Something that looks like a document is no regular file.",
    "file-unreadable": "A file or folder cannot be read.",
    "index-stale": "A document that lists the nodes of a base was made of other nodes.",
    "line-too-long": "A line is so long that no tool shows it well.",
    "references-limit": "A file has more references than anybody reads.",
    "lock-invalid": "A cairn.lock cannot be read, so what is known about its pages is not used.",
    "name-case-twin": "Two names differ only in case, which some file systems can't tell apart.",
    "name-deceptive": "A file's name has characters that do not show, or that turn the text around.",
    "name-undecodable": "A file's name is not valid Unicode.",
    "node-limit": "scan.max_nodes left files out.",
    "sentence-in-doubt": "A change of the code made something false that a sentence says.",
    "source-changed": "A source in the repository is not what it was when the page was last found right.",
    "source-missing": "A source in the repository is gone, or what it names in its file is.",
    "source-unread": "A source in the repository could not be read as what it is, so nobody knows whether it changed.",
    "source-unhashed": "Nobody has recorded yet what a source in the repository looked like.",
    "symlink-skipped": "A symbolic link is not followed.",
    "auto-rename-medium": "A file was taken to be another one that moved.",
    "auto-rename-ambiguous": "A file may be one of several that moved.",
    "orphan": "A file is gone and nothing like it came.",
}


def all_issues(store: Store) -> list[Issue]:
    """Worst first, then by path and line."""
    order = list(Severity)
    issues = [*store.issues(), *history_issues(store)]
    return sorted(issues, key=lambda i: (order.index(i.severity), i.path, i.line or 0, i.analyzer, i.message))


def only(store: Store, issues: Iterable[Issue], *, node: str | None, analyzers: Sequence[str]) -> list[Issue]:
    path = None if node is None else find_node(store, node).path
    return [i for i in issues if (path is None or path in i.nodes) and (not analyzers or i.analyzer in analyzers)]


def known_rules(registry: Registry, issues: Iterable[Issue], names: Sequence[str]) -> None:
    """Refuse names of analyzers that nobody has."""
    known = {*rule_texts(registry), *HISTORY_RULES, *(issue.analyzer for issue in issues)}
    for name in names:
        if name not in known:
            raise NotFound(f"There is no analyzer `{name}`; {hint(name, known, '`cairn plugins list` shows them.')}")


def rule_texts(registry: Registry) -> dict[str, str]:
    """What each rule is about."""
    return {**KERNEL_RULES, **{a.id: a.manifest.description for a in registry.analyzers}}
