"""Turns broken links into findings with proof: one for each missing file, with the commit that deleted or moved it."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from posixpath import basename, dirname, normpath, relpath, splitext

from cairn.kernel.model.issue import Issue, Severity
from cairn.kernel.repository.proof import Place, Proof, places_of, proofs_of, proven
from cairn.kernel.repository.repository import Repository
from cairn.kernel.scope import is_for_agents
from cairn.kernel.site import Found, Missing, Unknown
from cairn.kernel.text.outline import format_of

RULE = "reference-broken"
_PLACEHOLDER = re.compile(r"[{}<>$*\[\]]|\.\.\.|(?:^|/)path/to(?:/|$)|(?:^|/)(?:your|my)[-_]|__[A-Z]+__", re.IGNORECASE)
_FILLED_IN = re.compile(r"\$\{\w+\}|\{\{.*?\}\}|<%.*?%>")
"""Something that a template fills in."""
_INSTRUCTIONS = re.compile(r"(?!.*(?:^|/)(?:skills|plugins|templates|examples?)/)(?:.*/)?(?:AGENTS|CLAUDE|GEMINI)\.md")
_BUILT_FROM = (".rst", ".ipynb", ".mdx", ".html", ".adoc", ".md.jinja", ".md")
_TEMPLATES = (".in", ".j2", ".jinja", ".tmpl", ".template")
_COMMON = re.compile(r"(?:licen[cs]e|readme|index|skill|__init__)(?:\.\w+)?", re.IGNORECASE)
"""Names that many folders have."""
_NEAR = 0.9
_TOGETHER = 3
_MANY = 10
_SEVERAL = 5
_BRACKETS = re.compile(r"\[\[")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def explained(issues: Iterable[Issue], repository: Repository) -> list[Issue]:
    """The same issues, those about missing files with their proof and grouped by file."""
    wiki = _uses_wiki_links(repository)
    causes: dict[str, list[Issue]] = defaultdict(list)
    found: list[Issue] = []
    pointed: list[Issue] = []
    labels: list[Issue] = []
    for issue in issues:
        if issue.analyzer == RULE and (issue.data or {}).get("label"):
            labels.append(issue)
        elif issue.analyzer == RULE and (issue.data or {}).get("wiki"):
            found.append(issue if wiki else issue._replace(severity=Severity.INFO))
        elif issue.analyzer == RULE and (issue.data or {}).get("kind") == "references":
            routed = _routed(issue, repository)
            if routed is not None and routed.detail:
                found.append(routed)
            elif routed is not None:
                causes[_target(routed)].append(routed)
        elif _points(issue):
            pointed.append(issue)
        else:
            found.append(issue)
    found += _labels(repository, labels)
    pages = {path for target, same in causes.items() for path in (*_as_pages(target), *_from_root(same))}
    ignored = repository.past.ignored(sorted({*pages, *map(_target, pointed)}))
    found += [issue if _must_exist(issue, repository, ignored) else _as_note(issue) for issue in pointed]
    partial = _partial_folders(repository, causes)
    missing: list[Issue] = []
    for target, same in sorted(_by_folder(repository, causes).items()):
        spellings = {path for issue in same for path in _as_pages(_target(issue))}
        hidden = not ignored.isdisjoint((*spellings, *_from_root(same)))
        missing += _explained(repository, target, same, ignored=hidden, partial=dirname(target) in partial)
    return [*found, *_by_page(missing)]


def _by_page(issues: list[Issue]) -> Iterator[Issue]:
    """Several files that never existed and that only one page links to have one cause: the page."""
    alone: dict[tuple[str, Severity], list[Issue]] = defaultdict(list)
    for issue in issues:
        dated = any(proof.date for proof in proofs_of(issue))
        if dated or len(issue.nodes) != 1 or issue.severity is Severity.INFO:
            yield issue
        else:
            alone[issue.path, issue.severity].append(issue)
    for same in alone.values():
        yield from [_together(same)] if len(same) >= _TOGETHER else same


def _together(same: list[Issue]) -> Issue:
    targets = [_target(issue) for issue in same]
    listed = ", ".join(f"`{target}`" for target in targets[:_TOGETHER]) + (" …" if len(targets) > _TOGETHER else "")
    message = f"Broken links: {len(targets)} files or folders that this page links to do not exist: {listed}."
    proofs = [Proof(f"`{target}` is not in the repository") for target in targets]
    places = [place._replace(targets=(_target(issue),)) for issue in same for place in places_of(issue)]
    fix = "Correct or remove the links, or write the pages."
    return proven(RULE, same[0].severity, f"{same[0].path} links", message, places, proofs, fix, kind="references")


def _by_folder(repository: Repository, causes: dict[str, list[Issue]]) -> dict[str, list[Issue]]:
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


def _as_pages(target: str) -> tuple[str, ...]:
    """The target, and the page of Sphinx that it names if it has no suffix."""
    has_suffix = target.endswith("/") or "." in target.rpartition("/")[2]
    return (target,) if has_suffix else (target, f"{target}.rst")


def _from_root(issues: list[Issue]) -> list[str]:
    """Targets that start at the root of the repository, as agents resolve them."""
    written = (_written(issue) for issue in issues if _is_for_agents(issue.path))
    return [normpath(path) for path in written if path and not path.startswith((".", "/"))]


def _is_for_agents(path: str) -> bool:
    return is_for_agents(path) or _INSTRUCTIONS.fullmatch(path) is not None


def _written(issue: Issue) -> str:
    """The target as the document has it, without its anchor and the `@` of an import."""
    return str((issue.data or {}).get("trigger", "")).partition("#")[0].removeprefix("@")


def _partial_folders(repository: Repository, targets: Iterable[str]) -> set[str]:
    """Folders whose pages link to many others that never were in the repository: a part of a larger site."""
    never = Counter(dirname(target) for target in targets if repository.past.removed_file(target) is None)
    return {folder for folder, number in never.items() if number >= _MANY and repository.past.known}


def _labels(repository: Repository, issues: list[Issue]) -> Iterator[Issue]:
    """A label that no page defines may come from another project, unless a page defined it once."""
    known = repository.links.labels if issues else frozenset()
    issues = [issue for issue in issues if _target(issue).lower() not in known]
    removed = repository.past.removed_labels({_target(issue).lower() for issue in issues}) if issues else {}
    causes: dict[str, list[Issue]] = defaultdict(list)
    for issue in issues:
        gone = removed.get(_target(issue).lower())
        if gone and repository.past.had(issue.path, _target(issue), gone[1]):
            causes[_target(issue).lower()].append(issue)
        else:
            yield issue
    for label, same in causes.items():
        commit, _, path = removed[label]
        message = f"Broken reference: no page defines the label `{label}`."
        date = commit.date if commit.id else "not committed yet"
        proofs = [Proof(f"removed the label `{label}`", path, 0, commit.short, date)]
        yield proven(
            RULE, Severity.ERROR, label, message, _places(repository, same), proofs, "Refer to a label that exists."
        )


def _places(repository: Repository, same: list[Issue]) -> list[Place]:
    return [
        repository.place(issue.path, line)._replace(targets=(_target(issue),))
        for issue in same
        for line in (issue.data or {}).get("lines", [issue.line or 1])
    ]


def _must_exist(issue: Issue, repository: Repository, ignored: frozenset[str]) -> bool:
    """Instructions for agents at work here name files that exist here. Elsewhere a path in inline code is as often an
    example, and `path-removed` reports what existed once."""
    target = _target(issue)
    if not _INSTRUCTIONS.fullmatch(issue.path) or target in ignored or _PLACEHOLDER.search(target):
        return False
    return repository.past.removed_file(target) is None


def _as_note(issue: Issue) -> Issue:
    return issue._replace(severity=Severity.INFO)


def _points(issue: Issue) -> bool:
    """Whether it is a path in inline code, which is no link."""
    return issue.analyzer == RULE and (issue.data or {}).get("kind") == "points"


def _uses_wiki_links(repository: Repository) -> bool:
    """Whether double brackets mean links here: several of them, and most of all, name a page that exists. Elsewhere
    they are directives such as `[[toc]]`, footnotes or data."""
    names = {splitext(basename(path))[0].lower() for path in repository.tree.documents} - {"toc"}
    links = [link for page in repository.pages(_BRACKETS) for link in page.links if link.kind == "wiki"]
    targets = {link.target.partition("#")[0].partition("|")[0].strip().lower() for link in links}
    known = len(targets & names)
    return known >= _SEVERAL and known * 2 > len(targets)


def _routed(issue: Issue, repository: Repository) -> Issue | None:
    """The issue as the document's own site or forge resolves the link: None if it leads to a file, with a `detail` that
    says why nobody can know, else with the file that is missing."""
    written = _written(issue)
    imported = str((issue.data or {}).get("trigger", "")).startswith("@")
    if _is_for_agents(issue.path) and (doubt := _agents_find(issue, repository)):
        return issue._replace(severity=Severity.INFO, detail=doubt)
    if "page" in (issue.data or {}) and _may_be_elsewhere(issue, repository):
        return issue._replace(severity=Severity.INFO, detail="another project may have this page (intersphinx)")
    if imported or format_of(issue.path) not in ("markdown", "mdx") or "page" in (issue.data or {}):
        return issue
    if _FILLED_IN.search(repository.place(issue.path, issue.line or 1).text):
        return issue._replace(severity=Severity.INFO, detail="the line belongs to a template")
    if ".docc/" in issue.path:
        return issue._replace(severity=Severity.INFO, detail="DocC finds files by their name")
    route = repository.links.follow(issue.path, written)
    if isinstance(route, Found):
        return None
    if isinstance(route, Unknown) and repository.past.removed_file(_target(issue)) is None:
        return issue._replace(severity=Severity.INFO, detail=route.reason)
    if repository.past.removed_file(_target(issue)) is None and not repository.forms.works(issue.path, written):
        return issue._replace(severity=Severity.INFO, detail="few links of this form lead to a file here")
    target = route.tried[0] if written.startswith("/") and isinstance(route, Missing) else _target(issue)
    severity = (
        Severity.ERROR if repository.links.site(issue.path) or repository.past.removed_file(target) else issue.severity
    )
    return issue._replace(severity=severity, detail=None, data={**(issue.data or {}), "target": target})


def _agents_find(issue: Issue, repository: Repository) -> str:
    """Why agents may find a file that a link does not lead to; empty if they don't."""
    written = _written(issue)
    if written and repository.tree.exists(normpath(written.lstrip("/"))):
        return "the path starts at the root of the repository"
    by_name = "/" not in written and not _INSTRUCTIONS.fullmatch(issue.path)
    if by_name and str((issue.data or {}).get("trigger", "")).startswith("@"):
        return "agents look for a file of this name"
    return ""


