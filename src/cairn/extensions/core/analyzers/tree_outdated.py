"""Directory trees in documents that show files which no longer exist."""

import re
from collections.abc import Iterator
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import DirectoryTree, FileRemoval, PageOutline, Repository, TreeEntry

_BRANCHES = re.compile(r"[├└┣┗╰][─━]|^[\s|]{0,60}[|+`]--", re.MULTILINE)
_EXAMPLE = re.compile(r"\b(?:examples?|e\.g\.|for instance|sample|might look)\b", re.IGNORECASE)
_SHARE = 0.5
"""A tree of which fewer entries exist shows another project, or a plan."""
_NAMED = 3
_OTHER = "the tree also shows files that never existed here, so it may be about another project"


class TreeOutdated:
    """A directory tree in a document that shows files or folders which no longer exist.

    What it finds
        Entries of a directory tree (`├── src/`) that git tracked once and that a commit deleted or moved while the
        document showed them. At least half of the entries must exist, so that the tree is about this repository.
        Paths that git ignores are not judged. It is a note if another entry never existed: the tree may show what the
        reader makes.

    Why it matters
        People and agents find their way by these trees.

    Example
        `├── read.py` below `src/`, after the file became `src/reader/parse.py`.

    Fix
        Update the directory tree.
    """

    manifest = AnalyzerManifest(
        version="1.0.0",
        description="A directory tree shows files that no longer exist.",
        phase="read",
        reach="graph",
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        from cairn.plugin import directory_trees

        if not ctx.past.known or not ctx.past.lost_files:
            return
        for page in ctx.pages(_BRANCHES):
            for block in page.blocks:
                if _is_example(page, block.line):
                    continue
                for tree in directory_trees(block):
                    gone, unknown = _gone(ctx, page, tree)
                    if gone:
                        issue = ctx.weighed(_issue(ctx, page, gone))
                        yield issue._replace(severity=Severity.INFO, detail=_OTHER) if unknown else issue


def _is_example(page: "PageOutline", line: int) -> bool:
    """Whether the last words above a tree call it one. A hit only hides a finding."""
    above = next((text for text in reversed(page.prose_lines[: line - 1]) if text.strip()), "")
    return _EXAMPLE.search(above) is not None


def _gone(
    ctx: "Repository", page: "PageOutline", tree: "DirectoryTree"
) -> "tuple[list[tuple[TreeEntry, FileRemoval]], bool]":
    """The outermost entries that a commit removed while the page showed them, and whether others never existed."""
    root = _root(ctx, page, tree)
    if root is None:
        return [], False
    paths = {entry: normpath(join(root, entry.path)) for entry in tree.entries}
    missing = {entry: path for entry, path in paths.items() if not ctx.tree.exists(path)}
    outer = {entry: path for entry, path in missing.items() if dirname(path) not in missing.values()}
    ignored = ctx.past.ignored(sorted(outer.values()))
    known = {entry: path for entry, path in outer.items() if path not in ignored}
    removals = {entry: removal for entry, path in known.items() if (removal := ctx.past.removed_file(path))}
    found = [
        (entry, removal)
        for entry, removal in removals.items()
        if not ctx.past.comes_and_goes(outer[entry]) and ctx.past.had(page.path, basename(outer[entry]), removal.at)
    ]
    return found, len(removals) < len(known)


def _root(ctx: "Repository", page: "PageOutline", tree: "DirectoryTree") -> str | None:
    """The folder that the tree shows: the one in which most entries exist. None if it is not of this repository."""
    label = tree.label.strip("./")
    folders = dict.fromkeys(("", dirname(page.path), label, join(dirname(page.path), label)))
    counts = {folder: sum(ctx.tree.exists(join(folder, e.path)) for e in tree.entries) for folder in folders}
    best = max(counts, key=lambda folder: counts[folder])
    enough = counts[best] >= 2 and counts[best] >= _SHARE * len(tree.entries)
    return best if enough else None


def _issue(ctx: "Repository", page: "PageOutline", gone: "list[tuple[TreeEntry, FileRemoval]]") -> Issue:
    from cairn.plugin import proven

    names = [f"`{removal.path}{'/' if entry.folder else ''}`" for entry, removal in gone]
    listed = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
    verb = "no longer exist" if len(names) > 1 else "no longer exists"
    first = gone[0][1]
    when = f" {first.commit.when}" if {removal.commit for _, removal in gone} == {first.commit} else ""
    did = "moved" if all(removal.moved_to for _, removal in gone) else "removed"
    message = f"This directory tree shows {listed}, which {verb}: {did}{when}."
    places = [ctx.place(page.path, entry.line)._replace(targets=(removal.path,)) for entry, removal in gone]
    proofs = [removal.proof for _, removal in gone]
    target = " ".join(sorted(removal.path for _, removal in gone))
    return proven("tree-outdated", Severity.WARN, target, message, places, proofs, "Update the directory tree.")


extension = TreeOutdated()
