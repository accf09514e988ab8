"""How often lens H is right about two documents that can't both be, and how many of those it sees.

usage: python bench/contradict.py [--misses] [--json] [--over FOLDER …] [--plant FOLDER …] [--pages N]

The pairs are in `bench/contradict/*.yaml`. Those of `blind.yaml` were written before the comparison was; their score
was watched while its lines were drawn, the pairs themselves were not looked at. `--over` looks through folders of real
pages and prints every pair that would be shown, to be read and judged by a person. `--plant` turns
sentences of real pages and counts how many are noticed.
"""

import argparse
import json
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ryaml import loads  # type: ignore[attr-defined]

from cairn.kernel.places import is_document
from cairn.observe.lens import Document
from cairn.observe.lens_h.claims import claims
from cairn.observe.lens_h.contradict import Contradiction, contradictions
from cairn.observe.lens_h.passages import is_current, passages

HERE = Path(__file__).parent / "contradict"
PRECISION = 0.95
NEUTRAL = ("Operations", "Handbook")
"""Titles of pages that are about no one thing."""
APART = ("Onboarding of partners", "Answers for auditors")
"""Titles of pages that are about different things, so that more must agree before they are compared."""


class Case(NamedTuple):
    file: str
    kind: str
    """`fine`, or what they contradict each other in."""
    one: Document
    other: Document


class Score(NamedTuple):
    name: str
    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        return self.right / max(self.right + self.wrong, 1)

    @property
    def recall(self) -> float:
        return self.right / max(self.right + self.missed, 1)


def read_cases(path: Path, titles: tuple[str, str] = NEUTRAL) -> list[Case]:
    given: list[dict[str, str]] = loads(path.read_text("utf-8"))
    return [
        Case(path.stem, case["kind"], _document(case, "a", titles[0]), _document(case, "b", titles[1]))
        for case in given
    ]


def _document(case: dict[str, str], side: str, title: str) -> Document:
    found = re.match(r"---\n.*?\n---\n", case[side], re.DOTALL)
    head = found[0] if found else ""
    heading = f"## {case[f'{side}h']}\n\n" if f"{side}h" in case else ""
    text = f"{head}# {case.get(f'{side}t', title)}\n\n{heading}{case[side][len(head) :]}\n"
    return Document(case.get(f"{side}p", f"docs/{title.lower().replace(' ', '-')}.md"), text)


def shown(case: Case) -> Sequence[Contradiction]:
    return contradictions([case.one, case.other])


def score(name: str, cases: Iterable[Case]) -> Score:
    right = wrong = missed = 0
    for case in cases:
        found = bool(shown(case))
        right += found and case.kind != "fine"
        wrong += found and case.kind == "fine"
        missed += not found and case.kind != "fine"
    return Score(name, right, wrong, missed)


def scores(cases: Sequence[Case]) -> list[Score]:
    files = sorted({case.file for case in cases})
    by_file = [score(name, [case for case in cases if case.file == name]) for name in files]
    kinds: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        kinds[case.kind].append(case)
    return [score("all", cases), *by_file, *(score(kind, some) for kind, some in sorted(kinds.items()))]


# --- real pages -------------------------------------------------------------------------------------------------------


def over(folder: Path) -> tuple[int, Sequence[Contradiction], float]:
    paths = [path for path in sorted(folder.rglob("*.md")) if is_document(path.relative_to(folder).as_posix())]
    pages = [Document(p.relative_to(folder).as_posix(), p.read_text("utf-8", "replace")) for p in paths]
    started = time.process_time()
    found = contradictions(pages)
    return len(pages), found, time.process_time() - started


def planted(folder: Path) -> tuple[int, int]:
    """(seen, planted): firm sentences of real pages, each said again on another page with a value turned."""
    seen = tried = 0
    for path in sorted(folder.rglob("*.md")):
        name = path.relative_to(folder).as_posix()
        page = Document(name, path.read_text("utf-8", "replace"))
        if not is_document(name) or not is_current(page):
            continue
        for passage in [*passages(page)][::7]:
            other = (
                _turned(passage.text) if any(c.kind == "statement" and not c.hedged for c in claims(passage)) else ""
            )
            if other:
                tried += 1
                seen += bool(contradictions([page, Document("ops/operations.md", f"# Operations\n\n{other}\n")]))
    return seen, tried


