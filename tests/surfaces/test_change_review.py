"""`cairn change review` through the real program: what a second opinion finds, and how long it stays."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from model_server import ModelServer, model_server
from program import Ran, cairn, fits_schema
from reading_agent import WITH, answers, asked, env_of
from repository import make
from website import Website, serving

PAGE = """---
name: limits
description: How often clients may call.
topics: [http]
volatility: fast-moving
version-pin: Harbor 2.0
sources:
  - url: {url}
---
# Limits

## Summary

{claim}

## Deep Guidance

Clients that are told to wait must wait.
"""
SITE = """<html><head><title>Harbor guide</title></head><body><main><h1>Harbor guide</h1>
<p>Clients may call the harbor {} times a minute. A client that is refused has to wait for thirty seconds.</p>
<p>This is about Harbor 2.0. The rest of this guide tells who answers when something goes wrong, and where.</p>
</main></body></html>"""
CLAIM = "Clients may call the harbor {} times a minute."
PATH = "knowledge/http/limits.md"


@pytest.fixture
def site() -> Iterator[Website]:
    with serving() as running:
        running["/limits"] = SITE.format(100)
        yield running


class Desk:
    def __init__(self, root: Path, site: Website) -> None:
        self.root, self.url = root, f"{site.url}/limits"
        self.env = {"CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}", "DEEPSEEK_API_KEY": "", "ZAI_API_KEY": ""}

    def run(self, *args: str, stdin: str = "", **env: str) -> Ran:
        return cairn(*args, cwd=self.root, stdin=stdin.encode(), **{**self.env, **env})

    def review(self, *args: str, code: int = 0, **more: Any) -> Any:
        ran = self.run("change", "review", *args, "--json", **more)
        assert ran.code == code, (ran.out, ran.err)
        fits_schema(ran.json(), "change-review" if code == 0 else "error")
        return ran.json()

    def diff(self, text: str) -> str:
        file = self.root / PATH
        before = file.read_text()
        file.write_text(text)
        diff = subprocess.run(["git", "diff"], cwd=self.root, capture_output=True, check=True).stdout.decode()
        file.write_text(before)
        return diff


@pytest.fixture
def desk(tmp_path: Path, site: Website) -> Desk:
    files = {
        PATH: PAGE.format(claim=CLAIM.format(100), url=f"{site.url}/limits"),
        ".cairn/settings.json": '{"corpora": {"k": {"root": "knowledge", "layout": "entries"}}}',
        ".gitignore": ".cairn/*\n!.cairn/settings.json\n",
    }
    desk = Desk(make(tmp_path / "repo", files), site)
    assert desk.run("freshness", "run").code == 0
    return desk


@pytest.mark.parametrize(
    ("claim", "pin", "level", "kinds"),
    [
        (CLAIM.format(100) + " A refused client has to wait for 30 seconds.", "2.0", "pass", []),
        (CLAIM.format(60), "2.0", "warn", ["differs"]),
        ("Penguins must never be fed after `midnight_utc`.", "2.0", "note", ["unsupported"]),
        (CLAIM.format(100), "3.0", "warn", ["edition"]),
    ],
)
def test_by_comparison(desk: Desk, claim: str, pin: str, level: str, kinds: list[str]) -> None:
    text = PAGE.format(claim=claim, url=desk.url).replace("Harbor 2.0", f"Harbor {pin}")
    said = desk.review("--diff", "-", stdin=desk.diff(text))
    assert (said["level"], [doubt["kind"] for doubt in said["doubts"]]) == (level, kinds), said
    assert said["reviewer"].startswith("extractive/") and said["id"] is None
    for doubt in said["doubts"]:
        assert doubt["path"] == PATH and (doubt["kind"] != "differs" or "100 times" in doubt["quote"])


def opened(desk: Desk, site: Website) -> str:
    """A request of the night's: the page's source says something else now."""
    desk.run("freshness", "run")
    for request in desk.run("change", "list", "--json").json()["requests"]:
        assert desk.run("change", "merge", request["id"]).code == 0
    site["/limits"] = SITE.format(60)
    desk.run("freshness", "run")
    [request] = desk.run("change", "list", "--json").json()["requests"]
    return str(request["id"])


def test_it_stays_with_the_request_as_long_as_that_is_the_same(desk: Desk, site: Website) -> None:
    id = opened(desk, site)
    said = desk.review(id)
    assert said["id"] == id and "made this change itself" in said["remarks"][0]
    shown = desk.run("change", "show", id, "--json").json()["request"]
    [kept] = [ruling for ruling in shown["rulings"] if ruling["gate"] == "review"]
    assert kept["level"] in ("note", "warn") and kept["evidence"][0]["reviewer"] == said["reviewer"]
    judged = desk.run("change", "gates", id, "--json")
    assert judged.code == 0, "advice does not block"
    assert [r for r in judged.json()["request"]["rulings"] if r["gate"] == "review"] == [kept]
    assert "made this change itself" in desk.run("change", "show", id).out
    site["/limits"] = SITE.format(50)
    desk.run("freshness", "run")
    again = desk.run("change", "show", id, "--json").json()["request"]
    assert again["head"] == shown["head"] or not [r for r in again["rulings"] if r["gate"] == "review"]
    assert desk.run("change", "merge", id).code == 0


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


def objection(quote: str) -> dict[str, Any]:
    made = {"page": PATH, "claim": CLAIM.format(60), "quote": quote, "source": 1, "why": "It is 100."}
    return {"holds": False, "reason": "No.", "objections": [made]}


def test_a_reader_whose_quotes_are_looked_up(desk: Desk, model: ModelServer) -> None:
    diff = desk.diff(PAGE.format(claim=CLAIM.format(60), url=desk.url))
    answers(model, review=objection(CLAIM.format(100)))
    said = desk.review("--diff", "-", *WITH, stdin=diff, **env_of(model))
    assert said["level"] == "warn" and said["doubts"][0]["kind"] == "disagrees", said
    assert said["reviewer"] == "cli/m-1" and said["spent"]["tokens"] == 1050
    [prompt] = asked(model, "review")
    assert f"+ {CLAIM.format(60)}" in prompt and f"- {CLAIM.format(100)}" in prompt
    again = desk.review("--diff", "-", stdin=diff)
    assert again["reviewer"] == "cli/m-1" and again["spent"] is None, "the answer that exists is used"


@pytest.mark.parametrize("answer", [objection("Nobody may call the harbor at all."), "I like it."])
def test_a_reader_that_proves_nothing(desk: Desk, model: ModelServer, answer: Any) -> None:
    diff = desk.diff(PAGE.format(claim=CLAIM.format(60), url=desk.url))
    answers(model, review=answer)
    said = desk.review("--diff", "-", *WITH, stdin=diff, **env_of(model))
    assert said["reviewer"].startswith("extractive/") and "No reader could answer" in said["remarks"][0]
    assert len(asked(model, "review")) == 2


def test_a_question_about_a_request_waits_and_its_answer_is_kept_with_it(
    desk: Desk, site: Website, model: ModelServer
) -> None:
    id = opened(desk, site)
    ran = desk.run("change", "review", id)
    assert "1 change request" in ran.err and "waiting to be read" in ran.err
    assert desk.review(id)["waits"] is True
    answers(model, review={"holds": True, "reason": "It says 60.", "objections": []}, still_true="?")
    told = desk.run("judge", *WITH, "--only", "core/review", "--json", **env_of(model)).json()
    assert any(line.startswith(f"{id}: By cli/m-1: nothing speaks against") for line in told["followed"]), told
    shown = desk.run("change", "show", id, "--json").json()["request"]
    [kept] = [ruling for ruling in shown["rulings"] if ruling["gate"] == "review"]
    assert kept["level"] == "pass" and kept["evidence"][0]["reviewer"] == "cli/m-1"
    assert desk.run("judge", *WITH, "--only", "core/review", "--json", **env_of(model)).json()["followed"] == []


@pytest.mark.parametrize(
    ("args", "code"), [((), 2), (("c-1", "--diff", "-"), 2), (("c-nobody",), 5), (("--diff", "nowhere.diff"), 5)]
)
def test_bad_questions(desk: Desk, args: tuple[str, ...], code: int) -> None:
    assert desk.run("change", "review", *args).code == code


def test_what_could_not_be_compared_is_said(tmp_path: Path, desk: Desk, site: Website) -> None:
    site["/other"] = SITE.format(100)
    text = PAGE.format(claim=CLAIM.format(100), url=f"{site.url}/other")
    said = desk.review("--diff", "-", stdin=desk.diff(text))
    assert said["level"] == "note" and "Nobody kept" in said["remarks"][0]
