import os

import pytest

from cairn.config.files import read_text
from cairn.core.paths import COMMITTED
from cairn.errors import ConfigError
from cairn.lib.text.json_splice import parse_object


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "repo" / COMMITTED
    path.parent.mkdir(parents=True)
    return path


def read(file):
    return read_text(file.parent.parent, COMMITTED)


def test_a_missing_file_is_no_file(file):
    assert read(file) is None


def test_a_byte_order_mark_is_passed_over(file):
    file.write_bytes(b"\xef\xbb\xbf{}")
    assert read(file) == "{}"


def test_line_ends_are_kept(file):
    file.write_bytes(b"{\r\n}")
    assert read(file) == "{\r\n}"


def test_a_fifo_does_not_block(file):
    os.mkfifo(file)
    with pytest.raises(ConfigError, match="not a regular file"):
        read(file)


def test_a_folder_is_refused(file):
    file.mkdir()
    with pytest.raises(ConfigError, match="not a regular file"):
        read(file)


def test_a_link_out_of_the_repository_is_refused(file, tmp_path):
    (tmp_path / "secret").write_text("{}")
    file.symlink_to(tmp_path / "secret")
    with pytest.raises(ConfigError, match="outside the repository"):
        read(file)


def test_a_folder_that_links_out_of_the_repository_is_refused(file, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "settings.json").write_text("{}")
    file.parent.rmdir()
    file.parent.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="outside the repository"):
        read(file)


def test_a_link_inside_the_repository_is_fine(file):
    (file.parent / "real.json").write_text("{}")
    file.symlink_to("real.json")
    assert read(file) == "{}"


@pytest.mark.parametrize("target", ["nowhere", "settings.json"])
def test_a_dangling_or_circular_link_is_named(file, target):
    file.symlink_to(target)
    with pytest.raises(ConfigError, match=r"settings\.json"):
        read(file)


def test_a_huge_file_is_refused(file):
    file.write_bytes(b" " * 1_048_577)
    with pytest.raises(ConfigError, match="larger than 1 MB"):
        read(file)


def test_the_largest_file_is_read(file):
    file.write_bytes(b"{}" + b" " * 1_048_574)
    assert parse_object(read(file), COMMITTED) == {}


def test_bytes_that_are_no_text_are_named_with_their_line(file):
    file.write_bytes(b'{\n"a": "\xff"}')
    with pytest.raises(ConfigError, match=r"settings\.json:2: this is not UTF-8"):
        read(file)


def test_a_duplicate_inside_a_list_is_refused_too():
    with pytest.raises(ConfigError, match="'x' stands here twice"):
        parse_object('{"plugins": {"a": {"extensions": {"b": {"settings": {"c": [{"x": 1, "x": 2}]}}}}}}', COMMITTED)
