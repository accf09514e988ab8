"""Locks of one process, for tests and for those who have nobody to share with."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from cairn.core.ports.runtime import Holder, Lease
from cairn.errors import Conflict


class MemoryLocks:
    def __init__(self) -> None:
        self._held: dict[str, Holder] = {}

    @contextmanager
    def hold(self, name: str, *, ttl_ms: int = 0, wait_ms: int = 0, what: str = "") -> Iterator[Lease]:
        if name in self._held:
            raise Conflict(f"`{name}` is held; try again when it is free.", lock=name)
        holder = Holder(name, os.getpid(), "here", os.urandom(16).hex(), 0, 0, ttl_ms)
        self._held[name] = holder
        try:
            yield _MemoryLease(self, holder)
        finally:
            if self._held.get(name) == holder:
                del self._held[name]

    def holders(self) -> list[tuple[Holder, str]]:
        return [(holder, "") for holder in self._held.values()]

    def break_lock(self, name: str) -> bool:
        return self._held.pop(name, None) is not None


class _MemoryLease:
    before: Holder | None = None

    def __init__(self, locks: MemoryLocks, holder: Holder) -> None:
        self._locks, self._holder = locks, holder

    def beat(self) -> None:
        if (self._holder, "") not in self._locks.holders():
            raise Conflict(f"The lock `{self._holder.name}` was taken away. Nothing more is done.")
