"""Where a bootstrap keeps what it has done: the state of the documents, and those that it has read so far."""

import os
from typing import Final

from cairn.app.build import App
from cairn.app.capture.session_logs import OLD_BASE
from cairn.app.curate.state import FOLDER
from cairn.changes.write import remove_file, write_file
from cairn.curate.bootstrap_state import BootstrapState, Derived, derived_line, read_derived, read_state, state_text
from cairn.errors import CannotWrite
from cairn.kernel.ports.files import ReadFailed

STATE: Final = f"{FOLDER}/bootstrap-state.json"
OLD_STATE: Final = f"{OLD_BASE}/.state/bootstrap-state.json"
PROGRESS: Final = f"{FOLDER}/bootstrap.jsonl"
_APPEND: Final = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class BootstrapFiles:
    def __init__(self, app: App) -> None:
        self._app = app

    @property
    def place(self) -> str:
        """Beside the nodes of an older base, where there is one."""
        return OLD_STATE if self._app.files.exists(f"{OLD_BASE}/nodes") else STATE

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
        write_file(self._app.root, self.place, state_text(state), mode=0o600)

    # --- progress ------------------------------------------------------------------------------------------------

    def derived(self) -> dict[str, Derived]:
        return read_derived(self._text(PROGRESS))

    def add(self, derived: Derived) -> None:
        """On disk when this returns; a line that was cut short by a death is ended first."""
        path = self._app.root / PROGRESS
        data = derived_line(derived).encode("utf-8", "surrogatepass")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(path, _APPEND, 0o600)
            try:
                size = os.fstat(handle).st_size
                torn = bool(size) and os.pread(handle, 1, size - 1) != b"\n"
                os.write(handle, b"\n" + data if torn else data)
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise CannotWrite(f"{PROGRESS} cannot be written: {why}; make room or check its permissions.") from error

    def settle(self, done: set[str]) -> None:
        """What is through is not kept; what waits is."""
        left = [one for path, one in self.derived().items() if path not in done]
        if left:
            write_file(self._app.root, PROGRESS, "".join(map(derived_line, left)), mode=0o600)
        else:
            remove_file(self._app.root, PROGRESS)

    def _text(self, path: str) -> str:
        try:
            return self._app.files.read(path)[0].decode("utf-8", "replace")
        except ReadFailed:
            return ""
