"""`cairn search` on a project's documents: the page, the section and the passage that answer a question."""

import pytest

import garden
from program import cairn, fits_schema

RESIZE = """# `resize()`

Changes the size of an image; the resized image is drawn again.

## Parameters

- `width`: how wide the resized image is.

## Return value

A promise of the new size.

## Examples

Resize an image, then resize it again: `resize(resize(image))`.
"""
INSTALL = """# Install

Needs Python 3.11+ and git.

To install it for your user, run:

```sh
pipx install garden
garden --init
```

## From source

Clone the repository.
"""
TIMEOUTS = """# Network

## Connections

A connection is closed after 5 seconds of silence by default, which is the `timeout` of a client.

## Pools

Twenty connections are kept open.
"""
SERVER = """# Serve

Start the server on your machine:

```console
$ garden serve --port 8080
```

Its pages are built again when a file changes.
"""
OTHERS = {
    f"docs/notes/{name}.md": f"# {name.title()}\n\nThis is actually, honestly, simply about {name}.\n"
    for name in ("apples", "beans", "carrots", "dill", "fennel", "garlic", "hops", "iris", "kale", "leeks", "mint")
}
MODULES = {f"docs/modules/{n}.md": f"# Module {n}\n\nA module of the garden, number {n}.\n" for n in range(4)}
FILES = {
    **garden.FILES,
    **OTHERS,
    **MODULES,
    "docs/resize.md": RESIZE,
    "docs/install.md": INSTALL,
    "docs/network.md": TIMEOUTS,
    "docs/serve.md": SERVER,
    "docs/training.md": "# Training\n\nThe model learns during training; a trained model is kept.\n",
    "docs/tags.md": "# Placeholders\n\nWrite <var>name</var>&nbsp;here, <!-- hidden --> or <kbd>Enter</kbd>.\n",
    "docs/filenames.md": "# Naming\n\nA filename has no blanks. The time zone is not part of it.\n",
    "docs/auth.md": "# Authentication\n\nThe configuration of authentication is a file of its own.\n",
    "docs/pruning.md": "# Pruning\n\nPrune the roses in February with sharp scissors.\n",
    "tasks/lessons.md": "# Pruning\n\nPrune the roses in February with sharp scissors, we learned.\n",
    "docs/fr/taille.md": "# Taille\n\nComment tailler les rosiers : en février, avec le sécateur et des gants.\n",
    "docs/zh/修剪.md": "# 修剪\n\n二月修剪玫瑰。\n",
    "tests/fixtures/zebra.md": "# Zebra\n\nThe zebra of the fixtures.\n",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    return garden.make(tmp_path_factory.mktemp("answers"), FILES)


def answer(workspace, question):
    ran = cairn("search", question, "--json", cwd=workspace)
    assert (ran.code, ran.err) == (0, "")
    fits_schema(ran.json(), "search")
    return ran.json()


SECTIONS = {
    "what does resize return": ("docs/resize.md", "Return value"),
    "resize parameters": ("docs/resize.md", "Parameters"),
    "which Python version is needed?": ("docs/install.md", "Install"),
    "what is the default timeout of a connection": ("docs/network.md", "Connections"),
    "how many connections does a pool keep": ("docs/network.md", "Pools"),
    "command to start the server": ("docs/serve.md", "Serve"),
    "file name": ("docs/filenames.md", "Naming"),
    "timezone": ("docs/filenames.md", "Naming"),
    "¿cómo es la configuración de la autenticación?": ("docs/auth.md", "Authentication"),
    "training modle": ("docs/training.md", "Training"),
}


@pytest.mark.parametrize(("question", "place"), SECTIONS.items(), ids=SECTIONS)
def test_search_shows_the_section_that_answers_first(workspace, question, place):
    hit = answer(workspace, question)["hits"][0]
    assert (hit["path"], hit["heading"]) == place


def test_search_corrects_a_slip_towards_words_that_occur_together(workspace):
    """More pages have *module*, which is as near to what was typed."""
    assert answer(workspace, "training modle")["guesses"] == {"modle": "model"}
    assert answer(workspace, "garden modle number")["guesses"] == {"modle": "module"}


CODE = {
    "how do I install it for my user": "pipx install garden\ngarden --init",
    "clone from source": "",
}


@pytest.mark.parametrize(("question", "code"), CODE.items(), ids=CODE)
def test_search_includes_the_code_block_that_a_passage_introduces(workspace, question, code):
    hit = answer(workspace, question)["hits"][0]
    assert (hit["path"], hit["code"]) == ("docs/install.md", code)
    shown = cairn("search", question, cwd=workspace).out
    assert all(f"      {line}\n" in shown for line in code.splitlines())


@pytest.mark.parametrize("tag", ["var", "kbd", "nbsp", "hidden"])
def test_search_does_not_read_tags_comments_and_entities_as_words(workspace, tag):
    assert [hit["path"] for hit in answer(workspace, tag)["hits"]] == []


@pytest.mark.parametrize("filler", ["actually", "honestly and simply", "please actually tell me honestly"])
def test_search_keeps_a_page_in_the_top_ten_when_a_filler_word_is_added(workspace, filler):
    plain, filled = (answer(workspace, question) for question in ("prune roses", f"{filler} prune roses"))
    assert plain["hits"][0]["path"] == filled["hits"][0]["path"] == "docs/pruning.md"


def test_search_ranks_a_file_of_lessons_below_pages(workspace):
    found = cairn("search", "prune roses in February", "--json", "--explain", "--all", cwd=workspace).json()["hits"]
    assert [hit["path"] for hit in found[:2]] == ["docs/pruning.md", "tasks/lessons.md"]
    kinds = [factor for hit in found[:2] for factor in hit["explanation"]["factors"] if factor["name"] == "kind"]
    assert [kind["value"] for kind in kinds] == [1.0, 0.8]


def test_search_says_that_nothing_fits_when_the_first_hit_does_not(workspace):
    found = answer(workspace, "prune the invoice ledger of the subsidiary")
    assert (found["fits"], len(found["hits"]) <= 5) == (False, True)


TRANSLATED = {
    "comment tailler les rosiers avec des gants ?": ["docs/fr/taille.md"],
    "如何修剪玫瑰": ["docs/zh/修剪.md"],
    "rosiers gants": [],
    "wie schneide ich die rosiers und die gants": [],
}


@pytest.mark.parametrize(("question", "expected"), TRANSLATED.items(), ids=TRANSLATED)
def test_search_finds_a_translation_for_a_question_in_its_language(workspace, question, expected):
    assert [hit["path"] for hit in answer(workspace, question)["hits"]][:1] == expected


def test_search_leaves_fixtures_out_unless_all_is_asked_for(workspace):
    assert answer(workspace, "zebra")["hits"] == []
    everything = cairn("search", "zebra", "--all", "--json", cwd=workspace).json()
    assert [hit["path"] for hit in everything["hits"]] == ["tests/fixtures/zebra.md"]
