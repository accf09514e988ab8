"""Version control, as far as the foundation needs it."""

from collections.abc import Sequence
from typing import Protocol


class Vcs(Protocol):
    def root(self) -> str | None:
        """Absolute path of the work tree that holds the workspace, None when it is in no repository."""
        ...

    def tracked(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Which of these paths (relative to the workspace) the index holds; empty without a repository."""
        ...

    def user_name(self) -> str | None: ...
