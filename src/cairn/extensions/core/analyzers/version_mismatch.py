"""Documents that state a minimum version which the project has raised since."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import PageOutline, Place, Repository, ValueChange

_VERSION = r"(\d+(?:\.\d+)*)"
_AT_LEAST = re.compile(
    rf"^\s*(?:version\s+)?(?:(?P<sign>>=|≥|\^|~>)\s*)?v?{_VERSION}\s*"
    r"(?P<more>\+|(?:or|and)\s+(?:newer|later|higher|above|greater|up)\b|\*\*\s*\+)?",
    re.IGNORECASE,
)
_NEEDS = re.compile(
    r"\b(?:requires?|required|requirements?|needs?|minimum|at least|supports?)\b[^.]{0,30}$", re.IGNORECASE
)


class Declared(NamedTuple):
    """Where a project declares the oldest version of something that it works with."""

    file: str
    value: re.Pattern[bytes]
    name: re.Pattern[str]
    shown: str


def _name(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-])(?:{words})[*`]*(?=[\s:>=≥^~v]*\d)", re.IGNORECASE)


_PYTHON = (_name("Python"), "Python")
_NODE = (_name(r"Node(?:\.?js)?"), "Node.js")
_RUST = (_name("Rust|rustc|MSRV"), "Rust")
_DECLARED = (
    Declared("pyproject.toml", re.compile(rb"""^requires-python\s*=\s*["']\s*>=\s*([\d.]+)""", re.M), *_PYTHON),
    Declared("setup.cfg", re.compile(rb"""^python_requires\s*=\s*>=\s*([\d.]+)""", re.M), *_PYTHON),
    Declared("setup.py", re.compile(rb"""python_requires\s*=\s*["']\s*>=\s*([\d.]+)"""), *_PYTHON),
    Declared(
        "package.json", re.compile(rb'"node"\s*:\s*"\s*(?:>=|\^)\s*([\d.]+)'), _name(r"Node(?:\.?js)?"), "Node.js"
    ),
    Declared(
        "Cargo.toml", re.compile(rb"""^rust-version\s*=\s*["']([\d.]+)""", re.M), _name("Rust|rustc|MSRV"), "Rust"
    ),
    Declared("go.mod", re.compile(rb"^go\s+([\d.]+)", re.M), _name("Go|Golang"), "Go"),
    Declared("composer.json", re.compile(rb'"php"\s*:\s*"\s*(?:>=|\^)\s*([\d.]+)'), _name("PHP"), "PHP"),
    Declared("mix.exs", re.compile(rb'elixir:\s*"\s*(?:~>|>=)\s*([\d.]+)'), _name("Elixir"), "Elixir"),
)


class VersionMismatch:
    """A document that states a minimum version which the project has raised since.

    What it finds
        "Python 3.8+", "Node.js >= 16", "requires Go 1.20" in a document, where the project's own manifest declared that
        version once, a commit raised it, and the document had the old number already. Both values are shown.

    Why it matters
        Whoever trusts the document installs on a version that does not work.

    Example
        "Requires Python 3.8 or newer", after `requires-python` became `>=3.10`.

    Fix
        State the version that the manifest declares.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A document states an outdated minimum version.", phase="read", reach="graph"
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        told: set[str] = set()
        for declared in _DECLARED:
            for path in ctx.by_name.get(declared.file, ()):
                if "/" not in path and declared.shown not in told:
                    raised = ctx.value_changes(path, declared.value)
                    told |= {declared.shown} if raised else set()
                    yield from _compared(ctx, declared, path, raised)


def _compared(ctx: "Repository", declared: Declared, path: str, raised: "list[ValueChange]") -> Iterator[Issue]:
    if not raised:
        return
    now = _number(raised[0].new)
    for change in raised:
        old = _number(change.old)
        if old >= now or old == now[: len(old)]:
            continue
        places: dict[str, list[Place]] = defaultdict(list)
        for page in ctx.pages():
            for line in _claims(page, declared, old):
                if ctx.had(page.path, _short(change.old), change.at) and not ctx.about_the_past(page, line):
                    places[change.old].append(ctx.place(page.path, line))
        yield from (_issue(declared, path, change, raised[0].new, same) for same in places.values())


def _claims(page: "PageOutline", declared: Declared, old: tuple[int, ...]) -> Iterator[int]:
    """Lines that name the thing and its old version as a lower bound."""
    for number, line in enumerate(page.prose_lines, 1):
        for named in declared.name.finditer(line):
            stated = _AT_LEAST.match(line[named.end() :].lstrip(":*` "))
            if stated is None or _number(stated[2]) != old:
                continue
            if stated["sign"] or stated["more"] or _NEEDS.search(line[: named.start()]):
                yield number
                break


def _number(text: str) -> tuple[int, ...]:
    """`3.10` and `3.10.0` are one."""
    parts = [int(part) for part in text.split(".") if part]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def _short(value: str) -> str:
    return ".".join(str(part) for part in _number(value))


def _issue(declared: Declared, path: str, change: "ValueChange", now: str, places: "list[Place]") -> Issue:
    from cairn.plugin import Proof, proven

    commit, old = change.commit, change.old
    message = f"{declared.shown} {_short(old)} is no longer enough: {path} requires {_short(now)}."
    when = f"raised from {old} to {change.new}"
    proofs = [Proof(when, path, change.line, commit.short, commit.date if commit.id else "")]
    fix = f"Write {declared.shown} {_short(now)}."
    return proven("version-mismatch", Severity.WARN, f"{declared.shown} {old}", message, places, proofs, fix)


extension = VersionMismatch()
