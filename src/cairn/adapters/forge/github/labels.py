"""Labels at pull requests and issues."""

from collections.abc import Collection
from urllib.parse import quote

from cairn.adapters.forge.github.api import GitHubApi
from cairn.adapters.forge.github.failures import failure, says

COLOUR = "7a6f5d"


def ensure_label(api: GitHubApi, name: str) -> None:
    """That the repository knows it."""
    body = {"name": name, "color": COLOUR, "description": "Set by Cairn"}
    answer = api.ask("POST", "/labels", body, repeatable=True)
    if not answer.fine and not (answer.status == 422 and says(answer, "already_exists", "already exists")):
        raise failure(answer, f"make the label `{name}`")


def sync_labels(api: GitHubApi, id: str, before: Collection[str], after: Collection[str]) -> None:
    """From these names to those; what others have put there besides stays."""
    added = sorted(set(after) - set(before))
    for name in added:
        ensure_label(api, name)
    if added:
        answer = api.ask("POST", f"/issues/{id}/labels", {"labels": added}, repeatable=True)
        if not answer.fine:
            raise failure(answer, "set a label")
    for name in sorted(set(before) - set(after)):
        answer = api.ask("DELETE", f"/issues/{id}/labels/{quote(name, safe='')}")
        if not answer.fine and answer.status != 404:
            raise failure(answer, f"take the label `{name}` away")
