import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cairn.knowledge.topics import ascii_topic, is_topic, normalize_topic, topic_forms

# text, topic, the older spelling
TOPICS = [
    ("Caching", "caching", "caching"),
    ("  HTTP / caching!  ", "http-caching", "http-caching"),
    ("Don't repeat yourself", "dont-repeat-yourself", "dont-repeat-yourself"),
    ("Don’t", "dont", "dont"),
    ("snake_case", "snake-case", "snake-case"),
    ("a--b---c", "a-b-c", "a-b-c"),
    ("C++", "c", "c"),
    ("3D rendering", "3d-rendering", "3d-rendering"),
    ("naïve Bayes", "naïve-bayes", "na-ve-bayes"),
    ("nai\u0308ve", "naïve", "nai-ve"),
    ("キャッシュ", "キャッシュ", ""),
    ("ｷｬｯｼｭ", "キャッシュ", ""),
    ("缓存 策略", "缓存-策略", ""),
    ("Кэш и БД", "кэш-и-бд", ""),
    ("कैशिंग", "कैशिंग", ""),
    ("می‌خواهم", "میخواهم", ""),
    ("🚀 launch", "launch", "launch"),
    ("—", "", ""),
    ("", "", ""),
]


@pytest.mark.parametrize(("text", "topic", "older"), TOPICS)
def test_topics_keep_letters_of_every_script(text: str, topic: str, older: str) -> None:
    assert normalize_topic(text) == topic
    assert ascii_topic(text) == older
    assert topic_forms(text) == tuple(dict.fromkeys(form for form in (topic, older) if form))


@given(st.text())
@example("İ")
@example("ℂ")
@example("ᾭ\u0345")
def test_normal_is_normal_already(text: str) -> None:
    topic = normalize_topic(text)
    assert normalize_topic(topic) == topic
    assert not topic.startswith("-")
    assert not topic.endswith("-")
    assert "--" not in topic


def contract(text: str) -> str:
    """The older function, step by step."""
    text = re.sub("['\u2018\u2019]", "", text.lower())
    return re.sub("-+", "-", re.sub("[^a-z0-9-]+", "-", text)).strip("-")


@given(st.text(alphabet=st.characters(exclude_characters="\u200c\u200d")))
def test_the_older_spelling_is_the_older_one(text: str) -> None:
    assert ascii_topic(text) == contract(text)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_ascii_has_one_spelling_only(text: str) -> None:
    assert normalize_topic(text) == contract(text)


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        ("http-caching", True),
        ("缓存", True),
        ("HTTP", False),
        ("a b", False),
        ("", False),
        ("x" * 80, True),
        ("x" * 81, False),
    ],
)
def test_which_texts_are_topics(text: str, fine: bool) -> None:
    assert is_topic(text) is fine
