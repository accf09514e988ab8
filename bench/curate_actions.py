"""What the curator makes of whole sessions, against a base: the right fate for each statement, and no other.

usage: python bench/curate.py --actions [dev|judge|blind|fresh] [--misses] [--json]

The sessions and the 38 pages of the base are in `bench/curate/actions/`: `dev-*.yaml` may be looked at while rules are
changed, of `judge-*.yaml` only the numbers, and `blind-*.yaml` was written by somebody who had not seen the rules. So
was `fresh-*.yaml`, and its misses nobody reads.
Each is captured, proposed from and curated by the code that a workspace uses, without a model, alone against the base.
How a match is judged:

- An action is *right* when its fate is the expected one, all words of `says` stand in its title or text, and it is
  about the expected page, or, where a page is added, of the expected kind. Each expectation takes one action.
- An action that fits by its words, but has another fate or another page, is a *wrong fate*. It counts against the
  precision of the fate that it has and against the recall of the one that it should have.
- Any other action is *junk*, except `drop`: what is dropped unexpectedly changes nothing. Those are counted apart.
- Precision = right / (right + wrong fate + junk). Recall = right / expected. *changes* is the same without `drop`.
- *recaptured*: of those that nobody expected, each that has most of its words from a paragraph that Cairn told the
  agent, or from what a tool printed.
- *said again*: all sessions one after the other, applied, and then all of them once more under other names. What is
  said again must be dropped; each page that is added or changed and each conflict that is raised then is counted.
  What followed outside text is not among these, because it is never applied.
"""

import json
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import copytree
from typing import Any, NamedTuple

from ryaml import loads  # type: ignore[attr-defined]

from cairn.app.build import App, build_app
from cairn.app.capture.noting import write_turn
from cairn.app.capture.sessions import capture_session
from cairn.app.curate.curating import Wanted as ToCurate
from cairn.app.curate.curating import curate
from cairn.app.curate.proposing import Wanted, note_candidates, propose_sessions
from cairn.capture.fingerprint import content_words
from cairn.curate.plan import Fated
from cairn.kernel.model.candidate import Candidate, Fate
from cairn.kernel.model.change import Taint
from cairn.kernel.model.session import Host
from cairn.kernel.model.turn import TurnRequest
from curate_transcripts import PRINTED, Turn, transcript

HERE = Path(__file__).parent / "curate" / "actions"
HALVES = ("dev", "judge", "blind", "fresh")
SETTINGS = '{"corpora": {"knowledge": {"root": "knowledge", "layout": "entries"}}}'
FATES = tuple(fate.value for fate in Fate)
_ENOUGH = 0.8
"""Of the words of a candidate in one injected paragraph: then it was taken from there."""


class Expected(NamedTuple):
    do: str
    kind: str
    says: tuple[str, ...]
    page: str | None


class Session(NamedTuple):
    file: str
    id: str
    host: Host
    turns: Sequence[Turn]
    notes: Sequence[dict[str, str]]
    expect: tuple[Expected, ...]

    @property
    def user_turns(self) -> int:
        return sum("u" in turn for turn in self.turns)

    @property
    def injected(self) -> list[str]:
        told = [line for turn in self.turns for line in str(turn.get("b", "")).splitlines()]
        return [PRINTED, *told, *(turn["p"] for turn in self.turns if "p" in turn)]


class Judged(NamedTuple):
    session: Session
    right: list[tuple[Expected, Fated]]
    wrong: list[tuple[Expected, Fated]]
    missed: list[Expected]
    junk: list[Fated]
    idle: list[Fated]
    """Dropped, and nobody had expected them."""
    recaptured: list[Fated]


def sessions(half: str) -> list[Session]:
    found = [(file.stem, one) for file in sorted(HERE.glob(f"{half}-*.yaml")) for one in loads(file.read_text("utf-8"))]
    return [
        Session(
            file,
            one["id"],
            one.get("host", "claude"),
            one.get("turns", ()),
            one.get("notes", ()),
            tuple(_expected(wanted) for wanted in one["expect"]),
        )
        for file, one in found
    ]


def _expected(wanted: dict[str, Any]) -> Expected:
    page = wanted.get("page")
    kind = wanted.get("kind") or next(HERE.glob(f"base/*/{page}.md")).parent.name
    return Expected(wanted["do"], kind, tuple(str(word).lower() for word in wanted["says"]), page)


