"""Change requests on their way from one clone to another: as the trees that their refs point at.

Whoever may push to the repository may have written what arrives. So a request that is unpacked can bring a branch of
Cairn's own into being, and can neither move nor remove any other.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from cairn.adapters.forge.local.branches import point, put_away
from cairn.adapters.forge.local.git_repository import GitRepository
from cairn.adapters.forge.local.lock import locked
from cairn.adapters.forge.local.merge import author_of, message_of
from cairn.adapters.forge.local.records import CHANGES, Record, Records
from cairn.errors import Refused

MOST = 500
"""So many travel, those that somebody touched last."""
_LARGEST = 1024 * 1024
_BRANCH = re.compile(r"(?:cairn|knowledge-freshness)[/-][A-Za-z0-9._/-]{1,200}")
"""As `branches.py` and the origins of changes name them."""
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def packed(git: GitRepository, theirs: Mapping[str, Record]) -> dict[str, str]:
    """Trees by the ids of their requests: ours and those of others, each as it was touched last. One whose merge is
    under way stays here until that is done."""
    found = dict(theirs)
    for id, record in Records(git).all().items():
        if record.landing is None:
            found[id] = max(found.get(id, record), record, key=_age)
    last = sorted(found.values(), key=_age)[-MOST:]
    return {record.request.id: str(record.stored) for record in sorted(last, key=lambda record: record.request.id)}


def _age(record: Record) -> tuple[int, str]:
    return record.request.updated_at_ms, record.stored or ""


# --- arriving -------------------------------------------------------------------------------------------------------


def checked(git: GitRepository, trees: Mapping[str, str]) -> dict[str, Record]:
    """By id; `Refused` when one of them is not what it should be, and then none is used."""
    parts = _whole(git, trees)
    branches = {}
    records: dict[str, Record] = {}
    for id, record in Records(git).in_trees(trees).items():
        if record is None or record.request.id != id or not _harmless(record, parts[id]):
            raise Refused(f"Its change request `{id}` cannot be understood.")
        branches[record.request.base_branch] = id
        records[id] = record
    for name, id in branches.items():
        if name.startswith("-") or git.ask("check-ref-format", f"refs/heads/{name}") is None:
            raise Refused(f"Its change request `{id}` is for no branch that there could be.")
    return records


def _whole(git: GitRepository, trees: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The trees of base and head of each, in one question to git."""
    asked = [f"{tree}:{part}" for tree in trees.values() for part in ("base", "head", "request.json")]
    given = "".join(f"{name}\n" for name in asked).encode()
    answers = git.need("cat-file", "--batch-check", given=given).split("\n") if asked else []
    found = {}
    for number, id in enumerate(trees):
        base, head, text = (line.split() for line in answers[3 * number : 3 * number + 3])
        if [base[1], head[1], text[1]] != ["tree", "tree", "blob"] or int(text[2]) > _LARGEST:
            raise Refused(f"Its change request `{id}` is not whole.")
        found[id] = (base[0], head[0])
    return found


def _harmless(record: Record, trees: tuple[str, str]) -> bool:
    request = record.request
    commits = all(_COMMIT.fullmatch(commit) for commit in (request.base, request.head))
    ours = _is_branch_of_ours(request.branch) and request.branch != request.base_branch
    return ours and commits and record.landing is None and trees == (record.base_tree, record.head_tree)


def _is_branch_of_ours(name: str) -> bool:
    """And one that git takes: it would stop in the middle otherwise."""
    parts = name.split("/")
    odd = any(not part or part.startswith(".") or part.endswith((".", ".lock")) for part in parts)
    return _BRANCH.fullmatch(name) is not None and ".." not in name and not odd


def unpack(git: GitRepository, arriving: Mapping[str, Record]) -> int:
    """Keep those that are new here, or newer than what is here; how many that were."""
    if not arriving:
        return 0
    kept = 0
    with locked(git.place.common):
        records = Records(git)
        here = records.all()
        taken = set(git.refs(CHANGES))
        for id, record in arriving.items():
            known = here.get(id)
            if known is None and CHANGES + id in taken:
                continue  # damaged, and `cairn doctor` names it; not ours to write over
            if _is_news(record, known) and (ready := _with_commit(git, record)) is not None:
                _keep(git, records, ready, known)
                kept += 1
    return kept


def _is_news(record: Record, known: Record | None) -> bool:
    if known is None:
        return True
    return known.landing is None and record.request.updated_at_ms > known.request.updated_at_ms


def _with_commit(git: GitRepository, record: Record) -> Record | None:
    """Commits did not travel, but a branch needs one. None when its base is not in this clone."""
    request = record.request
    if not request.active or git.commit_at(request.head) is not None:
        return record
    if git.commit_at(request.base) is None:
        return None
    made = git.commit(
        record.head_tree,
        request.base,
        message_of(request),
        author=author_of(request.origin),
        at_ms=request.updated_at_ms,
    )
    return record.with_request(replace(request, head=made))


def _keep(git: GitRepository, records: Records, record: Record, known: Record | None) -> None:
    was, stored = (known.request.head, known.stored) if known else (None, None)
    saved = records.save(replace(record, was=was, stored=stored))
    if saved.request.active:
        point(git, saved)
    elif known is not None:
        put_away(git, known)
