"""Pull requests: opened, changed, labelled and checked."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from urllib.parse import quote

from cairn.adapters.forge.github.api import GitHubApi, Json, failure, ref_in_path, says
from cairn.adapters.forge.github.reading import Pull, approvers, body_of, pull_from, title_of, with_setters
from cairn.changes import request_lifecycle as life
from cairn.core.model.change import ChangeRequest, RequestState
from cairn.errors import EnvironmentProblem, NotFound

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


SCOPES = frozenset({"repo", "public_repo"})
"""Of classic tokens; others don't tell, there the permissions do."""


def repository(api: GitHubApi) -> Json:
    """What GitHub says about it; the error names what is missing."""
    answer = api.ask("GET", "")
    name = api.place.full_name
    if answer.status == 404:
        raise EnvironmentProblem(
            f"GitHub knows no repository {name}, or the token may not see it; check GITHUB_REPOSITORY and the token."
        )
    if not answer.fine or not isinstance(answer.value, dict):
        raise failure(answer, f"show the repository {name}")
    return {**answer.value, "scopes": answer.headers.get("x-oauth-scopes")}


def must_be_writable(found: Json, name: str) -> None:
    if found.get("archived"):
        raise EnvironmentProblem(f"The repository {name} is archived at GitHub, so nothing can be changed there.")
    scopes = found.get("scopes")
    if scopes is not None and scopes.strip() and not SCOPES & {scope.strip() for scope in scopes.split(",")}:
        raise EnvironmentProblem(
            f"The token has the scopes `{scopes}`, but needs `repo` (or `public_repo`); make one with it."
        )
    permissions = found.get("permissions")
    if isinstance(permissions, dict) and permissions.get("push") is False:
        raise EnvironmentProblem(
            f"The token may not write to {name}; give it write access to contents, pull requests and issues."
        )


def must_have_branch(api: GitHubApi, branch: str) -> None:
    if api.look(f"/git/ref/{ref_in_path(branch)}", doing="show a branch") is None:
        raise EnvironmentProblem(
            f"There is no branch `{branch}` at GitHub; push it, or name another one with "
            "`cairn config set change.base BRANCH --local`."
        )
