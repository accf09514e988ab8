"""Lists documents of the repository that a scan did not read, with the reason."""

from collections import Counter

from cairn.app.build import App
from cairn.errors import CairnError
from cairn.kernel.text.outline import format_of
from cairn.workspace.left_out import left_out

_OUTPUT = frozenset(("build", "dist", "out", "target"))
"""Folders that are ignored by default because programs write them; some projects keep their documents there."""
_ENOUGH = 3


def unread(app: App) -> tuple[str, ...]:
    return (*left_out(app.store), *_ignored_by_default(app))


def _ignored_by_default(app: App) -> list[str]:
    """Committed documents below a folder such as `doc/build/`."""
    try:
        committed = app.vcs.files("HEAD") if app.vcs.root() else ()
    except CairnError:
        return []  # nothing is committed yet
    folders = Counter(folder for path in committed if (folder := _output_folder(path)) and format_of(path))
    request = app.scan_request().walk(())
    return [
        f"not read: {number:,} documents below {folder} (ignored by default; `!{folder}` in .cairnignore reads them)"
        for folder, number in sorted(folders.items())
        if number >= _ENOUGH and app.files.ignored(f"{folder}index.rst", request)
    ]


def _output_folder(path: str) -> str:
    """The outermost folder of that kind, with a slash at the end; empty when the path has none."""
    folders = path.split("/")[:-1]
    at = next((index for index, name in enumerate(folders) if name in _OUTPUT), None)
    return "" if at is None else "/".join(folders[: at + 1]) + "/"
