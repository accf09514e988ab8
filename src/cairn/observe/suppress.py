"""What the knowledge base covers, so that a topic is no gap any more: by name, by topics, by aliases."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from cairn.core.model.entry import Entry, Status
from cairn.knowledge.topics import topic_forms
from cairn.observe.topics import keys


class Cover(NamedTuple):
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


class Covered(NamedTuple):
    """Every spelling that is covered, and by which page."""

    forms: Mapping[str, Cover] = {}
    entries: int = 0

    def cover(self, topic: str) -> Cover | None:
        return next((found for form in topic_forms(topic) if (found := self.forms.get(form))), None)

    def near(self, topics: Iterable[str]) -> dict[str, Cover]:
        """By topic: a page that is about nearly this. Whether it says enough, a person has to see."""
        wanted = {key: topic for topic in topics for key in keys(topic)}
        found: dict[str, Cover] = {}
        for form, cover in self.forms.items() if wanted else ():
            for key in keys(form):
                if key in wanted:
                    found.setdefault(wanted[key], cover)
        return found


def covered(entries: Iterable[Entry]) -> Covered:
    """An entry in quarantine is shown to nobody, so it covers nothing. Where two are about the same, the one that is
    called so counts."""
    forms: dict[str, Cover] = {}
    count = 0
    for entry in entries:
        count += 1
        if entry.status is Status.QUARANTINED:
            continue
        for by, written in _said(entry):
            for form in topic_forms(written):
                known = forms.get(form)
                if known is None or _rank(by, entry.path) < _rank(known.by, known.path):
                    forms[form] = Cover(entry.path, by, written)
    return Covered(forms, count)


def _said(entry: Entry) -> list[tuple[str, str]]:
    said = [("name", entry.name), *(("topics", topic) for topic in entry.topics)]
    return [*said, *(("aliases", alias) for alias in _aliases(entry.extra.get("aliases")))]


def _aliases(value: Any) -> list[str]:
    found = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [alias for alias in found if isinstance(alias, str)]


def _rank(by: str, path: str) -> tuple[int, str]:
    return ("name", "topics", "aliases").index(by), path
