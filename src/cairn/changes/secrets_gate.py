"""The gate `secrets`: what must not leave does not get into a request."""

from collections.abc import Iterator
from typing import Any, Final

from cairn.changes.gate import GateContext
from cairn.core.model.change import ChangeSet, GateRuling, Level
from cairn.lib.scrub.find import SecretHit, find
from cairn.lib.text.line_diff import changed_lines

MOST_SHOWN: Final = 50


class Secrets:
    """Keys, tokens, passwords and personal data in what a change adds.

    **What it checks.** Every line that the change adds, and its title and text, by the rules of `cairn scrub`. What was
    there before is not its business.

    **Why it matters.** A request is a place where others read, and what was pushed once stays in the history. So a
    change that this gate blocks is not published at all.

    **How to pass.** Take the secret out, or write a placeholder such as `<token>` or `user@example.com`. The ruling
    names file, line and rule, and never shows what it found.
    """

    id: Final = "secrets"

    def judge(self, change: ChangeSet, around: GateContext) -> GateRuling:
        found = [*_in_words(change), *_in_files(change, around)]
        direct = [item for item in found if item["category"] == "direct"]
        if direct:
            return GateRuling(self.id, Level.BLOCK, _sentence(direct), tuple(found[:MOST_SHOWN]))
        if found:
            reason = f"Nothing secret was found, but {_places(found)} may lead to a person; have a look."
            return GateRuling(self.id, Level.NOTE, reason, tuple(found[:MOST_SHOWN]))
        return GateRuling(self.id, Level.PASS, "No secret and no personal data was found in what the change adds.")


def _sentence(direct: list[dict[str, Any]]) -> str:
    first = direct[0]
    place = f"{first['path']} line {first['line']}" if "path" in first else f"the {first['place']} of the change"
    more = f", and {len(direct) - 1} more" if len(direct) > 1 else ""
    return f"What looks like {_named(first['rule'])} is in {place}{more}; take it out or write a placeholder."


def _named(rule: str) -> str:
    words = rule.replace("-", " ")
    return f"an {words}" if words[0] in "aeiou" else f"a {words}"


def _places(found: list[dict[str, Any]]) -> str:
    return "one place" if len(found) == 1 else f"{len(found)} places"


def _in_words(change: ChangeSet) -> Iterator[dict[str, Any]]:
    for place, text in (("title", change.title), ("text", change.body)):
        for hit in find(text):
            yield {"place": place, "line": text.count("\n", 0, hit.start) + 1, **_facts(hit)}


def _in_files(change: ChangeSet, around: GateContext) -> Iterator[dict[str, Any]]:
    for edit in change.edits:
        if edit.content is None or b"\0" in edit.content:
            continue
        new = edit.content.decode("utf-8", "replace")
        hits = find(new)
        if hits:
            old = (around.base(edit.path) or b"").decode("utf-8", "replace")
            added = frozenset(changed_lines(old, new).added)
            yield from (fact for hit in hits if (fact := _added(hit, new, added, edit.path)))


def _added(hit: SecretHit, text: str, added: frozenset[int], path: str) -> dict[str, Any] | None:
    """Also one of several lines, of which only the last is new."""
    first = text.count("\n", 0, hit.start)
    last = first + text.count("\n", hit.start, hit.end)
    if added.isdisjoint(range(first, last + 1)):
        return None
    message = f"This looks like {_named(hit.rule)}; take it out or write a placeholder."
    return {"path": path, "line": first + 1, **_facts(hit), "message": message}


def _facts(hit: SecretHit) -> dict[str, Any]:
    return {"rule": hit.rule, "category": hit.category}
