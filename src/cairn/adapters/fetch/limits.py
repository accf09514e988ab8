"""How much a fetch may take, and how politely it is done."""

from typing import NamedTuple

MIB = 1024 * 1024


class Limits(NamedTuple):
    raw_bytes: int = 5 * MIB
    """Of a body as it travels."""
    decoded_bytes: int = 5 * MIB
    """Of a body when it is unpacked."""
    redirects: int = 5
    connect_seconds: float = 10.0
    hop_seconds: float = 30.0
    """From looking up the name to the last byte of one answer."""
    probe_seconds: float = 15.0
    """The same, where only the presence of a page is asked for."""
    total_seconds: float = 90.0
    """Of all hops of one attempt."""
    attempts: int = 3
    backoff_seconds: float = 1.0
    """Before the second attempt; doubles with each."""
    longest_wait: float = 30.0
    """How long a server may ask us to wait (`Retry-After`); after that the page counts as failed for this run."""
    silent_seconds: float = 5.0
    """While no host answers; after that the others are not asked, since there seems to be no network."""


class Manners(NamedTuple):
    concurrency: int = 16
    at_once: int = 2
    """Connections to one host."""
    gap_seconds: float = 0.1
    """Between the starts of two requests to one host."""
    vouched_at_once: int = 16
    """For places in CAIRN_FETCH_ALLOW: whoever vouches for a host may also load it."""
    vouched_gap_seconds: float = 0.0
