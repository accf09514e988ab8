"""Contents in memory, for tests and simulations."""

from hashlib import sha256

from cairn.adapters.clock.system import SystemClock
from cairn.core.ports.runtime import BlobInfo, Clock


class MemoryBlobs:
    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._kept: dict[str, tuple[bytes, int]] = {}

    def put(self, data: bytes) -> str:
        key = f"sha256:{sha256(data).hexdigest()}"
        self._kept[key] = (data, self._clock.now_ms())
        return key

    def get(self, key: str) -> bytes | None:
        return self._kept[key][0] if key in self._kept else None

    def keys(self) -> list[str]:
        return sorted(self._kept)

    def entries(self) -> list[BlobInfo]:
        found = [BlobInfo(key, len(data), at) for key, (data, at) in self._kept.items()]
        return sorted(found, key=lambda kept: (kept.at_ms, kept.key))

    def drop(self, keys: list[str]) -> int:
        return sum(self._kept.pop(key, None) is not None for key in keys)
