"""Runs the examples of the README and of other pages in the bakery of the demo, and compares their output."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cairn.workspace.demo.stage import unpack
from program import clean_env

REPOSITORY = Path(__file__).parents[2]
README = (REPOSITORY / "README.md").read_text()
PAGES = ("README.md", "docs/start/first-minute.md", "docs/reference/findings.md", "docs/how-to/ci.md")


def blocks(page):
    return re.findall(r"<!-- run -->\n```console\n(.*?)```", (REPOSITORY / page).read_text(), re.S)


def commands(block):
    """(command, what it prints) one after another."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def untimed(output):
    """Without the time that `try` took."""
    return re.sub(r"(?<=\)), [\d.]+ ?(?:ms|s)$", "", output, flags=re.M)


@pytest.fixture
def shell(tmp_path):
    """Runs a line in the bakery, with `cairn` on the PATH; gives what it printed, but not how long it took."""
    folder, programs = tmp_path / "bakery", tmp_path / "bin"
    folder.mkdir()
    programs.mkdir()
    unpack(folder)
    (programs / "cairn").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cairn "$@"\n')
    (programs / "cairn").chmod(0o755)
    baker = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.example"}
    baker |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.example"}
    env = clean_env(PATH=f"{programs}:{os.environ['PATH']}", GIT_CONFIG_GLOBAL=os.devnull, **baker)

    def run(line):
        done = subprocess.run(
            ["sh", "-c", line],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return untimed(re.sub(r"^done in .*\n", "", done.stdout, flags=re.M))

    assert run("git init -q . && git add -A && git commit -qm start") == ""
    return run


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_are_true(shell, page):
    """In the order of the page; `…` stands for anything."""
    shown = [pair for block in blocks(page) for pair in commands(block)]
    assert shown
    for command, output in shown:
        pattern = re.escape(untimed(output)).replace("…", "(?s:.*)")
        said = shell(command)
        assert re.fullmatch(pattern, said), f"$ {command}\n{said}"


def test_it_has_the_two_pictures_and_names_the_extras():
    shown = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert shown == ["docs/pictures/map.svg", "docs/pictures/try.svg"]
    assert all((REPOSITORY / picture).stat().st_size < 40_000 for picture in shown)
    for extra in ("[code]", "[mcp]", "[all]"):
        assert f"`{extra}`" in README


def picture(name):
    """The texts of a picture, which has to be well-formed."""
    root = ElementTree.parse(REPOSITORY / "docs" / "pictures" / name).getroot()
    return ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_picture_of_try_is_what_try_prints(shell):
    shown = picture("try.svg")
    assert shown[0] == "$ cairn try"
    assert shown[1:] == [line for line in shell("cairn try").splitlines() if line][: len(shown) - 1]


def test_the_picture_of_the_map_has_every_folder_and_document(shell):
    """`python docs/pictures.py` draws it again; that takes a browser, which is not needed for this."""
    shown = set(picture("map.svg"))
    shell("cairn init --quiet")
    found = json.loads(shell("cairn graph --json"))
    titles = {node["title"] for node in found["nodes"]}
    assert sorted(titles - shown) == []
    assert {"docs", "guides", "runbooks", ".claude", "skills", "commands", "agents", "knowledge"} <= shown
    assert any(
        text.endswith(f"{len(found['nodes'])} documents · {len(found['links'])} links · 4 errors") for text in shown
    )


def test_the_picture_of_the_map_explains_its_marks():
    assert {"has an error", "link", "folder"} <= set(picture("map.svg"))


def test_it_is_short():
    """About a screen and a half."""
    assert len(README.splitlines()) <= 106


def test_its_output_is_complete():
    assert "…" not in "".join(blocks("README.md"))


def test_it_links_every_page_of_measurements():
    for page in ("strangers", "noise", "history", "search"):
        assert f"(docs/explanation/{page}.md)" in README


@pytest.mark.parametrize("target", ["demo", "test"])
def test_the_two_commands_are_in_the_makefile(target):
    assert re.search(rf"^{target}:", (REPOSITORY / "Makefile").read_text(), re.M)
    assert f"make {target}" in README


def test_no_page_names_a_registry_or_this_machine():
    pages = [REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    pages += sorted((REPOSITORY / "docs").rglob("*.md"))
    hosts = "|".join(("py" + r"pi\.org", "npm" + "js", "python" + "hosted"))  # not named here either
    found = [page.name for page in pages if re.search(rf"{hosts}|/home/|/root/", page.read_text())]
    assert found == []
