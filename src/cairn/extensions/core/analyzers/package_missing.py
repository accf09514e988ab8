"""Commands and imports in documents that name a package, or a part of one, which the repository does not have."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from posixpath import dirname
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import PageOutline, Place, Repository

_CARGO = re.compile(
    r"\bcargo (?:\+\S+ )?(?:build|test|run|check|clippy|bench|doc|nextest run)\b(?!.*--manifest-path)(?P<rest>[^|;&]*)"
)
_CHOSEN = re.compile(r"\s(?P<option>-p|--package|--bin)[= ](?P<name>[A-Za-z][\w-]*)(?=\s|$)")
_IMPORTS = re.compile(
    r"""(?:\bfrom|\bimport|\brequire\()\s*["'](?P<package>(?:@[\w.-]+/)?[\w.-]+)/(?P<part>[\w./-]+)["']"""
)
_SCRIPT = frozenset(("js", "jsx", "mjs", "ts", "tsx", "javascript", "typescript", "vue", "svelte"))
_READ = re.compile(r"\bcargo \S|\bimport\b|\brequire\(")
_FOR_OTHERS = re.compile(r"(?:.*/)?(?:skills|agents|instructions|prompts|commands|plugins)/")
"""Files that agents use in other repositories: they name what those have."""
_PLACEHOLDER = re.compile(r"(?:your|my|some|specific|foo|bar|baz|example|package|crate)(?:[-_].*)?", re.IGNORECASE)
"""Names that the reader is to replace. A hit only hides a finding."""
_NEAR = 0.7


class Missing(NamedTuple):
    message: str
    target: str
    evidence: str
    file: str
    near: str


class PackageMissing:
    """A command or import that names a package, or a part of one, which the repository does not have.

    What it finds
        `cargo test -p NAME` and `cargo run --bin NAME`, where no `Cargo.toml` and no `Cargo.lock` has the name, and
        imports of `NAME/part` in JavaScript and TypeScript, where the `exports` of the package of this repository have
        no such part. Commands after `cd`, and files that agents use elsewhere, are not judged.

    Why it matters
        Whoever runs the command or the example gets an error.

    Example
        `cargo bench -p shop-engine`, after the crate was renamed to `shop-core`.

    Fix
        Name a package or a part that exists.
    """

    manifest = AnalyzerManifest(
        version="1.0.0",
        description="A command or import names a package that the repository does not have.",
        phase="read",
        reach="graph",
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        crates, exports = _Crates(ctx), _exports(ctx)
        if not crates.names and not exports:
            return
        found: dict[Missing, list[Place]] = defaultdict(list)
        for page in ctx.pages(_READ):
            if _FOR_OTHERS.match(page.path):
                continue
            for line, missing in (*crates.missing(page), *_parts(page, exports)):
                found[missing].append(ctx.place(page.path, line))
        for missing, places in found.items():
            yield ctx.weighed(_issue(missing, places))


def _issue(missing: Missing, places: "list[Place]") -> Issue:
    from cairn.plugin import Proof, proven

    proofs = [Proof(missing.evidence, missing.file)]
    fix = f"Write `{missing.near}`." if missing.near else "Name one that exists, or update the example."
    return proven("package-missing", Severity.WARN, missing.target, missing.message, places, proofs, fix)


# --- crates -----------------------------------------------------------------------------------------------------------


class _Crates:
    def __init__(self, ctx: "Repository") -> None:
        self._ctx = ctx
        self.names = ctx.code.rust_crates
        """As code spells them."""
        manifests = [*ctx.tree.by_name.get("Cargo.toml", ()), *ctx.tree.by_name.get("Cargo.lock", ())]
        texts = (ctx.tree.read(path) or b"" for path in manifests) if self.names else ()
        self._words = frozenset(word for text in texts for word in re.findall(rb"[A-Za-z][\w-]*", text))
        """All that manifests name: a dependency can be built by its name too."""

    def missing(self, page: "PageOutline") -> Iterator[tuple[int, Missing]]:
        from cairn.plugin import command_lines

        for command in command_lines(page, _CARGO) if self.names else ():
            for call in _CARGO.finditer(command.text):
                for chosen in _CHOSEN.finditer(call["rest"].partition(" -- ")[0]):
                    if not self._has(chosen["name"]):
                        yield command.line, self._report(chosen["name"], chosen["option"])

    def _has(self, name: str) -> bool:
        folder = any(name in path.split("/") for path in map(dirname, self._ctx.tree.by_name.get("Cargo.toml", ())))
        bins = f"{name}.rs" in self._ctx.tree.by_name
        return bool(_PLACEHOLDER.fullmatch(name)) or name.encode() in self._words or folder or bins

    def _report(self, name: str, option: str) -> Missing:
        thing = "program" if option == "--bin" else "crate"
        known = sorted(crate.replace("_", "-") for crate in self.names)
        near = get_close_matches(name, known, 1, cutoff=_NEAR)
        number = len(self._ctx.tree.by_name["Cargo.toml"])
        where = f"`Cargo.toml` ({number} file{'' if number == 1 else 's'}) or `Cargo.lock`"
        nearest = f"; the nearest crate is `{near[0]}`" if near else ""
        evidence = f"`{name}` is in no {where}{nearest}"
        return Missing(f"This command fails: there is no {thing} `{name}`.", f"{thing} {name}", evidence, "", "")


# --- parts of packages ------------------------------------------------------------------------------------------------


class _Exports(NamedTuple):
    file: str
    parts: tuple[str, ...]
    """Keys of `exports`, without `./`; some have a `*`."""

    def has(self, part: str) -> bool:
        return any(re.fullmatch(re.escape(known).replace(r"\*", ".+"), part) for known in self.parts)


def _exports(ctx: "Repository") -> Mapping[str, _Exports]:
    """Packages of the repository that list all their parts. One that two manifests name is left out."""
    from cairn.plugin import scope_of

    found: dict[str, list[_Exports]] = defaultdict(list)
    for path in ctx.tree.by_name.get("package.json", ()):
        text = ctx.tree.text(path) or "" if scope_of(path) == "current" else ""
        data = _json(text) if '"exports"' in text else {}
        exports, name = data.get("exports"), data.get("name")
        if isinstance(exports, dict) and isinstance(name, str) and any(key[:1] == "." for key in exports):
            found[name].append(_Exports(path, tuple(key[2:] for key in exports if key[:2] == "./")))
    return {name: same[0] for name, same in found.items() if len(same) == 1 and same[0].parts}


def _json(text: str) -> Mapping[str, Any]:
    import json

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _parts(page: "PageOutline", packages: Mapping[str, _Exports]) -> Iterator[tuple[int, Missing]]:
    for block in page.blocks:
        for line, text in enumerate(block.lines, block.line) if packages and block.language in _SCRIPT else ():
            for found in _IMPORTS.finditer(text):
                package = packages.get(found["package"])
                if package and not package.has(found["part"]):
                    yield line, _without_part(found["package"], found["part"], package)


def _without_part(name: str, part: str, package: _Exports) -> Missing:
    ends = [known for known in package.parts if known.endswith(f"/{part}")]
    listed = ", ".join(f"`{known}`" for known in package.parts[:10]) + (" …" if len(package.parts) > 10 else "")
    message = f"This import fails: `{name}` does not export `{part}`."
    meant = f"{name}/{ends[0]}" if len(ends) == 1 else ""
    return Missing(message, f"{name}/{part}", f"exports: {listed}", package.file, meant)


extension = PackageMissing()
