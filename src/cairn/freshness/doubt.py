"""Doubt: which sentences a change of the code may have made false, and why.

A sentence is in doubt when it names something whose interface is no longer what it was. It is not in doubt when its
author touched it in the same change, when the name still leads to the same thing, when only something optional was
added, or when the sentence already says what is so now.
"""

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from cairn.freshness.anchors import Anchor, Page, anchors, candidates
from cairn.freshness.change import change
from cairn.freshness.code_index import CodeIndex
from cairn.freshness.delta import Delta
from cairn.freshness.mentions import Mention
from cairn.freshness.signature import Interface, interface_of
from cairn.kernel.code.model import Outline, Symbol
from cairn.kernel.text.sentences import sentences


class Reason(StrEnum):
    """Why a sentence is in doubt; from the surest to the least sure."""

    REMOVED = "removed"
    """What it names is gone."""
    RENAMED = "renamed"
    """What it names has another name now."""
    MOVED = "moved"
    """What it names is in another place now."""
    CHANGED = "changed"
    """What it names is there, but not as it was."""
    SOURCE = "source-changed"
    """A source that the document declares is not what it was."""


class Doubt(NamedTuple):
    document: str
    line: int
    sentence: str
    written: str
    """The name in the sentence."""
    reason: Reason
    message: str
    """What happened, in a sentence."""
    path: str
    """Of the code."""
    code_line: int | None
    """Where that is now, if it is still there."""
    old: str
    new: str
    """The interface before and after, as people see it; empty when there is none."""
    certain: bool
    """Whether the sentence itself says what is no longer so."""


class Moments(NamedTuple):
    """The repository before and after."""

    old: CodeIndex
    new: CodeIndex
    delta: Delta


_WORDS = re.compile(r"\w+")

OldText = Callable[[str], str | None]
"""The body of a document before the change, None if it was not there."""


def doubts(pages: Iterable[Page], moments: Moments, old_text: OldText) -> list[Doubt]:
    """Of all pages, the surest first within each."""
    found: list[Doubt] = []
    for page in pages:
        found += _of_page(page, moments, old_text)
    return sorted(found, key=lambda doubt: (doubt.document, not doubt.certain, doubt.line, doubt.written))


def could_concern(text: str, delta: Delta) -> bool:
    """Whether a document has any of the names in it that the change touched; quick, and wrong only on one side."""
    return not delta.touched_words.isdisjoint(_WORDS.findall(text))


def _of_page(page: Page, moments: Moments, old_text: OldText) -> list[Doubt]:
    touched = moments.delta.touched
    found = anchors(page, moments.old, wanted=lambda mention: not _words_of(mention).isdisjoint(touched))
    judged = [doubt for anchor in found if (doubt := judge(anchor, moments)) is not None]
    if judged and page.path in moments.delta.changed:
        kept = _old_sentences(page, moments.delta, old_text)
        judged = [doubt for doubt in judged if doubt.sentence in kept]
    return _once(judged)


def _words_of(mention: Mention) -> frozenset[str]:
    if mention.kind == "path":
        parts = (posixpath.basename(mention.text.rstrip("/")), *mention.part.split("."))
        return frozenset(part for part in parts if part)
    if mention.kind == "script":
        return frozenset({f"scripts.{mention.text}"})
    return frozenset({mention.last, mention.text})


def _old_sentences(page: Page, delta: Delta, old_text: OldText) -> Collection[str]:
    """What the document said before. A sentence that is not among it was just written by somebody who knows."""
    before = {new: old for old, new in delta.moved.items()}.get(page.path, page.path)
    text = old_text(before)
    return frozenset(sentence.text for sentence in sentences(text)) if text is not None else ()


def _once(found: Sequence[Doubt]) -> list[Doubt]:
    """A sentence may name one thing several times, and a class beside its parts: the surest doubt is enough."""
    best: dict[tuple[str, str, str], Doubt] = {}
    for doubt in sorted(found, key=lambda doubt: (not doubt.certain, doubt.line)):
        best.setdefault((doubt.sentence, doubt.message, doubt.path), doubt)
    return list(best.values())


# --- one anchor -----------------------------------------------------------------------------------------------------


def judge(anchor: Anchor, moments: Moments) -> Doubt | None:
    if isinstance(anchor.target, str):
        return _judge_file(anchor, anchor.target, moments)
    old = anchor.target
    now = _now(old, moments.new)
    if now is not None:
        return None if now.interface == old.interface else _changed(anchor, old, now, moments)
    if _still_means_it(anchor, old, moments):
        return None
    return _gone(anchor, old, moments)