def _may_be_elsewhere(issue: Issue, repository: Repository) -> bool:
    """Whether Sphinx may find a page in the documentation of another project: neither the page nor its folder was ever
    here."""
    target = _target(issue)
    was_here = any(repository.past.removed_file(f"{target}{suffix}") for suffix in ("", ".rst", ".md"))
    return not was_here and "/" in target and not repository.tree.exists(dirname(target))


def _target(issue: Issue) -> str:
    return str((issue.data or {})["target"])


def _explained(
    repository: Repository, target: str, same: list[Issue], *, ignored: bool, partial: bool
) -> Iterator[Issue]:
    reason = _excuse(repository, target, ignored=ignored, partial=partial) or _written_by(repository, target)
    if reason:
        yield from (issue._replace(severity=Severity.INFO, detail=reason) for issue in same)
        return
    for severity in Severity:
        group = [issue for issue in same if issue.severity is severity]
        if group:
            yield _finding(repository, target, severity, group)


def _written_by(repository: Repository, target: str) -> str:
    """A program of the build may write a file that never was in the repository, if it names it."""
    if repository.past.removed_file(target):
        return ""
    named = "/".join(target.rstrip("/").split("/")[-2:]) if target.endswith("/") else basename(target)
    program = repository.code.program_that_names(named)
    return f"{program} names it, so a program may write it" if program else ""


