"""The documents of a workspace, as lenses read them: each file once, however many lenses look."""

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from cairn.core.isolate import each
from cairn.core.ports.files import ReadFailed
from cairn.core.scope import Scope
from cairn.knowledge.serving_status import page_scope
from cairn.lib.document.as_markdown import readable
from cairn.lib.document.outline import DOCUMENTS, format_of
from cairn.observe.lens import Document

if TYPE_CHECKING:
    from cairn.observe.ports import ObservePorts


_READ = (Scope.CURRENT, Scope.PAST)
"""The past is read: decisions supersede each other, and old pages define ids. Lenses decide what they report of it."""


class Documents:
    """Without the reports of audits, which quote the others."""

    def __init__(self, ports: "ObservePorts", reports: str) -> None:
        self._ports = ports
        self._reports = f"{reports}/"

    @cached_property
    def paths(self) -> tuple[str, ...]:
        app = self._ports
        largest = app.settings.integer("scan.max_file_size_bytes")
        walk = app.files.walk(app.scan_request().walk(DOCUMENTS))
        return tuple(
            file.path
            for file in walk.files
            if file.size <= largest and not file.path.startswith(self._reports) and self._is_ours(file.path)
        )

    def _is_ours(self, path: str, text: str = "") -> bool:
        return format_of(path) is not None and page_scope(path, self._ports.corpora, text) in _READ

    @cached_property
    def _read(self) -> tuple[Document, ...]:
        return tuple(found for found in each(self.paths, self._document, str) if found)

    def _document(self, path: str) -> Document | None:
        try:
            data = self._ports.files.read(path)[0]
            text = data.decode("utf-8-sig")
        except (ReadFailed, UnicodeDecodeError):
            return None  # `cairn check` names such files
        return Document(path, readable(path, text)) if "\0" not in text and self._is_ours(path, text) else None

    def __call__(self) -> Iterable[Document]:
        return self._read
