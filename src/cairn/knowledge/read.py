"""A page into an entry: strictly, with everything that is wrong at once, or tolerantly, with the best of what is there.

People and gates want the strict reader, before something is merged. Scans, search and freshness take the tolerant one:
a page with a slip in it still says something. Both read the same table of fields.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.core.model.knowledge import Corpus, Entry, FieldProblem, Layout, Volatility
from cairn.knowledge.corpora import kind_of, sections_of
from cairn.knowledge.fields import (
    CHECKED_ONLY,
    COMPUTED,
    EARLIER,
    REQUIRED,
    Taker,
    fields_by_name,
    other_name,
    takers,
)
from cairn.knowledge.values import Step, Wrong, nearest, quoted, take_text
from cairn.lib.markdown.frontmatter import ParsedFile, parse

if TYPE_CHECKING:
    from cairn.knowledge.allowlist import Allowlist
    from cairn.knowledge.fields import YamlPlaces

LONG_SUMMARY = 200
MOST_PROBLEMS = 100
"""Of one page. Nobody reads more, and a hostile page could have a hundred thousand."""
MORE_PROBLEMS = FieldProblem("", f"There are more than {MOST_PROBLEMS} problems here; mend these first.", 1)

Mapped = Mapping[str, Any]


class EntryReading(NamedTuple):
    """What the strict reader says of one page."""

    entry: Entry | None
    """None as long as there are errors."""
    errors: tuple[FieldProblem, ...] = ()
    warnings: tuple[FieldProblem, ...] = ()


# --- strict ---------------------------------------------------------------------------------------------------------


def read_page(path: str, text: str, corpus: Corpus, *, allowlist: "Allowlist | None" = None) -> EntryReading:
    """One page, judged by the rules of its corpus. What is no page of it is not judged."""
    kind = kind_of(corpus, path)
    if kind is None:
        return EntryReading(None)
    parsed = parse(text)
    broken, odd = _of_the_file(parsed, corpus.layout)
    if broken:
        return EntryReading(None, broken, odd)
    entry = take_entry(path, parsed.frontmatter, kind=kind, layout=corpus.layout, body=parsed.body)
    if corpus.layout == "plain":
        return EntryReading(entry, (), odd)
    return _judged(entry, path, parsed, corpus, odd, allowlist)


def _judged(
    entry: Entry | None,
    path: str,
    parsed: ParsedFile,
    corpus: Corpus,
    odd: tuple[FieldProblem, ...],
    allowlist: "Allowlist | None",
) -> EntryReading:
    frontmatter, layout = parsed.frontmatter, corpus.layout
    found = [*wrong_names(path, frontmatter, layout), *wrong_fields(frontmatter, layout)]
    found += _wrong_version(frontmatter, corpus)
    long = [one for one in found if _is_only_long(one, frontmatter, layout)]
    errors = _placed((one for one in found if one not in long), parsed)
    doubts = chain(_doubts(entry, parsed, corpus, allowlist) if entry else (), long)
    said = {problem.field for problem in errors}
    warnings = (problem for problem in _placed(doubts, parsed) if problem.field not in said)
    return EntryReading(None if errors else entry, errors, (*odd, *warnings))


def _wrong_version(frontmatter: Mapped, corpus: Corpus) -> Iterator[Wrong]:
    """The second version is that of a tree."""
    if corpus.layout == "nodes" and not corpus.tree and frontmatter.get("schema_version") == 2:
        yield Wrong("must be 1, not 2: this base has no `ENTRY.md`, so it is not a tree.", "1", ("schema_version",))


def _is_only_long(wrong: Wrong, frontmatter: Mapped, layout: Layout) -> bool:
    """A long title or summary of a node. Other programs write nodes too, and what they wrote can be read."""
    value = frontmatter.get(str(wrong.at[0])) if len(wrong.at) == 1 else None
    is_long = isinstance(value, str) and len(value) > {"title": 80, "summary": 140}.get(str(wrong.at[0]), len(value))
    return layout == "nodes" and is_long


def _of_the_file(parsed: ParsedFile, layout: Layout) -> tuple[tuple[FieldProblem, ...], tuple[FieldProblem, ...]]:
    """What makes a page unreadable, and what is odd about it but can be read over."""
    told = [(p.hint, FieldProblem("", p.message, p.line, rule=p.rule)) for p in parsed.problems]
    broken = tuple(problem for hint, problem in told if hint != "byte-order-mark")
    odd = tuple(problem for hint, problem in told if hint == "byte-order-mark")
    if not broken and parsed.raw is None and layout != "plain":
        message = "There is no frontmatter; start the file with `---`, the keys that say what it is, and `---` again."
        broken = (FieldProblem("", message, 1, "add frontmatter"),)
    return broken, odd


def _folder(path: str) -> str:
    return posixpath.basename(posixpath.dirname(path))


def wrong_fields(frontmatter: Mapped, layout: Layout) -> Iterator[Wrong]:
    """Everything that the table of fields has against these values. The first step of each place is the key."""
    known = fields_by_name(layout)
    for name in sorted(REQUIRED[layout] - frontmatter.keys()):
        yield _missing(name)
    for key, value in frontmatter.items():
        if field := known.get(key):
            for wrong in field.rule_in(layout).check(value):
                yield wrong._replace(at=(key, *wrong.at))
        elif key in COMPUTED:
            said = "is counted when the entry is read and cannot be written by hand; take it out."
            yield Wrong(said, "remove it", (key,))
        elif layout == "nodes" and not key.startswith("x_") and key not in EARLIER:
            yield _unknown(key, layout)
    yield from _twice(frontmatter)


def _missing(name: str) -> Wrong:
    example = {"schema_version": "1", "kind": "practice", "confidence": "medium"}.get(name, "…")
    return Wrong(f"is missing; add a line `{name}: {example}`.", f"{name}: {example}", (name,))


def _unknown(key: str, layout: Layout) -> Wrong:
    meant = other_name(key, layout) or nearest(key, tuple(fields_by_name(layout)))
    hint = f"did you mean `{meant}`?" if meant else "take it out, or start its name with `x_`."
    return Wrong(f"is not a key that pages of this layout have; {hint}", meant or f"x_{key}", (key,))


def _twice(frontmatter: Mapped) -> Iterator[Wrong]:
    """`last-reviewed` and `last_reviewed` are one field; `version-pin` and `version_pin` are two."""
    for key in frontmatter:
        twin = key.replace("-", "_")
        if twin != key and twin in frontmatter and twin != "version_pin":
            yield Wrong(f"is there a second time as `{twin}`; keep one of the two.", f"remove `{twin}`", (key,))


def wrong_names(path: str, frontmatter: Mapped, layout: Layout) -> list[Wrong]:
    """A page is found by its name, so its file has to have the same."""
    if layout == "artefacts":
        return _mismatch("id", frontmatter, _folder(path), "folder")
    if layout == "entries":
        return _mismatch("name", frontmatter, _stem(path), "file")
    if layout == "nodes":
        return [*_mismatch("id", frontmatter, _stem(path), "file"), *_kind_mismatch(path, frontmatter)]
    return []


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def _mismatch(key: str, frontmatter: Mapped, expected: str, what: str) -> list[Wrong]:
    name = frontmatter.get(key)
    if not isinstance(name, str) or name == expected or not name.strip():
        return []
    said = f"is {quoted(name)}, but its {what} is called {quoted(expected)}; make both the same."
    return [Wrong(said, f"{key}: {expected}", (key,), "name-mismatch")]


def _kind_mismatch(path: str, frontmatter: Mapped) -> Iterator[Wrong]:
    kind, name, folder = frontmatter.get("kind"), frontmatter.get("id"), _folder(path)
    if kind not in ("practice", "map"):
        return
    if isinstance(name, str) and name.startswith(("practice-", "map-")) and not name.startswith(f"{kind}-"):
        said = f"is {quoted(name)}, but the page is a `{kind}`; start it with `{kind}-`."
        yield Wrong(said, f"id: {kind}-{name.partition('-')[2]}", ("id",), "name-mismatch")
    if folder in ("practice", "map") and folder != kind:
        said = f"is `{kind}`, but the file lies in the folder `{folder}`; move it, or write `kind: {folder}`."
        yield Wrong(said, f"kind: {folder}", ("kind",), "name-mismatch")


# --- what may be meant, but probably is not -------------------------------------------------------------------------


def _doubts(entry: Entry, parsed: ParsedFile, corpus: Corpus, allowlist: "Allowlist | None") -> Iterator[Wrong]:
    summary = entry.summary
    if corpus.layout == "entries" and len(summary) > LONG_SUMMARY:
        said = f"has {len(summary)} characters; a list shows {LONG_SUMMARY}, so say it in fewer."
        yield Wrong(said, f"shorten to {LONG_SUMMARY} characters", ("description",), "description-long")
    if entry.volatility is Volatility.FAST_MOVING and not entry.sources:
        said = "is `fast-moving`, but there is no source to compare with; add one under `sources`."
        yield Wrong(said, "add a source", ("volatility",), "fast-moving-unsourced")
    yield from source_doubts(parsed.frontmatter, allowlist)
    yield from _missing_sections(parsed.body, corpus)


def source_doubts(frontmatter: Mapped, allowlist: "Allowlist | None") -> Iterator[Wrong]:
    sources = frontmatter.get("sources")
    for place, item in enumerate(sources if isinstance(sources, list) else ()):
        url = take_text(item.get("url")) if isinstance(item, dict) else None
        if url is None:
            continue
        address, mark, fragment = url.partition("#")
        if mark:
            yield _fragment(item, address, fragment)._replace(at=("sources", place, "url"))
        if allowlist and not allowlist.allows(url):
            said = f"is {quoted(address)}, which is not among the allowed sources; add its host there, or name another."
            yield Wrong(said, "allow its host", ("sources", place, "url"), "source-off-allowlist")


def _fragment(source: Mapped, address: str, fragment: str) -> Wrong:
    shown, anchor = f"#{fragment[:60]}", source.get("anchor")
    if not fragment:
        return Wrong("ends with a `#` that nothing follows; take it out.", f"url: {address}", (), "url-fragment")
    if anchor is not None and anchor != f"#{fragment}":
        said = f"has `{shown}` in it, and `anchor` says {quoted(anchor)}; keep one of the two, as `anchor`."
        return Wrong(said, "", (), "url-fragment")
    said = f"has `{shown}` in it, which is never sent; move it to `anchor: '{shown}'`."
    return Wrong(said, f"url: {address}, anchor: '#{fragment}'", (), "url-fragment")


def _missing_sections(body: str, corpus: Corpus) -> Iterator[Wrong]:
    for title in sections_of(corpus):
        if title not in body or not has_section(body, title):
            said = f"There is no section `## {title}`, spelled just so; this corpus asks for one."
            yield Wrong(said, f"## {title}", (), "section-missing")


def has_section(body: str, title: str) -> bool:
    """Whether there is such a heading, of any level, outside of fenced code."""
    first = next(_headings(body, title), None)
    if first is None or not _fence_before(body, first):
        return first is not None
    from cairn.lib.markdown.blocks import fences, without

    return next(_headings(without(body, fences(body)), title), None) is not None


def _headings(body: str, title: str) -> Iterator[int]:
    """Where such lines start. What follows the title is looked at by itself: a pattern would go back and forth."""
    for found in re.finditer(rf"^#{{1,6}}[ \t]+{re.escape(title)}(.*)$", body, re.MULTILINE):
        if not found[1].rstrip().rstrip("#").rstrip():
            yield found.start()


def _fence_before(body: str, at: int) -> bool:
    return body.find("```", 0, at) >= 0 or body.find("~~~", 0, at) >= 0


# --- from steps to lines --------------------------------------------------------------------------------------------


def dotted(steps: tuple[Step, ...]) -> str:
    """`sources[0].url`"""
    return "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in steps).removeprefix(".")


def _placed(found: Iterable[Wrong], parsed: ParsedFile) -> tuple[FieldProblem, ...]:
    """As problems with the line of the file, in the order of the file."""
    listed = list(islice(found, MOST_PROBLEMS + 1))
    if not listed:
        return ()
    from cairn.knowledge.fields import YamlPlaces

    places = YamlPlaces(parsed.raw or "")
    problems = [_problem(wrong, parsed, places) for wrong in listed[:MOST_PROBLEMS]]
    problems.sort(key=lambda problem: problem.line)
    return tuple(problems) if len(listed) <= MOST_PROBLEMS else (*problems, MORE_PROBLEMS)


def _problem(wrong: Wrong, parsed: ParsedFile, places: "YamlPlaces") -> FieldProblem:
    field = dotted(wrong.at)
    message = f"`{field}` {wrong.said}" if field else wrong.said
    return FieldProblem(field, message, _line(wrong.at, parsed, places), wrong.fix, wrong.rule)


def _line(steps: tuple[Step, ...], parsed: ParsedFile, places: "YamlPlaces") -> int:
    """Frontmatter starts on the second line of its file; what is missing there is missed on the first."""
    if not steps:
        return parsed.body_line
    return places.line(steps) + 1 if steps[0] in parsed.frontmatter else 1


# --- tolerant -------------------------------------------------------------------------------------------------------

_LAYOUT_OF_KIND: Mapping[str, Layout] = {
    "practice": "nodes",
    "map": "nodes",
    "procedure": "artefacts",
    "route": "artefacts",
    "decision": "plain",
}


def read_tolerant(
    path: str, frontmatter: Mapped, *, kind: str, body: str = "", layout: Layout | None = None
) -> Entry | None:
    """The best of a page that a scan has split already; None when it has no name to be known by.

    Pages of the layout `plain` and decisions need none: they are known by their file."""
    return take_entry(path, frontmatter, kind=kind, layout=layout or _LAYOUT_OF_KIND.get(kind, "entries"), body=body)


def take_entry(path: str, frontmatter: Mapped, *, kind: str, layout: Layout, body: str = "") -> Entry | None:
    taken: dict[str, Any] = {}
    used = set(CHECKED_ONLY) if layout == "nodes" else set()
    for taker in takers(layout):
        value = _taken(frontmatter, taker, used)
        if value is not None:
            taken[taker.attribute] = value
    name = taken.pop("name", None) or (_stem(path) if layout == "plain" else None)
    if not name:
        return None
    title = taken.pop("title", None) or first_heading(body) or name
    summary = taken.pop("summary", "")
    extra = {key: value for key, value in frontmatter.items() if key not in used}
    return Entry(path=path, kind=kind, name=name, title=title, summary=summary, extra=extra, **taken)


def _taken(frontmatter: Mapped, taker: Taker, used: set[str]) -> Any:
    """The first name that gives anything; lists under several names are one list."""
    result: Any = None
    for name in taker.names:
        if name not in frontmatter or (result is not None and not isinstance(result, tuple)):
            continue
        value = taker.take(frontmatter[name])
        if value is not None or frontmatter[name] is None:
            used.add(name)
        if value is not None:
            result = value if not result else tuple(dict.fromkeys((*result, *value)))
    return result


# --- text -----------------------------------------------------------------------------------------------------------

_HEADING = re.compile(r"^#[ \t]+(\S.*)$", re.MULTILINE)
_GUIDANCE = re.compile(r"^## Deep Guidance(.*)$", re.MULTILINE | re.IGNORECASE)


def first_heading(body: str) -> str | None:
    """The title of a page that has none in its frontmatter. A `#` after a fence may be a comment of some script."""
    found = _HEADING.search(body)
    if found is None or _fence_before(body, found.start()):
        return None
    return found[1].rstrip().rstrip("#").rstrip() or None


def deep_guidance(body: str) -> str:
    """What an agent is given of a page: all that follows the heading `## Deep Guidance`, or the whole of it."""
    for found in _GUIDANCE.finditer(body):
        if not found[1].strip():
            return body[found.end() :].lstrip("\r\n")
    return body
