"""Decides which pages readers are shown, by scope, kind and corpus, and with which words of warning."""

import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from cairn.core.model.knowledge import Corpus, EntryStatus, corpus_of
from cairn.core.scope import Scope, explains_change, scope_of

_NAME = re.compile(r"[^\s`<>]{1,200}")
"""What may stand among our own words: a name or a path, but no sentence of a page's."""

Level = Literal["plain", "banner", "warning", "refused"]


class ServingStatus(NamedTuple):
    level: Level
    words: str
    """What a reader is told first; empty when there is nothing to say."""

    @property
    def served(self) -> bool:
        return self.level != "refused"


_STANDING: dict[EntryStatus | None, ServingStatus] = {
    None: ServingStatus("plain", ""),
    EntryStatus.DRAFT: ServingStatus("banner", "This is a skeleton that nobody has filled in yet."),
    EntryStatus.ALPHA: ServingStatus("banner", "This is new, or has changed; use has not confirmed it yet."),
    EntryStatus.BETA: ServingStatus("banner", "A few have confirmed this; check what matters."),
    EntryStatus.STABLE: ServingStatus("plain", ""),
    EntryStatus.DEPRECATED: ServingStatus("warning", "This is no longer recommended."),
    EntryStatus.QUARANTINED: ServingStatus(
        "refused", "This is in quarantine and not shown until somebody has looked at it."
    ),
}
"""An entry without a status is untracked: served as it is, not judged."""


def serving_status(status: EntryStatus | None, superseded_by: str | None = None) -> ServingStatus:
    """How an entry of this status is served. Of one that has a successor, the words name it."""
    found = _STANDING[status]
    if status is EntryStatus.DEPRECATED and superseded_by and _NAME.fullmatch(superseded_by):
        return found._replace(words=f"This is no longer recommended; see `{superseded_by}` instead.")
    return found


def may_be_required(status: EntryStatus | None) -> bool:
    """Whether others may build on it."""
    return status not in (EntryStatus.DEPRECATED, EntryStatus.QUARANTINED)


def page_scope(path: str, corpora: tuple[Corpus, ...], text: str = "") -> Scope:
    """Pages of knowledge are current wherever they are stored, and however their folders are called."""
    corpus = corpus_of(path, corpora)
    return Scope.CURRENT if corpus is not None and corpus.layout != "plain" else scope_of(path, text)


def is_searched(path: str, kind: str, corpora: tuple[Corpus, ...], text: str = "") -> bool:
    """Whether search and briefings include it without `--all`. Decision records are about the past, and are included:
    the reasons that they give still apply. So are guides for upgrading, since people ask about that."""
    scope = page_scope(path, corpora, text)
    return scope is Scope.CURRENT or (scope is Scope.PAST and (kind == "decision" or explains_change(path)))


def status_of(frontmatter: Mapping[str, Any]) -> EntryStatus | None:
    said = frontmatter.get("status", next((frontmatter[k] for k in frontmatter if k.casefold() == "status"), None))
    word = said.strip().casefold() if isinstance(said, str) else None
    return EntryStatus(word) if word in set(EntryStatus) else None
