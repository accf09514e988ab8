"""Before a candidate becomes a page of its own, the reader sees the pages that it describes itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cairn.core.model.candidate import Quote
from cairn.mcp.tools.tool import Caller
from curation import candidate, keep_session
from mcp_workspace import desk
from model_server import ModelServer, model_server
from program import cairn
from reading_agent import SAFE, WITH, answers, asked, env_of, placed, report
from repository import make

KEPT = "They are kept in the vault of the bank."
TARGET = "PAGE spare-keys"


def page_text(name: str, title: str, text: str) -> str:
    return (
        f"---\nname: {name}\ndescription: {title}.\nconfidence: high\n---\n\n# {title}\n\n## Deep Guidance\n\n{text}\n"
    )


PAGES = {
    "spare-keys": ("Spare keys", f"{KEPT} {'The guard opens it on demand, and notes who asked. ' * 8}"),
    **{f"trucks-{n}": (f"Truck {n} goes to Zorro", f"Truck {n} leaves for Zorro at noon.") for n in range(6)},
}
SAID = "Zorro keeps the duplicates of truck ignitions."
QUOTE = "ask Zorro, he has one of each"
SPARE = ["Spare keys: where they are kept", "The vault"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {f"knowledge/map/{name}.md": page_text(name, *said) for name, said in PAGES.items()}
    settings = '{"corpora": {"knowledge": {"root": "knowledge", "layout": "entries"}}}'
    root = make(
        tmp_path / "w", {**files, ".cairn/settings.json": settings, ".gitignore": ".cairn/*\n!.cairn/settings.json\n"}
    )
    keep_session(
        root,
        [
            candidate(
                SAID,
                kind="map",
                origin="s-1:map:0",
                verbatim=False,
                confidence="medium",
                quotes=(Quote("s-1", QUOTE, 0, len(QUOTE)),),
            )
        ],
    )
    return root


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as model:
        yield model


def reader(model: ModelServer, second: dict[str, Any], described: list[str] | None = SPARE) -> None:
    """It would add the candidate as long as the page about keys is not shown."""
    more = {} if described is None else {"would_be_in": described}
    learned = {"candidates": []}
    answers(model, learned=learned, place=lambda prompt: second if TARGET in prompt else placed("add", **more))


def curate(root: Path, model: ModelServer) -> dict[str, Any]:
    done = cairn("curate", *WITH, "--json", cwd=root, **env_of(model))
    assert done.code == 0, done.err
    return done.json()


def test_a_page_that_the_reader_describes_is_shown_before_anything_is_added(root: Path, model: ModelServer) -> None:
    reader(model, placed("drop", "spare-keys"))
    assert curate(root, model)["counts"] == {
        "add": 0,
        "modify": 0,
        "contradict": 0,
        "drop": 1,
        "failed": 0,
        "waiting": 0,
    }
    first, second = asked(model, "place")
    assert TARGET not in first and TARGET in second and second.count("END OF PAGE") == 4


def test_the_page_of_a_second_look_is_edited(root: Path, model: ModelServer) -> None:
    reader(model, placed("modify", "spare-keys", (KEPT, f"{KEPT} Those of trucks are with Zorro.")))
    done = curate(root, model)
    assert done["counts"]["modify"] == 1
    assert cairn("change", "merge", done["request"], cwd=root).code == 0
    assert f"{KEPT} Those of trucks are with Zorro." in (root / "knowledge/map/spare-keys.md").read_text()


def test_there_is_no_third_look(root: Path, model: ModelServer) -> None:
    reader(model, placed("add", would_be_in=["Truck 5"]))
    assert curate(root, model)["counts"]["add"] == 1 and len(asked(model, "place")) == 2


@pytest.mark.parametrize(
    "described",
    [None, [], ["", " …"], ["Truck to Zorro"], ["Pigeons"]],
    ids=["none", "empty", "no words", "seen", "unknown"],
)
def test_an_addition_stands_where_no_other_page_comes_up(
    root: Path, model: ModelServer, described: list[str] | None
) -> None:
    reader(model, placed("drop", "spare-keys"), described)
    if described == ["Truck to Zorro"]:
        for n in (4, 5):
            (root / f"knowledge/map/trucks-{n}.md").unlink()
    assert curate(root, model)["counts"]["add"] == 1 and len(asked(model, "place")) == 1


def test_long_and_many_descriptions_are_cut_and_refuse_no_answer(root: Path, model: ModelServer) -> None:
    reader(model, placed("drop", "spare-keys"), ["Spare keys " + "and keys " * 100, "vault", "bank", "x"])
    assert curate(root, model)["counts"]["drop"] == 1 and len(asked(model, "place")) == 2


def test_judge_asks_the_second_question_by_itself(root: Path, model: ModelServer) -> None:
    reader(model, placed("drop", "spare-keys"))
    cairn("curate", cwd=root)
    judged = cairn("judge", *WITH, "--json", cwd=root, **env_of(model))
    assert judged.code == 0, judged.err
    assert len(asked(model, "place")) == 2
    assert "no candidates to curate" in cairn("curate", cwd=root).err


def answered(root: Path, fields: dict[str, Any]) -> str:
    claimed = cairn("job", "claim", "--json", cwd=root).json()
    taken = ("--id", claimed["id"], "--nonce", claimed["nonce"], "--status", "completed", "--report", "-")
    assert cairn("record", *taken, cwd=root, stdin=report(**fields).encode()).code == 0
    return str(claimed["content"])


def test_the_second_question_waits_in_the_queue(root: Path) -> None:
    cairn("curate", cwd=root)
    assert "list what should outlive it" in answered(root, {"candidates": []})
    first = answered(root, placed("add", would_be_in=SPARE))
    waits = cairn("curate", "--json", cwd=root).json()
    assert waits["counts"]["add"] == 0 and len(waits["unreadCandidates"]) == 1
    second = answered(root, placed("drop", "spare-keys"))
    assert TARGET not in first and TARGET in second
    assert cairn("curate", "--json", cwd=root).json()["counts"]["drop"] == 1
    assert cairn("job", "claim", "--json", cwd=root).code != 0, "nothing else is asked"


def test_an_agent_over_mcp_gets_the_second_question_once_the_first_is_answered(root: Path) -> None:
    def jobs(**given: Any) -> Any:
        return desk(root).call("jobs", given, Caller(agent="codex")).data

    def answer(job: dict[str, Any], fields: dict[str, Any]) -> Any:
        answered = {"id": job["id"], "nonce": job["nonce"], "report": {"confidence": 0.9, "safety": SAFE, **fields}}
        return jobs(answers=[answered], claim=1)

    cairn("curate", cwd=root)
    [learned] = jobs(claim=1)["jobs"]
    [first] = answer(learned, {"candidates": []})["jobs"]
    [second] = answer(first, placed("add", would_be_in=SPARE))["jobs"]
    assert TARGET not in first["content"] and TARGET in second["content"]
    assert answer(second, placed("drop", "spare-keys"))["jobs"] == []
    assert "no candidates to curate" in cairn("curate", cwd=root).err