def _judge_file(anchor: Anchor, path: str, moments: Moments) -> Doubt | None:
    new = moments.new
    if path in new.paths or path in new.folders:
        return None
    where = moments.delta.moved.get(path) or _folder_went(path, moments.delta)
    kind = "file" if path in moments.old.paths else "folder"
    if where is None:
        return _doubt(anchor, Reason.REMOVED, f"The {kind} {path} is gone.", path)
    return _doubt(anchor, Reason.MOVED, f"The {kind} {path} is now {where}.", where, new=where)


def _folder_went(path: str, delta: Delta) -> str | None:
    """Where all files of a folder went that went anywhere."""
    found = {
        new.removesuffix(old.removeprefix(path))
        for old, new in delta.moved.items()
        if old.startswith(f"{path}/") and new.endswith(old.removeprefix(path))
    }
    return found.pop() if len(found) == 1 else None


def _now(old: Symbol, new: CodeIndex) -> Symbol | None:
    """The same symbol later: one that is just as it was, else the first of its name."""
    outline = new.outlines.get(old.path)
    same = [symbol for symbol in outline.symbols if symbol.name == old.name] if outline else []
    return next((symbol for symbol in same if symbol.interface == old.interface), same[0] if same else None)


def _still_means_it(anchor: Anchor, old: Symbol, moments: Moments) -> bool:
    """Whether the name, as it is written, leads to the same interface elsewhere: it moved, and nobody needs to know."""
    if anchor.mention.kind == "path":
        return False
    found = candidates(anchor.mention, anchor.document, moments.new)
    return any(not isinstance(one, str) and one.interface == old.interface and one.short == old.short for one in found)


def _gone(anchor: Anchor, old: Symbol, moments: Moments) -> Doubt:
    where = _went(old, moments.delta)
    name = anchor.mention.written if old.kind == "flag" else old.name
    if where is None:
        was = f" (it was `{old.shown}`)" if old.shown not in ("", old.name) else ""
        return _doubt(anchor, Reason.REMOVED, f"`{name}` is gone from {old.path}{was}.", old.path, old=old.shown)
    if where.short != old.short or where.path == old.path:
        message = f"`{old.name}` is now `{where.name}` in {where.path}."
        return _doubt(anchor, Reason.RENAMED, message, where.path, where.line, old.shown, where.shown)
    message = f"`{old.name}` moved from {old.path} to {where.path}{_as(old, where)}."
    return _doubt(anchor, Reason.MOVED, message, where.path, where.line, old.shown, where.shown)


def _as(old: Symbol, where: Symbol) -> str:
    return f" as `{where.name}`" if where.name != old.name else ""


def _went(old: Symbol, delta: Delta) -> Symbol | None:
    """Among the symbols that came with this change, the one that it became."""
    from cairn.kernel.code.moved import same_elsewhere

    return same_elsewhere(old, delta.came)


def _changed(anchor: Anchor, old: Symbol, now: Symbol, moments: Moments) -> Doubt | None:
    before, after = moments.old.outlines[old.path], moments.new.outlines[now.path]
    made = _constructors(old, before, after) if old.kind == "class" else None
    found = change(anchor.mention, interface_of(old, before), interface_of(now, after), made)
    if found is None:
        return None
    message = f"`{old.name}` changed in {now.path}: {found.message}."
    doubt = _doubt(anchor, Reason.CHANGED, message, now.path, now.line, old.shown, now.shown)
    return doubt._replace(certain=found.certain)


def _constructors(old: Symbol, before: Outline, after: Outline) -> tuple[Interface, Interface] | None:
    names = (f"{old.name}.__init__", f"{old.name}.__new__")
    then = next((symbol for symbol in before.symbols if symbol.name in names), None)
    now = next((symbol for symbol in after.symbols if then is not None and symbol.name == then.name), None)
    return (interface_of(then, before), interface_of(now, after)) if then and now else None


def _doubt(
    anchor: Anchor, reason: Reason, message: str, path: str, line: int | None = None, old: str = "", new: str = ""
) -> Doubt:
    mention = anchor.mention
    certain = reason is not Reason.CHANGED
    return Doubt(
        anchor.document,
        mention.line,
        mention.sentence.text,
        mention.written,
        reason,
        message,
        path,
        line,
        old,
        new,
        certain,
    )
