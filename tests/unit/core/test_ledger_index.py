"""The store's index of the ledger: incremental, and not to be upset by a line."""

import json
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.adapters.ledger.jsonl import JsonlLedger
from cairn.adapters.ledger.memory import MemoryLedger
from cairn.adapters.process.workers import ForkWorkers
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.app.projections import PROJECTIONS, index_all
from cairn.core.ledger_events import events_of
from cairn.core.ledger_index import Projection, event_rows, index_ledger
from cairn.core.model.event import BadLine, Event, IndexedLedgerEvent, parse_event, unpacked_id
from cairn.core.ports.ledger import LedgerBlock
from cairn.core.ports.store import Store
from signals import write

PAYLOAD = {"nodes": 3}


def test_only_what_is_new_is_read():
    ledger, store = MemoryLedger(), open_memory()
    ledger.append("scan_completed", PAYLOAD, now_ms=1_000)
    assert index_all(ledger, store) == 1
    assert index_all(ledger, store) == 0
    ledger.append("scan_completed", PAYLOAD, now_ms=2_000)
    assert index_all(ledger, store) == 1
    assert [(event.type, event.at_ms) for event in store.events()] == [
        ("scan_completed", 2_000),
        ("scan_completed", 1_000),
    ]


def test_what_another_process_reads_meanwhile_is_no_file_that_shrank():
    """Else the whole archive would be read again."""
    ledger, store, cleared = MemoryLedger(), open_memory(), []
    ledger.append("scan_completed", PAYLOAD, now_ms=1_000)
    index_all(ledger, store)

    class Busy(MemoryLedger):
        def files(self, *, collected: bool = False):
            files = ledger.files(collected=collected)
            ledger.append("scan_completed", PAYLOAD, now_ms=2_000)
            index_all(ledger, store)
            return files

        def blocks(self, *given, **more):
            return ledger.blocks(*given, **more)

    store.clear_index = lambda: cleared.append(1)
    index_all(Busy(), store)
    assert (cleared, len(list(store.events()))) == ([], 2)


def line(**changes: object) -> bytes:
    event = {"v": 1, "id": "e1", "type": "t", "at": "2026-01-01T00:00:00Z", "worktree": "w", "payload": {}, **changes}
    return json.dumps(event).encode() + b"\n"


ODD = [
    b"not json\n",
    line(at="yesterday"),
    line(at="0001-01-01T00:00:00+23:59"),
    line(id="\ud800"),
    line(type="\udfff"),
    line(v=99),
    b"\xff\xfe\n",
    b"[" * 5_000 + b"\n",
]


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_a_line_that_makes_no_sense_is_passed_over(tmp_path: Path, odd: bytes):
    ledger, store = JsonlLedger(tmp_path), open_memory()
    ledger.append("scan_completed", PAYLOAD, now_ms=1_000)
    (file,) = tmp_path.glob("*.jsonl")
    with file.open("ab") as stream:
        stream.write(odd + line(id="last"))
    index_all(ledger, store)
    assert "last" in [event.id for event in store.events()]
    assert index_all(ledger, store) == 0


def test_a_payload_of_half_letters_is_kept(tmp_path: Path):
    ledger, store = JsonlLedger(tmp_path), open_memory()
    (tmp_path / "w.jsonl").write_bytes(line(payload={"x": "\ud83d"}))
    assert index_all(ledger, store) == 1
    (event,) = events_of(ledger, store)
    assert json.loads(event.payload) == {"x": "\ud83d"}


def test_half_letters_of_a_turn_keep_nothing_from_being_read(tmp_path: Path):
    ledger, store = JsonlLedger(tmp_path), open_memory()
    said = [{"turn_id": "t1", "summary": "Half \ud83d, whole 😀"}, {"turn_id": "t\ud800"}, {"turn_id": "t3"}]
    lines = [line(id=f"e{number}", type="turn_completed", payload=payload) for number, payload in enumerate(said)]
    (tmp_path / "w.jsonl").write_bytes(b"".join(lines))
    assert index_all(ledger, store) == 3
    assert store.turns.note_rows(["t1"])["t1"].summary == "Half ?, whole 😀"
    assert sorted(store.turns.turn_rows(["t1", "t?", "t3"])) == ["t1", "t3", "t?"]


def test_a_line_whose_time_has_no_zone_is_left_out(tmp_path: Path):
    ledger, store = JsonlLedger(tmp_path), open_memory()
    (tmp_path / "w.jsonl").write_bytes(line(at="1970-01-01T00:00:01"))
    index_all(ledger, store)
    assert list(store.events()) == []


