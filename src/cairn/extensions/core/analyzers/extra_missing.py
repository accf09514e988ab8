"""Commands that install an extra or a feature which the package does not declare."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from posixpath import dirname, join
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import PageOutline, Place, Repository

_INSTALLS = re.compile(r"\b(?:pip3?|uv|uvx|pipx|poetry|pdm|cargo|features)\b")
_EXTRA = re.compile(r"(?:^|[\s'\"])(?P<name>[A-Za-z][\w.-]*)\[(?P<extras>[\w., -]+)\]")
_HERE = re.compile(
    r"\bpip3? install\b.*?[\s'\"]\./?\[(?P<extras>[\w., -]+)\]|\buv (?:sync|run)\b.*?\s--extra[= ](?P<extra>[\w.-]+)"
)
_ADDS = re.compile(
    r"\bcargo (?:add|install)\s+(?:--locked\s+)?(?P<name>[\w-]+)\b.{0,300}?"
    r"\s(?:--features|-F)[= ](?P<extras>\"[^\"]+\"|'[^']+'|[\w,-]+)"
)
_DEPENDENCY = re.compile(r"^\s*(?P<name>[\w-]+)\s*=\s*\{(?P<rest>.*)\}\s*(?:#.*)?$")
_FEATURES = re.compile(r"\bfeatures\s*=\s*\[(?P<extras>[^\]]*)\]")
_PLACEHOLDER = re.compile(r"(?:your|my|some|foo|bar|extras?|features?|name|x+)(?:[-_\d].*)?|\W+", re.IGNORECASE)
"""Names that the reader is to replace. A hit only hides a finding."""
_NEAR = 0.75


class Package(NamedTuple):
    name: str
    file: str
    thing: str
    declared: frozenset[str]


_Reader = Callable[[str, Mapping[str, Any]], Package | None]


class Use(NamedTuple):
    line: int
    package: Package
    extra: str


class ExtraMissing:
    """A command that installs an extra or a feature which the package does not declare.

    What it finds
        `pip install 'NAME[extra]'` and the like for a Python package of this repository, `.[extra]` and
        `uv sync --extra` in documents for its contributors, and `cargo add NAME --features x` and
        `NAME = { features = ["x"] }` for its crates, where the manifest declares no such extra or feature. Packages
        whose extras a program computes are not judged.

    Why it matters
        pip installs the package without the extra and shows only a warning, and cargo fails.

    Example
        `pip install 'shop[redis]'`, after the extra was renamed to `cache`.

    Fix
        Name an extra that exists, or declare it.
    """

    manifest = AnalyzerManifest(
        version="1.0.0",
        description="A command installs an extra that the package does not declare.",
        phase="read",
        reach="graph",
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        python = _packages(ctx, "pyproject.toml", partial(_python, ctx.tree.paths))
        crates = _packages(ctx, "Cargo.toml", _crate)
        if not python and not crates:
            return
        found: dict[tuple[Package, str], list[Place]] = defaultdict(list)
        for page in ctx.pages(_INSTALLS):
            for use in (*_extras(ctx, page, python), *_features(page, crates)):
                if _normal(use.extra) not in use.package.declared and not _PLACEHOLDER.fullmatch(use.extra):
                    found[(use.package, use.extra)].append(ctx.place(page.path, use.line))
        for (package, extra), places in found.items():
            yield ctx.weighed(_issue(package, extra, places))


# --- manifests --------------------------------------------------------------------------------------------------------


def _packages(ctx: "Repository", file: str, read: _Reader) -> dict[str, Package]:
    """Packages by their name. One that two manifests have, or whose extras nobody can know, is left out."""
    from cairn.plugin import scope_of

    found: dict[str, list[Package]] = defaultdict(list)
    for path in ctx.tree.by_name.get(file, ()):
        if scope_of(path) == "current" and (package := read(path, _toml(ctx.tree.text(path) or ""))):
            found[_normal(package.name)].append(package)
    return {name: same[0] for name, same in found.items() if len(same) == 1}


_LONGEST = 5_000


def _toml(text: str) -> Mapping[str, Any]:
    import tomllib

    if any(len(line) > _LONGEST for line in text.split("\n")):
        return {}  # the parser takes long for a number of thousands of parts, and no manifest has such lines
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _python(files: Collection[str], path: str, data: Mapping[str, Any]) -> Package | None:
    project, poetry = _table(data, "project"), _table(data, "tool", "poetry")
    name = project.get("name") or poetry.get("name")
    extras = {**_table(project, "optional-dependencies"), **_table(poetry, "extras")}
    beside = not extras and any(join(dirname(path), file) in files for file in ("setup.py", "setup.cfg"))
    if not isinstance(name, str) or beside or "optional-dependencies" in project.get("dynamic", ()):
        return None
    return Package(name, path, "extra", frozenset(map(_normal, extras)))


def _crate(path: str, data: Mapping[str, Any]) -> Package | None:
    name = _table(data, "package").get("name")
    if not isinstance(name, str):
        return None
    tables = [data, *(table for table in _table(data, "target").values() if isinstance(table, dict))]
    optional = {
        key
        for table in tables
        for key, value in _table(table, "dependencies").items()
        if isinstance(value, dict) and value.get("optional")
    }
    return Package(name, path, "feature", frozenset(map(_normal, {*_table(data, "features"), *optional, "default"})))


def _table(data: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    for key in keys:
        value = data.get(key)
        data = value if isinstance(value, dict) else {}
    return data


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


# --- documents --------------------------------------------------------------------------------------------------------


def _extras(ctx: "Repository", page: "PageOutline", packages: Mapping[str, Package]) -> Iterator[Use]:
    from cairn.plugin import command_lines

    if not packages:
        return
    here = _package_of(ctx, page, packages)
    for command in command_lines(page, _EXTRA, anywhere=True):
        for found in _EXTRA.finditer(command.text) if _INSTALLS.search(command.text) else ():
            if package := packages.get(_normal(found["name"])):
                yield from map(partial(Use, command.line, package), _names(found["extras"]))
    if here is None:
        return
    for command in command_lines(page, _HERE):
        for found in _HERE.finditer(command.text):
            yield from map(partial(Use, command.line, here), _names(found["extras"] or found["extra"]))


def _package_of(ctx: "Repository", page: "PageOutline", packages: Mapping[str, Package]) -> Package | None:
    """The package in whose folder, or below, a page for its contributors is; None for pages about the reader's own."""
    if not ctx.is_read_on_forge(page.path):
        return None
    folder = dirname(page.path)
    while True:
        manifest = join(folder, "pyproject.toml")
        if manifest in ctx.tree.paths:
            return next((package for package in packages.values() if package.file == manifest), None)
        if not folder:
            return None
        folder = dirname(folder)


