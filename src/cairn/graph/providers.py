"""Which provider is active here: as the settings say, else as the files show."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cairn.core.extension_points import Provider
from cairn.core.registry import LoadedExtension, Registry
from cairn.errors import ConfigError, UsageError
from cairn.lib.text.nearest import hint

Ask = Callable[[Sequence[str]], str | None]
"""Shows a person some provider ids and returns the chosen one."""


@dataclass(frozen=True, slots=True)
class ProviderChoice:
    """The active provider, and what is to be remembered about how it was found."""

    active: str | None
    found: tuple[str, ...]
    remember: bool = False
    warning: str | None = None
    note: str | None = None
    """Set when it is only the first of several, which nobody chose: that is never stored."""


def detect(registry: Registry, exists: Callable[[str], bool]) -> tuple[str, ...]:
    """Ids of the providers of which any marker is there, in dispatch order."""
    return tuple(p.id for p in registry.providers if any(map(exists, _markers(registry, p))))


def _markers(registry: Registry, provider: LoadedExtension[Provider]) -> Iterator[str]:
    yield from provider.manifest.markers
    for other in registry.providers:
        yield from other.manifest.host_markers.get(provider.id, ())


def choose(
    registry: Registry,
    *,
    configured: str | None,
    snapshot: Sequence[str] | None,
    exists: Callable[[str], bool],
    ask: Ask | None = None,
    take_first: bool = False,
) -> ProviderChoice:
    """The configured provider, or the only one found, or the one that a person picks; none at all is fine too."""
    found = detect(registry, exists)
    if configured is not None:
        if not registry.providers:  # switched off for this once
            return ProviderChoice(configured, ())
        if _is_off(registry, configured):
            return ProviderChoice(None, found, warning=_OFF.format(id=configured))
        must_be_known(registry, configured)
        if snapshot is None:
            return ProviderChoice(configured, found, remember=True)
        return ProviderChoice(configured, found, warning=_drift(found, snapshot))
    if not found:
        return ProviderChoice(None, ())
    if len(found) > 1 and (take_first or ask is None):
        note = _SEVERAL.format(found=", ".join(found), first=found[0])
        return ProviderChoice(found[0], found, note=note)
    return ProviderChoice(_pick(found, ask), found, remember=True)


_SEVERAL = (
    "several agent hosts are used here ({found}); the rules of {first} apply, "
    "`cairn config set active_provider NAME` selects another"
)


_OFF = (
    "active_provider is `{id}`, which is switched off, so names such as @agent or /command lead nowhere; "
    "`cairn plugins enable {id}` switches it on"
)


def _is_off(registry: Registry, id: str) -> bool:
    return any(e.kind == "provider" and e.id == id and not e.enabled for e in registry.extensions)


def _pick(found: Sequence[str], ask: Ask | None) -> str:
    if len(found) == 1:
        return found[0]
    picked = ask(found) if ask else None
    if picked is None:
        raise UsageError(
            f"Several agent hosts are used here ({', '.join(found)}); say whose rules count, "
            f"for example `cairn config set active_provider {found[0]}`.",
            candidates=list(found),
        )
    return picked


def must_be_known(registry: Registry, id: str) -> None:
    known = [p.id for p in registry.providers]
    if known and id not in known:
        meant = hint(id, known, f"known are {', '.join(known)}.")
        raise ConfigError(f"active_provider is `{id}`, which no plugin provides; {meant}", known=known)


def _drift(found: Sequence[str], snapshot: Sequence[str]) -> str | None:
    new = [id for id in found if id not in snapshot]
    removed = [id for id in snapshot if id not in found]
    if not new and not removed:
        return None
    parts = [f"new: {', '.join(new)}"] * bool(new) + [f"removed: {', '.join(removed)}"] * bool(removed)
    return (
        f"the agent hosts used here have changed since active_provider was set ({'; '.join(parts)}); "
        "`cairn config set active_provider NAME` settles it"
    )
