"""The address of a server as it may be shown, and the name of a workspace's schema on it."""

import hashlib
import re
from typing import Any

from cairn.errors import StoreProblem

_SLUG = 32


_WRONG = (
    "store.url is not an address of PostgreSQL; write it as postgresql://user:password@host:5432/database, "
    "with %40 for an @ in the password."
)


def parse(url: str) -> dict[str, Any]:
    """What an address says, by libpq's names; the password is among it, so the result is never shown."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        parts = dict(conninfo_to_dict(url))
    except ProgrammingError:
        # The driver's own message repeats the address with the password in it, so it ends here.
        raise StoreProblem(_WRONG) from None
    if "@" in str(parts.get("host", "")):  # the rest of a password with an @ in it
        raise StoreProblem(_WRONG)
    return parts


def label(parts: dict[str, Any]) -> str:
    """`postgresql://user@host:5432/database`, without the password."""
    user = f"{parts['user']}@" if parts.get("user") else ""
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"postgresql://{user}{parts.get('host') or 'localhost'}{port}/{parts.get('dbname') or ''}"


def schema_name(workspace: str) -> str:
    """Readable first, then a hash, so that two workspaces of one name stay apart."""
    slug = re.sub(r"[^a-z0-9]+", "_", workspace.rstrip("/").rpartition("/")[2].lower()).strip("_")
    return f"cairn_{slug[:_SLUG] or 'workspace'}_{hashlib.sha256(workspace.encode()).hexdigest()[:10]}"


def lock_number(schema: str) -> int:
    """What writers of a workspace agree to lock: 64 bits made from its schema's name."""
    return int.from_bytes(hashlib.sha256(schema.encode()).digest()[:8], "big", signed=True)
