"""Doubts about files: a document names one that was removed or renamed, or declares a source that changed."""

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from cairn.core.model.knowledge import Source
from cairn.core.repository.code import tokens_in
from cairn.core.repository.code_blocks import directory_trees, is_drawn
from cairn.core.scope import Scope, is_test, scope_of
from cairn.freshness.diff.doubt import StaleReason, StaleSentence
from cairn.freshness.diff.occurrence import WrittenPage
from cairn.freshness.diff.pages import SurveyedPages
from cairn.freshness.path_sources import DeclaredSource, SourcePlace, declared_in, line_of, look
from cairn.freshness.states import RepositoryState
from cairn.lib.code.model import Probe
from cairn.lib.markdown.frontmatter import decode, parse

_PATH = re.compile(r"(?<![\w/.@-])(?:\.{0,2}/)?(?:[\w@+~.-]+/)*[\w@+~.-]*[\w@+~-]/?(?![\w/])")


_ALIAS = re.compile(r"^[@~][\w-]*/(?=[^/]+/)")
"""What a bundler puts in place of a folder: `@site/src/card.mdx`, `~/img/a.png`."""


class LostPaths:
    """Files and folders that are gone, by their last part."""

    def __init__(self, removed: Collection[str], paths: Collection[str], moved: Mapping[str, str]) -> None:
        self._paths = frozenset(paths)
        self.moved = moved
        gone = {path for path in removed if not path.startswith(".") and scope_of(path) is not Scope.VENDORED}
        folders = {folder for path in gone for folder in _folders(path)} - self._folders
        self._by_name: dict[str, set[str]] = defaultdict(set)
        for path in (*gone, *folders):
            self._by_name[posixpath.basename(path)].add(path)
        self.files = frozenset(gone)

    @property
    def names(self) -> Collection[str]:
        return self._by_name.keys()

    @cached_property
    def _folders(self) -> frozenset[str]:
        found: set[str] = set()
        for path in self._paths:
            folder = posixpath.dirname(path)
            while folder and folder not in found:
                found.add(folder)
                folder = posixpath.dirname(folder)
        return frozenset(found)

    @cached_property
    def _ends(self) -> frozenset[str]:
        """How the paths that exist end, from two parts on."""
        found: set[str] = set()
        for path in self._paths | self._folders:
            parts = path.split("/")
            found.update("/".join(parts[at:]) for at in range(len(parts)))
        return frozenset(found)

    def exists(self, path: str) -> bool:
        return path in self._paths or path in self._folders

    def find(self, written: str, document: str) -> str | None:
        """The path that is gone and that a document means, if it can mean nothing that exists."""
        plain = written.strip("/")
        near = posixpath.normpath(posixpath.join(posixpath.dirname(document), written.rstrip("/") or "."))
        plain = posixpath.normpath(_ALIAS.sub("", plain)) if plain else plain
        gone = self._by_name.get(posixpath.basename(plain), ())
        if not gone or self.exists(near) or self.exists(plain):
            return None
        if near in gone and "/" in written:
            return near
        if plain.lstrip("./") in self._ends:
            return None
        if "/" in plain and plain in gone:
            return plain
        if outside := self._from_above(written, document, gone):
            return outside
        ends = [path for path in gone if "/" in plain and path.endswith(f"/{plain}") and not is_test(path)]
        return ends[0] if len(ends) == 1 else None

    def _from_above(self, written: str, document: str, gone: Collection[str]) -> str | None:
        """A path with `../` that programs of the site read from one of the folders above the document."""
        if not written.startswith("../"):
            return None
        places = [posixpath.normpath(posixpath.join(folder, written.rstrip("/"))) for folder in _folders(document)]
        return None if any(map(self.exists, places)) else next((path for path in places if path in gone), None)

    def find_branch(self, branch: str, document: str) -> str | None:
        """The same for a branch of a tree, which may be a folder at the root."""
        plain = branch.strip("/")
        alone = plain in self._by_name.get(plain, ()) and not self.exists(plain) and plain not in self._ends
        return plain if alone else self.find(f"/{branch}", document)

    def moved_with_its_folder(self, path: str) -> bool:
        """Whether only the folder has another name, so that a line of a tree with the last part is right."""
        where, folder = self.where(path), posixpath.dirname(path)
        same = where is not None and posixpath.basename(where) == posixpath.basename(path)
        return (
            same and bool(folder) and not self.exists(folder) and self.where(folder) == posixpath.dirname(where or "")
        )

    def where(self, path: str) -> str | None:
        """Where it is now."""
        if path in self.moved:
            return self.moved[path]
        found = {
            new.removesuffix(old.removeprefix(path))
            for old, new in self.moved.items()
            if old.startswith(f"{path}/") and new.endswith(old.removeprefix(path))
        }
        return found.pop() if len(found) == 1 else None


def _folders(path: str) -> Iterator[str]:
    while path := posixpath.dirname(path):
        yield path


