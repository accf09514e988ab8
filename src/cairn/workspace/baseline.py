"""A baseline: the issues that are known, so that only new ones fail."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from cairn.errors import ConfigError
from cairn.kernel.model.issue import Issue

_VERSION = 1


class Compared(NamedTuple):
    new: tuple[Issue, ...]
    known: int
    mended: int
    """Recorded ones that are no longer there."""


def fingerprint(issue: Issue) -> str:
    """What stays the same when lines above an issue come and go."""
    subject = (issue.data or {}).get("target", issue.message)
    return f"{issue.analyzer} {issue.path} {subject}"


def record(issues: Iterable[Issue]) -> str:
    """The text of a baseline file: sorted, one issue a line, so that it merges well."""
    counts = Counter(fingerprint(issue) for issue in issues)
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


def compare(issues: Sequence[Issue], known: Counter[str]) -> Compared:
    left = known.copy()
    new = []
    for issue in issues:
        name = fingerprint(issue)
        if left[name] > 0:
            left[name] -= 1
        else:
            new.append(issue)
    return Compared(tuple(new), len(issues) - len(new), sum(count for count in left.values() if count > 0))
