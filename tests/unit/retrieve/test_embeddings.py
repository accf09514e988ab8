"""Search by what pages mean: only where it is wanted, with what is there, and never in the way of words."""

import json
import shlex
import sys
from math import prod
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.core.search_query import Filters
from cairn.graph.run_scan import run_scan
from cairn.retrieve.embeddings import make_in_background, meaning_of
from cairn.retrieve.find import SearchAnswer
from cairn.retrieve.search import SearchOptions, run_search
from cairn.workspace.doctor import examine
from signals import NOW

THESAURUS = """
import json, sys
GROUPS = ("oven stove heat hot degrees", "money pay invoice salary", "deploy release ship rollout")
for line in sys.stdin:
    said = json.loads(line)
    open(sys.argv[1], "a").write(line)
    words = said["text"].lower().replace(".", " ").replace("?", " ").split()
    print(json.dumps({"id": said["id"], "vector": [sum(word in group.split() for word in words) for group in GROUPS]}))
"""
REPEATS = 'print(\'{"id": 0, "vector": [1, 0, 0]}\')'
PAGES = {
    "ovens": "The oven runs at 230 degrees, which is hot.",
    "wages": "Every salary is paid with an invoice; money leaves on Fridays.",
    "rollout": "A rollout is how we deploy.",
}
NO_FILTERS = Filters()


def workspace(root: Path, settings: dict[str, Any] | None = None, **page: str) -> App:
    for name, text in {**PAGES, **page}.items():
        (root / f"knowledge/{name}.md").parent.mkdir(parents=True, exist_ok=True)
        (root / f"knowledge/{name}.md").write_text(text if text[0] == "-" else f"# {name}\n\n{text}\n")
    (root / ".cairn").mkdir(parents=True, exist_ok=True)
    (root / ".cairn/settings.json").write_text("{}")
    (root / ".cairn/settings.local.json").write_text(json.dumps({"retrieve": settings or {}}))
    app = build_app(root, env={}, clock=SettableClock(NOW), installed=False, tracked=lambda _: [])
    run_scan(app, app.scan_request(), remember=False)
    return app


def by_command(root: Path, **page: str) -> App:
    root.mkdir(parents=True, exist_ok=True)
    (root / "embed.py").write_text(THESAURUS)
    command = shlex.join([sys.executable, "-S", "embed.py", "asked.jsonl"])
    return workspace(root, {"embeddings": "command", "embed_command": command}, **page)


def asked(root: Path) -> list[str]:
    return [json.loads(line)["text"] for line in (root / "asked.jsonl").read_text().splitlines()]


def search(app: App, text: str, filters: Filters = NO_FILTERS) -> SearchAnswer:
    return run_search(app, text, filters, SearchOptions(near=None))


def test_what_is_said_in_other_words_comes_closest(tmp_path: Path) -> None:
    found = search(by_command(tmp_path), "stove heat")
    assert not found.fits, "whether something fits is judged by its words"
    assert [hit.path for hit in found.hits] == ["knowledge/ovens.md"]
    told = {factor.name: factor.why for factor in found.hits[0].explanation.factors}
    assert told["meaning"] == "100% as near in meaning as the nearest page"
    assert search(workspace(tmp_path / "without"), "stove heat").hits == ()


def test_a_program_that_is_too_slow_for_many_pages_answers_the_question_all_the_same(tmp_path: Path) -> None:
    app = by_command(tmp_path)
    search(app, "stove")
    (tmp_path / "embed.py").write_text("import sys\nn = sys.stdin.read()\nassert len(n.split()) < 9\n" + REPEATS)
    (tmp_path / "knowledge/new.md").write_text("# new\n\nThis page is longer than any question that anybody asks.\n")
    run_scan(app, app.scan_request(), remember=False)
    found = search(app, "heat")
    assert [hit.path for hit in found.hits] == ["knowledge/ovens.md"]
    assert found.query.notes == ("1 page has no vector yet; the step in the background makes them",)


def test_vectors_are_made_once(tmp_path: Path) -> None:
    app = by_command(tmp_path)
    assert search(app, "stove").query.notes == ()
    assert len(asked(tmp_path)) == len(PAGES) + 1
    search(app, "invoice")
    assert asked(tmp_path)[len(PAGES) + 1 :] == ["invoice"]
    (tmp_path / "knowledge/ovens.md").write_text("# ovens\n\nNow at 240 degrees.\n")
    run_scan(app, app.scan_request(), remember=False)
    assert make_in_background(app) == 1
    assert make_in_background(app) == 0


