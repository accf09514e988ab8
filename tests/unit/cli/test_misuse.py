"""Calls that click refuses, in our words."""

import json
import re

import pytest

from cairn.cli.boundary import run

CLICKS_WORDS = re.compile(
    r"invalid value|integer range|x>=|requires an argument|got unexpected|missing (argument|command)"
)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("list --limit x", "--limit takes a whole number, 0 or more, not 'x'"),
        ("list --limit -1", "--limit takes a whole number, 0 or more, not '-1'"),
        ("list --limit 1.5", "--limit takes a whole number, 0 or more, not '1.5'"),
        ("list --limit it's", "--limit takes a whole number, 0 or more, not 'it's'"),
        ("scan --max-nodes 0", "--max-nodes takes a whole number, 1 or more, not '0'"),
        ("list --sort-by pth", "--sort-by doesn't know 'pth'; did you mean 'path'?"),
        ("export --format pdf", "--format doesn't know 'pdf'; write one of json, md or mermaid"),
        ("completion fish2", "SHELL doesn't know 'fish2'; did you mean 'fish'?"),
        ("show", "`cairn show` needs NODE; `cairn show --help` shows how"),
        ("show a b c", "`cairn show` takes no argument 'b c'; `cairn show --help` shows what it takes"),
        ("check README.md", "`cairn check` takes no argument 'README.md'; did you mean `--node README.md`?"),
        ("nope", "unknown command 'cairn nope'; did you mean 'note'?"),
        ("agent install claude", "`cairn agent install` takes no argument 'claude'; did you mean `--agent claude`?"),
        ("list --limit", "--limit needs a value; `cairn list --help` shows how"),
        ("-C", "-C needs a value; `cairn --help` shows how"),
        ("check --no-scan=1", "--no-scan is a switch and takes no value; leave out the = and what follows"),
        ("list --limt 3", "unknown option '--limt' of `cairn list`; did you mean '--limit'?"),
        ("list -z", "unknown option '-z' of `cairn list`; `cairn list --help` lists the options"),
        ("config gt", "unknown command 'cairn config gt'; did you mean 'get'?"),
    ],
)
def test_each_is_one_sentence_that_says_what_to_do(capsys, line, sentence):
    assert run(line.split(), {}) == 2
    assert capsys.readouterr() == ("", f"cairn: {sentence}\n")


def test_a_group_names_its_commands(capsys):
    assert run(["config"], {}) == 2
    assert re.match(
        r"cairn: `cairn config` needs one of list, .* or \w+; `cairn config --help`", capsys.readouterr().err
    )


@pytest.mark.parametrize(
    "line", ["list --limit x", "show", "show a b", "list --limit", "config", "export --format pdf"]
)
def test_nothing_of_clicks_own_words_is_left(capsys, line):
    assert run([*line.split(), "--json"] if not line.endswith("--limit") else ["--json", *line.split()], {}) == 2
    message = json.loads(capsys.readouterr().out)["error"]["message"]
    assert not CLICKS_WORDS.search(message)


def test_what_was_known_is_in_the_details(capsys):
    assert run(["--json", "export", "--format", "pdf"], {}) == 2
    details = json.loads(capsys.readouterr().out)["error"]["details"]
    assert details == {"option": "--format", "known": ["json", "md", "mermaid"]}
