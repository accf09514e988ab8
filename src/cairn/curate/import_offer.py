"""What there is here that knowledge could be made of: an older base, files that agents remember by, documents."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.core.model.candidate import KnowledgeCandidate, Quote
from cairn.curate.ask_reader import DocumentAnswers, Readers, cost_of
from cairn.curate.bootstrap_survey import BootstrapOptions, Estimate, survey, total
from cairn.curate.document_material import distil_inputs
from cairn.curate.import_document import said_digest
from cairn.curate.memory import _OLD_LEDGER, MemoryReading, SeenMemory, is_memory, ledger, look, places, waiting
from cairn.curate.old_base import OldBase, base_value, found
from cairn.curate.questions.distil.question import QUESTION as DISTIL
from cairn.curate.questions.found_candidates import candidates_in
from cairn.curate.run_journal import MEMORY, CurateState
from cairn.curate.session_candidates import MEMORY_ORIGIN
from cairn.errors import CairnError

if TYPE_CHECKING:
    from cairn.curate.curate import CurateOptions, CurateResult
    from cairn.curate.ports import CuratePorts
    from cairn.jobs.ask import QuestionCost, ReadNow
    from cairn.jobs.run import JobRunSummary


class MemoryImport(NamedTuple):
    curated: "CurateResult"
    spent: "JobRunSummary | None" = None
    problems: tuple[str, ...] = ()
    """What is wrong with answers of readers, a sentence each."""


def import_memory(
    ports: "CuratePorts",
    looked: Sequence[MemoryReading],
    wanted: "CurateOptions",
    reader: "ReadNow | None" = None,
    *,
    ask: bool = True,
) -> MemoryImport:
    """As one run. A file counts as looked at when a reader has answered about its text, and none of its candidates has
    to wait."""
    from cairn.curate.curate import curate
    from cairn.curate.curate_sessions import placed
    from cairn.jobs.spent import together

    ask = ask and not wanted.dry_run
    texts, spent = _Texts(ports, looked), None
    open_ = texts.ask() if ask else texts.open
    if open_ and reader is not None and ask:
        spent = reader((DISTIL.id,))
    found = [one for file in looked for one in (*file.candidates, *texts.candidates(file))]

    def run(options: "CurateOptions") -> "CurateResult":
        stamps = CurateState(ports).stamps()
        return curate(ports, options, [one for one in found if one.origin not in stamps])

    curated, more = placed(run, wanted, reader)
    if not wanted.dry_run:
        late = waiting([one.origin for one in (*curated.waiting, *curated.plan.unread)]) | texts.open
        _remember(ports, [one for one in looked if not one.skipped and one.place.iri not in late], curated)
    return MemoryImport(curated, together(spent, more), texts.problems)


class _Texts:
    """What is no list of rules in files that agents remember by, and what readers say of it."""

    def __init__(self, ports: "CuratePorts", looked: Sequence[MemoryReading]) -> None:
        self.readers = Readers(ports)
        self._ports = ports
        self._looked = {one.place.iri: one for one in looked if one.rest and not one.skipped}

    def ask(self) -> frozenset[str]:
        for one in self._looked.values():
            self.readers.ask_document(distil_inputs(one.rest, path=one.place.path), one.place.path)
        return self.open

    @property
    def open(self) -> frozenset[str]:
        """Files about which an answer is missing, or part of one was set aside."""
        found = {iri: self._answers(one) for iri, one in self._looked.items()}
        return frozenset(iri for iri, one in found.items() if one is None or one.waits or one.failed or one.problems)

    @property
    def costs(self) -> "list[list[QuestionCost]]":
        """By file that no question was asked about."""
        new = [one for one in self._looked.values() if self._answers(one) is None]
        return [cost_of(distil_inputs(one.rest, path=one.place.path), one.place.path) for one in new]

    @property
    def problems(self) -> tuple[str, ...]:
        found = [(one.place.path, self._answers(one)) for one in self._looked.values()]
        said = ((path, (*one.problems, *([one.failed] if one.failed else []))) for path, one in found if one)
        return tuple(f"{path}: {problem}" for path, problems in said for problem in problems)

    def _answers(self, one: MemoryReading) -> "DocumentAnswers | None":
        return self.readers.document_answers(
            self.readers.about(distil_inputs(one.rest, path=one.place.path), one.place.path)
        )

    def candidates(self, file: MemoryReading) -> list[KnowledgeCandidate]:
        found = self._answers(file) if file.place.iri in self._looked else None
        where = file.place.iri if file.place.outside else file.place.path
        new = candidates_in(
            {"candidates": found.items if found else ()},
            where=where,
            said_at=None,
            origin=lambda one: f"{MEMORY_ORIGIN}{file.place.iri}:{said_digest(one['body'])}",
        )
        # What a reader saw was cleaned and cut, so its places are none of the file.
        return [replace(one, quotes=tuple(Quote(where, quote.text) for quote in one.quotes)) for one in new]


def cost_to_read(ports: "CuratePorts", looked: Sequence[MemoryReading]) -> Estimate | None:
    """What reading the other text of these files costs; None where all of it was asked about before."""
    costs = _Texts(ports, looked).costs
    found = [Estimate(sum(one.reading for one in some), sum(one.writing for one in some)) for some in costs]
    return total(ports, found) if found else None


def follow_memory(ports: "CuratePorts") -> Sequence[str]:
    """Uses the answers about files of the workspace, and asks what follows from them."""
    from cairn.core.ports.jobs import ExecutionFilter
    from cairn.curate.curate import CurateOptions

    answered = {row.node_id for row in ports.store.jobs.executions(ExecutionFilter(actions=(DISTIL.id,)))}
    if not any(is_memory(path) for path in answered):
        return ()
    looked = [one for one in look(ports, places(ports)) if one.place.path in answered and not one.skipped]
    if not looked:
        return ()
    try:
        done = import_memory(ports, looked, CurateOptions(everything=True), ask=False)
    except CairnError as error:
        return (f"memory files wait: {error.message}",)
    return (
        (f"pages of memory files are in change request {done.curated.landed.request}",)
        if done.curated.landed.request
        else ()
    )


def _ledger_path(ports: "CuratePorts") -> str:
    """Where the older program keeps one. Else with ours: it names places of this machine, and git may not pass over
    that program's state."""
    return _OLD_LEDGER if ports.files.exists(_OLD_LEDGER) else MEMORY


