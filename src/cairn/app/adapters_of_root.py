"""Adapters that need nothing but the folder of a workspace, the environment and a clock."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cairn.adapters.files.local import LocalFiles
from cairn.core.event_bus import EventBus
from cairn.core.paths import LEDGER, LOCKS
from cairn.core.ports.runtime import Clock, Files
from cairn.lib.code.model import Probe

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from cairn.adapters.vcs.kept_tree import GitKeptTree
    from cairn.adapters.vcs.trees import GitTrees
    from cairn.core.ports.git_refs import OwnRefs, SharedState
    from cairn.core.ports.ledger import CollectedLedgers, LedgerFiles, LedgerSource
    from cairn.core.ports.runtime import Locks, StoredFiles
    from cairn.core.ports.vcs import History, Merges
    from cairn.core.registry import ProjectPlugin
    from cairn.knowledge.approval import Approvals, OwnCommits
    from cairn.workspace.ports import UserFiles


class AdaptersOfRoot:
    """Most are made anew each time: they are cheap, and others change what they read."""

    def __init__(self, root: Path, env: Mapping[str, str], clock: Clock) -> None:
        self.root = root
        self.env = env
        self.clock = clock
        self.bus = EventBus()

    @cached_property
    def trees(self) -> "GitTrees":
        """The same repository, for reading many files of commits."""
        from cairn.adapters.vcs.trees import GitTrees

        return GitTrees(self.root)

    @cached_property
    def merges(self) -> "Merges":
        from cairn.adapters.forge.local.trees import GitMerges

        return GitMerges(self.root)

    @property
    def ledger_files(self) -> "LedgerFiles":
        """The same ledger, for whoever takes lines away."""
        from cairn.adapters.ledger.rewrite import JsonlLedgerFiles

        return JsonlLedgerFiles(self.root / LEDGER)

    @property
    def stored_files(self) -> "StoredFiles":
        from cairn.adapters.files.bytes import LocalStoredFiles

        return LocalStoredFiles()

    @property
    def own_refs(self) -> "OwnRefs":
        """Refs of git that are here because of Cairn."""
        from cairn.adapters.forge.local.own_refs import GitOwnRefs

        return GitOwnRefs(self.root)

    @property
    def shared_state(self) -> "SharedState":
        """The state that travels on a ref of git."""
        from cairn.adapters.vcs.state_ref import StateRef

        return StateRef(self.root, env=self.env)

    def history(self) -> "History":
        """Commits, newest first. Reading them takes a while."""
        from cairn.adapters.vcs.history import read_history

        return read_history(self.root)

    def work_tree_stamp(self) -> str | None:
        """Changes whenever a commit is added, a file differs, or git knows more history; None where git can't tell."""
        from cairn.adapters.vcs.history import work_tree_stamp

        return work_tree_stamp(self.root)

    def is_ignored(self, path: str) -> bool:
        """Whether git ignores a path, whatever Cairn passes over by itself."""
        from cairn.adapters.vcs.program import GitProgram

        question = ("--no-literal-pathspecs", "check-ignore", "-q", "--no-index", "--", path)
        return GitProgram(self.root).attempt(*question, seconds=5.0) is not None

    def files_at(self, folder: Path) -> Files:
        """The files of another folder."""
        return LocalFiles(folder)

    def project_plugins(self) -> "list[ProjectPlugin]":
        """Plugins that came with the repository. They don't run."""
        from cairn.adapters.plugins.project import project_plugins

        return project_plugins(self.root)

    @property
    def user_files(self) -> "UserFiles":
        """Files in the user's state directory that are about this repository."""
        from cairn.adapters.approvals.user_files import RepositoryApprovals

        return RepositoryApprovals(self.root, self.env)

    @property
    def locks(self) -> "Locks":
        """Of the workspace: one who captures a session, one who curates."""
        from cairn.adapters.lock.files import FileLocks

        return FileLocks(self.root / LOCKS, self.clock.now_ms)

    @property
    def repository_locks(self) -> "Locks":
        """Of all work trees together: they share the place where requests live."""
        from cairn.adapters.lock.files import FileLocks
        from cairn.adapters.vcs.program import GitProgram

        common = (GitProgram(self.root).answer("rev-parse", "--git-common-dir") or ".git").removesuffix("\n")
        return FileLocks(self.root / common / "cairn", self.clock.now_ms)

    @property
    def probe(self) -> Probe:
        """Tells whether a parser comes back from a file."""
        from cairn.adapters.process.probe import comes_back

        return comes_back

    @property
    def approvals(self) -> "Approvals":
        """Of this user, in all repositories; read anew each time, since others approve as well."""
        from cairn.adapters.approvals.files import ApprovalFiles, state_directory

        return ApprovalFiles(state_directory(self.env))

    @property
    def own_commits(self) -> "OwnCommits":
        from cairn.adapters.vcs.own_commits import GitOwnCommits

        return GitOwnCommits(self.root)

    # --- trust ---------------------------------------------------------------------------------------------------

    def voter_salt(self) -> bytes:
        """Of this user, outside of every repository."""
        from cairn.adapters.approvals.files import state_directory
        from cairn.adapters.files.salt import kept_salt

        return kept_salt(state_directory(self.env))

    def page_author(self, path: str, rev: str) -> str:
        """Name of who last changed a page; empty where git can't tell."""
        from cairn.adapters.vcs.program import GitProgram

        return (GitProgram(self.root).answer("log", "-1", "--format=%an", rev, "--", path) or "").strip()

    # --- observe -------------------------------------------------------------------------------------------------

    def start_detached(self, command: Sequence[str]) -> None:
        """Starts a program in the root that nobody waits for."""
        from cairn.adapters.process.detached import start_detached

        start_detached(command, folder=self.root, env=self.env)

    def dispatch(self, command: str, text: str, *, env: Mapping[str, str], seconds: float) -> str:
        """Lets a program of the operator's work in the root. Empty when it ended well, else why not."""
        from cairn.adapters.process.dispatch import dispatch

        return dispatch(command, text, env=env, folder=self.root, seconds=seconds)

    def why_not_dispatched(self, command: str) -> str:
        """Why a program could not be started here; empty when it could."""
        from cairn.adapters.process.dispatch import why_not

        return why_not(command, env=self.env, folder=self.root)

    def keep_tree(self, top: Path) -> "AbstractContextManager[GitKeptTree]":
        """Everything below the top of the repository, so that it can be put back as it is now."""
        from cairn.adapters.vcs.kept_tree import kept_tree

        return kept_tree(top)

    def ledgers_at(self, place: Path) -> "Sequence[LedgerSource]":
        return ledgers_at(place)

    def collected_ledgers(self) -> "AbstractContextManager[CollectedLedgers]":
        """What was collected so far. One process at a time holds it."""
        from cairn.adapters.ledger.collected import CollectedLedgerFiles

        return CollectedLedgerFiles(self.root / LEDGER)


def ledgers_at(place: Path) -> "Sequence[LedgerSource]":
    """What is there to read at a place that a person named."""
    from cairn.adapters.ledger.collected import ledger_files

    return ledger_files(place)
