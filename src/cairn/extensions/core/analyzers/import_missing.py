"""Code blocks that import something which this repository does not have."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import FileRemoval, Import, NameRemoval, Place, Proof, Repository


_PLACEHOLDER = re.compile(r"(?:foo|bar|baz|blah|dummy|my|your|some|example|custom)(?:[A-Z_\d]\w*)?", re.IGNORECASE)
"""Names that the reader is to replace. A hit only hides a finding."""


class ImportMissing:
    """A code block that imports something which this repository does not have.

    What it finds
        Imports in code blocks (Python, JavaScript, TypeScript, Go, Rust) of a package of this repository, where the
        module does not exist, or where the module (in JavaScript and Rust: any code) does not have the name. Modules
        that make up names when they are imported are not judged, nor packages from which most imports fail: those
        belong to the reader.

    Why it matters
        Whoever runs the example gets an error.

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
            page = ctx.tree.page(path)
            for one in imports:
                if page and not _PLACEHOLDER.fullmatch(one.name) and not ctx.announces_a_change(page, one.line):
                    found[(one.module, one.name)].append((one, ctx.place(path, one.line)))
        ignored = ctx.past.ignored(sorted({same[0][0].file for same in found.values() if same[0][0].file}))
        for same in found.values():
            if same[0][0].file not in ignored:
                yield _issue(ctx, same[0][0], [place for _, place in same])


def _issue(ctx: "Repository", one: "Import", places: "list[Place]") -> Issue:
    from cairn.plugin import Proof, proven

    proofs: list[Proof] = []
    if one.name:
        where = f"`{one.file}` has no `{one.name}`" if one.file else f"`{one.name}` stands nowhere in the code"
        message = f"This import fails: {where}."
        removal = ctx.past.removed_name(one.name)
        proofs = [_name_proof(removal)] if removal else [Proof(f"has no word `{one.name}`", one.file)]
        target = f"{one.module}.{one.name}"
    else:
        gone = ctx.past.removed_file(one.file) or ctx.past.removed_file(one.file.removesuffix(".py"))
        message = f"This import fails: there is no `{one.module}`{_where_to(gone)}."
        proofs = [_file_proof(gone, one.file)]
        target = one.module
    fix = "Import something that exists, or update the example."
    return proven("import-missing", Severity.WARN, target, message, places, proofs, fix)


def _where_to(gone: "FileRemoval | None") -> str:
    return f"; it was moved to `{gone.moved_to}`" if gone and gone.moved_to else ""


def _name_proof(removal: "NameRemoval") -> "Proof":
    from cairn.plugin import Proof

    return Proof(removal.text, removal.path, removal.line, removal.commit.short, removal.commit.date)


def _file_proof(gone: "FileRemoval | None", file: str) -> "Proof":
    from cairn.plugin import Proof

    return gone.proof if gone else Proof(f"`{file}` is not in the repository")


extension = ImportMissing()
