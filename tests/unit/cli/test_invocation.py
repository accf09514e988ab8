import io
from pathlib import Path

import pytest

from cairn.cli.invocation import Invocation
from cairn.cli.output import Output
from cairn.errors import NotInitialised, UsageError


@pytest.fixture
def root(tmp_path):
    (tmp_path / "repo" / ".cairn").mkdir(parents=True)
    (tmp_path / "repo" / ".cairn" / "settings.json").write_text('{"store": {"url": "theirs.db"}}')
    return tmp_path / "repo"


def invocation(directory: Path, **given):
    return Invocation(out=Output(io.StringIO(), io.StringIO()), env=given.pop("env", {}), directory=directory, **given)


def test_the_workspace_is_looked_for_upwards(root):
    (root / "a").mkdir()
    assert invocation(root / "a").root() == root
    with pytest.raises(NotInitialised):
        invocation(root.parent).root()
    with pytest.raises(UsageError, match="there is no folder"):
        invocation(root / "nowhere").root()


def test_the_database_named_on_the_command_line_wins(root):
    assert invocation(root, db="mine.db", env={"CAIRN_DB": "env.db"}).settings().text("store.url") == "mine.db"
    assert invocation(root, env={"CAIRN_DB": "env.db"}).settings().text("store.url") == "env.db"


def test_options_of_a_command_are_the_last_layer(root):
    settings = invocation(root).settings({"scan.strict": True, "scan.max_nodes": None})
    assert settings.flag("scan.strict") is True
    assert settings.source("scan.strict").layer == "flag"
    assert settings.optional_integer("scan.max_nodes") is None


def test_what_is_odd_about_the_settings_is_said(root):
    ctx = invocation(root)
    ctx.settings()
    assert ctx.out.stderr.getvalue().count("warning:") == 1


def test_questions_are_asked_on_a_terminal_only(root):
    assert invocation(root, stdin_tty=True, stderr_tty=True).interactive is True
    assert invocation(root, stdin_tty=True).interactive is False