# --- running ----------------------------------------------------------------------------------------------------------


class Place(NamedTuple):
    app: App
    transcripts: Path


@contextmanager
def workspace() -> Iterator[Place]:
    """A fresh one, with the base."""
    with tempfile.TemporaryDirectory() as place:
        root, folder = Path(place, "work"), Path(place, "transcripts")
        (root / ".cairn").mkdir(parents=True)
        folder.mkdir()
        (root / ".cairn" / "settings.json").write_text(SETTINGS)
        copytree(HERE / "base", root / "knowledge")
        _commit(root)
        with closing(build_app(root, env={})) as app:
            yield Place(app, folder)


def _commit(root: Path) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for line in (("init", "-q", "-b", "main"), ("add", "knowledge"), (*who, "commit", "-qm", "Begin")):
        subprocess.run(("git", *line), cwd=root, check=True)


def candidates(place: Place, session: Session, id: str) -> list[Candidate]:
    for number, note in enumerate(session.notes):
        _write_note(place.app, note, f"{id}-{number}")
    if session.notes:
        return [one for one in note_candidates(place.app) if one.origin.startswith(f"note:{id}-")]
    file = place.transcripts / f"{id}.jsonl"
    file.write_bytes(transcript(session.host, session.turns))
    capture_session(place.app, session.host, id, file)
    results = propose_sessions(place.app, Wanted(ids=(id,))).results
    return [one for result in results for one in result.candidates]


def _write_note(app: App, note: dict[str, str], id: str) -> None:
    by_person = note["by"] == "person"
    taint = Taint.PERSON if by_person else Taint.MODEL
    source = "cli" if by_person else "claude"
    more = {name: note[name] for name in ("type", "decision") if name in note}
    write_turn(app, TurnRequest(id, source, note["by"], note["summary"], taint=taint, **more))  # type: ignore[arg-type]


def alone(chosen: Sequence[Session]) -> list[Judged]:
    """Each against the base as it is: nothing is written between two of them."""
    with workspace() as place:
        return [judge(one, _fates(place, one, one.id, ToCurate(dry_run=True))) for one in chosen]


def again(chosen: Sequence[Session]) -> dict[str, int]:
    with workspace() as place:
        applied = ToCurate(how="here")
        spoken = [one for one in chosen if not one.notes]
        for one in spoken:
            _fates(place, one, one.id, applied)
        second = Counter(
            fated.action.fate.value for one in spoken for fated in _fates(place, one, f"{one.id}-again", applied)
        )
    return {"said": second.total()} | {fate: second[fate] for fate in FATES}


def _fates(place: Place, session: Session, id: str, wanted: ToCurate) -> tuple[Fated, ...]:
    found = candidates(place, session, id)
    return curate(place.app, wanted, found).plan.fates if found else ()


# --- judging ----------------------------------------------------------------------------------------------------------


def judge(session: Session, fates: Sequence[Fated]) -> Judged:
    left, wanted = list(fates), list(session.expect)
    right = _paired(wanted, left, lambda one, got: _says(one, got) and _does(one, got))
    wrong = _paired(wanted, left, _says)
    junk = [one for one in left if one.action.fate is not Fate.DROP]
    idle = [one for one in left if one.action.fate is Fate.DROP]
    taken = [one for one in left if _is_taken(one.candidate, session.injected)]
    return Judged(session, right, wrong, wanted, junk, idle, taken)


def _paired(wanted: list[Expected], left: list[Fated], fits: Any) -> list[tuple[Expected, Fated]]:
    """Those that fit; they are taken out of both."""
    pairs = []
    for one in tuple(wanted):
        if (got := next((each for each in left if fits(one, each)), None)) is not None:
            wanted.remove(one)
            left.remove(got)
            pairs.append((one, got))
    return pairs


def _says(one: Expected, got: Fated) -> bool:
    text = f"{got.candidate.title}\n{got.candidate.body}".lower()
    return (one.do != "add" or got.candidate.kind == one.kind) and all(word in text for word in one.says)


def _does(one: Expected, got: Fated) -> bool:
    return got.action.fate.value == one.do and (one.page is None or got.action.target_node_id == one.page)


def _is_taken(candidate: Candidate, injected: Sequence[str]) -> bool:
    words = set(content_words(candidate.title))
    return any(len(words & set(content_words(text))) >= _ENOUGH * len(words) for text in injected if text)