@pytest.mark.parametrize(
    ("query", "filters", "paths"),
    [
        ("stove", NO_FILTERS, ["knowledge/ovens.md"]),
        ("stove", Filters(paths=("knowledge/w*",)), []),
        ("stove", Filters(statuses=("stable",)), []),
        ("stove -bread", NO_FILTERS, []),
        ('"stove"', NO_FILTERS, []),
    ],
    ids=["nothing is asked but this", "path", "status", "without a word", "with a phrase"],
)
def test_what_is_asked_for_counts_for_meaning_too(
    tmp_path: Path, query: str, filters: Filters, paths: list[str]
) -> None:
    assert [hit.path for hit in search(by_command(tmp_path), query, filters).hits] == paths


def test_pages_in_quarantine_are_not_brought(tmp_path: Path) -> None:
    held = "---\nname: hot\nstatus: quarantined\n---\n# hot\n\nhot hot hot degrees\n"
    found = search(by_command(tmp_path, hot=held), "stove")
    assert [hit.path for hit in found.hits] == ["knowledge/ovens.md"]


def test_a_program_gets_no_secrets(tmp_path: Path) -> None:
    key = "AKIA" + "QW3E5RTY7UIO2PAS"
    search(by_command(tmp_path, keys=f"The key is {key}."), f"who has {key}")
    assert len(asked(tmp_path)) == len(PAGES) + 2
    assert key not in (tmp_path / "asked.jsonl").read_text()


# --- in the way of nothing --------------------------------------------------------------------------------------------

BROKEN: list[tuple[dict[str, str], str]] = [
    ({"embeddings": "wordllama"}, "pip install 'cairn-kb[embeddings]'"),
    ({"embeddings": "command"}, "`cairn config set --local retrieve.embed_command …` names it"),
    ({"embeddings": "command", "embed_command": "false"}, "it ended with 1"),
    ({"embeddings": "command", "embed_command": "no-such-program"}, "could not be started"),
]


@pytest.mark.parametrize(("settings", "why"), BROKEN, ids=[why for _, why in BROKEN])
def test_words_find_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], why: str
) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    app = workspace(tmp_path, settings)
    found = search(app, "oven degrees")
    assert [hit.path for hit in found.hits] == ["knowledge/ovens.md"]
    (note,) = found.query.notes
    assert note.startswith("searched by words alone: ")
    assert why in note
    (finding,) = [one for one in examine(app) if one.check == "vectors"]
    assert (finding.state, why in finding.message) == ("error", True)


def test_switched_off_nothing_of_it_is_there(tmp_path: Path) -> None:
    app = workspace(tmp_path)
    assert meaning_of(app, "stove") == ({}, ())
    assert make_in_background(app) == 0
    assert [one for one in examine(app) if one.check == "vectors"] == []
    names = [factor.name for factor in search(app, "oven").hits[0].explanation.factors]
    assert "meaning" not in names


def test_the_doctor_makes_one(tmp_path: Path) -> None:
    app = by_command(tmp_path)
    (finding,) = [one for one in examine(app) if one.check == "vectors"]
    assert (finding.state, "vectors of 3 numbers; 3 pages have none yet" in finding.message) == ("ok", True)


# --- by section -------------------------------------------------------------------------------------------------------


def test_the_nearest_section_of_a_long_page_counts(tmp_path: Path) -> None:
    others = "\n\n".join(f"## Part {number}\n\nMoney, invoice and salary." for number in range(5))
    app = by_command(tmp_path, long=f"{others}\n\n## Kitchen\n\nHeat the stove until it is hot.")
    search(app, "heat")
    assert meaning_of(app, "degrees").near["knowledge/long.md"] == 1.0
    assert any(text.startswith("long. ") and "Kitchen" in text for text in asked(tmp_path))


def test_meaning_brings_pages_that_words_do_not_find(tmp_path: Path) -> None:
    app = by_command(tmp_path, bread="Bread is baked.", stove="A stove.")
    found = search(app, "bread knife drawer heat degrees")
    assert not found.fits
    assert "knowledge/stove.md" in [hit.path for hit in found.hits]
    brought = next(hit for hit in found.hits if hit.path == "knowledge/stove.md").explanation
    assert brought.score == pytest.approx(prod(factor.value for factor in brought.factors), abs=1e-5)
