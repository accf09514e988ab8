"""A secret that is made once and kept in the user's state directory."""

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_bytes

from cairn.errors import EnvironmentProblem

_BYTES = 32


def kept_salt(folder: Path | None) -> bytes:
    """The same each time; made, for this user alone to read, when it is first asked for."""
    if folder is None:
        raise EnvironmentProblem("There is no place for the voters' secret; set HOME or XDG_STATE_HOME.")
    file = folder / "trust-salt"
    with suppress(FileExistsError):
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as made:
            made.write(token_bytes(_BYTES))
            made.flush()
            os.fsync(made.fileno())
    salt = file.read_bytes()
    if len(salt) != _BYTES:
        raise EnvironmentProblem(f"{file} is damaged; delete it, and the next tick makes another one.")
    return salt
