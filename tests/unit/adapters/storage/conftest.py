"""The committed picture of each schema, compared with what the migrations make."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def update_schema() -> Callable[[Path, str], None]:
    """Compares a schema with its file; `CAIRN_WRITE_SCHEMA=1 pytest …` writes the file anew."""

    def compare(file: Path, text: str) -> None:
        if os.environ.get("CAIRN_WRITE_SCHEMA"):
            file.write_text(text)
        assert file.read_text() == text, "a migration changed the schema: run this with CAIRN_WRITE_SCHEMA=1"

    return compare
