"""Documents that name a file which was deleted or moved."""

import re
from collections import defaultdict
from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import FileRemoval, PageOutline, Place, Repository

_PATH = re.compile(r"(?:\./)?((?:(?!\.\.?/)[\w.@-]+/)+[\w.@-]+\.[A-Za-z]\w{0,4})(?::\d+(?:-\d+)?)?")


_WRITTEN = re.compile(r"`[^`\n]*/")

_OF_THE_READER = re.compile(r"\byour\b|\$HOME|~/|\bhome directory\b", re.IGNORECASE)
_FOR_EXAMPLE = re.compile(r"(?:e\.g\.,?|for example,?|such as|like)\W*$", re.IGNORECASE)


class PathRemoved:
    """A document that names a file which was deleted or moved.

    What it finds
        A path with a folder, written as inline code, that git tracked once and that no longer exists, neither from the
        root nor from the folder of the document. The document must have named it already when the commit landed.
        Links are checked by `reference-broken`.

    Why it matters
        A reader, or an agent, that is sent to the file finds nothing.

    Example
        "The parser is in `src/read.py`", after the file became `src/reader/parse.py`.

    Fix
        Write the new path, or update or remove the sentence.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A document names a file that was deleted or moved.", phase="read", reach="graph"
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        if not ctx.past.known or not ctx.past.lost_files:
            return
        found: dict[str, list[Place]] = defaultdict(list)
        removals: dict[str, FileRemoval] = {}
        for page in ctx.pages(_WRITTEN):
            for line, removal in _named(ctx, page):
                removals[removal.path] = removal
                found[removal.path].append(ctx.place(page.path, line))
        # A path that git ignores may exist on the reader's machine.
        ignored = ctx.past.ignored(sorted(found))
        causes: dict[tuple[str, str, str], list[FileRemoval]] = defaultdict(list)
        for path, removal in removals.items():
            if path not in ignored:
                folder = dirname(path) if removal.commit.id else path
                causes[removal.commit.id, folder, dirname(removal.moved_to or "")].append(removal)
        for same in causes.values():
            places = [place for removal in same for place in found[removal.path]]
            yield ctx.weighed(_issue(same[0], places) if len(same) == 1 else _together(same, places))


def _named(ctx: "Repository", page: "PageOutline") -> "Iterator[tuple[int, FileRemoval]]":
    for span in page.spans:
        written = _PATH.fullmatch(span.text)
        if (
            written is None
            or _is_example(page.prose_lines[span.line - 1], span.text)
            or ctx.tree.exists_somewhere(page.path, written[1])
        ):
            continue
        folder = dirname(page.path)
        linked = {normpath(join(folder, link.target)) for link in page.links if link.line == span.line}
        for path in (written[1], normpath(join(folder, written[1]))):
            if path in linked:
                break  # `reference-broken` reports the link
            removal = ctx.past.removed_file(path)
            if removal and not ctx.past.comes_and_goes(path) and ctx.past.had(page.path, written[1], removal.at):
                yield span.line, removal
                break


def _is_example(line: str, span: str) -> bool:
    """Whether the words say that a path is one of many, or one of the reader's own."""
    return _FOR_EXAMPLE.search(line.partition(span)[0]) is not None or _OF_THE_READER.search(line) is not None


def _together(same: "list[FileRemoval]", places: "list[Place]") -> Issue:
    """Files of one folder that one commit deleted, or moved to another folder, have one cause."""
    from cairn.plugin import proven

    first = same[0]
    old, new = f"{dirname(first.path)}/", f"{dirname(first.moved_to or '')}/"
    did = f"moved to `{new}`" if first.moved_to else "deleted"
    message = f"{len(same)} files of `{old}` no longer exist: {did} {first.commit.when}."
    proofs = [removal.proof for removal in same]
    fix = "Update these sentences." if first.moved_to else "Update or remove these sentences."
    return proven("path-removed", Severity.WARN, old, message, places, proofs, fix)


def _issue(removal: "FileRemoval", places: "list[Place]") -> Issue:
    from cairn.plugin import proven

    to = removal.moved_to
    did = f"moved to `{to}`" if to else "deleted"
    message = f"The file `{removal.path}` no longer exists: {did} {removal.commit.when}."
    fix = f"Write `{to}`." if to else "Update or remove this sentence."
    return proven("path-removed", Severity.WARN, removal.path, message, places, [removal.proof], fix)


extension = PathRemoved()
