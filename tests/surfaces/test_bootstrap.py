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
from repository import git, put
from unit.curate.test_bootstrap import DOC, FIRST, HANDLERS, SHORT
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
    assert done.code == 0 and "3 documents recognised, 3 candidates; change request c-" in done.err
    assert "1 document is waiting to be read: `cairn bootstrap --provider auto`; a model would read about" in done.err
    request = done.err.split("change request ")[1].split(":")[0]
    assert cairn("change", "merge", request, cwd=root).code == 0 and (root / HANDLERS).exists()
    again = cairn("bootstrap", "--incremental", "--yes", cwd=root)
    assert again.code == 0 and "0 documents recognised, 0 candidates; 3 as they were" in again.err
    full = cairn("bootstrap", "--dry-run", cwd=root)
    assert "3 documents recognised, 3 candidates, none of them new; nothing was written\n" in full.err


def test_documents_to_read_are_listed_with_their_cost(root: Path) -> None:
    put(root, {f"docs/guide-{number:02}.md": "# Guide\n\n" + "Bake bread. " * number for number in range(12)})
    ran = cairn("bootstrap", "docs", "--dry-run", cwd=root).err
    listed = [line.split() for line in ran.splitlines() if line.startswith("  docs/guide")]
    assert len(listed) == 10 and listed[0][0] == "docs/guide-11.md" and listed[0][2] == "tokens"
    assert "  and 3 more; -v lists them all" in ran and "13 documents are waiting to be read" in ran
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
    (("bootstrap", "--budget", "5k", "--yes"), 2, "--provider"),
    (("bootstrap", "--provider", "nobody", "--yes"), 2, "nobody"),
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


# --- by a model -------------------------------------------------------------------------------------------------------


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


def _env(model: ModelServer) -> dict[str, str]:
    return {
        "CAIRN_FRESHNESS_OPENAI_BASE_URL": model.url,
        "CAIRN_FRESHNESS_OPENAI_MODEL": "m-1",
        "CAIRN_FRESHNESS_PRICE": "1/2",
    }


def _says(model: ModelServer, quote: str) -> None:
    item = {
        "kind": "practice",
        "title": "Keep transactions out of handlers",
        "summary": "Handlers open no transactions.",
        "body": "Handlers open no transactions.",
        "tags": ["database"],
        "confidence": "high",
        "quote": quote,
    }
    model.says(json.dumps({"practice": [item], "map": []}), prompt_tokens=10, completion_tokens=5)


def test_a_model_reads_once_and_only_its_quotes_count(root: Path, model: ModelServer) -> None:
    arguments = ("bootstrap", FIRST, "--provider", "openai-compatible", "--json")
    planned = cairn(*arguments, "--dry-run", cwd=root, **_env(model)).json()
    fits_schema(planned, "bootstrap")
    assert planned["estimate"]["tokensIn"] > 500 and planned["estimate"]["dollars"] > 0 and model.asked == []
    _says(model, "Handlers must not open transactions")
    done = cairn(*arguments, "--yes", cwd=root, **_env(model))
    value = done.json()
    fits_schema(value, "bootstrap")
    assert done.code == 0 and value["spent"]["calls"] == len(model.asked) == 1
    assert value["curated"]["taint"] == "model" and value["curated"]["counts"]["add"] == 1
    _says(model, "Handlers may do what they like")
    put(root, {FIRST: "# Rules\n\nNothing of that sort.\n"})
    invented = cairn(*arguments, "--yes", cwd=root, **_env(model)).json()
    assert invented["curated"] is None and "not in" in invented["documents"][0]["remarks"][0]


def test_a_model_that_fails_leaves_the_state_as_it_was(root: Path, model: ModelServer) -> None:
    put(root, {f"docs/{number}.md": "# X\n" for number in range(4)})
    model.reply = 400, {"error": "no such model"}
    arguments = ("--provider", "openai-compatible", "--yes")
    failed = cairn("bootstrap", *arguments, cwd=root, **_env(model))
    assert failed.code == 1 and "docs/3.md" in failed.err and "8 failed" in failed.err
    assert len(model.asked) == 3, "whoever fails three times in a row is not asked again"
    assert json.loads((root / ".cairn/curate/bootstrap-state.json").read_text()) == {"docs": {}}
    _says(model, "Handlers must not open transactions")
    assert cairn("bootstrap", FIRST, "--incremental", *arguments, cwd=root, **_env(model)).code == 0
