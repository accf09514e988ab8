"""Measures `cairn search` on questions that other people wrote about public repositories, next to grep.

usage: python bench/questions.py SET... [--clones DIR] [--scratch DIR] [--only WORD] [--misses] [--meaning [MODEL]]
           [--also FILE] [--list] [--pool FILE] [--judged FILE] [--json]

SET has one JSON object a line: `repo`, `commit`, `question`, `kind`, and `answers`, a list of `path`, `heading` and
`line`; an unanswerable question has no answers. Each repository is checked out at its commit, initialised, and asked
through the product's own search. Recall and rank count the hits as a person gets them: ten, or the three closest where
nothing fits; a copy that is listed below a hit counts as that hit. `--scratch` keeps the work trees for the next run,
`--misses` lists the questions whose page is not first, `--meaning` also asks with `minilm` or `wordllama`.

An agent that searches may give other wordings of its question. `--list` prints the questions without their answers, in
random order; somebody who sees only these and the description of the tool writes a JSON object with a list of wordings
for each `id`, and `--also` asks with them, too.

Other pages than those that an author lists may answer as well. `--pool` writes the first five pages of each search that
are not listed, in random order and without saying who found them: one JSON object a line with `id`, `question` and
`path`. A judge adds `"answers": true` or `false`, and `--judged` prints a second table in which the pages that answer
count for everybody.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import closing
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from cairn.app.build import App, build_app
from cairn.core.search_query import Filters
from cairn.lib.document.document import outline
from cairn.retrieve.embeddings import make_vectors
from cairn.retrieve.search import SearchOptions, run_search
from measure import environment
from retrieve import grep
from strangers_clones import CLONES, DOCUMENTS, Repository, find_clone, make_tree

CAIRN = [sys.executable, "-m", "cairn"]
MOST_PAGES = 100_000
PLAIN_NAMES = ("readme", "contributing", "install", "authors")


class AnswerPlace(NamedTuple):
    path: str
    line: int


class AskedQuestion(NamedTuple):
    repository: Repository
    text: str
    kind: str
    answers: tuple[AnswerPlace, ...]

    @property
    def id(self) -> str:
        return sha256(f"{self.repository.name}\n{self.text}".encode()).hexdigest()[:12]

    @property
    def right(self) -> frozenset[str]:
        return frozenset(place.path for place in self.answers)


class SearchOutcome(NamedTuple):
    asked: AskedQuestion
    found: dict[str, list[tuple[str, ...]]]
    """By who searched, the paths of each hit."""
    ranks: dict[str, int | None]
    """By who searched, the place of the first right page."""
    section: bool
    """The first passage of Cairn stands in a section that answers."""
    fits: dict[str, bool]
    """By who searched, whether it says that something fits; grep says nothing."""
    first: str
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET", help="questions, one JSON object a line")
    parser.add_argument("--clones", type=Path, default=CLONES, help="folder of clones, as owner+name or owner/name")
    parser.add_argument("--scratch", type=Path, help="keep work trees here")
    parser.add_argument("--only", default="", help="repositories whose name contains this")
    parser.add_argument("--misses", action="store_true", help="list questions whose page is not first")
    parser.add_argument("--meaning", nargs="?", const="minilm", help="also with `retrieve.embeddings` set to this")
    parser.add_argument("--also", type=Path, help="also with the wordings in this file, by the ids of questions")
    parser.add_argument("--list", action="store_true", help="print the questions without answers, and ask nothing")
    parser.add_argument("--pool", type=Path, help="write pages that nobody has judged")
    parser.add_argument("--judged", type=Path, help="read judgements of such pages")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    asked = [one for path in given.sets for one in read(path) if given.only in one.repository.name]
    if given.list:
        print("".join(listed(asked)), end="")
        return
    wordings = json.loads(given.also.read_text("utf-8")) if given.also else {}
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder:
        scratch = given.scratch or Path(folder)
        outcomes = list(ask_all(asked, given.clones, scratch, meaning=given.meaning, wordings=wordings))
    if given.misses:
        print("\n".join(misses(outcomes)))
    if given.pool:
        given.pool.write_text("".join(pool(outcomes)), "utf-8")
    tables = [list(table(outcomes))]
    if given.judged:
        tables.append(list(table(pooled(outcomes, given.judged))))
    for rows in tables:
        print(json.dumps(rows, indent=2) if given.json else "\n".join(shown(rows)))


def read(path: Path) -> list[AskedQuestion]:
    return [_asked(json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _asked(row: dict[str, Any]) -> AskedQuestion:
    places = tuple(AnswerPlace(answer["path"], int(answer["line"])) for answer in row["answers"])
    return AskedQuestion(Repository(row["repo"], row["commit"]), row["question"], row["kind"], places)


def listed(asked: Sequence[AskedQuestion]) -> list[str]:
    rows = [{"id": one.id, "repo": one.repository.name, "question": one.text} for one in asked]
    random.Random(0).shuffle(rows)
    return [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]


# --- asking ---------------------------------------------------------------------------------------------------------


def ask_all(
    asked: Sequence[AskedQuestion],
    clones: Path,
    scratch: Path,
    *,
    meaning: str | None,
    wordings: Mapping[str, Sequence[str]],
) -> Iterator[SearchOutcome]:
    ordered = sorted(asked, key=lambda one: one.repository)
    for repository, some in groupby(ordered, key=lambda one: one.repository):
        root = prepared(repository, clones, scratch)
        if root is None:
            print(f"{repository.name}: no clone below {clones}; left out", file=sys.stderr)
            continue
        texts = {path.relative_to(root).as_posix(): path.read_text("utf-8", "replace").lower() for path in pages(root)}
        env = environment() | {"CAIRN_INTERNAL": "1"}
        with closing(build_app(root, env=env)) as app:
            with_vectors = (
                embedded(build_app(root, env=env | {"CAIRN_RETRIEVE__EMBEDDINGS": meaning})) if meaning else None
            )
            apps = {"cairn": app} | ({"meaning": with_vectors} if with_vectors else {})
            yield from (ask(one, apps, texts, wordings.get(one.id, ()) if wordings else None) for one in some)


def prepared(repository: Repository, clones: Path, scratch: Path) -> Path | None:
    """The work tree of a repository with its graph; made once for each scratch folder, and scanned again."""
    root = scratch / f"{repository.name.replace('/', '+')}-{repository.commit[:10]}"
    if not (root / ".cairn").exists():
        clone = find_clone(clones, repository)
        if clone is None:
            return None
        make_tree(clone, repository, root)
        subprocess.run([*CAIRN, "init", "-q"], cwd=root, env=environment(), stdout=subprocess.DEVNULL, check=False)
    subprocess.run([*CAIRN, "scan", "-q"], cwd=root, env=environment(), stdout=subprocess.DEVNULL, check=False)
    return root


def embedded(app: App) -> App:
    embedder = app.embedder()
    if embedder is not None:
        make_vectors(app, embedder, MOST_PAGES)
    return app


def pages(root: Path) -> list[Path]:
    """The documents that grep reads: the same formats that Cairn does."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file() and ".git" not in path.parts)
    return [path for path in files if path.suffix.lower() in DOCUMENTS or path.stem.lower() in PLAIN_NAMES]


