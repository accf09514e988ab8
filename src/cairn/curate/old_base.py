"""The knowledge base of the program before Cairn, used where it lies: what is in it, and what of it is not followed."""

import json
import os
import posixpath
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.core.isolate import item
from cairn.core.model.knowledge import Corpus
from cairn.core.paths import OLD_BASE
from cairn.core.ports.runtime import ReadFailed, WalkRequest
from cairn.core.session_log import head_of
from cairn.knowledge.corpora import kind_of, tree_version

if TYPE_CHECKING:
    from cairn.curate.ports import CuratePorts

STATE: Final = f"{OLD_BASE}/.state"
TREE_BASE: Final = ".ai/kenkeep"
"""Where later versions of that program keep a base: a tree of folders by topic."""
_LOCK_MS: Final = 1_800_000
_MODELS: Final = ("proposalModel", "curatorModel", "bootstrapModel")
_STATES: Final = ("state.json", "bootstrap-state.json", "lint-state.json", "memory-ledger.json")


class OldBase(NamedTuple):
    root: str
    version: str
    """Of the program that made it; empty when it does not say."""
    corpus: str | None
    """Under which name the workspace has it."""
    nodes: Mapping[str, int]
    """By kind."""
    sessions: Mapping[str, int]
    """By the state of their proposals."""
    conflicts: int
    """That wait for a person."""
    notes: tuple[str, ...]
    """What is not followed, or cannot be read, and what to do about it."""


def root_of(ports: "CuratePorts") -> str:
    """The folder of the base, the newer one first."""
    return TREE_BASE if _is_in(ports, TREE_BASE) else OLD_BASE


def is_there(ports: "CuratePorts") -> bool:
    return _is_in(ports, TREE_BASE) or _is_in(ports, OLD_BASE)


def _is_in(ports: "CuratePorts", root: str) -> bool:
    return any(ports.files.exists(f"{root}/{name}") for name in ("nodes", ".state/installed-version", "_sessions"))


def is_newer(ports: "CuratePorts") -> bool:
    """A tree in a format that Cairn can read, but not write: after the second."""
    root = root_of(ports)
    path = f"{root}/ENTRY.md"
    if not ports.files.exists(path) or tree_version(_text(ports, path)) == 2:
        return False
    return not any(corpus.root == root and corpus.layout == "nodes" for corpus in ports.corpora)


def found(ports: "CuratePorts") -> OldBase | None:
    from cairn.curate.run_journal import CurateState

    if not is_there(ports):
        return None
    root = root_of(ports)
    corpus = next((one for one in ports.corpora if one.root == root and one.layout == "nodes"), None)
    conflicts, problems = CurateState(ports).conflicts()
    sessions, unreadable = _sessions(ports)
    return OldBase(
        root=root,
        version=str(state_of(ports, "installed-version").get("version") or ""),
        corpus=corpus.name if corpus else _plain_corpus(ports, root),
        nodes=_nodes(ports),
        sessions=sessions,
        conflicts=sum(one.status == "pending" for one in conflicts),
        notes=(*_notes(ports, corpus), *unreadable, *problems),
    )


def _plain_corpus(ports: "CuratePorts", root: str) -> str | None:
    """Under which name the pages of a later format are read."""
    return next((one.name for one in ports.corpora if one.root.startswith(f"{root}/")), None)


def with_old_base(ports: "CuratePorts", corpora: tuple[Corpus, ...]) -> tuple[Corpus, ...]:
    """Also one that has no node yet: what is curated belongs there."""
    root = root_of(ports)
    known = any(corpus.root.startswith(root) for corpus in corpora)
    if known or not is_there(ports) or is_newer(ports):
        return corpora
    taken = {corpus.name for corpus in corpora}
    name = posixpath.basename(root)
    return (*corpora, Corpus(f"ai-{name}" if name in taken else name, root, "nodes"))


def take(ports: "CuratePorts") -> str | None:
    """Adds it to the corpora in the committed settings, and returns its name there; None when that is not needed."""
    from cairn.knowledge.corpora import configured

    known = configured(ports.settings) or ports.corpora
    new = with_old_base(ports, known)[len(known) :]
    for corpus in (*(known if new and not configured(ports.settings) else ()), *new):
        ports.write_setting(f"corpora.{corpus.name}.root", corpus.root or ".")
        ports.write_setting(f"corpora.{corpus.name}.layout", corpus.layout)
    return new[0].name if new else None


def facts(base: OldBase) -> list[tuple[str, str]]:
    """For a person."""
    nodes = ", ".join(f"{kind} {count:,}" for kind, count in sorted(base.nodes.items()))
    logs = ", ".join(f"{state} {count:,}" for state, count in sorted(base.sessions.items()))
    return [
        ("base", f"{base.root}/, of an older program{f' ({base.version})' if base.version else ''}"),
        ("corpus", base.corpus or "none"),
        ("nodes", nodes or "none yet"),
        ("sessions", logs or "none"),
        ("conflicts", f"{base.conflicts:,} to settle" if base.conflicts else "none to settle"),
    ]


def base_value(base: OldBase) -> dict[str, Any]:
    return {**base._asdict(), "nodes": dict(base.nodes), "sessions": dict(base.sessions), "notes": list(base.notes)}


# --- what is in it ----------------------------------------------------------------------------------------------------


