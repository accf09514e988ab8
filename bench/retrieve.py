"""How well and how fast `cairn search` finds: recall, rank, knowing when nothing fits, and the search row of the table.

usage: python bench/retrieve.py [--quick] [--calibrate] [--misses] [--json]

The questions are in `bench/retrieval/questions.txt`, over the bakery of the demo and over the handbook in
`bench/retrieval/pages`. Every other question was looked at when the line for "nothing fits" was drawn; what is printed
comes from the rest. Hundreds of notes are in the index beside the pages, and count as wrong wherever one stands before
a page that answers; what the same questions find without them is in the details. grep looks through the pages alone.
`--quick` leaves out the repository of 15,000 pages and the corpus of 100,000 pages and 20,000 notes, `--calibrate`
prints both kinds of mistakes for many lines on the first half, `--misses` names what was not found.
"""

import argparse
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import retrieve_notes
import zipf
from cairn.adapters.files.local import LocalFiles
from cairn.adapters.storage.sqlite.store import open_sqlite
from cairn.core.ports.runtime import Files
from cairn.core.ports.store import Store
from cairn.core.search_query import parse_query
from cairn.lib.text.search_words import STOP
from cairn.retrieve.find import SearchAnswer, SearchRequest, find
from cairn.retrieve.rank import FITS
from cairn.workspace.demo.stage import unpack
from measure import Row, environment, run, table

HERE = Path(__file__).parent / "retrieval"
CAIRN = [sys.executable, "-m", "cairn"]
LARGE = 100_000
REFERENCE = 15_000
NOTES = 20_000
QUERIES = 400
TODAY = date(2026, 1, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="without the corpus of 100,000 pages")
    parser.add_argument("--calibrate", action="store_true", help="print both kinds of mistakes for many lines")
    parser.add_argument("--misses", action="store_true", help="name what was not found, and what should not have been")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder:
        answered = ask_all(Path(folder))
        if given.calibrate:
            print(calibration([one for one in answered if not one.question.judges]))
        if given.misses:
            print("\n".join(misses(answered)))
        rows = quality([one for one in answered if one.question.judges])
        if not given.quick:
            rows += [command(Path(folder) / "reference"), speed(Path(folder) / "large")]
    print(json.dumps([row._asdict() for row in rows], indent=2) if given.json else table(rows))


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# --- questions ------------------------------------------------------------------------------------------------------


class Question(NamedTuple):
    corpus: str
    form: str
    pages: tuple[str, ...]
    """Each of them answers it; none when nothing does."""
    text: str
    judges: bool
    """Printed numbers come from these; the others are for drawing the line."""


class Answered(NamedTuple):
    question: Question
    found: tuple[str, ...]
    """By Cairn, best first; notes among them."""
    alone: tuple[str, ...]
    """By Cairn, when there are no notes."""
    fit: float
    grepped: tuple[str, ...]
    """By grep, best first."""


def questions() -> list[Question]:
    lines = [line for line in (HERE / "questions.txt").read_text("utf-8").splitlines() if line[:1] not in ("", "#")]
    found = []
    for number, line in enumerate(lines):
        corpus, form, pages, text = (part.strip() for part in line.split("|", 3))
        answers = tuple(page.strip() for page in pages.split(",")) if pages != "-" else ()
        found.append(Question(corpus, form, answers, text, judges=number % 2 == 1))
    return found


def ask_all(folder: Path) -> list[Answered]:
    places = {"handbook": folder / "handbook", "bakery": folder / "bakery"}
    shutil.copytree(HERE / "pages", places["handbook"])
    places["bakery"].mkdir()
    unpack(places["bakery"])
    answered: list[Answered] = []
    for name, root in places.items():
        prepare(root)
        with_files = LocalFiles(root)
        store = open_sqlite(root / ".cairn" / "cairn.db", now_ms=0)
        written = {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in sorted(root.rglob("*.md"))}
        store.turns.keep([], retrieve_notes.noted(written))
        texts = {path: text.lower() for path, text in written.items()}
        for question in questions():
            if question.corpus == name:
                answered.append(ask(question, store, with_files, texts))
        store.close()
    return answered


def prepare(root: Path) -> None:
    for args in (("init", "--no-scan", "-q"), ("scan", "-q")):
        subprocess.run([*CAIRN, *args], cwd=root, env=environment(), stdout=subprocess.DEVNULL, check=False)


