"""The calls that we make to GitHub, each with the words for when it fails."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from cairn.adapters.forge.github.failures import failure
from cairn.adapters.forge.github.project import GitHubProject
from cairn.adapters.http.json_client import JsonAnswer, JsonClient, NoAnswer
from cairn.errors import EnvironmentProblem

VERSION = "2022-11-28"
PER_PAGE = 100
Json = dict[str, Any]


def headers_with(token: str) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {token}",
        "Accept": "application/vnd.github+json",
        "X-GitHub-Api-Version": VERSION,
    }


class GitHubApi:
    def __init__(self, client: JsonClient, place: GitHubProject) -> None:
        self._client = client
        self.place = place

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, str] | None = None,
        accept: str | None = None,
        repeatable: bool | None = None,
    ) -> JsonAnswer:
        """Any answer; below the address of the repository."""
        headers = {"Accept": accept} if accept else None
        target = self.place.path + path
        try:
            return self._client.send(method, target, body, query=query, headers=headers, repeatable=repeatable)
        except NoAnswer as problem:
            raise EnvironmentProblem(f"GitHub could not be asked: {problem}") from None

    def need(self, method: str, path: str, body: Any = None, *, doing: str, repeatable: bool | None = None) -> Json:
        """The object that it answers with; else the error says what to do."""
        answer = self.ask(method, path, body, repeatable=repeatable)
        if not answer.fine:
            raise failure(answer, doing)
        if not isinstance(answer.value, dict):
            raise EnvironmentProblem(f"GitHub's answer could not be read when asked to {doing}; check GITHUB_API_URL.")
        return answer.value

    def look(self, path: str, *, doing: str) -> Json | None:
        """Like `need`, None when there is nothing of that name."""
        answer = self.ask("GET", path)
        if answer.status == 404 or (answer.status == 422 and path.startswith("/git/")):
            return None
        if not answer.fine or not isinstance(answer.value, dict):
            raise failure(answer, doing)
        return answer.value

    def listed(self, path: str, *, doing: str, pages: int = 10, **query: str) -> Iterator[Json]:
        for page in range(1, pages + 1):
            wanted = {**query, "per_page": str(PER_PAGE), "page": str(page)}
            answer = self.ask("GET", path, query=wanted)
            if not answer.fine or not isinstance(answer.value, list):
                raise failure(answer, doing)
            yield from (item for item in answer.value if isinstance(item, dict))
            if len(answer.value) < PER_PAGE:
                return


def ref_in_path(branch: str) -> str:
    """One part of a path, as GitHub describes it: its slashes are written as escapes."""
    return quote(f"heads/{branch}", safe="")
