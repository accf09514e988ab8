"""What was made of which document: a file that is written when a run is through, and a line a document until then."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, NamedTuple

from cairn.changes.write import append_lines, remove_file, write_file
from cairn.core.model.candidate import KnowledgeCandidate, Quote
from cairn.core.model.change import Taint
from cairn.core.paths import OLD_BASE
from cairn.core.ports.files import ReadFailed
from cairn.curate.ports import CuratePorts
from cairn.curate.run_journal import FOLDER

_FULL: Final = "last_full_bootstrap_at"
_INCREMENTAL: Final = "last_incremental_at"
_DOC: Final = ("content_sha256", "last_processed_at", "produced_nodes")


class Doc(NamedTuple):
    content_sha256: str
    last_processed_at: str
    produced_nodes: tuple[str, ...] = ()
    """`<kind>/<file>.md` each."""
    extra: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class BootstrapState:
    docs: Mapping[str, Doc] = field(default_factory=dict)
    last_full_bootstrap_at: str | None = None
    last_incremental_at: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys that somebody else wrote."""

    def knows(self, path: str, sha256: str) -> bool:
        known = self.docs.get(path)
        return known is not None and known.content_sha256 == sha256

    def processed(self, path: str, sha256: str, *, at: str, nodes: Iterable[str]) -> "BootstrapState":
        """A document that is as it was keeps its time; what came of it earlier stays named."""
        known = self.docs.get(path)
        before = known.produced_nodes if known else ()
        when = known.last_processed_at if known and known.content_sha256 == sha256 else at
        doc = Doc(sha256, when, tuple(dict.fromkeys((*before, *nodes))), known.extra if known else {})
        return replace(self, docs={**self.docs, path: doc})

    def without(self, paths: Iterable[str]) -> "BootstrapState":
        gone = set(paths)
        return replace(self, docs={path: doc for path, doc in self.docs.items() if path not in gone})


def read_state(text: str) -> BootstrapState | None:
    """None for what is no state: it counts as missing, and everything is looked at again."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not isinstance(value.get("docs", {}), dict):
        return None
    docs = {path: doc for path, one in value.get("docs", {}).items() if (doc := _doc(one)) is not None}
    extra = {key: one for key, one in value.items() if key not in ("docs", _FULL, _INCREMENTAL)}
    return BootstrapState(docs, _text(value.get(_FULL)), _text(value.get(_INCREMENTAL)), extra)


def _doc(value: Any) -> Doc | None:
    if not isinstance(value, dict) or not isinstance(value.get("content_sha256"), str):
        return None
    nodes = value.get("produced_nodes")
    return Doc(
        value["content_sha256"].removeprefix("sha256:"),
        _text(value.get("last_processed_at")) or "",
        tuple(one for one in nodes if isinstance(one, str)) if isinstance(nodes, list) else (),
        {key: one for key, one in value.items() if key not in _DOC},
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def state_text(state: BootstrapState) -> str:
    value: dict[str, Any] = dict(state.extra)
    if state.last_full_bootstrap_at is not None:
        value[_FULL] = state.last_full_bootstrap_at
    if state.last_incremental_at is not None:
        value[_INCREMENTAL] = state.last_incremental_at
    value["docs"] = {path: _doc_value(doc) for path, doc in sorted(state.docs.items())}
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _doc_value(doc: Doc) -> dict[str, Any]:
    kept = (doc.content_sha256, doc.last_processed_at, list(doc.produced_nodes))
    return {**dict(zip(_DOC, kept, strict=True)), **doc.extra}


# --- documents that were read, and whose candidates wait for the curator ----------------------------------------------


class DerivedCandidates(NamedTuple):
    path: str
    sha256: str
    by: str
    """Who read it: rules, or a model."""
    candidates: tuple[KnowledgeCandidate, ...]
    remarks: tuple[str, ...] = ()


def derived_line(derived: DerivedCandidates) -> str:
    value = {**derived._asdict(), "candidates": [asdict(one) for one in derived.candidates]}
    return json.dumps(value, ensure_ascii=False) + "\n"


def read_derived(text: str) -> dict[str, DerivedCandidates]:
    """The last of each document; a line that a death cut short counts as none."""
    return {one.path: one for one in _lines(text)}


def _lines(text: str) -> Iterator[DerivedCandidates]:
    for line in text.splitlines():
        try:
            value = json.loads(line)
            candidates = tuple(map(_candidate, value["candidates"]))
            yield DerivedCandidates(value["path"], value["sha256"], value["by"], candidates, tuple(value["remarks"]))
        except (ValueError, KeyError, TypeError, RecursionError):
            continue


def _candidate(value: dict[str, Any]) -> KnowledgeCandidate:
    quotes = tuple(Quote(*quote) for quote in value["quotes"])
    lists = {key: tuple(value[key]) for key in ("tags", "derived_from")}
    return KnowledgeCandidate(**{**value, **lists, "quotes": quotes, "taint": Taint(value["taint"])})


STATE: Final = f"{FOLDER}/bootstrap-state.json"
OLD_STATE: Final = f"{OLD_BASE}/.state/bootstrap-state.json"
PROGRESS: Final = f"{FOLDER}/bootstrap.jsonl"


class BootstrapFiles:
    def __init__(self, ports: CuratePorts) -> None:
        self._ports = ports

    @property
    def place(self) -> str:
        """Beside the nodes of an older base, where there is one."""
        return OLD_STATE if self._ports.files.exists(f"{OLD_BASE}/nodes") else STATE

    def state(self) -> tuple[BootstrapState, str]:
        """And what is wrong with the file, in a sentence: then it counts as missing."""
        text = self._text(self.place)
        if not text:
            return BootstrapState(), ""
        state = read_state(text)
        if state is None:
            return BootstrapState(), f"{self.place} is not what it should be, so every document counts as new"
        return state, ""

    def keep(self, state: BootstrapState) -> None:
        write_file(self._ports.root, self.place, state_text(state), mode=0o600)

    # --- progress ------------------------------------------------------------------------------------------------

    def derived(self) -> dict[str, DerivedCandidates]:
        return read_derived(self._text(PROGRESS))

    def add(self, derived: DerivedCandidates) -> None:
        append_lines(self._ports.root, PROGRESS, derived_line(derived).encode("utf-8", "surrogatepass"))

    def settle(self, state: BootstrapState, waiting: Collection[str]) -> None:
        """Remove the lines of documents that are done, also those of a run that was killed before it got here."""
        derived = self.derived().items()
        left = [one for path, one in derived if path in waiting or not state.knows(path, one.sha256)]
        if left:
            write_file(self._ports.root, PROGRESS, "".join(map(derived_line, left)), mode=0o600)
        else:
            remove_file(self._ports.root, PROGRESS)

    def _text(self, path: str) -> str:
        try:
            return self._ports.files.read(path)[0].decode("utf-8", "replace")
        except ReadFailed:
            return ""
