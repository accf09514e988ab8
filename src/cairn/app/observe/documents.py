"""The documents of a workspace, as lenses read them: each file once, however many lenses look."""

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from cairn.kernel.knowledge.corpus import corpus_of
from cairn.kernel.places import is_document
from cairn.kernel.ports.files import ReadFailed
from cairn.kernel.text.outline import DOCUMENTS
from cairn.kernel.text.readable import readable
from cairn.observe.lens import Document

if TYPE_CHECKING:
    from cairn.app.build import App


class Documents:
    """Without the reports of audits, which quote the others."""

    def __init__(self, app: "App", reports: str) -> None:
        self._app = app
        self._reports = f"{reports}/"

    @cached_property
    def paths(self) -> tuple[str, ...]:
        app = self._app
        largest = app.settings.integer("scan.max_file_size_bytes")
        walk = app.files.walk(app.scan_request().walk(DOCUMENTS))
        return tuple(
            file.path
            for file in walk.files
            if file.size <= largest and not file.path.startswith(self._reports) and self._is_ours(file.path)
        )

    def _is_ours(self, path: str) -> bool:
        return is_document(path) or corpus_of(path, self._app.corpora) is not None

    @cached_property
    def _read(self) -> tuple[Document, ...]:
        return tuple(found for path in self.paths if (found := self._document(path)))

    def _document(self, path: str) -> Document | None:
        try:
            data = self._app.files.read(path)[0]
            return Document(path, readable(path, data.decode("utf-8-sig"))) if b"\0" not in data else None
        except (ReadFailed, UnicodeDecodeError):
            return None  # `cairn check` names such files

    def __call__(self) -> Iterable[Document]:
        return self._read
