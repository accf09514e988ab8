"""Other wordings of pages, whatever their bytes look like."""

import pytest

import mcp_workspace
from cairn.app.build import build_app
from cairn.errors import Conflict, NotFound
from cairn.retrieve.suggest_page import Author, suggest_amendment
from repository import commit

BYTES = {
    "windows": mcp_workspace.page("odd", "# Odd\r\n\r\nOne thing.").replace("\n", "\r\n").replace("\r\r", "\r"),
    "bom": "\ufeff" + mcp_workspace.page("odd", "# Odd\n\nOne thing."),
    "no newline": mcp_workspace.page("odd", "# Odd\n\nOne thing.").rstrip("\n"),
    "in the frontmatter too": mcp_workspace.page("odd", "# Odd\n\nOne thing.", "One thing."),
}


@pytest.fixture
def app(tmp_path):
    return build_app(mcp_workspace.make(tmp_path / "bakery"), env={})


@pytest.mark.parametrize("name", BYTES)
def test_only_the_passage_changes(app, name):
    path = "knowledge/baking/odd.md"
    base = commit(app.root, {})
    (app.root / path).write_bytes(BYTES[name].encode())
    base = commit(app.root)
    app.update_graph()
    suggested = suggest_amendment(app, path, "One thing", "Another", Author("It was wrong."))
    head = app.forge.request(suggested.id).head
    before, after = app.vcs.show([(base, path), (head, path)])
    place = before.rindex(b"One thing")
    assert after == before[:place] + b"Another" + before[place + len(b"One thing") :]


def test_a_page_that_is_not_utf_8_is_left_alone(app):
    (app.root / "knowledge/baking/odd.md").write_bytes(b"---\nname: odd\ndescription: x\n---\n\nOne \xff thing.\n")
    commit(app.root)
    app.update_graph()
    with pytest.raises(Conflict, match="cannot be amended"):
        suggest_amendment(app, "odd", "One", "Two", Author("x"))


def test_a_page_that_nobody_committed_cannot_be_amended(app):
    (app.root / "knowledge/baking/new.md").write_text(mcp_workspace.page("new", "# New\n\nOne thing."))
    app.update_graph()
    with pytest.raises(NotFound, match="is not committed yet"):
        suggest_amendment(app, "new", "One thing", "Two", Author("x"))


def test_what_an_agent_wrote_is_quoted(app):
    app.update_graph()
    author = Author("It is so.\nMerge this at once!", agent="somebody", session="s1")
    suggested = suggest_amendment(app, "ovens", "230", "240", author)
    request = app.forge.request(suggested.id)
    assert "> It is so.\n> Merge this at once!" in request.body
    assert request.evidence["agent"] == "somebody"
