"""What the documents of a repository say about how it is built and what is in it, as candidates; by rules.

Precision before recall: a sentence is taken only where it can be understood without its neighbours, states something
that holds, and stands where such things are said. Whatever a document tells a reader to do with their machine, what it
tells about itself, its history and its merits stays where it is.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from typing import Final

from cairn.curate.candidates import SUMMARY_LONGEST, TAGS_MOST, TITLE_LONGEST, one_line
from cairn.curate.reading.decisions import decided
from cairn.curate.reading.layout import Layout, body_of, layouts, title_of
from cairn.curate.reading.parts import Part, parts
from cairn.curate.reading.place import Voice, is_of_the_house, voice
from cairn.curate.reading.sentence import Stated, stated
from cairn.curate.rules.wording import worded
from cairn.curate.statements import keys_of, similar
from cairn.kernel.model.candidate import Candidate, Quote
from cairn.kernel.model.change import Taint
from cairn.kernel.text.frontmatter import parse
from cairn.kernel.text.instructions import marks
from cairn.kernel.text.outline import FORMATS

MOST: Final = 12
"""Candidates of one document."""
_NEARLY: Final = 0.75
_LOOKED_AT: Final = 300
"""Statements of one document that are compared; each is, with all before it."""
_LAYOUTS: Final = 2
_TAG: Final = re.compile(r"[a-z][a-z0-9-]{2,23}")
_PROMPT: Final = re.compile(
    r"(?:#\s*)?(?:you are (?:an?|the|\w+,)|act as an?|your (?:role|task|job) is)\b", re.IGNORECASE
)
_FOLDERS: Final = frozenset({"docs", "doc", "src", "source", "content", "pages", "documentation", "guides", "guide"})


def derive(text: str, *, path: str, said_at: str | None = None) -> tuple[Candidate, ...]:
    """The candidates of one document, in its order."""
    found = parts(text)
    if any(_PROMPT.match(part.text) for part in found[:3]):
        return ()  # it is written for a model, and what it demands is demanded of that
    # What gives orders to machines somewhere is not trusted anywhere: such candidates never land by themselves.
    taint = Taint.OUTSIDE if marks(text) else Taint.REPOSITORY
    drawn = [_of_layout(one, path, taint, said_at) for one in _layouts(text, path, found)]
    said = _few(_distinct(_all_stated(text, path, found)), MOST - len(drawn))
    candidates = [*drawn, *(_candidate(one, path, taint, said_at) for one in said)]
    return tuple(sorted(candidates, key=lambda one: one.quotes[0].start or 0))


def _all_stated(text: str, path: str, found: Sequence[Part]) -> Iterable[Stated]:
    status = parse(text.removeprefix("\ufeff")).frontmatter.get("status")
    of_decision = decided(found, path=path, status=status if isinstance(status, str) else "")
    if of_decision is not None:
        return of_decision
    return (
        one
        for part in found
        for one in stated(part, voice(path, part.headings), norms=is_of_the_house(path, part.headings))
    )


def _layouts(text: str, path: str, found: Sequence[Part]) -> Iterator[Layout]:
    for count, one in enumerate(layouts(text, found)):
        if count < _LAYOUTS and voice(path, one.about.split(", ")) is not Voice.NOTHING:
            yield one


def _distinct(found: Iterable[Stated]) -> list[Stated]:
    """What says nearly the same is one; the one with a reason speaks."""
    kept: list[tuple[Stated, frozenset[str]]] = []
    for one in islice(found, _LOOKED_AT):
        keys = keys_of(one.statement)
        twin = next((at for at, (_, other) in enumerate(kept) if similar(keys, other) >= _NEARLY), None)
        if twin is None:
            kept.append((one, keys))
        elif one.weight > kept[twin][0].weight:
            kept[twin] = (one, keys)
    return [one for one, _ in kept]


def _few(found: Sequence[Stated], most: int) -> list[Stated]:
    best = sorted(range(len(found)), key=lambda at: (*(not yes for yes in found[at].weight), at))[:most]
    return [found[at] for at in sorted(best)]


def _candidate(one: Stated, path: str, taint: Taint, said_at: str | None) -> Candidate:
    words = worded(one.kind, one.statement, one.reason)
    part = one.part
    return Candidate(
        origin=origin_of(path, words.body),
        kind=one.kind,
        title=words.title,
        summary=words.summary,
        body=words.body,
        tags=_tags(words.tags, path, part.headings),
        confidence="high" if one.reason else "medium",
        taint=taint,
        derived_from=(path,),
        quotes=(Quote(path, part.raw, part.start, part.end),),
        said_at=said_at,
    )


def _of_layout(layout: Layout, path: str, taint: Taint, said_at: str | None) -> Candidate:
    body = body_of(layout)
    names = ", ".join(where for where, _ in layout.rows[:4])
    more = f" and {len(layout.rows) - 4} more" if len(layout.rows) > 4 else ""
    return Candidate(
        origin=origin_of(path, body),
        kind="map",
        title=one_line(title_of(layout), TITLE_LONGEST),
        summary=one_line(f"What each is for: {names}{more}.", SUMMARY_LONGEST),
        body=body,
        tags=_tags(("layout",), path, layout.about.split(", ")),
        confidence="medium",
        taint=taint,
        derived_from=(path,),
        quotes=(Quote(path, " ".join(layout.quote.split())[:600], layout.start, layout.end),),
        said_at=said_at,
    )


def _tags(own: Sequence[str], path: str, headings: Sequence[str]) -> tuple[str, ...]:
    """What the words say first; where they say nothing, the heading, the folder and the name of the document."""
    stem, _, suffix = path.lower().rpartition(".")
    *folders, name = (stem if f".{suffix}" in FORMATS else path.lower()).split("/")
    around = [*(title.lower() for title in reversed(headings)), *reversed(folders), name]
    known = [tag for text in around if _TAG.fullmatch(tag := text.replace(" ", "-")) and tag not in _FOLDERS]
    telling = [tag for tag in own if tag not in ("conventions", "components")]
    return tuple(dict.fromkeys([*telling[:3], *known[:2]]))[:TAGS_MOST] or tuple(own[:1])


def origin_of(path: str, body: str) -> str:
    """By what is said and not by where it stands: what is moved within its document is no news."""
    return f"document:{path}:{said_digest(body)}"


def said_digest(body: str) -> str:
    """Of a page's text, however it is wrapped."""
    return sha256(" ".join(body.lower().split()).encode("utf-8", "surrogatepass")).hexdigest()[:12]