def _nodes(ports: "CuratePorts") -> dict[str, int]:
    """Without those that are not read; the notes name them."""
    folder = f"{root_of(ports)}/nodes"
    if not ports.files.exists(folder):
        return {}
    base = Corpus("base", root_of(ports), "nodes", tree=ports.files.exists(f"{root_of(ports)}/ENTRY.md"))
    newer = is_newer(ports)
    found: Counter[str] = Counter()
    walk = ports.files.walk(WalkRequest(roots=(folder,), suffixes=(".md",), gitignore=False))
    for file in walk.files:
        with item(file.path):
            kind = kind_of(base, file.path)
            if kind is not None and (newer or not _why_not_read(ports, base, file.path)):
                found[kind] += 1
    return dict(found)


def _sessions(ports: "CuratePorts") -> tuple[dict[str, int], list[str]]:
    logs = ports.session_logs()
    heads = [(name, head_of(logs, name)) for name in logs.names()]
    broken = [
        f"{logs.place}/{name} is no log that can be read; mend its head, or remove it" for name, h in heads if not h
    ]
    return dict(Counter(head.log.proposal_status for _, head in heads if head)), broken


def state_of(ports: "CuratePorts", name: str) -> dict[str, Any]:
    """What a file of its state says; one that is missing or malformed says nothing."""
    return _object(_text(ports, f"{root_of(ports)}/.state/{name}"))


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(ports: "CuratePorts", path: str) -> str:
    try:
        return ports.files.read(path)[0].decode("utf-8", "replace")
    except ReadFailed:
        return ""


# --- what is said about it --------------------------------------------------------------------------------------------


def _notes(ports: "CuratePorts", corpus: Corpus | None) -> Iterator[str]:
    root = root_of(ports)
    if is_newer(ports):
        yield (
            f"{root}/ENTRY.md has a schema_version that Cairn can't write: its pages are found and checked, but not "
            "written; what is curated goes elsewhere"
        )
    elif corpus is None:
        yield (
            f"{root} is none of the corpora in the settings, so nothing is curated there; "
            "`cairn import base --take` adds it"
        )
    if models := [name for name in _MODELS if name in _configured(ports)]:
        yield (
            f"{root}/config.yaml names models ({', '.join(models)}), which are not followed: a model is asked only "
            "when a command names one with --with, or in `cairn judge`"
        )
    if ports.files.exists(f"{root}/.config/prompts"):
        yield f"{root}/.config/prompts is not followed: prompts are Cairn's own"
    for name in _STATES:
        path = f"{root}/.state/{name}"
        if ports.files.exists(path) and not state_of(ports, name):
            yield f"{path} cannot be read, and counts as missing"
    yield from _not_read(ports, corpus)
    yield from at_work(ports)


def _not_read(ports: "CuratePorts", corpus: Corpus | None) -> Iterator[str]:
    """Files below `nodes/` that are no nodes, and nodes that say nothing that can be understood."""
    folder = f"{root_of(ports)}/nodes"
    if corpus is None or not ports.files.exists(folder):
        return
    walk = ports.files.walk(WalkRequest(roots=(folder,), suffixes=(".md",), gitignore=False))
    yield from (f"{one.path} is not read: {one.message}" for one in walk.problems)
    for file in walk.files:
        with item(file.path):
            if why := _why_not_read(ports, corpus, file.path):
                yield f"{file.path} is not read: {why}"


def _why_not_read(ports: "CuratePorts", corpus: Corpus, path: str) -> str:
    from cairn.curate.index_documents import too_large, why_no_node, why_unlisted

    if corpus.tree and posixpath.basename(path) == "index.md":
        return ""
    if kind_of(corpus, path) is None:
        return why_no_node(corpus)
    try:
        data = ports.files.read(path)[0]
    except ReadFailed as failed:
        return str(failed)
    return why_unlisted(corpus, path, data) or too_large(len(data), ports.settings)


def _configured(ports: "CuratePorts") -> Mapping[str, Any]:
    from cairn.lib.yaml.parse import YamlProblem, load_yaml

    try:
        tree = load_yaml(_text(ports, f"{root_of(ports)}/config.yaml"))
    except YamlProblem:
        return {}
    return tree if isinstance(tree, dict) else {}


def at_work(ports: "CuratePorts") -> list[str]:
    """That the older program holds its own lock right now. It does not know of ours, so saying so is all we can do."""
    now_ms = ports.clock.now_ms()
    lock = state_of(ports, "state.json").get("lock")
    if isinstance(lock, dict) and _ms(lock.get("acquired_at")) + _ttl_ms(lock) > now_ms:
        who = f"{lock.get('name') or 'something'} (process {lock.get('pid')}, since {lock.get('acquired_at')})"
        return [_told(ports, who)]
    try:
        touched_ms = (
            os.stat(ports.root / f"{root_of(ports)}/.state/state.json.lock", follow_symlinks=False).st_mtime_ns
            // 1_000_000
        )
    except OSError:
        return []
    return [_told(ports, "something")] if touched_ms + _LOCK_MS > now_ms else []


def _told(ports: "CuratePorts", who: str) -> str:
    held = f"{root_of(ports)}/.state/state.json"
    return f"the program before Cairn seems to be at work: {who} holds {held}; Cairn does not wait for it"


def _ms(value: Any) -> int:
    try:
        at = datetime.fromisoformat(str(value).replace("Z", "+00:00"))
        return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError):
        return 0


def _ttl_ms(lock: Mapping[str, Any]) -> int:
    ttl = lock.get("ttl_ms")
    return ttl if isinstance(ttl, int) and 0 < ttl <= _LOCK_MS else _LOCK_MS
