"""`bench/judge.py` puts small sets through the real interface, and scores what a scripted reader answers."""

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from repository import commit, git

BENCH = Path(__file__).parents[2] / "bench"
MODULES = ["desk", "labels", "pairs", "places", "score", "sentences", "sessions", "sets", "sheet", "transcripts"]
SAFE = {"injectionDetected": False, "injectionType": None, "injectionDetails": None, "contentQuality": "clean"}
TOOLS = "we never use npm here, always pnpm, since npm ignores our workspace file"
SESSIONS = [
    {
        "id": "x-1",
        "host": "claude-code",
        "language": "en",
        "messages": [
            {"who": "person", "text": "Run the tests of the cart, please, the discounts are off since yesterday."},
            {"who": "agent", "text": "I run npm test."},
            {"who": "tool", "text": "npm ERR! missing script"},
            {"who": "agent", "text": "npm has no script for it."},
            {"who": "person", "text": f"{TOOLS}. the pass phrase of the sandbox is blue kettle"},
        ],
        "expect": [
            {"kind": "practice", "gist": "Use pnpm, never npm.", "words": [["pnpm"], ["never", "not"]], "quote": TOOLS}
        ],
        "never": ["blue kettle"],
    },
    {
        "id": "x-2",
        "host": "codex",
        "language": "de",
        "messages": [
            {"who": "person", "text": "Lass die langsamen Tests für heute weg, ich will nur sehen, ob es baut."},
            {"who": "agent", "text": "Es baut."},
            {"who": "person", "text": "Gut, dann machen wir Feierabend, und morgen schauen wir weiter."},
        ],
        "expect": [],
        "never": [],
    },
    {
        "id": "x-3",
        "host": "codex",
        "language": "en",
        "messages": [
            {"who": "person", "text": "Remember: prices are integers in cents."},
            {"who": "agent", "text": "I keep prices as integers in cents, and change the one place that has a float."},
        ],
        "expect": [{"kind": "practice", "gist": "Cents.", "words": [["cents"]], "quote": "prices are integers"}],
        "never": [],
    },
]
PAGE = {
    "id": "map/session-timeout",
    "kind": "map",
    "title": "Sessions end after 30 minutes",
    "summary": "A session ends after 30 minutes.",
    "tags": ["sessions"],
    "body": "A session ends after 30 minutes without a request. Its cart is kept.",
}
CANDIDATE = {
    "id": "c-1",
    "language": "en",
    "candidate": {
        "kind": "map",
        "title": "Sessions end after 45 minutes",
        "summary": "A session ends after 45 minutes.",
        "body": "A session ends after 45 minutes without a request.",
        "tags": ["sessions"],
        "confidence": "high",
    },
    "said": [
        {"who": "person", "text": "we raised the session timeout to 45 minutes on purpose, the shops asked for it"}
    ],
    "expect": {
        "action": "modify",
        "target": "map/session-timeout",
        "old": "A session ends after 30 minutes without a request.",
        "new_words": [["45"]],
        "keep_words": ["cart is kept"],
    },
}
PAIR = {
    "id": "p-1",
    "language": "en",
    "a": {"path": "docs/a.md", "headings": ["Limits"], "text": "A request may take 30 seconds.", "sources": []},
    "b": {"path": "docs/b.md", "headings": [], "text": "Requests end after 60 seconds.", "date": "2026-03-01"},
    "same_subject": True,
    "disagree": True,
    "right": "b",
}


@pytest.fixture(scope="module")
def bench() -> Iterator[SimpleNamespace]:
    sys.path.insert(0, str(BENCH))
    try:
        yield SimpleNamespace(**{name: importlib.import_module(f"judge_{name}") for name in MODULES})
    finally:
        sys.path.remove(str(BENCH))


def given(bench: SimpleNamespace, kind: str, items: list[Any], base: tuple[Any, ...] = ()) -> Any:
    found = bench.sets.JudgeSet("tiny", kind, tuple(items), base)
    assert bench.sets.problems(found) == []
    return found