def _remember(ports: "CuratePorts", looked: Sequence[MemoryReading], curated: "CurateResult") -> None:
    from cairn.changes.write import write_file
    from cairn.curate.memory import ledger_text

    new = {one.place.file.as_uri(): SeenMemory(one.sha256, curated.plan.run_id, curated.plan.made_at) for one in looked}
    if new:
        CurateState(ports).refuse_tracked()
        write_file(ports.root, _ledger_path(ports), ledger_text({**ledger(ports), **new}), mode=0o600)


def looked_value(one: MemoryReading) -> dict[str, Any]:
    return {
        "file": one.place.path,
        "namedBy": one.place.named_by or None,
        "own": one.place.outside,
        "candidates": len(one.candidates),
        "skipped": one.skipped or None,
        "remarks": list(one.remarks),
        "unreadTokens": one.unread,
    }


class Offer(NamedTuple):
    base: OldBase | None
    memory: tuple[MemoryReading, ...]
    documents: int
    """That a bootstrap would read: new or changed since the last."""

    @property
    def candidates(self) -> int:
        return sum(len(one.candidates) for one in self.memory)


def offer(ports: "CuratePorts") -> Offer:
    """Reads, and writes nothing."""
    documents = survey(ports, BootstrapOptions(incremental=True, dry_run=True)).due
    return Offer(found(ports), tuple(look(ports, places(ports))), len(documents))


def offered_rows(offer: Offer) -> list[tuple[str, str, str]]:
    """For a person: what, how much of it, and which command goes on from there."""
    return [_of_base(offer.base), _of_memory(offer), _of_documents(offer.documents)]


def _of_base(base: OldBase | None) -> tuple[str, str, str]:
    if base is None:
        return "older base", "none", ""
    held = f"{base.root}/: {_count(sum(base.nodes.values()), 'node')}, {_count(sum(base.sessions.values()), 'session')}"
    if base.corpus is None:
        return "older base", held, "`cairn import base` says why it is not used"
    return "older base", held, "used where it lies; `cairn import base` says what of it"


def _of_memory(offer: Offer) -> tuple[str, str, str]:
    if not offer.memory:
        return "memory files", "none", "`cairn import memory --user` looks in your home directory"
    held = f"{_count(len(offer.memory), 'file')}, {_count(offer.candidates, 'new candidate')}"
    if not offer.candidates:
        return "memory files", held, ""
    return "memory files", held, "`cairn import memory --dry-run` shows what would become of each"


def _of_documents(number: int) -> tuple[str, str, str]:
    if not number:
        return "documents", "none that is new", ""
    return (
        "documents",
        f"{_count(number, 'document')} to read",
        "`cairn bootstrap --dry-run` shows which can be imported, and what reading the others costs",
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def offer_value(offer: Offer) -> dict[str, Any]:
    return {
        "base": base_value(offer.base) if offer.base else None,
        "memory": [looked_value(one) for one in offer.memory],
        "candidates": offer.candidates,
        "documents": offer.documents,
    }
