"""How pages fit together: relations that lead nowhere or in a circle, names, tags that are nearly one, lone pages."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from cairn.changes.write import write_file
from cairn.core.isolate import each
from cairn.core.model.knowledge import Corpus, Entry, FieldProblem, corpus_of
from cairn.core.paths import OLD_BASE
from cairn.core.ports.runtime import ReadFailed
from cairn.core.session_log import log_name
from cairn.curate.index_documents import too_large
from cairn.curate.ports import CuratePorts
from cairn.curate.run_journal import FOLDER
from cairn.curate.session_candidates import SUMMARY_LONGEST, TITLE_LONGEST
from cairn.errors import CannotWrite
from cairn.journal import iso_utc
from cairn.knowledge.corpora import kind_of
from cairn.knowledge.new_page import name_of
from cairn.knowledge.read import read_tolerant, wrong_names
from cairn.knowledge.routes import read_strict
from cairn.lib.markdown.frontmatter import decode, parse
from cairn.lib.text.names import did_you_mean, normalize_trigger

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
    "name-duplicate": Rule("error", "Two pages of a corpus have one name."),
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
    corpus: str = ""


def lint(pages: Sequence[LintPage], others: Collection[str] = ()) -> list[Lint]:
    """Errors first, then findings, each by rule and path. `others` are names that relations may lead to as well."""
    found = [*_invalid(pages), *_dangling(pages, others), *_mismatches(pages), *_twins(pages), *_circles(pages)]
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


def _twins(pages: Sequence[LintPage]) -> Iterator[Lint]:
    groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for page in pages:
        groups[page.corpus, normalize_trigger(page.entry.name)].append(page.entry.path)
    for (_, name), paths in groups.items():
        first, *others = sorted(paths)
        if others:
            shown = ", ".join(f"`{path}`" for path in others[:_SHOWN])
            more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
            said = f"the name `{name.replace(' ', '-')}` is also taken by {shown}{more}; give all but one another name"
            yield Lint("name-duplicate", first, said)


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


LAYOUTS: Final = ("nodes", "entries")
_LONG: Final = {"title": TITLE_LONGEST, "summary": SUMMARY_LONGEST}
_OURS: Final = f"{FOLDER}/lint-state.json"
_OLD: Final = f"{OLD_BASE}/.state/lint-state.json"


class LintResult(NamedTuple):
    pages: int
    found: tuple[Lint, ...]
    problem: str = ""
    """Why it could not be written down that there was a lint; what it found holds all the same."""

    @property
    def errors(self) -> tuple[Lint, ...]:
        return tuple(one for one in self.found if one.level == "error")

    @property
    def findings(self) -> tuple[Lint, ...]:
        return tuple(one for one in self.found if one.level == "finding")

    def json(self) -> dict[str, Any]:
        return {
            "pages": self.pages,
            "errors": [one._asdict() for one in self.errors],
            "findings": [one._asdict() for one in self.findings],
        }


def lint_pages(ports: CuratePorts) -> LintResult:
    """Every page of the layouts `nodes` and `entries`, and a note of when that was."""
    known = [(path, corpus) for path in _paths(ports) if (corpus := corpus_of(path, ports.corpora)) is not None]
    ours = [(path, corpus) for path, corpus in known if corpus.layout in LAYOUTS]
    read = list(each(ours, lambda one: _read(ports, *one), lambda one: one[0]))
    pages = [one for one in read if isinstance(one, LintPage)]
    others = {name_of(corpus, path) for path, corpus in known}
    broken = [one for one in read if isinstance(one, Lint)]
    linted = LintResult(len(read), (*broken, *lint(pages, others)))
    return linted._replace(problem=_remembered(ports, linted))


def _remembered(ports: CuratePorts, linted: LintResult) -> str:
    """Also where nothing can be written, such as in a checkout of somebody else's, it can be looked."""
    try:
        remember(ports, linted)
    except CannotWrite as error:
        return error.message
    return ""


def _paths(ports: CuratePorts) -> Iterator[str]:
    roots = tuple(c.root or "." for c in ports.corpora if not c.root or ports.files.exists(c.root))
    if not roots:
        return
    for file in ports.files.walk(ports.scan_request(only=roots).walk((".md",))).files:
        corpus = corpus_of(file.path, ports.corpora)
        if corpus is not None and kind_of(corpus, file.path):
            yield file.path


