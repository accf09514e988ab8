"""Decides which documents readers are shown: by their scope, by their kind, and by the corpus that they belong to."""

from cairn.core.model.corpus import Corpus, corpus_of
from cairn.core.scope import Scope, explains_change, scope_of


def page_scope(path: str, corpora: tuple[Corpus, ...], text: str = "") -> Scope:
    """Pages of knowledge are current wherever they are stored, and however their folders are called."""
    corpus = corpus_of(path, corpora)
    return Scope.CURRENT if corpus is not None and corpus.layout != "plain" else scope_of(path, text)


def is_searched(path: str, kind: str, corpora: tuple[Corpus, ...], text: str = "") -> bool:
    """Whether search and briefings include it without `--all`. Decision records are about the past, and are included:
    the reasons that they give still apply. So are guides for upgrading, since people ask about that."""
    scope = page_scope(path, corpora, text)
    return scope is Scope.CURRENT or (scope is Scope.PAST and (kind == "decision" or explains_change(path)))
