"""Pages as the base branch has them, where their status stands, and what a semantic hash makes of them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from cairn.changes.make_change import base_commit
from cairn.core.model.change import FileEdit
from cairn.core.model.knowledge import EntryStatus
from cairn.core.ports.runtime import ReadFailed
from cairn.errors import CairnError
from cairn.knowledge.content_hash import canonical_body, revision_of, semantic_hash
from cairn.knowledge.edit import set_values
from cairn.knowledge.lockfile import Lock, PageRecord, lock_file, parse_lock, render_lock
from cairn.knowledge.serving_status import status_of
from cairn.lib.markdown.frontmatter import decode, parse
from cairn.trust.artefact import PageState

if TYPE_CHECKING:
    from cairn.core.ports.trust import ArtefactRow
    from cairn.knowledge.ports import HasKnowledge
    from cairn.trust.ports import TrustPorts

HASH: Final = 16
"""Digits of a semantic hash that are kept."""
_DIGITS: Final = re.compile(r"\d+")
MAINTENANCE_PERCENT: Final = 2


def content_of(ports: "HasKnowledge", path: str, data: bytes) -> str:
    """Beginning of the semantic hash: status, version, dates and hashes of sources are not part of it."""
    text = decode(data).text
    page = parse(text)
    entry = ports.knowledge.entry(path, page.frontmatter)
    if entry is None:
        from hashlib import sha256

        return sha256(canonical_body(text).encode("utf-8", "surrogatepass")).hexdigest()[:HASH]
    return semantic_hash(entry, page.body).partition(":")[2][:HASH]


class BasePages:
    """Where there is no repository, the files as they lie there."""

    def __init__(self, ports: "TrustPorts") -> None:
        self._ports = ports
        self.commit = base_commit(ports) if ports.vcs.root() is not None else ""
        self._locks: dict[str, tuple[str, Lock]] = {}

    def read(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Those that are there."""
        wanted = list(dict.fromkeys(paths))
        if self.commit:
            found = self._ports.vcs.show([(self.commit, path) for path in wanted]) if wanted else []
            return {path: data for path, data in zip(wanted, found, strict=True) if data is not None}
        return {path: data for path in wanted if (data := self._on_disk(path)) is not None}

    def _on_disk(self, path: str) -> bytes | None:
        try:
            return self._ports.files.read(path)[0]
        except ReadFailed:
            return None

    def state(self, path: str, data: bytes, *, submitter: int = 0, maintenance: bool = False) -> PageState:
        status, version = self._said(path, data)
        content = content_of(self._ports, path, data)
        return PageState(content, status, version, revision_of(data), submitter, maintenance)

    def _said(self, path: str, data: bytes) -> tuple[EntryStatus | None, str]:
        """Status and version, of the page or of the lock file beside."""
        corpus = self._ports.knowledge.corpus(path)
        if corpus is not None and corpus.layout == "plain":
            record = self.lock(path)[1].pages.get(corpus.inside(path), PageRecord())
            return record.status, record.version or ""
        front = parse(decode(data).text).frontmatter
        version = front.get("version")
        return status_of(front), version if isinstance(version, str) else ""

    def lock(self, path: str) -> tuple[str, Lock]:
        """The lock file of the corpus that a plain page belongs to; one that cannot be read is an error that names the
        line."""
        corpus = self._ports.knowledge.corpus(path)
        assert corpus is not None
        file = lock_file(corpus)
        if file not in self._locks:
            text = self.read([file]).get(file, b"").decode("utf-8", "replace")
            self._locks[file] = (file, parse_lock(text, file))
        return self._locks[file]

    # --- writing ---------------------------------------------------------------------------------------------------

    def edits(self, artefact: "ArtefactRow", data: bytes) -> tuple[FileEdit, ...]:
        """The page with the status and the version of its artefact, in the file or in the lock file beside."""
        path = artefact.artefact
        corpus = self._ports.knowledge.corpus(path)
        status = EntryStatus(artefact.status)
        if corpus is None or corpus.layout != "plain":
            changed = set_values(data.decode("utf-8"), {("status",): artefact.status, ("version",): artefact.version})
            return (FileEdit(path, changed.encode("utf-8")),)
        file, lock = self.lock(path)
        record = lock.pages.get(corpus.inside(path), PageRecord())
        after = lock.with_page(corpus.inside(path), replace(record, status=status, version=artefact.version or None))
        return (FileEdit(path, data), FileEdit(file, render_lock(after).encode()))


def kept_text(ports: "TrustPorts", revision: str, snapshot: str) -> bytes | None:
    """The text of a revision: from git, which has it by its id, or as it was kept; None when neither has it."""
    if ports.vcs.root() is not None:
        try:
            [found] = ports.merges.contents([revision])
        except (CairnError, OSError):
            found = None
        if found is not None:
            return found
    return ports.blobs.get(snapshot) if snapshot else None


def is_maintenance(before: bytes | None, after: bytes) -> bool:
    """Whether an edit that is declared to change no meaning is small enough for that, and changes no number."""
    if before is None or not declares_maintenance(after):
        return False
    old, new = (canonical_body(parse(decode(data).text).body) for data in (before, after))
    if _DIGITS.findall(old) != _DIGITS.findall(new):
        return False
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    same = sum(block.size for block in blocks)
    return 100 * (max(len(old), len(new)) - same) <= MAINTENANCE_PERCENT * max(len(old), 1)


def declares_maintenance(data: bytes) -> bool:
    front: Mapping[str, object] = parse(decode(data).text).frontmatter
    return front.get("maintenance") is True
