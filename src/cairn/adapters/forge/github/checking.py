"""Is everything there that publishing at GitHub needs?"""

from cairn.adapters.forge.github.api import GitHubApi, Json, ref_in_path
from cairn.adapters.forge.github.failures import failure
from cairn.errors import EnvironmentProblem

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
