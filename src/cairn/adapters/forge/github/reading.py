"""A pull request of ours, as GitHub shows it, read as a change request; and what we keep in its body."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from cairn.adapters.forge.github.api import Json
from cairn.adapters.forge.github.body import compose, take_apart
from cairn.changes.request_lifecycle import request_from, request_value
from cairn.core.model.change import ChangeRequest, Label, RequestState

_SHOWN_BY_GITHUB = ("id", "state", "level", "title", "body", "url", "notes", "approvedBy", "mergedCommit", "baseBranch")
MOST_TITLE = 250


class Pull(NamedTuple):
    request: ChangeRequest
    head: str
    """Where our branch was put last."""
    was: str | None
    """Where it was before: a branch that is still there was about to be moved when something stopped us."""
    author: str

    @property
    def worked_on(self) -> bool:
        """Whether somebody else has put commits on the branch."""
        return self.request.head not in (self.head, self.was)


def pull_from(value: Json, repository: str) -> Pull | None:
    """None for what is not Cairn's. Only somebody who may push here can have made one of ours: what comes out of a
    fork is not, whatever its text says."""
    text, record = take_apart(value.get("body"))
    head, base = value["head"], value["base"]
    home = (head.get("repo") or {}).get("full_name")
    if record is None or str(home).lower() != repository.lower() or record.get("branch") != head["ref"]:
        return None
    facts = {
        "id": str(value["number"]),
        "state": str(_state(value)),
        "title": value["title"],
        "body": text,
        "baseBranch": base["ref"],
        "head": head["sha"],
        "url": value.get("html_url"),
        "mergedCommit": value.get("merge_commit_sha") if value.get("merged_at") else None,
        "labels": _labels(value, record),
    }
    try:
        request = request_from({**record, **facts})
        return Pull(request, str(record["head"]), record.get("was"), _login(value.get("user")))
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def body_of(request: ChangeRequest, was: str | None = None) -> str:
    kept = {key: value for key, value in request_value(request).items() if key not in _SHOWN_BY_GITHUB}
    return compose(request.body, {**kept, "was": was})


def title_of(request: ChangeRequest) -> str:
    title = " ".join(request.title.split()) or request.subject
    return title if len(title) <= MOST_TITLE else title[: MOST_TITLE - 1] + "…"


def _state(value: Json) -> RequestState:
    if value.get("merged_at"):
        return RequestState.MERGED
    return RequestState.CLOSED if value["state"] == "closed" else RequestState.OPEN


def _labels(value: Json, record: Mapping[str, Any]) -> list[Json]:
    """Those that GitHub shows, with whom we know to have set them."""
    setters = {label["name"]: label["setter"] for label in record.get("labels", ())}
    names = sorted(str(label["name"]) for label in value.get("labels", ()))
    return [{"name": name, "setter": setters.get(name, "")} for name in names]


def with_setters(pull: Pull, events: Iterable[Json]) -> ChangeRequest:
    """A label that somebody else put there since is theirs, whatever we remember."""
    last = {
        str(event["label"]["name"]): _login(event.get("actor"))
        for event in events
        if event.get("event") == "labeled" and isinstance(event.get("label"), dict)
    }
    labels = tuple(_set_by(label, last.get(label.name, ""), pull.author) for label in pull.request.labels)
    return replace(pull.request, labels=labels)


def _set_by(label: Label, actor: str, author: str) -> Label:
    ours = actor in ("", author) and label.setter
    return label if ours else Label(label.name, actor)


def approvers(reviews: Iterable[Json], head: str) -> tuple[str, ...]:
    """Whose last word is yes, about the commit that is there now."""
    last: dict[str, bool] = {}
    for review in reviews:
        if review.get("state") in ("APPROVED", "CHANGES_REQUESTED", "DISMISSED"):
            last[_login(review.get("user"))] = review["state"] == "APPROVED" and review.get("commit_id") == head
    return tuple(sorted(name for name, yes in last.items() if yes and name))


def _login(user: Any) -> str:
    return str(user.get("login") or "") if isinstance(user, dict) else ""