class _PathMention(NamedTuple):
    line: int
    written: str
    path: str
    in_tree: bool = False


def path_doubts(lost: LostPaths, pages: SurveyedPages) -> Iterator[StaleSentence]:
    """A page names a path with its folder, relative to itself, or as a branch of a tree."""
    wanted: dict[str, set[str]] = defaultdict(set)
    for name in lost.names:
        for token in tokens_in(name.encode()):
            wanted[token.decode("ascii", "replace")].add(name)
    documents: dict[str, set[str]] = defaultdict(set)
    for word, having in pages.having(wanted.keys()).items():
        for document in having:
            documents[document] |= wanted[word]
    for document, names in sorted(documents.items()):
        page = pages.page(document)
        if any(name in page.text for name in names):
            yield from _of_page(page, names, lost)


def _of_page(page: WrittenPage, names: Collection[str], lost: LostPaths) -> Iterator[StaleSentence]:
    seen: set[tuple[int, str]] = set()
    for found in (*_in_lines(page, names, lost), *_in_trees(page, lost)):
        if (found.line, found.path) not in seen and not page.is_about_the_past(found.line):
            seen.add((found.line, found.path))
            yield _doubt(page, found, lost)


def _in_lines(page: WrittenPage, names: Collection[str], lost: LostPaths) -> Iterator[_PathMention]:
    for number, line in page.lines_with(names):
        for match in _PATH.finditer(line):
            if "/" in match[0] and (path := lost.find(match[0], page.path)) and not page.is_address(match):
                yield _PathMention(number, match[0], path)


def _in_trees(page: WrittenPage, lost: LostPaths) -> Iterator[_PathMention]:
    """The branches of drawn trees of folders, each with the folders above it. The root may have any name."""
    if not is_drawn(page.text):
        return
    for tree in (tree for block in page.outline.blocks for tree in directory_trees(block)):
        for entry in tree.entries:
            whole = posixpath.join(tree.label, entry.path)
            path = lost.find_branch(whole, page.path) or lost.find_branch(entry.path, page.path)
            if path is not None and not lost.moved_with_its_folder(path):
                yield _PathMention(entry.line, posixpath.basename(entry.path), path, in_tree=True)


def _fix_of_branch(path: str, where: str | None) -> str:
    if where is None:
        return "Remove this entry."
    folder, name = posixpath.split(where)
    beside = folder == posixpath.dirname(path)
    return f"Write `{name}`." if beside else f"Move this entry to `{folder}/`." if folder else "Move this entry."


def _doubt(page: WrittenPage, found: _PathMention, lost: LostPaths) -> StaleSentence:
    where = lost.where(found.path)
    kind = "file" if found.path in lost.files else "folder"
    did = f"moved to `{where}`" if where else "removed"
    message = f"The {kind} `{found.path}` no longer exists: {did}."
    fix = f"Write `{where}`." if where else "Update or remove this sentence."
    if found.in_tree:
        fix = _fix_of_branch(found.path, where)
    text = page.lines[found.line - 1]
    return StaleSentence(
        page.path,
        found.line,
        text,
        found.written,
        StaleReason.PATH,
        message,
        found.path,
        None,
        found.path,
        where or "",
        True,
        0,
        fix,
    )


_ALIKE = 0.5
"""How much of its lines a file must share with one that is gone, to be taken for it."""
_RARE = 20
"""A line that more files than these have tells none of them."""
_CLOSER = 5
"""Files that are compared line by line with one that is gone."""

Contents = Mapping[str, bytes | None]
"""None for what was not read, because it is neither code nor a document: only its name can tell."""


def moves(gone: Contents, came: Contents) -> dict[str, str]:
    """Each file that came is taken once. The work grows with the number of files, not with its square."""
    found = _same_bytes(gone, came)
    left = {path: came[path] for path in came.keys() - set(found.values())}
    by_line = _by_line(left)
    for path in sorted(gone.keys() - found.keys()):
        target = _likest(path, gone[path], left, by_line)
        if target is not None:
            found[path] = target
            left.pop(target)
    return found | _with_their_folder(gone.keys() - found.keys(), left, found)


def _with_their_folder(gone: Iterable[str], left: Collection[str], found: Mapping[str, str]) -> dict[str, str]:
    """Files of which most lines changed, such as one import in a renamed package: the others of the folder tell."""
    folders: dict[str, Counter[str]] = defaultdict(Counter)
    for old, new in found.items():
        if posixpath.basename(old) == posixpath.basename(new):
            folders[posixpath.dirname(old)][posixpath.dirname(new)] += 1
    targets = {
        path: posixpath.join(folders[folder].most_common(1)[0][0], name)
        for path in gone
        for folder, name in (posixpath.split(path),)
        if folder in folders
    }
    return {path: target for path, target in targets.items() if target in left}