# --- the report -------------------------------------------------------------------------------------------------------


def summary(judged: Sequence[Judged]) -> dict[str, Any]:
    turns = sum(one.session.user_turns for one in judged)
    junk = sum(len(one.junk) for one in judged)
    counted = {fate: _of_fate(judged, fate) for fate in FATES}
    return {
        "sessions": len(judged),
        "nothing_expected": sum(not one.session.expect for one in judged),
        "user_turns": turns,
        "fates": {fate: _scores(*counted[fate]) for fate in FATES},
        "changes": _scores(*map(sum, zip(*(counted[fate] for fate in FATES[:3]), strict=True))),
        "overall": _scores(*map(sum, zip(*counted.values(), strict=True))),
        "wrong_fate": sum(len(one.wrong) for one in judged),
        "missed": sum(len(one.missed) for one in judged),
        "junk": junk,
        "junk_per_100_turns": round(100 * junk / turns, 1) if turns else None,
        "dropped_unasked": sum(len(one.idle) for one in judged),
        "recaptured": sum(len(one.recaptured) for one in judged),
    }


def _of_fate(judged: Sequence[Judged], fate: str) -> tuple[int, int, int]:
    """How many are right, how many there are, and how many there should be."""
    right = sum(pair[0].do == fate for one in judged for pair in one.right)
    got = sum(each.action.fate.value == fate for one in judged for each in _counting(one))
    wanted = sum(each.do == fate for one in judged for each in one.session.expect)
    return right, got, wanted


def _counting(one: Judged) -> list[Fated]:
    return [*(got for _, got in one.right), *(got for _, got in one.wrong), *one.junk]


def _scores(right: int, got: int, wanted: int) -> dict[str, Any]:
    return {
        "expected": wanted,
        "got": got,
        "right": right,
        "precision": round(right / got, 2) if got else None,
        "recall": round(right / wanted, 2) if wanted else None,
    }


def tell_misses(judged: Sequence[Judged]) -> None:
    for one in judged:
        where = f"{one.session.file}/{one.session.id}"
        for wanted in one.missed:
            print(f"missed      {where}: {wanted.do} {wanted.page or wanted.kind} {' '.join(wanted.says)}")
        for wanted, got in one.wrong:
            print(f"wrong fate  {where}: {wanted.do} {wanted.page or ''} expected, got {_told(got)}")
        for got in one.junk:
            print(f"junk        {where}: {_told(got)}")
        for got in one.idle:
            print(f"dropped     {where}: {_told(got)}")
        for got in one.recaptured:
            print(f"recaptured  {where}: {_told(got)}")


def _told(got: Fated) -> str:
    return f"{got.action.fate.value} {got.action.target_node_id or ''} {got.candidate.kind} {got.candidate.body!r}"


def tell(half: str, found: dict[str, Any]) -> None:
    print(f"{half}: {found['sessions']} sessions, {found['nothing_expected']} with nothing to keep")
    print(f"  {'':<12}{'expected':>9}{'got':>6}{'right':>7}{'precision':>11}{'recall':>8}")
    for name, row in {**found["fates"], "changes": found["changes"], "overall": found["overall"]}.items():
        cells = ["-" if row[key] is None else row[key] for key in ("expected", "got", "right", "precision", "recall")]
        print(f"  {name:<12}{cells[0]:>9}{cells[1]:>6}{cells[2]:>7}{cells[3]:>11}{cells[4]:>8}")
    for name in ("wrong_fate", "missed", "junk", "junk_per_100_turns", "dropped_unasked", "recaptured"):
        print(f"  {name.replace('_', ' '):<20} {found[name]}")
    repeated = ", ".join(f"{found['again'][fate]} {fate}" for fate in FATES)
    print(f"  {'said again':<20} {found['again']['said']}: {repeated}")


def main(half: str, *, misses: bool, as_json: bool) -> int:
    found = {}
    for each in HALVES if half == "all" else (half,):
        chosen = sessions(each)
        judged = alone(chosen)
        if misses and not as_json:
            tell_misses(judged)
        found[each] = summary(judged) | {"again": again(chosen)}
        if not as_json:
            tell(each, found[each])
    if as_json:
        print(json.dumps(found))
    return 0
