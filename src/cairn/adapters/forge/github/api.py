"""The calls that we make to GitHub, each with the words for when it fails."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from cairn.adapters.forge.github.project import GitHubProject
from cairn.adapters.http.json_client import JsonAnswer, JsonClient, NoAnswer
from cairn.errors import CairnError, Conflict, EnvironmentProblem, NotFound, Refused

MOST = 200


def failure(answer: JsonAnswer, doing: str) -> CairnError:
    """`doing` completes “GitHub would not …”."""
    status = answer.status
    if status == 401:
        return EnvironmentProblem(
            f"GitHub does not accept the token (it may have expired), so it would not {doing}; set GITHUB_TOKEN to a "
            "valid one and run this again.",
            status=status,
        )
    if answer.limited:
        return EnvironmentProblem(f"GitHub would not {doing}: {_limit(answer)}", status=status)
    if status == 403:
        return EnvironmentProblem(f"The token may not {doing}{_needs(answer)}; {_said(answer)}.", status=status)
    if status in (404, 410):
        return NotFound(
            f"GitHub would not {doing}: there is no such thing, or the token may not see it.", status=status
        )
    if status in (405, 409):
        return Conflict(f"GitHub would not {doing}: {_said(answer)}; look at it there and try again.", status=status)
    if status in (400, 406, 413, 422):
        return Refused(f"GitHub would not {doing}: {_said(answer)}.", status=status)
    if 300 <= status < 400:
        return EnvironmentProblem(
            "The repository was moved or renamed at GitHub; set GITHUB_REPOSITORY to its name now.", status=status
        )
    return EnvironmentProblem(
        f"GitHub has a problem of its own (HTTP {status}) and would not {doing}; try again later.", status=status
    )


def says(answer: JsonAnswer, *words: str) -> bool:
    """Whether one of these words stands in what GitHub answered."""
    text = _said(answer).lower()
    return any(word in text for word in words)


def _limit(answer: JsonAnswer) -> str:
    reset = answer.headers.get("x-ratelimit-reset", "")
    if answer.headers.get("x-ratelimit-remaining") == "0" and reset.isascii() and reset.isdigit():
        when = datetime.fromtimestamp(int(reset[:11]), UTC)
        return f"its rate limit is used up until {when:%H:%M} UTC; run this again then."
    return "too much was asked of it in a short time; run this again in a few minutes."


def _needs(answer: JsonAnswer) -> str:
    wanted = answer.headers.get("x-accepted-github-permissions") or answer.headers.get("x-accepted-oauth-scopes")
    return f" (it needs {_flat(wanted)})" if wanted and wanted.strip() else ""


def _said(answer: JsonAnswer) -> str:
    """Message and field errors, on one line."""
    value = answer.value if isinstance(answer.value, dict) else {}
    parts = [_flat(value.get("message")), *_errors(value.get("errors"))]
    return _flat("; ".join(part.rstrip(".") for part in parts if part)) or f"HTTP {answer.status}"


def _errors(found: Any) -> Iterator[str]:
    for error in found if isinstance(found, list) else ():
        if isinstance(error, str):
            yield _flat(error)
        elif isinstance(error, dict):
            where = " ".join(_flat(error[key]) for key in ("field", "code") if error.get(key))
            yield _flat(error.get("message")) or where


def _flat(text: object) -> str:
    if not isinstance(text, str):
        return ""
    plain = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return plain if len(plain) <= MOST else plain[: MOST - 1] + "…"


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
