"""How the index of the ledger's events writes their ids."""

import pytest

from cairn.core.model.event import packed_id, unpacked_id

IDS = {
    "a UUID": ("019a4bd0-0f6a-7c2e-9c3b-0123456789ab", 16),
    "a UUID in capitals": ("019A4BD0-0F6A-7C2E-9C3B-0123456789AB", 36),
    "a ULID": ("01ARZ3NDEKTSV4RRFFQ69G5FAV", 26),
    "as long as a UUID": ("sixteen-letters!", 17),
    "as long as a short one": ("ten-letter", 11),
    "short": ("e1", 2),
    "not ASCII": ("é" * 8, 17),
}


AT_MS = 0x019A4BD00F6A


@pytest.mark.parametrize(("id", "size"), IDS.values(), ids=IDS)
def test_an_id_comes_back_as_it_was(id: str, size: int) -> None:
    assert len(packed_id(id, AT_MS + 1)) == size
    for at_ms in (AT_MS, AT_MS + 1, 0, -5):
        assert unpacked_id(packed_id(id, at_ms), at_ms) == id


def test_an_id_that_begins_with_the_time_is_kept_without_it() -> None:
    assert len(packed_id(IDS["a UUID"][0], AT_MS)) == 10
