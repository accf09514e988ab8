"""What a lens is: one check of a workspace; and how an audit selects lenses and runs one after the other."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from cairn.core.model.lens import SEVERITIES, Finding
from cairn.errors import CairnError, ConfigError, NotFound
from cairn.lib.text.names import hint

Profile = Literal["fast", "full"]
Scope = Literal["docs", "code"]


class LensDocument(NamedTuple):
    path: str
    """From the root of the workspace."""
    text: str
    """All of the file, frontmatter too."""


def _none() -> Iterable[LensDocument]:
    return ()


@dataclass(frozen=True, slots=True)
class LensView:
    """What lenses may look at. A lens that wants more is made with the ports it asks."""

    documents: Callable[[], Iterable[LensDocument]] = _none
    """Read when asked for."""
    has: frozenset[str] = field(default_factory=frozenset)
    """Which of the things that lenses need are there: `docs`, `git`, `ledger`."""
    profile: Profile = "fast"


class Lens(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def scope(self) -> Scope: ...
    @property
    def needs(self) -> frozenset[str]:
        """Without one of these it is skipped, which the report says."""
        ...

    @property
    def after(self) -> tuple[str, ...]:
        """Lenses whose findings should be there first."""
        ...

    def look(self, around: LensView) -> Iterable[Finding]: ...


LensState = Literal["ran", "skipped", "failed", "disabled"]
AuditScope = Literal["docs", "code", "all"]
_ID = re.compile(r"[0-9a-f]{16}")


class LensRun(NamedTuple):
    """What came of one lens."""

    lens: str
    state: LensState
    findings: tuple[Finding, ...] = ()
    reason: str = ""
    """Why it did not look."""
    seconds: float = 0.0

    @property
    def missed(self) -> bool:
        """It should have looked and could not."""
        return self.state in ("skipped", "failed")


class SelectedLenses(NamedTuple):
    lenses: tuple[Lens, ...]
    """In the order in which they look."""
    disabled: tuple[str, ...] = ()
    """Asked for, but switched off in the settings."""


# --- which, and in which order --------------------------------------------------------------------------------------


def choose(
    known: Sequence[Lens], *, scope: AuditScope, names: Sequence[str], disabled: Collection[str]
) -> SelectedLenses:
    """The lenses by name, or those of a scope. What the settings switch off stays off, named or not."""
    ids = [lens.id for lens in known]
    for name in names:
        if name not in ids:
            raise NotFound(f"There is no lens `{name}`; {meant_lens(name, ids)}", lens=name)
    wanted = [lens for lens in known if (lens.id in names if names else scope in ("all", lens.scope))]
    off = tuple(lens.id for lens in wanted if lens.id in disabled)
    return SelectedLenses(tuple(in_order([lens for lens in wanted if lens.id not in off])), off)


def meant_lens(name: str, ids: Sequence[str]) -> str:
    """The end of a sentence: `H` is enough to know which was meant."""
    begun = [id for id in ids if name and id.lower().startswith(name.lower())]
    otherwise = f"there are {', '.join(ids) or 'none'}."
    return f"did you mean `{begun[0]}`?" if len(begun) == 1 else hint(name, ids, otherwise)


def in_order(lenses: Sequence[Lens]) -> list[Lens]:
    """Each behind those that it wants to come after, else as they were given."""
    left, done, order = list(lenses), set[str](), list[Lens]()
    while left:
        ids = {lens.id for lens in left}
        ready = next((lens for lens in left if not (set(lens.after) & ids) - {lens.id}), None)
        if ready is None or ready.id in ready.after:
            raise ConfigError(_cycle(left, ready), lenses=sorted(ids))
        left.remove(ready)
        done.add(ready.id)
        order.append(ready)
    return order


def _cycle(left: Sequence[Lens], alone: Lens | None) -> str:
    by_id = {lens.id: lens for lens in left}
    path = [alone.id if alone else left[0].id]
    while len(set(path)) == len(path):
        path.append(next(id for id in by_id[path[-1]].after if id in by_id))
    shown = " → ".join(path[path.index(path[-1]) :])
    return f"These lenses wait for each other: {shown}; leave one of them out with `observe.disabled_lenses`."


# --- looking --------------------------------------------------------------------------------------------------------


def look(chosen: SelectedLenses, around: LensView, *, now: Callable[[], float]) -> list[LensRun]:
    """One that fails is named and takes no other with it."""
    off = [LensRun(id, "disabled", reason="it is switched off by `observe.disabled_lenses`") for id in chosen.disabled]
    return [*(_look(lens, around, now) for lens in chosen.lenses), *off]


def _look(lens: Lens, around: LensView, now: Callable[[], float]) -> LensRun:
    if lacking := sorted(lens.needs - around.has):
        return LensRun(lens.id, "skipped", reason=f"it needs {_NEEDS.get(lacking[0], lacking[0])}")
    started = now()
    try:
        found = tuple(_sound(lens.id, lens.look(around)))
    except CairnError as error:
        return LensRun(lens.id, "failed", reason=error.message, seconds=now() - started)
    except TimeoutError as error:
        return LensRun(lens.id, "failed", reason=str(error) or "it took too long", seconds=now() - started)
    except Exception as error:  # a lens may be a plugin's
        return LensRun(lens.id, "failed", reason=f"{type(error).__name__}: {error}", seconds=now() - started)
    return LensRun(lens.id, "ran", found, seconds=now() - started)


_NEEDS = {
    "docs": "Markdown documents, and there are none here",
    "git": "a git repository, and this is none",
    "ledger": "a ledger that can be read",
}


def _sound(lens: str, found: Iterable[Finding]) -> list[Finding]:
    """Each once; of two that claim one id, the graver."""
    kept: dict[str, Finding] = {}
    for finding in found:
        if fault := _fault(lens, finding):
            raise ValueError(f"it gave a finding that {fault}")
        known = kept.get(finding.id)
        if known is None or finding.severity < known.severity:
            kept[finding.id] = finding
    return sorted(kept.values(), key=lambda one: one.severity)


def _fault(lens: str, finding: object) -> str | None:
    if not isinstance(finding, Finding):
        return f"is none, but {type(finding).__name__}"
    if not isinstance(finding.id, str) or not _ID.fullmatch(finding.id):
        return f"has the id {finding.id!r}; `finding_id` makes one"
    if finding.severity not in SEVERITIES:
        return f"has the severity {finding.severity!r}; it must be one of {', '.join(SEVERITIES)}"
    if finding.lens != lens:
        return f"names the lens {finding.lens!r}"
    try:
        json.dumps([finding.title, finding.description, dict(finding.evidence)], allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        return f"cannot be written as JSON ({error})"
    return None
