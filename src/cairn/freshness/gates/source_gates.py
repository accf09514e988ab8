"""The gates about sources: quotes that they contain, links that lead somewhere, and rules without a source."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.changes.gate import GateContext, LinkResult
from cairn.core.model.change import ChangeSet, GateRuling, Level
from cairn.core.model.knowledge import Entry, Source
from cairn.core.model.verdict import EDITION_UPGRADE, TO_BE_READ, CheckedSource, Verdict, VerdictFinding
from cairn.errors import CairnError, StoreProblem
from cairn.freshness.gates.page_gates import ChangedPage, touched_pages
from cairn.freshness.list_sources import is_skipped, recent
from cairn.freshness.verdict_json import verdict_of
from cairn.lib.markdown.blocks import code_ranges, without
from cairn.lib.text.line_diff import changed_lines
from cairn.lib.text.quotes import is_quoted
from cairn.lib.urls.url import UrlProblem, split_url

if TYPE_CHECKING:
    from cairn.freshness.ports import FreshnessPorts
    from cairn.freshness.sources import SourceMemory


class StoredSources:
    """What earlier looks at sources left in the store. Where the database can't be used, nothing is known, and a gate
    says that it did not check."""

    def __init__(self, ports: "FreshnessPorts") -> None:
        self._ports = ports

    def recent(self) -> Mapping[str, LinkResult]:
        if not self._is_there():
            return {}
        try:
            web = self._ports.store.web
            return recent(web.links(), web.sources(), self._ports.clock.now_ms())
        except StoreProblem:
            return {}

    def text(self, reference: str, hash: str) -> str | None:
        if not self._is_there():
            return None
        try:
            return self._memory.remembered(_source(reference, hash))
        except StoreProblem:
            return None

    def shown_text(self, reference: str) -> str | None:
        if not self._is_there():
            return None
        from cairn.lib.html.shown import show

        try:
            kept = self._memory.page(_source(reference))
        except StoreProblem:
            return None
        shown = show(kept[0]) if kept else None
        return None if shown is None else shown.text

    def _is_there(self) -> bool:
        """A workspace that nobody scanned yet has no database, and a gate makes none."""
        location = self._ports.store_location
        return isinstance(location, str) or location.exists()

    @cached_property
    def _memory(self) -> "SourceMemory":
        from cairn.freshness.sources import SourceMemory

        return SourceMemory(self._ports.store.web, self._ports.blobs)


def _source(reference: str, hash: str | None = None) -> Source:
    url, mark, anchor = reference.partition("#")
    return Source("url", url, f"#{anchor}" if mark else None, hash=hash)


class _Looked(NamedTuple):
    finding: VerdictFinding
    text: str | None
    """Of the source that it names; None when nobody kept it."""


class EvidenceGate:
    """Changes whose evidence does not hold.

    **What it checks.** The verdict that a change was made from: every quote has to be in the kept text of the source it
    names, and every source it names has to be among those that were looked at.

    **Why it matters.** A model can make up a quote as easily as a claim. What is in the page tomorrow rests on it.

    **How to pass.** Run the audit again; where the text was not kept, `cairn freshness sources` shows what there is.
    """

    id: Final = "evidence"

    def judge(self, change: ChangeSet, around: GateContext) -> GateRuling:
        if not change.evidence.get("verdict"):
            return GateRuling(self.id, Level.PASS, "The change comes with no verdict whose quotes could be checked.")
        verdicts = _verdicts(change.evidence["verdict"])
        if isinstance(verdicts, str):
            return GateRuling(self.id, Level.BLOCK, verdicts)
        looked = [_look(finding, verdict, around) for verdict in verdicts for finding in verdict.findings]
        false = [one for one in looked if one.text is not None and not _holds(one.finding, one.text)]
        if false:
            url = false[0].finding.evidence_url
            more = f", and {len(false) - 1} more are not there either" if len(false) > 1 else ""
            reason = f"A quote of the verdict is not in {url}{more}; run the audit again."
            return GateRuling(self.id, Level.BLOCK, reason, tuple(_fact(one, "not in the source") for one in false))
        unseen = [one for one in looked if one.text is None]
        if unseen:
            reason = f"{len(unseen)} of {len(looked)} quotes were not checked: the text of their source was not kept."
            return GateRuling(self.id, Level.NOTE, reason, tuple(_fact(one, "not checked") for one in unseen))
        said = "Every quote of the verdict is in its source." if looked else "The verdict quotes nothing."
        return GateRuling(self.id, Level.PASS, said)


def _verdicts(value: Any) -> list[Verdict] | str:
    """One, or several where a request is about several entries; a sentence when they can't be read."""
    values: Sequence[Any] = value if isinstance(value, list) else [value]
    try:
        return [verdict_of(one) for one in values]
    except CairnError as error:
        return error.message


def _look(finding: VerdictFinding, verdict: Verdict, around: GateContext) -> _Looked:
    named = [one for one in verdict.sources_checked if _same_page(one, finding)]
    if not named:
        return _Looked(finding, "")  # a source that was not looked at proves nothing
    texts = [text for one in named if (text := _text(one, around)) is not None]
    if finding.drift_kind in (EDITION_UPGRADE, TO_BE_READ):  # said around the text: in a banner, in a menu
        texts += [text for one in named if (text := around.shown_text(one.url)) is not None]
    return _Looked(finding, "\n".join(texts) if texts else None)


