"""Puts an evaluation set through the questions that Cairn asks, and scores what comes of it.

usage: python bench/judge.py SET --work DIR [--ask OUT] [--answers DIR | --with READER] [--sheet FILE] [--judged FILE]

SET is a folder with one of `sessions.jsonl`, `candidates.jsonl` (and `base.jsonl`), `pairs.jsonl`, `sources.jsonl`,
`sentences.jsonl`. Its items go into a real workspace in the folder --work, and through the commands that users have:
sessions are captured from transcripts in the hosts' formats, candidates go to the curator, sources are audited, and
code changes are reviewed.

A blind reader can be anybody. `--ask OUT` writes one file for each question, with exactly the prompt that a reader gets
and nothing else. The reader writes its answer to `NAME.json` for `NAME.md`. `--answers DIR` records them as `cairn
record` does; an answer that the checker refuses is asked once more, in `OUT/again`, and what follows from an answer is
asked as well, so repeat both until nothing waits. `--with READER` has any reader of `cairn judge` answer instead, and
`--record DIR` keeps its answers, which `--with replay:DIR` gives again. An answer to a question that has changed since
is refused.

Statements from sessions that match no expectation go to a sheet: `--sheet FILE` writes it, with the session and the
expectations that nothing met, and a judge who does not know who answered fills in `verdict`. `--judged FILE` counts the
verdicts.

Two measurements need no reader: `--cues` scores what people explicitly asked to keep, and `--labels OUT` answers as the
labels say, which shows what the checks refuse of right answers.
"""

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from judge_desk import read_with, take_answers, write_prompts
from judge_labels import write_answers
from judge_pairs import PairBooth
from judge_places import PlaceBooth
from judge_room import JudgeBooth
from judge_score import errors, report, score_items, write_json
from judge_sentences import SentenceBooth
from judge_sessions import SessionBooth
from judge_sets import JudgeSet, problems, read_set, usable
from judge_sheet import read_verdicts, write_sheet
from judge_sources import SourceBooth, missing_clones

_ROUNDS = 20


def main() -> None:
    given = _arguments()
    wanted = read_set(given.set)
    for problem in problems(wanted):
        print(f"{wanted.name}: {problem}")
    if wanted.kind in ("sources", "sentences") and (missing := missing_clones(wanted, given.clones)):
        print(f"{wanted.name}: no clone below {given.clones}, so left out: {', '.join(missing)}")
    booth = _booth(usable(wanted), given)
    booth.ask()
    if given.answers:
        _take(booth, given)
    if given.reader:
        _read(booth, given)
    if given.labels:
        write_answers(booth, write_prompts(booth.app, given.labels, given.work))
        given.answers, given.by = given.labels, "labels"
        _take(booth, given)
    if given.ask:
        files = write_prompts(booth.app, given.ask, given.work)
        print(f"{len(files)} questions wait; each is a file in {given.ask}, its answer goes to NAME.json")
    if given.answers or given.reader or given.cues or given.score:
        _print(booth, given)
    elif measures := booth.measures():
        print("\n".join(f"{name}: {value}" for name, value in measures.items()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, metavar="SET", help="folder of the set")
    parser.add_argument(
        "--work", type=Path, required=True, metavar="DIR", help="keep the workspace here, between steps"
    )
    parser.add_argument("--ask", type=Path, metavar="OUT", help="write a file for each question that waits")
    parser.add_argument("--answers", type=Path, metavar="DIR", help="record the answers in this folder")
    parser.add_argument("--by", default="blind reader", metavar="NAME", help="who gave the answers in --answers")
    parser.add_argument("--with", dest="reader", metavar="READER", help="any reader of `cairn judge`")
    parser.add_argument("--model", metavar="NAME", help="its model")
    parser.add_argument("--record", type=Path, metavar="DIR", help="keep its answers")
    parser.add_argument("--clones", type=Path, default=Path("clones"), metavar="DIR", help="clones, as owner+name/repo")
    parser.add_argument("--cues", action="store_true", help="without a reader: what people explicitly asked to keep")
    parser.add_argument("--labels", type=Path, metavar="OUT", help="answer as the labels say")
    parser.add_argument("--score", action="store_true", help="score what was answered so far")
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="write statements for a blind judge")
    parser.add_argument("--judged", type=Path, metavar="FILE", help="read the judge's verdicts")
    parser.add_argument("--errors", action="store_true", help="list what is not right")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write each item's score")
    return parser.parse_args()


def _booth(given: JudgeSet, wanted: argparse.Namespace) -> JudgeBooth:
    folder: Path = wanted.work
    folder.mkdir(parents=True, exist_ok=True)
    booths: dict[str, Callable[[], JudgeBooth]] = {
        "sessions": lambda: SessionBooth(given, folder, with_reader=not wanted.cues),
        "places": lambda: PlaceBooth(given, folder),
        "pairs": lambda: PairBooth(given, folder),
        "sources": lambda: SourceBooth(given, folder, wanted.clones),
        "sentences": lambda: SentenceBooth(given, folder, wanted.clones),
    }
    return booths[given.kind]()


def _take(booth: JudgeBooth, given: argparse.Namespace) -> None:
    found = take_answers(booth.app, given.answers, given.work, given.by)
    print(f"{found.accepted} answers recorded, {found.refused} refused, {found.without} questions without an answer")
    booth.ask()


def _read(booth: JudgeBooth, given: argparse.Namespace) -> None:
    for _ in range(_ROUNDS):
        found = read_with(booth.app, given.reader, given.model, kept=given.record)
        booth.ask()
        if not found.attempted or found.stopped:
            print(found.stopped or "nothing waits")
            return


def _print(booth: JudgeBooth, given: argparse.Namespace) -> None:
    scores = score_items(booth, read_verdicts(given.judged))
    if given.sheet:
        print(f"{write_sheet(given.sheet, booth, scores)} statements in {given.sheet}")
    if given.json:
        write_json(given.json, scores, booth.measures())
    print(report(booth.given.name, scores, booth.measures()))
    if given.errors:
        print("\n".join(errors(scores)))


if __name__ == "__main__":
    os.environ.pop("CAIRN_DB", None)
    main()
