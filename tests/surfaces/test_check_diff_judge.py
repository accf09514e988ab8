"""`cairn check --diff --judge`: sentences about changed code that only a reader can judge."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from model_server import ModelServer, model_server
from program import Ran, cairn, fits_schema
from reading_agent import WITH, answers, asked, env_of
from repository import commit, make, put

CODE = '''def connect(host, timeout=30):
    """Opens a session."""
    for attempt in range(3):
        if attempt:
            pause(attempt)
        return Session(host, timeout)


def close(session):
    session.flush()
'''
SAYS = "When nothing answers, `connect` waits\nbetween its attempts. It never raises."
GUIDE = f"# Guide\n\n## Sessions\n\nA session is cheap. {SAYS}\n\n- `close` flushes what was written.\n"
SENTENCE = "When nothing answers, `connect` waits\nbetween its attempts."
FIXED = "When nothing answers, `connect` fails\nat once."
FILES = {"src/net.py": CODE, "docs/guide.md": GUIDE, ".cairn/settings.json": "{}", ".cairn/.gitignore": "*\n"}
IMPATIENT = CODE.replace("        if attempt:\n            pause(attempt)\n", "")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make(tmp_path / "repo", FILES)
    put(root, {"src/net.py": IMPATIENT})
    return root


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def check(root: Path, *options: str, **env: str) -> Ran:
    return cairn("check", "--diff", "HEAD", "--judge", *options, cwd=root, **env)


def said(answer: str, **more: Any) -> dict[str, Any]:
    return {
        "answer": answer,
        "reason": "It no longer pauses.",
        "quote": None,
        "new_sentence": None,
        "also_changed": None,
        **more,
    }


FALSE = said("false", quote="pause(attempt)", new_sentence=FIXED, also_changed="Nothing waits any more.")


def test_a_false_sentence_becomes_a_finding_with_the_new_one(root: Path, model: ModelServer) -> None:
    answers(model, still_holds=FALSE)
    ran = check(root, *WITH, **env_of(model))
    assert ran.code == 1, (ran.out, ran.err)
    assert "5  warning  `connect` changed inside. A reader: It no longer pauses." in ran.out
    assert "Fix: Replace it with: When nothing answers, `connect` fails at once." in ran.out
    assert "Evidence: src/net.py:1: pause(attempt)" in ran.out
    assert "sentences about changed code, as readers answered: 1 false" in ran.err
    [prompt] = asked(model, "still_holds")
    assert f"SENTENCE docs/guide.md [Guide > Sessions]\n{SENTENCE}" in prompt
    assert "-            pause(attempt)" in prompt and "A session is cheap." in prompt
    value = check(root, "--json").json()
    fits_schema(value, "check-diff")
    assert value["judged"]["false"] == 1 and value["doubts"][0]["reason"] == "read", "the answer that exists is used"


def test_without_a_reader_the_questions_wait(root: Path) -> None:
    ran = check(root)
    assert ran.code == 0 and "No sentence in doubt" in ran.out
    assert "1 sentence about changed code is waiting to be read: run `cairn judge`" in ran.err
    [job] = cairn("job", "list", "--json", cwd=root).json()
    assert job["nodeId"] == "change:worktree:docs/guide.md:5"
    check(root)
    assert len(cairn("job", "list", "--json", cwd=root).json()) == 1, "asking twice is free"


@pytest.mark.parametrize(("answer", "counted"), [("holds", "holds"), ("cannot-tell", "undecided")])
def test_a_sentence_that_holds_is_no_finding(root: Path, model: ModelServer, answer: str, counted: str) -> None:
    answers(model, still_holds=said(answer))
    ran = check(root, *WITH, "--json", **env_of(model))
    assert ran.code == 0 and ran.json()["judged"][counted] == 1 and ran.json()["doubts"] == []


@pytest.mark.parametrize(
    "answer",
    [
        said("false", quote="session.flushes_everything()"),
        {**FALSE, "new_sentence": "When nothing answers, `reconnect` is called after 5 seconds."},
        "It is false, believe me.",
    ],
)
def test_an_answer_without_a_proof_does_not_count(root: Path, model: ModelServer, answer: Any) -> None:
    answers(model, still_holds=answer)
    ran = check(root, *WITH, "--json", **env_of(model))
    assert ran.json()["judged"]["failed"] == 1 and ran.json()["doubts"] == [] and len(asked(model)) == 2


def test_code_that_changed_again_is_asked_about_anew(root: Path, model: ModelServer) -> None:
    check(root)
    put(root, {"src/net.py": IMPATIENT.replace("range(3)", "range(2)")})
    check(root)
    queued = cairn("job", "list", "--status", "queued", "--json", cwd=root).json()
    assert len(queued) == 1, "the question about the earlier code was cancelled"
    answers(model, still_holds=FALSE)
    assert check(root, *WITH, **env_of(model)).code == 1
    assert "range(2)" in asked(model)[0]


def test_between_two_commits(root: Path, model: ModelServer) -> None:
    commit(root)
    answers(model, still_holds=FALSE)
    ran = cairn("check", "--diff", "HEAD~1..HEAD", "--judge", *WITH, "--json", cwd=root, **env_of(model))
    assert ran.json()["judged"]["false"] == 1
    [job] = cairn("job", "list", "--json", cwd=root).json()
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=True).stdout
    assert job["nodeId"] == f"change:{head.strip()}:docs/guide.md:5"


def test_a_run_asks_about_fifty_and_counts_the_rest(tmp_path: Path, model: ModelServer) -> None:
    names = ("connect", "close")
    pages = {f"docs/{n}.md": f"# P\n\nUse `{names[n % 2]}` with care, says page {n}.\n" for n in range(60)}
    root = make(tmp_path / "many", {**FILES, **pages})
    put(root, {"src/net.py": CODE.replace("timeout=30", "timeout=10").replace("(session)", "(session, force=False)")})
    ran = check(root)
    assert "50 sentences about changed code are waiting" in ran.err and "12 more sentences not asked about" in ran.err
    answers(model, still_holds=said("holds"))
    assert check(root, *WITH, "--json", **env_of(model)).json()["judged"] | {"spent": None} == {
        "false": 0, "holds": 62, "undecided": 0, "failed": 0, "waiting": 0, "left": 0, "spent": None,
    }  # fmt: skip


def test_a_sentence_over_two_lines_is_one_question(tmp_path: Path, model: ModelServer) -> None:
    text = "# Guide\n\nFirst call `connect`\nand then `close` with its session.\n"
    root = make(tmp_path / "two", {**FILES, "docs/guide.md": text})
    put(root, {"src/net.py": CODE.replace("timeout=30", "timeout=10").replace("(session)", "(session, force=False)")})
    answers(model, still_holds=said("holds"))
    value = check(root, *WITH, "--json", **env_of(model)).json()
    assert value["judged"]["holds"] == 1 and value["mentions"] == [], "both lines are settled"
    [prompt] = asked(model, "still_holds")
    assert "First call `connect`\nand then `close` with its session." in prompt


def test_the_hunk_with_the_name_and_its_definition_on_both_sides_are_shown(tmp_path: Path, model: ModelServer) -> None:
    other = "def first():\n    return 1\n" + "\n" * 12
    code = 'def ordered(self):\n    return self.options.get("chord_ordered", False)\n'
    page = "# Chords\n\nTurn on `chord_ordered` before you start a chord.\n"
    root = make(tmp_path / "option", {**FILES, "src/net.py": other + code, "docs/guide.md": page})
    put(root, {"src/net.py": other.replace("1", "2") + code.replace("False", "True")})
    answers(model, still_holds=said("false", quote='return self.options.get("chord_ordered", True)'))
    ran = check(root, *WITH, **env_of(model))
    [prompt] = asked(model, "still_holds")
    before, after = prompt.rindex("\nbefore:\ndef ordered"), prompt.rindex("\nafter:\ndef ordered")
    assert (
        before
        < after
        < prompt.rindex('+    return self.options.get("chord_ordered", True)')
        < prompt.rindex("+    return 2")
    )
    assert ran.code == 1 and "`chord_ordered` is on changed lines of src/net.py. A reader:" in ran.out


def test_without_judge_such_a_line_is_no_finding(tmp_path: Path) -> None:
    files = {
        **FILES,
        "src/net.py": 'x = get("chord_ordered", 1)\n',
        "docs/guide.md": "# A\n\nSet `chord_ordered` first.\n",
    }
    root = make(tmp_path / "plain", files)
    put(root, {"src/net.py": 'x = get("chord_ordered", 2)\n'})
    value = cairn("check", "--diff", "HEAD", "-v", "--json", cwd=root).json()
    assert value["doubts"] == [] and value["mentions"] == []
    assert "1 sentence about changed code is waiting" in check(root).err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--judge",), "name it with --diff or --staged"),
        (("--diff", "HEAD", "--with", "claude"), "are for --judge"),
        (("--diff", "HEAD", "--judge", "--with", "claude"), "claude"),
        (("--diff", "HEAD", "--judge", "--budget", "5k"), "name the reader with --with"),
    ],
)
def test_bad_input(root: Path, options: tuple[str, ...], says: str) -> None:
    ran = cairn("check", *options, cwd=root, PATH="/usr/bin:/bin")
    assert ran.code == 2 and says in ran.err
