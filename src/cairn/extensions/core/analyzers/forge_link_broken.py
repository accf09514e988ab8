"""Links to files of this repository on its forge that do not exist."""

import re
from collections import defaultdict
from collections.abc import Iterator
from posixpath import dirname
from typing import TYPE_CHECKING

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import FileRemoval, OnForge, Place, Proof, Repository

_ADDRESS = re.compile(r"(?:github|gitlab)(?:usercontent)?\.com/", re.IGNORECASE)
_DEFAULT = ("main", "master", "HEAD")


class ForgeLinkBroken:
    """A link to a file of this repository on GitHub or GitLab that does not exist.

    What it finds
        Addresses such as `https://github.com/OWNER/NAME/blob/main/docs/setup.md` and
        `raw.githubusercontent.com/OWNER/NAME/main/logo.png` whose branch has no such file, and badges and links of a
        workflow that does not exist. The name of the repository comes from its remote `origin`, or from its manifest.
        Links to a tag, to a commit or to a branch that is not known here are not judged.

    Why it matters
        The reader gets "404 Not Found". No checker of relative links notices that a file was moved. In a list of news
        (`- 1.2.0: added …`) it is a note, and so is one in a manual if no commit that was read removed the file.

    Example
        `https://github.com/acme/shop/blob/main/src/cart.py`, after the file was moved to `src/shop/cart.py`.

    Fix
        Link to the new place of the file, or remove the link.
    """

    manifest = AnalyzerManifest(
        version="1.0.0",
        description="A link to a file of this repository on its forge that does not exist.",
        phase="read",
        reach="graph",
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        found: dict[OnForge, list[Place]] = defaultdict(list)
        for page in ctx.pages(_ADDRESS):
            for link in page.links:
                file = ctx.file_on_forge(link.target)
                if file and not ctx.tree.exists(file.path):
                    found[file].append(ctx.place(page.path, link.line))
        missing = {file: places for file, places in found.items() if _is_gone(ctx, file)}
        by_path: dict[str, list[Place]] = defaultdict(list)
        for file, places in missing.items():
            by_path[file.path] += places
        causes: dict[tuple[str, str], list[str]] = defaultdict(list)
        for path in sorted(by_path):
            removal = ctx.past.removed_file(path)
            causes[removal.commit.id if removal else "", dirname(path)].append(path)
        for (commit, folder), paths in causes.items():
            if folder and len(paths) > 1:
                missing_here = {path: by_path[path] for path in paths}
                yield _certain(ctx, _together(ctx, folder, missing_here, removed=bool(commit)), removed=bool(commit))
            else:
                yield from (_certain(ctx, _issue(ctx, path, by_path[path]), removed=bool(commit)) for path in paths)


def _certain(ctx: "Repository", issue: Issue, *, removed: bool) -> Issue:
    """A note in a manual if no commit that was read removed the file: old manuals stay where they are."""
    if removed or any(ctx.is_read_on_forge(path) for path in issue.nodes):
        return ctx.without_news(issue)
    return issue._replace(severity=Severity.INFO, detail="no commit that was read removed the file")


def _is_gone(ctx: "Repository", file: "OnForge") -> bool:
    """Whether the branch that a link names lacks the file. A branch that is not known here counts as the one that is
    checked out if it is called like one that everybody has."""
    if not file.branch:
        return True
    known = ctx.history.has_on(file.branch, file.path)
    return not known if known is not None else file.branch in _DEFAULT


def _together(ctx: "Repository", folder: str, missing: "dict[str, list[Place]]", *, removed: bool) -> Issue:
    """Files of one folder that one commit deleted, or that never existed, have one cause."""
    from cairn.plugin import Proof, proven

    removal = ctx.past.removed_file(next(iter(missing))) if removed else None
    when = f"were deleted or moved {removal.commit.when}" if removal else "do not exist"
    message = f"Broken links: {len(missing)} files of `{folder}/` {when}."
    proofs = [Proof(f"`{path}` is not in the repository") for path in missing]
    places = [place._replace(targets=(path,)) for path, found in missing.items() for place in found]
    fix = "Link to files that exist, or remove the links."
    shown = [removal.proof] if removal else proofs
    return proven("forge-link-broken", Severity.ERROR, f"{folder}/", message, places, shown, fix)


def _issue(ctx: "Repository", path: str, places: "list[Place]") -> Issue:
    from cairn.plugin import Proof, proven

    removal = ctx.past.removed_file(path)
    thing = "workflow" if path.startswith(".github/workflows/") else "file"
    message = f"Broken link: this repository has no {thing} `{path}`."
    proofs = [Proof(f"`{path}` is not in the repository")]
    fix = "Correct the address, or remove the link."
    if removal:
        message, proofs, fix = _removed(removal, thing)
    return proven("forge-link-broken", Severity.ERROR, path, message, places, proofs, fix)


def _removed(removal: "FileRemoval", thing: str) -> "tuple[str, list[Proof], str]":
    to = removal.moved_to
    did = f"moved to `{to}`" if to else "deleted"
    message = f"Broken link: the {thing} `{removal.path}` was {did} {removal.commit.when}."
    return message, [removal.proof], f"Link to `{to}`." if to else "Remove or replace the link."


extension = ForgeLinkBroken()
