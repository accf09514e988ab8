"""Which branch changes are made for: the one the operator names, else the repository's own idea of its main line."""

from cairn.adapters.forge.local.git_repository import GitRepository
from cairn.errors import EnvironmentProblem

HOW = "name one with `cairn config set change.base BRANCH --local`"


def base_branch(git: GitRepository, chosen: str | None) -> str:
    """Its short name; it has at least one commit."""
    _ = git.place  # says so when this is no repository
    if chosen is not None:
        if git.commit_at(f"refs/heads/{chosen}") is None:
            raise EnvironmentProblem(f"`change.base` is `{chosen}`, but there is no such branch here; {HOW}.")
        return chosen
    for name in _likely(git):
        if name and git.commit_at(f"refs/heads/{name}") is not None:
            return name
    if git.commit_at("HEAD") is None:
        raise EnvironmentProblem("The repository has no commit yet, so nothing can be changed; commit something first.")
    raise EnvironmentProblem(
        f"No branch is checked out here (HEAD is detached), and there is no `main` or `master` that changes could be "
        f"made for; {HOW}."
    )


def _likely(git: GitRepository) -> tuple[str | None, ...]:
    remote = git.ask("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
    current = git.ask("symbolic-ref", "--quiet", "HEAD")
    return (
        remote.removeprefix("refs/remotes/origin/") if remote else None,
        "main",
        "master",
        current.removeprefix("refs/heads/") if current else None,
    )
