"""The tool `context`: approved knowledge for files or a step, and never more of it than was asked for."""

from pathlib import Path

import pytest

import shop
from mcp_workspace import called, events


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop.make(tmp_path_factory.mktemp("shop") / "work")


def test_the_briefing_for_files(root: Path) -> None:
    found = called(root, "context", {"paths": ["src/utc_times.py"], "budget": 500})
    data = found.structured_content
    assert data["ids"][0] == "knowledge/practice/times-in-utc.md"
    assert data["tokens"] <= 500
    assert found.content[0].text == data["text"]
    assert "cairn:recall v2" in data["text"]
    assert not [word for word in shop.NEVER if word in data["text"]]
    assert not [event for event in events(root) if event["type"] != "search_asked"]


def test_what_was_written_for_a_step(root: Path) -> None:
    data = called(root, "context", {"step": "pay", "topics": ["refunds"]}).structured_content
    assert data["ids"] == ["knowledge/pay/refunds.md"]
    assert "Pay back by the ledger, never by hand." in data["text"]
    assert "cairn gaps signal" in data["text"]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"paths": ["../x.py"]}, "`paths` are files of this repository"),
        ({"budget": 9}, "budget"),
        ({"step": " "}, "A step needs a name"),
    ],
)
def test_bad_arguments_come_back_as_a_sentence(root: Path, given: dict, sentence: str) -> None:
    found = called(root, "context", given)
    assert found.is_error
    assert sentence in found.content[0].text


def test_nothing_to_tell_is_said(tmp_path: Path) -> None:
    (tmp_path / ".cairn").mkdir()
    (tmp_path / ".cairn/settings.json").write_text("{}")
    data = called(tmp_path, "context", {}).structured_content
    assert data == {
        "text": "There is no page of knowledge here yet; `cairn entry add` makes one.",
        "tokens": 0,
        "ids": [],
    }
