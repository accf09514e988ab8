"""Lists documents of the repository that a scan did not read, with the reason."""

from collections import Counter
from collections.abc import Iterator, Sequence

from cairn.errors import CairnError
from cairn.graph.left_out import left_out
from cairn.lib.document.outline import format_of
from cairn.workspace.ports import WorkspacePorts

_OUTPUT = frozenset(("build", "dist", "out", "target"))
"""Folders that are ignored by default because programs write them; some projects keep their documents there."""


def unread(ports: WorkspacePorts) -> tuple[str, ...]:
    committed = _committed(ports)
    return (*left_out(ports.store), *_in_plain_text(committed), *_ignored_by_default(ports, committed))


def _committed(ports: WorkspacePorts) -> Sequence[str]:
    try:
        return ports.vcs.files("HEAD") if ports.vcs.root() else ()
    except CairnError:
        return ()  # nothing is committed yet


def _in_plain_text(committed: Sequence[str]) -> Iterator[str]:
    """Pages of Sphinx that end with `.txt`, which only its configuration tells from other text."""
    known = frozenset(committed)
    roots = [path.removesuffix("conf.py") for path in committed if path.rpartition("/")[2] == "conf.py"]
    for root in (root for root in roots if f"{root}index.txt" in known):
        pages = sum(path.startswith(root) and path.endswith(".txt") for path in committed)
        yield f"not read: {pages:,} .txt {'file' if pages == 1 else 'files'} below {root or './'}"


def _ignored_by_default(ports: WorkspacePorts, committed: Sequence[str]) -> list[str]:
    """Committed documents below a folder such as `doc/build/`."""
    folders = Counter(folder for path in committed if (folder := _output_folder(path)) and format_of(path))
    request = ports.scan_request().walk(())
    return [
        f"not read: {number:,} {'document' if number == 1 else 'documents'} below {folder} "
        f"(ignored by default; `!{folder}` in .cairnignore reads them)"
        for folder, number in sorted(folders.items())
        if ports.files.ignored(f"{folder}index.rst", request)
    ]


def _output_folder(path: str) -> str:
    """The outermost folder of that kind, with a slash at the end; empty when the path has none."""
    folders = path.split("/")[:-1]
    at = next((index for index, name in enumerate(folders) if name in _OUTPUT), None)
    return "" if at is None else "/".join(folders[: at + 1]) + "/"
