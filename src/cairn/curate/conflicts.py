"""Reads and writes conflicts between a candidate and a page: files that a person settles and that stay as a record.

The file carries the whole proposed page in a fenced block, so that accepting it loses nothing.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, Final, cast

from cairn.core.model.candidate import ConflictStatus, KnowledgeCandidate, KnowledgeConflict, ProposedNode
from cairn.core.model.change import Taint
from cairn.curate.place_candidate import has, has_other_value, opposes
from cairn.curate.revise_page import is_done, kept_revision, retitled, revised
from cairn.curate.session_candidates import SUMMARY_LONGEST, one_line
from cairn.curate.shortlist import Near, plain, stated
from cairn.errors import UsageError
from cairn.lib.markdown.blocks import headings, sentences
from cairn.lib.markdown.frontmatter import parse
from cairn.lib.yaml.write import mapping_text

SCHEMA_VERSION: Final = 1
SUFFIX: Final = ".md"
MERGE: Final = "merge"
"""As `resolution`: the page agrees, but a gate wants a person to let this in."""
REPLACE: Final = "replace"
"""As `resolution`: the proposal is the whole page, as a reader would have it."""
EDIT: Final = "edit"
"""As `resolution`: a reader named the words that change, and the new ones."""
_HEADS: Final = ("## Rationale", "## Proposed node")
_FENCE: Final = re.compile(
    r"^(?P<fence>`{3,}+|~{3,}+)[^\n]*\n(?P<inside>.*?)^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL
)
_TAINTS: Final = {taint.word: taint for taint in Taint}
_REQUIRED: Final = re.compile(r'"(\w+)" is a required property')
_SHOWN: Final = 2
"""Of what is wrong with a file, beside what it lacks."""
_BEFORE_CAIRN: Final = {"schema_version": SCHEMA_VERSION, "target_node_id": None}
"""What files of older programs leave out."""
_NODE_KEYS: Final = ("title", "kind", "tags", "summary", "confidence", "relates_to", "depends_on")


def file_name(conflict: KnowledgeConflict) -> str:
    return f"{conflict.id}{SUFFIX}"


# --- as a file --------------------------------------------------------------------------------------------------------


def conflict_text(conflict: KnowledgeConflict) -> str:
    front = {
        "schema_version": SCHEMA_VERSION,
        "id": conflict.id,
        "status": conflict.status,
        "detected_at": conflict.detected_at,
        "run_id": conflict.run_id,
        "candidate_origin": conflict.candidate_origin,
        "target_node_id": conflict.target_node_id,
        "proposed_kind": conflict.proposed.kind,
        "proposed_title": conflict.proposed.title,
        "proposed_confidence": conflict.proposed.confidence,
        "derived_from": list(conflict.derived_from),
        "taint": conflict.taint.word,
        "suggested_resolution": conflict.suggested_resolution,
        "settled_by": conflict.settled_by,
        "settled_at": conflict.settled_at,
        **conflict.extra,
    }
    node = _node_text(conflict.proposed)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", node)), default=0))
    rationale, proposed = _HEADS
    return (
        f"---\n{mapping_text(front)}---\n\n{rationale}\n\n{_one_paragraph(conflict.rationale)}\n\n"
        f"{proposed}\n\n{fence}markdown\n{node}{fence}\n"
    )


def _one_paragraph(text: str) -> str:
    return " ".join(text.split())


def _node_text(node: ProposedNode) -> str:
    values = {"title": node.title, "kind": node.kind, "tags": list(node.tags), "summary": node.summary}
    more = {"confidence": node.confidence, "relates_to": list(node.relates_to), "depends_on": list(node.depends_on)}
    return f"---\n{mapping_text({**values, **more})}---\n\n{node.body.strip()}\n"


def read_conflict(text: str, path: str) -> KnowledgeConflict:
    """Raises a sentence that names the file, and everything that is wrong with it."""
    page = parse(text.removeprefix("\ufeff"))
    front: dict[str, Any] = dict(page.frontmatter)
    for key, value in _BEFORE_CAIRN.items():
        front.setdefault(key, value)
    rationale, proposed = _sections(page.body)
    front["proposed"] = _proposed(proposed, front)
    if problems := _problems(front):
        why = page.problems[0].message if page.problems else _what_is_wrong(problems, headless=not page.raw)
        raise UsageError(
            f"{path} is not a valid conflict file: {why.rstrip('.')}. Fix or delete it.",
            path=path,
            problems=[f"{where}: {what}" if where else what for where, what in problems],
        )
    known = {*_validator()[1]} - {"reason"}
    return KnowledgeConflict(
        id=front["id"],
        status=cast(ConflictStatus, front["status"]),
        detected_at=front["detected_at"],
        run_id=front["run_id"],
        candidate_origin=front["candidate_origin"],
        target_node_id=front["target_node_id"],
        rationale=rationale,
        proposed=_node(front["proposed"]),
        derived_from=tuple(front.get("derived_from") or ()),
        taint=_TAINTS.get(str(front.get("taint")), Taint.OUTSIDE),
        suggested_resolution=front.get("suggested_resolution"),
        settled_by=front.get("settled_by"),
        settled_at=front.get("settled_at"),
        partial=_whole_page(proposed) is None,
        extra={key: value for key, value in front.items() if key not in known},
    )


def _sections(body: str) -> tuple[str, str]:
    before, mark, proposed = body.partition(f"\n{_HEADS[1]}\n")
    rationale = before.partition(f"{_HEADS[0]}\n")[2] if mark else before
    return _one_paragraph(rationale), proposed


def _proposed(section: str, front: dict[str, Any]) -> dict[str, Any]:
    """From the fenced block; a file that has none, as older programs wrote them, from its head and the bare text."""
    whole = _whole_page(section)
    if whole is None:
        head = {key: front.get(f"proposed_{key}") for key in ("title", "kind")}
        head["confidence"] = front.get("proposed_confidence", "low")  # once nobody said how sure it was
        body = section.strip()
        return {**head, "tags": [], "summary": _first_sentence(body) or str(head["title"] or ""), "body": body}
    page = parse(whole)
    return {**{key: page.frontmatter[key] for key in _NODE_KEYS if key in page.frontmatter}, "body": page.body.strip()}


def _whole_page(section: str) -> str | None:
    """The page in the block that the section begins with; a block further down may be an example in a bare text."""
    fenced = _FENCE.match(section.lstrip())
    return fenced["inside"] if fenced and fenced["inside"].startswith("---") else None


def _first_sentence(body: str) -> str:
    """What stands in for a summary that nobody kept."""
    found = next((one.text for one in sentences(body) if one.fence is None and not one.text.startswith("#")), "")
    return one_line(found, SUMMARY_LONGEST)


def _node(value: dict[str, Any]) -> ProposedNode:
    return ProposedNode(
        title=value["title"],
        kind=value["kind"],
        tags=tuple(value.get("tags") or ()),
        summary=value["summary"],
        body=value["body"],
        confidence=value["confidence"],
        relates_to=tuple(value.get("relates_to") or ()),
        depends_on=tuple(value.get("depends_on") or ()),
    )


@cache
def _validator() -> tuple[Any, frozenset[str]]:
    import jsonschema_rs

    schema = json.loads((files("cairn.core") / "schemas/conflict.schema.json").read_text("utf-8"))
    return jsonschema_rs.validator_for(schema), frozenset(schema["properties"])


def _problems(front: dict[str, Any]) -> list[tuple[str, str]]:
    errors = _validator()[0].iter_errors(front)
    return [(".".join(str(part) for part in error.instance_path), str(error.message)) for error in errors]


def _what_is_wrong(problems: Sequence[tuple[str, str]], *, headless: bool) -> str:
    """In one sentence. A file without a head lacks every key, which need not be said of each."""
    if headless:
        return "it does not begin with a head between two lines of `---`"
    missing = [found[1] for where, what in problems if not where and (found := _REQUIRED.match(what))]
    wrong = [f"`{where}`: {what}" for where, what in problems if where]
    lacks = f"its head lacks {', '.join(missing)}" if missing else ""
    return "; ".join(filter(None, (lacks, *wrong[:_SHOWN], f"and {len(wrong) - _SHOWN} more" * (len(wrong) > _SHOWN))))


# --- going through them -----------------------------------------------------------------------------------------------


_COMPARED: Final = 4_000_000
"""Pairs of lines."""


def changed_lines(before: str, after: str) -> int:
    """How many lines of a page would change."""
    from difflib import SequenceMatcher

    old = [line for line in before.splitlines() if line.strip()]
    new = [line for line in after.splitlines() if line.strip()]
    if len(old) * len(new) > _COMPARED:  # to align very many lines takes minutes
        return max(len(old), len(new)) - (Counter(old) & Counter(new)).total()
    same = sum(block.size for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks())
    return max(len(old), len(new)) - same


def in_walking_order(conflicts: Iterable[KnowledgeConflict]) -> list[KnowledgeConflict]:
    """Those about one page together, those about none last, then by kind and time."""
    return sorted(
        conflicts,
        key=lambda one: (
            one.target_node_id is None,
            one.target_node_id or "",
            one.proposed.kind,
            one.detected_at,
            one.id,
        ),
    )


def same_as(candidate: KnowledgeCandidate, conflicts: Sequence[KnowledgeConflict]) -> KnowledgeConflict | None:
    """A conflict with the same text that was raised before: nobody is asked twice."""
    own = {plain(candidate.body), plain(candidate.summary)}
    for conflict in conflicts:
        if conflict.status != "accepted" and plain(conflict.proposed.body) in own:
            return conflict
    return None


# --- accepting --------------------------------------------------------------------------------------------------------


def resolved(page: Near, conflict: KnowledgeConflict) -> ProposedNode:
    """The page with the opposed sentences replaced, and the rest as it was. Where no sentence is opposed word for word,
    the proposed text replaces the whole. Raises where the page no longer has the words of an edit."""
    node = conflict.proposed
    if conflict.extra.get("resolution") == EDIT:
        return replace(revised(page, kept_revision(conflict.extra)), confidence=node.confidence)
    candidate = _as_candidate(conflict)
    whole = conflict.extra.get("resolution") == REPLACE
    head, title = (whole or opposes(candidate, text) for text in (page.summary, page.title))
    body = _body(page, conflict, candidate)
    return ProposedNode(
        title=node.title if title else page.title,
        kind="practice" if page.kind == "practice" else "map",
        tags=tuple(dict.fromkeys((*page.tags, *node.tags))),
        summary=node.summary if head or title or body == _whole(page, node) else page.summary,
        body=retitled(body, page.title, node.title) if title else body,
        confidence=node.confidence,
        relates_to=page.relates_to,
    )


def _as_candidate(conflict: KnowledgeConflict) -> KnowledgeCandidate:
    node = conflict.proposed
    return KnowledgeCandidate(conflict.candidate_origin, node.kind, node.title, node.summary, node.body, node.tags)


def _body(page: Near, conflict: KnowledgeConflict, candidate: KnowledgeCandidate) -> str:
    node, resolution = conflict.proposed, conflict.extra.get("resolution")
    if resolution == MERGE:
        return merged_body(page.body, node.body)
    # A text of several paragraphs is no sentence, so it can't stand in the place of one.
    is_whole = resolution == REPLACE or "\n\n" in node.body.strip() or next(headings(node.body), None) is not None
    spans = [] if is_whole else _opposed_spans(page.body, candidate)
    return _spliced(page.body, spans, node) if spans else _whole(page, node)


def merged_body(body: str, added: str) -> str:
    """The page's text, followed by the paragraphs that it does not have yet."""
    known = stated(body)
    new = [part.strip() for part in added.strip().split("\n\n") if not stated(part) <= known]
    return "\n\n".join((body.rstrip(), *new)) + "\n" if new else body


