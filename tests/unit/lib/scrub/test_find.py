"""Everything that must not leave is found, and ordinary text is left alone."""

import string
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.scrub.find import find, redact
from cairn.lib.scrub.rule import ScrubRule
from cairn.lib.scrub.rules import GENERIC
from cairn.lib.yaml.parse import load_yaml
from drawn_secrets import ALNUM, HEX, PEOPLE, TOKENS, chars, national_phone, private_key

SETTINGS = ("{}", "export KEY={}\n", 'key: "{}",', "see `{}` for it.", "a\n{}\nb", "({})", "<{}>", "é — {} …")
EACH = 200


@pytest.mark.parametrize("rule", sorted({**TOKENS, **PEOPLE}))
def test_what_has_a_form_is_found(rule: str) -> None:
    draw = Random(rule)
    make = {**TOKENS, **PEOPLE}[rule]
    missed = 0
    for _ in range(EACH):
        secret = make(draw)
        text = draw.choice(SETTINGS).format(secret)
        missed += secret in redact(text).text or not any(hit.rule == rule for hit in find(text))
    assert missed <= EACH // 100


def test_a_number_is_a_phone_where_the_words_say_so() -> None:
    draw = Random(7)
    for lead in ("Tel: ", "phone ", "Mobile: ", "call me at ", "Fax. ", "Tél. ", "my phone number is ", "Telefon "):
        for _ in range(20):
            number = national_phone(draw)
            assert number not in redact(f"You may {lead}{number} today.").text, (lead, number)
    assert not find(f"It took {national_phone(draw)} steps.")


@pytest.mark.parametrize(
    "line",
    [
        'password = "{}"',
        "DB_PASSWORD={}",
        "api_key: {}",
        '"clientSecret": "{}"',
        "aws_secret_access_key = {}",
        "token => '{}'",
        "X-Api-Key: {}",
        "Authorization: Bearer {}",
        "postgresql://app:{}@db.bakery.net:5432/orders",
        "privateKey := `{}`",
    ],
)
def test_a_secret_is_found_by_its_name(line: str) -> None:
    draw = Random(line)
    for size in (16, 24, 40):
        secret = chars(draw, string.ascii_letters + string.digits, size)
        redacted = redact(line.format(secret))
        assert secret not in redacted.text
        assert sum(redacted.counts.values()) == 1


CASES = load_yaml((Path(__file__).parent / "cases.yml").read_text("utf-8"))


@pytest.mark.parametrize("line", CASES["nothing"])
def test_ordinary_text_is_left_alone(line: str) -> None:
    assert [(hit.rule, hit.category) for hit in find(line)] == []


@pytest.mark.parametrize("case", CASES["something"], ids=lambda case: case["text"])
def test_what_is_found_and_what_stands_there_instead(case: dict[str, str]) -> None:
    hits = find(case["text"])
    assert [f"{hit.rule} {hit.category}" for hit in hits] == [case["hit"]]
    assert redact(case["text"]).text == case["becomes"]


def test_a_key_in_json_and_one_that_is_cut_off_are_found() -> None:
    key = private_key(Random(3))
    assert redact(key.replace("\n", "\\n")).text == "[REDACTED:private-key]"
    assert redact(key[: key.index("-----END")]).text.startswith("[REDACTED:private-key]")


def test_a_hit_says_where_and_what_but_never_what_it_was() -> None:
    secret = TOKENS["github-token"](Random(1))
    (hit,) = find(f"first {secret}")
    assert (hit.start, hit.end) == (6, 6 + len(secret))
    assert secret not in repr(hit)


def test_offsets_are_code_points() -> None:
    secret = TOKENS["npm-token"](Random(1))
    text = f"日本語 🙂 İ {secret}"
    (hit,) = find(text)
    assert text[hit.start : hit.end] == secret


def test_a_locale_brings_its_own_rules() -> None:
    rule = ScrubRule("badge", r"B-\d{4}", literals=("b-",))
    assert redact("badge B-1234, pypi", (*GENERIC, rule)) == ("badge [REDACTED:badge], pypi", {"badge": 1})


SNIPPETS = st.sampled_from(
    [
        "@",
        "a@b.org",
        " ",
        "\n",
        "+49",
        "4",
        "4012",
        "://",
        ":x9",
        "key=",
        "sk-",
        "eyJ",
        "-----BEGIN",
        "/home/",
        "~",
        ".",
    ]
)


@given(st.lists(st.one_of(SNIPPETS, st.text(max_size=12)), max_size=30).map("".join), st.integers(0, 2**32))
def test_after_it_nothing_is_left_and_the_rest_is_untouched(text: str, seed: int) -> None:
    draw = Random(seed)
    mixed = text + draw.choice(list({**TOKENS, **PEOPLE}.values()))(draw) + text
    hits = find(mixed)
    assert all(one.end <= other.start for one, other in pairwise(hits))
    assert all(0 <= hit.start < hit.end <= len(mixed) for hit in hits)
    redacted = redact(mixed)
    assert find(redacted.text) == ()
    assert bool(redacted.counts) == bool(hits)
    if not hits:
        assert redacted.text == mixed


@pytest.mark.parametrize(
    "piece",
    [
        "sk-",
        "-----BEGIN PRIVATE KEY-----",
        "a@",
        "@a.",
        "+1",
        "4 ",
        "0000",
        "AA00",
        "key=",
        "://a:",
        "password is ",
        " -p a1",
        " docker -p a1b2",
        "[1,",
        "9AAA0000001A0000000",
        "license {",
        "token? a1 ",
        "123456 ",
        "1.",
        "pin 1",
        "password,",
        "a,password,b\n",
        "tel 0123 ",
        "eyJ",
        "x",
    ],
)
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    """Quadratic work on half a million characters would not come to an end."""
    redact(piece * (500_000 // len(piece)))


CHATS = {
    "telegram-token": lambda draw: (
        f"https://api.telegram.org/bot{draw.randrange(10**8, 10**9)}:AA{chars(draw, ALNUM, 33)}/getMe"
    ),
    "discord-token": lambda draw: f"MT{chars(draw, ALNUM, 24)}.{chars(draw, ALNUM, 6)}.{chars(draw, ALNUM, 38)}",
    "matrix-token": lambda draw: f"syt_{chars(draw, ALNUM, 8)}_{chars(draw, ALNUM, 20)}_{chars(draw, ALNUM, 6)}",
    "webhook": lambda draw: draw.choice(
        [
            f"https://corp.webhook.office.com/webhookb2/{chars(draw, HEX, 32)}@{chars(draw, HEX, 32)}/x",
            f"https://chat.googleapis.com/v1/spaces/AAAA{chars(draw, ALNUM, 7)}/messages?key={chars(draw, ALNUM, 39)}",
            f"https://open.feishu.cn/open-apis/bot/v2/hook/{chars(draw, HEX, 32)}",
            f"https://chat.bakery.net/hooks/{chars(draw, ALNUM, 26)}",
        ]
    ),
}


@pytest.mark.parametrize("rule", CHATS)
def test_tokens_of_chats_and_bots_are_found(rule: str) -> None:
    draw = Random(rule)
    for _ in range(40):
        text = f"it posts to {CHATS[rule](draw)} every day"
        assert any(hit.category == "direct" for hit in find(text)), text
