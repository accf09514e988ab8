"""What the rules of today find in what was stored before: it is masked where it stands, and the rest stays."""

import json
from collections.abc import Iterator
from typing import Any

from cairn.capture.forget.lines import event_of
from cairn.capture.forget.needle import Needle
from cairn.lib.scrub.find import find
from cairn.lib.scrub.kept import redact_kept
from cairn.lib.scrub.rules import KEPT

_OVERLAP = 64 * 1024


class RuleNeedle(Needle):
    """Finds what a rule of `cairn scrub` calls direct."""

    def __init__(self) -> None:
        super().__init__()
        self.overlap = _OVERLAP

    def found(self, data: bytes) -> bool:
        return is_direct(data.decode("utf-8", "replace"))

    def masked(self, data: bytes) -> bytes:
        return redact_kept(data.decode("utf-8", "surrogateescape")).text.encode("utf-8", "surrogateescape")


def is_direct(text: str) -> bool:
    return any(hit.category == "direct" for hit in find(text, KEPT))


class Rescan:
    """Lines of a ledger: texts in an event are masked, and the event stays. A line that is no event goes."""

    def takes(self, line: bytes) -> bool:
        event = event_of(line)
        if not event:
            return is_direct(line.decode("utf-8", "replace"))
        return any(is_direct(text) for text in _texts(event))

    def judge(self, line: bytes) -> bytes | None:
        if not self.takes(line):
            return line
        event = event_of(line)
        return _written(_masked(event)) if event else None


def masked_json(data: bytes) -> bytes | None:
    """A file of JSON with its texts masked; None when it is none."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return json.dumps(_masked(value), ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, str):
                yield f"{key}={item}"  # `{"password": "…"}` says it by its name
            else:
                yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return redact_kept(value).text
    if isinstance(value, dict):
        return {key: _masked_item(key, item) for key, item in value.items()}
    return [_masked(item) for item in value] if isinstance(value, list) else value


def _masked_item(key: str, value: Any) -> Any:
    if not isinstance(value, str):
        return _masked(value)
    named = f"{key}="
    masked = redact_kept(named + value).text
    return masked[len(named) :] if masked.startswith(named) else redact_kept(value).text


def _written(event: Any) -> bytes:
    try:
        return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:  # half a letter; escaped it is still JSON
        return json.dumps(event, separators=(",", ":")).encode() + b"\n"
