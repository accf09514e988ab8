"""Sorts the paths of a repository: documents, code, and files that are neither."""

import re
from enum import StrEnum
from functools import lru_cache

from strangers_pages import LANGUAGE

DOCUMENT = re.compile(r"\.(md|markdown|mdx|rst)$|(^|/)README$", re.IGNORECASE)
PAST = re.compile(
    r"(^|/)(\.?changes?(logs?|ets?)?|change[_-]?log|changelog\.d|history|news|newsfragments|releases?|release[_-]?notes?|whats?[_-]?new"
    r"|migrat(e|ions?|ing)|upgrad(e|es|ing)|breaking|deprecat(ed|ions?)|blogs?|_?posts?|rfcs?|adrs?|decisions?|proposals?"
    r"|archived?|legacy|old|versioned[_-]docs|v?\d+\.(\d+|x)(\.\d+)?|v\d+)([_.\-/]|$)"
    r"|(^|/)[^/]*(change-?log|release[-_]notes|migration|upgrad(e|ing))[^/]*$"
    r"|(^|/)[^/]*[._-]v?\d+[._]\d+[^/]*$",
    re.IGNORECASE,
)
NOT_CODE_FOLDER = re.compile(
    r"(^|/)(([\w-]*[_-])?(tests?|e2e)([_-][\w-]*)?|testing|testdata|specs?|__tests__|__mocks__|examples?|samples?|fixtures?|snapshots?|bench(es|marks?)?"
    r"|demos?|playgrounds?|docs?|docs_src|documentation|website|site|www|guides?|book|man|locales?|i18n|translations?"
    r"|newsfragments|changelog\.d|templates?|\.[^/]+)/",
    re.IGNORECASE,
)
NOT_CODE_FILE = re.compile(
    r"(^|/)(test_[^/]*|conftest\.py|[^/]*([._-](tests?|spec|stories|bench)|_test|Tests?|Spec)\.\w+|LICENSE[^/]*|AUTHORS[^/]*"
    r"|\.[^/]*|CHANGE[^/]*|NEWS[^/]*|CONTRIBUTORS[^/]*|[^/]*\.(lock|snap|sum|txt|adoc|tex|out|golden|json5|graphqls|jsonl|ndjson))$"
)
MANIFEST = re.compile(
    r"(^|/)(package\.json|pyproject\.toml|setup\.(py|cfg)|Cargo\.toml|go\.mod|Gemfile|[^/]*\.gemspec|composer\.json|pom\.xml"
    r"|build\.gradle(\.kts)?|libs\.versions\.toml|mix\.exs|requirements[^/]*\.(txt|in)|[^/]*\.csproj|Directory\.[^/]*\.props"
    r"|Package\.swift|tox\.ini|pnpm-workspace\.yaml|deno\.jsonc?|\.pre-commit-config\.yaml)$"
)
TEST_MATERIAL = re.compile(r"(^|/)(tests?|__tests__|testdata|fixtures?|__fixtures__|snapshots?|__snapshots__)/", re.I)
"""Documents there are input and output of tests; only a README speaks to readers."""
README = re.compile(r"(^|/)readme[^/]*$", re.IGNORECASE)
TRANSLATION = re.compile(r"(^|/)(i18n|locales?|translations?|l10n)/", re.IGNORECASE)
ASSET = re.compile(
    r"\.(png|jpe?g|gif|webp|ico|pdf|zip|gz|tgz|jar|woff2?|ttf|eot|mp4|webm|wasm|exe|dll|so|dylib|a|bin)$", re.I
)


class PathKind(StrEnum):
    DOCUMENT = "document"
    PAST = "document about the past"
    CODE = "code"
    OTHER = "other"


@lru_cache(maxsize=100_000)
def kind_of(path: str) -> PathKind:
    if DOCUMENT.search(path):
        if TEST_MATERIAL.search(path) and not README.search(path):
            return PathKind.OTHER
        return PathKind.PAST if PAST.search(path) else PathKind.DOCUMENT
    if NOT_CODE_FOLDER.search(path) or NOT_CODE_FILE.search(path) or ASSET.search(path):
        return PathKind.OTHER
    return PathKind.CODE


def is_document(path: str) -> bool:
    return kind_of(path) in (PathKind.DOCUMENT, PathKind.PAST)


def is_translation(path: str) -> bool:
    return bool(TRANSLATION.search(path) or LANGUAGE.search(path))


def suffix_of(path: str) -> str:
    match = DOCUMENT.search(path)
    return f".{match[1].lower()}" if match and match[1] else "README"
