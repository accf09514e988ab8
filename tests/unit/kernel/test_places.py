"""Which files are documents for readers, and which of them tell of the past."""

import pytest

from cairn.kernel.places import is_document, is_history

PATHS = {
    "README.md": (True, False),
    "docs/guide.mdx": (True, False),
    "docs/guide.rst": (True, False),
    "docs/guide.markdown": (True, False),
    "README": (True, False),
    "lib/INSTALL.txt": (True, False),
    "docs/guide.txt": (False, False),
    "bin/uninstall": (False, False),
    "docs/guide.adoc": (False, False),
    "node_modules/a/README.md": (False, False),
    "docs/de/guide.md": (False, False),
    "docs/v1/guide.md": (False, False),
    "CHANGELOG.md": (True, True),
    "docs/adr/0001-queue.md": (True, True),
    "docs/release-notes/2.4.md": (True, True),
}


@pytest.mark.parametrize(("path", "expected"), PATHS.items())
def test_places(path: str, expected: tuple[bool, bool]):
    assert (is_document(path), is_history(path)) == expected
