import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.text.quotes import find_quote, is_quoted, places_of

SAID = (
    "No — we **never** retry a `POST` here, because the ledger isn’t idempotent.\n"
    "Use “pnpm” for packages.\n\n"
    "> Releases happen on Tuesdays\n> after the nightly run.\n\n"
    "1. Run the `make_check` target.\n"
    "2. Ask Ana… then deploy\n"
    "| Setting | Value |\n| --- | --- |\n| `max_retries` | 5 |\n\n"
    "Die Straße: Größe höchstens 40 MB.\n"
    "对外接口一律用 gRPC。 リトライは３回まで。Не трогай прод по пятницам.\n"
    "# Editions\nv2.0\nok\n"
)


@pytest.mark.parametrize(
    "quote",
    [
        "we never retry a POST here",
        "We never retry a POST here, because the ledger isn't idempotent",
        "we **never** retry a `POST` here, because the ledger isn't idempotent.",
        "never retry a\n  `POST`   here",
        "No - we never retry a POST here",
        "“No, we never retry”".replace(",", " —"),
        "because the ledger isnt idempotent",
        'Use "pnpm" for packages',
        "«Use pnpm for packages»",
        "Releases happen on Tuesdays after the nightly run",
        "> Releases happen on Tuesdays after the nightly run.",
        "Run the make_check target. 2. Ask Ana... then deploy",
        "Run the make_check target",
        "- Run the `make_check` target.",
        "we never retry … the ledger isn't idempotent",
        "we never retry [...] isn't idempotent",
        "we never retry (…) isn't idempotent.",
        "… because the ledger isn't idempotent",
        "we never … because the ledger",
        "Ask Ana… then deploy",
        "max_retries | 5",
        "| `max_retries` | 5 |",
        "die strasse: grösse höchstens 40 mb",
        "Gro\u0308ße höchstens 40 MB",
        "对外接口一律用gRPC",
        "一律用",
        "リトライは3回まで",
        "не трогай прод",
        "Editions",
        "v2.0",
        "OK",
        "pnpm\u200b for packages",
    ],
)
def test_words_that_were_said(quote: str) -> None:
    assert is_quoted(quote, SAID)


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "…",
        "...",
        "[...]",
        "**",
        "5",
        "2.0",
        "v2",
        "0",
        "POST",
        "pnpm",
        "we always retry a POST here",
        "we retry a POST here",
        "the ledger isn't idempotent, because we never retry",
        "isn't idempotent … we never retry",
        "Run … deploy on Fridays",
        "No … r … a … t",
        "we never … after the nightly … 40 MB",
        "Die Größe höchstens 50 MB",
        "对外接口一律用 REST",
        "接口",
        "Ask Ana 3. then deploy",
        "max_retries | 50",
    ],
)
def test_words_that_were_not(quote: str) -> None:
    assert not is_quoted(quote, SAID)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("We support\n3. That is all", "We support 3. That is all"),
        ("We support 3. That is all", "We support\n3. That is all"),
        ("retry up to 5 times", "Please retry up to 5\ntimes"),
        ("first things first\n* second things", "- first things first\n- second things"),
        ("한국어로 답해", "한국어로 답해 주세요"),
        ("한국어", "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165"),
        ("the value is ~5 s and", "The value is ~5 s and rising"),
    ],
)
def test_lines_that_were_wrapped_otherwise(quote: str, text: str) -> None:
    assert is_quoted(quote, text)


def test_a_number_at_the_start_of_a_line_of_prose_still_counts() -> None:
    assert not is_quoted("we retry up to 5. Then we stop", "we retry up to 3. Then we stop")


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("never RETRY a post", "never** retry a `POST"),
        ("Releases happen on Tuesdays after the nightly run.", "Releases happen on Tuesdays\n> after the nightly run"),
        ("we never retry … idempotent", "we **never** retry a `POST` here, because the ledger isn’t idempotent"),
        ("strasse: grösse", "Straße: Größe"),
    ],
)
def test_where_a_quote_stands(quote: str, found: str) -> None:
    span = find_quote(quote, SAID)
    assert span is not None and SAID[span.start : span.end] == found


def test_all_places_of_some_words() -> None:
    text = "Use `five` workers. Five workers are\nplenty; five  workers!"
    assert [text[one.start : one.end] for one in places_of("five workers", text)] == [
        "five` workers",
        "Five workers",
        "five  workers",
    ]
    assert places_of("five … workers", text) == [] and places_of(" ", text) == []


@given(st.text(max_size=80), st.text(min_size=9, max_size=30), st.text(max_size=80))
def test_a_copy_is_found_where_it_was_taken(before: str, words: str, after: str) -> None:
    if len("".join(char for char in words if char.isalnum())) >= 8:
        assert is_quoted(words, f"{before} {words} {after}")


@given(st.text(max_size=60), st.text(max_size=200))
def test_every_text_is_compared(quote: str, text: str) -> None:
    span = find_quote(quote, text)
    assert span is None or 0 <= span.start < span.end <= len(text)


@pytest.mark.parametrize(
    ("quote", "expected"),
    [("v2.0", True), (" v2.0 ", True), ("2.0", False), ("v2", False), ("is ok", False), ("ok", True), ("b", False)],
)
def test_few_letters_have_to_stand_alone(quote: str, expected: bool) -> None:
    assert is_quoted(quote, "# Editions\nv2.0\nv2.0 is ok\n…\nIt is not. OK. a b\n") is expected
