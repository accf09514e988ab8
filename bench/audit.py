"""How well the extractive auditor tells drift that matters from changes that don't.

usage: python bench/audit.py [--misses] [--generated N] [--json]

The triples are in `bench/audit/*.txt`: an entry's excerpt, a source, and what became of the source, with the verdict
that a careful person would give. All but those of `blind.txt` were looked at while the lines in `extractive/judge.py`
were drawn. `blind.txt` was written after that; its score was watched while two lines were drawn anew, so it is not
quite blind any more. To the triples come generated changes of the same pages: thousands that leave alone what the entry
relies on, and thousands that turn a value, a name or a duty inside of it. Most harmless triples are near misses on
purpose, so that the share of false alarms among them is far above that among the changes that pages go through.
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from audit_mutants import Rewriter, harmful, harmless, redesign, reflow, shuffle
from audit_triples import Page, Triple, read_pages
from cairn.freshness.extractive import SourceTexts, audit
from cairn.kernel.knowledge.entry import Entry, Source
from cairn.kernel.model.verdict import Outcome, Verdict
from measure import best

HERE = Path(__file__).parent / "audit"
BLIND = "blind"
BASE_RATE = 0.02
"""Share of changed sources that touch what an entry relies on, as seen in real corpora."""
RECALL, ALARMS, FEWER_ALARMS, MILLISECONDS = 0.85, 10.0, 2.0, 20.0


class Judged(NamedTuple):
    name: str
    label: str
    said: str
    what: str
    verdict: Verdict


class Score(NamedTuple):
    """Of one set of changes."""

    name: str
    judged: tuple[Judged, ...]

    @property
    def drift(self) -> list[Judged]:
        return [one for one in self.judged if one.label in ("minor-drift", "superseded")]

    @property
    def harmless(self) -> list[Judged]:
        return [one for one in self.judged if one.label not in ("minor-drift", "superseded")]

    def recall(self, label: str | None = None) -> float:
        some = [one for one in self.drift if label in (None, one.label)]
        return sum(_alarms(one) for one in some) / max(len(some), 1)

    @property
    def alarms_per_thousand(self) -> float:
        return 1000 * sum(map(_alarms, self.harmless)) / max(len(self.harmless), 1)

    @property
    def precision(self) -> float:
        """At the base rate."""
        right = BASE_RATE * self.recall()
        wrong = (1 - BASE_RATE) * self.alarms_per_thousand / 1000
        return right / (right + wrong) if right else 0.0

    @property
    def exact(self) -> float:
        return sum(one.said == one.label for one in self.judged) / max(len(self.judged), 1)


def main() -> None:
    given = _options()
    pages = [page for path in sorted(HERE.glob("*.txt")) for page in read_pages(path)]
    blind = [page for page in pages if page.file == BLIND]
    known = [page for page in pages if page.file != BLIND]
    scores = [
        Score("triples", tuple(judge_triples(known))),
        Score("generated", tuple(judge_generated(known, known, given.generated))),
        Score("blind triples", tuple(judge_triples(blind))),
        Score("blind generated", tuple(judge_generated(blind, pages, given.generated // 2))),
    ]
    spent = 1000 * best(5, lambda: timed(known))
    print(json.dumps(as_json(scores, spent), indent=2) if given.json else as_text(scores, spent))
    if given.misses:
        print("\n".join(line for score in scores for line in misses(score)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", action="store_true", help="name what was judged wrong")
    parser.add_argument("--generated", type=int, default=4000, help="how many changes of each sort to make")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args()


# --- judging --------------------------------------------------------------------------------------------------------


def judge_triples(pages: Iterable[Page]) -> list[Judged]:
    return [
        judge(page, f"{page.name}/{triple.name}", triple.label, triple.what, page.source, became(page, triple))
        for page in pages
        for triple in page.triples
    ]


def judge(page: Page, name: str, label: str, what: str, old: str, new: str) -> Judged:
    source = Source("url", f"https://example.org/{page.name}")
    title = page.name.replace("-", " ").capitalize()
    entry = Entry("knowledge/page.md", "entry", page.name, title, "", edition=page.pin, sources=(source,))
    verdict = audit(entry, page.entry, [SourceTexts(source, old, new, "2026-01-01")], today="2026-01-01")
    return Judged(name, label, _said(verdict), what, verdict)


def _said(verdict: Verdict) -> str:
    return "unverifiable" if verdict.source_unverifiable else verdict.outcome.value


def _alarms(one: Judged) -> bool:
    return one.said in (Outcome.MINOR_DRIFT.value, Outcome.SUPERSEDED.value)


LAYOUTS: dict[str, Rewriter] = {"shuffle": shuffle, "redesign": redesign, "reflow": reflow}


def became(page: Page, triple: Triple) -> str:
    """The new text of a triple."""
    text = page.source if triple.instead is None else triple.instead
    for before, after in triple.edits:
        if before not in text:
            raise SystemExit(f"{page.file}: {page.name}/{triple.name}: not in the source: {before}")
        text = text.replace(before, after)
    for layout in triple.layouts:
        text = LAYOUTS[layout](text, random.Random(7))
    return "\n\n".join([*triple.above, text, *triple.below])


def judge_generated(shown: Sequence[Page], known: Sequence[Page], count: int) -> list[Judged]:
    """As many of each sort, spread over the pages; each is reproducible by its number."""
    judged = []
    for number in range(count):
        page = shown[number % len(shown)]
        for label, make in (("current", harmless), ("minor-drift", harmful)):
            made = make(page, known, random.Random(f"{label}-{number}"))
            if made is not None:
                judged.append(judge(page, f"{page.name}/{label}-{number}", label, made.what, made.old, made.new))
    return judged


def timed(pages: Sequence[Page]) -> float:
    """Seconds for one changed page of 50 KB."""
    text = "\n\n".join(page.source for page in pages)
    parts = [text.replace("The ", f"The {word} ") for word in ("first", "second", "third", "fourth")]
    old = "\n\n".join([text, *parts])[:50_000]
    changed = old.replace("10 minutes", "12 minutes").replace("must not", "may").replace("7 days", "5 days")
    started = time.process_time()
    judge(pages[0], "timed", "current", "", old, changed)
    return time.process_time() - started


# --- showing --------------------------------------------------------------------------------------------------------


def as_text(scores: Sequence[Score], spent: float) -> str:
    lines = [
        f"{'':16}{'changes':>8}{'exact':>8}{'recall':>8}{'drift':>8}{'superseded':>12}{'alarms/1000':>13}{'precision':>11}"
    ]
    for score in scores:
        lines.append(
            f"{score.name:16}{len(score.judged):8}{score.exact:8.3f}{score.recall():8.3f}"
            f"{score.recall('minor-drift'):8.3f}{score.recall('superseded'):12.3f}"
            f"{score.alarms_per_thousand:13.1f}{score.precision:11.3f}"
        )
    lines.append(
        f"aims: recall ≥ {RECALL}, alarms ≤ {ALARMS:.0f} (stretch {FEWER_ALARMS:.0f}); precision at {BASE_RATE:.0%}"
    )
    lines.append(f"one changed page of 50 KB: {spent:.1f} ms (aim ≤ {MILLISECONDS:.0f})")
    return "\n".join(lines)


def as_json(scores: Sequence[Score], spent: float) -> dict[str, object]:
    return {
        "milliseconds": round(spent, 1),
        "scores": [
            {
                "name": score.name,
                "changes": len(score.judged),
                "exact": round(score.exact, 4),
                "recall": round(score.recall(), 4),
                "recall_by_verdict": {label: round(score.recall(label), 4) for label in ("minor-drift", "superseded")},
                "alarms_per_thousand": round(score.alarms_per_thousand, 2),
                "precision": round(score.precision, 4),
            }
            for score in scores
        ],
    }


def misses(score: Score) -> Iterable[str]:
    wrong: Callable[[Judged], bool] = lambda one: one.said != one.label  # noqa: E731
    for one in filter(wrong, score.judged):
        shown = "".join(
            f"\n      {finding.severity} {finding.drift_kind}: {finding.claim_in_entry!r}"
            f"\n        was {finding.previous_excerpt!r}"
            f"\n        is  {finding.source_excerpt!r}"
            for finding in one.verdict.findings
        )
        yield f"  {score.name}: {one.name}: {one.label}, said {one.said} ({one.what}){shown}"


if __name__ == "__main__":
    main()
