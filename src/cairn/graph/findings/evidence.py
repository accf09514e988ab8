"""Completes issues of the scan with their evidence: the lines that they are about, and the paths that were tried."""

import re
from collections.abc import Collection, Iterator, Mapping
from posixpath import normpath
from typing import Any

from cairn.core.model.issue import Fix, Issue
from cairn.core.repository.proof import Place, Proof, with_proofs
from cairn.core.repository.tree import Tree
from cairn.lib.text.trigger import normalize_trigger

_WHOLE_FILE = re.compile(r"index-stale|orphan|symlink-skipped|(?:file|auto-rename|node)-.*")
"""Analyzers whose issues are about a file, not about a line of it."""
_FENCE = re.compile(r"---|\+\+\+")
_KEY = re.compile(r"([\w-]+)\s*[:=]")
_FIELD = re.compile(r"frontmatter `([\w-]+)")


def with_evidence(issue: Issue, tree: Tree) -> Issue:
    """Issues of the phase `read` have theirs already."""
    if _WHOLE_FILE.fullmatch(issue.analyzer):
        return issue
    data = issue.data or {}
    if issue.fix is None and issue.analyzer.startswith("frontmatter-"):
        issue = issue._replace(fix=Fix("Correct the frontmatter."))
    places = [] if "places" in data or not issue.line else _places(issue, tree)
    proofs = [] if data.get("evidence") else list(_proofs(issue, tree))
    return with_proofs(issue, places, proofs)


def _places(issue: Issue, tree: Tree) -> list[Place]:
    """The lines, quoted unless they only open the frontmatter."""
    lines = (issue.data or {}).get("lines") if issue.analyzer == "reference-broken" else None
    found = (tree.place(issue.path, line) for line in lines or [issue.line or 1])
    return [place._replace(text="") if _FENCE.fullmatch(place.text.strip()) else place for place in found]


def _proofs(issue: Issue, tree: Tree) -> Iterator[Proof]:
    data = issue.data or {}
    if issue.analyzer == "reference-broken" and _is_path(data):
        tried = _tried(data)
        yield Proof(
            f"{' and '.join(f'`{path}`' for path in tried)} {'are' if len(tried) > 1 else 'is'} not in the repository"
        )
    elif issue.analyzer == "schema-violation" and "missing" in data:
        yield from _without(issue.path, data["missing"], tree)
    elif issue.analyzer == "frontmatter-invalid" and (named := _FIELD.match(issue.message)):
        yield from (Proof(text, issue.path, line) for line, key, text in _fields(issue.path, tree) if key == named[1])
    elif issue.analyzer in ("name-collision", "name-duplicate") and "name" in data:
        yield from (_named(path, str(data["name"]), tree) for path in issue.nodes)


def _is_path(data: Mapping[str, Any]) -> bool:
    """Whether the target is a file, not a name, a page in double brackets or a label."""
    return data.get("kind") in ("references", "points") and not data.get("wiki") and not data.get("label")


def _without(path: str, missing: Collection[str], tree: Tree) -> list[Proof]:
    """The lines of missing keys that have no value; else the keys that there are."""
    fields = list(_fields(path, tree))
    unread = [Proof(text, path, line) for line, key, text in fields if key in missing]
    listed = ", ".join(f"`{key}`" for key in dict.fromkeys(key for _, key, _ in fields))
    return unread or [Proof(f"the frontmatter has {f'only {listed}' if listed else 'no keys'}", path, 1)]


def _tried(data: Mapping[str, Any]) -> list[str]:
    """Where a link leads. A path in inline code may start at the root as well."""
    written = str(data.get("trigger", "")).partition("#")[0]
    from_root = data["kind"] == "points" and written and not written.startswith((".", "/"))
    return list(dict.fromkeys((str(data["target"]), *([normpath(written)] if from_root else []))))


def _fields(path: str, tree: Tree) -> Iterator[tuple[int, str, str]]:
    """(line, key, text) of the keys at the top level of the frontmatter."""
    lines = (tree.text(path) or "").split("\n")
    if not _FENCE.fullmatch(lines[0].strip()):
        return
    for number, text in enumerate(lines[1:], 2):
        if _FENCE.fullmatch(text.strip()):
            return
        if found := _KEY.match(text):
            yield number, found[1], text.strip()


def _named(path: str, name: str, tree: Tree) -> Proof:
    """The key that gives a file this name; else the file itself, which is called so."""
    for line, key, text in _fields(path, tree):
        if key in ("name", "id", "title") and normalize_trigger(name) in normalize_trigger(text):
            return Proof(text, path, line)
    return Proof(f"is called `{name}` by its path", path)
