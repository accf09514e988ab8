"""Whether a pull request fits its base, what it would do there, and bringing it in."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import gettempdir
from typing import NamedTuple

from cairn.adapters.forge.github.api import GitHubApi, Json, failure, says
from cairn.adapters.forge.github.trees import REGULAR, GitHubTreeEntry, GitHubTrees
from cairn.adapters.forge.local.git_repository import GitRepository
from cairn.adapters.forge.local.trees import merged_text, unites
from cairn.core.model.change import ChangeRequest, FileEdit
from cairn.errors import Conflict, EnvironmentProblem, Refused

CLEAN = frozenset({"clean", "has_hooks"})
_LOOKS = 6
_METHODS = ("squash", "merge", "rebase")
_ALLOWED = {"squash": "allow_squash_merge", "merge": "allow_merge_commit", "rebase": "allow_rebase_merge"}


class Fit(NamedTuple):
    """What GitHub found when it tried the merge."""

    commit: str | None
    """The merge that it made for trying."""
    state: str


class GitHubMerge:
    def __init__(self, api: GitHubApi, trees: GitHubTrees, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._api = api
        self._trees = trees
        self._sleep = sleep

    def fit(self, request: ChangeRequest) -> Fit:
        """`Conflict` when it does not fit. GitHub works it out when asked for the first time, so ask again."""
        for look in range(_LOOKS):
            pull = self._api.need("GET", f"/pulls/{request.id}", doing="show a pull request")
            if pull.get("mergeable") is False:
                raise clash(request, request.paths)
            if pull.get("mergeable"):
                if pull.get("draft"):
                    raise Refused(f"{request.id} is a draft at GitHub; mark it as ready there first.", id=request.id)
                return Fit(pull.get("merge_commit_sha"), str(pull.get("mergeable_state") or ""))
            self._sleep(0.5 * 2**look)
        raise EnvironmentProblem(f"GitHub has not worked out yet whether {request.id} can be merged; try again.")

    def on_top_of(self, request: ChangeRequest, base: str, tip: str, paths: Sequence[str]) -> tuple[FileEdit, ...]:
        """What the request would change at the tip of its base branch."""
        old, new = self._trees.entries(base, paths), self._trees.entries(request.head, paths)
        here = self._trees.entries(tip, paths)
        both = [path for path in paths if here[path] not in (old[path], new[path])]
        if any(here[path] is None or new[path] is None for path in both):
            raise clash(request, both)
        if both:
            new = {**new, **self._tried(request, tip, both)}
        wanted = [path for path in paths if old[path] != new[path] or path in both]
        return tuple(FileEdit(path, self._trees.content(new[path])) for path in wanted if here[path] != new[path])

    def _tried(self, request: ChangeRequest, tip: str, paths: Sequence[str]) -> dict[str, GitHubTreeEntry | None]:
        """Files that both sides changed, as GitHub merged them."""
        fit = self.fit(request)
        commit = self._trees.commit(fit.commit) if fit.commit else None
        if commit is None or [parent["sha"] for parent in commit["parents"]][:1] != [tip]:
            raise EnvironmentProblem(f"`{request.base_branch}` moved while {request.id} was looked at; try again.")
        return self._trees.entries(str(fit.commit), paths)

    def land(self, request: ChangeRequest, repository: Json, *, automatic: bool) -> str:
        """The commit that it became."""
        fit = self.fit(request)
        if automatic and fit.state not in CLEAN:
            raise Refused(f"{request.id} has not passed all checks and reviews at GitHub ({fit.state}).", id=request.id)
        body = {"sha": request.head, "merge_method": _method(repository)}
        answer = self._api.ask("PUT", f"/pulls/{request.id}/merge", body)
        if answer.fine and isinstance(answer.value, dict) and answer.value.get("sha"):
            return str(answer.value["sha"])
        if answer.status == 405 and not says(answer, "conflict", "not mergeable", "base branch was modified"):
            raise Refused(failure(answer, f"merge {request.id}").message, id=request.id)
        raise failure(answer, f"merge {request.id}")

    def taken_back(self, request: ChangeRequest, tip: str, paths: Sequence[str]) -> tuple[FileEdit, ...]:
        """What leads back from what landed. Where a file was edited since, those edits stay; edits of the same lines
        are left to a person."""
        landed = self._trees.commit(request.merged_commit or "")
        if landed is None or not landed["parents"]:
            raise Refused(f"The commit of {request.id} cannot be found at GitHub, so it cannot be taken back.")
        before, after = str(landed["parents"][0]["sha"]), str(landed["sha"])
        old, new, here = (self._trees.entries(commit, paths) for commit in (before, after, tip))
        wanted = [path for path in paths if old[path] != new[path] and here[path] != old[path]]
        edited = [path for path in wanted if here[path] != new[path]]
        merged = {path: self._without(path, here[path], new[path], old[path]) for path in edited}
        clashes = [path for path, content in merged.items() if content is None]
        if clashes:
            raise clash(request, clashes)
        contents = {path: merged[path] if path in merged else self._trees.content(old[path]) for path in wanted}
        return tuple(FileEdit(path, content) for path, content in contents.items())

    def _without(
        self, path: str, here: GitHubTreeEntry | None, landed: GitHubTreeEntry | None, before: GitHubTreeEntry | None
    ) -> bytes | None:
        """A file as it is now, without what landed; None when that can't be told apart from what came later."""
        entries = (here, landed, before)
        if any(entry is None or entry.mode not in REGULAR for entry in entries):
            return None
        git = GitRepository(Path(gettempdir()))  # merging texts needs git, but no repository
        return merged_text(git, [self._trees.content(entry) for entry in entries], union=unites(path))


def clash(request: ChangeRequest, paths: Sequence[str]) -> Conflict:
    names = ", ".join(paths[:10])
    return Conflict(
        f"{request.id} does not fit `{request.base_branch}` any more: {names} changed there since. Close it and have "
        "it made anew, or mend it at GitHub.",
        paths=list(paths),
    )


def _method(repository: Json) -> str:
    """One commit where the repository allows it."""
    return next((name for name in _METHODS if repository.get(_ALLOWED[name]) is not False), "merge")
