"""Two documents that can't both be right."""

from collections.abc import Iterator

from cairn.app.trying.finding import Evidence, Finding
from cairn.app.trying.ground import Ground
from cairn.observe.lens import Document
from cairn.observe.lens_h.claims import Claim
from cairn.observe.lens_h.contradict import Contradiction, contradictions
from cairn.observe.lens_h.cross_doc import said_apart

KIND = "contradiction"
_MOST_CHARACTERS = 12_000_000
_QUOTED = 200
_CERTAINTY, _HARM = 0.88, 0.9


def find(ground: Ground) -> Iterator[Finding]:
    yield from map(_finding, contradictions(_documents(ground)))


def _documents(ground: Ground) -> Iterator[Document]:
    left = _MOST_CHARACTERS
    for page in ground.pages(history=False):
        left -= len(page.text)
        if left < 0 or ground.deadline.over():
            ground.deadline.say("some of the documents, when looking for contradictions")
            return
        yield Document(page.path, page.text)


def _finding(found: Contradiction) -> Finding:
    return Finding(
        KIND,
        f"Two documents {said_apart(found)}.",
        (_evidence(found.one), _evidence(found.other)),
        "apart from that, both sentences are about the same thing, under the same conditions",
        "Find out which is right, and say it in one place.",
        _CERTAINTY,
        _HARM,
    )


def _evidence(claim: Claim) -> Evidence:
    return Evidence(claim.path, claim.line, claim.text[:_QUOTED])
