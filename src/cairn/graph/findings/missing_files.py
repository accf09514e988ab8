"""Turns links to missing files into findings: one for each cause, with the commit that deleted or moved the file."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import takewhile
from posixpath import basename, dirname, relpath
from typing import NamedTuple

from cairn.core.model.issue import Issue, Place, Proof, Severity, places_of, proofs_of, proven
from cairn.core.repository.deletions import FileRemoval
from cairn.core.repository.repository import Repository
from cairn.core.scope import Scope, is_read_on_forge
from cairn.graph.findings.link_routes import IGNORED, as_note, from_root, target_of
from cairn.lib.document.document import format_of

RULE = "reference-broken"
PLACEHOLDER = re.compile(
    r"[{}<>$*\[\]]|\.\.\.|(?:^|/)path/to(?:/|$)|(?:^|/)(?:your|my)[-_]|__[A-Z]+__|@[A-Z]\w*@", re.IGNORECASE
)
_BUILT_FROM = (".rst", ".ipynb", ".mdx", ".html", ".adoc", ".md.jinja", ".md")
_TEMPLATES = (".in", ".j2", ".jinja", ".tmpl", ".template")
_COMMON = re.compile(r"(?:licen[cs]e|readme|index|skill|__init__)(?:\.\w+)?", re.IGNORECASE)
"""Names that many folders have."""
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_CONDITIONAL = re.compile(
    r"\bif (?:it|that|this|the|such|one|any|you)\b[^.;]{0,40}"
    r"\b(?:exists?|(?:does not|doesn't) exist|is (?:missing|absent|present))|\bif present\b",
    re.IGNORECASE,
)
"""A hit only turns a finding into a note."""
_BUILT = re.compile(
    r"llms(?:-\w+)?\.txt|sitemap\.xml|robots\.txt|search(?:index)?\.json|objects\.inv|(?:feed|atom|rss)\.xml", re.I
)
"""Files that extensions of documentation programs write."""
_SERVED = frozenset(("public", "static", "assets"))
_SITE_PAGES = (".md", ".mdx", ".rst", "/index.md", "/_index.md", "/index.mdx")
_SITES = "a site may resolve these links: several of them lead to places that never existed here"
_NEAR = 0.9
_TOGETHER = 3

Causes = Mapping[str, list[Issue]]
"""Issues by the missing file."""


def findings(repository: Repository, causes: Causes) -> list[Issue]:
    targets = {path for target, same in causes.items() for path in (*as_pages(target), *from_root(same))}
    ignored = repository.past.ignored(sorted(targets))
    found: list[Issue] = []
    moved, rest = _by_move(repository, causes)
    for (old, new, removal), same in moved.items():
        found.append(_moved_folder(repository, old, new, removal, same))
    for target, same in sorted(_by_folder(repository, rest).items()):
        spellings = {path for issue in same for path in as_pages(target_of(issue))}
        reason = _excuse(repository, target, ignored=not ignored.isdisjoint((*spellings, *from_root(same))))
        reason = reason or _excuse_of_page(repository, target, same)
        found += [as_note(issue, reason) for issue in same] if reason else _by_severity(repository, target, same)
    return list(_by_page(list(_by_line(repository, found))))


def as_pages(target: str) -> tuple[str, ...]:
    """The target, and the page of Sphinx that it names if it has no suffix."""
    has_suffix = target.endswith("/") or "." in target.rpartition("/")[2]
    return (target,) if has_suffix else (target, f"{target}.rst")


def places_in(repository: Repository, same: Sequence[Issue]) -> list[Place]:
    return [
        repository.place(issue.path, line)._replace(targets=(target_of(issue),))
        for issue in same
        for line in (issue.data or {}).get("lines", [issue.line or 1])
    ]


# --- groups ---------------------------------------------------------------------------------------------------------

Moves = dict[tuple[str, str, FileRemoval], list[Issue]]


def _by_move(repository: Repository, causes: Causes) -> tuple[Moves, Causes]:
    """Files of one folder that one commit deleted, or moved to another folder, have one cause: the folder."""
    folders: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for target in causes:
        removal = repository.past.removed_file(target)
        if removal is None or not removal.commit.id or not dirname(target):
            continue
        if not removal.moved_to or basename(removal.moved_to) == basename(target):
            folders[removal.commit.id, dirname(target), dirname(removal.moved_to or "")].append(target)
    moved: Moves = {}
    for (_, old, new), targets in folders.items():
        removal = repository.past.removed_file(targets[0])
        if len(targets) > 1 and removal and all(_is_error(issue) for target in targets for issue in causes[target]):
            moved[old, new, removal] = [issue for target in targets for issue in causes[target]]
    taken = {target_of(issue) for same in moved.values() for issue in same}
    return moved, {target: same for target, same in causes.items() if target not in taken}


def _is_error(issue: Issue) -> bool:
    return issue.severity is Severity.ERROR


def _by_folder(repository: Repository, causes: Causes) -> dict[str, list[Issue]]:
    """Links into a folder that never existed have one cause: the folder. What was moved or deleted keeps its own."""
    grouped: dict[str, list[Issue]] = defaultdict(list)
    folders = {target: _missing_folder(repository, target) for target in causes}
    number = Counter(folders.values())
    for target, same in causes.items():
        folder = folders[target]
        grouped[folder if folder and number[folder] > 1 else target] += same
    return grouped


def _missing_folder(repository: Repository, target: str) -> str:
    """The outermost folder on the way to a file that does not exist, with a slash at its end; empty if all exist."""
    if target.startswith("..") or repository.past.removed_file(target):
        return ""
    parts = target.split("/")
    folders = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
    return next((f"{folder}/" for folder in folders if not repository.tree.exists(folder)), "")


def _by_severity(repository: Repository, target: str, same: list[Issue]) -> Iterator[Issue]:
    for severity in Severity:
        group = [issue for issue in same if issue.severity is severity]
        if group:
            yield _finding(repository, target, severity, group)


def _by_line(repository: Repository, issues: list[Issue]) -> Iterator[Issue]:
    """The same line on several pages was copied from one to the other, whatever file is missing there."""
    copies: dict[tuple[str, str, Severity, Scope], list[Issue]] = defaultdict(list)
    for issue in issues:
        name = basename(target_of(issue).rstrip("/"))
        text = "\n".join(place.text for place in places_of(issue))
        copies[name, text, issue.severity, repository.tree.scope(issue.path)].append(issue)
    for same in copies.values():
        dated = any(proof.date for issue in same for proof in proofs_of(issue))
        copied = not dated and len({issue.path for issue in same}) == len(same) > 1
        yield from [_copied(same)] if copied else same


def _by_page(issues: list[Issue]) -> Iterator[Issue]:
    """Several files that never existed and that only one page links to have one cause: the page."""
    alone: dict[tuple[str, Severity], list[Issue]] = defaultdict(list)
    for issue in issues:
        dated = any(proof.date for proof in proofs_of(issue))
        if dated or "nearest" in (issue.data or {}) or len(issue.nodes) != 1 or issue.severity is Severity.INFO:
            yield issue
        else:
            alone[issue.path, issue.severity].append(issue)
    for (path, _), same in alone.items():
        if len(same) < _TOGETHER:
            yield from same
        elif is_read_on_forge(path):
            yield _together(same)
        else:
            yield from (as_note(issue, _SITES) for issue in same)


# --- reasons --------------------------------------------------------------------------------------------------------


def _excuse(repository: Repository, target: str, *, ignored: bool) -> str:
    """Why a missing file may be all right, empty if nothing explains it."""
    if ignored:
        return IGNORED
    if PLACEHOLDER.search(target):
        return "this looks like a placeholder"
    if repository.past.removed_file(target):
        return _built_from(repository, target)
    if target.endswith(".html") or _BUILT.fullmatch(basename(target)):
        return "it may be built by the documentation's own program"
    return _built_from(repository, target) or _written_by(repository, target) or _served_from(repository, target)


def _excuse_of_page(repository: Repository, target: str, same: Sequence[Issue]) -> str:
    """Why a link may work where its page is shown, or need not work."""
    if repository.past.removed_file(target):
        return ""
    pages = {issue.path for issue in same}
    if not any(is_read_on_forge(path) for path in pages):
        if target.endswith("/") and len(same) > 1:
            return _SITES
        served = (repository.tree.in_other_case(f"{target.rstrip('/')}{suffix}") for suffix in _SITE_PAGES)
        if page := next(filter(None, served), None):
            return f"a site may serve {page} there"
    return _works_in_copy(repository, target, pages) or _said_to_be_optional(repository, same)


def _works_in_copy(repository: Repository, target: str, pages: set[str]) -> str:
    """A program may make another page of this one, beside the file that the link names."""
    same = repository.tree.by_name.get(basename(target), ())
    names = {_plain(path) for path in pages}
    for path in same if len(same) == 1 and format_of(target) else ():
        beside = repository.tree.by_folder.get(dirname(path), ())
        if copy := next((other for other in beside if _plain(other) in names and other not in pages), None):
            return f"it works in {copy}, which may be made of this page"
    return ""


def _plain(path: str) -> str:
    return re.sub(r"[-_ ]", "", basename(path)).lower()


def _said_to_be_optional(repository: Repository, same: Sequence[Issue]) -> str:
    """Whether every sentence with the link, or the one after it, asks whether the file exists."""
    places = places_in(repository, same)
    texts = (" ".join(repository.tree.lines(place.path)[place.line - 1 : place.line + 1]) for place in places)
    return "the sentence says that it may not exist" if all(_CONDITIONAL.search(text) for text in texts) else ""


def _built_from(repository: Repository, target: str) -> str:
    stem = target.rpartition(".")[0] or target
    suffix = target[len(stem) :]
    sources = [f"{stem}{other}" for other in _BUILT_FROM if other != suffix] if suffix in (".html", ".md") else []
    sources += [f"{page}{other}" for page in (*as_pages(target), f"{target}.md") for other in _TEMPLATES]
    elsewhere = (path for other in _TEMPLATES for path in repository.tree.by_name.get(f"{basename(target)}{other}", ()))
    built = next((path for path in (*sources, *elsewhere) if path in repository.tree.paths), None)
    return f"it may be built from {built}" if built else ""


def _served_from(repository: Repository, target: str) -> str:
    """Programs for pages serve a folder of files as the root of the site."""
    same = repository.tree.by_name.get(basename(target), ())
    served = next((path for path in same if not _SERVED.isdisjoint(path.split("/")[:-1])), None)
    return f"a site may serve {served} there" if served else ""


def _written_by(repository: Repository, target: str) -> str:
    """A program of the build may write a file that never was in the repository, if it names it."""
    named = "/".join(target.rstrip("/").split("/")[-2:]) if target.endswith("/") else basename(target)
    program = repository.code.program_that_names(named)
    return f"{program} names it, so a program may write it" if program else ""


# --- findings -------------------------------------------------------------------------------------------------------


def _finding(repository: Repository, target: str, severity: Severity, same: list[Issue]) -> Issue:
    places = places_in(repository, same)
    thing = "folder" if target.endswith("/") else "image" if same[0].message.startswith("The image") else "file"
    cause = _cause(repository, target, thing, places)
    facts = _facts(same[0]) | ({"nearest": cause.nearest} if cause.nearest else {})
    return proven(RULE, severity, target, cause.message, places, cause.proofs, cause.fix, **facts)


def _facts(issue: Issue) -> dict[str, object]:
    return {key: value for key, value in (issue.data or {}).items() if key in ("kind", "trigger")}


class _Cause(NamedTuple):
    message: str
    proofs: list[Proof]
    fix: str
    nearest: str = ""
    """The file that the link means, if it is known."""


def _cause(repository: Repository, target: str, thing: str, places: list[Place]) -> _Cause:
    if _EMAIL.fullmatch(address := basename(target)):
        message = f"Broken link: `{address}` is an e-mail address, but the link leads to a file."
        return _Cause(message, [Proof(f"`{target}` is not in the repository")], f"Write `mailto:{address}`.")
    removal = repository.past.removed_file(target)
    if removal is None:
        near = _nearest(repository, target, places[0].path) or ""
        target = as_pages(target)[-1] if places[0].path.endswith(".rst") else target
        message = f"Broken link: the {thing} `{target}` does not exist."
        proofs = [Proof(f"`{target}` is not in the repository" + (f"; `{near}` is" if near else ""))]
        fix = _link_to(near, places) if near else f"Correct the path, or create `{target}`."
        return _Cause(message, proofs, fix, near)
    to = removal.moved_to or repository.tree.in_other_case(target) or ""
    did = f"moved to `{removal.moved_to}`" if removal.moved_to else "deleted"
    message = f"Broken link: the {thing} `{target}` was {did} {removal.commit.when}."
    return _Cause(message, [removal.proof], _link_to(to, places) if to else "Remove or replace the link.", to)


def _moved_folder(repository: Repository, old: str, new: str, removal: FileRemoval, same: list[Issue]) -> Issue:
    number = len({target_of(issue) for issue in same})
    did = f"moved to `{new or '.'}/`" if removal.moved_to else "deleted"
    message = f"Broken links: {number} files of `{old or '.'}/` were {did} {removal.commit.when}."
    fix = f"Point each link into the folder `{new or '.'}/`." if removal.moved_to else "Remove or replace the links."
    places = places_in(repository, same)
    return proven(RULE, Severity.ERROR, f"{old}/", message, places, [removal.proof], fix, **_facts(same[0]))


def _copied(same: list[Issue]) -> Issue:
    name = basename(target_of(same[0]).rstrip("/"))
    message = f"Broken link: {len(same)} pages link to `{name}` with the same line, and none of them finds it."
    proofs = [proof for issue in same for proof in proofs_of(issue)]
    places = [place._replace(targets=(target_of(issue),)) for issue in same for place in places_of(issue)]
    fix = "Correct the line on every page."
    return proven(RULE, same[0].severity, name, message, places, proofs, fix, **_facts(same[0]))


def _together(same: list[Issue]) -> Issue:
    targets = [target_of(issue) for issue in same]
    listed = ", ".join(f"`{target}`" for target in targets[:_TOGETHER]) + (" …" if len(targets) > _TOGETHER else "")
    message = f"Broken links: {len(targets)} files or folders that this page links to do not exist: {listed}."
    proofs = [Proof(f"`{target}` is not in the repository") for target in targets]
    places = [place._replace(targets=(target_of(issue),)) for issue in same for place in places_of(issue)]
    fix = "Correct or remove the links, or write the pages."
    return proven(RULE, same[0].severity, f"{same[0].path} links", message, places, proofs, fix, kind="references")


def _link_to(path: str, places: list[Place]) -> str:
    """As a link of these pages has to be written; where they need different ones, the file that all of them mean."""
    links = {relpath(path, dirname(place.path) or ".") for place in places}
    return f"Link to `{links.pop()}`." if len(links) == 1 else f"Point each link at the file `{path}`."


def _nearest(repository: Repository, target: str, source: str) -> str | None:
    """What the link may mean: the same name in other letters, beside the page, or elsewhere if one place is the
    nearest; else nearly that name in the same folder."""
    if other := repository.tree.in_other_case(target):
        return other
    if target.endswith("/"):
        return _nearest_folder(repository, target.rstrip("/"))
    same = [path for path in repository.tree.by_name.get(basename(target), ()) if path != source]
    if near := _of_same_name(same, target, source):
        return near
    beside = [path for path in repository.tree.by_folder.get(dirname(target), ()) if path != source]
    close = get_close_matches(target, beside, 1, cutoff=_NEAR)
    return close[0] if close else None


def _of_same_name(same: Sequence[str], target: str, source: str) -> str | None:
    """The file beside the page, the only one, or the one whose path ends most like the target."""
    beside = [path for path in same if dirname(path) == dirname(source)]
    if beside:
        return beside[0]
    if len(same) == 1:
        return None if _COMMON.fullmatch(basename(target)) else same[0]
    alike = sorted(((_common_end(path, target), path) for path in same), reverse=True)
    sure = len(alike) > 1 and alike[0][0] > max(1, alike[1][0])
    return alike[0][1] if sure else None


def _common_end(path: str, other: str) -> int:
    pairs = zip(reversed(path.split("/")), reversed(other.split("/")), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _nearest_folder(repository: Repository, target: str) -> str | None:
    """The only folder of that name."""
    same = [folder for folder in repository.tree.by_folder if basename(folder) == basename(target)]
    return f"{same[0]}/" if len(same) == 1 else None
