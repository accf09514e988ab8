"""Tickets as issues, one a cause. Only issues with our label count: strangers may write an issue, but not label it."""

from cairn.adapters.forge.github.api import GitHubApi, Json
from cairn.adapters.forge.github.body import compose, take_apart
from cairn.adapters.forge.github.pulls import ensure_label
from cairn.core.model.change import Ticket

LABEL = "cairn-ticket"


class Tickets:
    def __init__(self, api: GitHubApi) -> None:
        self._api = api

    def all(self, *, open_only: bool) -> list[Ticket]:
        """Newest first."""
        state = "open" if open_only else "all"
        found = self._api.listed("/issues", doing="list issues", labels=LABEL, state=state)
        tickets = [ticket for issue in found if (ticket := _ticket(issue)) is not None]
        return sorted(tickets, key=lambda ticket: (ticket.opened_at_ms, int(ticket.id)), reverse=True)

    def find(self, cause: str) -> Ticket | None:
        """The open one before a closed one."""
        known = [ticket for ticket in self.all(open_only=False) if ticket.cause == cause]
        return min(known, key=lambda ticket: not ticket.open, default=None)

    def open(self, cause: str, title: str, body: str, *, now_ms: int) -> Ticket:
        known = self.find(cause)
        opened_at = known.opened_at_ms if known and known.open else now_ms
        wanted: Json = {"title": title[:250], "body": compose(body, {"cause": cause, "openedAtMs": opened_at})}
        if known is None:
            ensure_label(self._api, LABEL)
            made = self._api.need("POST", "/issues", {**wanted, "labels": [LABEL]}, doing="open an issue")
            return Ticket(str(made["number"]), cause, title, body, True, opened_at, made.get("html_url"))
        ticket = known._replace(title=title, body=body, open=True, opened_at_ms=opened_at)
        if ticket != known:
            path = f"/issues/{known.id}"
            self._api.need("PATCH", path, {**wanted, "state": "open"}, doing="change an issue")
        return ticket

    def close(self, cause: str) -> Ticket | None:
        known = self.find(cause)
        if known is None or not known.open:
            return known
        self._api.need("PATCH", f"/issues/{known.id}", {"state": "closed"}, doing="close an issue")
        return known._replace(open=False)


def _ticket(issue: Json) -> Ticket | None:
    text, record = take_apart(issue.get("body"))
    if record is None or "pull_request" in issue:
        return None
    cause, opened_at = record.get("cause"), record.get("openedAtMs")
    if not isinstance(cause, str) or not isinstance(opened_at, int):
        return None
    is_open = issue.get("state") == "open"
    return Ticket(str(issue["number"]), cause, str(issue["title"]), text, is_open, opened_at, issue.get("html_url"))
