"""Scores filled sheets: right in percent by rule and severity, the first three of `try`, and the judges themselves."""

import json
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from strangers_sheet import FIRST, VERDICTS, read_sheet

MANY = 50
AROUND_200 = range(100, 401)
Row = dict[str, Any]


class Judged(NamedTuple):
    id: str
    judge: str
    verdict: str
    reason: str
    key: Row


def judged(paths: Sequence[Path], key: Row) -> list[Judged]:
    """Items with a verdict. Items that the key marks as `void` and items without a verdict are left out."""
    rows = []
    for row in read_sheet(paths):
        told = key["items"].get(row["id"])
        verdict = str(row.get("verdict", "")).strip().lower()
        if told is None or (verdict and verdict not in VERDICTS):
            sys.exit(f"item {row['id']}: not in the key, or a verdict other than {', '.join(VERDICTS)}: {verdict!r}")
        if verdict and not told.get("void"):
            rows.append(Judged(row["id"], row["judge"], verdict, str(row.get("reason", "")), told))
    return rows


def passed_decoys(rows: Iterable[Judged]) -> dict[str, list[str]]:
    """Judges who believed a decoy, with its items. `nobody-cares` believes it, too."""
    passed: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row.key["decoy"] and row.verdict in ("right", "nobody-cares"):
            passed[row.judge].append(row.id)
    return dict(passed)


def tally(rows: Iterable[Judged], by: Callable[[Judged], str]) -> dict[str, Row]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[by(row)][row.verdict] += 1
    return {group: summed(counts[group]) for group in sorted(counts)}


def summed(count: Counter[str]) -> Row:
    total = count.total()
    return {
        "judged": total,
        **{verdict: count[verdict] for verdict in VERDICTS},
        "right %": percent(count["right"], total),
    }


def percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


def first_three(rows: Sequence[Judged], repositories: dict[str, Row]) -> Row:
    """Counts the repositories whose first findings of `try` (three at most) are all right."""
    verdicts: dict[str, dict[int, str]] = defaultdict(dict)
    for row in rows:
        for source in row.key["from"]:
            if source.startswith("try:"):
                verdicts[row.key["repository"]][int(source[4:])] = row.verdict
    showing = {name: min(FIRST, facts["tryShown"]) for name, facts in repositories.items() if facts.get("tryShown")}
    complete = {name: verdicts[name] for name, shown in showing.items() if len(verdicts[name]) == shown}
    good = [name for name, of in complete.items() if set(of.values()) == {"right"}]
    return {
        "repositories": {name: [of[rank] for rank in sorted(of)] for name, of in sorted(complete.items())},
        "showAny": len(showing),
        "judged": len(complete),
        "allRight": len(good),
        "allRight %": percent(len(good), len(complete)),
    }


def many_show_three(repositories: dict[str, Row]) -> Row:
    many = {name: facts for name, facts in repositories.items() if facts["documents"] >= MANY and "tryShown" in facts}
    three = sorted(name for name, facts in many.items() if facts["tryShown"] >= FIRST)
    return {"repositories": len(many), "showThree": len(three), "showThree %": percent(len(three), len(many))}


def first_check(repositories: dict[str, Row]) -> Row:
    """Findings of the first `check` in repositories of about 200 documents."""
    near = {name: facts for name, facts in repositories.items() if facts["documents"] in AROUND_200}
    counts = {name: facts["counts"] for name, facts in near.items() if "counts" in facts}
    every = [sum(count.values()) for count in counts.values()]
    loud = [count.get("error", 0) + count.get("warn", 0) for count in counts.values()]
    return {
        "repositories": len(counts),
        "medianFindings": statistics.median(every) if every else None,
        "medianErrorsAndWarnings": statistics.median(loud) if loud else None,
    }


def score(paths: Sequence[Path], key_path: Path) -> Row:
    key = json.loads(key_path.read_text("utf-8"))
    rows = judged(paths, key)
    passed = passed_decoys(rows)
    counted = [row for row in rows if row.judge not in passed and not row.key["decoy"]]
    checked = [row for row in counted if set(row.key["from"]) & {"check", "diff"}]
    loud = [row for row in checked if row.key["severity"] in ("error", "warn")]
    decoys = [row for row in rows if row.key["decoy"]]
    return {
        "judges": {
            judge: {"decoys": sum(row.judge == judge for row in decoys), "passed": passed.get(judge, [])}
            for judge in sorted({row.judge for row in rows})
        },
        "notJudged": len(key["items"].keys() - {row.id for row in rows}),
        "errorsAndWarnings": summed(Counter(row.verdict for row in loud)),
        "bySeverity": tally(checked, lambda row: row.key["severity"] or "none"),
        "byRule": tally(counted, lambda row: row.key["rule"]),
        "byClass": tally(loud, lambda row: row.key.get("class", "")),
        "byRepository": tally(checked, lambda row: row.key["repository"]),
        "firstThreeOfTry": first_three(counted, key["repositories"]),
        "manyDocuments": many_show_three(key["repositories"]),
        "firstCheck": first_check(key["repositories"]),
    }


TABLES = (
    ("by severity", "bySeverity"),
    ("by rule", "byRule"),
    ("by class, errors and warnings", "byClass"),
    ("by repository", "byRepository"),
)


def report(scores: Row) -> str:
    """The scores as lines for a person to read."""
    lines = []
    for judge, facts in scores["judges"].items():
        bad = facts["passed"]
        state = f"NOT COUNTED, passed {len(bad)} ({', '.join(bad)})" if bad else "counted, passed none"
        lines.append(f"judge {judge}: {facts['decoys']} decoys; {state}")
    lines += [f"items without a counted verdict: {scores['notJudged']}", ""]
    lines += rows_of("errors and warnings of check", {"all": scores["errorsAndWarnings"]})
    for title, part in TABLES:
        lines += rows_of(title, scores[part])
    three, many, first = scores["firstThreeOfTry"], scores["manyDocuments"], scores["firstCheck"]
    lines += [f"{name}: {', '.join(of)}" for name, of in three["repositories"].items()]
    lines += [
        f"first three of try all right: {three['allRight']} of {three['judged']} judged"
        f" ({three['allRight %']} %), {three['showAny']} repositories show any",
        f"repositories with at least {MANY} documents that show three: {many['showThree']} of {many['repositories']}"
        f" ({many['showThree %']} %)",
        f"first check around 200 documents: median {first['medianFindings']} findings,"
        f" {first['medianErrorsAndWarnings']} errors and warnings ({first['repositories']} repositories)",
    ]
    return "\n".join(lines)


def rows_of(title: str, groups: dict[str, Row]) -> list[str]:
    head = ["judged", *VERDICTS, "right %"]
    lines = [f"| {title} | {' | '.join(head)} |", f"|---|{'---|' * len(head)}"]
    return [
        *lines,
        *(f"| {group} | {' | '.join(str(row[key]) for key in head)} |" for group, row in groups.items()),
        "",
    ]
