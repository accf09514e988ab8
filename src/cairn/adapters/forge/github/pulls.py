"""Finding our pull requests at GitHub, and writing down what became of one."""

from collections.abc import Iterator
from dataclasses import replace

from cairn.adapters.forge.github.api import GitHubApi, Json
from cairn.adapters.forge.github.reading import Pull, approvers, body_of, pull_from, title_of, with_setters
from cairn.changes import request_lifecycle as life
from cairn.core.model.change import ChangeRequest, RequestState
from cairn.errors import NotFound

OPEN_PAGES = 10
CLOSED_PAGES = 5
"""Of a hundred each: what was closed long before is not looked at."""


class Pulls:
    def __init__(self, api: GitHubApi) -> None:
        self._api = api

    def all(self, *, closed: bool = True) -> list[ChangeRequest]:
        """Those that are open with all that is known of them; those that are not as they were left."""
        found = [self._full(pull) for pull in self._listed("open", OPEN_PAGES)]
        if closed:
            found += [pull.request for pull in self._listed("closed", CLOSED_PAGES)]
        return life.with_reverts(found)

    def one(self, id: str) -> Pull:
        number = id.strip().removeprefix("#")
        if not (number.isascii() and number.isdigit()) or len(number) > 12:
            raise _unknown(id)
        value = self._api.look(f"/pulls/{int(number)}", doing="show a pull request")
        if value is None:
            raise _unknown(id)
        pull = pull_from(value, self._api.place.full_name)
        if pull is None:
            raise NotFound(
                f"Pull request {int(number)} was not opened by Cairn; `cairn change list` shows those.", id=id
            )
        request = self._full(pull)
        if request.state is RequestState.MERGED:
            shown = next((r for r in self.all() if r.id == request.id), request)
            request = replace(request, state=shown.state)
        return pull._replace(request=request)

    def open_about(self, origin: str, subject: str) -> Pull | None:
        """The oldest one, should there be two."""
        same = [
            pull
            for pull in self._listed("open", OPEN_PAGES)
            if (pull.request.origin, pull.request.subject) == (origin, subject)
        ]
        if not same:
            return None
        first = min(same, key=lambda pull: int(pull.request.id))
        return first._replace(request=self._full(first))

    def open(self, request: ChangeRequest) -> Json:
        body = {
            "title": title_of(request),
            "head": request.branch,
            "base": request.base_branch,
            "body": body_of(request),
        }
        return self._api.need("POST", "/pulls", body, doing="open a pull request")

    def save(self, request: ChangeRequest, *, was: str | None = None) -> None:
        body = {"title": title_of(request), "body": body_of(request, was)}
        self._api.need("PATCH", f"/pulls/{request.id}", body, doing="change a pull request")

    def set_state(self, id: str, state: str) -> None:
        self._api.need("PATCH", f"/pulls/{id}", {"state": state}, doing=f"make the pull request {state}")

    def files(self, id: str) -> list[str]:
        """Paths in the repository that it touches, both of a renamed file."""
        found = list(self._api.listed(f"/pulls/{id}/files", doing="list files", pages=30))
        names = {str(file["filename"]) for file in found}
        return sorted(names | {str(file["previous_filename"]) for file in found if file.get("status") == "renamed"})

    def _listed(self, state: str, pages: int) -> Iterator[Pull]:
        found = self._api.listed(
            "/pulls", doing="list pull requests", pages=pages, state=state, sort="created", direction="desc"
        )
        for value in found:
            pull = pull_from(value, self._api.place.full_name)
            if pull is not None:
                yield pull

    def _full(self, pull: Pull) -> ChangeRequest:
        """With who set its labels and who approved it."""
        request = pull.request
        if request.labels:
            events = self._api.listed(f"/issues/{request.id}/events", doing="list events")
            request = with_setters(pull, events)
        reviews = self._api.listed(f"/pulls/{request.id}/reviews", doing="list reviews")
        return replace(request, approved_by=approvers(reviews, request.head))


def _unknown(id: str) -> NotFound:
    return NotFound(f"There is no change request `{id}`; `cairn change list --all` shows them.", id=id)
