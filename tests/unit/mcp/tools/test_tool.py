"""Arguments as models write them: taken where the meaning is clear, else refused with what to write instead."""

import pytest

from cairn.errors import UsageError
from cairn.mcp.tools.propose import PROPOSE
from cairn.mcp.tools.search import SEARCH
from cairn.mcp.tools.tool import checked
from cairn.mcp.tools.validate import VALIDATE

TAKEN = [
    (SEARCH, {"query": "x"}, {"query": "x"}),
    (SEARCH, {"query": "x", "tags": None}, {"query": "x"}),
    (SEARCH, {"query": "x", "tags": '["a", "b"]'}, {"query": "x", "tags": ["a", "b"]}),
    (SEARCH, {"query": "x", "tags": "a"}, {"query": "x", "tags": ["a"]}),
    (SEARCH, {"query": "x", "tags": "[a"}, {"query": "x", "tags": ["[a"]}),
]

REFUSED = [
    (SEARCH, {}, "`query` is missing"),
    (SEARCH, {"query": None}, "`query` is missing"),
    (SEARCH, {"query": 7}, "`query` must be a text"),
    (SEARCH, {"query": "x", "limt": 3}, "there is no argument `limt`; did you mean 'limit'? `search` takes"),
    (SEARCH, {"query": "x", "limit": 0}, "`limit` must be 1 or more"),
    (SEARCH, {"query": "x", "limit": 1000}, "`limit` must be 20 or less"),
    (SEARCH, {"query": "x" * 100_000}, "`query` may have at most 4000 characters"),
    (SEARCH, {"query": "x", "tags": [1]}, "each item of `tags` must be a text"),
    (SEARCH, {"query": "x", "tags": ["a"] * 50}, "`tags` may have at most 10 items"),
    (VALIDATE, {"id": "x", "verdict": "maybe"}, "`verdict` must be one of confirm, reject, flag"),
    (PROPOSE, {"reason": "x", "outside": "yes"}, "`outside` must be true or false"),
]


@pytest.mark.parametrize(("tool", "given", "taken"), TAKEN)
def test_what_is_clear_is_taken(tool, given, taken):
    assert checked(tool, given) == taken


@pytest.mark.parametrize(("tool", "given", "said"), REFUSED, ids=[said for _, _, said in REFUSED])
def test_what_is_not_is_named_with_what_there_is(tool, given, said):
    with pytest.raises(UsageError) as refused:
        checked(tool, given)
    assert said in refused.value.message
    assert f"`{tool.name}` takes " in refused.value.message
    assert len(refused.value.message) < 1000


def test_hundreds_of_faults_are_not_all_told():
    with pytest.raises(UsageError) as refused:
        checked(SEARCH, {f"x{number}": number for number in range(500)})
    assert len(refused.value.message) < 1000
