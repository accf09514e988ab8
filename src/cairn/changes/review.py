"""`change review`: a second opinion about a request or a diff, kept with the request beside what the gates say."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cairn.changes.ports import ChangesPorts
from cairn.core.model.change import ChangeRequest, ChangeSet
from cairn.core.model.knowledge import Source
from cairn.core.model_budget import ceiling_of
from cairn.core.ports.runner import RunnerFailed
from cairn.errors import CairnError, Refused
from cairn.freshness.audit import DEFAULT_PROVIDER, EntryPage, page_of, ports_of
from cairn.freshness.gather import Seen, gather
from cairn.freshness.list_frontier import Frontier
from cairn.freshness.normalise_verdict import SourceText
from cairn.freshness.review import EXTRACTIVE, Opinion, Proposed, opinion_of
from cairn.freshness.sources import Memory, place_of

if TYPE_CHECKING:
    from cairn.core.model_budget import MeteredRunner


class ReviewResult(NamedTuple):
    opinion: Opinion
    request: ChangeRequest | None
    """With the opinion in it; None where a diff was looked at."""
    metered: "MeteredRunner | None"
    """None when nobody was paid."""


class Reviewer(NamedTuple):
    provider: str = DEFAULT_PROVIDER
    budget: str | None = None
    timeout: float = 600.0


def review_request(ports: ChangesPorts, id: str, reviewer: Reviewer) -> ReviewResult:
    """The opinion is about the request as it is; another proposal takes it away again."""
    from cairn.changes.requests import keep_opinion

    request = ports.forge.request(id)
    if not request.active:
        raise Refused(f"{request.id} is {request.state}; an opinion about it would come too late.", id=request.id)
    opinion, metered = _reviewed(ports, ports.forge.change(request.id), reviewer)
    return ReviewResult(opinion, keep_opinion(ports, request, opinion.ruling(request.head)), metered)


def review_diff(ports: ChangesPorts, diff: bytes, reviewer: Reviewer) -> ReviewResult:
    from cairn.changes.check_changes import GateRequest, change_of

    opinion, metered = _reviewed(ports, change_of(ports, GateRequest(diff=diff)), reviewer)
    return ReviewResult(opinion, None, metered)


def _reviewed(ports: ChangesPorts, change: ChangeSet, reviewer: Reviewer) -> "tuple[Opinion, MeteredRunner | None]":
    ceiling_of(reviewer.budget)
    look = _Look(ports, change)
    if reviewer.provider == DEFAULT_PROVIDER:
        ahead = {page.entry.path: found for page in look.pages if (found := look.frontier.ahead(page.entry))}
        opinion, metered = opinion_of(EXTRACTIVE, look.pages, ahead), None
    else:
        metered = ports.model_runner(reviewer.provider, budget=reviewer.budget, stage="review")
        opinion = _asked(metered, look.pages, reviewer.timeout)
    remarks = (*_same(change, opinion.reviewer), *opinion.remarks, *look.remarks)
    return opinion._replace(remarks=remarks), metered


def _asked(runner: "MeteredRunner", pages: Sequence[Proposed], timeout: float) -> Opinion:
    from cairn.freshness.review_prompt import opinion_from, question_about

    question = question_about(pages)
    try:
        answer = runner.run(question.text, timeout_seconds=timeout)
    except RunnerFailed as failed:
        raise Refused(f"The review failed. {failed}", retryable=failed.retryable) from None
    return opinion_from(answer.text, question, reviewer=f"{answer.provider}/{answer.model}")


def _same(change: ChangeSet, reviewer: str) -> tuple[str, ...]:
    """Whoever made a change is no second opinion about it."""
    said = change.evidence.get("verdict")
    verdicts = said if isinstance(said, list) else [said]
    makers = {str(one.get("model", "")) for one in verdicts if isinstance(one, dict)}
    if any(maker.partition("/")[0] == reviewer.partition("/")[0] for maker in makers):
        return (f"{reviewer.partition('/')[0]} made this change itself; ask another with --provider.",)
    return ()


# --- what there is to look at -----------------------------------------------------------------------------------------


class _Look:
    """Pages of a change as they would be, with what was kept of their sources. Nothing is fetched."""

    def __init__(self, ports: ChangesPorts, change: ChangeSet) -> None:
        self._ports = ports
        self._memory = Memory(ports.store.web, ports.blobs)
        self.frontier = Frontier(ports)
        self.remarks: list[str] = []
        self.pages: list[Proposed] = []
        paths = [edit.path for edit in change.edits if edit.content is not None]
        before = (
            ports.vcs.show([(change.base, path) for path in paths]) if paths and change.base else [None] * len(paths)
        )
        contents = {edit.path: edit.content for edit in change.edits}
        for path, old in zip(paths, before, strict=True):
            self._add(path, contents[path] or b"", old)
        if not self.pages:
            self.remarks.append("There is no page in it whose sources could be compared.")

    def _add(self, path: str, data: bytes, old: bytes | None) -> None:
        after, before = self._page(path, data), self._page(path, old) if old is not None else None
        if after is None:
            return
        if not after.entry.sources:
            self.remarks.append(f"{path} names no sources, so there is nothing to compare it with.")
            return
        sources = tuple(text for source in after.entry.sources if (text := self._text(source, path)))
        body, edition = (before.body, before.entry.edition) if before else ("", None)
        self.pages.append(Proposed(after.entry, after.body, body, edition, sources))

    def _page(self, path: str, data: bytes) -> EntryPage | None:
        try:
            return page_of(self._ports, path, data)
        except CairnError:
            return None  # no page, or one that the gate `validate` speaks about

    def _text(self, source: Source, path: str) -> SourceText | None:
        if source.kind == "path":
            [seen] = gather([source], ports_of(self._ports), page=path)
            return SourceText(source.reference, seen.text, seen.hash) if isinstance(seen, Seen) else None
        row = self._memory.row(place_of(source))
        text = self._memory.settled(row)
        if text is None:
            self.remarks.append(f"Nobody kept what {source.reference} says; `cairn freshness run` looks at it.")
            return None
        return SourceText(source.reference, text, row.hash or "")
