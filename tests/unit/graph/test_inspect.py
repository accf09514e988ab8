"""Counting the tokens of a node, and keeping the count."""

from contextlib import closing
from pathlib import Path

import pytest

from cairn.app.build import App, build_app
from cairn.core.model.graph import Triple
from cairn.graph.inspect import KEPT, tokens_of
from cairn.graph.run_scan import run_scan
from cairn.lib.text.estimate_tokens import EstimatedTokens


class Letters:
    """Counts letters, so that every part of the text is seen in the result."""

    exact = True

    def __init__(self, name: str = KEPT) -> None:
        self.name = name
        self.asked = 0

    def count(self, text: str) -> int:
        self.asked += 1
        return len(text)


def scanned(root: Path, files: dict[str, bytes]) -> App:
    for name, data in {".cairn/settings.json": b"{}", **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    app = build_app(root, env={}, tracked=lambda _: ())
    run_scan(app, app.scan_request())
    return app


def count(app: App, path: str, tokenizer):
    node = app.store.node(path)
    assert node is not None
    found = tokens_of(node, store=app.store, files=app.files, tokenizer=tokenizer)
    return None if found is None else (found.tokens, found.tokenizer, found.exact)


@pytest.mark.parametrize(
    ("path", "data", "tokens"),
    [
        ("a.md", b"---\nx: 1\n---\nbody\n", Triple(13, 5, 18)),
        ("a.md", b"body\n", Triple(0, 5, 5)),
        ("a.md", b"", Triple(0, 0, 0)),
        ("a.md", b"---\r\nx: 1\r\n---\r\nbody", Triple(16, 4, 20)),
        ("a.md", "ä€🌱\n".encode(), Triple(0, 4, 4)),
        ("a.md", b"\xef\xbb\xbf# Mark\n", Triple(0, 7, 7)),
        (".codex/agents/a.toml", b'name = "a"\ndescription = "x"\n', Triple(29, 0, 29)),
    ],
)
def test_frontmatter_and_body_are_counted_apart(tmp_path, path, data, tokens):
    with closing(scanned(tmp_path, {path: data})) as app:
        assert count(app, path, Letters()) == (tokens, KEPT, True)
        assert app.store.node(path).tokens == tokens


def test_a_count_is_kept_until_the_file_changes(tmp_path):
    with closing(scanned(tmp_path, {"a.md": b"12345"})) as app:
        letters = Letters()
        assert count(app, "a.md", letters) == count(app, "a.md", letters)
        assert letters.asked == 2  # once for each part, not again
        (tmp_path / "a.md").write_bytes(b"1234567")
        assert count(app, "a.md", letters)[0].total == 5  # what is known is about the scanned text
        run_scan(app, app.scan_request())
        assert count(app, "a.md", letters)[0].total == 7


@pytest.mark.parametrize("tokenizer", [EstimatedTokens(), Letters("o200k_base")], ids=lambda t: t.name)
def test_other_counts_are_not_kept(tmp_path, tokenizer):
    with closing(scanned(tmp_path, {"a.md": b"12345"})) as app:
        assert count(app, "a.md", tokenizer)[1:] == (tokenizer.name, tokenizer.exact)
        assert app.store.node("a.md").tokens is None


def test_a_file_that_is_not_the_scanned_one_has_no_count(tmp_path):
    with closing(scanned(tmp_path, {"a.md": b"12345"})) as app:
        (tmp_path / "a.md").write_bytes(b"54321")
        assert count(app, "a.md", Letters()) is None
        (tmp_path / "a.md").unlink()
        assert count(app, "a.md", Letters()) is None


def test_the_settings_choose(tmp_path):
    def chosen(text: str):
        (tmp_path / ".cairn").mkdir(exist_ok=True)
        (tmp_path / ".cairn" / "settings.json").write_text(text)
        tokenizer = build_app(tmp_path, env={}, tracked=lambda _: ()).tokenizer
        return tokenizer and tokenizer.name

    assert chosen("{}") == "cl100k_base"
    assert chosen('{"scan": {"tokenizer": "o200k_base"}}') == "o200k_base"
    assert chosen('{"scan": {"tokenize": false}}') is None
