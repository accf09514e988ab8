"""Where a bootstrap keeps what it has done: the state of the documents, and those that it has read so far."""

from collections.abc import Collection
from typing import Final

from cairn.capture.session_logs import OLD_BASE
from cairn.changes.write import append_lines, remove_file, write_file
from cairn.core.ports.files import ReadFailed
from cairn.curate.bootstrap_state import BootstrapState, Derived, derived_line, read_derived, read_state, state_text
from cairn.curate.ports import CuratePorts
from cairn.curate.state import FOLDER

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

    def derived(self) -> dict[str, Derived]:
        return read_derived(self._text(PROGRESS))

    def add(self, derived: Derived) -> None:
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
