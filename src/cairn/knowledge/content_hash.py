"""What an entry says, in one way only: its hash changes when the meaning may have, and not when somebody confirmed it.

Status, version, dates and hashes are left out: they are about the entry, not in it. Markup tags and the way that lines
are broken don't count either, except in fenced code, where both may mean something.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from hashlib import sha1, sha256
from typing import Any

from cairn.core.model.knowledge import Entry
from cairn.lib.markdown.blocks import code_ranges, fences
from cairn.lib.yaml.write import canonical_yaml

_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>")
"""Of HTML and the like; `<https://example.org>` is none, and neither is a comment, which agents do read."""
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]+(?:Z|[+-][0-9:]+)?)?")
_ABOUT = frozenset({"schema_version", "maintenance", "rollback_of", "previous_stable_sha"})
"""What else is said about an entry rather than in it."""


def semantic_hash(entry: Entry, body: str) -> str:
    """`sha256:` and the hex digest of the canonical text."""
    return "sha256:" + sha256(canonical_text(entry, body).encode("utf-8", "surrogatepass")).hexdigest()


def revision_of(data: bytes) -> str:
    """As `git hash-object` has it, so that the very text can be found again."""
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def canonical_text(entry: Entry, body: str) -> str:
    return f"{canonical_yaml(semantic_frontmatter(entry))}---\n{canonical_body(body)}\n"


def semantic_frontmatter(entry: Entry) -> dict[str, Any]:
    """What the frontmatter says about the subject. Lists whose order means nothing are sorted."""
    named: dict[str, Any] = {
        "kind": entry.kind,
        "name": entry.name,
        "title": entry.title,
        "summary": entry.summary,
        "topics": sorted(entry.topics),
        "derived_from": sorted(entry.derived_from),
        "relates_to": sorted(entry.relates_to),
        "depends_on": sorted(entry.depends_on),
        "confidence": entry.confidence,
        "edition": entry.edition,
        "origin": entry.origin,
        "superseded_by": entry.superseded_by,
        "sources": sorted(source.reference for source in entry.sources),
        "extra": _without_moments({key: value for key, value in entry.extra.items() if key not in _ABOUT}),
    }
    return {key: value for key, value in named.items() if value}


def _without_moments(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_moments(item) for key, item in value.items() if not _is_moment(item)}
    if isinstance(value, list | tuple):
        return [_without_moments(item) for item in value if not _is_moment(item)]
    return value


def _is_moment(value: Any) -> bool:
    return isinstance(value, str) and _MOMENT.fullmatch(value) is not None


# --- body -----------------------------------------------------------------------------------------------------------


def canonical_body(body: str) -> str:
    text = unicodedata.normalize("NFC", body.replace("\r\n", "\n").replace("\r", "\n"))
    return "\n".join(piece for piece in _pieces(text) if piece)


def _pieces(text: str) -> Iterator[str]:
    """Prose and fenced code in turn."""
    position = 0
    for start, end in fences(text):
        yield _prose(text[position:start])
        yield _code(text[start:end])
        position = end
    yield _prose(text[position:])


def _prose(text: str) -> str:
    """Without tags, but for those in inline code; all blanks alike."""
    pieces, position = [], 0
    for start, end in code_ranges(text) if "`" in text else ():
        pieces += [_TAG.sub("", text[position:start]), text[start:end]]
        position = end
    pieces.append(_TAG.sub("", text[position:]))
    return " ".join("".join(pieces).split())


def _code(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n"))
