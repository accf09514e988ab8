"""Tells a machine without a network from a page that is gone."""

from cairn.core.ports.fetch import FetchFailed, Outcome
from cairn.lib.urls.url import host_of

OFFLINE = "offline"
"""Cause of a source that was not read because no host answered."""
REASON = "No host answered, so this machine seems to have no network."
_SILENT = frozenset({"dns", "connect", "timeout"})
_LEAST_HOSTS = 2
"""One host that does not answer says more about the host."""


class Reached:
    """Counts the hosts that were asked in one run, and whether any of them answered."""

    def __init__(self) -> None:
        self._silent: set[str] = set()
        self._answered = False

    def note(self, outcome: Outcome) -> None:
        """An address that the guard refuses says nothing: nobody was asked."""
        if is_silent(outcome):
            self._silent.add(host_of(outcome.url))
        elif not isinstance(outcome, FetchFailed) or outcome.cause != "refused":
            self._answered = True

    @property
    def nobody(self) -> bool:
        return not self._answered and len(self._silent) >= _LEAST_HOSTS


def is_silent(outcome: Outcome) -> bool:
    return isinstance(outcome, FetchFailed) and outcome.cause in _SILENT
