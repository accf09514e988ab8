"""Adds up replays of several repositories, and writes the tables and the lists that people read."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from history_mine import Case
from history_paths import suffix_of
from history_replay import Outcome, Replayed, Shown

CAP = 5
"""Lines of one commit that count in full; more of them share this weight."""
COLUMNS = tuple(
    "commits mined cases found asserted edited ordinaryCommits ordinaryLines miningSeconds replaySeconds".split()
)
Row = dict[str, Any]
T = TypeVar("T")


class HistoryResult(NamedTuple):
    """One repository's part of a run."""

    commit: str
    commits: int
    missing: int
    lacking: int
    cases: tuple[Case, ...]
    """All of them, excluded ones too."""
    replayed: Replayed
    mining: float
    replaying: float


def share(found: float, of: float) -> float | None:
    return round(100 * found / of, 1) if of else None


def capped(items: Sequence[T], commit: Callable[[T], str], good: Callable[[T], bool]) -> float | None:
    """The share of good ones in percent, with at most five votes for each commit."""
    sizes = Counter(commit(item) for item in items)
    weights = [(min(1.0, CAP / sizes[commit(item)]), good(item)) for item in items]
    return share(sum(weight for weight, is_good in weights if is_good), sum(weight for weight, _ in weights))


def recall(outcomes: Sequence[Outcome]) -> Row:
    return {
        "cases": len(outcomes),
        "found": sum(one.found for one in outcomes),
        "found %": share(sum(one.found for one in outcomes), len(outcomes)),
        "capped %": capped(outcomes, lambda one: one.case.commit, lambda one: one.found),
    }


def recall_by(outcomes: Iterable[Outcome], key: Callable[[Outcome], str]) -> dict[str, Row]:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[key(one)].append(one)
    return {name: recall(groups[name]) for name in sorted(groups)}


def precision(shown: Sequence[Shown]) -> Row:
    return {
        "lines": len(shown),
        "edited": sum(one.edited for one in shown),
        "edited %": share(sum(one.edited for one in shown), len(shown)),
        "capped %": capped(shown, lambda one: one.commit.id, lambda one: one.edited),
    }


def precision_by(shown: Iterable[Shown]) -> dict[str, Row]:
    groups: dict[str, list[Shown]] = defaultdict(list)
    for one in shown:
        groups[one.asserted.reason].append(one)
    return {name: precision(groups[name]) for name in sorted(groups)}


def summary(repositories: Mapping[str, HistoryResult]) -> Row:
    runs = [one.replayed for one in repositories.values()]
    outcomes = [one for run in runs for one in run.outcomes]
    shown = [one for run in runs for one in run.shown]
    noise = [one for run in runs for one in run.noise]
    ordinary = sum(run.ordinary for run in runs)
    base = [sum(run.base.lines for run in runs), sum(run.base.edited for run in runs)]
    cases = [case for one in repositories.values() for case in one.cases]
    loud = Counter(one.commit.id for one in noise)
    return {
        "mined": len(cases),
        "excluded": dict(Counter(case.excluded for case in cases if case.excluded).most_common()),
        "recall": recall(outcomes),
        "recallByKind": recall_by(outcomes, lambda one: one.case.kind),
        "recallLate": recall_by(outcomes, lambda one: "late" if one.case.late else "same commit"),
        "recallByForm": recall_by(outcomes, lambda one: one.case.form),
        "recallBySuffix": recall_by(outcomes, lambda one: suffix_of(one.case.path)),
        "foundBy": dict(Counter(one.by for one in outcomes if one.found).most_common()),
        "both": {"commits": sum(run.both for run in runs), **precision(shown)},
        "bothByReason": precision_by(shown),
        "baseRate %": share(base[1], base[0]),
        "ordinary": {
            "commits": ordinary,
            "lines": len(noise),
            "commitsWithLines": len(loud),
            "linesPerCommit": round(len(noise) / ordinary, 3) if ordinary else None,
            "cappedPerCommit": round(sum(min(CAP, count) for count in loud.values()) / ordinary, 3)
            if ordinary
            else None,
            "byReason": dict(Counter(one.asserted.reason for one in noise).most_common()),
        },
        "crashes": [f"{name} {crash}" for name, one in repositories.items() for crash in one.replayed.crashes],
        "repositories": {name: facts(one) for name, one in repositories.items()},
    }


def facts(one: HistoryResult) -> Row:
    run = one.replayed
    return {
        "commit": one.commit,
        "commits": one.commits,
        "missingPaths": one.missing,
        "missingBlobs": one.lacking,
        "mined": len(one.cases),
        **recall(run.outcomes),
        "bothCommits": run.both,
        "asserted": len(run.shown),
        "edited": sum(shown.edited for shown in run.shown),
        "ordinaryCommits": run.ordinary,
        "ordinaryLines": len(run.noise),
        "miningSeconds": round(one.mining, 1),
        "replaySeconds": round(one.replaying, 1),
    }


def markdown(total: Row) -> str:
    lines = [
        f"Mined {total['mined']} lines; {sum(total['excluded'].values())} excluded:",
        *(f"- {reason}: {count}" for reason, count in total["excluded"].items()),
        "",
    ]
    parts = (
        ("all cases", {"all": total["recall"]}),
        ("by kind", total["recallByKind"]),
        ("same commit or late", total["recallLate"]),
        ("by form in code", total["recallByForm"]),
        ("by suffix", total["recallBySuffix"]),
    )
    for title, rows in parts:
        lines += table(title, ("cases", "found", "found %", "capped %"), rows)
    both, ordinary = total["both"], total["ordinary"]
    lines += [f"Commits that change code and documents, documents put back: {both['commits']}.", ""]
    heads = ("lines", "edited", "edited %", "capped %")
    lines += table("asserted lines by reason", heads, {**total["bothByReason"], "all": both})
    lines += [f"Other lines with code on the same pages: {total['baseRate %']} % edited.", ""]
    lines += [
        f"Commits that change code only: {ordinary['commits']}; {ordinary['lines']} lines in"
        f" {ordinary['commitsWithLines']} commits, {ordinary['linesPerCommit']} a commit"
        f" ({ordinary['cappedPerCommit']} with at most {CAP} a commit); by reason: {ordinary['byReason']}",
        "",
        f"Crashes and what was left out: {len(total['crashes'])}",
        *(f"- {crash}" for crash in total["crashes"][:20]),
        "",
    ]
    return "\n".join([*lines, *table("repository", COLUMNS, total["repositories"])])


def table(title: str, heads: Sequence[str], rows: Mapping[str, Row]) -> list[str]:
    body = (f"| {name} | {' | '.join(str(row[head]) for head in heads)} |" for name, row in rows.items())
    return [f"| {title} | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}", *body, ""]