def ask(
    one: AskedQuestion, apps: Mapping[str, App], texts: dict[str, str], also: Sequence[str] | None
) -> SearchOutcome:
    started = perf_counter()
    answers = {who: run_search(app, one.text, Filters(), SearchOptions(near=None)) for who, app in apps.items()}
    seconds = perf_counter() - started
    if also is not None:
        wanted = SearchOptions(near=None, also=tuple(also))
        answers |= {f"{who}+also": run_search(app, one.text, Filters(), wanted) for who, app in apps.items()}
    found = {who: [(hit.path, *hit.alike) for hit in answer.hits] for who, answer in answers.items()}
    found["grep"] = [(path,) for path in grep(one.text, texts)[:10]]
    ranks = {who: _rank(one.right, paths) for who, paths in found.items()}
    hits = answers["cairn"].hits
    first = AnswerPlace(hits[0].path, hits[0].excerpt.line) if hits else AnswerPlace("", 0)
    section = any(_section(apps["cairn"], first) == _section(apps["cairn"], place) for place in one.answers)
    fits = {who: answer.fits for who, answer in answers.items()}
    return SearchOutcome(one, found, ranks, section, fits, f"{first.path}:{first.line}", seconds)


def _rank(right: Set[str], found: Sequence[tuple[str, ...]]) -> int | None:
    return next((number for number, paths in enumerate(found, 1) if right & set(paths)), None)


def _section(app: App, place: AnswerPlace) -> tuple[str, int]:
    """The page, and the line of the last heading above this one."""
    if not place.path or place.path.startswith("note:"):
        return "", 0
    text = (app.root / place.path).read_text("utf-8", "replace")
    headings = [heading.line for heading in outline(place.path, text).headings]
    at = bisect_right(headings, place.line)
    return place.path, headings[at - 1] if at else 0