def _same_bytes(gone: Contents, came: Contents) -> dict[str, str]:
    by_data: dict[bytes, set[str]] = defaultdict(set)
    for path, data in came.items():
        if data is not None:
            by_data[data].add(path)
    found: dict[str, str] = {}
    for path in sorted(gone):
        same = by_data.get(gone[path] or b"") if gone[path] is not None else None
        if same:
            found[path] = _nearest(path, same)
            same.remove(found[path])
    return found


def _nearest(path: str, others: Collection[str]) -> str:
    """The one that ends most alike: in a folder that moved, files keep the ends of their paths."""
    if len(others) > _RARE and (named := _named_so(path, others)):
        others = named
    return max(sorted(others), key=lambda other: _same_end(path, other))


def _named_so(path: str, others: Iterable[str]) -> list[str]:
    name = posixpath.basename(path)
    return [other for other in others if posixpath.basename(other) == name]


def _same_end(one: str, other: str) -> int:
    count = 0
    for a, b in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if a != b:
            break
        count += 1
    return count


def _by_line(contents: Contents) -> dict[bytes, list[str]]:
    found: dict[bytes, list[str]] = defaultdict(list)
    for path in sorted(contents):
        for line in _lines(contents[path] or b""):
            found[line].append(path)
    return {line: paths for line, paths in found.items() if len(paths) <= _RARE}


def _likest(path: str, data: bytes | None, left: Contents, by_line: Mapping[bytes, list[str]]) -> str | None:
    if data is None:
        named = _named_so(path, left)
        return named[0] if len(named) == 1 else None
    lines = _lines(data)
    shared = Counter(other for line in lines for other in by_line.get(line, ()) if other in left)
    scored = [
        (_share(lines, _lines(left[other] or b"")), _same_end(path, other), other)
        for other, _ in shared.most_common(_CLOSER)
    ]
    best = max(scored, default=(0.0, 0, ""))
    return best[2] if best[0] >= _ALIKE else None


def _share(one: set[bytes], other: set[bytes]) -> float:
    return len(one & other) / max(len(one), len(other), 1)


def _lines(data: bytes) -> set[bytes]:
    return {line.strip() for line in data.splitlines() if line.strip()}


class SourceChange(NamedTuple):
    old: RepositoryState
    new: RepositoryState
    changed: Collection[str]
    moved: Mapping[str, str]
    """Where files that are gone went."""
    probe: Probe | None = None

    def places(self, sources: Collection[Source]) -> tuple[Mapping[Source, SourcePlace], Mapping[Source, SourcePlace]]:
        paths = {source.target for source in sources}
        return look(sources, self.old.read(paths), self.probe), look(sources, self.new.read(paths), self.probe)


def source_doubts(
    texts: Mapping[str, bytes], declaring: Mapping[str, bytes], locked: Sequence[DeclaredSource], change: SourceChange
) -> Iterator[StaleSentence]:
    """Whatever the documents say about the source. `declaring` may declare one, `locked` are those that
    lock files declare."""
    declared = [*_declared(declaring), *(one for one in locked if one.document in texts)]
    known = {(one.document, one.source.reference): one for one in declared}
    concerned = [one for one in known.values() if one.source.target in change.changed]
    before, after = change.places({one.source for one in concerned})
    for one in concerned:
        if doubt := _source_doubt(one, decode(texts[one.document]).text, before[one.source], after[one.source], change):
            yield doubt


def _declared(texts: Mapping[str, bytes]) -> Iterable[DeclaredSource]:
    for path, data in texts.items():
        yield from declared_in(path, parse(decode(data).text).frontmatter)


def _source_doubt(
    declared: DeclaredSource, text: str, before: SourcePlace, after: SourcePlace, change: SourceChange
) -> StaleSentence | None:
    source, old, now = declared.source, before.place, after.place
    if after.unread:
        return None
    if now is not None and (old is None or old.digest == now.digest or source.hash == now.digest):
        return None
    message, where = _what_happened(declared, after, change)
    return StaleSentence(
        declared.document,
        line_of(text, source),
        f"source {source.reference}",
        source.reference,
        StaleReason.SOURCE,
        message,
        where,
        now.line if now else None,
        old.shown if old else "",
        now.shown if now else "",
        certain=now is None,
        old_line=old.line if old else 0,
        fix="Review the page, then run `cairn freshness stamp`.",
    )


def _what_happened(declared: DeclaredSource, after: SourcePlace, change: SourceChange) -> tuple[str, str]:
    source = declared.source
    if after.place is not None:
        return f"The source `{source.reference}` has changed.", source.target
    moved = change.moved.get(source.target)
    if after.outline is None and moved:
        return f"The source `{source.target}` no longer exists: moved to `{moved}`.", moved
    if after.outline is None:
        return f"The source `{source.target}` no longer exists.", source.target
    return f"`{source.anchor}` no longer exists in {source.target}.", source.target
