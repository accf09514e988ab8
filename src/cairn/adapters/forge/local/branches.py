"""Branches of requests, and the branch that they are made for."""

import re
from collections.abc import Mapping
from dataclasses import replace

from cairn.adapters.forge.local.checkouts import checkouts_of
from cairn.adapters.forge.local.git_repository import GitRepository
from cairn.adapters.forge.local.records import Record
from cairn.core.model.change import ChangeSet
from cairn.errors import EnvironmentProblem

HEADS = "refs/heads/"
_ODD = re.compile(r"[^a-z0-9._-]+")
_LONGEST = 60


def free_name(git: GitRepository, change: ChangeSet, records: Mapping[str, Record]) -> str:
    """As the change wants it, or made of origin and subject; with a number behind it where that is taken."""
    taken = git.refs(HEADS)
    wanted = change.branch or f"cairn/{_slug(change.origin)}/{_slug(change.subject)}"
    if git.ask("check-ref-format", HEADS + wanted) is None or wanted.startswith("-"):
        wanted = f"cairn/{_slug(change.origin)}/{_slug(wanted)}"
    if _in_a_folder_that_is_a_branch(wanted, taken):
        wanted = wanted.replace("/", "-")
    names = (wanted, *(f"{wanted}-{number}" for number in range(2, 10_000)))
    return next(name for name in names if _free(git, name, taken, records))


def _free(git: GitRepository, name: str, taken: Mapping[str, str], records: Mapping[str, Record]) -> bool:
    ref = HEADS + name
    if any(record.request.active and record.request.branch == name for record in records.values()):
        return False
    if ref in taken:  # perhaps the rest of a request that is done with
        left = any(r.request.branch == name and r.request.head == taken[ref] for r in records.values())
        return left and not checkouts_of(git, name) and git.drop(ref, taken[ref])
    return not any(other.startswith(f"{ref}/") for other in taken)


def _in_a_folder_that_is_a_branch(name: str, taken: Mapping[str, str]) -> bool:
    parts = name.split("/")
    return any(HEADS + "/".join(parts[:deep]) in taken for deep in range(1, len(parts)))


def _slug(text: str) -> str:
    plain = _ODD.sub("-", text.lower()).strip("-.")
    while ".." in plain:
        plain = plain.replace("..", ".")
    return plain.removesuffix(".lock")[:_LONGEST].strip("-.") or "change"


def point(git: GitRepository, record: Record) -> bool:
    """Bring the branch of a request to its head; False when it is somewhere that we did not put it."""
    ref = HEADS + record.request.branch
    tip = git.commit_at(ref)
    if tip == record.request.head:
        return True
    if tip is not None and tip != record.was:
        return False
    return git.move(ref, record.request.head, tip, why=f"cairn: {record.request.id}")


def put_away(git: GitRepository, record: Record) -> None:
    """Take the branch of a request away that is done with, unless somebody works on it."""
    ref = HEADS + record.request.branch
    if git.commit_at(ref) == record.request.head and not checkouts_of(git, record.request.branch):
        git.drop(ref, record.request.head)


def worked_on(record: Record, heads: Mapping[str, str]) -> bool:
    """Whether somebody else has moved the branch of a request."""
    tip = heads.get(HEADS + record.request.branch)
    return tip not in (None, record.request.head, record.was)


def followed(git: GitRepository, record: Record, heads: Mapping[str, str]) -> Record:
    """With the commits that a person has put on the branch."""
    request = record.request
    if not request.active or not worked_on(record, heads):
        return record
    tip = heads[HEADS + request.branch]
    base = git.ask("merge-base", tip, HEADS + request.base_branch) or request.base
    base_tree, head_tree = git.tree_of(base), git.tree_of(tip)
    paths = tuple(git.short(path) for path in git.differing(base_tree, head_tree))
    moved = replace(request, head=tip, base=base, paths=paths)
    return replace(record, request=moved, base_tree=base_tree, head_tree=head_tree)


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
