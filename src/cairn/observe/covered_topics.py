"""Topics that the knowledge base covers, and where that base is: by a flag, by the settings, or as it is found."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple

from cairn.core.model.knowledge import Entry, EntryStatus
from cairn.errors import UsageError
from cairn.knowledge.topics import topic_forms
from cairn.observe.topics import keys


class TopicCover(NamedTuple):
    """Why a topic is no gap."""

    path: str
    by: str
    """`name`, `topics` or `aliases`."""
    written: str
    """As it stands there."""

    @property
    def reason(self) -> str:
        return {
            "name": f"{self.path} is the entry `{self.written}`",
            "topics": f"{self.path} has `{self.written}` among its topics",
            "aliases": f"{self.path} has `{self.written}` among its aliases",
        }[self.by]


class CoveredTopics(NamedTuple):
    """Every spelling that is covered, and by which page."""

    forms: Mapping[str, TopicCover] = {}
    entries: int = 0

    def cover(self, topic: str) -> TopicCover | None:
        return next((found for form in topic_forms(topic) if (found := self.forms.get(form))), None)

    def near(self, topics: Iterable[str]) -> dict[str, TopicCover]:
        """By topic: a page that is about nearly this. Whether it says enough, a person has to see."""
        wanted = {key: topic for topic in topics for key in keys(topic)}
        found: dict[str, TopicCover] = {}
        for form, cover in self.forms.items() if wanted else ():
            for key in keys(form):
                if key in wanted:
                    found.setdefault(wanted[key], cover)
        return found


def covered(entries: Iterable[Entry]) -> CoveredTopics:
    """An entry in quarantine is shown to nobody, so it covers nothing. Where two are about the same, the one that is
    called so counts."""
    forms: dict[str, TopicCover] = {}
    count = 0
    for entry in entries:
        count += 1
        if entry.status is EntryStatus.QUARANTINED:
            continue
        for by, written in _said(entry):
            for form in topic_forms(written):
                known = forms.get(form)
                if known is None or _rank(by, entry.path) < _rank(known.by, known.path):
                    forms[form] = TopicCover(entry.path, by, written)
    return CoveredTopics(forms, count)


def _said(entry: Entry) -> list[tuple[str, str]]:
    said = [("name", entry.name), *(("topics", topic) for topic in entry.topics)]
    return [*said, *(("aliases", alias) for alias in _aliases(entry.extra.get("aliases")))]


def _aliases(value: Any) -> list[str]:
    found = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [alias for alias in found if isinstance(alias, str)]


def _rank(by: str, path: str) -> tuple[int, str]:
    return ("name", "topics", "aliases").index(by), path


NO_ROOT: Final = "lens-i:no-root"
"""Key of the warning; one a run is enough."""

RootSource = Literal["cli", "settings", "auto-detect"]
Outcome = Literal["used", "invalid", "not-provided", "not-found"]


class RootAttempt(NamedTuple):
    source: RootSource
    outcome: Outcome
    path: str | None = None
    reason: str | None = None

    def json(self) -> dict[str, Any]:
        return {name: value for name, value in self._asdict().items() if value is not None}


class RootSetting(NamedTuple):
    path: str
    """As it is written."""
    where: str
    """The file, or the variable."""
    refused: str = ""
    """Why whoever wrote it may not."""


class RootResolution(NamedTuple):
    root: str | None
    covered: CoveredTopics
    attempts: tuple[RootAttempt, ...]

    def json(self) -> dict[str, Any]:
        attempts = [attempt.json() for attempt in self.attempts]
        return {"root": self.root, "entries": self.covered.entries, "attempts": attempts}


Look = Callable[[str], CoveredTopics | str]
"""What lies at a path: the entries there, or why there are none to be had."""


def resolve_root(
    flag: str | None,
    setting: RootSetting | None,
    look: Look,
    found_here: Callable[[], tuple[str, CoveredTopics] | None],
) -> RootResolution:
    """A flag that is wrong is an error at once; settings that are wrong are said, and the next way is tried."""
    attempts: list[RootAttempt] = []
    if flag:
        covered = look(flag)
        if isinstance(covered, str):
            raise UsageError(f"--knowledge-root {quoted(flag)} cannot be used: {covered}.", path=flag, reason=covered)
        return RootResolution(flag, covered, (RootAttempt("cli", "used", flag),))
    attempts.append(RootAttempt("cli", "not-provided"))
    attempt, covered = _by_setting(setting, look)
    attempts.append(attempt)
    if attempt.outcome == "used" and isinstance(covered, CoveredTopics):
        return RootResolution(attempt.path, covered, tuple(attempts))
    here = found_here()
    if here is None:
        return RootResolution(None, CoveredTopics(), (*attempts, RootAttempt("auto-detect", "not-found")))
    return RootResolution(here[0], here[1], (*attempts, RootAttempt("auto-detect", "used", here[0])))


def _by_setting(setting: RootSetting | None, look: Look) -> tuple[RootAttempt, CoveredTopics | str]:
    if setting is None or not setting.path:
        return RootAttempt("settings", "not-provided"), ""
    covered = setting.refused or look(setting.path)
    if isinstance(covered, str):
        return RootAttempt("settings", "invalid", setting.path, covered), covered
    return RootAttempt("settings", "used", setting.path), covered


# --- what people hear -----------------------------------------------------------------------------------------------


def no_root_warning(resolution: RootResolution) -> str | None:
    """When nothing can be compared with. With what the settings say, if they say something that does not hold."""
    if resolution.root is not None:
        return None
    wrong = _invalid(resolution)
    also = f" `observe.knowledge_root` says {quoted(wrong.path or '')}, but {wrong.reason}." if wrong else ""
    return (
        "no knowledge base was found, so gaps are listed although somebody may have written about them."
        f"{also} `cairn config set observe.knowledge_root PATH` says where it is."
    )


def stale_note(resolution: RootResolution) -> str | None:
    """When the settings name a place that does not hold any more, and another was found."""
    wrong = _invalid(resolution)
    if wrong is None or resolution.root is None:
        return None
    return (
        f"`observe.knowledge_root` says {quoted(wrong.path or '')}, but {wrong.reason}; "
        f"{quoted(resolution.root)} is used instead."
    )


def _invalid(resolution: RootResolution) -> RootAttempt | None:
    return next((attempt for attempt in resolution.attempts if attempt.outcome == "invalid"), None)


def quoted(path: str) -> str:
    """A path from anywhere, on one line."""
    visible = "".join(char if char.isprintable() else "?" for char in path)
    return '"' + visible.replace("\\", "\\\\").replace('"', '\\"') + '"'
