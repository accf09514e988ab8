"""What is mended without asking: addresses with a fragment in them, in any style of YAML, and nothing else."""

import pytest

from cairn.core.model.knowledge import Corpus
from cairn.knowledge.mend import mended
from cairn.knowledge.read import read_strict

KB = Corpus("kb", "kb", "entries", ())
HEAD = "name: a\ndescription: About a.\n"

MENDED = {
    "block": ("sources:\n  - url: https://x.dev/a#b\n", 'sources:\n  - url: https://x.dev/a\n    anchor: "#b"\n'),
    "remark": (
        "sources:\n- url: 'https://x.dev/a#b' # why\n  hash: x\n",
        "sources:\n- url: 'https://x.dev/a' # why\n  anchor: \"#b\"\n  hash: x\n",
    ),
    "flow": ("sources: [{url: 'https://x.dev/a#b'}]\n", "sources: [{url: 'https://x.dev/a', anchor: \"#b\"}]\n"),
    "nothing behind it": ("sources: [{url: https://x.dev/#}]\n", "sources: [{url: https://x.dev/}]\n"),
    "said twice": (
        "sources:\n  - url: https://x.dev/a#b\n    anchor: '#b'\n",
        "sources:\n  - url: https://x.dev/a\n    anchor: '#b'\n",
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("story", MENDED)
def test_story(story: str, newline: str) -> None:
    before, after = (f"---\n{HEAD}{front}---\nText #b.\n".replace("\n", newline) for front in MENDED[story])
    assert [p.mendable for p in read_strict("kb/a.md", before, KB).warnings if p.rule == "url-fragment"] in ([True], [])
    assert mended(before) == after
    assert mended(after) == after


@pytest.mark.parametrize(
    "front",
    [
        "",
        "sources: none\n",
        "sources: [text, {url: 5}, {path: src/a.py#b}]\n",
        "sources:\n  - url: https://x.dev/a#b\n    anchor: '#c'\n",
    ],
)
def test_what_needs_a_person_is_left(front: str) -> None:
    text = f"---\n{HEAD}{front}---\nText.\n"
    assert mended(text) == text
    assert not any(p.mendable for p in read_strict("kb/a.md", text, KB).warnings)
    assert mended("# No frontmatter\n") == "# No frontmatter\n"