def _same_page(checked: CheckedSource, finding: VerdictFinding) -> bool:
    return checked.url.partition("#")[0] == finding.evidence_url.partition("#")[0]


def _text(checked: CheckedSource, around: GateContext) -> str | None:
    kept = around.source_text(checked.url, checked.content_hash)
    if kept is not None or "://" in checked.url:
        return kept
    data = around.base(checked.url.partition("#")[0])  # a place in the repository
    return None if data is None else data.decode("utf-8", "replace")


def _holds(finding: VerdictFinding, text: str) -> bool:
    """What is gone can't be quoted; that it is gone can be seen. A passage to be read may stand elsewhere now."""
    if not finding.source_excerpt.strip() and finding.previous_excerpt.strip():
        return finding.drift_kind == TO_BE_READ or not is_quoted(finding.previous_excerpt, text)
    return is_quoted(finding.source_excerpt, text)


def _fact(one: _Looked, reason: str) -> Mapping[str, Any]:
    finding = one.finding
    return {
        "url": finding.evidence_url,
        "quote": (finding.source_excerpt or finding.previous_excerpt)[:300],
        "reason": reason,
    }


DAY_MS: Final = 24 * 60 * 60 * 1000


class LinkCheck:
    """Sources that lead nowhere.

    **What it checks.** Every source on the web of every page that the change touches, whatever its anchor, against what
    asking for it gave within the last 24 hours. It asks nobody itself: a gate that fetches could be used to fetch. What
    `freshness.link_check.skip` names is passed over.

    **Why it matters.** A page whose source is gone can't be checked any more, and nobody will notice that it is wrong.

    **How to pass.** Mend the address or name another source. Where it says `not checked`, run
    `cairn freshness link-check` and ask again.
    """

    id: Final = "link-check"

    def judge(self, change: ChangeSet, around: GateContext) -> GateRuling:
        asked = _sources(change, around)
        known = {url: around.recent[url] for url in asked if url in around.recent}
        fresh = {url: result for url, result in known.items() if around.now_ms - result.at_ms <= DAY_MS}
        dead = [
            _link_check_fact(url, asked[url], fresh[url].reason) for url in asked if url in fresh and not fresh[url].ok
        ]
        if dead:
            more = f", and {len(dead) - 1} more do not answer either" if len(dead) > 1 else ""
            reason = f"The source {dead[0]['url']} of {dead[0]['path']} does not answer{more}; mend it or name another."
            return GateRuling(self.id, Level.BLOCK, reason, tuple(dead))
        unknown = [_link_check_fact(url, path, "not checked") for url, path in asked.items() if url not in fresh]
        if unknown:
            count = f"{len(unknown)} of {len(asked)} sources were" if len(asked) > 1 else "The source was"
            reason = f"{count} not checked within a day; `cairn freshness link-check` does it."
            return GateRuling(self.id, Level.NOTE, reason, tuple(unknown))
        reason = "Every source answers." if asked else "The change touches no page with a source on the web."
        return GateRuling(self.id, Level.PASS, reason)


def _sources(change: ChangeSet, around: GateContext) -> dict[str, str]:
    """Each address once, with a page that names it."""
    found: dict[str, str] = {}
    for page in touched_pages(change, around):
        for source in page.new.entry.sources if page.new and page.new.entry else ():
            if source.kind == "url":
                found.setdefault(source.target.partition("#")[0], page.path)
    skip = tuple(around.settings.get("freshness.link_check.skip", ()))
    return {url: path for url, path in found.items() if not is_skipped(url, skip)}


def _link_check_fact(url: str, path: str, reason: str) -> dict[str, Any]:
    return {"path": path, "url": url, "reason": reason, "message": f"The source {url}: {reason}"}


NEAR: Final = 3
"""Lines before and after in which a link counts."""

_NORMATIVE = re.compile(r"\b(?:must|should|never|always)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s<>()\[\]\"'`|]{1,2000}")


class UnsourcedGate:
    """Added lines with must, should, never or always, and no source near them.

    **What it checks.** Every added line of an entry's text that says must, should, never or always: within three lines
    there has to be a link to a host of the entry's sources or below it, or, for a source in the repository, its name.
    Code and frontmatter are left alone.

    **Why it matters.** "Always do this" without a source can't be checked by the next audit, and is what models make up
    most easily. It is advice: it never blocks.

    **How to pass.** Link the source where the sentence stands, and declare it under `sources`.
    """

    id: Final = "unsourced"

    def judge(self, change: ChangeSet, around: GateContext) -> GateRuling:
        found = [fact for page in touched_pages(change, around) for fact in _bare_rules(page)]
        if not found:
            return GateRuling(self.id, Level.PASS, "No added line asks for a source.")
        first = found[0]
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        reason = f"{first['path']} line {first['line']}: {first['message']}{more}"
        return GateRuling(self.id, Level.WARN, reason, tuple(found))


def _bare_rules(page: ChangedPage) -> Iterator[dict[str, Any]]:
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
