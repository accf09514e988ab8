"""From a gap to an entry: a skeleton with the questions that were asked, as a change for a person to finish."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.changes.add_page import AddPageOptions, AddPageResult, add_entry
from cairn.core.model.change import ChangeRequest, ChangeSet, FileEdit, GateRuling, RequestState, Taint
from cairn.core.model.knowledge import EntryStatus
from cairn.errors import Conflict
from cairn.observe.lens_coverage_gaps import GapView, KnowledgeGap, excerpts_of
from cairn.observe.list_gaps import look_at_gaps, topic_of

if TYPE_CHECKING:
    from cairn.observe.ports import ObservePorts

_QUESTIONS: Final = 5
_ORIGIN: Final = "gaps"


class GapDraft(NamedTuple):
    topic: str
    added: AddPageResult
    questions: tuple[str, ...]
    signals: int
    rulings: tuple[GateRuling, ...] = ()
    request: ChangeRequest | None = None
    written: bool = False
    held: str = ""
    """Why no request was opened."""

    def json(self) -> dict[str, Any]:
        request = self.request
        return {
            "topic": self.topic,
            "path": self.added.path,
            "name": self.added.draft.name,
            "category": self.added.draft.category or None,
            "signals": self.signals,
            "questions": list(self.questions),
            "written": self.written,
            "request": None if request is None else {"id": request.id, "branch": request.branch, "url": request.url},
            "held": self.held or None,
            "gates": [{"gate": r.gate, "level": r.level.word, "reason": r.reason} for r in self.rulings],
            "text": self.added.text,
        }


def draft_gap(
    ports: "ObservePorts",
    text: str,
    *,
    category: str | None,
    corpus: str | None,
    apply: bool,
    dry_run: bool,
    here: Path,
) -> GapDraft:
    """Whether or not the topic crossed a threshold: whoever asks knows better. One that is covered is refused."""
    topic = topic_of(text)
    view = look_at_gaps(ports, always=True)
    if (cover := view.covered.cover(topic)) is not None:
        raise Conflict(f"`{topic}` is covered already: {cover.reason}.", path=cover.path)
    gap = _gap(view, topic)
    questions = (
        tuple(_question(one) for one in excerpts_of(gap, ports.store.gaps, view.since_ms, _QUESTIONS)) if gap else ()
    )
    wishes = _wishes(topic, gap, questions, category, corpus)
    drafted = GapDraft(topic, add_entry(ports, wishes, here=here), questions, gap.group.signals if gap else 0)
    if dry_run:
        return drafted
    return _written(ports, drafted) if apply else _requested(ports, drafted)


def begun(ports: "ObservePorts", topic: str) -> str | None:
    """The id of the request in which an entry about this is begun already. Only of the repository's own requests: a
    list of gaps asks no forge on the web."""
    is_local = ports.vcs.root() is not None and ports.forge.name == "local"
    waiting = ports.forge.requests(states=(RequestState.OPEN, RequestState.READY)) if is_local else []
    return next((one.id for one in waiting if (one.origin, one.subject) == (_ORIGIN, _subject(topic))), None)


def _subject(topic: str) -> str:
    return f"gap {topic}"


def _gap(view: GapView, topic: str) -> KnowledgeGap | None:
    return next((gap for gap in view.gaps if topic in (one.topic for one in gap.group.members)), None)


def _wishes(
    topic: str, gap: KnowledgeGap | None, questions: Sequence[str], category: str | None, corpus: str | None
) -> AddPageOptions:
    """Every spelling that was missed becomes a topic of the entry, so that none of them is a gap any more."""
    others = tuple(one.topic for one in gap.group.members) if gap else ()
    return AddPageOptions(
        title=_title(topic),
        summary=f"What somebody needs to know about {topic.replace('-', ' ')}.",
        body=_body(questions),
        category=category,
        corpus=corpus,
        topics=tuple(dict.fromkeys((topic, *others))),
        status=EntryStatus.ALPHA,
        skeleton=True,
        dry_run=True,
    )


def _title(topic: str) -> str:
    words = topic.replace("-", " ")
    return words[:1].upper() + words[1:]


def _body(questions: Sequence[str]) -> str:
    asked = questions or ("What should somebody know who has to act on this?",)
    lines = "\n".join(f"- {question}" for question in asked)
    return f"<!-- Answer these, then take them out. They are quoted from those who found nothing. -->\n\n{lines}\n"


_MARKUP = re.compile(r"([\\`*_\[\]<>#|!])")


def _question(excerpt: str) -> str:
    """What an agent said is somebody else's text: it is shown as it is, and is no link, no markup and no command."""
    flat = " ".join("".join(char if char.isprintable() else " " for char in excerpt).split())
    escaped = _MARKUP.sub(r"\\\1", flat)
    return f"“{escaped}”"


# --- the change -----------------------------------------------------------------------------------------------------


def _change(ports: "ObservePorts", drafted: GapDraft) -> ChangeSet:
    """What the questions say came from agents, so nobody should take the change for a person's words."""
    from cairn.changes.make_change import base_commit

    base = base_commit(ports) if ports.vcs.root() is not None else ""
    signals = f" {drafted.signals:,} signals in the last 90 days." if drafted.signals else ""
    return ChangeSet(
        origin=_ORIGIN,
        subject=_subject(drafted.topic),
        base=base,
        edits=(FileEdit(drafted.added.path, drafted.added.text.encode()),),
        title=f"docs(knowledge): begin an entry about {drafted.topic}",
        body=f"Nobody has written about `{drafted.topic}` yet.{signals} The page only asks; answer it before it lands.",
        evidence={"topic": drafted.topic, "signals": drafted.signals, "questions": list(drafted.questions)},
        taint=Taint.MODEL if drafted.questions else Taint.PERSON,
        kind="gap",
    )


def _written(ports: "ObservePorts", drafted: GapDraft) -> GapDraft:
    from cairn.changes.gate_registry import gates_of
    from cairn.changes.requests import refuse_blocked
    from cairn.changes.write import write_file

    change = _change(ports, drafted)
    rulings = gates_of(ports).judge(change)
    refuse_blocked(rulings)
    [edit] = change.edits
    return drafted._replace(rulings=rulings, written=write_file(ports.root, edit.path, edit.content or b""))


def _requested(ports: "ObservePorts", drafted: GapDraft) -> GapDraft:
    from cairn.changes.requests import HeldChange, publish_change

    result = publish_change(ports, _change(ports, drafted))
    if isinstance(result, HeldChange):
        return drafted._replace(rulings=result.rulings, held=result.reason)
    return drafted._replace(rulings=result.request.rulings, request=result.request)