def _read(ports: CuratePorts, path: str, corpus: Corpus) -> LintPage | Lint:
    try:
        data = ports.files.read(path)[0]
    except ReadFailed as failed:
        return Lint("unreadable", path, str(failed))
    text, problems, binary = decode(data)
    if binary:
        return Lint("unreadable", path, problems[0].message)
    page = parse(text)
    kind = kind_of(corpus, path) or "entry"
    entry = read_tolerant(path, page.frontmatter, kind=kind, body=page.body, layout=corpus.layout)
    if entry is None:
        why = page.problems[0].message if page.problems else "there is no name in its frontmatter"
        return Lint("unreadable", path, f"{why.rstrip('.')}; `cairn check --node {path}` says more")
    wrong = " ".join(f"`{one.at[0]}` {one.said}" for one in wrong_names(path, page.frontmatter, corpus.layout))
    reading = read_strict(path, text, corpus)
    invalid, doubtful = (tuple(_said(ports, some, page.frontmatter)) for some in (reading.errors, reading.warnings))
    large = too_large(len(data), ports.settings)
    doubtful = (*doubtful, large) if large else doubtful
    return LintPage(entry, wrong, kind in ("practice", "map"), invalid, doubtful, corpus.name)


def _said(ports: CuratePorts, problems: Sequence[FieldProblem], frontmatter: Mapping[str, Any]) -> Iterator[str]:
    """What `cairn check` reports as `entry-invalid`, and keys that are not read; lengths are for lint itself."""
    from cairn.knowledge.allowlist import is_vouched_source

    for one in problems:
        long = one.field in _LONG and len(str(frontmatter.get(one.field, ""))) > _LONG[one.field]
        if (
            one.rule.startswith(("entry-invalid", "frontmatter-"))
            and not long
            and not is_vouched_source(ports.env, frontmatter, one.field)
        ):
            yield f"line {one.line}: {one.message}"


# --- when it is due ---------------------------------------------------------------------------------------------------


class LintState(NamedTuple):
    """Kept between runs, with the names that an older base has for it."""

    sessions_since_last_lint: int = 0
    last_lint_at: str | None = None
    last_errors: int = 0
    last_findings: int = 0


def lint_state(ports: CuratePorts) -> LintState:
    """A file that is damaged is as good as none. Sessions are counted when somebody asks, by the logs that are here;
    the program that an older base comes from counts them itself."""
    try:
        value = json.loads(ports.files.read(_place(ports))[0])
    except (ReadFailed, ValueError, RecursionError):
        value = {}
    kept = _state(value if isinstance(value, dict) else {})
    since = sum(name > log_name(kept.last_lint_at or "", "~") for name in _logs(ports))
    return kept._replace(sessions_since_last_lint=max(kept.sessions_since_last_lint, since))


def lint_due(ports: CuratePorts) -> int:
    """How many sessions there were since the last lint, when those are enough for another; else 0."""
    every = ports.settings.integer("curate.lint_every_sessions")
    since = lint_state(ports).sessions_since_last_lint if every > 0 else 0
    return since if since >= every > 0 else 0


def remember(ports: CuratePorts, linted: LintResult) -> None:
    at = iso_utc(ports.clock.now_ms())
    value = LintState(0, at, len(linted.errors), len(linted.findings))._asdict()
    text = json.dumps({"schema_version": 1, **value}, indent=2) + "\n"
    write_file(ports.root, _place(ports), text, mode=0o600)


def _place(ports: CuratePorts) -> str:
    """With the state of an older base, where that is at home here."""
    return _OLD if ports.files.exists(f"{OLD_BASE}/.state") else _OURS


def _state(value: dict[str, Any]) -> LintState:
    at = value.get("last_lint_at")
    numbers = {key: _number(value.get(key)) for key in ("sessions_since_last_lint", "last_errors", "last_findings")}
    return LintState(last_lint_at=at if isinstance(at, str) else None, **numbers)


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def _logs(ports: CuratePorts) -> Sequence[str]:
    return ports.session_logs().names()
