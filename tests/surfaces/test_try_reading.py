"""`cairn try --with`: a reader compares passages of a stranger's repository, within a bound; nothing is written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cairn.workspace.try_reading import MOST
from folder_contents import everything_below
from model_server import ModelServer, model_server
from program import Ran, cairn, fits_schema
from reading_agent import WITH, answers, asked, env_of
from repository import make
from scripted_reader import reader

FILES = {
    "README.md": "# Gateway\n\nWelcome.\n",
    "docs/limits.md": "# Limits\n\nThe ingestion gateway accepts 100 requests per second.\n",
    "docs/operations.md": "# Operations\n\n## Gateway\n\nEach second the ingestion gateway takes 60 requests.\n",
}
CLASH = {
    "same_subject": True,
    "disagree": True,
    "quote_a": "100 requests per second",
    "quote_b": "60 requests",
    "right": "unknown",
    "why": "Both are about the gateway.",
    "who_decides": "the configuration of the gateway",
}
NONE = {**CLASH, "same_subject": False, "disagree": False, "quote_a": None, "quote_b": None, "who_decides": None}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path / "repo", FILES)


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def tried(root: Path, model: ModelServer, *args: str) -> Ran:
    return cairn("try", *WITH, *args, cwd=root, **env_of(model))


def read_of(ran: Ran) -> Any:
    fits_schema(ran.json(), "try")
    return ran.json()["read"]


def test_passages_that_disagree_are_findings_with_both_words(root, model):
    answers(model, contradiction=CLASH)
    before = everything_below(root)
    ran = tried(root, model)
    assert ran.code == 0, ran.err
    lines = " ".join(ran.out.split())
    assert "docs/limits.md:3 contradiction" in lines or "docs/operations.md:5 contradiction" in lines
    assert "“100 requests per second” and “60 requests”" in lines and "Why: Both are about the gateway." in lines
    assert "1 pair of passages read; 1,000 tokens read and 50 written" in ran.err
    assert everything_below(root) == before, "nothing is written, not even a turn in a ledger"
    read = read_of(tried(root, model, "--json"))
    assert (read["answered"], read["left"], read["stopped"]) == (1, 0, None)
    [found] = read["findings"]
    assert [place["text"] for place in found["evidence"]] in (
        ["100 requests per second", "60 requests"],
        ["60 requests", "100 requests per second"],
    )


def test_without_a_reader_nothing_is_asked(root, model):
    ran = cairn("try", "--json", cwd=root, **env_of(model), CAIRN_JUDGE_WITH="openai-compatible")
    assert read_of(ran) is None and not model.asked
    wrong = cairn("try", "--budget", "10k", cwd=root)
    assert wrong.code == 2 and "name the reader with --with" in wrong.err


def test_so_many_questions_at_most_and_the_rest_is_named(tmp_path, model):
    files = {
        f"docs/{part}-{n}.md": f"# Part {n}\n\nThe quokka{n} importer keeps zebra{n} batches for {days} days.\n"
        for n in range(MOST + 5)
        for part, days in (("a", 10 + n), ("b", 90 + n))
    }
    root = make(tmp_path / "many", files)
    answers(model, contradiction=NONE)
    ran = tried(root, model)
    assert ran.code == 0 and len(asked(model)) == MOST
    assert f"{MOST} pairs of passages read; " in ran.err
    assert " more are waiting to be read: `cairn init`, then `cairn observe audit --with NAME`" in ran.err


@pytest.mark.parametrize(
    ("name", "code", "sentence"),
    [
        ("nobody", 2, "`nobody` is not a reader"),
        (reader("login"), 1, "not logged in"),
        (reader("no-json"), 1, "0 pairs of passages read, 2 without an answer that counts"),
    ],
    ids=["unknown", "logged out", "no answer"],
)
def test_a_reader_that_fails_leaves_the_findings(root, name, code, sentence):
    ran = cairn("try", "--with", name, cwd=root)
    assert ran.code == code and sentence in ran.err and "Traceback" not in ran.err


def test_a_repository_cannot_name_the_reader(root, model):
    (root / ".cairn").mkdir()
    (root / ".cairn/settings.json").write_text('{"judge": {"with": "openai-compatible"}}')
    assert cairn("try", cwd=root, **env_of(model)).code == 0 and not model.asked
