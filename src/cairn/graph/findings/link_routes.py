"""Decides whether a broken link of the scan is broken for its readers, as its site, its forge or an agent sees it."""

import re
from posixpath import dirname, normpath

from cairn.core.model.issue import Issue, Severity
from cairn.core.repository.repository import Repository, docs_folder
from cairn.core.scope import is_for_agents
from cairn.lib.document.document import format_of
from cairn.lib.site import FoundTarget, MissingTarget, UnknownTarget

_AT_ROOT = "the path starts at the root of the repository"
_LEAVES = "the link leaves the folder of documents for one that never existed"
IGNORED = "git ignores this path, so it may exist elsewhere"
_SERVED = "a page of this path stands below another folder, from which a site may be served"
FEW_WORK = "few links of this form lead to a file here"
_FILLED_IN = re.compile(r"\$\{\w+\}|\{\{.{0,300}?\}\}|<%.{0,300}?%>|\{%.{0,300}?%\}")
"""Something that a template fills in."""
_INSTRUCTIONS = re.compile(r"(?!.*(?:^|/)(?:skills|plugins|templates|examples?)/)(?:.*/)?(?:AGENTS|CLAUDE|GEMINI)\.md")
_FILE = re.compile(r".*\.\w{1,8}")
_OF_PROJECT = re.compile(r"[\w-]+:")
"""The name of another project before the name of its page."""


def target_of(issue: Issue) -> str:
    return str((issue.data or {})["target"])


def written_in(issue: Issue) -> str:
    """The target as the document has it, without its anchor."""
    return str((issue.data or {}).get("trigger", "")).partition("#")[0]


def instructs(path: str) -> bool:
    """Whether a file tells agents how to work in this repository."""
    return _INSTRUCTIONS.fullmatch(path) is not None


def from_root(issues: list[Issue]) -> list[str]:
    """Targets that start at the root of the repository, as agents resolve them."""
    written = (written_in(issue).removeprefix("@") for issue in issues if _agents_read(issue.path))
    return [normpath(path) for path in written if path and not path.startswith((".", "/"))]


def routed(issue: Issue, repository: Repository) -> Issue | None:
    """None if the link leads to a file; with a `detail` that says why nobody can know; else with the file that is
    missing."""
    reason = _doubt(issue, repository)
    if reason:
        return as_note(issue, reason)
    is_import = written_in(issue).startswith("@") and not written_in(issue).startswith("@site/")
    if is_import or format_of(issue.path) not in ("markdown", "mdx") or "page" in (issue.data or {}):
        return issue
    return _followed(issue, repository)


def as_note(issue: Issue, reason: str) -> Issue:
    return issue._replace(severity=Severity.INFO, detail=reason)


def _followed(issue: Issue, repository: Repository) -> Issue | None:
    written, past = written_in(issue), repository.past
    route = repository.links.follow(issue.path, written)
    if isinstance(route, FoundTarget):
        return None
    target = route.tried[0] if isinstance(route, MissingTarget) and written.startswith("/") else target_of(issue)
    removed = past.removed_file(target)
    if repository.links.site(issue.path) is None and _is_served_below(written, repository):
        return as_note(issue, _SERVED)
    if removed is None and isinstance(route, UnknownTarget):
        return as_note(issue, route.reason)
    if removed is None and _leaves_documents(issue.path, target, repository):
        return as_note(issue, IGNORED if past.ignored([target]) else _LEAVES)
    if removed is None and not repository.forms.works(issue.path, written):
        return as_note(issue, FEW_WORK)
    proven = removed or repository.links.site(issue.path) or (_FILE.fullmatch(target) and not docs_folder(issue.path))
    severity = Severity.ERROR if proven else issue.severity
    return issue._replace(severity=severity, detail=None, data={**(issue.data or {}), "target": target})


def _is_served_below(written: str, repository: Repository) -> bool:
    """Whether a page stands at a path from the root, below some other folder."""
    path = written.strip("/")
    ends = tuple(f"/{path}{suffix}" for suffix in ("", ".md", ".mdx", "/index.md", "/index.mdx"))
    return written.startswith("/") and bool(path) and any(page.endswith(ends) for page in repository.tree.documents)


def _leaves_documents(source: str, target: str, repository: Repository) -> bool:
    """Whether a link from a folder of documents leads to another outermost folder, which does not exist: sites have
    such addresses, for older versions and other products."""
    home, first = docs_folder(source), target.partition("/")[0]
    return bool(home) and "/" in target and first != home and not repository.tree.exists(first)


def _doubt(issue: Issue, repository: Repository) -> str:
    """Why a link may be meant otherwise; empty if nothing says so."""
    if _FILLED_IN.search(repository.place(issue.path, issue.line or 1).text):
        return "the line belongs to a template"
    if written_in(issue).startswith("@") and _is_at_root(issue, repository):
        return _AT_ROOT
    if ".docc/" in issue.path:
        return "DocC finds files by their name"
    page = "page" in (issue.data or {})
    if page and (_OF_PROJECT.match(written_in(issue)) or _may_be_elsewhere(issue, repository)):
        return "another project may have this page (intersphinx)"
    if page and _stops_at_root(issue, repository):
        return "Sphinx does not leave the folder of its configuration"
    return _agents_find(issue, repository) if _agents_read(issue.path) else ""


def _stops_at_root(issue: Issue, repository: Repository) -> bool:
    """Whether a path with more `../` than there are folders names a page of a folder above."""
    rest, folder = written_in(issue).lstrip("./"), dirname(issue.path)
    while folder and written_in(issue).startswith("../"):
        if any(f"{folder}/{rest}{suffix}" in repository.tree.paths for suffix in ("", ".rst", ".md")):
            return True
        folder = dirname(folder)
    return False


def _agents_read(path: str) -> bool:
    return is_for_agents(path) or instructs(path)


def _is_at_root(issue: Issue, repository: Repository) -> bool:
    path = written_in(issue).removeprefix("@").lstrip("/")
    return bool(path) and repository.tree.exists(normpath(path))


def _agents_find(issue: Issue, repository: Repository) -> str:
    """Why agents may find a file that a link does not lead to; empty if they don't."""
    written = written_in(issue)
    path = written.removeprefix("@")
    if _is_at_root(issue, repository):
        return _AT_ROOT
    if not written.startswith("@"):
        return ""
    if "/" not in path:
        return "" if instructs(issue.path) else "agents look for a file of this name"
    first = path.partition("/")[0]
    known = repository.tree.exists(first) or repository.tree.exists(normpath(f"{dirname(issue.path)}/{first}"))
    return "" if known or first.startswith(".") else f"`@{first}/` may be a package"


def _may_be_elsewhere(issue: Issue, repository: Repository) -> bool:
    """Whether Sphinx may find a page in the documentation of another project: it never was here, and its folder was not
    either, or the configuration names other projects."""
    target = target_of(issue)
    was_here = any(repository.past.removed_file(f"{target}{suffix}") for suffix in ("", ".rst", ".md"))
    if was_here or (issue.data or {}).get("toctree"):
        return False
    unknown_folder = "/" in target and not repository.tree.exists(dirname(target))
    return unknown_folder or repository.links.has_other_projects(issue.path)
