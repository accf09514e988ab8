"""The blobs port: what goes in comes out, under its hash."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.adapters.blobs.files import FileBlobs
from cairn.adapters.blobs.memory import MemoryBlobs
from cairn.core.ports.runtime import Blobs
from cairn.errors import CannotWrite


@pytest.fixture(params=["files", "memory"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Blobs:
    return FileBlobs(tmp_path / "blobs") if request.param == "files" else MemoryBlobs()


def test_nothing_is_there_at_first(blobs: Blobs) -> None:
    assert (blobs.keys(), blobs.entries(), blobs.get("sha256:" + "0" * 64)) == ([], [], None)
    assert blobs.drop(["sha256:" + "0" * 64]) == 0


def test_the_same_data_has_the_same_key(blobs: Blobs) -> None:
    key = blobs.put(b"hello")
    assert key == "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    assert (blobs.put(b"hello"), blobs.keys(), blobs.get(key)) == (key, [key], b"hello")


@given(data=st.binary(max_size=2_000))
def test_what_goes_in_comes_out(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    for blobs in (FileBlobs(tmp_path_factory.mktemp("blobs")), MemoryBlobs()):
        assert blobs.get(blobs.put(data)) == data


def test_what_is_dropped_is_gone(blobs: Blobs) -> None:
    one, two = blobs.put(b"one"), blobs.put(b"two")
    assert blobs.drop([one, "sha256:" + "f" * 64]) == 1
    assert (blobs.get(one), blobs.get(two), blobs.keys()) == (None, b"two", [two])


def test_entries_come_with_their_size_and_age(blobs: Blobs) -> None:
    blobs.put(b"x" * 10_000)
    (entry,) = blobs.entries()
    assert entry.key == blobs.keys()[0]
    assert 0 < entry.bytes <= 10_000
    assert entry.at_ms > 1_700_000_000_000


@pytest.mark.parametrize("key", ["", "sha256:", "../../etc/passwd", "sha256:../" + "0" * 61, "SHA256:" + "0" * 64])
def test_what_is_no_key_leads_to_no_file(blobs: Blobs, key: str) -> None:
    assert blobs.get(key) is None
    assert blobs.drop([key]) == 0


def test_a_damaged_file_is_as_good_as_none_and_is_mended_by_the_next_put(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path)
    key = blobs.put(b"hello" * 100)
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    for broken in (b"", b"not zlib", file.read_bytes()[:8]):
        file.write_bytes(broken)
        assert blobs.get(key) is None
    assert blobs.put(b"hello" * 100) == key
    assert blobs.get(key) == b"hello" * 100


def test_large_texts_take_little_room_and_nothing_else_is_left_behind(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path)
    blobs.put(b"the same sentence again. " * 10_000)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 1
    assert files[0].stat().st_size < 5_000


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("in the way")
    with pytest.raises(CannotWrite, match="cannot be written"):
        FileBlobs(tmp_path / "blobs").put(b"x")
