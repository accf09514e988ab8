"""Applies a reader's edits to a page: title, first heading, summary and sentences together, and nothing else."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cairn.core.model.candidate import PageRevision, ProposedNode, TextEdit
from cairn.curate.shortlist import Near
from cairn.errors import Conflict


def revised(page: Near, revision: PageRevision) -> ProposedNode:
    """The page as it becomes. Raises where it no longer has the words."""
    title = revision.title or page.title
    return ProposedNode(
        title=title,
        kind="practice" if page.kind == "practice" else "map",
        tags=page.tags,
        summary=revision.summary or page.summary,
        body=retitled(edited(page, revision.edits), page.title, title),
        confidence=page.confidence or "medium",
        relates_to=page.relates_to,
    )


def edited(page: Near, edits: Iterable[TextEdit]) -> str:
    body = page.body
    for edit in edits:
        at = body.find(edit.old)
        if at < 0:
            raise Conflict(
                f"{page.path} no longer has the words “{_cut(edit.old)}” that were to be replaced.", path=page.path
            )
        end = at + len(edit.old)
        body = body[:at] + edit.new + (body[end:] if edit.new else body[end:].removeprefix(" "))
    return re.sub(r"\n{3,}", "\n\n", body)


def is_done(page: Near, revision: PageRevision) -> bool:
    """Whether the page has the new words already, and not the old ones."""
    told = all(edit.new in page.body and (edit.old in edit.new or edit.old not in page.body) for edit in revision.edits)
    return told and revision.title in (None, page.title)


def retitled(body: str, before: str, after: str) -> str:
    """With the first heading, where it is the title."""
    if before == after:
        return body
    return re.sub(rf"^# {re.escape(before)}[ \t]*$", lambda _: f"# {after}", body, count=1, flags=re.MULTILINE)


def revision_in(value: Mapping[str, Any], page: Near, shown: str) -> PageRevision:
    """Of a checked answer about a page of which a reader has seen a part. Words that the page has elsewhere, too, are
    told apart by what stands before them."""
    start = max(0, page.body.find(shown))
    edits = [_told_apart(page.body, start, TextEdit(one["old"], one["new"])) for one in value["edits"]]
    return PageRevision(tuple(edits), value["title"], value["summary"])


def _told_apart(body: str, start: int, edit: TextEdit) -> TextEdit:
    at = body.find(edit.old, start)
    if at < 0:
        return edit
    left, end = at, at + len(edit.old)
    while left and body.count(body[left:end]) > 1:
        left = body.rfind("\n", 0, left - 1) + 1
    return TextEdit(body[left:end], body[left:at] + edit.new)


def revision_value(revision: PageRevision) -> dict[str, Any]:
    """As a conflict's file keeps it."""
    edits = [{"old": one.old, "new": one.new} for one in revision.edits]
    return {"edits": edits, "new_title": revision.title, "new_summary": revision.summary}


def kept_revision(extra: Mapping[str, Any]) -> PageRevision:
    """From the file of a conflict, which people may have edited."""
    given: Sequence[Any] = extra.get("edits") if isinstance(extra.get("edits"), list) else ()  # type: ignore[assignment]
    edits = [
        TextEdit(str(one["old"]), str(one.get("new") or ""))
        for one in given
        if isinstance(one, Mapping) and one.get("old")
    ]
    texts = (extra.get(name) for name in ("new_title", "new_summary"))
    title, summary = (text if isinstance(text, str) and text.strip() else None for text in texts)
    return PageRevision(tuple(edits), title, summary)


def _cut(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= 80 else f"{line[:80]}…"