def _turned(text: str) -> str:
    """With its first number doubled, or with its duty denied."""
    if found := re.search(r"(?<![\w.,#/-])[1-9]\d*(?![\w.,/-])", text):
        return text[: found.start()] + str(int(found[0]) * 2) + text[found.end() :]
    if re.search(r"\b(?:must|should) (?!not|never|always|only)", text):
        return re.sub(r"\b(must|should) ", r"\1 not ", text, count=1)
    return ""


def many(count: int) -> tuple[int, float]:
    """Seconds for so many pages made of the sentences of the cases."""
    texts = [case.one.text for path in sorted(HERE.glob("*.yaml")) for case in read_cases(path)]
    pages = [
        Document(f"docs/p{n}.md", "\n".join(texts[(n * 7 + k * 13) % len(texts)] for k in range(20)))
        for n in range(count)
    ]
    started = time.process_time()
    found = contradictions(pages)
    return len(found), time.process_time() - started


def main() -> None:
    given = _options()
    cases = [case for path in sorted(HERE.glob("*.yaml")) for case in read_cases(path)]
    found = scores(cases)
    if given.json:
        print(json.dumps([_as_json(one) for one in found], indent=2))
        return
    print(f"{len(cases)} pairs, {sum(case.kind != 'fine' for case in cases)} of them contradictions")
    for one in found:
        print(f"  {one.name:<12} precision {one.precision:5.2f}  recall {one.recall:5.2f}  wrong {one.wrong}")
    apart = [case for path in sorted(HERE.glob("*.yaml")) for case in read_cases(path, APART)]
    one = score("apart", apart)
    print(
        f"  on pages about different things: precision {one.precision:.2f}  recall {one.recall:.2f}  wrong {one.wrong}"
    )
    if given.misses:
        _tell_misses(case for case in cases if given.blind or case.file != "blind")
    for folder in given.over:
        _tell(folder, *over(Path(folder)))
    for folder in given.plant:
        seen, tried = planted(Path(folder))
        print(f"{folder}: {seen} of {tried} planted contradictions seen")
    if given.pages:
        number, seconds = many(given.pages)
        print(f"{given.pages:,} pages of 20 sentences: {seconds:.1f} s, {number} pairs")


def _options() -> Any:
    parser = argparse.ArgumentParser()
    parser.add_argument("--misses", action="store_true", help="print what was missed or wrong among the open pairs")
    parser.add_argument("--blind", action="store_true", help="and among the blind ones, which then are blind no more")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--over", nargs="*", default=[], metavar="FOLDER")
    parser.add_argument("--plant", nargs="*", default=[], metavar="FOLDER")
    parser.add_argument("--pages", type=int, default=0)
    return parser.parse_args()


def _as_json(one: Score) -> dict[str, Any]:
    return {"name": one.name, "precision": one.precision, "recall": one.recall, "wrong": one.wrong}


def _tell_misses(cases: Iterable[Case]) -> None:
    for case in cases:
        if bool(shown(case)) != (case.kind != "fine"):
            said = [line for text in (case.one.text, case.other.text) for line in text.split("\n")[2:] if line]
            print(f"  {'WRONG ' if case.kind == 'fine' else 'missed'} {case.kind}: {' / '.join(said)}")


def _tell(folder: str, pages: int, found: Sequence[Contradiction], seconds: float) -> None:
    print(f"{folder}: {pages} pages, {len(found)} pairs, {seconds:.1f} s")
    for one in found:
        print(f"  {one.kind} {' '.join(one.subject)}")
        for claim in (one.one, one.other):
            print(f"    {claim.path}:{claim.line}: {claim.text}")


if __name__ == "__main__":
    main()
