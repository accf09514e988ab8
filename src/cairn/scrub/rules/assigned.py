"""Secrets that show only by what stands before them: a name, a header, the user in an address."""

import re
from collections.abc import Iterable

from cairn.scrub import checks
from cairn.scrub.rule import Rule

_VALUE = r"(?P<quote>[\"'`]?)(?P<secret>[^\s\"'`,;<>(){}\[\]|]{8,200})"
_GIVEN = r"[A-Za-z0-9_.-]{0,24}[\"'`\])]{0,2}[ \t]{0,8}(?:=>|:=|==|=|:)[ \t]{0,8}"
SECRETIVE = r"secret(?!ar|ion)|token(?!i[sz])|credential"
"""Names of secrets; `tokenization_method` and `secretary` name none."""
_KEYS_TO = ("api", "access", "private", "signing", "encryption", "account", "master", "auth", "service", "shared")


def _after(words: Iterable[str]) -> str:
    """Looks back for one of these, with or without a joint: `key` alone is in every second line of any text."""
    return "|".join(rf"(?<={word})|(?<={word}[_ -])" for word in words)


ASSIGNED: tuple[Rule, ...] = (
    Rule(
        "url-password",
        r"://(?P<secret>(?P<user>[^\s:/@\"'`<>]{0,64}):(?P<password>[^\s/@\"'`<>]{1,128}))@(?P<host>[^\s/\"'`<>?#)]{1,253})",
        literals=("://",),
        reach=600,
        check=checks.in_url,
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
    Rule(
        "password",
        rf"(?:passw(?:or)?d|passphrase|pwd){_GIVEN}{_VALUE}",
        literals=("passw", "passphrase", "pwd"),
        flags=re.IGNORECASE,
        check=checks.assigned,
    ),
    Rule(
        "secret",
        rf"(?:{SECRETIVE}){_GIVEN}{_VALUE}",
        literals=("secret", "token", "credential"),
        flags=re.IGNORECASE,
        check=checks.assigned,
    ),
    Rule(
        "secret",
        rf"(?:{_after(_KEYS_TO)})key{_GIVEN}{_VALUE}",
        literals=("key",),
        flags=re.IGNORECASE,
        check=checks.assigned,
    ),
)