def _opposed_spans(body: str, candidate: KnowledgeCandidate) -> list[tuple[int, int]]:
    """All sentences with another value; else the first that is opposed, wherever the page has it: others may name the
    same thing and still be right."""
    told = [one for one in sentences(body) if one.fence is None and not one.text.startswith("#")]
    found = [one for one in told if has_other_value(candidate, one.text)]
    if not found and (first := next((one for one in told if opposes(candidate, one.text)), None)):
        found = [one for one in told if plain(one.text) == plain(first.text)]
    return [(one.start, one.end) for one in found]


def _spliced(body: str, spans: Sequence[tuple[int, int]], node: ProposedNode) -> str:
    """The last stretch becomes the new text. Where there are several, the first is what the page begins with, which
    becomes the new summary; those between go."""
    pieces, at, last = [], 0, len(spans) - 1
    for number, (start, end) in enumerate(spans):
        stretch = body[start:end]
        new = node.body.strip() if number == last else node.summary if number == 0 else ""
        tail = stretch[len(stretch.rstrip()) :]
        pieces += [body[at:start], _in_place(stretch, new) if new else "", tail if new else ""]
        at = end
    return re.sub(r"\n{3,}", "\n\n", "".join(pieces) + body[at:])


def _in_place(stretch: str, text: str) -> str:
    """As an item of a list, where the old sentence was one."""
    mark = re.match(r"(?:[-*+]|\d+[.)])[ \t]+", stretch)
    return f"{mark[0]}{' '.join(text.split())}" if mark else text


def _whole(page: Near, node: ProposedNode) -> str:
    """Behind the heading that the page opens with, if it does."""
    heading = re.match(r"\s*#[ \t][^\n]*\n", page.body)
    if node.body.lstrip().startswith("# "):
        heading = None
    return f"{heading[0] if heading else ''}\n{node.body.strip()}\n"


def has_nothing_new(page: Near, conflict: KnowledgeConflict) -> bool:
    if conflict.extra.get("resolution") == EDIT:
        return is_done(page, kept_revision(conflict.extra))
    return has(page, _as_candidate(conflict))
