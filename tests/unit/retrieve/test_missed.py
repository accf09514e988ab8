"""Questions that become topics, and those that never do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.knowledge.topics import is_topic
from cairn.retrieve.missed import missed_topic

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
