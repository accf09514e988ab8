"""Any program may make vectors; whatever it does, the answer is a list of vectors or one sentence."""

import shlex
import sys
from pathlib import Path

import pytest

from cairn.adapters.embed.command import CommandEmbedder
from cairn.errors import EnvironmentProblem

GOOD = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    print(json.dumps({"id": said["id"], "vector": [len(said["text"]), 1.5]}))
"""
BACKWARDS = """
import json, sys
for said in reversed([json.loads(line) for line in sys.stdin]):
    print(json.dumps({"vector": [len(said["text"])], "id": said["id"], "more": "words"}), end="\\n\\n")
"""


def embedder(tmp_path: Path, code: str, seconds: float = 20) -> CommandEmbedder:
    program = tmp_path / "embed.py"
    program.write_text(code)
    command = shlex.join([sys.executable, "-S", str(program)])
    return CommandEmbedder(command, env={}, folder=tmp_path, seconds=seconds)


@pytest.mark.parametrize(("code", "expected"), [(GOOD, [[2, 1.5], [3, 1.5]]), (BACKWARDS, [[2], [3]])])
def test_a_vector_for_each_text(tmp_path: Path, code: str, expected: list[list[float]]) -> None:
    assert embedder(tmp_path, code).embed(["ab", "a\nü"]) == expected


def test_many_texts_go_in_several_batches(tmp_path: Path) -> None:
    texts = ["x" * number for number in range(130)]
    assert [vector[0] for vector in embedder(tmp_path, GOOD).embed(texts)] == list(range(130))


BAD = [
    ("", "it gave no vector for 2 of 2 texts"),
    ("print('hello')", "a line of its answer is not"),
    ("print('[1, 2]')", "a line of its answer is not"),
    ('print(\'{"id": 0, "vector": 3}\')', "a line of its answer is not"),
    ('print(\'{"id": 0, "vector": []}\')', "1 to 8192 finite numbers"),
    ('print(\'{"id": 0, "vector": [NaN]}\')', "1 to 8192 finite numbers"),
    ('print(\'{"id": 0, "vector": [1]}\')\nprint(\'{"id": 1, "vector": [1, 2]}\')', "not all of one length"),
    ("raise SystemExit(3)", "it ended with 3"),
    ("import sys\nwhile True: sys.stdout.write('x' * 1_000_000)", "it said more than 67,108,864 bytes"),
]


@pytest.mark.parametrize(("code", "why"), BAD, ids=[why for _, why in BAD])
def test_what_is_wrong_is_said_in_one_sentence(tmp_path: Path, code: str, why: str) -> None:
    with pytest.raises(EnvironmentProblem) as caught:
        embedder(tmp_path, code).embed(["a", "b"])
    assert why in caught.value.message
    assert caught.value.message.startswith("`retrieve.embed_command` (")


def test_one_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    code = "import subprocess, sys\nsubprocess.run([sys.executable, '-S', '-c', 'import time; time.sleep(60)'])"
    with pytest.raises(EnvironmentProblem, match=r"did not end within 0\.5 seconds"):
        embedder(tmp_path, code, seconds=0.5).embed(["a"])


@pytest.mark.parametrize("command", ["no-such-program", "'open", ""])
def test_one_that_cannot_be_started(tmp_path: Path, command: str) -> None:
    with pytest.raises(EnvironmentProblem, match="could not be started"):
        CommandEmbedder(command, env={}, folder=tmp_path).embed(["a"])


def test_what_it_is_called_with_is_not_told(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem) as caught:
        CommandEmbedder("no-such-program --key sk-1234567890", env={}, folder=tmp_path).embed(["a"])
    assert "(no-such-program …)" in caught.value.message
    assert "sk-" not in caught.value.message


def test_another_command_is_another_model(tmp_path: Path) -> None:
    one, other = (CommandEmbedder(name, env={}, folder=tmp_path).id for name in ("a", "b"))
    assert one != other