def _excuse(repository: Repository, target: str, *, ignored: bool, partial: bool) -> str:
    """Why a missing file may be all right, empty if nothing explains it."""
    if ignored:
        return "git ignores this path, so it may exist elsewhere"
    if partial:
        return "many pages of this folder are not in the repository; it seems to be a part of a larger site"
    if target.endswith(".html") and repository.past.removed_file(target) is None:
        return "it may be built by the documentation's own program"
    if _PLACEHOLDER.search(target):
        return "this looks like a placeholder"
    stem = target.rpartition(".")[0] or target
    suffix = target[len(stem) :]
    sources = [f"{stem}{other}" for other in _BUILT_FROM if other != suffix] if suffix in (".html", ".md") else []
    sources += [f"{page}{other}" for page in _as_pages(target) for other in _TEMPLATES]
    built = next((path for path in sources if path in repository.tree.paths), None)
    return f"it may be built from {built}" if built else ""


def _finding(repository: Repository, target: str, severity: Severity, same: list[Issue]) -> Issue:
    places = _places(repository, same)
    thing = "folder" if target.endswith("/") else "image" if same[0].message.startswith("The image") else "file"
    message, proofs, fix = _cause(repository, target, thing, places)
    first = same[0].data or {}
    extra = {key: first[key] for key in ("kind", "trigger") if key in first}
    return proven(RULE, severity, target, message, places, proofs, fix, **extra)