def answer(bench: SimpleNamespace, booth: Any, folder: Path, reply: Callable[[str], Any]) -> Any:
    """One round: each prompt gets a file, each file an answer."""
    out, work = folder / "out", folder / "work"
    for file in bench.desk.write_prompts(booth.app, out, work):
        said = reply(file.read_text("utf-8"))
        if said is not None:
            value = said if isinstance(said, str) else json.dumps({"confidence": 0.9, "safety": SAFE, **said})
            file.with_suffix(".json").write_text(value, "utf-8")
    found = bench.desk.take_answers(booth.app, out, work, "test")
    booth.ask()
    return found


def lesson(quote: str, text: str, kind: str = "practice") -> dict[str, Any]:
    named = {"kind": kind, "title": text, "summary": text, "body": text, "tags": ["tools"], "confidence": "high"}
    return {**named, "quotes": [quote]}


@pytest.fixture
def sessions(bench: SimpleNamespace, tmp_path: Path) -> Any:
    (tmp_path / "work").mkdir()
    booth = bench.sessions.SessionBooth(given(bench, "sessions", SESSIONS), tmp_path / "work")
    booth.ask()
    return booth


def test_sessions_are_captured_asked_about_and_scored(bench: SimpleNamespace, sessions: Any, tmp_path: Path) -> None:
    def reply(prompt: str) -> Any:
        if "npm ERR" in prompt:
            raise AssertionError("outputs of tools do not reach a reader")
        if TOOLS in prompt:
            leak = lesson(TOOLS, "The sandbox has the pass phrase blue kettle.", "map")
            return {"candidates": [lesson(TOOLS, "Use pnpm, never npm."), leak]}
        return {"candidates": []}

    found = answer(bench, sessions, tmp_path, reply)
    assert (found.accepted, found.refused, found.without) == (3, 0, 0)
    first, second, third = bench.score.score_items(sessions, {})
    assert (first.parts.right, first.parts.wrong, first.leaks) == (1, 1, ("blue kettle",))
    assert second.parts.is_right and second.label == "nothing"
    assert third.parts.right == 1, "what a person asks to keep counts without a reader"
    assert first.tokens_in > 1_000 and first.tokens_out > 50
    assert bench.score.summed([first, second, third]).precision == pytest.approx(2 / 3)


def test_answers_made_from_labels_are_right(bench: SimpleNamespace, sessions: Any, tmp_path: Path) -> None:
    prompts = bench.desk.write_prompts(sessions.app, tmp_path / "out", tmp_path / "work")
    assert bench.labels.write_answers(sessions, prompts) == 3
    assert bench.desk.take_answers(sessions.app, tmp_path / "out", tmp_path / "work", "labels").refused == 0
    sessions.ask()
    assert all(one.parts.is_right for one in bench.score.score_items(sessions, {}))


def test_a_refused_answer_is_asked_again_and_counted_where_it_was_right(
    bench: SimpleNamespace, sessions: Any, tmp_path: Path
) -> None:
    def reply(prompt: str) -> Any:
        quote = TOOLS if "problems" in prompt.rpartition("</user-content>")[0][-2_000:] else "we love pnpm"
        return {"candidates": [lesson(quote, "Use pnpm, never npm.")] if TOOLS in prompt else []}

    assert answer(bench, sessions, tmp_path, reply).refused == 1
    assert [
        file.name.endswith("-again.md")
        for file in bench.desk.write_prompts(sessions.app, tmp_path / "out", tmp_path / "work")
    ] == [True]
    assert bench.score.score_items(sessions, {})[0].parts is None
    assert answer(bench, sessions, tmp_path, reply).accepted == 1
    first = bench.score.score_items(sessions, {})[0]
    assert (first.parts.right, first.refused, len(first.right_refused), first.lost) == (1, 1, 1, 0)


def test_questions_without_an_answer_stay_in_the_queue(bench: SimpleNamespace, sessions: Any, tmp_path: Path) -> None:
    names = {file.name for file in bench.desk.write_prompts(sessions.app, tmp_path / "out", tmp_path / "work")}
    found = answer(bench, sessions, tmp_path, lambda prompt: {"candidates": []} if TOOLS in prompt else None)
    assert (found.accepted, found.without) == (1, 2)
    left = {file.name for file in bench.desk.write_prompts(sessions.app, tmp_path / "out", tmp_path / "work")}
    assert left < names and len(left) == 2
    assert [one.parts is None for one in bench.score.score_items(sessions, {})] == [False, True, True]


