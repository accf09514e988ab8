"""Counting tokens, with both adapters."""

import pytest

from cairn.adapters.tokens.bpe import bpe_tokens
from cairn.lib.text.estimate_tokens import EstimatedTokens

ALL = [bpe_tokens("cl100k_base"), bpe_tokens("o200k_base"), EstimatedTokens()]


@pytest.mark.parametrize("tokenizer", ALL, ids=lambda tokenizer: tokenizer.name)
def test_any_text_has_a_count(tokenizer):
    assert tokenizer.count("") == 0
    assert tokenizer.count("a") == 1
    for text in ("<|endoftext|>", "日本語のテキスト", "a\x00b", "🌱" * 50, " " * 10_000):
        assert 0 < tokenizer.count(text) <= len(text.encode())


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("cl100k_base", "hello world", 2),
        ("cl100k_base", "tiktoken is great!", 6),
        ("o200k_base", "hello world", 2),
    ],
)
def test_known_counts(name, text, count):
    counted = bpe_tokens(name)
    assert counted is not None
    assert (counted.name, counted.exact, counted.count(text)) == (name, True, count)


def test_an_unknown_encoding_is_none():
    assert bpe_tokens("p50k_imaginary") is None


def test_the_estimate_rounds_up():
    assert [EstimatedTokens().count("x" * n) for n in (1, 4, 5, 8)] == [1, 1, 2, 2]
    assert not EstimatedTokens().exact


@pytest.mark.parametrize("text", [
    "Amounts are whole cents, because floats lost money in March.",
    "我们把金额保存为整数分，因为浮点数丢失了钱。",
    "Мы храним суммы в целых копейках, потому что числа с запятой потеряли деньги.",
    "हम राशि को पूर्ण सेंट में रखते हैं क्योंकि फ्लोट ने पैसे खो दिए",
    "금액은 정수 센트로 저장합니다.", "نحتفظ بالمبالغ كسنتات كاملة", "Beträge sind ganze Cent.",
])  # fmt: skip
def test_an_estimate_is_hardly_ever_too_low(text: str) -> None:
    exact = bpe_tokens("cl100k_base")
    assert exact is not None
    assert EstimatedTokens().count(text) >= 0.9 * exact.count(text)
