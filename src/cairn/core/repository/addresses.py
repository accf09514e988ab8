"""Addresses of this repository on its forge, and the files that links to them name."""

import re
from typing import NamedTuple
from urllib.parse import unquote

from cairn.core.repository.tree import RepositoryTree
from cairn.lib.urls.remote import normalised_remote

_MANIFESTS = (
    "package.json", "pyproject.toml", "setup.cfg", "setup.py", "Cargo.toml", "go.mod", "composer.json", "mix.exs",
    "pom.xml", "build.gradle", "build.gradle.kts", "mkdocs.yml", "deno.json", "pubspec.yaml", "Project.toml",
)  # fmt: skip
_DECLARED = re.compile(
    r"(?:repository|repo[-_]?url|source|homepage|url|module|github)[^\n]{0,60}?"
    r"\b((?:github|gitlab)\.com)[/:]([\w.-]+)/([\w.-]+?)(?:\.git)?(?=[\s\"'/>#,)]|$)",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"https?://(?:www\.)?(?P<host>github\.com|gitlab\.com)/(?P<name>[\w.-]+/[\w.-]+)/(?:-/)?(?:blob|tree|raw)/"
    r"(?P<branch>[\w.-]+)/(?P<path>[^#?\s]+)|"
    r"https?://raw\.githubusercontent\.com/(?P<raw>[\w.-]+/[\w.-]+)/(?:refs/heads/)?(?P<head>[\w.-]+)/(?P<file>[^#?\s]+)",
    re.IGNORECASE,
)
_WORKFLOW = re.compile(
    r"https?://github\.com/(?P<name>[\w.-]+/[\w.-]+)/actions/workflows/(?P<file>[\w.-]+\.ya?ml)\b", re.IGNORECASE
)
_TEMPLATE = re.compile(r"[{}<>$*|\[\]]|\.\.\.|%7B", re.IGNORECASE)


class OnForge(NamedTuple):
    """A file or folder of this repository, as the forge shows it."""

    branch: str
    """Empty for a workflow, which has a page for all branches."""
    path: str


def own_addresses(tree: RepositoryTree, remote: str) -> frozenset[str]:
    """`github.com/owner/name` in lower case: where the repository was cloned from, else where its manifests say that it
    lives. Manifests that name several repositories say nothing."""
    cloned = normalised_remote(remote) or ""
    if cloned.startswith(("github.com/", "gitlab.com/")):
        return frozenset((cloned.lower(),))
    found = {"/".join(match).lower() for file in _MANIFESTS for match in _declared(tree, file)}
    return frozenset(found if len(found) == 1 else ())


def _declared(tree: RepositoryTree, file: str) -> list[tuple[str, str, str]]:
    if file not in tree.paths:
        return []
    first: dict[tuple[str, str, str], None] = dict.fromkeys(_DECLARED.findall(tree.text(file) or ""))
    return list(first)[:1]


def file_on_forge(target: str, own: frozenset[str]) -> OnForge | None:
    """The file of this repository that an address leads to; None for other addresses, and for templates."""
    if _TEMPLATE.search(target):
        return None
    if (workflow := _WORKFLOW.match(target)) and f"github.com/{workflow['name']}".lower() in own:
        return OnForge("", f".github/workflows/{workflow['file']}")
    found = _FILE.match(target)
    if found is None:
        return None
    name = f"{found['host'] or 'github.com'}/{found['name'] or found['raw']}".lower()
    path = unquote(found["path"] or found["file"]).rstrip("/").rstrip(".,;:)")
    return OnForge(found["branch"] or found["head"], path) if name in own and path else None
