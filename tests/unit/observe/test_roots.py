"""Where the knowledge base is."""

import pytest

from cairn.errors import UsageError
from cairn.observe.covered_topics import CoveredTopics, RootSetting, no_root_warning, resolve_root, stale_note

SOME = CoveredTopics({}, 7)
PLACES = {"/kb": SOME, "/bad": "it is no folder"}

# flag, setting, found here → root, outcomes, warning about none, note about the setting
CASES = [
    (None, None, "knowledge", "knowledge", "not-provided not-provided used", False, False),
    ("", None, "knowledge", "knowledge", "not-provided not-provided used", False, False),
    ("/kb", RootSetting("/bad", "x"), "knowledge", "/kb", "used", False, False),
    (None, RootSetting("/kb", "x"), "knowledge", "/kb", "not-provided used", False, False),
    (None, RootSetting("/bad", "x"), "knowledge", "knowledge", "not-provided invalid used", False, True),
    (None, RootSetting("/kb", "x", "not allowed"), "knowledge", "knowledge", "not-provided invalid used", False, True),
    (None, RootSetting("/bad", "x"), None, None, "not-provided invalid not-found", True, False),
    (None, None, None, None, "not-provided not-provided not-found", True, False),
]


@pytest.mark.parametrize(("flag", "setting", "here", "root", "outcomes", "warns", "notes"), CASES)
def test_three_ways(
    flag: str | None,
    setting: RootSetting | None,
    here: str | None,
    root: str | None,
    outcomes: str,
    warns: bool,
    notes: bool,
) -> None:
    found = resolve_root(flag, setting, PLACES.__getitem__, lambda: (here, SOME) if here else None)
    assert found.root == root
    assert [attempt.outcome for attempt in found.attempts] == outcomes.split()
    assert (no_root_warning(found) is not None) == warns
    assert (stale_note(found) is not None) == notes
    assert found.json()["entries"] == (7 if root else 0)


def test_a_flag_that_is_wrong_is_an_error() -> None:
    with pytest.raises(UsageError, match='--knowledge-root "/bad" cannot be used: it is no folder'):
        resolve_root("/bad", None, PLACES.__getitem__, lambda: ("knowledge", SOME))


def test_odd_paths_stay_on_one_line() -> None:
    setting = RootSetting('/a"b\n\x1b[2J', "x")
    found = resolve_root(None, setting, lambda _: "there is nothing at that path", lambda: None)
    said = no_root_warning(found)
    assert said is not None
    assert '"/a\\"b??[2J"' in said
    assert said.isprintable()
