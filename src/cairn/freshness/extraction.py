"""The verdict in what a model wrote: the first JSON object in it that is one, whatever stands around it."""

from cairn.core.model.verdict import Verdict
from cairn.freshness.verdict_wire import InvalidVerdict, problems_of, verdict_of
from cairn.lib.text.json_answer import LONGEST, JsonObjects

_KEYS = frozenset({"entry_name", "verdict"})


def extract_verdict(answer: str) -> Verdict:
    """The first object that passes; `InvalidVerdict` says what the nearest one lacked, or that there was none."""
    nearest: list[str] = []
    for value in JsonObjects(answer[:LONGEST]):
        if not _KEYS & value.keys():
            continue
        problems = problems_of(value)
        if not problems:
            return verdict_of(value)
        if not nearest or len(problems) < len(nearest):
            nearest = problems
    raise InvalidVerdict(nearest or [_nothing(answer)], "The answer of the model")


def _nothing(answer: str) -> str:
    if not answer.strip():
        return "it is empty"
    return "it breaks off in the middle of its JSON" if '"entry_name"' in answer else "there is no verdict in it"