def _cause(repository: Repository, target: str, thing: str, places: list[Place]) -> tuple[str, list[Proof], str]:
    removal = repository.past.removed_file(target)
    if _EMAIL.fullmatch(basename(target)):
        address = basename(target)
        message = f"Broken link: `{address}` is an e-mail address, but the link leads to a file."
        return message, [Proof(f"`{target}` is not in the repository")], f"Write `mailto:{address}`."
    if removal is None:
        near = _nearest(repository, target, places[0].path)
        target = _as_pages(target)[-1] if places[0].path.endswith(".rst") else target
        message = f"Broken link: the {thing} `{target}` does not exist."
        proofs = [Proof(f"`{target}` is not in the repository" + (f"; `{near}` is" if near else ""))]
        return message, proofs, _link_to(near, places) if near else f"Correct the path, or create `{target}`."
    commit, to = removal.commit, removal.moved_to
    when = f"in {commit.short} ({commit.date})" if commit.id else "in the work tree, not committed yet"
    message = f"Broken link: the {thing} `{target}` was {f'moved to `{to}`' if to else 'deleted'} {when}."
    return message, [removal.proof], _link_to(to, places) if to else "Remove or replace the link."


def _link_to(path: str, places: list[Place]) -> str:
    folders = {dirname(place.path) for place in places}
    shown = relpath(path, folders.pop() or ".") if len(folders) == 1 else path
    return f"Link to `{shown}`."


def _nearest(repository: Repository, target: str, source: str) -> str | None:
    """A file of the same name elsewhere, if it is the only one, or one in the same folder with nearly that name."""
    same = [path for path in repository.tree.by_name.get(basename(target), ()) if path != source]
    if len(same) == 1 and not _COMMON.fullmatch(basename(target)):
        return same[0]
    beside = [path for path in repository.tree.by_folder.get(dirname(target), ()) if path != source]
    close = get_close_matches(target, beside, 1, cutoff=_NEAR)
    return close[0] if close else None
