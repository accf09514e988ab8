"""Linting the pages of a workspace, and when it is due again."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cairn.capture.session_logs import OLD_BASE, logs_of
from cairn.capture.session_names import log_name
from cairn.changes.write import write_file
from cairn.core.isolate import each
from cairn.core.model.knowledge import Corpus, FieldProblem, corpus_of
from cairn.core.ports.files import ReadFailed
from cairn.curate.lint import Lint, LintPage, lint
from cairn.curate.ports import CuratePorts
from cairn.curate.session_candidates import SUMMARY_LONGEST, TITLE_LONGEST
from cairn.curate.state import FOLDER
from cairn.errors import CannotWrite
from cairn.journal import iso_utc
from cairn.knowledge.layouts import kind_of
from cairn.knowledge.read import read_strict, read_tolerant, wrong_names
from cairn.knowledge.scaffold import name_of
from cairn.lib.markdown.frontmatter import decode, parse

LAYOUTS: Final = ("nodes", "entries")
_LONG: Final = {"title": TITLE_LONGEST, "summary": SUMMARY_LONGEST}
_OURS: Final = f"{FOLDER}/lint-state.json"
_OLD: Final = f"{OLD_BASE}/.state/lint-state.json"


class Linted(NamedTuple):
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


def lint_pages(ports: CuratePorts) -> Linted:
    """Every page of the layouts `nodes` and `entries`, and a note of when that was."""
    known = [(path, corpus) for path in _paths(ports) if (corpus := corpus_of(path, ports.corpora)) is not None]
    ours = [(path, corpus) for path, corpus in known if corpus.layout in LAYOUTS]
    read = list(each(ours, lambda one: _read(ports, *one), lambda one: one[0]))
    pages = [one for one in read if isinstance(one, LintPage)]
    others = {name_of(corpus, path) for path, corpus in known}
    broken = [one for one in read if isinstance(one, Lint)]
    linted = Linted(len(read), (*broken, *lint(pages, others)))
    return linted._replace(problem=_remembered(ports, linted))


def _remembered(ports: CuratePorts, linted: Linted) -> str:
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
        text, problems, binary = decode(ports.files.read(path)[0])
    except ReadFailed as failed:
        return Lint("unreadable", path, str(failed))
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
    return LintPage(entry, wrong, kind in ("practice", "map"), invalid, doubtful)


def _said(ports: CuratePorts, problems: Sequence[FieldProblem], frontmatter: Mapping[str, Any]) -> Iterator[str]:
    """What `cairn check` reports as `entry-invalid`, and keys that are not read; lengths are for lint itself."""
    from cairn.freshness.page_issues import is_vouched_source

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


def remember(ports: CuratePorts, linted: Linted) -> None:
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
    return logs_of(ports).names()
