"""What the gates say, as the one comment that Cairn keeps at a pull request."""

from collections.abc import Sequence

from cairn.adapters.forge.github.api import GitHubApi
from cairn.core.model.change import GateRuling, worst
from cairn.lib.markdown.escape import escape_markdown

MARKER = "<!-- cairn:gates -->"
_MOST = 60
_MOST_REASON = 500


def table(rulings: Sequence[GateRuling]) -> str:
    if not rulings:
        return f"{MARKER}\nNo gate has looked at this yet.\n"
    ordered = sorted(rulings, key=lambda ruling: -ruling.level)
    rows = [
        f"| {escape_markdown(r.gate)} | {r.level.word} | {escape_markdown(r.reason[:_MOST_REASON])} |"
        for r in ordered[:_MOST]
    ]
    more = f"\n… and {len(ordered) - _MOST} more.\n" if len(ordered) > _MOST else ""
    head = f"{MARKER}\n**Gates: {worst(tuple(rulings)).word}**\n\n| Gate | Says | Why |\n| --- | --- | --- |\n"
    return head + "\n".join(rows) + "\n" + more


def _row(ruling: GateRuling) -> str:
    return f"| {escape_markdown(ruling.gate)} | {ruling.level.word} | {escape_markdown(ruling.reason[:_MOST_REASON])} |"


def show_gates(api: GitHubApi, id: str, rulings: Sequence[GateRuling], *, author: str) -> None:
    """In our own comment, wherever it is; a comment of anybody else with our mark in it is left alone."""
    text = table(rulings)
    for comment in api.listed(f"/issues/{id}/comments", doing="list comments"):
        login = (comment.get("user") or {}).get("login")
        if login == author and str(comment.get("body") or "").startswith(MARKER):
            if str(comment["body"]).replace("\r\n", "\n").strip() != text.strip():
                path = f"/issues/comments/{comment['id']}"
                api.need("PATCH", path, {"body": text}, doing="change a comment")
            return
    api.need("POST", f"/issues/{id}/comments", {"body": text}, doing="write a comment")
