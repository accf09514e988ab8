"""What went wrong with a fetch, in one sentence, and whether trying again is worth it."""

import ssl

import httpcore

from cairn.adapters.fetch.backend import GuardRefused, NameUnknown
from cairn.adapters.fetch.unpack import BadEncoding, TooLarge
from cairn.core.ports.sources import Cause, FetchFailed

EXPECTED = (
    GuardRefused, NameUnknown, TooLarge, BadEncoding,
    httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, OSError,
)  # fmt: skip
"""Everything that the world may do to a fetch; anything else is a bug of ours."""

_CAUSES: dict[type[Exception], tuple[Cause, bool]] = {
    GuardRefused: ("refused", False),
    NameUnknown: ("dns", True),
    TooLarge: ("too-large", False),
    BadEncoding: ("decoding", False),
}
WORTH_RETRYING = frozenset({408, 425, 429, 500, 502, 503, 504})
_MEANINGS = {
    404: "there is no such page",
    410: "the page was taken away",
    429: "the server wants to be asked less often",
    451: "the page is withheld for legal reasons",
}


def failure(url: str, error: Exception, host: str) -> FetchFailed:
    for kind, (cause, retryable) in _CAUSES.items():
        if isinstance(error, kind):
            return FetchFailed(url, cause, str(error), retryable)
    if (trouble := _certificate_trouble(error)) is not None:
        return FetchFailed(url, "tls", f"{host} could not prove who it is: {trouble}.")
    if isinstance(error, httpcore.TimeoutException | TimeoutError):
        return FetchFailed(url, "timeout", f"{host} did not answer in time.", retryable=True)
    if isinstance(error, httpcore.ProtocolError):
        return FetchFailed(url, "connect", f"{host} broke off, or speaks no HTTP that we understand.", retryable=True)
    return FetchFailed(url, "connect", f"{host} cannot be reached.", retryable=True)


def _certificate_trouble(error: BaseException | None) -> str | None:
    """httpcore wraps what TLS says."""
    seen = 0
    while error is not None and seen < 10:
        if isinstance(error, ssl.SSLCertVerificationError):
            return (error.verify_message or "its certificate is not valid").rstrip(".")
        if isinstance(error, ssl.SSLError):
            return f"TLS failed ({(error.reason or 'no reason given').replace('_', ' ').lower()})"
        error, seen = error.__cause__ or error.__context__, seen + 1
    return None


def bad_status(url: str, status: int) -> FetchFailed:
    if status in (401, 403, 407):
        reason = f"The server answers {status}: it wants to know who asks."
        return FetchFailed(url, "unauthorized", reason, status=status)
    meaning = f": {_MEANINGS[status]}" if status in _MEANINGS else ""
    return FetchFailed(url, "status", f"The server answers {status}{meaning}.", status in WORTH_RETRYING, status)
