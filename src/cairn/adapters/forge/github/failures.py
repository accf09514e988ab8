"""What GitHub refused, as one sentence that says what to do."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from cairn.adapters.http.json_client import JsonAnswer
from cairn.errors import CairnError, Conflict, EnvironmentProblem, NotFound, Refused

MOST = 200


def failure(answer: JsonAnswer, doing: str) -> CairnError:
    """`doing` completes “GitHub would not …”."""
    status = answer.status
    if status == 401:
        return EnvironmentProblem(
            f"GitHub does not accept the token (it may have expired), so it would not {doing}; set GITHUB_TOKEN to a "
            "valid one and run this again.",
            status=status,
        )
    if answer.limited:
        return EnvironmentProblem(f"GitHub would not {doing}: {_limit(answer)}", status=status)
    if status == 403:
        return EnvironmentProblem(f"The token may not {doing}{_needs(answer)}; {_said(answer)}.", status=status)
    if status in (404, 410):
        return NotFound(
            f"GitHub would not {doing}: there is no such thing, or the token may not see it.", status=status
        )
    if status in (405, 409):
        return Conflict(f"GitHub would not {doing}: {_said(answer)}; look at it there and try again.", status=status)
    if status in (400, 406, 413, 422):
        return Refused(f"GitHub would not {doing}: {_said(answer)}.", status=status)
    if 300 <= status < 400:
        return EnvironmentProblem(
            "The repository was moved or renamed at GitHub; set GITHUB_REPOSITORY to its name now.", status=status
        )
    return EnvironmentProblem(
        f"GitHub has a problem of its own (HTTP {status}) and would not {doing}; try again later.", status=status
    )


def says(answer: JsonAnswer, *words: str) -> bool:
    """Whether one of these words stands in what GitHub answered."""
    text = _said(answer).lower()
    return any(word in text for word in words)


def _limit(answer: JsonAnswer) -> str:
    reset = answer.headers.get("x-ratelimit-reset", "")
    if answer.headers.get("x-ratelimit-remaining") == "0" and reset.isascii() and reset.isdigit():
        when = datetime.fromtimestamp(int(reset[:11]), UTC)
        return f"its rate limit is used up until {when:%H:%M} UTC; run this again then."
    return "too much was asked of it in a short time; run this again in a few minutes."


def _needs(answer: JsonAnswer) -> str:
    wanted = answer.headers.get("x-accepted-github-permissions") or answer.headers.get("x-accepted-oauth-scopes")
    return f" (it needs {_flat(wanted)})" if wanted and wanted.strip() else ""


def _said(answer: JsonAnswer) -> str:
    """Message and field errors, on one line."""
    value = answer.value if isinstance(answer.value, dict) else {}
    parts = [_flat(value.get("message")), *_errors(value.get("errors"))]
    return _flat("; ".join(part.rstrip(".") for part in parts if part)) or f"HTTP {answer.status}"


def _errors(found: Any) -> Iterator[str]:
    for error in found if isinstance(found, list) else ():
        if isinstance(error, str):
            yield _flat(error)
        elif isinstance(error, dict):
            where = " ".join(_flat(error[key]) for key in ("field", "code") if error.get(key))
            yield _flat(error.get("message")) or where


def _flat(text: object) -> str:
    if not isinstance(text, str):
        return ""
    plain = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return plain if len(plain) <= MOST else plain[: MOST - 1] + "…"
