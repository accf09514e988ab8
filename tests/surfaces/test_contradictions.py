"""`cairn observe audit` has readers compare passages that may disagree."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from model_server import ModelServer, model_server
from program import Ran, cairn
from reading_agent import WITH, answers, asked, env_of
from repository import make, put

LIMIT = "The ingestion gateway accepts 100 requests per second."
OTHER = "Each second the ingestion gateway takes 60 requests."
FILES = {
    "docs/limits.md": f"# Limits\n\n{LIMIT}\n",
    "docs/operations.md": f"# Operations\n\n## Gateway\n\n{OTHER}\n",
    ".cairn/settings.json": "{}",
    ".cairn/.gitignore": "*\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make(tmp_path / "repo", FILES)
    assert cairn("scan", cwd=root).code == 0
    return root


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def audit(root: Path, *options: str, **env: str) -> Ran:
    return cairn("observe", "audit", *options, cwd=root, **env)


def said(*, disagree: bool = True, **more: Any) -> dict[str, Any]:
    quotes = (
        {"quote_a": "100 requests per second", "quote_b": "60 requests"}
        if disagree
        else dict.fromkeys(("quote_a", "quote_b"))
    )
    value = {"same_subject": True, "disagree": disagree, "right": "unknown", "why": "Both are about the gateway."}
    return {**value, **quotes, "who_decides": "the configuration of the gateway", **more}


def listed(root: Path) -> list[Any]:
    found = cairn("findings", "--kind", "H-cross-doc", "--json", cwd=root).json()["findings"]
    return [one for one in found if "disagree" in one["title"]]


def test_a_confirmed_contradiction_is_a_finding(root: Path, model: ModelServer) -> None:
    answers(model, contradiction=said())
    ran = audit(root, *WITH, "--json", **env_of(model))
    [finding] = ran.json()["findings"]
    assert ran.code == 1 and finding["severity"] == "P2" and finding["evidence"]["kind"] == "contradiction"
    assert "“100 requests per second” and “60 requests”" in finding["title"]
    assert "Ask the configuration of the gateway" in finding["fix_hint"]
    [prompt] = asked(model, "contradiction")
    assert f"A docs/limits.md [Limits]\n{LIMIT}" in prompt and f"[Operations > Gateway]\n{OTHER}" in prompt
    [one] = listed(root)
    assert one["path"] == "docs/limits.md" and one["line"] == 3
    assert audit(root, "--json").json()["findings"][0]["id"] == finding["id"], "the answer that exists is used"
    put(root, {"docs/operations.md": FILES["docs/operations.md"].replace("60", "100")})
    assert audit(root, "--json").json()["findings"] == [] and listed(root) == []


def test_the_page_that_is_wrong_is_named(root: Path, model: ModelServer) -> None:
    answers(model, contradiction=said(right="a"))
    audit(root, *WITH, **env_of(model))
    [one] = listed(root)
    assert (
        one["path"] == "docs/operations.md" and one["fix"] == "Correct `docs/operations.md`; `docs/limits.md` is right."
    )


def test_without_a_reader_it_waits_and_the_answer_flows_on(root: Path, model: ModelServer) -> None:
    ran = audit(root)
    assert ran.code == 0 and "1 pair of passages is waiting to be read: run `cairn judge`" in ran.err
    audit(root)
    [job] = cairn("job", "list", "--json", cwd=root).json()
    assert job["nodeId"] == "pair:docs/limits.md:3|docs/operations.md:5"
    answers(model, contradiction=said())
    told = cairn("judge", *WITH, "--json", cwd=root, **env_of(model)).json()["followed"]
    assert len(told) == 1 and "disagree" in told[0] and len(listed(root)) == 1
    assert cairn("judge", *WITH, "--json", cwd=root, **env_of(model)).json()["followed"] == []


@pytest.mark.parametrize(
    "answer",
    [said(disagree=False), said(quote_a="1000 requests per second"), said(same_subject=False), "They disagree!"],
)
def test_what_is_not_proven_is_no_finding(root: Path, model: ModelServer, answer: Any) -> None:
    answers(model, contradiction=answer)
    ran = audit(root, *WITH, "--json", **env_of(model))
    assert ran.code == 0 and ran.json()["findings"] == []


def test_at_most_fifty_in_a_run(tmp_path: Path) -> None:
    pages = {}
    for number in range(60):
        name = f"turbine{chr(97 + number % 26)}{chr(97 + number // 26)}"
        pages[f"docs/a{number}.md"] = f"# P\n\nThe {name} compressor rotates {number + 100} times per minute.\n"
        pages[f"docs/b{number}.md"] = f"# P\n\nPer minute the {name} compressor rotates {number + 500} times.\n"
    root = make(tmp_path / "many", {**pages, ".cairn/settings.json": "{}", ".cairn/.gitignore": "*\n"})
    ran = audit(root)
    assert "50 pairs of passages are waiting" in ran.err and "10 more pairs of passages not asked about" in ran.err
    assert "60 pairs of passages are waiting" in audit(root).err


def test_bad_input(root: Path) -> None:
    assert "name the reader with --with" in audit(root, "--budget", "5k").err
    assert audit(root, "--with", "claude", PATH="/usr/bin:/bin").code == 2