# --- pages that the author did not list ------------------------------------------------------------------------------


def pool(outcomes: Sequence[SearchOutcome]) -> list[str]:
    """The first five pages of each search that are not listed, in random order."""
    rows = [
        json.dumps(
            {"id": one.asked.id, "repo": one.asked.repository.name, "commit": one.asked.repository.commit}
            | {"question": one.asked.text, "path": path},
            ensure_ascii=False,
        )
        + "\n"
        for one in outcomes
        if one.asked.answers
        for path in sorted({hit[0] for hits in one.found.values() for hit in hits[:5]} - one.asked.right)
        if not path.startswith("note:")
    ]
    random.Random(0).shuffle(rows)
    return rows


def pooled(outcomes: Sequence[SearchOutcome], judged: Path) -> list[SearchOutcome]:
    """The same, with the pages that a judge found to answer."""
    rows = (json.loads(line) for line in judged.read_text("utf-8").splitlines() if line.strip())
    more: dict[str, set[str]] = {}
    for row in rows:
        if row["answers"]:
            more.setdefault(row["id"], set()).add(row["path"])
    return [
        one._replace(
            ranks={
                who: _rank(one.asked.right | more.get(one.asked.id, set()), found) for who, found in one.found.items()
            }
        )
        for one in outcomes
    ]


# --- numbers --------------------------------------------------------------------------------------------------------


def table(outcomes: Sequence[SearchOutcome]) -> Iterator[dict[str, Any]]:
    """A row for each kind, and one for all answerable questions, by who searched."""
    ordered = sorted(outcomes, key=lambda one: one.asked.kind)
    kinds = [(kind, list(some)) for kind, some in groupby(ordered, key=lambda one: one.asked.kind)]
    answerable = [one for one in outcomes if one.asked.answers]
    for kind, some in [*kinds, ("all answerable", answerable)]:
        if some and some[0].asked.answers:
            yield from (_row(kind, who, some) for who in some[0].ranks)
        elif some:
            for who in some[0].fits:
                yield {"kind": kind, "who": who, "questions": len(some), "answered": _answered(some, who)}


def _row(kind: str, who: str, some: Sequence[SearchOutcome]) -> dict[str, Any]:
    ranks = [one.ranks[who] for one in some]
    row = {
        "kind": kind,
        "who": who,
        "questions": len(some),
        "recall@5": round(sum(rank is not None and rank <= 5 for rank in ranks) / len(ranks), 3),
        "mrr": round(sum(1 / rank for rank in ranks if rank) / len(ranks), 3),
        "page first": round(sum(rank == 1 for rank in ranks) / len(ranks), 3),
    }
    if who == "cairn":
        row["section first"] = _share(some, lambda one: one.section)
    if who in some[0].fits:
        row["answered"] = _answered(some, who)
    return row


def _answered(some: Sequence[SearchOutcome], who: str) -> float:
    return _share(some, lambda one: one.fits[who])


def _share(some: Sequence[SearchOutcome], holds: Callable[[SearchOutcome], bool]) -> float:
    return round(sum(map(holds, some)) / len(some), 3) if some else 0.0


COLUMNS = ("questions", "recall@5", "mrr", "page first", "section first", "answered")


def shown(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield f"{'kind':<16} {'who':<12}" + "".join(f"{column:>14}" for column in COLUMNS)
    for row in rows:
        yield f"{row['kind']:<16} {row['who']:<12}" + "".join(f"{row.get(column, ''):>14}" for column in COLUMNS)


def misses(outcomes: Sequence[SearchOutcome]) -> Iterator[str]:
    for one in outcomes:
        where = ", ".join(f"{place.path}:{place.line}" for place in one.asked.answers) or "nothing"
        fits = one.fits["cairn"]
        wrong = one.ranks["cairn"] != 1 or not fits if one.asked.answers else fits
        if wrong:
            ranks = ", ".join(f"{who} {rank}" for who, rank in one.ranks.items())
            yield f"[{one.asked.kind}] {one.asked.repository.name}, {'fits' if fits else 'no fit'}, ranks: {ranks}"
            yield f"    {one.asked.text}\n    wants {where}\n    first {one.first}"


if __name__ == "__main__":
    os.environ.pop("CAIRN_DB", None)
    main()
