"""Sorts the broken references of a scan: certain ones become findings with proof, others notes with a reason."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from posixpath import basename, splitext

from cairn.core.model.issue import Issue, Severity
from cairn.core.repository.links import docs_folder
from cairn.core.repository.proof import Proof, proven
from cairn.core.repository.repository import Repository
from cairn.graph.findings.link_routes import FEW_WORK, instructs, routed, target_of
from cairn.graph.findings.missing_files import PLACEHOLDER, RULE, findings, places_in
from cairn.graph.resolve import is_external
from cairn.lib.site import Missing

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
    _tell_not_checked(repository, found)
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
            if isinstance(route, Missing):
                thing = "image" if link.image else "file"
                data = {"target": route.tried[0], "kind": "references", "trigger": link.target}
                message = f"The {thing} `{route.tried[0]}` does not exist."
                found.append(Issue(RULE, Severity.ERROR, (page.path,), message, link.line, data=data))
    return found


def _tell_not_checked(repository: Repository, found: list[Issue]) -> None:
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
