"""What is wrong with a page as a file of its corpus, in the words of issues; for the command and for the gate."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from cairn.core.model.issue import Fix, Issue, Severity
from cairn.core.model.knowledge import Corpus, FieldProblem
from cairn.knowledge.allowlist import Allowlist
from cairn.knowledge.layouts import kind_of
from cairn.knowledge.read import EntryReading, read_strict, take_entry
from cairn.lib.markdown.frontmatter import decode, parse
from cairn.lib.text.trigger import normalize_trigger
from cairn.lib.urls.url import Place, refuse_url

Names = dict[tuple[str, str], list[str]]
"""Paths by corpus and name."""


class Validation(NamedTuple):
    reading: EntryReading | None
    """None when the file could not be read as text."""
    issues: tuple[Issue, ...]


def validate_page(
    path: str, data: bytes, corpus: Corpus, *, allowlist: Allowlist | None, vouched: Collection[Place] = ()
) -> Validation:
    """`vouched` are places that the operator of this machine lets sources be in, though they are inside."""
    text, problems, binary = decode(data)
    severity = Severity.ERROR if binary else Severity.WARN
    of_bytes = tuple(Issue(p.rule, severity, (path,), p.message, p.line) for p in problems)
    if binary:
        return Validation(None, of_bytes)
    reading = read_strict(path, text, corpus, allowlist=allowlist)
    if vouched and reading.errors:
        reading = _vouched_for(reading, path, text, corpus, vouched)
    return Validation(reading, (*of_bytes, *_issues(path, reading)))


def _vouched_for(
    reading: EntryReading, path: str, text: str, corpus: Corpus, vouched: Collection[Place]
) -> EntryReading:
    """Without what is only said about addresses that somebody vouches for."""
    page = parse(text)
    listed = page.frontmatter.get("sources")
    items = enumerate(listed if isinstance(listed, list) else ())
    urls = {f"sources[{at}].url": item.get("url") for at, item in items if isinstance(item, dict)}
    fine = {field for field, url in urls.items() if isinstance(url, str) and refuse_url(url, allow=vouched) is None}
    errors = tuple(problem for problem in reading.errors if problem.field not in fine)
    if errors:
        return reading._replace(errors=errors)
    kind = kind_of(corpus, path) or "entry"
    entry = take_entry(path, page.frontmatter, kind=kind, layout=corpus.layout, body=page.body)
    return reading._replace(entry=entry, errors=())


def _issues(path: str, reading: EntryReading) -> Iterator[Issue]:
    for severity, problems in ((Severity.ERROR, reading.errors), (Severity.WARN, reading.warnings)):
        yield from (_issue(path, severity, problem) for problem in problems)


def _issue(path: str, severity: Severity, problem: FieldProblem) -> Issue:
    fix = Fix(problem.fix, problem.rule == "url-fragment") if problem.fix else None
    data = {"field": problem.field} if problem.field else None
    return Issue(problem.rule, severity, (path,), problem.message, problem.line, fix=fix, data=data)


def note_name(names: Names, reading: EntryReading | None, path: str, corpus: Corpus) -> None:
    """Remember what a page is called, to find out who else is."""
    if reading and reading.entry and corpus.layout != "plain":
        names.setdefault((corpus.name, normalize_trigger(reading.entry.name)), []).append(path)


def named_twice(names: Mapping[tuple[str, str], list[str]]) -> Iterator[Issue]:
    for (_, name), paths in names.items():
        if len(paths) > 1:
            shown = name.replace(" ", "-")
            message = f"The name `{shown}` is also that of `{paths[0]}`; give one of them another."
            yield from (
                Issue("name-duplicate", Severity.ERROR, (path, paths[0]), message, 1, data={"field": "name"})
                for path in paths[1:]
            )
