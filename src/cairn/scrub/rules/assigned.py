"""Secrets that show only by what stands before them: a name, a header, a wording, the user in an address."""

import re

from cairn.scrub import checks
from cairn.scrub.rule import Check, Rule
from cairn.scrub.names import IS, IS_UNSPACED, KEY, PASSWORD, SECRET, literals_of, pattern_of

_QUOTED = r"(?P<quote>[\"'`“„«「])(?P<secret>[^\"'`\n“”«»「」]{1,200})[\"'`”“»」]"
_PLAIN = r"(?P<plain>(?:[^\s\"'`,;<>(){}\[\]|&“”«»「」]|&(?![\w.]{1,30}=)){2,200})"
_SUFFIX = r"(?P<suffix>[A-Za-z0-9_.-]{0,24})"
_SIGN = r"(?:=>|:=|===?|!==?|=|:|：|->|→|[\"'][ \t]{1,3}value[ \t]?=)"
_GIVEN = rf"{_SUFFIX}[\"'`\])*_]{{0,4}}(?:[ \t]{{0,8}}(?P<sign>{_SIGN})[ \t]{{0,8}}(?:\*\*[ \t]?)?|>)"
_WORDS_BETWEEN = r"(?:[ \t]\(?[^\s\"'`=:;,]{1,24}){0,7}?"


def _named(name: str, words: list[str], check: Check) -> Rule:
    """`password = …`, `"clientSecret": "…"`, `<password>…</password>`."""
    value = rf"(?:{_QUOTED}|{_PLAIN})"
    return Rule(
        name,
        rf"(?:{pattern_of(words)}){_GIVEN}{value}",
        literals=literals_of(words),
        flags=re.IGNORECASE,
        check=check,
    )


def _said(name: str, words: list[str], check: Check) -> Rule:
    """`the password for staging is …`, `mot de passe : …`, `密码是…`."""
    link = rf"(?:{_WORDS_BETWEEN}[ \t]{{1,2}}(?:{IS})[ \t]{{0,2}}[:=]?[ \t\n]{{1,2}}|{IS_UNSPACED}|[ \t]{{1,2}})"
    return Rule(
        name,
        rf"(?:{pattern_of(words)})[\"'`*_]{{0,2}}{link}(?:{_QUOTED}|{_PLAIN})",
        literals=literals_of(words),
        flags=re.IGNORECASE,
        check=check,
    )


ASSIGNED: tuple[Rule, ...] = (
    Rule(
        "url-password",
        r"://(?P<secret>(?P<user>[^\s:/@\"'`<>]{0,64}):(?P<password>[^\s/\"'`<>]{1,128}))@(?P<host>[^\s/\"'`<>?#)@]{1,253})",
        literals=("://",),
        reach=600,
        check=checks.in_url,
    ),
    Rule(
        "url-password",
        r"://(?P<secret>[A-Za-z0-9_-]{20,100})@(?P<host>[^\s/\"'`<>?#)@]{1,253})",
        literals=("://",),
        reach=600,
        check=checks.varied_token,
    ),
    Rule(
        "authorization",
        r"bearer[ \t]{1,4}(?P<secret>[A-Za-z0-9._~+/-]{16,2000}={0,2})",
        literals=("bearer ",),
        reach=2100,
        flags=re.IGNORECASE,
        check=checks.bearer,
    ),
    Rule(
        "authorization",
        r"basic[ \t]{1,4}(?P<secret>[A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])",
        literals=("basic ",),
        reach=500,
        flags=re.IGNORECASE,
        check=checks.basic_header,
    ),
    _named("password", PASSWORD, checks.named_password),
    _named("secret", [*SECRET, *KEY], checks.named_secret),
    _said("password", [word for word in PASSWORD if word != "pass"], checks.said_password),
    _said("secret", [*SECRET, *KEY], checks.said_secret),
)
