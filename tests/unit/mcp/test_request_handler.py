"""Whatever a client sends, it gets a sentence and the server goes on."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mcp_workspace
from cairn.mcp.request_handler import TOOLS, CallFailed
from cairn.mcp.tools.tool import Caller

NAMES = sorted({name for tool in TOOLS for name in tool.takes})
ODD = [
    "",
    " ",
    "\x00",
    "a\x00b",
    "../../etc/passwd",
    "/etc/passwd",
    "cairn://entry/",
    "~",
    "%2e%2e",
    "\u202eevil",
    "[",
    "*",
    "-",
]
words = st.sampled_from([*ODD, "ovens", "knowledge/baking/ovens.md"]) | st.text(max_size=30)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=5,
)
arguments = st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=8), values, max_size=6)
READING = [tool for tool in TOOLS if not tool.writes]


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    return mcp_workspace.desk(mcp_workspace.make(tmp_path_factory.mktemp("desk") / "bakery"))


def said(desk, tool, given):
    try:
        answer = desk.call(tool, given, Caller())
    except CallFailed as failed:
        return str(failed)
    json.dumps(answer.data)
    return answer.text


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(given=arguments)
@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS])
def test_arguments_of_any_shape(desk, tool, given):
    """Writing tools are given nothing that they would take."""
    given = given if tool in [one.name for one in READING] else {**given, "no-such-argument": 1}
    assert "inside Cairn" not in said(desk, tool, given)


@pytest.mark.parametrize("tool", READING, ids=lambda tool: tool.name)
@pytest.mark.parametrize("text", [*ODD, "x" * 999, "\ud800", "ﷺ" * 100, "🥖", "a\nb", "\x1b[31m"])
def test_texts_of_any_sort(desk, tool, text):
    needed = [dict.fromkeys(tool.needs, text)] if tool.needs else [{"step": text, "topics": [text]}, {"paths": [text]}]
    assert not [given for given in needed if "inside Cairn" in said(desk, tool.name, given)]


@pytest.mark.parametrize("name", ["", "x" * 10_000, "\x00", "Search"])
def test_names_of_any_sort(desk, name):
    assert said(desk, name, {}).startswith("There is no tool")
    assert len(said(desk, name, {})) < 300


def test_settings_that_break_while_it_serves_are_named(desk, tmp_path):
    root = mcp_workspace.make(tmp_path / "bakery")
    serving = mcp_workspace.desk(root)
    assert "230" in said(serving, "read", {"id": "ovens"})
    (root / ".cairn/settings.json").write_text("{")
    assert "settings.json" in said(serving, "read", {"id": "ovens"})
    (root / ".cairn/settings.json").write_text("{}")
    assert "230" in said(serving, "read", {"id": "ovens"})


def test_what_is_wrong_with_the_workspace_is_for_the_user_to_mend(tmp_path):
    root = mcp_workspace.make(tmp_path / "bakery")
    serving = mcp_workspace.desk(root)
    (root / ".cairn/cairn.db").write_text("no database")
    told = said(serving, "search", {"query": "ovens"})
    assert "`cairn db reset --hard`" in told  # a command stays as it is typed
    assert told.endswith("That is for the user to mend: tell them, and go on without Cairn.")
    assert said(serving, "gap", {"topic": "yeast"}).startswith("Counted")


@pytest.mark.parametrize(
    ("given", "searching"),
    [({"id": "nowhere"}, True), ({"id": "ovens", "section": "Nope"}, False)],
)
def test_who_found_the_page_is_not_told_to_look_for_it(desk, given, searching):
    assert ("`search` finds" in said(desk, "read", given)) is searching


def test_switched_off_it_answers_and_writes_nothing_down(tmp_path):
    root = mcp_workspace.make(tmp_path / "bakery")
    serving = mcp_workspace.desk(root, {"CAIRN_OFF": "1"})
    assert "230" in said(serving, "read", {"id": "ovens"})
    calls = {
        "gap": {"topic": "yeast"},
        "validate": {"id": "ovens", "verdict": "confirm"},
        "propose": {"reason": "x", "title": "Dough", "body": "It rises.", "category": "baking"},
        "note": {"summary": "It rises."},
        "jobs": {"claim": 1},
    }
    assert set(calls) == {tool.name for tool in TOOLS if tool.writes}
    assert all("CAIRN_OFF is set here" in said(serving, tool, given) for tool, given in calls.items())
    assert mcp_workspace.events(root) == []


def test_what_is_in_the_way_of_a_scan_is_waited_for_once_and_told_each_time(tmp_path, monkeypatch):
    root = mcp_workspace.make(tmp_path / "bakery")
    said(mcp_workspace.desk(root), "search", {"query": "ovens"})
    tried = []
    monkeypatch.setattr("cairn.app.build.App.update_graph", lambda app: tried.append(app) or "Somebody writes.")
    serving = mcp_workspace.desk(root)
    told = [said(serving, "search", {"query": "ovens"}) for _ in range(3)]
    assert all("could not be brought up to date: Somebody writes." in one for one in told)
    assert len(tried) == 1
