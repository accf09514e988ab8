"""Topics that are nearly the same, and those that only look so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.observe.topics import related

SAME = [
    ("rate-limit", "rate-limits"),
    ("query", "queries"),
    ("cookie-policy", "cookies-policies"),
    ("cache", "caches"),
    ("batch-job", "batches-jobs"),
    ("database", "databases"),
    ("message-box", "message-boxes"),
    ("web-socket", "websocket"),
    ("websockets", "web-socket"),
    ("retry-policy", "policy-retry"),
    ("limits-rate", "rate-limit"),
    ("rate-limits-of-the-api", "api-rate-limits"),
    ("the-deploy-script", "deploy-scripts"),
    ("serialisation", "serialization"),
    ("authentication", "authentcation"),
    ("authentication-flow", "authenticaiton-flow"),
    ("connection-pooling", "connnection-pooling"),
    ("überprüfungen", "überprüfungne"),
]
APART = [
    ("http-2", "http-3"),
    ("oauth1", "oauth2"),
    ("serialization", "deserialization"),
    ("synchronous-calls", "asynchronous-calls"),
    ("authenticated", "unauthenticated"),
    ("authentication", "authorization"),
    ("lock-contention", "lock-convention"),
    ("control-plan", "control-plane"),
    ("reaction", "redaction"),
    ("redis", "redi"),
    ("status", "statu"),
    ("process", "proces"),
    ("css", "cs"),
    ("aws", "aw"),
    ("rate-limits", "rate-limiters"),
    ("cache-keys", "cache"),
    ("the-cache", "cache"),
    ("import-from-csv", "import-to-csv"),
    ("deploy-without-docker", "docker-deploy"),
    ("the-who", "who-of"),
    ("日本", "日木"),
    ("v1", "v2"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_nearly_the_same(one: str, other: str) -> None:
    assert related((one, other)) == related((other, one)) == [tuple(sorted((one, other)))]


@pytest.mark.parametrize(("one", "other"), APART)
def test_something_else(one: str, other: str) -> None:
    assert len(related((one, other))) == 2


def test_groups_hold_every_topic_once() -> None:
    found = related(["rate-limit", "cache", "rate-limits", "limits-rate", "caches", "http-2"])
    assert found == [("cache", "caches"), ("http-2",), ("limits-rate", "rate-limit", "rate-limits")]


_WORDS = st.text("abcdeis", min_size=1, max_size=12)
_TOPICS = st.lists(st.lists(_WORDS, min_size=1, max_size=20).map("-".join), max_size=12)


@given(_TOPICS)
def test_the_order_of_topics_does_not_matter(topics: list[str]) -> None:
    groups = related(topics)
    assert related(reversed(topics)) == groups
    assert sorted(topic for group in groups for topic in group) == sorted(set(topics))
