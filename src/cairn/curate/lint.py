"""How pages fit together: relations that lead nowhere or in a circle, names, tags that are nearly one, lone pages."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from cairn.core.model.knowledge import Entry
from cairn.curate.session_candidates import SUMMARY_LONGEST, TITLE_LONGEST
from cairn.lib.text.nearest import did_you_mean
from cairn.lib.text.trigger import normalize_trigger

Level = Literal["error", "finding"]
_EDGES = ("relates_to", "depends_on")
_SHOWN = 5
_HINTED = 20
"""To look for a name that is like another takes a while, and who has mistyped more than that has renamed something."""
_MEND = "; correct it, write that page, or take it out"


class Rule(NamedTuple):
    level: Level
    says: str


RULES: Mapping[str, Rule] = {
    "unreadable": Rule("error", "A page's frontmatter says nothing that can be understood."),
    "entry-invalid": Rule(
        "error", "A page's frontmatter is not what its layout asks for, as `cairn check` reports it."
    ),
    "dangling-edge": Rule("error", "A page is related to, or depends on, one that does not exist."),
    "slug-id-mismatch": Rule(
        "error", "A page is called otherwise than its file, or lies in the folder of another kind."
    ),
    "depends-cycle": Rule("error", "Pages depend on each other in a circle."),
    "entry-warning": Rule("finding", "A page's frontmatter has something that `cairn check` warns about."),
    "tag-near-duplicate": Rule("finding", "Two tags differ only in case, signs or a final s."),
    "orphan": Rule("finding", "No relation leads to a page or away from it."),
    "summary-long": Rule("finding", f"A summary has more than {SUMMARY_LONGEST} characters."),
    "title-long": Rule("finding", f"A title has more than {TITLE_LONGEST} characters."),
}


class Lint(NamedTuple):
    """One thing that does not fit."""

    rule: str
    path: str
    message: str

    @property
    def level(self) -> Level:
        return RULES[self.rule].level


class LintPage(NamedTuple):
    entry: Entry
    mismatch: str = ""
    """What is wrong about its name; empty when nothing is."""
    strict: bool = True
    """Whether it should be related to something, and short: nodes, and what a curator writes. An entry that somebody
    wrote by itself stands by itself."""
    invalid: tuple[str, ...] = ()
    """What `cairn check` calls an error in its frontmatter."""
    doubtful: tuple[str, ...] = ()
    """What it warns about there."""


def lint(pages: Sequence[LintPage], others: Collection[str] = ()) -> list[Lint]:
    """Errors first, then findings, each by rule and path. `others` are names that relations may lead to as well."""
    found = [*_invalid(pages), *_dangling(pages, others), *_mismatches(pages), *_circles(pages)]
    found += [*_tags(pages), *_orphans(pages), *_too_long(pages)]
    order = list(RULES)
    return sorted(found, key=lambda one: (order.index(one.rule), one.path, one.message))


# --- errors -----------------------------------------------------------------------------------------------------------


def _invalid(pages: Sequence[LintPage]) -> Iterator[Lint]:
    for page in pages:
        yield from (Lint("entry-invalid", page.entry.path, said) for said in page.invalid)
        yield from (Lint("entry-warning", page.entry.path, said) for said in page.doubtful)


def _dangling(pages: Sequence[LintPage], others: Collection[str]) -> Iterator[Lint]:
    names = {page.entry.name for page in pages}.union(others)
    known = {normalize_trigger(name) for name in names}
    told = 0
    for page in pages:
        for field in _EDGES:
            for target in dict.fromkeys(getattr(page.entry, field)):
                if normalize_trigger(target) not in known:
                    told += 1
                    hint = did_you_mean(target, names) if told <= _HINTED else ""
                    said = f"`{field}` names `{target}`, and no page is called so{hint or _MEND}"
                    yield Lint("dangling-edge", page.entry.path, said)


def _mismatches(pages: Sequence[LintPage]) -> Iterator[Lint]:
    return (Lint("slug-id-mismatch", page.entry.path, page.mismatch) for page in pages if page.mismatch)


def _circles(pages: Sequence[LintPage]) -> Iterator[Lint]:
    by_name = {normalize_trigger(page.entry.name): page.entry.path for page in reversed(pages)}
    needs = {
        page.entry.path: [to for name in page.entry.depends_on if (to := by_name.get(normalize_trigger(name)))]
        for page in pages
    }
    for circle in circles(needs):
        shown = [f"`{path}`" for path in circle[:_SHOWN]]
        more = [f"{len(circle) - _SHOWN} more"] if len(circle) > _SHOWN else []
        message = f"it depends on itself: {' → '.join([*shown, *more, 'itself'])}; take one `depends_on` out"
        yield Lint("depends-cycle", circle[0], message)


def circles(needs: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """At least one circle of every knot. No page ends two of them, so that a knot of many is not told over and over."""
    done: set[str] = set()
    told: set[str] = set()
    for start in sorted(needs):
        for way, target in _returns(start, needs, done):
            if target not in told and way[-1] not in told:
                circle = way[way.index(target) :]
                told.update(circle)
                first = circle.index(min(circle))
                yield circle[first:] + circle[:first]


def _returns(start: str, needs: Mapping[str, Sequence[str]], done: set[str]) -> Iterator[tuple[list[str], str]]:
    """A walk in depth: each way that comes back to one of its own pages, and to which."""
    if start in done:
        return
    way, on_way = [start], {start}
    steps = [iter(needs[start])]
    while steps:
        target = next(steps[-1], None)
        if target is None:
            done.add(way[-1])
            on_way.discard(way.pop())
            steps.pop()
        elif target in on_way:
            yield way, target
        elif target not in done:
            way.append(target)
            on_way.add(target)
            steps.append(iter(needs[target]))


# --- findings ---------------------------------------------------------------------------------------------------------


def _tags(pages: Sequence[LintPage]) -> Iterator[Lint]:
    used: Counter[str] = Counter(tag for page in pages for tag in page.entry.topics)
    first: dict[str, str] = {}
    for page in pages:
        for tag in page.entry.topics:
            first.setdefault(tag, page.entry.path)
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for tag in used:
        if key := tag_key(tag):
            alike[key].append(tag)
    for group in alike.values():
        if len(group) > 1:
            usual, *rest = sorted(group, key=lambda tag: (-used[tag], tag))
            said = ", ".join(f"`{tag}` ({used[tag]})" for tag in (usual, *rest))
            yield Lint("tag-near-duplicate", first[rest[0]], f"{said} look like one tag; write `{usual}` everywhere")


def tag_key(tag: str) -> str:
    """What is left of a tag without case, signs and one final s."""
    return "".join(char for char in tag.lower() if char.isalnum()).removesuffix("s")


def _orphans(pages: Sequence[LintPage]) -> Iterator[Lint]:
    targets = {normalize_trigger(target) for page in pages for target in _leads_to(page.entry)}
    for page in pages:
        if page.strict and not _leads_to(page.entry) and normalize_trigger(page.entry.name) not in targets:
            yield Lint(
                "orphan", page.entry.path, "no relation leads here or away; name what it belongs to in `relates_to`"
            )


def _leads_to(entry: Entry) -> tuple[str, ...]:
    return (*entry.relates_to, *entry.depends_on)


def _too_long(pages: Sequence[LintPage]) -> Iterator[Lint]:
    limits = (("summary", SUMMARY_LONGEST), ("title", TITLE_LONGEST))
    for page in (one for one in pages if one.strict):
        for field, longest in limits:
            size = len(getattr(page.entry, field))
            if size > longest:
                yield Lint(
                    f"{field}-long", page.entry.path, f"the {field} has {size} characters; at most {longest} fit"
                )
