"""`cairn bootstrap`, as people and programs use it."""

import json
import os
import pty
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from model_server import ModelServer, model_server
from program import cairn, clean_env, command_line, fits_schema
from reading_agent import WITH, answers, env_of, lesson, placed
from reading_agent import asked as asked_prompts
from repository import git, put
from unit.curate.test_bootstrap import DOC, HANDLERS, SHORT
from unit.curate.test_bootstrap import root as _root

root = _root


def test_from_documents_to_merged_pages(root: Path) -> None:
    asked = cairn("bootstrap", cwd=root)
    assert asked.code == 2 and "4 documents would be read" in asked.err and "--yes" in asked.err
    assert not (root / ".cairn/curate").exists()
    rehearsed = cairn("bootstrap", "--dry-run", "--json", cwd=root).json()
    fits_schema(rehearsed, "bootstrap")
    assert len(rehearsed["curated"]["actions"]) == 3 and rehearsed["documents"][0]["candidates"][0]["quote"]["text"]
    assert rehearsed["unread"] == ["docs/guide.md"] and rehearsed["estimate"]["tokensIn"] > 300
    done = cairn("bootstrap", "--yes", cwd=root)
    assert done.code == 0 and "3 documents read, 3 candidates; change request c-" in done.err
    assert done.err.index("4 documents to read; 1 by a reader: about ") < done.err.index("change request c-")
    assert "1 document is waiting to be read: run `cairn judge`, or ask your agent to." in done.err
    request = done.err.split("change request ")[1].split(":")[0]
    assert cairn("change", "merge", request, cwd=root).code == 0 and (root / HANDLERS).exists()
    again = cairn("bootstrap", "--incremental", "--yes", cwd=root)
    assert again.code == 0 and "0 documents read, 0 candidates; 3 unchanged" in again.err
    full = cairn("bootstrap", "--dry-run", cwd=root)
    assert "3 documents read, 3 candidates, none of them new; nothing was written\n" in full.err


def test_documents_to_read_are_listed_with_their_cost(root: Path) -> None:
    put(root, {f"docs/guide-{number:02}.md": "# Guide\n\n" + "Bake bread. " * number for number in range(12)})
    ran = cairn("bootstrap", "docs", "--dry-run", cwd=root).err
    listed = [line.split() for line in ran.splitlines() if line.startswith("  docs/guide")]
    assert len(listed) == 10 and listed[0][0] == "docs/guide-11.md" and listed[0][2] == "tokens"
    assert "  and 3 more; -v lists them all" in ran and "13 documents need a reader: about " in ran
    assert "  docs/guide-00.md" in cairn("bootstrap", "docs", "--dry-run", "-v", cwd=root).err


def test_documents_that_are_not_read_are_named_once_with_the_reason(root: Path) -> None:
    put(root, {"docs/plan.adoc": "= Plan\n", "docs/\u202egnp.md": "# Deceptive\n"})
    planned = cairn("bootstrap", "--dry-run", "--json", cwd=root).json()
    skipped = {one["path"]: one["reason"] for one in planned["skipped"]}
    assert skipped["docs/plan.adoc"] == "a .adoc file, which Cairn does not read"
    assert "docs/\u202egnp.md" in planned["unread"] and "docs/\u202egnp.md" not in skipped


def test_what_a_changed_document_leaves_behind(root: Path) -> None:
    cairn("bootstrap", "--yes", "--apply", cwd=root)
    (root / DOC).unlink()
    gone = cairn("bootstrap", "--incremental", "--yes", cwd=root)
    assert gone.code == 0 and f"{DOC} was deleted; {SHORT} was made from it" in gone.err
    value = cairn("bootstrap", "--incremental", "--yes", "--json", cwd=root).json()
    fits_schema(value, "bootstrap")
    assert [one["deleted"] for one in value["noLonger"]] == [True]


def test_a_folder_from_a_folder_below(root: Path) -> None:
    put(root, {"sub/rules.md": "# Rules\n\n- Never log request bodies in handlers.\n"})
    done = cairn("bootstrap", ".", "--dry-run", "--json", cwd=root / "sub").json()
    assert done["due"] == ["sub/rules.md"]


WRONG = [
    (("bootstrap", "nowhere.md", "--yes"), 5, "There is no file or folder nowhere.md"),
    (("bootstrap", "--budget", "5k", "--yes"), 2, "--with"),
    (("bootstrap", "--with", "nobody", "--yes"), 2, "nobody"),
]


@pytest.mark.parametrize(("arguments", "code", "words"), WRONG, ids=[" ".join(case[0]) for case in WRONG])
def test_bad_input(root: Path, arguments: tuple[str, ...], code: int, words: str) -> None:
    ran = cairn(*arguments, cwd=root)
    assert ran.code == code and words in ran.err and len(ran.err.strip().splitlines()) == 1


def test_a_person_is_asked_and_may_say_no(root: Path) -> None:
    leader, follower = pty.openpty()
    os.write(leader, b"n\n")
    try:
        ran = subprocess.run(
            command_line("bootstrap"),
            cwd=root,
            env=clean_env(),
            stdin=follower,
            stderr=follower,
            stdout=subprocess.PIPE,
        )
        said = os.read(leader, 10_000).decode()
    finally:
        os.close(leader)
        os.close(follower)
    assert ran.returncode == 1 and "4 documents to read" in said and "Nothing was read" in said
    assert git(root, "status", "--porcelain") == "" and not (root / ".cairn/curate").exists()


