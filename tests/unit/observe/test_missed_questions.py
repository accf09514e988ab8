"""Questions that nothing answered, as signals of gaps: each once, whoever counts and wherever they die."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.core.ledger_events import events_of
from cairn.core.model.event import payload_problems
from cairn.core.ports.runtime import Locks
from cairn.core.ports.search import DAY_MS
from cairn.core.search_query import parse_query
from cairn.knowledge.topics import is_topic
from cairn.observe.list_gaps import look_at_gaps
from cairn.observe.missed_questions import STATE, count_misses, missed_topic
from cairn.retrieve.find import SearchAnswer
from cairn.retrieve.query_log import told_search
from cairn.workspace.forget.run import forget
from cairn.workspace.forget.selection import wanted_text
from signals import NOW


def workspace(root: Path, settings: dict[str, Any] | None = None, **env: str) -> App:
    (root / ".cairn").mkdir(parents=True, exist_ok=True)
    (root / ".cairn/settings.json").write_text(json.dumps(settings or {}))
    return build_app(root, env=env, clock=SettableClock(NOW), installed=False, tracked=lambda _: [])


def miss(app: App, question: str, *, session: str | None = None, ago: float = 0, fits: bool = False) -> None:
    now = SettableClock(NOW - int(ago * DAY_MS))
    asking = build_app(app.root, env=app.env, clock=now, installed=False, tracked=lambda _: [])
    told_search(asking, question, SearchAnswer(fits, (), 0, 0, parse_query("x"), False), surface="cli", session=session)


def count(app: App) -> int:
    app.index_ledger()
    return count_misses(app)


def signals(app: App) -> list[dict[str, Any]]:
    app.index_ledger()
    found = [json.loads(row.payload) for row in events_of(app.ledger, app.store, types=("knowledge_gap_signal",))]
    return sorted(found, key=lambda said: str(said["asked"]))


def topics(app: App) -> list[tuple[str, str | None]]:
    return [(said["topic"], said.get("session")) for said in signals(app)]


def test_one_a_topic_asker_and_day(tmp_path: Path) -> None:
    app = workspace(tmp_path)
    miss(app, "kubernetes ingress", session="s1", ago=1)
    miss(app, "how does the kubernetes ingress work?", session="s1", ago=1)
    miss(app, "kubernetes ingress", session="s1")
    miss(app, "kubernetes ingress", session="s2")
    miss(app, "kubernetes ingress")
    miss(app, "ovens", session="s1", fits=True)
    assert count(app) == 4
    ingress = "kubernetes-ingress"
    assert topics(app) == [(ingress, "s1"), (ingress, "s1"), (ingress, "s2"), (ingress, None)]
    assert all(payload_problems("knowledge_gap_signal", said) == [] for said in signals(app))
    assert all(said["source"] == "search-miss" and "agent_excerpt" not in said for said in signals(app))


def test_a_signal_is_of_the_day_of_the_question(tmp_path: Path) -> None:
    app = workspace(tmp_path)
    for ago in (3, 1, 0):
        miss(app, "kubernetes ingress", session=f"s{ago}", ago=ago)
    (gap,) = look_at_gaps(app).gaps
    assert (gap.group.signals, gap.group.days) == (3, 3)


@pytest.mark.parametrize("forgotten", [True, False], ids=["the place is lost", "the place is known"])
def test_counted_again_nothing_is_added(tmp_path: Path, forgotten: bool) -> None:
    app = workspace(tmp_path)
    miss(app, "kubernetes ingress")
    assert count(app) == 1
    miss(app, "helm charts")
    if forgotten:
        (tmp_path / STATE).unlink()
    assert [count(app), count(app)] == [1, 0]
    assert [topic for topic, _ in topics(app)] == ["kubernetes-ingress", "helm-charts"]


def test_whoever_dies_while_telling_leaves_the_rest_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = workspace(tmp_path)
    asked = ["kubernetes ingress", "helm charts", "blue green deploys"]
    for question in asked:
        miss(app, question)
    append, told = app.ledger.append, list[str]()

    def dies(kind: str, payload: Any, *, now_ms: int) -> str:
        told.append(kind)
        if len(told) == 2:
            raise KeyboardInterrupt
        return append(kind, payload, now_ms=now_ms)

    monkeypatch.setattr(app.ledger, "append", dies)
    with pytest.raises(KeyboardInterrupt):
        count(app)
    assert count(app) == 2
    assert [topic for topic, _ in topics(app)] == ["kubernetes-ingress", "helm-charts", "blue-green-deploys"]


QUIET: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"retrieve": {"misses": False}}, {}),
    ({"observe": {"gap_tail": False}}, {}),
    ({}, {"CAIRN_GAP_SIGNAL_QUIET": "1"}),
]


@pytest.mark.parametrize(("settings", "env"), QUIET, ids=["setting", "tail", "environment"])
def test_who_wants_quiet_is_never_counted(tmp_path: Path, settings: dict[str, Any], env: dict[str, str]) -> None:
    quiet = workspace(tmp_path, settings, **env)
    miss(quiet, "kubernetes ingress")
    assert count(quiet) == 0
    assert count(workspace(tmp_path)) == 0


def test_what_was_asked_aloud_is_not_counted_while_it_is_quiet(tmp_path: Path) -> None:
    miss(workspace(tmp_path), "kubernetes ingress")
    assert count(workspace(tmp_path, CAIRN_GAP_SIGNAL_QUIET="1")) == 0
    assert count(workspace(tmp_path)) == 1


def test_what_is_long_ago_is_left_alone(tmp_path: Path) -> None:
    app = workspace(tmp_path)
    miss(app, "kubernetes ingress", ago=120)
    assert count(app) == 0


@pytest.mark.parametrize(
    "question", ["what the fuck", "why is AKIAQW3E5RTY7UIO2PAS refused", "a", "words " * 20_000], ids=str.split
)
def test_what_never_becomes_a_topic(tmp_path: Path, question: str) -> None:
    app = workspace(tmp_path)
    miss(app, question)
    assert count(app) == 0
    assert signals(app) == []


def test_somebody_else_counts_already(tmp_path: Path) -> None:
    app = workspace(tmp_path)
    miss(app, "kubernetes ingress")
    with app.locks.hold("misses", ttl_ms=60_000):
        assert count(app) == 0
    look_at_gaps(app)
    assert [topic for topic, _ in topics(app)] == ["kubernetes-ingress"]


@pytest.mark.parametrize("forgotten", [True, False], ids=["it died before it was done", "it is done"])
def test_somebody_else_counts_at_the_last_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: bool
) -> None:
    app, other = workspace(tmp_path), workspace(tmp_path)
    miss(app, "kubernetes ingress")

    def late(asking: App) -> Locks:
        monkeypatch.undo()
        assert count(other) == 1
        if forgotten:
            (tmp_path / STATE).unlink()
        return asking.locks

    monkeypatch.setattr(type(app), "locks", property(late))
    assert count(app) == 0
    assert topics(app) == [("kubernetes-ingress", None)]


@pytest.mark.parametrize("damage", ["", "[]", "{", '{"last": 3, "at_ms": "x"}', '{"last": "f", "at_ms": 1e99}'])
def test_a_damaged_place_is_as_good_as_none(tmp_path: Path, damage: str) -> None:
    app = workspace(tmp_path)
    miss(app, "kubernetes ingress")
    (tmp_path / STATE).parent.mkdir(parents=True)
    (tmp_path / STATE).write_text(damage)
    assert count(app) == 1
    miss(app, "helm charts")
    assert count(app) == 1
    assert topics(app) == [("kubernetes-ingress", None), ("helm-charts", None)]


def test_who_forgets_a_question_forgets_the_topic_that_was_made_of_it(tmp_path: Path) -> None:
    app = workspace(tmp_path, HOME=str(tmp_path))
    miss(app, "what does the quokka earn at the mill?")
    miss(app, "kubernetes ingress")
    assert count(app) == 2
    forget(app, wanted_text(literal="quokka earn at the mill"))
    assert topics(app) == [("kubernetes-ingress", None)]
    assert not [path for path in (tmp_path / ".cairn").rglob("*") if path.is_file() and b"quokka" in path.read_bytes()]


TOPICS = [
    ("how do we rotate the signing keys of the staging cluster?", "rotate-signing-keys-staging-cluster"),
    ("Signing keys", "signing-keys"),
    ("what the fuck is wrong with the webhook retries", "webhook-retries"),
    ('"blue green" deploys -canary', "blue-green-deploys"),
    ("S3 buckets", "s3-buckets"),
    ("iso 27001 audit of order 20391884", "iso-27001-audit-order"),
    ("如何配置部署流水线？", "配置部署流水线"),
    ("как настроить резервное копирование", "настроить-резервное-копирование"),
    ("wie geht die Überprüfung", "geht-überprüfung"),
    ("retry retry retry", "retry"),
]
NONE = [
    "how do you do it",
    "a b c",
    "42 17",
    "kind:entry",
    "-canary",
    "",
    "!!!",
    "shit bullshit fucking",
    "the key is [REDACTED:aws-key] isn't it",
    " ".join(f"word{n}" for n in range(13)),
    "a" * 300,
]


@pytest.mark.parametrize(("question", "topic"), TOPICS)
def test_what_it_was_about(question: str, topic: str) -> None:
    assert missed_topic(question) == topic


@pytest.mark.parametrize("question", NONE)
def test_what_is_no_subject(question: str) -> None:
    assert missed_topic(question) is None


@given(st.text(max_size=200))
def test_whatever_is_asked_it_is_a_topic_or_none(question: str) -> None:
    topic = missed_topic(question)
    assert topic is None or is_topic(topic)
