"""A document as a model reads it: scrubbed before it is sent, and believed where its quotes stand in the file."""

from dataclasses import replace
from typing import TYPE_CHECKING

from cairn.core.model.candidate import Candidate, Quote
from cairn.core.model.change import Taint
from cairn.core.ports.runner import RunnerFailed
from cairn.curate.document_prompt import questions
from cairn.curate.documents import MOST, origin_of
from cairn.curate.proposal_prompt import read_answer
from cairn.errors import Refused
from cairn.lib.injection.marks import marks
from cairn.lib.scrub.find import redact

if TYPE_CHECKING:
    from cairn.core.model_budget import MeteredRunner


def ask(
    runner: "MeteredRunner", text: str, *, path: str, timeout_seconds: float
) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """The candidates of a document, and why others were set aside. Raises a sentence when there is no answer."""
    found: list[Candidate] = []
    remarks: list[str] = []
    for prompt, part in questions(redact(text).text, path=path):
        try:
            answer = runner.run(prompt, timeout_seconds=timeout_seconds)
        except RunnerFailed as failed:
            raise Refused(str(failed)) from None
        read = read_answer(answer.text, (part,), where=path, said_at=None)
        if read.problem:
            raise Refused(f"{answer.provider}/{answer.model}: {read.problem}")
        found += read.candidates
        remarks += (*read.remarks, *read.errors)
    placed = [one for one in (_placed(candidate, text, path) for candidate in found) if one is not None]
    if len(placed) < len(found):
        remarks.append(f"{len(found) - len(placed)} whose quotes are not in the document set aside")
    return tuple(placed[:MOST]), tuple(remarks)


def _placed(candidate: Candidate, text: str, path: str) -> Candidate | None:
    """With its quote as it stands in the file, which is not what was sent where something was taken out."""
    quote = candidate.quotes[0].text
    start = text.find(quote)
    if start < 0:
        return None
    return replace(
        candidate,
        origin=origin_of(path, candidate.body),
        quotes=(Quote(path, quote, start, start + len(quote)),),
        taint=Taint.OUTSIDE if marks(text) else Taint.MODEL,
    )
