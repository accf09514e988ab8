"""The gates of Cairn, and what they get to see: files and settings of the base revision, never those of the change."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from cairn.changes.gate import Around, Gate, LinkResult, ReadFile
from cairn.changes.gates import Gates
from cairn.errors import StoreProblem
from cairn.freshness.gates import GATES as FRESHNESS
from cairn.kernel.model.change import ChangeSet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cairn.app.build import App
    from cairn.config.settings import Settings
    from cairn.kernel.knowledge.corpus import Corpus

GATES: tuple[str, ...] = (*FRESHNESS, "cairn.changes.secrets:Secrets")
"""Each as `module:class`, in the order in which they are shown; made without arguments. They run from the installed
package, so nothing in a repository can put another in their place."""


def gates_of(app: "App", recent: "Mapping[str, LinkResult] | None" = None) -> Gates:
    """All of them, ready to judge; `recent` is what is known of URLs from the last 24 hours."""
    return Gates(registered(), lambda change: look(app, change, recent or {}))


def registered() -> tuple[Gate, ...]:
    return tuple(_made(name) for name in GATES)


def one_gate(app: "App", id: str, recent: "Mapping[str, LinkResult] | None" = None) -> Gates:
    """One gate alone, as the commands that are named after gates run it."""
    wanted = tuple(gate for gate in registered() if gate.id == id)
    assert wanted, id
    return Gates(wanted, lambda change: look(app, change, recent or {}))


def _made(name: str) -> Gate:
    module, _, maker = name.partition(":")
    gate: Gate = getattr(import_module(module), maker)()
    return gate


def look(app: "App", change: ChangeSet, recent: "Mapping[str, LinkResult]") -> Around:
    from cairn.app.fetching import allowed_places

    base = _reader(app, change.base)
    edits = {edit.path: edit.content for edit in change.edits}
    settings = settings_at(app, base) if change.base else app.settings
    corpora = corpora_at(app, change.base, settings, base) if change.base else app.corpora
    return Around(
        base=base,
        proposed=lambda path: edits[path] if path in edits else base(path),
        settings=dict(settings.values),
        corpora=corpora,
        labels=change.labels,
        recent={**_links(app), **recent},
        now_ms=app.clock.now_ms(),
        pages=lambda: _pages(app, change, corpora),
        source_text=lambda reference, hash: _source_text(app, reference, hash),
        vouched=allowed_places(app.env),
    )


def _pages(app: "App", change: ChangeSet, corpora: "tuple[Corpus, ...]") -> dict[str, bytes]:
    """In one question to git, however many there are."""
    from cairn.kernel.knowledge.corpus import corpus_of
    from cairn.kernel.knowledge.layouts import kind_of

    edits = {edit.path: edit.content for edit in change.edits}
    known = dict.fromkeys((*(app.vcs.files(change.base) if change.base else ()), *edits))
    paths = [path for path in known if (corpus := corpus_of(path, corpora)) and kind_of(corpus, path)]
    asked = [path for path in paths if path not in edits]
    stored = dict(zip(asked, app.vcs.show([(change.base, path) for path in asked]), strict=True)) if asked else {}
    found = ((path, edits[path] if path in edits else stored[path]) for path in paths)
    return {path: data for path, data in found if data is not None}


# --- what is known of sources -----------------------------------------------------------------------------------------


def _remembers(app: "App") -> bool:
    """A workspace that nobody scanned yet has no database, and a gate makes none."""
    return isinstance(app.store_location, str) or app.store_location.exists()


def _links(app: "App") -> dict[str, LinkResult]:
    """Where the database can't be used, nothing is known, and the gate says that it did not check."""
    if not _remembers(app):
        return {}
    from cairn.freshness.links import recent

    try:
        return recent(app.store.web.links(), app.store.web.sources(), app.clock.now_ms())
    except StoreProblem:
        return {}


def _source_text(app: "App", reference: str, hash: str) -> str | None:
    if not _remembers(app):
        return None
    from cairn.freshness.sources import Memory
    from cairn.kernel.knowledge.entry import Source

    url, mark, anchor = reference.partition("#")
    source = Source("url", url, f"#{anchor}" if mark else None, hash=hash)
    try:
        return Memory(app.store.web, app.blobs).remembered(source)
    except StoreProblem:
        return None


def _reader(app: "App", revision: str) -> ReadFile:
    """Without a revision, as before the first commit, there is nothing yet."""
    return cache(lambda path: app.vcs.show([(revision, path)])[0]) if revision else lambda _: None


def settings_at(app: "App", base: ReadFile) -> "Settings":
    """As they would be with the committed file of that revision; what the operator says on this machine stays."""
    from cairn.config.files import COMMITTED
    from cairn.config.layer import from_file
    from cairn.config.settings import merge

    text = base(COMMITTED)
    said = [] if text is None else [from_file("committed", COMMITTED, text.decode("utf-8", "replace"))]
    layers = {id(layer): layer for layer in app.settings.origins.values()}.values()
    order = ("default", "committed", "local", "environment", "flag")
    kept = [layer for layer in layers if layer.name != "committed"]
    return merge(sorted([*kept, *said], key=lambda layer: order.index(layer.name)))


def corpora_at(app: "App", revision: str, settings: "Settings", base: ReadFile) -> "tuple[Corpus, ...]":
    from cairn.app.corpora import configured
    from cairn.kernel.knowledge.detect import detect

    found = configured(settings)
    if found:
        return found
    paths = [path for path in app.vcs.files(revision) if path.endswith((".md", "index.json"))]
    return detect(paths, lambda path: (base(path) or b"").decode("utf-8", "replace"))
