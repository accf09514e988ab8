"""Code blocks that import something which this repository does not have."""

import re
from collections import defaultdict
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import FileRemoval, Import, NameRemoval, Place, Proof, Repository


_PLACEHOLDER = re.compile(r"(?:foo|bar|baz|blah|dummy|my|your|some|example|custom)(?:[A-Z_\d]\w*)?", re.IGNORECASE)
"""Names that the reader is to replace. A hit only hides a finding."""
_OF_READER = re.compile(r"(?:my|your)[a-z_]", re.IGNORECASE)

_ORDINARY = re.compile(r"[a-z]+")
_NEAR = 0.85


class ImportMissing:
    """A code block that imports something which this repository does not have.

    What it finds
        Imports in code blocks (Python, JavaScript, TypeScript, Go, Rust) of a package of this repository, where the
        module does not exist, or where the module (in JavaScript and Rust: any code) does not have the name. Modules
        that make up names when they are imported are not judged, nor packages from which most imports fail: those
        belong to the reader.

    Why it matters
        Whoever runs the example gets an error. An ordinary word that nothing here is or was called is a note: it may
        stand for any name.

    Example
        `from shop.cart import Basket`, where `shop/cart.py` has no `Basket`.

    Fix
        Import what exists, or update the example.
    """

    manifest = AnalyzerManifest(
        version="1.0.0",
        description="A code block imports something that the repository does not have.",
        phase="read",
        reach="graph",
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        found: dict[tuple[str, str], list[tuple[Import, Place]]] = defaultdict(list)
        for path, imports in ctx.imports.missing.items():
            for one in imports:
                if not _PLACEHOLDER.fullmatch(one.name) and not _OF_READER.match(re.split(r"[./:]", one.module)[-1]):
                    found[(one.module, one.name)].append((one, ctx.place(path, one.line)))
        ignored = ctx.past.ignored(sorted({same[0][0].file for same in found.values() if same[0][0].file}))
        for same in found.values():
            if same[0][0].file not in ignored:
                places = [place for _, place in same]
                found_at = [*places, *_other_lines(ctx, same[0][0].name, places)]
                yield ctx.weighed(_certain(_issue(ctx, same[0][0], found_at), same[0][0]))


def _certain(issue: Issue, one: "Import") -> Issue:
    """A note for an ordinary word that nothing here is or was called: it may stand for any name."""
    proven = "nearest" in (issue.data or {}) or "removed" in (issue.data or {})
    if proven or not one.name or not _ORDINARY.fullmatch(one.name):
        return issue
    return issue._replace(severity=Severity.INFO, detail="the name may stand for another one")


def _other_lines(ctx: "Repository", name: str, places: "list[Place]") -> "Iterator[Place]":
    """Further lines of these pages with a name that was removed: one cause, which `code-removed` does not repeat."""
    from cairn.plugin import mentions

    if not name or not ctx.past.removed_name(name):
        return
    for path in {place.path for place in places}:
        page = ctx.tree.page(path)
        for mention in mentions(page, ctx.code.packages) if page else ():
            if mention.name == name:
                yield ctx.place(path, mention.line)


def _issue(ctx: "Repository", one: "Import", places: "list[Place]") -> Issue:
    from cairn.plugin import proven

    if one.name:
        message = f"This import fails: `{one.module}` has no `{one.name}`."
        removal, near = ctx.past.removed_name(one.name), _nearly(ctx, one)
        proofs = [*([_name_proof(removal)] if removal else []), _without_name(ctx, one, near)]
        target = f"{one.module}.{one.name}"
        near = near or (removal and removal.successor) or ""
        facts = {**({"nearest": near} if near else {}), **({"removed": True} if removal else {})}
    else:
        facts = {}
        gone = ctx.past.removed_file(one.file) or ctx.past.removed_file(one.file.removesuffix(".py"))
        message = f"This import fails: there is no `{one.module}`{_where_to(gone)}."
        proofs, near = [_file_proof(gone, one.file)], ""
        target = one.module
    fix = f"Write `{near}`." if near else "Import something that exists, or update the example."
    return proven("import-missing", Severity.WARN, target, message, places, proofs, fix, **facts)


def _nearly(ctx: "Repository", one: "Import") -> str:
    """The name as the code spells it: `ManyToMany` for `ManytoMany`, `reporters` for `reporter`."""
    if not one.file:
        return ctx.code.in_other_case(one.name)
    words = set(re.findall(r"\w+", ctx.tree.text(one.file) or ""))
    same = [word for word in words if word.lower() == one.name.lower()]
    near = same if len(same) == 1 else get_close_matches(one.name, sorted(words), 1, cutoff=_NEAR)
    return near[0] if near else ""


def _without_name(ctx: "Repository", one: "Import", near: str) -> "Proof":
    from cairn.plugin import Proof

    files = ctx.code.number_of_files
    where = one.file or f"the code ({files:,} file{'' if files == 1 else 's'})"
    return Proof(f"`{one.name}` does not occur in {where}" + (f"; `{near}` does" if near else ""))


def _where_to(gone: "FileRemoval | None") -> str:
    return f"; it was moved to `{gone.moved_to}`" if gone and gone.moved_to else ""


def _name_proof(removal: "NameRemoval") -> "Proof":
    from cairn.plugin import Proof

    return Proof(removal.text, removal.path, removal.line, removal.commit.short, removal.commit.date)


def _file_proof(gone: "FileRemoval | None", file: str) -> "Proof":
    from cairn.plugin import Proof

    return gone.proof if gone else Proof(f"`{file}` is not in the repository")


extension = ImportMissing()
