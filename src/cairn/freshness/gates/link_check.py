"""The gate `link-check`: the sources that a change names are there."""

from typing import Any, Final

from cairn.changes.gate import GateContext
from cairn.core.model.change import ChangeSet, Level, Ruling
from cairn.freshness.gates.pages import touched_pages
from cairn.freshness.links import is_skipped

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

    def judge(self, change: ChangeSet, around: GateContext) -> Ruling:
        asked = _sources(change, around)
        known = {url: around.recent[url] for url in asked if url in around.recent}
        fresh = {url: result for url, result in known.items() if around.now_ms - result.at_ms <= DAY_MS}
        dead = [_fact(url, asked[url], fresh[url].reason) for url in asked if url in fresh and not fresh[url].ok]
        if dead:
            more = f", and {len(dead) - 1} more do not answer either" if len(dead) > 1 else ""
            reason = f"The source {dead[0]['url']} of {dead[0]['path']} does not answer{more}; mend it or name another."
            return Ruling(self.id, Level.BLOCK, reason, tuple(dead))
        unknown = [_fact(url, path, "not checked") for url, path in asked.items() if url not in fresh]
        if unknown:
            count = f"{len(unknown)} of {len(asked)} sources were" if len(asked) > 1 else "The source was"
            reason = f"{count} not checked within a day; `cairn freshness link-check` does it."
            return Ruling(self.id, Level.NOTE, reason, tuple(unknown))
        reason = "Every source answers." if asked else "The change touches no page with a source on the web."
        return Ruling(self.id, Level.PASS, reason)


def _sources(change: ChangeSet, around: GateContext) -> dict[str, str]:
    """Each address once, with a page that names it."""
    found: dict[str, str] = {}
    for page in touched_pages(change, around):
        for source in page.new.entry.sources if page.new and page.new.entry else ():
            if source.kind == "url":
                found.setdefault(source.target.partition("#")[0], page.path)
    skip = tuple(around.settings.get("freshness.link_check.skip", ()))
    return {url: path for url, path in found.items() if not is_skipped(url, skip)}


def _fact(url: str, path: str, reason: str) -> dict[str, Any]:
    return {"path": path, "url": url, "reason": reason, "message": f"The source {url}: {reason}"}