def test_one_event_in_two_files_is_one(tmp_path: Path):
    ledger, store = JsonlLedger(tmp_path), open_memory()
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_bytes(line(worktree=name))
    index_all(ledger, store)
    assert len(list(store.events())) == 1


# --- what is derived ------------------------------------------------------------------------------------------------


class Counted:
    """A projection that remembers what it was given."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def apply(self, _: Store, ids: list[str]) -> None:
        self.seen += ids

    def of(self, *types: str) -> tuple[Projection, ...]:
        return (Projection("counted", frozenset(types), self.apply, ids_of),)


def ids_of(events: Sequence[IndexedLedgerEvent]) -> list[str]:
    return [unpacked_id(event.id, event.at_ms) for event in events]


def test_a_projection_gets_its_types_once():
    ledger, store, counted = MemoryLedger(), open_memory(), Counted()
    wanted = [ledger.append("orphan_forgotten", {"path": name}, now_ms=1_000) for name in "ab"]
    ledger.append("scan_completed", PAYLOAD, now_ms=1_000)
    for _ in range(2):
        index_ledger(ledger, store, counted.of("orphan_forgotten"))
    assert counted.seen == wanted


@pytest.mark.parametrize("collected", [True, False])
def test_what_happened_elsewhere_is_only_for_those_who_ask(tmp_path: Path, collected: bool):
    (tmp_path / "collected").mkdir()
    (tmp_path / "collected/other.jsonl").write_bytes(line(id="theirs"))
    (tmp_path / "own.jsonl").write_bytes(line(id="ours"))
    ledger, store, counted = JsonlLedger(tmp_path), open_memory(), Counted()
    index_ledger(ledger, store, tuple(each._replace(collected=collected) for each in counted.of("t")))
    assert {event.id for event in store.events()} == {"ours", "theirs"}
    assert counted.seen == (["ours", "theirs"] if collected else ["ours"])
    assert [file.name for file in ledger.files()] == ["own.jsonl"]


def test_gaps_are_counted_over_many_projects_and_the_rest_is_ours():
    assert {projection.name for projection in PROJECTIONS if projection.collected} == {"gaps"}


def test_a_projection_that_fails_leaves_nothing_half_read():
    ledger, store = MemoryLedger(), open_memory()
    ledger.append("orphan_forgotten", {"path": "a"}, now_ms=1_000)

    def fail(*_: object) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        index_ledger(ledger, store, (Projection("x", frozenset({"orphan_forgotten"}), fail, ids_of),))
    assert (store.ledger_offsets(), list(store.events())) == ({}, [])
    assert index_all(ledger, store) == 1


def test_after_a_reset_everything_is_there_again(tmp_path: Path):
    ledger, store, counted = JsonlLedger(tmp_path / ".cairn/ledger"), open_memory(), Counted()
    (tmp_path / ".cairn").mkdir()
    for name in "abc":
        ledger.append("orphan_forgotten", {"path": name}, now_ms=1_000)
    index_ledger(ledger, store, counted.of("orphan_forgotten"))
    before, seen = list(store.events()), list(counted.seen)
    store.reset(state=False)
    index_ledger(ledger, store, counted.of("orphan_forgotten"))
    assert (list(store.events()), counted.seen) == (before, seen * 2)


# --- purged ---------------------------------------------------------------------------------------------------------


def cut(file: Path) -> None:
    """As `cairn forget` would: another file in its place, one line shorter, and then one more."""
    lines = file.read_bytes().splitlines(keepends=True)
    beside = file.with_suffix(".new")
    beside.write_bytes(b"".join([lines[0], *lines[2:], line(id="more"), line(id="and", payload={"x": "x" * 500})]))
    beside.replace(file)


PURGES = {
    "shorter": lambda file: file.write_bytes(file.read_bytes().splitlines(keepends=True)[0]),
    "another": cut,
    "gone": lambda file: file.unlink(),
}


@pytest.mark.parametrize("purge", PURGES)
def test_what_was_purged_goes_from_the_index(tmp_path: Path, purge: str):
    """An event that a copy still holds stays, although it was read from the file that lost it."""
    ledger, store = JsonlLedger(tmp_path), open_memory()
    (tmp_path / "a.jsonl").write_bytes(line(id="e1") + line(id="e2") + line(id="e3"))
    (tmp_path / "b.jsonl").write_bytes(line(id="e3"))
    index_all(ledger, store)
    PURGES[purge](tmp_path / "a.jsonl")
    index_all(ledger, store)
    there = {json.loads(text)["id"] for file in tmp_path.glob("*.jsonl") for text in file.read_text().splitlines()}
    assert {event.id for event in store.events()} == there
    assert "e3" in there and "e2" not in there


def test_another_process_reads_at_the_same_time(tmp_path: Path):
    """It is told apart by the offset: what it read is not read again, and what it forgot is not half there."""
    ledger, store = JsonlLedger(tmp_path), open_memory()
    (tmp_path / "a.jsonl").write_bytes(line(id="e1"))

    class Slow(JsonlLedger):
        def blocks(self, name: str, offset: int = 0, *, inode: int | None = None) -> Iterator[LedgerBlock]:
            for block in super().blocks(name, offset, inode=inode):
                index_all(ledger, store)
                yield block

    assert index_all(Slow(tmp_path), store) == 0
    assert [event.id for event in store.events()] == ["e1"]


# --- other ledgers --------------------------------------------------------------------------------------------------


OLD = {
    "event_id": "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "worktree_id": "6f1c0b9e-2d55-4d0c-8a57-0d6f6a3f5e11",
    "actor_label": "Trunk 1",
    "branch": "main",
    "type": "decision_recorded",
    "ts": "2025-03-04T05:06:07+01:00",
    "task_id": "T-1",
    "payload": {"key": "k", "summary": "s", "affects": []},
}


@pytest.mark.parametrize(
    "place",
    [
        ".cairn/activity.jsonl",
        ".cairn/activity-archive/2025-03.jsonl",
        ".cairn/activity-archive/active/6f1c0b9e-2d55-4d0c-8a57-0d6f6a3f5e11.jsonl",
        ".scaffold/activity.jsonl",
        ".scaffold/activity-archive/2025-03.jsonl",
    ],
)
def test_what_an_older_program_recorded_is_read_too(tmp_path: Path, place: str):
    file = tmp_path / place
    file.parent.mkdir(parents=True)
    text = json.dumps(OLD) + "\n" + json.dumps({**OLD, "event_id": 3}) + "\n" + json.dumps({"event_id": "x"}) + "\n"
    file.write_text(text)
    store = open_memory()
    ledger = JsonlLedger(tmp_path / ".cairn/ledger")
    assert index_all(ledger, store) == 1
    (event,) = events_of(ledger, store)
    assert (event.id, event.type, event.worktree) == (OLD["event_id"], "decision_recorded", "trunk-1-6f1c0b9e2d55")
    assert event.at_ms == 1_741_061_167_000
    assert json.loads(event.payload) == {"task_id": "T-1", "branch": "main", "key": "k", "summary": "s", "affects": []}
    assert file.read_text() == text


def test_folders_that_are_symlinks_are_not_entered(tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/a.jsonl").write_bytes(line())
    (tmp_path / ".cairn/ledger").mkdir(parents=True)
    (tmp_path / ".cairn/ledger/collected").symlink_to(tmp_path / "elsewhere")
    (tmp_path / ".cairn/activity-archive").symlink_to(tmp_path / "elsewhere")
    assert JsonlLedger(tmp_path / ".cairn/ledger").files() == []


# --- quick and slow readers agree -----------------------------------------------------------------------------------


ANY_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9), lambda inner: st.lists(inner, max_size=3)
)


@given(st.dictionaries(st.text(max_size=5), ANY_VALUE, max_size=4), st.booleans())
def test_a_line_of_ours_is_read_like_any_other(payload: dict[str, object], spaced: bool):
    event = {"v": 1, "id": "e-1", "type": "t", "at": "2026-01-01T00:00:00.250Z", "worktree": "w", "payload": payload}
    ours = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"
    theirs = json.dumps(event, sort_keys=spaced).encode() + b"\n"
    (mine,) = event_rows("f", LedgerBlock(0, ours, len(ours))) or [None]
    (other,) = event_rows("f", LedgerBlock(0, theirs, len(theirs)))
    if mine is not None:  # half letters are only read when they are escaped
        assert mine._replace(payload="") == other._replace(payload="")
        assert json.loads(mine.payload) == json.loads(other.payload)


HEAD = '{"v":1,"id":"a","type":"t","at":"2026-01-01T00:00:00.000Z","worktree":"w","payload":'
TRICKS = ['{"a":1},"payload":{"b":2}}', '{"a":1},"id":"b"}', "{}}}", "{}{}}", '{"a":}}', "[]}", '{"a":NaN}}']


@pytest.mark.parametrize("trick", TRICKS)
def test_a_line_that_only_looks_like_ours(trick: str):
    """Is what JSON makes of it, or nothing."""
    data = (HEAD + trick + "\n").encode()
    expected = parse_event(data)
    rows = event_rows("f", LedgerBlock(0, data, len(data)))
    if isinstance(expected, BadLine):
        assert rows == []
    else:
        assert [(row.id, json.loads(row.payload)) for row in rows] == [
            (expected.id, pytest.approx(expected.payload, nan_ok=True))
        ]


OURS = (
    '{"v":1,"id":"019e4fc6-b955-762f-b321-65831390b0%02x","type":"t","at":"2026-01-01T00:00:0%d.250Z",'
    '"worktree":"w","payload":'
)


def ours(number: int, payload: str) -> bytes:
    return (OURS % (number, number) + payload + "}\n").encode()


SPLIT = {
    "plain": ['{"a":1}', '{"b":{"c":[1,{}]}}', "{}"],
    "one value in two lines": ['{"a":[{"b":{}}', '{"c":1}]}', "{}"],
    "two values in a line": ['{"a":1},{"b":2}', "{}"],
    "both": ['{"a":[{"b":{}}', '{"c":1}]},{}', "{}"],
    "deep": ['{"a":' + "[" * 3_000 + "]" * 3_000 + "}", "{}"],
    "letters": ['{"a":"\u2028\x85ä"}', '{"b":"\\ud83d"}'],
}


@pytest.mark.parametrize("payloads", SPLIT.values(), ids=SPLIT)
def test_lines_that_are_read_at_once_are_read_like_one_after_the_other(payloads: list[str]) -> None:
    lines = [ours(number, payload) for number, payload in enumerate(payloads)]
    data, starts = b"".join(lines), accumulate(map(len, lines), initial=7)
    each = [
        row for start, line in zip(starts, lines, strict=False) for row in event_rows("f", LedgerBlock(start, line, 0))
    ]
    assert event_rows("f", LedgerBlock(7, data, 0)) == each
    parsed = [event for line in lines if isinstance(event := parse_event(line), Event)]
    assert [(row.id, json.loads(row.payload)) for row in each] == [(event.id, event.payload) for event in parsed]


# --- shared ---------------------------------------------------------------------------------------------------------


def test_several_processes_read_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for ago in range(40):
        write(tmp_path, f"topic-{ago % 3}", ago=ago / 7, worktree=f"w{ago % 4}", excerpt=f"said {ago}")
    (tmp_path / "w0.jsonl").write_bytes((tmp_path / "w0.jsonl").read_bytes() + (tmp_path / "w1.jsonl").read_bytes())
    ledger, alone, shared = JsonlLedger(tmp_path), open_memory(), open_memory()
    assert index_all(ledger, alone) == 40
    monkeypatch.setattr("cairn.core.ledger_index.WORTH_SHARING", 0)
    assert index_all(ledger, shared, lambda: ForkWorkers(2)) == 40
    assert list(shared.events()) == list(alone.events())
    assert shared.gaps.counts(0) == alone.gaps.counts(0)
    assert shared.gaps.voices(0, "worktree") == alone.gaps.voices(0, "worktree")
    topics = ["topic-0", "topic-1", "topic-2"]
    assert shared.gaps.excerpts(topics, 0) == alone.gaps.excerpts(topics, 0)


def test_a_file_that_is_rotated_after_it_was_listed_is_read_under_its_own_name(tmp_path: Path):
    """Else the lines of the new file would count as read in the old one, and what was left there would be lost."""
    store = open_memory()
    active = tmp_path / "a.jsonl"
    active.write_bytes(line(id="e1") + line(id="e2"))
    index_all(JsonlLedger(tmp_path), store)
    active.write_bytes(active.read_bytes() + line(id="e3"))

    class Rotated(JsonlLedger):
        def blocks(self, name: str, offset: int = 0, *, inode: int | None = None) -> Iterator[LedgerBlock]:
            if name == "a.jsonl" and not (tmp_path / "a.e1.jsonl").exists():
                active.rename(tmp_path / "a.e1.jsonl")
                active.write_bytes(b"".join(line(id=f"f{number}") for number in range(3)))
            return super().blocks(name, offset, inode=inode)

    index_all(Rotated(tmp_path), store)
    index_all(JsonlLedger(tmp_path), store)
    assert {event.id for event in store.events()} == {"e1", "e2", "e3", "f0", "f1", "f2"}
