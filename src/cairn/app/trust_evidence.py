"""What other features know about pages, for trust: who read them, what was corrected, whose sources hold."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from cairn.core.model.knowledge import Source
    from cairn.curate.ports import CuratePorts
    from cairn.freshness.ports import FreshnessPorts
    from cairn.knowledge.standing import Standings
    from cairn.trust.ports import PageUsed, TrustPorts

    class _Ports(FreshnessPorts, CuratePorts, TrustPorts, Protocol):
        pass


class TrustEvidence:
    """A part of the application."""

    def standings(self: "_Ports", *, as_it_is: bool = False) -> "Standings":
        from cairn.trust.serving import TrustStandings, trust_standings

        return TrustStandings(self) if as_it_is else trust_standings(self)

    def page_uses(self: "_Ports", paths: Collection[str], since_ms: int) -> "Sequence[PageUsed]":
        from cairn.trust.ports import PageUsed

        return [PageUsed(*row) for row in self.store.usage.readers(sorted(paths), since_ms)]

    def corrected_pages(self: "_Ports") -> Mapping[str, Collection[str]]:
        """Requests of the curator that change a page, and conflicts about it, by where each candidate comes from."""
        from cairn.core.model.change import RequestState

        found: dict[str, list[str]] = {}
        waiting = (RequestState.OPEN, RequestState.READY)
        for request in self.forge.requests(states=waiting) if self.vcs.root() is not None else ():
            listed = request.evidence.get("candidates", ()) if request.origin == "curate" else ()
            for one in listed:
                if isinstance(one, Mapping) and one.get("fate") == "modify":
                    found.setdefault(str(one.get("path")), []).append(str(one.get("origin")))
        for path, origin in _contradicted(self):
            found.setdefault(path, []).append(origin)
        return found

    def pages_whose_sources_hold(self: "_Ports", paths: Collection[str]) -> set[str]:
        """`check` has nothing to say about any source that they have in the repository."""
        wanted = {path for path in paths if any(source.kind == "path" for source in _sources(self, path))}
        if not wanted:
            return set()
        from cairn.freshness.drift import drift_issues

        return wanted - {issue.path for issue in drift_issues(self)}

    def probe_page(self: "_Ports", path: str) -> bool | None:
        """Nothing but heads of pages is asked for, through the guarded fetcher."""
        from cairn.core.ports.sources import FetchFailed

        urls = list(dict.fromkeys(source.target for source in _sources(self, path) if source.kind == "url"))
        if not urls:
            return None
        failed = [one for one in self.fetcher.probe_all(urls) if isinstance(one, FetchFailed)]
        if any(one.status is None for one in failed):
            return None  # nobody answered, which says nothing about the page
        return not failed


def _contradicted(app: "_Ports") -> list[tuple[str, str]]:
    from cairn.curate.resolve_conflict import look
    from cairn.curate.run_journal import CurateState

    found, _ = CurateState(app).conflicts()
    shown = [(look(app, one).page, one.candidate_origin) for one in found if one.status == "pending"]
    return [(page.path, origin) for page, origin in shown if page is not None]


def _sources(app: "_Ports", path: str) -> "tuple[Source, ...]":
    node = app.store.node(path)
    entry = app.knowledge.entry(path, node.frontmatter) if node is not None else None
    return entry.sources if entry is not None else ()
