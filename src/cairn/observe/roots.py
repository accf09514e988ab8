"""Where the knowledge base is that gaps are compared with: by a flag, by the settings, or as it is found here."""

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

from cairn.errors import UsageError
from cairn.observe.suppress import Covered

NO_ROOT: Final = "lens-i:no-root"
"""Key of the warning; one a run is enough."""

RootSource = Literal["cli", "settings", "auto-detect"]
Outcome = Literal["used", "invalid", "not-provided", "not-found"]


class Attempt(NamedTuple):
    source: RootSource
    outcome: Outcome
    path: str | None = None
    reason: str | None = None

    def json(self) -> dict[str, Any]:
        return {name: value for name, value in self._asdict().items() if value is not None}


class Setting(NamedTuple):
    path: str
    """As it is written."""
    where: str
    """The file, or the variable."""
    refused: str = ""
    """Why whoever wrote it may not."""


class Resolution(NamedTuple):
    root: str | None
    covered: Covered
    attempts: tuple[Attempt, ...]

    def json(self) -> dict[str, Any]:
        attempts = [attempt.json() for attempt in self.attempts]
        return {"root": self.root, "entries": self.covered.entries, "attempts": attempts}


Look = Callable[[str], Covered | str]
"""What lies at a path: the entries there, or why there are none to be had."""


def resolve_root(
    flag: str | None, setting: Setting | None, look: Look, found_here: Callable[[], tuple[str, Covered] | None]
) -> Resolution:
    """A flag that is wrong is an error at once; settings that are wrong are said, and the next way is tried."""
    attempts: list[Attempt] = []
    if flag:
        covered = look(flag)
        if isinstance(covered, str):
            raise UsageError(f"--knowledge-root {quoted(flag)} cannot be used: {covered}.", path=flag, reason=covered)
        return Resolution(flag, covered, (Attempt("cli", "used", flag),))
    attempts.append(Attempt("cli", "not-provided"))
    attempt, covered = _by_setting(setting, look)
    attempts.append(attempt)
    if attempt.outcome == "used" and isinstance(covered, Covered):
        return Resolution(attempt.path, covered, tuple(attempts))
    here = found_here()
    if here is None:
        return Resolution(None, Covered(), (*attempts, Attempt("auto-detect", "not-found")))
    return Resolution(here[0], here[1], (*attempts, Attempt("auto-detect", "used", here[0])))


def _by_setting(setting: Setting | None, look: Look) -> tuple[Attempt, Covered | str]:
    if setting is None or not setting.path:
        return Attempt("settings", "not-provided"), ""
    covered = setting.refused or look(setting.path)
    if isinstance(covered, str):
        return Attempt("settings", "invalid", setting.path, covered), covered
    return Attempt("settings", "used", setting.path), covered


# --- what people hear -----------------------------------------------------------------------------------------------


def no_root_warning(resolution: Resolution) -> str | None:
    """When nothing can be compared with. With what the settings say, if they say something that does not hold."""
    if resolution.root is not None:
        return None
    wrong = _invalid(resolution)
    also = f" `observe.knowledge_root` says {quoted(wrong.path or '')}, but {wrong.reason}." if wrong else ""
    return (
        "no knowledge base was found, so gaps are listed although somebody may have written about them."
        f"{also} `cairn config set observe.knowledge_root PATH` says where it is."
    )


def stale_note(resolution: Resolution) -> str | None:
    """When the settings name a place that does not hold any more, and another was found."""
    wrong = _invalid(resolution)
    if wrong is None or resolution.root is None:
        return None
    return (
        f"`observe.knowledge_root` says {quoted(wrong.path or '')}, but {wrong.reason}; "
        f"{quoted(resolution.root)} is used instead."
    )


def _invalid(resolution: Resolution) -> Attempt | None:
    return next((attempt for attempt in resolution.attempts if attempt.outcome == "invalid"), None)


def quoted(path: str) -> str:
    """A path from anywhere, on one line."""
    visible = "".join(char if char.isprintable() else "?" for char in path)
    return '"' + visible.replace("\\", "\\\\").replace('"', '\\"') + '"'
