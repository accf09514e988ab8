"""Measures the extractive auditor: lost facts that it calls drift, changed passages that it gives to a reader.

usage: python bench/audit.py [--misses] [--generated N] [--json]

The triples are in `bench/audit/*.txt`: an entry's excerpt, a source, and the changed source, with the verdict that a
careful person would give. Generated changes of the same pages come on top. The authors of this program wrote all of
them, and drew the thresholds of `extractive/judge.py` while looking at them: the numbers compare one version of the
program with the next, and say nothing about unseen pages. Drift by meaning takes a reader, so it counts as found when
the passage is shown to one.
"""

import argparse
import json
import random
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from audit_mutants import Rewriter, harmful, harmless, redesign, reflow, shuffle
from audit_triples import Page, Triple, read_pages
from cairn.core.model.knowledge import Entry, Source
from cairn.core.model.verdict import Verdict
from cairn.freshness.extractive import SourceTexts, audit
from measure import best

HERE = Path(__file__).parent / "audit"
MILLISECONDS = 20.0
_DRIFT = ("minor-drift", "superseded")


class Judged(NamedTuple):
    name: str
    label: str
    said: str
    """`drift`, `to be read`, `unverifiable` or `current`."""
    what: str
    verdict: Verdict

    @property
    def drifted(self) -> bool:
        return self.label in _DRIFT


class Score(NamedTuple):
    """Of one set of changes."""

    name: str
    judged: tuple[Judged, ...]

    def share(self, *said: str, drifted: bool) -> float:
        some = [one for one in self.judged if one.drifted == drifted]
        return sum(one.said in said for one in some) / max(len(some), 1)


def main() -> None:
    given = _options()
    pages = [page for path in sorted(HERE.glob("*.txt")) for page in read_pages(path)]
    scores = [
        Score("triples", tuple(judge_triples(pages))),
        Score("generated", tuple(judge_generated(pages, given.generated))),
    ]
    spent = 1000 * best(5, lambda: timed(pages))
    print(json.dumps(as_json(scores, spent), indent=2) if given.json else as_text(scores, spent))
    if given.misses:
        print("\n".join(line for score in scores for line in misses(score)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", action="store_true", help="list false drift and missed drift")
    parser.add_argument("--generated", type=int, default=4000, help="number of changes of each sort")
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
    if verdict.to_be_read:
        return "to be read"
    if verdict.source_unverifiable:
        return "unverifiable"
    return "drift" if verdict.outcome.value in _DRIFT else verdict.outcome.value


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


def judge_generated(pages: Sequence[Page], count: int) -> list[Judged]:
    """As many of each sort, spread over the pages; each is reproducible by its number."""
    judged = []
    for number in range(count):
        page = pages[number % len(pages)]
        for label, make in (("current", harmless), ("minor-drift", harmful)):
            made = make(page, pages, random.Random(f"{label}-{number}"))
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

_COLUMNS = (
    ("drift: called drift", True, ("drift",)),
    ("drift: to be read", True, ("to be read", "unverifiable")),
    ("drift: missed", True, ("current",)),
    ("harmless: called drift", False, ("drift",)),
    ("harmless: to be read", False, ("to be read", "unverifiable")),
)


def as_text(scores: Sequence[Score], spent: float) -> str:
    lines = [f"{'':24}" + "".join(f"{score.name:>12}" for score in scores)]
    lines.append(f"{'changes':24}" + "".join(f"{len(score.judged):12,}" for score in scores))
    for name, drifted, said in _COLUMNS:
        lines.append(f"{name:24}" + "".join(f"{score.share(*said, drifted=drifted):12.1%}" for score in scores))
    lines.append(f"one changed page of 50 KB: {spent:.1f} ms (aim ≤ {MILLISECONDS:.0f})")
    return "\n".join(lines)


def as_json(scores: Sequence[Score], spent: float) -> dict[str, object]:
    return {
        "milliseconds": round(spent, 1),
        "scores": [
            {
                "name": score.name,
                "changes": len(score.judged),
                **{name: round(score.share(*said, drifted=drifted), 4) for name, drifted, said in _COLUMNS},
            }
            for score in scores
        ],
    }


def misses(score: Score) -> Iterable[str]:
    for one in score.judged:
        if (one.drifted and one.said == "current") or (not one.drifted and one.said == "drift"):
            shown = "".join(
                f"\n      {finding.severity} {finding.drift_kind}: {finding.claim_in_entry!r}"
                f"\n        was {finding.previous_excerpt!r}"
                f"\n        is  {finding.source_excerpt!r}"
                for finding in one.verdict.findings
            )
            yield f"  {score.name}: {one.name}: {one.label}, said {one.said} ({one.what}){shown}"


if __name__ == "__main__":
    main()
