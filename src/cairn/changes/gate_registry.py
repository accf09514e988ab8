"""The gates of Cairn, and what they get to see: files and settings of the base revision, never those of the change."""

from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from cairn.changes.gate import Gate, GateContext, Gates, KnownSources, LinkResult
from cairn.core.model.change import ChangeSet
from cairn.knowledge.base import ALLOWLIST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cairn.changes.ports import ChangesPorts
    from cairn.core.model.knowledge import Corpus
    from cairn.core.ports.runtime import Settings


def gates_of(ports: "ChangesPorts", recent: "Mapping[str, LinkResult] | None" = None) -> Gates:
    """All of them, ready to judge; `recent` is what is known of URLs from the last 24 hours. Whoever has many changes
    asks the same ones about all of them: what was read once is not read again."""
    return Gates(registered(ports.gates), Lookout(ports, recent or {}))


def registered(names: "Sequence[str]") -> tuple[Gate, ...]:
    """Each name as `module:class`; made without arguments."""
    return tuple(_made(name) for name in names)


def one_gate(ports: "ChangesPorts", id: str, recent: "Mapping[str, LinkResult] | None" = None) -> Gates:
    """One gate alone, as the commands that are named after gates run it."""
    wanted = tuple(gate for gate in registered(ports.gates) if gate.id == id)
    assert wanted, id
    return Gates(wanted, Lookout(ports, recent or {}))


def _made(name: str) -> Gate:
    module, _, maker = name.partition(":")
    gate: Gate = getattr(import_module(module), maker)()
    return gate


class Lookout:
    """Gathers what gates may look at. Revisions don't change, so what one holds is read once."""

    def __init__(self, ports: "ChangesPorts", recent: "Mapping[str, LinkResult]") -> None:
        self._ports, self._recent = ports, recent
        self._revisions: dict[str, _Revision] = {}

    def __call__(self, change: ChangeSet) -> GateContext:
        from cairn.core.paths import COMMITTED, OBSERVABILITY
        from cairn.lib.urls.url import allowed_places

        app = self._ports
        at = self._revisions.setdefault(change.base, _Revision(app, change.base))
        edits = {edit.path: edit.content for edit in change.edits}
        at.fetch([*edits, ALLOWLIST, COMMITTED, OBSERVABILITY])
        return GateContext(
            base=at.read,
            proposed=lambda path: edits[path] if path in edits else at.read(path),
            settings=dict(at.settings.values),
            corpora=at.corpora,
            labels=change.labels,
            recent={**self._sources.recent(), **self._recent},
            now_ms=app.clock.now_ms(),
            pages=lambda: at.pages(edits),
            source_text=self._sources.text,
            shown_text=self._sources.shown_text,
            vouched=allowed_places(app.env),
        )

    @cached_property
    def _sources(self) -> KnownSources:
        return self._ports.known_sources()


class _Revision:
    """Files of a commit; without one, as before the first, there is nothing yet."""

    def __init__(self, ports: "ChangesPorts", revision: str) -> None:
        self._ports, self._revision = ports, revision
        self._known: dict[str, bytes | None] = {}

    def fetch(self, paths: "Sequence[str]") -> None:
        """In one question to git, however many there are."""
        asked = [path for path in dict.fromkeys(paths) if path not in self._known]
        if asked and self._revision:
            found = self._ports.vcs.show([(self._revision, path) for path in asked])
            self._known |= dict(zip(asked, found, strict=True))

    def read(self, path: str) -> bytes | None:
        self.fetch([path])
        return self._known.get(path)

    @cached_property
    def files(self) -> tuple[str, ...]:
        return self._ports.vcs.files(self._revision) if self._revision else ()

    @cached_property
    def settings(self) -> "Settings":
        return self._ports.settings_at(self.read) if self._revision else self._ports.settings

    @cached_property
    def corpora(self) -> "tuple[Corpus, ...]":
        from cairn.knowledge.corpora import configured, detect, with_a_place_to_write, with_forms

        if not self._revision:
            return self._ports.corpora
        paths = [path for path in self.files if path.endswith((".md", "index.json"))]
        found = configured(self.settings) or with_a_place_to_write(
            detect(paths, lambda path: (self.read(path) or b"").decode("utf-8", "replace"))
        )
        return with_forms(found, frozenset(paths).__contains__)

    def pages(self, edits: "Mapping[str, bytes | None]") -> dict[str, bytes]:
        """Every page of the corpora, as it would be with some edits."""
        from cairn.core.model.knowledge import corpus_of
        from cairn.knowledge.corpora import kind_of

        known = dict.fromkeys((*self.files, *edits))
        paths = [path for path in known if (corpus := corpus_of(path, self.corpora)) and kind_of(corpus, path)]
        self.fetch([path for path in paths if path not in edits])
        found = ((path, edits[path] if path in edits else self._known.get(path)) for path in paths)
        return {path: data for path, data in found if data is not None}


def corpora_at(ports: "ChangesPorts", revision: str) -> "tuple[Corpus, ...]":
    """As a commit has them."""
    return _Revision(ports, revision).corpora
