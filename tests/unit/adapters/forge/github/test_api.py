"""Each refusal of GitHub's is one sentence with what to do, and the right exit code."""

from typing import Any

import pytest

from cairn.adapters.forge.github.api import failure
from cairn.adapters.http.json_client import JsonAnswer

LIMIT = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767225900"}
FIELDS = {"message": "Validation Failed", "errors": [{"field": "head", "code": "invalid"}, {"message": "No commits."}]}
CASES: list[tuple[int, Any, dict[str, str], str, str]] = [
    (401, {"message": "Bad credentials"}, {}, "environment", "set GITHUB_TOKEN"),
    (403, {"message": "API rate limit exceeded"}, LIMIT, "environment", "until 00:05 UTC"),
    (429, None, {}, "environment", "in a few minutes"),
    (403, {"message": "No."}, {"x-accepted-github-permissions": "contents=write"}, "environment", "contents=write"),
    (404, {"message": "Not Found"}, {}, "not-found", "may not see it"),
    (409, {"message": "Head moved."}, {}, "conflict", "Head moved; look at it there"),
    (422, FIELDS, {}, "refused", "Validation Failed; head invalid; No commits"),
    (422, {"message": "x" * 9_000}, {}, "refused", "xxx…"),
    (422, {"message": "a\n\x1b[31mb"}, {}, "refused", "a \\[31mb"),
    (301, {"message": "Moved Permanently"}, {}, "environment", "GITHUB_REPOSITORY"),
    (502, None, {}, "environment", "try again later"),
    (418, [1], {}, "environment", "HTTP 418"),
]


@pytest.mark.parametrize(("status", "value", "headers", "code", "says"), CASES)
def test_one_sentence(status: int, value: Any, headers: dict[str, str], code: str, says: str) -> None:
    import re

    error = failure(JsonAnswer(status, value, headers), "open a pull request")
    assert error.code == code
    assert re.search(says, error.message) and "\n" not in error.message and "\x1b" not in error.message
    assert error.message.endswith(".") and len(error.message) < 500
