"""Documents that name code which was removed."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import Mention, NameRemoval, PageOutline, Place, Repository


_FOR_OTHERS = re.compile(r"(?:plugins/[^/]+/)?(?:skills|agents|instructions|prompts|commands|plugins)/")
"""Files that agents use in other repositories: they name what those have."""


_PUT_TOGETHER = re.compile(r"[A-Z0-9]+(?:_[A-Z0-9]+)*__[A-Z0-9_]+")
_METHOD = re.compile(r"\s*(?:\w+\s+){0,4}(\w+)\s*\([^;{}]{0,200}\{\s*$")


class CodeRemoved:
    """A document that names something the code no longer has.

    What it finds
        A name written as code (inline code or a code block) that the code of this repository defined once, that a
        commit removed, and that stands nowhere in the code today. The document must have named it already when the
        commit landed. Tests, examples, files of a manual, vendored code and local variables don't count as
        definitions; names that a code block defines or imports by itself don't count as mentions.

    Why it matters
        Whoever follows the document calls something that does not exist. It is a note for a name of one or two words
        that was removed without a successor and that one page has: something else may have the same name. It is also
        a note, unless it was renamed, if no README, page for agents, page of the root or page of knowledge has it:
        manuals name what other programs and their readers define.

    Example
        "Call `fetch_page()`", after a commit renamed the function to `load_page`.

    Fix
        Use the new name, or update or remove the sentence.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A document names code that was removed.", phase="read", reach="graph"
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        if not ctx.past.known or not ctx.past.lost_names:
            return
        causes: dict[tuple[str, str], list[tuple[NameRemoval, list[Place]]]] = defaultdict(list)
        for name, mentions in _mentioned(ctx).items():
            removal = ctx.past.removed_name(name)
            if removal and not ctx.is_documentation(removal.path) and (stale := list(_stale(ctx, removal, mentions))):
                causes[(removal.commit.id, removal.path) if not removal.successor else ("", name)].append(
                    (removal, stale)
                )
        for same in causes.values():
            issue = _issue(_severity(*same[0]), *same[0]) if len(same) == 1 else _together(same)
            renamed = any(removal.successor for removal, _ in same)
            yield ctx.weighed(issue if renamed else _shown_by_forge(ctx, issue))


def _shown_by_forge(ctx: "Repository", issue: Issue) -> Issue:
    """A note unless a page is read beside the code. Manuals use names of other programs, and of the reader, as often:
    2 of 16 such findings were right on repositories that nobody had read, 8 of 9 of the others."""
    if any(ctx.is_read_on_forge(path) for path in issue.nodes):
        return issue
    return issue._replace(
        severity=Severity.INFO, detail="a manual may name what another program, or the reader, defines"
    )


def _mentioned(ctx: "Repository") -> "Mapping[str, list[tuple[str, Mention]]]":
    """Names that the code may have lost, with every page and line that has them."""
    from cairn.plugin import mentions

    found: dict[str, list[tuple[str, Mention]]] = defaultdict(list)
    for page in ctx.pages():
        if _FOR_OTHERS.match(page.path):
            continue
        imported = {one.name for one in ctx.imports.missing.get(page.path, ())}  # `import-missing` reports these
        for mention in mentions(page, ctx.code.packages):
            if mention.name in imported or not ctx.past.may_lack(mention.name):
                continue
            if not _is_of_reader(ctx, page, mention):
                found[mention.name].append((page.path, mention))
    return ctx.bounded("removed code", found)


def _is_of_reader(ctx: "Repository", page: "PageOutline", mention: "Mention") -> bool:
    """Whether its reader defines the name: a method in an example, or a variable of the environment that a library puts
    together (`SHOP_CACHE__SIZE`)."""
    if _PUT_TOGETHER.fullmatch(mention.name):
        return True
    method = _METHOD.match(ctx.place(page.path, mention.line).text) if mention.in_block else None
    return method is not None and method[1] == mention.name


def _stale(ctx: "Repository", removal: "NameRemoval", mentions: "list[tuple[str, Mention]]") -> "Iterator[Place]":
    """The lines that had the name already when it was removed. A field or a parameter may belong to anything, unless
    its name is long and stands in the text."""
    from cairn.plugin import is_telling

    if not removal.alone and not is_telling(removal.name):
        return
    certain = {path for path, mention in mentions if mention.sure}
    for path, mention in mentions:
        if not mention.sure and path not in certain:
            continue
        sure = not mention.in_block or (removal.alone and not ctx.is_for_agents(path))
        if mention.owner and mention.owner not in removal.owners:
            continue  # something else has a member of that name
        if sure and ctx.past.had(path, removal.name, removal.at):
            yield ctx.place(path, mention.line)


def _together(same: "list[tuple[NameRemoval, list[Place]]]") -> Issue:
    """Names that one commit removed from one file have one cause."""
    from cairn.plugin import Proof, proven

    first = same[0][0]
    names = [removal.name for removal, _ in same]
    listed = ", ".join(f"`{name}`" for name in names[:_NAMED]) + (
        f" and {len(names) - _NAMED} more" * (len(names) > _NAMED)
    )
    message = f"{listed} no longer exist: removed from {first.path} {first.commit.when}."
    date = first.commit.date if first.commit.id else ""
    proofs = [Proof(one.text, one.path, one.line, one.commit.short, date) for one, _ in same[:_NAMED]]
    places = [place._replace(targets=(removal.name,)) for removal, found in same for place in found]
    fix = "Update or remove these sentences."
    return proven("code-removed", Severity.WARN, " ".join(sorted(names)), message, places, proofs, fix)


_NAMED = 4


def _severity(removal: "NameRemoval", places: "list[Place]") -> Severity:
    """A name of one or two words that was not renamed may be something else by chance: `sleep`, `add_item`."""
    from cairn.plugin import is_telling

    sure = removal.successor or removal.name.startswith("--") or is_telling(removal.name)
    return Severity.WARN if sure or len({place.path for place in places}) > 1 else Severity.INFO


def _issue(severity: Severity, removal: "NameRemoval", places: "list[Place]") -> Issue:
    from cairn.plugin import Proof, proven

    commit, name, new = removal.commit, removal.name, removal.successor
    did = f"renamed to `{new}`" if new else "removed"
    message = f"`{name}` no longer exists: {did} {removal.commit.when}."
    proofs = [Proof(removal.text, f"{removal.path}", removal.line, commit.short, commit.date if commit.id else "")]
    fix = f"Write `{new}`." if new else "Update or remove this sentence."
    issue = proven("code-removed", severity, name, message, places, proofs, fix)
    return issue if severity is Severity.WARN else issue._replace(detail="something else may have this short name")


extension = CodeRemoved()
