"""Which documents a bootstrap reads, and what it remembers of those that it has read."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from posixpath import splitext
from typing import Any, Final, NamedTuple

from cairn.changes.write import append_lines, remove_file, write_file
from cairn.core.model.candidate import KnowledgeCandidate, Quote
from cairn.core.model.change import Taint
from cairn.core.paths import OLD_BASE
from cairn.core.ports.runtime import FileWalk, FoundFile, ReadFailed
from cairn.core.scope import Scope, is_sample, scope_of
from cairn.curate.ports import CuratePorts
from cairn.curate.run_journal import FOLDER
from cairn.errors import Refused
from cairn.knowledge.corpora import DECISION_FOLDERS
from cairn.lib.document.document import DOCUMENTS, UNREAD, readable
from cairn.lib.globs.glob import pattern_lines

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


_I: Final = re.IGNORECASE
_NAMES: Final = (
    (re.compile(r"eula|terms|privacy", _I), "a legal text"),
    (re.compile(r"updating", _I), "about the past"),
    (
        re.compile(r"authors|contributors|maintainers|credits|thanks|acknowledge?ments|sponsors|backers|owners", _I),
        "a list of people",
    ),
    (re.compile(r"code[-_ ]?of[-_ ]?conduct|cla|dco|funding|support", _I), "a document about the community"),
    (re.compile(r"(?:.*[-_ ])?template|bug[-_ ]?report|feature[-_ ]?request", _I), "a template"),
)
_SCOPES: Final = {
    Scope.PAST: "about the past",
    Scope.FIXTURE: "a fixture or a template",
    Scope.GENERATED: "generated",
    Scope.VENDORED: "a licence, or vendored",
    Scope.TRANSLATION: "a translation",
}
_GENERATED: Final = frozenset({"INDEX.md", "GRAPH.md"})
_OF_AGENTS: Final = frozenset(
    {"claude.md", "claude.local.md", "agents.md", "agent.md", "agents.override.md", "gemini.md", "codex.md"}
    | {"skill.md", "memory.md", "qwen.md", "conventions.local.md", "copilot-instructions.md"}
)
_AGENT_FOLDERS: Final = frozenset(
    {".claude", ".cursor", ".codex", ".agents", ".agent", ".gemini", ".windsurf", ".opencode", ".continue", ".roo"}
    | {"skills", "prompts", ".clinerules", ".kiro", ".amazonq", ".junie", ".augment", ".ai"}
)


def left_alone(path: str, *, below: str = "", text: str = "") -> str:
    """Why a file is left out unless somebody names it; empty when it is read. In the folder `below`, which somebody
    named, only what is inside counts. Generated pages are recognised by their text."""
    inside = path.removeprefix(f"{below}/" if below else "")
    *folders, name = inside.split("/")
    if name in _GENERATED:
        return _SCOPES[Scope.GENERATED]
    if _is_of_agents(folders, name) or not _AGENT_FOLDERS.isdisjoint(folder.lower() for folder in folders):
        return "a file for agents; `cairn import memory` reads memory files"
    if is_sample(inside):
        return "an example or a benchmark"
    stem = splitext(name)[0]
    if named := next(
        (why for pattern, why in _NAMES if pattern.fullmatch(stem) or pattern.fullmatch(_first(stem))), ""
    ):
        return named
    scope = scope_of(path, text)
    if below and scope is scope_of(f"{below}/page.md"):
        scope = scope_of(inside, text)
    return "" if scope is Scope.PAST and _is_decision(path) else _SCOPES.get(scope, "")


def _is_decision(path: str) -> bool:
    """Decision records are imported: the reasons that they give still apply."""
    return not DECISION_FOLDERS.isdisjoint(path.lower().split("/")[:-1])


def _is_of_agents(folders: list[str], name: str) -> bool:
    """`docs/agents.md` and `docs/memory.md` are about them."""
    if folders and not name.partition(".")[0].isupper() and name != "copilot-instructions.md":
        return False
    return name.lower() in _OF_AGENTS


def _first(stem: str) -> str:
    """The first word of a name in capitals: `CODE-OF-CONDUCT.de` is one of them, `support-service` is not."""
    first = re.split(r"[-_.]", stem)[0]
    return first if first.isupper() else ""


RULES: Final = "rules"
"""As who read a document: it had the form of knowledge, and was imported word for word."""
READER: Final = "reader"
ASKED: Final = "asked"
"""Nobody yet: the hashes of the questions about it stand as remarks."""
LARGEST: Final = 512 * 1024
"""Bytes of a document. Nobody writes more by hand."""
KBIGNORE: Final = ".kbignore"
A_PAGE: Final = "a page of knowledge already"
_PAGES: Final = ("entries", "nodes", "artefacts")
_HEAD: Final = 4096
"""Bytes at the beginning of a document that show whether it is generated."""


class BootstrapOptions(NamedTuple):
    paths: tuple[str, ...] = ()
    incremental: bool = False
    """Only documents that are new or changed."""
    dry_run: bool = False
    here: bool = False
    """Edit the work tree instead of asking for a change."""
    most: int | None = None
    everything_placed: bool = False
    """A reader decides about all candidates, also about those that were imported word for word."""
    ask: bool = True
    """Ask about documents that take a reader; otherwise only the answers that exist are used."""

    @property
    def everything(self) -> bool:
        return not self.paths and self.most is None


class Due(NamedTuple):
    path: str
    sha256: str
    changed: bool
    """Since it was last read; also when it never was."""


class SkippedDocument(NamedTuple):
    path: str
    why: str
    loud: bool = False
    """Somebody may not expect it."""


class Estimate(NamedTuple):
    tokens_in: int
    tokens_out: int
    dollars: float | None = None


class BootstrapSurvey(NamedTuple):
    due: tuple[Due, ...]
    unchanged: int = 0
    later: int = 0
    """Due, but more than were asked for."""
    skipped: tuple[SkippedDocument, ...] = ()
    deleted: tuple[str, ...] = ()
    """Documents that pages were made of and that are not there any more."""
    problem: str = ""


def survey(ports: CuratePorts, wanted: BootstrapOptions) -> BootstrapSurvey:
    state, problem = BootstrapFiles(ports).state()
    walk = _walk(ports, wanted)
    read = {file.path for file in walk.files}
    skipped = [SkippedDocument(one.path, one.message, True) for one in walk.problems if one.path not in read]
    due: list[Due] = []
    unchanged = 0
    for file in walk.files:
        found = _look(ports, file, state, wanted.paths)
        if isinstance(found, SkippedDocument):
            skipped.append(found)
        elif wanted.incremental and not found.changed:
            unchanged += 1
        else:
            due.append(found)
    taken = due if wanted.most is None else due[: wanted.most]
    deleted = () if wanted.paths else tuple(_deleted(ports, state))
    return BootstrapSurvey(tuple(taken), unchanged, len(due) - len(taken), tuple(skipped), deleted, problem)


def _walk(ports: CuratePorts, wanted: BootstrapOptions) -> FileWalk:
    request = ports.scan_request().walk((*DOCUMENTS, *UNREAD))
    own = _kbignore(ports)
    return ports.files.walk(request._replace(roots=wanted.paths or request.roots, ignore=(*request.ignore, *own)))


def _kbignore(ports: CuratePorts) -> tuple[str, ...]:
    """What an older base says should not be read."""
    try:
        return pattern_lines(ports.files.read(KBIGNORE)[0].decode("utf-8", "replace"))
    except ReadFailed:
        return ()


def _look(ports: CuratePorts, file: FoundFile, state: BootstrapState, wanted: Sequence[str]) -> Due | SkippedDocument:
    named = file.path in wanted
    below = max((folder for folder in wanted if file.path.startswith(f"{folder}/")), key=len, default="")
    if ports.knowledge.layout(file.path) in _PAGES:
        return SkippedDocument(file.path, A_PAGE, named)
    if not named and (why := left_alone(file.path, below=below)):
        return SkippedDocument(file.path, why)
    if file.path.endswith(UNREAD):
        return SkippedDocument(file.path, f"a {splitext(file.path)[1]} file, which Cairn does not read", named)
    if file.size > LARGEST:
        return SkippedDocument(
            file.path, f"larger than {LARGEST // 1024} KiB; split it, or name what matters elsewhere", True
        )
    try:
        data, _ = ports.files.read(file.path)
    except ReadFailed as failed:
        return SkippedDocument(file.path, str(failed), True)
    if b"\0" in data:
        return SkippedDocument(file.path, "not a text", True)
    if not named and (why := left_alone(file.path, below=below, text=data[:_HEAD].decode("utf-8", "replace"))):
        return SkippedDocument(file.path, why)
    digest = sha256(data).hexdigest()
    return Due(file.path, digest, not state.knows(file.path, digest))


def _deleted(ports: CuratePorts, state: BootstrapState) -> Iterator[str]:
    return (path for path in sorted(state.docs) if not ports.files.exists(path))


def tokens_to_read(ports: CuratePorts, paths: Iterable[str]) -> dict[str, Estimate]:
    """What a reader would read and write about each document."""
    from cairn.curate.ask_reader import cost_of
    from cairn.curate.document_material import distil_inputs

    found: dict[str, Estimate] = {}
    for path in paths:
        costs = cost_of(distil_inputs(text_of(ports, path), path=path), path)
        found[path] = Estimate(sum(one.reading for one in costs), sum(one.writing for one in costs))
    return found


def total(ports: CuratePorts, estimates: Iterable[Estimate]) -> Estimate:
    """With the price, where the operator stated one."""
    from cairn.core.model_budget import parse_price

    some = list(estimates)
    name = "CAIRN_JUDGE_PRICE"
    price = ports.env.get(name, "").strip()
    reading, writing = sum(one.tokens_in for one in some), sum(one.tokens_out for one in some)
    return Estimate(reading, writing, parse_price(price, name).of(reading, writing) if price else None)


def text_of(ports: CuratePorts, path: str) -> str:
    """Raises a sentence when it went away meanwhile: that it is gone is not that it says nothing."""
    try:
        return readable(path, ports.files.read(path)[0].decode("utf-8", "replace"))
    except ReadFailed as failed:
        raise Refused(str(failed)) from failed
