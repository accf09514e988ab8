"""Whether a sentence is about today."""

import pytest

from cairn.kernel.text.tense import about_the_past, is_example

SENTENCES = {
    "The cache is shared.": (False, False),
    "The cache was shared.": (True, False),
    "We used to share the cache.": (True, False),
    "Sharing is planned.": (True, False),
    "Call `was_shared` first.": (False, False),
    "For example, share the cache.": (False, True),
    "One could share the cache.": (False, True),
}


@pytest.mark.parametrize(("text", "expected"), SENTENCES.items())
def test_tense(text: str, expected: tuple[bool, bool]):
    assert (about_the_past(text), is_example(text)) == expected
