"""Writing a file that a person named: inside the workspace by the one writer, elsewhere plainly."""

from pathlib import Path

from cairn.changes.write import write_file
from cairn.errors import CannotWrite


def save(root: Path, path: Path, content: str) -> None:
    """Whole or not at all."""
    target = path.parent.resolve() / path.name
    home = root.resolve()
    if home in target.parents:
        write_file(home, target.relative_to(home).as_posix(), content)
        return
    if not target.parent.is_dir():
        raise CannotWrite(f"`{path}` cannot be written: its folder does not exist.")
    write_file(target.parent, target.name, content)
