"""Documents that name code which was removed."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import NameRemoval, Place, Repository


class CodeRemoved:
    """A document that names something the code no longer has.

    What it finds
        A name written as code (inline code or a code block) that the code of this repository defined once, that a
        commit removed, and that stands nowhere in the code today. The document must have named it already when the
        commit landed. Tests, examples, vendored code and local variables don't count as definitions; names that a
        code block defines or imports by itself don't count as mentions.

    Why it matters
        Whoever follows the document calls something that does not exist.

    Example
        "Call `fetch_page()`", after a commit renamed the function to `load_page`.

    Fix
        Use the new name, or update or remove the sentence.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A document names code that was removed.", phase="read", reach="graph"
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        if not ctx.past.known:
            return
        for name, places in _mentioned(ctx).items():
            removal = ctx.past.removed_name(name)
            stale = [place for place in places if removal and ctx.past.had(place.path, name, removal.at)]
            if removal and stale:
                yield _issue(removal, stale)


def _mentioned(ctx: "Repository") -> "Mapping[str, list[Place]]":
    """Names that the code may have lost, with every line that has them."""
    from cairn.plugin import mentions

    found: dict[str, list[Place]] = defaultdict(list)
    for page in ctx.pages():
        for mention in mentions(page, ctx.code.packages):
            name = mention.name
            if ctx.past.may_lack(name) and not ctx.announces_a_change(page, mention.line):
                found[name].append(ctx.place(page.path, mention.line))
    return ctx.bounded("removed code", found)


def _issue(removal: "NameRemoval", places: "list[Place]") -> Issue:
    from cairn.plugin import Proof, proven

    commit, name, new = removal.commit, removal.name, removal.successor
    when = f"in {commit.short} ({commit.date})" if commit.id else "in the work tree, not committed yet"
    did = f"renamed to `{new}`" if new else "removed"
    message = f"`{name}` no longer exists: {did} {when}."
    proofs = [Proof(removal.text, f"{removal.path}", removal.line, commit.short, commit.date if commit.id else "")]
    fix = f"Write `{new}`." if new else "Update or remove this sentence."
    return proven("code-removed", Severity.WARN, name, message, places, proofs, fix)


extension = CodeRemoved()
