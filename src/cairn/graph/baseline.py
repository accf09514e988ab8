"""A baseline: the issues that are known, so that only new ones fail.

A finding may have places in many files. Each file is recorded on its own: a link in another file is new, and a file
that is fixed makes nothing new.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cairn.core.model.issue import Issue, Place, narrowed, places_of
from cairn.errors import ConfigError

_VERSION = 1


class BaselineComparison(NamedTuple):
    new: tuple[Issue, ...]
    """With the places that are new."""
    known: int
    """Entries of the baseline that are still there."""
    mended: int
    """Entries that are no longer there."""


def fingerprint(issue: Issue) -> str:
    """What stays the same when lines above an issue come and go."""
    return f"{issue.analyzer} {issue.path} {_subject(issue)}"


def fingerprints(issue: Issue) -> list[str]:
    """One for each file and each missing thing."""
    return list(dict.fromkeys(name for place in places_of(issue) for name in _at(issue, place)))


def _at(issue: Issue, place: Place) -> list[str]:
    return [f"{issue.analyzer} {place.path} {target}" for target in place.targets or (_subject(issue),)]


def _subject(issue: Issue) -> str:
    return str((issue.data or {}).get("target", issue.message))


def record(issues: Iterable[Issue]) -> str:
    """The text of a baseline file: sorted, one entry a line, so that it merges well."""
    counts = Counter(name for issue in issues for name in fingerprints(issue))
    body = {"version": _VERSION, "issues": {name: counts[name] for name in sorted(counts)}}
    return json.dumps(body, ensure_ascii=False, indent=2) + "\n"


def load(text: str, name: str) -> Counter[str]:
    try:
        body: Any = json.loads(text)
        if body["version"] != _VERSION:
            raise ConfigError(f"`{name}` is a baseline of version {body['version']}, this Cairn writes {_VERSION}.")
        return Counter({str(key): int(value) for key, value in body["issues"].items()})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigError(
            f"`{name}` is not a baseline; remove it and run the command again to record a new one."
        ) from error


def compare(issues: Sequence[Issue], known: Counter[str]) -> BaselineComparison:
    left = +known
    new = []
    for issue in issues:
        names = Counter(fingerprints(issue))
        if part := _only(issue, names - left):
            new.append(part)
        left -= names
    mended = left.total()
    return BaselineComparison(tuple(new), (+known).total() - mended, mended)


def _only(issue: Issue, fresh: Mapping[str, int]) -> Issue | None:
    """The issue at its new places."""
    return narrowed(issue, lambda place: any(name in fresh for name in _at(issue, place)))
