"""What a value of the frontmatter must look like: one rule a shape, with the sentence for whoever got it wrong.

A rule has two sides. `check` is strict and names everything that is wrong; `take` is tolerant and makes the best of
any value. What passes the one comes through the other as it was meant.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from cairn.lib.text import nearest as names

Step = str | int
"""One step into a value: a key or a position."""


class Wrong(NamedTuple):
    said: str
    """The rest of the sentence that starts with the field's name."""
    fix: str = ""
    at: tuple[Step, ...] = ()
    """Where below the field."""
    rule: str = "entry-invalid"


class Rule(NamedTuple):
    check: Callable[[Any], Iterable[Wrong]]
    take: Callable[[Any], Any]


FINE: tuple[Wrong, ...] = ()


def quoted(value: object) -> str:
    """A value as it may be shown in a sentence: on one line and short."""
    from json import dumps

    text = value if isinstance(value, str) else dumps(value, ensure_ascii=False, default=str)
    text = " ".join(text.split())
    return f"`{text[:57]}…`" if len(text) > 60 else f"`{text}`"


def nearest(word: object, known: Sequence[str]) -> str:
    """The known word that was probably meant, or nothing."""
    if not isinstance(word, str):
        return ""
    spelled = word.lower().replace("_", "-").replace(" ", "-")
    same = [name for name in known if name.replace("_", "-") == spelled]
    return same[0] if same else names.nearest(word[:80], known) or ""


# --- text -----------------------------------------------------------------------------------------------------------


def text(longest: int | None = None, *, empty: bool = False) -> Rule:
    """A string that says something; with `empty`, null and nothing will do too."""

    def check(value: Any) -> Iterable[Wrong]:
        if value is None and empty:
            return FINE
        if not isinstance(value, str):
            return (_no_text(value),)
        if not value.strip():
            return FINE if empty else (Wrong("is empty; write it out.", "write it out"),)
        if longest is not None and len(value) > longest:
            return (Wrong(f"has {len(value)} characters; at most {longest} fit.", f"shorten to {longest} characters"),)
        return FINE

    return Rule(check, take_text)


def take_text(value: Any) -> str | None:
    return (value.strip() or None) if isinstance(value, str) else None


def _no_text(value: Any) -> Wrong:
    if value is None:
        return Wrong("is empty; write it out.", "write it out")
    if isinstance(value, bool | int | float):
        return Wrong(f"must be text, and {quoted(value)} is not; put it in quotes.", f"'{quoted(value)[1:-1]}'")
    return Wrong(f"must be text, not {_kind(value)}.", "write text")


def _kind(value: Any) -> str:
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, dict) else "something else"


def pattern(regex: str, must: str) -> Rule:
    """A string of one form; `must` says which."""
    plain = text()
    matches = re.compile(regex).fullmatch

    def check(value: Any) -> Iterable[Wrong]:
        if isinstance(value, str) and matches(value):
            return FINE
        return tuple(plain.check(value)) or (Wrong(f"must {must}; {quoted(value)} does not.", _as_slug(value)),)

    return Rule(check, take_text)


def _as_slug(value: str) -> str:
    """What somebody probably meant by a name that is none."""
    return re.sub(r"[^a-z0-9]+", "-", value.lower()).lstrip("-0123456789").rstrip("-")


def choice(known: Sequence[str], make: Callable[[str], Any] = str, default: Any = None, *, empty: bool = False) -> Rule:
    listed = ", ".join(f"`{word}`" for word in known)
    words = frozenset(known)

    def check(value: Any) -> Iterable[Wrong]:
        if (isinstance(value, str) and value in words) or (value is None and empty):
            return FINE
        if value is None:
            return (Wrong(f"is empty; write one of {listed}.", known[0]),)
        meant = nearest(value, known)
        hint = f"; did you mean `{meant}`?" if meant else "."
        return (Wrong(f"must be one of {listed}, not {quoted(value)}{hint}", meant),)

    def take(value: Any) -> Any:
        return make(value) if isinstance(value, str) and value in words else default

    return Rule(check, take)


# --- other shapes ---------------------------------------------------------------------------------------------------


def texts() -> Rule:
    """A list of strings that say something."""
    one = text()

    def check(value: Any) -> Iterator[Wrong]:
        if isinstance(value, list):
            for place, item in enumerate(value):
                for wrong in one.check(item):
                    yield wrong._replace(at=(place,))
        elif isinstance(value, str) and value.strip():
            yield Wrong(f"must be a list; write `[{quoted(value)[1:-1]}]`.", f"[{value}]")
        else:
            yield Wrong("must be a list of texts; write `[]` for none.", "[]")

    return Rule(check, take_texts)


def take_texts(value: Any) -> tuple[str, ...]:
    """Each once, in order; a single text is a list of one."""
    items = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(dict.fromkeys(stripped for item in items if isinstance(item, str) and (stripped := item.strip())))


def check_date(value: Any) -> Iterable[Wrong]:
    if value is None or (isinstance(value, str) and parse_date(value)):
        return FINE
    if isinstance(value, str) and _DATE_FORM(value):
        return (Wrong(f"must be a day that exists; {quoted(value)} does not.", "a date like 2026-01-31"),)
    said = f"must be a date written as year-month-day, like `2026-01-31`, not {quoted(value)}."
    return (Wrong(said, "a date like 2026-01-31"),)


_DATE_FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch


def parse_date(value: str | None) -> date | None:
    """A date that is written in the one way and exists."""
    if value is None or not _DATE_FORM(value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


DATE = Rule(check_date, take_text)
"""The tolerant side keeps what it cannot read: an unreadable date is older than any, not missing."""


def exactly(*expected: int) -> Rule:
    def check(value: Any) -> Iterable[Wrong]:
        if type(value) is int and value in expected:
            return FINE
        said = " or ".join(map(str, expected))
        return (Wrong(f"must be {said}, not {quoted(value)}.", str(expected[0])),)

    return Rule(check, lambda value: value)


def digest() -> Rule:
    matches = re.compile(r"sha256:[0-9a-f]{64}").fullmatch

    def check(value: Any) -> Iterable[Wrong]:
        if value is None or (isinstance(value, str) and matches(value)):
            return FINE
        lowered = value.strip().lower() if isinstance(value, str) else ""
        fix = lowered if matches(lowered) else f"sha256:{lowered}" if matches(f"sha256:{lowered}") else "remove it"
        said = (
            f"must be `sha256:` and 64 hexadecimal digits in lower case, not {quoted(value)}; take it out or mend it."
        )
        return (Wrong(said, fix),)

    return Rule(check, lambda value: value if isinstance(value, str) and matches(value) else None)


def count() -> Rule:
    def check(value: Any) -> Iterable[Wrong]:
        if value is None or (type(value) is int and value > 0):
            return FINE
        return (Wrong(f"must be a whole number from 1 on, not {quoted(value)}.", "1"),)

    return Rule(check, lambda value: value if type(value) is int and value > 0 else None)