def ask(question: Question, store: Store, files: Files, texts: dict[str, str]) -> Answered:
    answer, alone = (search(question.text, store, files, everything=True, notes=notes) for notes in (True, False))
    found, without = (tuple(hit.path for hit in one.hits) for one in (answer, alone))
    return Answered(question, found, without, answer.fit, grep(question.text, texts))


def search(text: str, store: Store, files: Files, *, everything: bool = False, notes: bool = True) -> SearchAnswer:
    request = SearchRequest(10, TODAY, everything=everything)
    noted = store.turns if notes else None
    return find(parse_query(text), request, index=store, files=files, notes=noted, uses=store.usage.counts)


def grep(text: str, texts: dict[str, str]) -> tuple[str, ...]:
    """What a patient person gets from `grep -il` for each word: most words first, then by path."""
    words = {word for word in re.findall(r"\w+", text.lower()) if word not in STOP}
    matched = {path: sum(word in body for word in words) for path, body in texts.items()}
    return tuple(sorted((path for path, number in matched.items() if number), key=lambda path: (-matched[path], path)))


# --- numbers --------------------------------------------------------------------------------------------------------


def rank_of(pages: Sequence[str], found: Sequence[str]) -> int | None:
    return next((number for number, path in enumerate(found, 1) if path in pages), None)


def recall(answered: Sequence[Answered], found: Callable[[Answered], Sequence[str]]) -> float:
    ranks = [rank_of(one.question.pages, found(one)) for one in answered]
    return share(rank is not None and rank <= 5 for rank in ranks)


def mean_reciprocal_rank(answered: Sequence[Answered], found: Callable[[Answered], Sequence[str]]) -> float:
    ranks = [rank_of(one.question.pages, found(one)[:10]) for one in answered]
    return sum(1 / rank for rank in ranks if rank) / len(ranks)


