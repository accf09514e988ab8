"""Who owns the files of this workspace, by the CODEOWNERS of the repository that it lies in."""

from pathlib import Path

from cairn.adapters.files.local import LocalFiles
from cairn.core.ports.files import Files, ReadFailed
from cairn.graph.owners import Owners, find_owners
from cairn.workspace.ports import WorkspacePorts


def owners_here(ports: WorkspacePorts) -> Owners:
    home = ports.root.resolve()
    repository = _repository(home)
    files = ports.files if repository == home else LocalFiles(repository)
    base = "" if repository == home else f"{home.relative_to(repository).as_posix()}/"
    return find_owners(lambda path: _data(files, path), base=base)


def _repository(home: Path) -> Path:
    """The nearest folder upwards that git knows, or the workspace itself."""
    return next((folder for folder in (home, *home.parents) if (folder / ".git").exists()), home)


def _data(files: Files, path: str) -> bytes | None:
    try:
        return files.read(path)[0] if files.exists(path) else None
    except ReadFailed:
        return None
