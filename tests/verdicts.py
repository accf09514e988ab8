"""Entries and verdicts to test with."""

from typing import Any

from cairn.core.model.knowledge import Entry
from cairn.knowledge.read import take_entry
from cairn.lib.markdown.frontmatter import parse

GUIDE, SPEC = "https://example.org/guide", "https://example.org/spec#limits"
HASH = "sha256:" + "a" * 64
OTHER = "sha256:" + "b" * 64
TRUSTED = {GUIDE: "sha256:" + "c" * 64, SPEC: "sha256:" + "d" * 64}

PAGE = """---
name: rate-limits  # do not rename
description: "How often clients may call."
topics: [http, limits]
volatility: fast-moving
last-reviewed: 2026-01-01
version-pin: '2024'
sources:
  - url: https://example.org/guide
    hash: sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
  - url: https://example.org/spec  # the one with the numbers
    anchor: '#limits'
---
# Rate limits

## Summary

Clients may call 100 times a minute.

## Deep Guidance

Wait a second between calls.

### Retries

Three times.

```sh
## Not a heading
```

## Rules

- Be polite.
"""


def entry_of(text: str = PAGE, path: str = "knowledge/http/rate-limits.md") -> Entry:
    parsed = parse(text)
    entry = take_entry(path, parsed.frontmatter, kind="entry", layout="entries", body=parsed.body)
    assert entry is not None
    return entry


def checked(url: str) -> dict[str, str]:
    return {"url": url, "retrieved_at": "PENDING", "content_hash": "sha256:made-up", "summary": "numbers"}


def finding(excerpt: str = "The limit is 60 calls a minute", url: str = SPEC) -> dict[str, str]:
    return {
        "claim_in_entry": "100 times a minute",
        "evidence_url": url,
        "evidence_date": "2026-02-01",
        "source_excerpt": excerpt,
        "severity": "P1",
        "drift_kind": "factual-error",
    }


def change(
    kind: str = "replace", location: str = "## Rules", new_text: str | None = "## Rules\n\n- Wait."
) -> dict[str, Any]:
    made = {"location": location, "kind": kind, "rationale": "the limit is lower now"}
    return made if new_text is None else {**made, "new_text": new_text}


def verdict(**changes: Any) -> dict[str, Any]:
    """On the wire; a `current` one unless told otherwise."""
    return {
        "entry_name": "rate-limits",
        "audit_date": "PENDING",
        "model": "some-model-i-claim-to-be",
        "verdict": "current",
        "sources_checked": [checked(GUIDE), checked(SPEC)],
        "findings": [],
        "proposed_changes": [],
        "proposed_version_pin": None,
        "preserve_warnings": [],
        **changes,
    }
