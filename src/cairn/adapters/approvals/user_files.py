"""Files in the user's state directory that are about one repository."""

from collections.abc import Mapping
from pathlib import Path

from cairn.adapters.approvals.files import FILE, ApprovalFiles, state_directory
from cairn.adapters.vcs.own_commits import reflogs


class RepositoryApprovals:
    def __init__(self, root: Path, env: Mapping[str, str]) -> None:
        self._root, self._folder = root, state_directory(env)
        self._approvals = ApprovalFiles(self._folder)

    def names(self) -> list[str]:
        return self._approvals.places(reflogs(str(self._root)))

    def leave(self) -> tuple[str, int]:
        """Takes them away; where approvals stay, and how many."""
        self._approvals.drop_places(reflogs(str(self._root)))
        return f"{self._folder}/{FILE}", self._approvals.number()
