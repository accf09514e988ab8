"""The gate `unsourced`: asks for the source of an added line that says must, should, never or always.

The four words are those of the seed's lint. They only choose the lines to ask about: nothing is said about the line.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from cairn.changes.gate import GateContext
from cairn.core.model.change import ChangeSet, Level, Ruling
from cairn.core.model.knowledge import Entry
from cairn.freshness.gates.pages import Touched, touched_pages
from cairn.lib.markdown.code_mask import code_ranges, without
from cairn.lib.text.line_diff import changed_lines
from cairn.lib.urls.url import UrlProblem, split_url

NEAR: Final = 3
"""Lines before and after in which a link counts."""

_NORMATIVE = re.compile(r"\b(?:must|should|never|always)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s<>()\[\]\"'`|]{1,2000}")


class Unsourced:
    """Added lines with must, should, never or always, and no source near them.

    **What it checks.** Every added line of an entry's text that says must, should, never or always: within three lines
    there has to be a link to a host of the entry's sources or below it, or, for a source in the repository, its name.
    Code and frontmatter are left alone.

    **Why it matters.** "Always do this" without a source can't be checked by the next audit, and is what models make up
    most easily. It is advice: it never blocks.

    **How to pass.** Link the source where the sentence stands, and declare it under `sources`.
    """

    id: Final = "unsourced"

    def judge(self, change: ChangeSet, around: GateContext) -> Ruling:
        found = [fact for page in touched_pages(change, around) for fact in _bare_rules(page)]
        if not found:
            return Ruling(self.id, Level.PASS, "No added line asks for a source.")
        first = found[0]
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        reason = f"{first['path']} line {first['line']}: {first['message']}{more}"
        return Ruling(self.id, Level.WARN, reason, tuple(found))


def _bare_rules(page: Touched) -> Iterator[dict[str, Any]]:
    """Entries only: what the curator keeps under `practice` is house rules, which have no source on the web."""
    if page.corpus.layout != "entries" or page.kind != "entry" or page.new is None or page.new.entry is None:
        return
    entry, body = page.new.entry, page.new.parsed.body
    old = page.old.parsed.body if page.old else ""
    prose = without(body, code_ranges(body)).split("\n")
    written = body.split("\n")
    for at in changed_lines(old, body).added:
        if (word := _NORMATIVE.search(prose[at])) and (why := _unbacked(entry, prose, written, at)):
            line = page.new.parsed.body_line + at
            message = f"Which source backs this line? It says `{word[0]}`, and {why}."
            yield {"path": page.path, "line": line, "reason": why, "message": message}


def _unbacked(entry: Entry, prose: list[str], written: list[str], at: int) -> str:
    if not entry.sources:
        return "the entry declares no sources"
    around = slice(max(0, at - NEAR), at + NEAR + 1)
    if _links_to(entry, prose[around]) or _names(entry, written[around]):
        return ""
    return f"there is no link to one of its sources within {NEAR} lines"


def _links_to(entry: Entry, lines: list[str]) -> bool:
    hosts = {host for source in entry.sources if source.kind == "url" and (host := _host(source.target))}
    linked = {_host(found[0]) for line in lines for found in _ADDRESS.finditer(line)}
    return any(one == host or one.endswith(f".{host}") for one in linked if one for host in hosts)


def _host(url: str) -> str | None:
    try:
        return split_url(url).host.text.removeprefix("www.")
    except UrlProblem:
        return None


def _names(entry: Entry, lines: list[str]) -> bool:
    """A source in the repository is named by its path, its file or what it is about."""
    names = {
        name
        for source in entry.sources
        if source.kind == "path"
        for name in (source.target, source.target.rpartition("/")[2], source.anchor)
        if name and len(name) > 2
    }
    return any(name in line for line in lines for name in names)
