"""What leads to a person: addresses, numbers, accounts, and the name in a path."""

import re
from string import ascii_letters

from cairn.lib.scrub import checks, phones
from cairn.lib.scrub.iban import LENGTH_OF
from cairn.lib.scrub.rule import ScrubRule
from cairn.lib.scrub.rules.tokens import ALNUM


def _iban_pattern() -> str:
    """Each country at its own length, so that words in capitals behind a number don't become part of it."""
    by_length: dict[int, list[str]] = {}
    for country, length in LENGTH_OF.items():
        by_length.setdefault(length, []).append(country)
    gap = "[ .\xa0-]{0,2}"
    forms = (
        rf"(?:{'|'.join(names)}){gap}\d{gap}\d(?:{gap}[A-Z0-9]){{{size - 4}}}" for size, names in by_length.items()
    )
    return rf"(?<![A-Za-z0-9])(?:{'|'.join(forms)})(?![A-Za-z0-9])"


PEOPLE: tuple[ScrubRule, ...] = (
    ScrubRule(
        "email",
        r"[.'-]{0,3}(?P<secret>(?P<name>[A-Za-z0-9_%+](?:[A-Za-z0-9._%+'-]{0,63}))"
        r"@(?P<host>(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,24}))(?![A-Za-z0-9_-])",
        literals=("@",),
        before=64,
        back=ALNUM + "._%+'-",
        reach=260,
        check=checks.email,
    ),
    ScrubRule(
        "iban",
        _iban_pattern(),
        shapes=("AA00", "AA 00", "aa00", "AA0 0", "aa 00", "aa0 0", "AA-00"),
        flags=re.IGNORECASE,
        check=checks.iban,
    ),
    ScrubRule(
        "card",
        r"(?<![A-Za-z0-9_.+$-])(?<!\d{4}[ \xa0-])\d(?:[ \xa0-]?\d){12,18}(?![A-Za-z0-9_]|[.-]\d|,(?!\d\d/\d\d)\d|[ ]\d{4})",
        shapes=("0000",),
        check=checks.card,
    ),
    ScrubRule(
        "phone",
        r"(?<![A-Za-z0-9_+])\+[ (]{0,2}\d(?:[ .()/\xa0-]{0,3}\d){6,14}(?![A-Za-z0-9_])",
        shapes=("+0", "+ 0", "+(0"),
        check=phones.international_phone,
    ),
    ScrubRule(
        "phone",
        r"(?<![A-Za-z0-9_+.,])(?<!\d[-/ ])\(?00\)?[ .()/\xa0-]{0,2}[1-9]\d?(?:[ .()/\xa0-]{0,3}\d){7,13}(?![A-Za-z0-9_]|[.,:-]\d)",
        digits=10,
        near=("*",),
        check=phones.foreign_phone,
    ),
    ScrubRule(
        "phone",
        r"(?<![A-Za-z0-9_+.,])(?<!\d[-/])(?P<secret>\(?\d(?:[ .()/\xa0-]{0,3}\d){6,12})(?![A-Za-z0-9_]|[.,:-]\d|[ ]?%)",
        digits=6,
        near=(*phones.STRONG, *phones.WEAK, ":"),
        check=phones.national_phone,
    ),
    ScrubRule(
        "home",
        r"(?:(?<![A-Za-z0-9_.~/-])|(?<=file://))(?:/home/|/Users/|/var/home/|[A-Za-z]:(?:\\\\?|/)Users(?:\\\\?|/))"
        r"(?P<who>[^\W_](?:[\w.-]{0,62}[\w-])?)(?![\w-])(?:(?:(?:\\? |%20)[A-Z][\w.'’-]{0,40}){1,3}(?=[/\\\"'`]))?",
        "indirect",
        literals=("/home/", "/users/", "/var/home/", ":\\users\\", ":\\\\users\\\\", ":/users/"),
        before=1,
        back=ascii_letters,
        check=checks.home,
        replacement="~",
    ),
)  # fmt: skip
