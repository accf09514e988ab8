"""What an agent says of a page that it used, into the ledger: a ballot about exactly the text that it read."""

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from cairn.core.ledger_events import redact_text
from cairn.errors import Conflict, UsageError
from cairn.retrieve.serve_page import page_called, refuse_unless_knowledge
from cairn.retrieve.served import refuse_quarantined, revision_of, status_of

if TYPE_CHECKING:
    from cairn.retrieve.ports import RetrievePorts

Verdict = Literal["confirm", "reject", "flag"]
REASON_MOST: Final = 400


class Ballot(NamedTuple):
    id: str
    entry: str
    revision: str
    verdict: Verdict


class Voter(NamedTuple):
    agent: str | None = None
    session: str | None = None


def cast_ballot(
    ports: "RetrievePorts", name: str, verdict: Verdict, *, reason: str | None, revision: str | None, voter: Voter
) -> Ballot:
    """Whoever rejects or flags says why. With the revision that was read, a page that has changed since is not voted
    on by mistake."""
    said = redact_text((reason or "").strip())[:REASON_MOST].strip() or None
    if verdict != "confirm" and said is None:
        raise UsageError(f"To {verdict} a page, say in `reason` what is wrong with it.")
    page = page_called(ports, name)
    node = page.node
    refuse_unless_knowledge(node)
    refuse_quarantined(node.path, status_of(page.frontmatter))
    now = revision_of(page.data)
    if revision is not None and revision != now:
        raise Conflict(f"`{node.path}` has changed since you read it; read it again and judge what it says now.")
    payload = {"entry": node.path, "revision": now, "verdict": verdict, "reason": said, **voter._asdict()}
    return Ballot(ports.ledger.append("ballot_cast", payload, now_ms=ports.clock.now_ms()), node.path, now, verdict)
