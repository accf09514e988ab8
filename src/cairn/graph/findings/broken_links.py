"""Sorts broken references into findings with proof and notes with a reason, and adds evidence to issues."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from posixpath import basename, normpath, splitext
from typing import Any

from cairn.core.model.issue import Fix, Issue, Place, Proof, Severity, proven, with_proofs
from cairn.core.repository.repository import Repository, docs_folder
from cairn.core.repository.tree import RepositoryTree
from cairn.graph.findings.link_routes import FEW_WORK, instructs, routed, target_of
from cairn.graph.findings.missing_files import PLACEHOLDER, RULE, findings, places_in
from cairn.lib.site import MissingTarget
from cairn.lib.text.names import normalize_trigger
from cairn.lib.urls.url import is_external

_SEVERAL = 5
_BRACKETS = re.compile(r"\[\[")
_TAGS = re.compile(r"<(?:a|img|source|video)\s", re.IGNORECASE)


def explained(issues: Iterable[Issue], repository: Repository) -> list[Issue]:
    """The same issues, those about missing files with their proof and grouped by cause."""
    causes: dict[str, list[Issue]] = defaultdict(list)
    found: list[Issue] = []
    pointed: list[Issue] = []
    labels: list[Issue] = []
    wiki: list[Issue] = []
    for issue in issues:
        data = issue.data or {}
        if issue.analyzer != RULE:
            found.append(issue)
        elif data.get("label"):
            labels.append(issue)
        elif data.get("wiki"):
            wiki.append(issue)
        elif data.get("kind") == "references":
            route = routed(issue, repository)
            if route is not None:
                (found if route.detail else causes[target_of(route)]).append(route)
        else:
            (pointed if data.get("kind") == "points" else found).append(issue)
    if wiki and not _uses_wiki_links(repository):
        wiki = [issue._replace(severity=Severity.INFO) for issue in wiki]
    found += [*wiki, *_labels(repository, labels), *_pointed(repository, pointed), *findings(repository, causes)]
    return found


def links_in_tags(repository: Repository) -> list[Issue]:
    """Broken links of HTML tags in Markdown that the forge shows. They are not links of the graph, so the scan does not
    know them. A site leaves them as they are, relative to the address of the page."""
    found: list[Issue] = []
    for page in repository.pages(_TAGS):
        on_forge = repository.links.site(page.path) is None and not docs_folder(page.path)
        for link in page.links if page.format == "markdown" and on_forge else ():
            written = link.target.partition("#")[0].partition("?")[0]
            if link.kind != "html" or not written or is_external(link.target):
                continue
            route = repository.links.follow(page.path, written)
            if isinstance(route, MissingTarget):
                thing = "image" if link.image else "file"
                data = {"target": route.tried[0], "kind": "references", "trigger": link.target}
                message = f"The {thing} `{route.tried[0]}` does not exist."
                found.append(Issue(RULE, Severity.ERROR, (page.path,), message, link.line, data=data))
    return found


def report_unchecked(repository: Repository, found: Iterable[Issue]) -> None:
    """Names the links that were not judged, so that silence does not mean that they work."""
    folders = Counter(issue.path.partition("/")[0] for issue in found if issue.detail == FEW_WORK)
    for folder, number in sorted(folders.items()):
        links = f"{number} link{'' if number == 1 else 's'}"
        repository.not_checked.append(f"{links} in {folder}/ (few links of that form lead to a file)")


def _labels(repository: Repository, issues: list[Issue]) -> Iterator[Issue]:
    """A label that no page defines may come from another project, unless a page defined it once."""
    known = repository.links.labels if issues else frozenset()
    issues = [issue for issue in issues if target_of(issue).lower() not in known]
    removed = repository.past.removed_labels({target_of(issue).lower() for issue in issues}) if issues else {}
    causes: dict[str, list[Issue]] = defaultdict(list)
    for issue in issues:
        gone = removed.get(target_of(issue).lower())
        if gone and repository.past.had(issue.path, target_of(issue), gone[1]):
            causes[target_of(issue).lower()].append(issue)
        else:
            yield issue
    for label, same in causes.items():
        commit, _, path = removed[label]
        message = f"Broken reference: no page defines the label `{label}`."
        date = commit.date if commit.id else "not committed yet"
        proofs = [Proof(f"removed the label `{label}`", path, 0, commit.short, date)]
        fix = "Refer to a label that exists."
        yield proven(RULE, Severity.ERROR, label, message, places_in(repository, same), proofs, fix)


def _pointed(repository: Repository, issues: list[Issue]) -> list[Issue]:
    """Paths in inline code, which are not links. Instructions for agents at work here name files that exist here.
    Elsewhere such a path is as often an example, and `path-removed` reports what existed once."""
    ignored = repository.past.ignored(sorted({target_of(issue) for issue in issues}))
    return [
        issue if _must_exist(issue, repository, ignored) else issue._replace(severity=Severity.INFO) for issue in issues
    ]


def _must_exist(issue: Issue, repository: Repository, ignored: frozenset[str]) -> bool:
    target = target_of(issue)
    if not instructs(issue.path) or target in ignored or PLACEHOLDER.search(target):
        return False
    return repository.past.removed_file(target) is None


def _uses_wiki_links(repository: Repository) -> bool:
    """Whether double brackets mean links here: several of them, and most of all, name a page that exists. Elsewhere
    they are directives such as `[[toc]]`, footnotes or data."""
    names = {splitext(basename(path))[0].lower() for path in repository.tree.documents} - {"toc"}
    links = [link for page in repository.pages(_BRACKETS) for link in page.links if link.kind == "wiki"]
    targets = {link.target.partition("#")[0].partition("|")[0].strip().lower() for link in links}
    known = len(targets & names)
    return known >= _SEVERAL and known * 2 > len(targets)


_WHOLE_FILE = re.compile(r"index-stale|orphan|symlink-skipped|(?:file|auto-rename|node)-.*")
"""Analyzers whose issues are about a file, not about a line of it."""
_FENCE = re.compile(r"---|\+\+\+")
_KEY = re.compile(r"([\w-]+)\s*[:=]")
_FIELD = re.compile(r"frontmatter `([\w-]+)")


def with_evidence(issue: Issue, tree: RepositoryTree) -> Issue:
    """Issues of the phase `read` have theirs already."""
    if _WHOLE_FILE.fullmatch(issue.analyzer):
        return issue
    data = issue.data or {}
    if issue.fix is None and issue.analyzer.startswith("frontmatter-"):
        issue = issue._replace(fix=Fix("Correct the frontmatter."))
    places = [] if "places" in data or not issue.line else _places(issue, tree)
    proofs = [] if data.get("evidence") else list(_proofs(issue, tree))
    return with_proofs(issue, places, proofs)


def _places(issue: Issue, tree: RepositoryTree) -> list[Place]:
    """The lines, quoted unless they only open the frontmatter."""
    lines = (issue.data or {}).get("lines") if issue.analyzer == "reference-broken" else None
    found = (tree.place(issue.path, line) for line in lines or [issue.line or 1])
    return [place._replace(text="") if _FENCE.fullmatch(place.text.strip()) else place for place in found]


def _proofs(issue: Issue, tree: RepositoryTree) -> Iterator[Proof]:
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


def _without(path: str, missing: Collection[str], tree: RepositoryTree) -> list[Proof]:
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


def _fields(path: str, tree: RepositoryTree) -> Iterator[tuple[int, str, str]]:
    """(line, key, text) of the keys at the top level of the frontmatter."""
    lines = (tree.text(path) or "").split("\n")
    if not _FENCE.fullmatch(lines[0].strip()):
        return
    for number, text in enumerate(lines[1:], 2):
        if _FENCE.fullmatch(text.strip()):
            return
        if found := _KEY.match(text):
            yield number, found[1], text.strip()


def _named(path: str, name: str, tree: RepositoryTree) -> Proof:
    """The key that gives a file this name; else the file itself, which is called so."""
    for line, key, text in _fields(path, tree):
        if key in ("name", "id", "title") and normalize_trigger(name) in normalize_trigger(text):
            return Proof(text, path, line)
    return Proof(f"is called `{name}` by its path", path)