def test_answers_to_another_wording_are_refused(
    bench: SimpleNamespace, sessions: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.desk.write_prompts(sessions.app, tmp_path / "out", tmp_path / "work")
    actions = {id: one._replace(prompt=f"{one.prompt} Be kind.") for id, one in sessions.app.actions().items()}
    monkeypatch.setattr(sessions.app, "actions", lambda: actions)
    with pytest.raises(SystemExit, match="core/learned has changed since this was asked"):
        bench.desk.take_answers(sessions.app, tmp_path / "out", tmp_path / "work", "test")


def test_a_recording_is_replayed_only_for_the_same_questions(
    bench: SimpleNamespace, sessions: Any, tmp_path: Path
) -> None:
    text = json.dumps({"confidence": 0.9, "safety": SAFE, "candidates": []})
    jobs = bench.desk.write_prompts(sessions.app, tmp_path / "out", tmp_path / "work")
    for file in jobs:
        (tmp_path / "out" / f"{file.stem}.txt").write_text(text)
    with pytest.raises(SystemExit, match="has no recording of core-learned"):
        bench.desk.read_with(sessions.app, f"replay:{tmp_path / 'out'}", None, kept=None)
    prompts = (tmp_path / "work" / bench.desk.MANIFEST).read_text()
    (tmp_path / "out" / bench.desk.PROMPTS).write_text(prompts)
    assert bench.desk.read_with(sessions.app, f"replay:{tmp_path / 'out'}", None, kept=None).completed == 3


def test_a_statement_that_matches_nothing_goes_to_a_judge(
    bench: SimpleNamespace, sessions: Any, tmp_path: Path
) -> None:
    said = {"candidates": [lesson(TOOLS, "Packages come from the workspace tool.")]}
    answer(bench, sessions, tmp_path, lambda prompt: said if TOOLS in prompt else {"candidates": []})
    scores = bench.score.score_items(sessions, {})
    assert bench.sheet.write_sheet(tmp_path / "sheet.jsonl", sessions, scores) == 1
    row = json.loads((tmp_path / "sheet.jsonl").read_text())
    assert row["open"] == ["Use pnpm, never npm."] and row["statement"]["title"].startswith("Packages")
    for verdict, right, wrong, missed in (("wrong", 0, 1, 1), ("right", 1, 0, 1), ("expected", 1, 0, 0)):
        (tmp_path / "judged.jsonl").write_text(json.dumps({**row, "verdict": verdict}))
        judged = bench.sheet.read_verdicts(tmp_path / "judged.jsonl")
        parts = bench.score.score_items(sessions, judged)[0].parts
        assert (parts.right, parts.wrong, parts.missed) == (right, wrong, missed)


@pytest.mark.parametrize(
    ("edits", "right"),
    [
        ([("A session ends after 30 minutes without a request.", "A session ends after 45 minutes.")], True),
        ([("Its cart is kept.", "Its cart is deleted after 45 minutes.")], False),
    ],
)
def test_an_edit_is_right_when_the_page_states_the_new_and_keeps_the_old(
    bench: SimpleNamespace, tmp_path: Path, edits: list[tuple[str, str]], right: bool
) -> None:
    (tmp_path / "work").mkdir()
    booth = bench.places.PlaceBooth(given(bench, "places", [CANDIDATE], (PAGE,)), tmp_path / "work")
    booth.ask()
    assert booth.measures()["recall@4 of the right page"] == 1 and booth.measures()["at place 1"] == 1
    changes = [{"old": old, "new": new} for old, new in edits]
    said = {"fate": "modify", "page": "session-timeout", "reason": "Raised.", "edits": changes}
    answer(bench, booth, tmp_path, lambda _: {**said, "title": PAGE["title"].replace("30", "45"), "summary": None})
    [score] = bench.score.score_items(booth, {})
    assert score.parts.is_right is right


@pytest.mark.parametrize(("said", "parts"), [({"disagree": True}, (1, 0, 0)), ({"disagree": False}, (0, 0, 1))])
def test_pairs_are_scored_by_whether_they_disagree(
    bench: SimpleNamespace, tmp_path: Path, said: dict[str, Any], parts: tuple[int, int, int]
) -> None:
    (tmp_path / "work").mkdir()
    pair = {**PAIR, "a": {**PAIR["a"], "date": None}, "b": {**PAIR["b"], "sources": []}}  # type: ignore[dict-item]
    booth = bench.pairs.PairBooth(given(bench, "pairs", [pair]), tmp_path / "work")
    booth.ask()
    full = {"same_subject": True, "quote_a": "30 seconds", "quote_b": "60 seconds", "right": "b", "why": "Times."}
    answer(bench, booth, tmp_path, lambda _: {**full, "who_decides": "the code", **said})
    [score] = bench.score.score_items(booth, {})
    assert (score.parts.right, score.parts.wrong, score.parts.missed) == parts
    assert "| disagree | 1 | 1 |" in bench.score.report("pairs", [score], {})


def clone_of(folder: Path, *states: dict[str, str]) -> list[str]:
    """A clone as `owner+name/repo` with a commit for each state; their names."""
    root = folder / "owner+name" / "repo"
    root.mkdir(parents=True)
    git(root, "init", "--quiet")
    return [commit(root, state) for state in states]


CODE = "def connect(host, timeout={}):\n    return Session(host, timeout)\n"
DOC = "# Client\n\n`connect` waits 30 seconds by default.\n"
SENTENCE = {
    "id": "n-1",
    "repository": "owner/name",
    "page": "docs/client.md",
    "line": 3,
    "sentence": "`connect` waits 30 seconds by default.",
    "code": "client.py",
    "symbol": "connect",
    "holds": False,
    "new_words": [["10 seconds"]],
}


@pytest.mark.parametrize("is_pointer", [False, True])
def test_a_sentence_is_asked_about_with_the_change_of_its_clone(
    bench: SimpleNamespace, tmp_path: Path, is_pointer: bool
) -> None:
    page = {"docs/client.md": DOC}
    _, changed = clone_of(tmp_path / "clones", {**page, "client.py": CODE.format(30)}, {"client.py": CODE.format(10)})
    item = {**SENTENCE, "commit": changed}
    if is_pointer:
        text = str(item.pop("sentence"))
        item |= {"at": [DOC.index(text), len(text)], "sha256": sha256(text.encode()).hexdigest()}
    found = bench.sets.JudgeSet("tiny", "sentences", (item,))
    assert bench.sets.problems(found) == []
    (tmp_path / "work").mkdir()
    booth = bench.sentences.SentenceBooth(found, tmp_path / "work", tmp_path / "clones")
    booth.ask()
    assert list(booth.measures().values()) == [1]

    def reply(prompt: str) -> Any:
        assert "-def connect(host, timeout=30):\n+def connect(host, timeout=10):" in prompt
        new = "`connect` waits 10 seconds by default."
        quote = "def connect(host, timeout=10):"
        return {"answer": "false", "reason": "10.", "quote": quote, "new_sentence": new, "also_changed": None}

    assert answer(bench, booth, tmp_path, reply).accepted == 1
    [score] = bench.score.score_items(booth, {})
    assert score.parts.is_right and score.parts.details["new sentences with the right words"] == 1


def test_labels_that_cannot_be_met_are_named(bench: SimpleNamespace) -> None:
    wrong = {**SESSIONS[0], "expect": [{**SESSIONS[0]["expect"][0], "quote": "nobody said this"}]}  # type: ignore[index]
    found = bench.sets.JudgeSet("tiny", "sessions", (wrong,))
    assert bench.sets.problems(found) == ["x-1: the quote “nobody said this” is in no message"]
    lost = {**CANDIDATE, "expect": {**CANDIDATE["expect"], "target": "map/none"}}  # type: ignore[dict-item]
    assert "has no page `map/none`" in bench.sets.problems(bench.sets.JudgeSet("t", "places", (lost,), (PAGE,)))[0]
