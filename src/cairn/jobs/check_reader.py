"""Asks a reader one small question: is it there, does it let us in, and does it answer in the form that it should?"""

from typing import Final, NamedTuple

from cairn.core.model_budget import RunnerFailed
from cairn.core.ports.reader import Reader, ReaderRequest
from cairn.jobs.action import JobAction
from cairn.jobs.prompt import prompt_of
from cairn.jobs.report import check_report, schema_of_report

_SECONDS: Final = 120.0
_WORD: Final = "granite"
_TEXT: Final = f"The word of the day is {_WORD}."
_ACTION: Final = JobAction(
    "core/check",
    "1",
    "Try a reader.",
    prompt="Which word does the text below name as the word of the day? Answer with `word`, in lower case.",
    schema={"type": "object", "required": ["word"], "properties": {"word": {"type": "string"}}},
)


class ReaderCheck(NamedTuple):
    works: bool
    message: str
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None


def check_reader(reader: Reader) -> ReaderCheck:
    assert _ACTION.prompt is not None
    prompt = prompt_of(_ACTION.prompt, "check", _TEXT)
    try:
        said = reader.read(ReaderRequest(prompt, schema_of_report(_ACTION.schema), _SECONDS, "core-check-1"))
    except RunnerFailed as problem:
        return ReaderCheck(False, str(problem))
    report = check_report(said.text, _ACTION)
    right = not report.problems and report.value["word"].strip().lower() == _WORD
    wrong = "; ".join(report.problems) or "it named another word"
    message = "It answered one question rightly." if right else f"It answered, but not as asked: {wrong}."
    return ReaderCheck(right, message, said.model, said.tokens_in, said.tokens_out)
