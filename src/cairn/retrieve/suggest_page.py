"""What an agent wants to be written: a new page or another wording, as a change request that people decide about."""

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.changes.add_page import AddPageOptions, add_entry
from cairn.changes.make_change import base_commit
from cairn.changes.requests import HeldChange, PublishResult, publish_change
from cairn.core.model.change import ChangeSet, FileEdit, Level, Taint
from cairn.errors import Conflict, NotFound, UsageError
from cairn.knowledge.content_hash import revision_of
from cairn.knowledge.serving_status import status_of
from cairn.lib.markdown.frontmatter import decode, parse
from cairn.retrieve.read_page import page_called, refuse_quarantined, refuse_unless_knowledge

if TYPE_CHECKING:
    from cairn.retrieve.ports import RetrievePorts

ORIGIN = "agent"


class Author(NamedTuple):
    """Who suggests it, and what that follows."""

    reason: str
    agent: str | None = None
    session: str | None = None
    outside: bool = False
    """It follows pages of the web, output of tools or other people's text."""


class PageSuggestion(NamedTuple):
    path: str
    id: str | None
    """None when it was held back."""
    url: str | None
    held: str | None
    """Why, if it was."""
    level: Level
    against: tuple[str, ...]
    """What gates warn of, or why they would not let it land."""


def suggest_page(ports: "RetrievePorts", wishes: AddPageOptions, author: Author) -> PageSuggestion:
    """A page that is not there yet. It is worked out as `cairn entry add` does it, and nothing is written here."""
    from dataclasses import replace

    added = add_entry(ports, replace(wishes, dry_run=True), here=ports.root)
    base = base_commit(ports)
    known = added.twin or (added.path if ports.vcs.show([(base, added.path)])[0] is not None else None)
    if known is not None:
        raise Conflict(f"There is a page of that title already, `{known}`; amend it, or choose another.", path=known)
    taint = _taint(author, any(source.kind == "url" for source in added.draft.sources))
    return _asked_for(
        ports, base, added.path, _unproven(added.text), added.path, f"Add {added.draft.title}", author, taint
    )


def suggest_amendment(ports: "RetrievePorts", name: str, old: str, new: str, author: Author) -> PageSuggestion:
    """Another wording of one passage of a page, as the page is on the branch that changes are made for."""
    node = page_called(ports, name).node
    refuse_unless_knowledge(node)
    base = base_commit(ports)
    before = ports.vcs.show([(base, node.path)])[0]
    if before is None:
        said = f"`{node.path}` is not committed yet; a person has to commit it before it can be amended."
        raise NotFound(said, path=node.path)
    text = _whole(node.path, before)
    refuse_quarantined(node.path, status_of(parse(text).frontmatter))
    after = _reworded(node.path, text, old, new)
    subject = f"{node.path}#{sha256(old.encode('utf-8', 'replace')).hexdigest()[:8]}"
    return _asked_for(ports, base, node.path, after, subject, f"Amend {node.title}", author, _taint(author))


def _taint(author: Author, cites_the_web: bool = False) -> Taint:
    """Never better than what a model wrote: no such change lands by itself."""
    return Taint.OUTSIDE if author.outside or cites_the_web else Taint.MODEL


def _unproven(text: str) -> str:
    """A new page says of itself that use has not confirmed it yet, where its layout has a place for that."""
    from cairn.knowledge.edit import set_values

    front = parse(text).frontmatter
    return set_values(text, {("status",): "alpha"}) if front and "status" not in front else text


def _whole(path: str, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        shown = decode(data).problems[0].message if decode(data).problems else "it is no UTF-8"
        raise Conflict(f"`{path}` cannot be amended: {shown}", path=path) from None


def _reworded(path: str, text: str, old: str, new: str) -> str:
    """The passage must stand in the body, once, so that nobody has to guess which is meant."""
    body = parse(text).body
    if not old.strip():
        raise UsageError("Give in `old` the passage to replace, word for word, as `read` shows it.")
    times = body.count(old)
    if times != 1:
        seen = "does not stand" if times == 0 else f"stands {times} times"
        more = "copy it from `read`, line breaks and all" if times == 0 else "give more of what is around it"
        raise Conflict(f"The passage in `old` {seen} in the committed text of `{path}`; {more}.", path=path)
    if old == new:
        raise UsageError("`old` and `new` are the same; there is nothing to change.")
    head = text[: len(text) - len(body)]
    assert text == head + body
    return head + body.replace(old, new)


def _asked_for(
    ports: "RetrievePorts", base: str, path: str, text: str, subject: str, title: str, author: Author, taint: Taint
) -> PageSuggestion:
    evidence: dict[str, Any] = {"agent": author.agent, "session": author.session}
    change = ChangeSet(
        origin=ORIGIN,
        subject=subject,
        base=base,
        edits=(FileEdit(path, text.encode("utf-8")),),
        title=" ".join(title.split())[:120],
        body=f"An agent suggests this:\n\n{_quoted(author.reason)}\n",
        evidence={key: value for key, value in evidence.items() if value},
        taint=taint,
        limited=True,
        kind="proposal",
    )
    result = publish_change(ports, change)
    if isinstance(result, HeldChange):
        return PageSuggestion(path, None, None, result.reason, Level.PASS, ())
    return _told(path, result)


def _told(path: str, published: PublishResult) -> PageSuggestion:
    request = published.request
    against = tuple(f"{r.gate}: {r.reason}" for r in request.rulings if r.level >= Level.WARN)
    return PageSuggestion(path, request.id, request.url, None, request.level, against)


def _quoted(text: str) -> str:
    """As a quotation, so that what an agent wrote is not taken for what Cairn says."""
    return "\n".join(f"> {line}" for line in text.strip().splitlines()[:20])


class VotablePage(NamedTuple):
    path: str
    data: bytes


def votable_page(ports: "RetrievePorts", name: str, revision: str | None) -> VotablePage:
    """The page of knowledge that somebody votes on. With the revision that was read, a page that has changed since is
    not voted on by mistake."""
    page = page_called(ports, name)
    node = page.node
    refuse_unless_knowledge(node)
    refuse_quarantined(node.path, status_of(page.frontmatter))
    if revision is not None and revision != revision_of(page.data):
        raise Conflict(f"`{node.path}` has changed since you read it; read it again and judge what it says now.")
    return VotablePage(node.path, page.data)
