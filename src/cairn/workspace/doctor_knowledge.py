"""What `cairn doctor` looks at in the knowledge: an older base's files, documents, pages, and where those are from."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cairn.core.model.issue import Issue
from cairn.core.paths import OLD_BASE
from cairn.core.ports.runtime import ReadFailed
from cairn.errors import StoreProblem

if TYPE_CHECKING:
    from cairn.core.model.issue import HealthFinding
    from cairn.workspace.ports import WorkspacePorts

KBIGNORE = ".kbignore"
_DANGLING = "derived-from-dangling"
_LOCAL = ("_sessions", "_logs", ".state")
"""What an older base keeps on one machine."""


def older_base(ports: "WorkspacePorts") -> Iterator["HealthFinding"]:
    """Only where there is one."""
    from cairn.core.model.issue import HealthFinding, HealthState

    if not ports.files.exists(OLD_BASE):
        return
    local = [f"{OLD_BASE}/{name}/" for name in _LOCAL if ports.files.exists(f"{OLD_BASE}/{name}")]
    shown = [folder for folder in local if not _is_ignored(ports, f"{folder}a.md")]
    for folder in shown:
        message = f"git does not ignore {folder}, which belongs to this machine"
        yield HealthFinding("base", HealthState.WARN, message, f"add `/{folder}` to .gitignore")
    blank = _is_blank(ports, KBIGNORE)
    if blank:
        said = f"{KBIGNORE} {'is empty' if ports.files.exists(KBIGNORE) else 'is not there'}"
        fix = "name there what is no knowledge, as in a .gitignore"
        yield HealthFinding("base", HealthState.WARN, f"{said}, so `cairn bootstrap` reads every document", fix)
    if not shown and not blank:
        yield HealthFinding("base", HealthState.OK, f"what belongs to this machine of {OLD_BASE} stays out of git")


def _is_ignored(ports: "WorkspacePorts", path: str) -> bool:
    return ports.vcs.root() is None or ports.is_ignored(path)


def _is_blank(ports: "WorkspacePorts", path: str) -> bool:
    try:
        return not ports.files.read(path)[0].strip()
    except ReadFailed:
        return True


def documents(ports: "WorkspacePorts") -> Iterator["HealthFinding"]:
    from cairn.core.model.issue import HealthFinding, HealthState

    if not any(corpus.layout == "nodes" for corpus in ports.corpora):
        return
    from cairn.curate.index_documents import stale_documents

    stale = stale_documents(ports)
    for one in stale:
        yield HealthFinding("documents", HealthState.WARN, one.why, "run `cairn index rebuild`")
    if not stale:
        yield HealthFinding("documents", HealthState.OK, "INDEX.md and GRAPH.md are those of the nodes")


def pages(ports: "WorkspacePorts") -> Iterator["HealthFinding"]:
    """Frontmatter, and where pages have it from, as the last scan found it."""
    from cairn.core.model.issue import HealthFinding, HealthState
    from cairn.curate.curated_pages import broken_pages

    if isinstance(ports.store_location, Path) and not ports.store_location.exists():
        return
    try:
        broken = list(dict.fromkeys(line.partition(":")[0] for line in broken_pages(ports)))
        gone = [issue for issue in ports.store.issues(analyzers=(_DANGLING,)) if not _is_outside(issue)]
    except StoreProblem:
        return  # said already, by the check of the database
    if broken:
        many = f"{len(broken):,} {'page' if len(broken) == 1 else 'pages'}"
        message = f"the frontmatter of {many} can't be used, such as {broken[0]}"
        yield HealthFinding("pages", HealthState.WARN, message, "`cairn check` names them all")
    if gone:
        message = f"{len(gone):,} in `derived_from` {'leads' if len(gone) == 1 else 'lead'} nowhere, such as "
        message += f"`{(gone[0].data or {}).get('target')}` of {gone[0].path}"
        yield HealthFinding("pages", HealthState.WARN, message, "correct them, or take them out")


def _is_outside(issue: Issue) -> bool:
    """Whether it names a file of this machine from its very root, which a scan does not look at."""
    target = (issue.data or {}).get("target")
    return isinstance(target, str) and Path(f"/{target}").exists()
