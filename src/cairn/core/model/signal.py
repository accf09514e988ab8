"""A signal: something in a file that may be a link, before anybody decided what it means.

Signals are made by the hundred thousand in a cold scan, so they are named tuples: built four times faster than
frozen dataclasses, and written to the store as they are.
"""

from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import Any, Literal, NamedTuple

LinkKind = Literal["invokes", "references", "mentions", "points"]
LINK_KINDS: tuple[LinkKind, ...] = ("invokes", "references", "mentions", "points")

Scope = Literal["body", "frontmatter", "sidecar"]


class Candidate(NamedTuple):
    """One reading of a signal: which extractor thinks that it is what kind of link to where."""

    extractor: str
    """Qualified id, `plugin/extension`."""
    kind: str
    target: str
    confidence: float
    original: str
    """The trigger as it was written."""
    normalized: str
    """The trigger as names are compared; for path-style links the target itself."""
    by_name: bool = False
    """True when the target is a name to look up, not a path."""
    data: dict[str, Any] | None = None
    rationale: str = ""


class Signal(NamedTuple):
    """A stretch of a file, and what it may mean. Offsets are code points of the body, the line is of the file."""

    scope: str
    start: int
    end: int
    line: int
    raw: str
    candidates: tuple[Candidate, ...]
    field_path: str = ""
    context: str = ""


RejectionReason = Literal[
    "kind-priority", "higher-confidence", "longer-range", "earlier-declaration", "inside-url", "inactive-provider"
]


class Rejection(NamedTuple):
    """Why a signal did not become a link: the signal that won against it, and the step that decided."""

    signal: Signal
    extractor: str
    """Of the candidate that lost."""
    kind: str
    target: str
    reason: str
    winner_extractor: str
    winner_start: int
    winner_end: int
    winner_line: int


_new = tuple.__new__  # a named tuple made without its own __new__, which is most of the cost of making one


@cache
def _json() -> tuple[Callable[[Any], str], Callable[[str], tuple[Any, int]]]:
    """Imported when the first signal is stored: extensions import this module, and need no JSON."""
    from json import JSONDecoder, JSONEncoder

    return JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode, JSONDecoder().raw_decode


def _dump(value: Any) -> str:
    return _json()[0](value)


def _load(text: str) -> Any:
    """JSON that we wrote ourselves: no blanks around it to look for."""
    return _json()[1](text)[0]


class Emitters:
    """Extractors with the kinds of link they emit, as numbers: a signal names its emitter by one."""

    def __init__(self, known: Iterable[tuple[int, str, str]] = ()) -> None:
        self._numbers = {(extractor, kind): id for id, extractor, kind in known}
        self._names = {id: pair for pair, id in self._numbers.items()}
        self._fresh: list[tuple[int, str, str]] = []

    def number(self, extractor: str, kind: str) -> int:
        found = self._numbers.get((extractor, kind))
        if found is None:
            found = max(self._names, default=0) + 1
            self._numbers[extractor, kind] = found
            self._names[found] = (extractor, kind)
            self._fresh.append((found, extractor, kind))
        return found

    def name(self, number: int) -> tuple[str, str]:
        return self._names[number]

    def take_fresh(self) -> list[tuple[int, str, str]]:
        """Those that were numbered since the last call."""
        fresh, self._fresh = self._fresh, []
        return fresh


# Nearly every signal is of the body with one candidate; it is stored as ten values in a row, where 0 stands for "the
# same as": target = raw, original = raw, normalized = target. The others are stored as objects that say it all.


def dump_signals(signals: Iterable[Signal], emitters: Emitters) -> str:
    return f"[{','.join([_packed(signal, emitters) for signal in signals])}]"


def _packed(signal: Signal, emitters: Emitters) -> str:
    scope, start, end, line, raw, candidates, field_path, context = signal
    if len(candidates) != 1 or scope != "body" or field_path or context:
        return _dump(_whole(signal))
    extractor, kind, target, confidence, original, normalized, by_name, data, rationale = candidates[0]
    if data is not None or rationale:
        return _dump(_whole(signal))
    number = emitters.number(extractor, kind)
    text = f"{raw}{target}{original}{normalized}"
    if not (text.isprintable() and '"' not in text and "\\" not in text):
        short = (0 if target == raw else target, 0 if original == raw else original)
        rest = (0 if normalized == target else normalized, 1 if by_name else 0)
        return _dump([start, end, line, raw, number, short[0], confidence, short[1], *rest])
    # Nothing to escape, as nearly always: written down without the encoder, which would take several times as long.
    return (
        f'[{start},{end},{line},"{raw}",{number},'
        f"{0 if target == raw else _QUOTED % target},{confidence!r},"
        f"{0 if original == raw else _QUOTED % original},"
        f"{0 if normalized == target else _QUOTED % normalized},{1 if by_name else 0}]"
    )


_QUOTED = '"%s"'


def _whole(signal: Signal) -> dict[str, Any]:
    return {**signal._asdict(), "candidates": [list(candidate) for candidate in signal.candidates]}


def load_signals(text: str, emitters: Emitters) -> list[Signal]:
    return [_unpack_signal(packed, emitters) for packed in _load(text)]


def _unpack_signal(packed: Any, emitters: Emitters) -> Signal:
    if type(packed) is dict:
        candidates = tuple(Candidate(*candidate) for candidate in packed["candidates"])
        return Signal(**{**packed, "candidates": candidates})
    start, end, line, raw, emitter, target, confidence, original, normalized, by_name = packed
    extractor, kind = emitters.name(emitter)
    target = raw if target == 0 else target
    candidate = (
        extractor,
        kind,
        target,
        confidence,
        raw if original == 0 else original,
        target if normalized == 0 else normalized,
        by_name == 1,
        None,
        "",
    )
    return _new(Signal, ("body", start, end, line, raw, (_new(Candidate, candidate),), "", ""))


def dump_rejections(rejections: Iterable[Rejection]) -> str:
    return _dump([[_whole(r.signal), *r[1:]] for r in rejections])


def load_rejections(text: str) -> list[Rejection]:
    nobody = Emitters()
    return [Rejection(_unpack_signal(packed, nobody), *rest) for packed, *rest in _load(text)]


def without(text: str, emitters: Emitters, extractors: Collection[str]) -> list[Signal]:
    """These signals less the candidates of some extractors."""
    kept = []
    for signal in load_signals(text, emitters):
        candidates = tuple(c for c in signal.candidates if c.extractor not in extractors)
        if candidates:
            kept.append(signal._replace(candidates=candidates))
    return kept