def share(values: Iterator[bool]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


def quality(judged: Sequence[Answered]) -> list[Row]:
    """Bars are grep's numbers; a share below its bar is better when it is of misses, so misses are what is shown."""
    answerable = [one for one in judged if one.question.pages]
    others = [one for one in judged if not one.question.pages]
    ours, theirs, before = (lambda one: one.found), (lambda one: one.grepped), (lambda one: one.alone)
    missed = 1 - recall(answerable, ours)
    lost = 1 - mean_reciprocal_rank(answerable, ours)
    abstained = share(one.fit < FITS for one in others)
    wrongly = share(one.fit < FITS for one in answerable)
    by_grep = 1 - recall(answerable, theirs), 1 - mean_reciprocal_rank(answerable, theirs)
    recalled = _than("recall@5", 1 - missed, recall(answerable, before), 1 - by_grep[0])
    ranked = _than("MRR", 1 - lost, mean_reciprocal_rank(answerable, before), 1 - by_grep[1])
    return [
        Row("not among the first five", missed, "", by_grep[0], None, recalled),
        Row("distance from the first place", lost, "", by_grep[1], None, ranked),
        Row("answered what nothing answers", 1 - abstained, "", 0.2, 0.1, f"of {len(others)} unanswerable questions"),
        Row("said nothing fits, wrongly", wrongly, "", 0.15, 0.05, f"of {len(answerable)} answerable questions"),
    ]


def _than(name: str, ours: float, before: float, theirs: float) -> str:
    return f"{name} {ours:.3f}, without notes {before:.3f}, grep {theirs:.3f}"


def calibration(half: Sequence[Answered]) -> str:
    lines = ["line  wrongly nothing  wrongly something"]
    for step in range(20, 96, 5):
        line = step / 100
        silent = share(one.fit < line for one in half if one.question.pages)
        loud = share(one.fit >= line for one in half if not one.question.pages)
        lines.append(f"{line:.2f}  {silent:15.3f}  {loud:17.3f}")
    return "\n".join(lines)


def misses(answered: Sequence[Answered]) -> Iterator[str]:
    for one in answered:
        rank = rank_of(one.question.pages, one.found)
        half = "judges" if one.question.judges else "calibrates"
        if one.question.pages and (rank is None or rank > 1 or one.fit < FITS):
            yield f"{half}: rank {rank}, fit {one.fit:.2f}: {one.question.text} -> {one.found[:2]}"
        elif not one.question.pages and one.fit >= FITS:
            yield f"{half}: nothing answers it, fit {one.fit:.2f}: {one.question.text} -> {one.found[:1]}"


# --- speed ----------------------------------------------------------------------------------------------------------


def command(root: Path) -> Row:
    """The whole of `cairn search` in a repository, against the scan that it begins with when nothing changed."""
    say(f"making a repository of {REFERENCE:,} pages")
    root.mkdir()
    words = [page[:3] for page in zipf.make(root, REFERENCE)[:5]]
    for args in (("init", "-q"), ("add", "."), ("-c", "user.name=b", "-c", "user.email=b@b", "commit", "-qm", "pages")):
        subprocess.run(["git", *args], cwd=root, env=environment(), check=True)
    prepare(root)
    ours, scans = [], []
    for some in words:
        scans.append(run([*CAIRN, "scan", "-q"], root).seconds)
        ours.append(run([*CAIRN, "search", "-q", *some], root).seconds)
    took = [sorted(times)[len(times) // 2] for times in (ours, scans)]
    detail = f"{took[0] * 1000:.0f} ms, scan {took[1] * 1000:.0f} ms"
    return Row(f"cairn search, {REFERENCE:,} pages", took[0] / took[1], "× scan", 1.5, 1.2, detail)


def speed(root: Path) -> Row:
    """Each query three ways, one after the other, the middle of three."""
    say(f"making {LARGE:,} pages")
    root.mkdir()
    pages = zipf.make(root, LARGE)
    say("scanning them")
    prepare(root)
    store, files = open_sqlite(root / ".cairn" / "cairn.db", now_ms=0), LocalFiles(root)
    store.turns.keep([], retrieve_notes.drawn(NOTES))
    bare = sqlite3.connect(root / ".cairn" / "cairn.db")
    bare.execute("PRAGMA cache_size = -196608")
    say(f"asking {QUERIES} queries")
    ours, before, floor = [], [], []
    for text, match in mixed(pages, bare):
        ours.append(middle(lambda text=text: search(text, store, files)))  # type: ignore[misc]
        before.append(middle(lambda text=text: search(text, store, files, notes=False)))  # type: ignore[misc]
        floor.append(middle(lambda match=match: bare.execute(BARE, (match,)).fetchall()))  # type: ignore[misc]
    store.close()
    bare.close()
    p95 = [f"{percentile(one) * 1000:.1f}" for one in (ours, before, floor)]
    medians = [f"{percentile(one, 50) * 1000:.1f}" for one in (ours, before, floor)]
    detail = "{} ms, without notes {}, bare {}; ".format(*p95) + "medians {}, {}, {} ms".format(*medians)
    return Row(
        f"search, {LARGE:,} pages and {NOTES:,} notes, p95",
        percentile(ours) / percentile(floor),
        "× bare",
        1.5,
        None,
        detail,
    )


BARE = "SELECT rowid FROM scan_text WHERE scan_text MATCH ? ORDER BY rank LIMIT 10"


def middle(work: Callable[[], Any]) -> float:
    taken = []
    for _ in range(3):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return sorted(taken)[1]


def percentile(values: Sequence[float], of: int = 95) -> float:
    return sorted(values)[len(values) * of // 100]


def mixed(pages: list[list[str]], bare: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """(query, what FTS5 is asked bare: its two rarest words, its phrase, its beginning)."""
    rng = random.Random("queries")
    for number in range(QUERIES):
        words = rng.choice(pages)
        some = rng.sample(words, k=rng.randint(2, 5))
        match number % 6:
            case 0:
                yield some[0], f'"{some[0]}"'
            case 1:
                yield " ".join(some), rarest(some, bare)
            case 2:
                yield f"how do I {some[0]} the {' '.join(some[1:])}?", rarest(some, bare)
            case 3:
                at = rng.randrange(len(words) - 1)
                yield f'"{words[at]} {words[at + 1]}"', f'"{words[at]} {words[at + 1]}"'
            case 4:
                yield f"{' '.join(some)} path:docs/ovens/", rarest(some, bare)
            case _:
                yield f"{some[0][:5]}* {some[1]}", f'"{some[0][:5]}" * OR "{some[1]}"'


def rarest(words: Sequence[str], bare: sqlite3.Connection) -> str:
    count = "SELECT count(*) FROM scan_text WHERE scan_text MATCH ?"
    counted = sorted((bare.execute(count, (f'"{word}"',)).fetchone()[0], word) for word in set(words))
    return " OR ".join(f'"{word}"' for _, word in counted[:2])


if __name__ == "__main__":
    os.environ.pop("CAIRN_DB", None)
    main()
