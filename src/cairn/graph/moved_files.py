"""Files that moved or were deleted: how a scan matches them, and how a person corrects it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from cairn.core.model.issue import Fix, Issue, Severity
from cairn.core.ports.graph import MissingNode, Orphan, Rename
from cairn.core.ports.runtime import Clock
from cairn.core.ports.store import Store
from cairn.errors import Conflict, NotFound, Refused

HISTORY_RULES = ("auto-rename-medium", "auto-rename-ambiguous", "orphan")


def history_issues(store: Store) -> list[Issue]:
    """What the last scan that changed anything saw move or go.

    This is about what was, so it is kept apart from what can be derived from the files alone.
    """
    last = store.meta().get("changed_at_ms")
    recent = [rename for rename in store.renames() if rename.at_ms == last]
    orphans = [orphan for orphan in store.orphans() if orphan.kept or orphan.since_ms == last]
    return [*_rename_issues(recent), *(_orphan_issue(orphan) for orphan in orphans)]


def _rename_issues(renames: Iterable[Rename]) -> Iterator[Issue]:
    for rename in sorted(renames, key=lambda r: r.new):
        if rename.confidence == "medium":
            message = f"`{rename.new}` was taken to be `{rename.old}` moved: the frontmatter is the same."
            fix = Fix(f"If that is wrong, run `cairn undo-rename {rename.new}`.")
            data = {"from": rename.old, "to": rename.new, "confidence": "medium"}
            yield Issue("auto-rename-medium", Severity.WARN, (rename.new,), message, fix=fix, data=data)
        elif rename.confidence == "ambiguous":
            names = ", ".join(f"`{name}`" for name in rename.candidates)
            message = f"`{rename.new}` may be any of {names} moved: they had the same frontmatter."
            fix = Fix(f"If one of them moved, run `cairn reconcile {rename.candidates[0]} --to {rename.new}`.")
            ambiguous = {"to": rename.new, "candidates": list(rename.candidates)}
            yield Issue("auto-rename-ambiguous", Severity.WARN, (rename.new,), message, fix=fix, data=ambiguous)


def _orphan_issue(orphan: Orphan) -> Issue:
    kept = f"; {orphan.kept} kept facts still belong to it" if orphan.kept else ""
    message = f"`{orphan.path}` is gone and nothing like it came{kept}."
    fix = Fix(f"If it moved, run `cairn reconcile {orphan.path} --to NEW`; else `cairn orphans --forget`.")
    return Issue("orphan", Severity.INFO, (orphan.path,), message, fix=fix)


@dataclass(frozen=True, slots=True)
class MovedState:
    """State that was hung on another path."""

    old: str
    new: str
    rows: int


def reconcile(store: Store, old: str, new: str, *, clock: Clock, dry_run: bool = False) -> MovedState:
    """Record that a missing file was renamed; its stored data moves along."""
    if store.node(new) is None:
        raise NotFound(f"There is no document at `{new}`; `cairn list` shows them.", path=new)
    if not any(orphan.path == old for orphan in store.orphans()):
        if store.node(old) is not None:
            raise Conflict(f"`{old}` is still there, so it cannot have become `{new}`.", path=old)
        raise NotFound(f"Nothing is known about `{old}`; `cairn orphans` lists what went.", path=old)
    if dry_run:
        return MovedState(old, new, 0)
    with store.scan() as session:
        rows = session.move_state(old, new)
        session.forget_orphans([old])
        session.record_renames([Rename("", old, new, "confirmed", (), clock.now_ms())])
    return MovedState(old, new, rows)


def undo_rename(
    store: Store, new: str, *, old: str | None, clock: Clock, force: bool = False, dry_run: bool = False
) -> MovedState:
    """Undo a recorded rename; the old path is an orphan again."""
    rename = _the_rename(store, new, old)
    if store.node(rename.old) is not None and not force:
        raise Refused(
            f"`{rename.old}` is a node again; add --force to move what was kept about `{new}` back to it.",
            path=rename.old,
        )
    if dry_run:
        return MovedState(new, rename.old, 0)
    node = store.node(new)
    digests = (bytes.fromhex(node.body_hash), bytes.fromhex(node.frontmatter_hash)) if node else (b"", b"")
    with store.scan() as session:
        rows = session.move_state(new, rename.old)
        session.forget_rename(rename.id)
        if store.node(rename.old) is None:
            session.record_orphans([Orphan(rename.old, clock.now_ms(), *digests, 0)])
    return MovedState(new, rename.old, rows)


def _the_rename(store: Store, new: str, old: str | None) -> Rename:
    found = [r for r in store.renames() if r.new == new and r.old and (old is None or r.old == old)]
    if not found:
        suffix = f" from `{old}`" if old else ""
        raise NotFound(f"No rename to `{new}`{suffix} is recorded.", path=new)
    if old is None and len({rename.old for rename in found}) > 1:
        names = ", ".join(sorted({rename.old for rename in found}))
        raise Conflict(f"Several files became `{new}` ({names}); say which with --from.", path=new)
    return found[0]


def orphans_at(store: Store, paths: tuple[str, ...]) -> list[Orphan]:
    """Those at these paths; all when none is named."""
    known = {orphan.path: orphan for orphan in store.orphans()}
    for path in paths:
        if path not in known:
            raise NotFound(f"`{path}` is not among the files that went; `cairn orphans` lists them.", path=path)
    return [known[path] for path in paths or known]


def forget_orphans(
    store: Store, paths: tuple[str, ...], *, all: bool = False, dry_run: bool = False
) -> tuple[str, ...]:
    """Stop talking about files that went for good."""
    wanted = orphans_at(store, () if all else paths) if all or paths else []
    chosen = tuple(orphan.path for orphan in wanted)
    if not dry_run and chosen:
        with store.scan() as session:
            session.forget_orphans(chosen)
    return chosen


@cache
def _nothing() -> tuple[bytes, bytes]:
    """Digests of an empty body and of no frontmatter; made when something went, which is seldom."""
    from hashlib import sha256

    from cairn.lib.yaml.write import frontmatter_hash

    return sha256(b"").digest(), frontmatter_hash({}, None)


class Move(NamedTuple):
    old: str
    new: str
    confidence: str
    """`high`: the body is the same. `medium`: only the frontmatter is, and nothing else has it."""


class Ambiguity(NamedTuple):
    new: str
    candidates: tuple[str, ...]


class Matches(NamedTuple):
    moves: tuple[Move, ...]
    ambiguous: tuple[Ambiguity, ...]
    orphans: tuple[MissingNode, ...]


def match(gone: Iterable[MissingNode], came: Iterable[MissingNode]) -> Matches:
    """One-to-one. What every file may share (an empty body, no frontmatter) proves nothing."""
    left = sorted(gone)
    new = sorted(came)
    moves = _pair(left, new, _same_everything) + _pair(left, new, _same_body)
    ambiguous = []
    for page in new:
        candidates = [g for g in left if _same_frontmatter(g, page)]
        if len(candidates) == 1:
            moves.append(Move(candidates[0].path, page.path, "medium"))
            left.remove(candidates[0])
        elif candidates:
            ambiguous.append(Ambiguity(page.path, tuple(g.path for g in candidates)))
    return Matches(tuple(moves), tuple(ambiguous), tuple(left))


def _pair(
    left: list[MissingNode], new: list[MissingNode], same: Callable[[MissingNode, MissingNode], bool]
) -> list[Move]:
    """Take out of both lists what belongs together, a file of the same name before others."""
    moves = []
    for page in list(new):
        partner = _closest([g for g in left if same(g, page)], page)
        if partner is not None:
            moves.append(Move(partner.path, page.path, "high"))
            left.remove(partner)
            new.remove(page)
    return moves


def _closest(candidates: Sequence[MissingNode], page: MissingNode) -> MissingNode | None:
    name = page.path.rpartition("/")[2]
    return min(candidates, key=lambda g: (g.path.rpartition("/")[2] != name, g.path), default=None)


def _same_everything(a: MissingNode, b: MissingNode) -> bool:
    telling = (a.body_hash, a.frontmatter_hash) != _nothing()
    return telling and a.body_hash == b.body_hash and a.frontmatter_hash == b.frontmatter_hash


def _same_body(a: MissingNode, b: MissingNode) -> bool:
    return a.body_hash == b.body_hash != _nothing()[0]


def _same_frontmatter(a: MissingNode, b: MissingNode) -> bool:
    return a.frontmatter_hash == b.frontmatter_hash != _nothing()[1]
