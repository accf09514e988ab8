"""What PostgreSQL says, as a sentence that says what to do."""

import psycopg

from cairn.errors import CannotWrite, EnvironmentProblem, StoreCorrupt, StoreLocked, StoreProblem

_LOCKED = ("55P03", "40P01", "40001")
_FULL = ("53100", "53200", "53400")
_DAMAGED = ("XX001", "XX002")

_CONNECTING = (
    ("password authentication failed", "the server does not accept this user with this password; check store.url"),
    ("no password supplied", "the server wants a password; write it into store.url or into ~/.pgpass"),
    ("no pg_hba.conf entry", "the server does not let this user in from here; its pg_hba.conf decides"),
    ("too many", "the server has too many connections; try again later"),
    ("starting up", "the server is still starting; try again in a moment"),
    ("role ", "the server knows no such user; check store.url"),
    ("database ", "the server has no such database; make it with `createdb`, or check store.url"),
    ("could not translate host name", "the name of its host is unknown; check store.url"),
    ("failed to resolve host", "the name of its host is unknown; check store.url"),
    ("timeout", "it did not answer in time; check the address and the network"),
    ("refused", "nothing listens there; start the server, or check host and port"),
    ("No such file", "nothing listens there; start the server, or check the folder of its socket"),
    ("SSL", "it could not agree on encryption; check sslmode in store.url"),
)


def cannot_connect(error: psycopg.Error, label: str) -> StoreProblem:
    """The driver's own words may hold a part of the password, when it has an @ in it: they are only looked at."""
    text = str(error)
    for words, why in _CONNECTING:
        if words in text:
            return StoreProblem(f"Cannot use {label}: {why}.")
    return StoreProblem(f"Cannot connect to {label}; check the address, and that the server runs.")


def problem(error: psycopg.Error, label: str) -> EnvironmentProblem:
    state = error.sqlstate or ""
    text = (error.diag.message_primary or str(error)).strip()
    if state in _LOCKED:
        return StoreLocked(f"Another process is writing to {label}; try again when it has finished.")
    if state in _FULL:
        return CannotWrite(f"{label} has no room left ({text}); free some space there, then run the command again.")
    if state == "25006":
        return CannotWrite(f"{label} is read-only ({text}); name the primary server in store.url.")
    if state == "42501":
        return CannotWrite(
            f"{label} does not allow this ({text}); ask for CREATE on the database, or for another user."
        )
    if state in _DAMAGED:
        return StoreCorrupt(f"{label} is damaged ({text}); restore a backup of the server.")
    if isinstance(error, psycopg.OperationalError) and (not state or state.startswith(("08", "57P"))):
        return StoreProblem(f"The connection to {label} broke off; run the command again when the server is back.")
    return StoreProblem(f"The database {label} could not be used: {text}. `cairn doctor` says more.")