# --- by a reader ------------------------------------------------------------------------------------------------------


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


GUIDE = "docs/guide.md"
WARM = lesson("The oven is warm at four", "The oven is warm at four.", kind="map", confidence="high")
ARGUMENTS = ("bootstrap", GUIDE, *WITH, "--json")


def test_a_reader_reads_a_document_and_its_pages_are_asked_for(root: Path, model: ModelServer) -> None:
    env = env_of(model) | {"CAIRN_JUDGE_PRICE": "1/2"}
    planned = cairn(*ARGUMENTS, "--dry-run", cwd=root, **env).json()
    fits_schema(planned, "bootstrap")
    assert planned["estimate"]["tokensIn"] > 500 and planned["estimate"]["dollars"] > 0 and model.asked == []
    answers(model, distil={"candidates": [WARM]}, place=placed("add"))
    done = cairn(*ARGUMENTS, "--yes", cwd=root, **env)
    value = done.json()
    fits_schema(value, "bootstrap")
    assert done.code == 0 and value["spent"]["questions"] == len(model.asked) == 1
    assert value["curated"]["taint"] == "model" and value["curated"]["counts"]["add"] == 1
    [document] = value["documents"]
    assert document["status"] == "done" and document["candidates"][0]["derivedFrom"] == [GUIDE]
    text = (root / GUIDE).read_text()
    quote = document["candidates"][0]["quote"]
    assert text[quote["start"] : quote["end"]] == quote["text"]
    again = cairn(*ARGUMENTS, "--incremental", "--yes", cwd=root, **env).json()
    assert again["documents"] == [] and len(model.asked) == 1


def test_a_document_is_not_done_while_part_of_its_answer_is_set_aside(root: Path, model: ModelServer) -> None:
    invented = lesson("Ovens are blue", "Every oven of the bakery is painted blue.", kind="map")
    answers(model, distil={"candidates": [WARM, invented]}, place=placed("add"))
    done = cairn(*ARGUMENTS, "--yes", cwd=root, **env_of(model))
    [document] = done.json()["documents"]
    assert done.code == 1 and document["status"] == "failed" and "is not in the document" in document["error"]
    assert [one["title"] for one in document["candidates"]] == [WARM["title"]], "what counts is kept"
    answers(model, distil={"candidates": [WARM]}, place=placed("drop"))
    again = cairn(*ARGUMENTS, "--yes", cwd=root, **env_of(model))
    assert again.code == 0 and again.json()["documents"][0]["status"] == "done"


def test_an_answer_that_comes_later_is_used_by_whoever_asks_next(root: Path, model: ModelServer) -> None:
    asked = cairn("bootstrap", GUIDE, "--yes", "--json", cwd=root)
    assert asked.code == 0 and asked.json()["documents"][0]["status"] == "unread"
    answers(model, distil={"candidates": [WARM]})
    assert cairn("job", "run", *WITH, cwd=root, **env_of(model)).code == 0
    done = cairn("bootstrap", GUIDE, "--yes", "--json", cwd=root).json()
    assert done["documents"][0]["status"] == "done" and done["curated"]["counts"]["add"] == 1


def test_a_reader_that_fails_leaves_the_state_as_it_was(root: Path, model: ModelServer) -> None:
    model.reply = 400, {"error": "no such model"}
    failed = cairn(*ARGUMENTS, "--yes", cwd=root, **env_of(model))
    assert failed.code == 1 and failed.json()["documents"][0]["status"] == "failed"
    assert json.loads((root / ".cairn/curate/bootstrap-state.json").read_text()) == {"docs": {}}
    answers(model, distil={"candidates": []})
    assert cairn(*ARGUMENTS, "--yes", cwd=root, **env_of(model)).code == 0


def test_of_a_long_document_each_part_is_a_question(root: Path, model: ModelServer) -> None:
    parts = [f"## Part {n}\n\n" + f"The oven number {n} is warm. " * 500 for n in range(4)]
    put(root, {GUIDE: "# Guide\n\n" + "\n\n".join(parts)})
    answers(model, distil={"candidates": []})
    done = cairn(*ARGUMENTS, "--yes", cwd=root, **env_of(model)).json()
    assert done["spent"]["questions"] == len(model.asked) > 1 and done["documents"][0]["status"] == "done"
    assert all("under: Guide" in prompt for prompt in prompts_of(model)[1:])
    assert sum(prompt.count("## Part ") for prompt in prompts_of(model)) == 4


def test_memory_files_are_imported_and_the_rest_of_them_is_read(root: Path, model: ModelServer) -> None:
    said = "We never deploy on a Friday, because nobody is there."
    put(root, {"CLAUDE.md": f"# Shop\n\n{said}\n\n## Code\n\n- Use tabs.\n"})
    friday = lesson("Don't deploy on Fridays", said)
    answers(model, distil={"candidates": [friday]}, place=placed("add"))
    done = cairn("import", "memory", "--yes", "--json", *WITH, cwd=root, **env_of(model))
    fits_schema(done.json(), "import-memory")
    assert done.code == 0 and {one["title"] for one in done.json()["actions"]} == {"Code", "Don't deploy on Fridays"}
    assert "Use tabs" not in prompts_of(model)[0] and "unchanged" in cairn("import", "memory", "--yes", cwd=root).out


def prompts_of(model: ModelServer) -> list[str]:
    return asked_prompts(model, "distil")
