"""How much of what sessions teach is proposed, and how much is proposed that nobody wants to keep.

usage: python bench/curate.py --propose [--misses] [--json] [FILE …]
       python bench/curate.py --actions [dev|judge|blind|fresh] [--misses] [--json]
       python bench/curate.py --scale [--json]

The sessions are in `bench/curate/*.yaml`, each with what should come of it. They are written out as the transcripts of
four agent hosts, captured, and proposed from through the same code that a workspace uses. For `--actions`, which has
sessions of its own, see `bench/curate_actions.py`.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from ryaml import loads  # type: ignore[attr-defined]

from cairn.app.build import App, build_app
from cairn.app.capture.sessions import capture_session
from cairn.app.curate.proposing import Wanted, propose_sessions
from cairn.kernel.model.candidate import Candidate
from cairn.kernel.model.session import Host
from curate_transcripts import PRINTED, transcript

HERE = Path(__file__).parent / "curate"


class Case(NamedTuple):
    file: str
    id: str
    host: Host
    turns: Sequence[dict[str, Any]]
    expect: Sequence[dict[str, Any]]

    @property
    def user_turns(self) -> int:
        return sum("u" in turn for turn in self.turns)


class Judged(NamedTuple):
    case: Case
    right: list[Candidate]
    junk: list[Candidate]
    missed: list[dict[str, Any]]
    wrong: list[str]
    """Of those that are right: what is said about them wrongly."""


def cases(files: Sequence[Path]) -> Iterator[Case]:
    for file in files:
        for one in loads(file.read_text("utf-8")):
            yield Case(file.stem, one["id"], one["host"], one["turns"], one.get("expect") or ())


# --- judging ----------------------------------------------------------------------------------------------------------


def judge(case: Case, proposed: Sequence[Candidate]) -> Judged:
    left = list(proposed)
    right: list[Candidate] = []
    missed: list[dict[str, Any]] = []
    wrong: list[str] = []
    for wanted in case.expect:
        found = next((one for one in left if _fits(one, wanted)), None)
        if found is None:
            missed.append(wanted)
            continue
        left.remove(found)
        right.append(found)
        for name in ("confidence", "taint"):
            got = found.confidence if name == "confidence" else found.taint.word
            if name in wanted and got != wanted[name]:
                wrong.append(f"{name} is {got}, not {wanted[name]}")
    return Judged(case, right, left, missed, wrong)


def _fits(candidate: Candidate, wanted: dict[str, Any]) -> bool:
    text = f"{candidate.title}\n{candidate.body}".lower()
    return candidate.kind == wanted["kind"] and all(str(word).lower() in text for word in wanted["says"])


def run(app: App, folder: Path, case: Case) -> Judged:
    file = folder / f"{case.id}.jsonl"
    file.write_bytes(transcript(case.host, case.turns))
    capture_session(app, case.host, case.id, file)
    results = propose_sessions(app, Wanted(ids=(case.id,))).results
    return judge(case, [one for result in results for one in result.candidates])


def propose_all(files: Sequence[Path]) -> list[Judged]:
    with tempfile.TemporaryDirectory() as place:
        root, folder = Path(place, "work"), Path(place, "transcripts")
        (root / ".cairn").mkdir(parents=True)
        folder.mkdir()
        (root / ".cairn" / "settings.json").write_text("{}")
        with closing(build_app(root, env={})) as app:
            judged = [run(app, folder, case) for case in cases(files)]
            again = propose_sessions(app, Wanted())
            assert not again.results, "what was looked at is looked at again"
            return judged


# --- the report -------------------------------------------------------------------------------------------------------


def summary(judged: Sequence[Judged]) -> dict[str, Any]:
    right, junk = (sum(len(getattr(one, name)) for one in judged) for name in ("right", "junk"))
    missed = sum(len(one.missed) for one in judged)
    turns = sum(one.case.user_turns for one in judged)
    everything = [one for each in judged for one in (*each.right, *each.junk)]
    return {
        "sessions": len(judged),
        "nothing_expected": sum(not one.case.expect for one in judged),
        "user_turns": turns,
        "proposed": right + junk,
        "precision": round(right / (right + junk), 3) if right + junk else None,
        "recall": round(right / (right + missed), 3) if right + missed else None,
        "junk_per_100_turns": round(100 * junk / turns, 1) if turns else None,
        "wrong_facts": sum(len(one.wrong) for one in judged),
        "recaptured": sum(PRINTED.lower()[:30] in one.body.lower() for one in everything),
    }


def tell(judged: Sequence[Judged], *, misses: bool) -> None:
    for one in judged if misses else ():
        for wanted in one.missed:
            print(f"missed  {one.case.file}/{one.case.id}: {wanted['kind']} {' '.join(map(str, wanted['says']))}")
        for junk in one.junk:
            print(f"junk    {one.case.file}/{one.case.id}: {junk.kind} {junk.body!r}")
        for wrong in one.wrong:
            print(f"wrong   {one.case.file}/{one.case.id}: {wrong}")
    for name, value in summary(judged).items():
        print(f"{name.replace('_', ' '):<20} {value}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--propose", action="store_true", help="score the proposer that needs no model")
    what.add_argument(
        "--actions",
        nargs="?",
        const="all",
        choices=("all", "dev", "judge", "blind", "fresh"),
        help="score what the curator makes of sessions, against a base",
    )
    what.add_argument(
        "--scale", action="store_true", help="what curating costs in a large base, and over many sessions"
    )
    parser.add_argument("--misses", action="store_true", help="print each one that is missed, junk or wrong")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("files", nargs="*", type=Path, help="of sessions; without any: all")
    given = parser.parse_args()
    if given.scale:
        from curate_scale import main as scale

        raise SystemExit(scale(["--json"] if given.json else []))
    if given.actions:
        from curate_actions import main as actions

        raise SystemExit(actions(given.actions, misses=given.misses, as_json=given.json))
    judged = propose_all(given.files or sorted(HERE.glob("*.yaml")))
    if given.json:
        print(json.dumps(summary(judged)))
    else:
        tell(judged, misses=given.misses)


if __name__ == "__main__":
    main()
