"""Documents that state a minimum version which the project has raised since."""

import re
from collections.abc import Iterator
from posixpath import basename, dirname
from typing import TYPE_CHECKING, NamedTuple

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import OldValue, PageOutline, Place, Repository

_VERSION = r"(\d+(?:\.\d+)*)"
_AT_LEAST = re.compile(
    rf"^\s*(?:version\s+)?(?:(?P<sign>>=|≥|\^|~>)\s*)?v?{_VERSION}\s*"
    r"(?P<more>\+|(?:or|and)\s+(?:newer|later|higher|above|greater|up)\b|\*\*\s*\+)?",
    re.IGNORECASE,
)
_VERSIONS = re.compile(r"(?<!\d)\d++\.\d+")
_NEEDS = re.compile(r"\b(?:requires?|required|requirements?|needs?|minimum|at least)\b[^.]{0,30}$", re.IGNORECASE)


_BULLET = re.compile(r"^\s*(?:[-*+]|\d+\.)?\s*|[*_`]|\([^()]*+\)")
_ALONE = re.compile(
    r"(?:requires?:?\s*+)?[A-Za-z.]+\s*+(?:version\s*+)?(?:>=|≥|v)?\s*+v?\d++(?:\.\d++)*+"
    r"\s*+(?:\+|(?:or|and)\s++(?:newer|later|higher|above|greater|up))?\s*+\.?\s*+",
    re.IGNORECASE,
)
"""A requirement and nothing else: `- Python 3.8+`."""


class DeclaredVersions(NamedTuple):
    """Where projects declare the oldest version of something that they work with."""

    shown: str
    words: str
    """How documents name it."""
    sources: tuple[tuple[str, str], ...]
    """Files with the pattern of the value."""

    @property
    def patterns(self) -> list[tuple[str, re.Pattern[bytes]]]:
        return [(file, re.compile(pattern.encode(), re.MULTILINE)) for file, pattern in self.sources]

    @property
    def name(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![\w.-])(?:{self.words})[*`]*(?=[\s:>=≥^~v]*\d)", re.IGNORECASE)


_DECLARED = (
    DeclaredVersions(
        "Python",
        "Python",
        (
            ("pyproject.toml", r"""^(?:requires-python|python)\s*=\s*["']\s*(?:>=|\^)\s*([\d.]+)"""),
            ("setup.cfg", r"^python_requires\s*=\s*>=\s*([\d.]+)"),
            ("setup.py", r"""python_requires\s*=\s*["']\s*>=\s*([\d.]+)"""),
        ),
    ),
    DeclaredVersions("Node.js", r"Node(?:\.?js)?", (("package.json", r'"node"\s*:\s*"\s*(?:>=|\^)\s*v?([\d.]+)'),)),
    DeclaredVersions("Rust", "Rust|rustc|MSRV", (("Cargo.toml", r"""^rust-version\s*=\s*["']([\d.]+)"""),)),
    DeclaredVersions("Go", "Go|Golang", (("go.mod", r"^go\s+([\d.]+)"),)),
    DeclaredVersions("PHP", "PHP", (("composer.json", r'"php"\s*:\s*"\s*(?:>=|\^)\s*([\d.]+)'),)),
    DeclaredVersions("Elixir", "Elixir", (("mix.exs", r'elixir:\s*"\s*(?:~>|>=)\s*([\d.]+)'),)),
)


class VersionMismatch:
    """A document that states a minimum version which the project has raised since.

    What it finds
        "Python 3.8+", "Node.js >= 16", "requires Go 1.20" in a document, where the project's own manifest declared that
        version once, a commit raised it, and the document had the old number already. Both values are shown.

    Why it matters
        Whoever trusts the document installs on a version that does not work. It is a warning where a line states the
        requirement and nothing else (`- Python 3.8+`), and a note in a sentence: on repositories that nobody had read,
        most such sentences were about an older release, or about a feature of the named version.

    Example
        "Requires Python 3.8 or newer", after `requires-python` became `>=3.10`.

    Fix
        State the version that the manifest declares.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A document states an outdated minimum version.", phase="read", reach="graph"
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        if not ctx.past.known:
            return
        for declared in _DECLARED:
            now = _now(ctx, declared)
            if now:
                yield from _compared(ctx, declared, now)


class Now(NamedTuple):
    value: str
    path: str
    line: int


def _now(ctx: "Repository", declared: DeclaredVersions) -> Now | None:
    for path, pattern in declared.patterns:
        data = (ctx.tree.read(path) if path in ctx.tree.paths else None) or b""
        if found := pattern.search(data):
            return Now(found[1].decode(), path, data.count(b"\n", 0, found.start(1)) + 1)
    return None


def _compared(ctx: "Repository", declared: DeclaredVersions, now: Now) -> Iterator[Issue]:
    for old in ctx.past.old_values(declared.patterns):
        number, current = _number(old.value), _number(now.value)
        if number >= current or number == current[: len(number)]:
            continue
        places = [
            ctx.place(page.path, line)
            for page in ctx.pages(declared.name)
            for line in _claims(page, declared, number)
            if ctx.past.had(page.path, _short(old.value), old.at)
        ]
        sure = [place for place in places if _is_requirement(ctx, place, now)]
        if sure:
            yield ctx.weighed(_issue(Severity.WARN, declared, old, now, sure))
        if rest := [place for place in places if place not in sure]:
            yield _issue(Severity.INFO, declared, old, now, rest)


def _is_requirement(ctx: "Repository", place: "Place", now: Now) -> bool:
    """Whether the line says nothing else, and no manifest is nearer to the document."""
    file, folder = basename(now.path), dirname(place.path)
    while folder:
        if f"{folder}/{file}" in ctx.tree.paths:
            return False
        folder = dirname(folder)
    return _ALONE.fullmatch(_BULLET.sub("", place.text).strip()) is not None


def _claims(page: "PageOutline", declared: DeclaredVersions, old: tuple[int, ...]) -> Iterator[int]:
    """Lines that name the thing and its old version as a lower bound."""
    name = declared.name
    for number, line in enumerate(page.prose_lines, 1):
        for named in name.finditer(line):
            stated = _AT_LEAST.match(line[named.end() :].lstrip(":*` "))
            if stated is None or _number(stated[2]) != old or len(_VERSIONS.findall(line)) > 1:
                continue
            if stated["sign"] or stated["more"] or _NEEDS.search(line[: named.start()]):
                yield number
                break


def _number(text: str) -> tuple[int, ...]:
    """`3.10` and `3.10.0` are one."""
    parts = [int(part[:18]) for part in text.split(".") if part]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def _short(value: str) -> str:
    return ".".join(str(part) for part in _number(value))


def _issue(severity: Severity, declared: DeclaredVersions, old: "OldValue", now: Now, places: "list[Place]") -> Issue:
    from cairn.plugin import Proof, proven

    commit = old.commit
    shown = _short(now.value)
    message = f"{declared.shown} {_short(old.value)} is no longer enough: {now.path} requires {shown}."
    proofs = [
        Proof(f"requires {now.value}", now.path, now.line),
        Proof(f"required {old.value} before this commit", old.path, 0, commit.short, commit.date if commit.id else ""),
    ]
    return proven(
        "version-mismatch",
        severity,
        f"{declared.shown} {old.value}",
        message,
        places,
        proofs,
        f"Write {declared.shown} {shown}.",
    )


extension = VersionMismatch()