def _features(page: "PageOutline", crates: Mapping[str, Package]) -> Iterator[Use]:
    from cairn.plugin import command_lines

    if not crates:
        return
    for command in command_lines(page, _ADDS, anywhere=True):
        if (found := _ADDS.search(command.text)) and (crate := crates.get(_normal(found["name"]))):
            yield from map(partial(Use, command.line, crate), _names(found["extras"]))
    for block in page.blocks:
        for line, text in enumerate(block.lines, block.line) if block.language == "toml" else ():
            entry = _DEPENDENCY.match(text)
            features = _FEATURES.search(entry["rest"]) if entry and "package" not in entry["rest"] else None
            if entry and features and (crate := crates.get(_normal(entry["name"]))):
                yield from map(partial(Use, line, crate), re.findall(r"[\"']([\w-]+)[\"']", features["extras"]))


def _names(written: str) -> list[str]:
    return [name for name in re.split(r"[, ]+", written.strip("\"'")) if name]


def _issue(package: Package, extra: str, places: "list[Place]") -> Issue:
    from cairn.plugin import Proof, proven

    declared = sorted(package.declared - {"default"})
    near = get_close_matches(_normal(extra), declared, 1, cutoff=_NEAR)
    listed = ", ".join(f"`{name}`" for name in declared[:12]) + (" …" if len(declared) > 12 else "")
    number = f"{len(declared)} {package.thing}{'' if len(declared) == 1 else 's'}"
    message = f"`{package.name}` has no {package.thing} `{extra}`."
    proofs = [Proof(number + (f": {listed}" if listed else ""), package.file)]
    fix = f"Write `{near[0]}`." if near else f"Name {_a(package.thing)} that exists, or declare `{extra}`."
    return proven("extra-missing", Severity.WARN, f"{package.name}[{extra}]", message, places, proofs, fix)


def _a(thing: str) -> str:
    return f"an {thing}" if thing == "extra" else f"a {thing}"


extension = ExtraMissing()
