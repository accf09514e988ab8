"""Documents that state a value, a default or a parameter which the code has changed since the sentence was written."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cairn.app.trying.finding import Evidence, Finding
from cairn.app.trying.ground import Ground
from cairn.app.trying.naming import Mention, by_commit, definitions, name_in
from cairn.kernel.code.model import Outline, Symbol
from cairn.kernel.code.read import outline
from cairn.kernel.ports.files import ReadFailed
from cairn.kernel.ports.vcs import Commit
from cairn.kernel.text.tense import about_the_past

KIND = "changed-code"
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_VALUE = re.compile(
    r"""(?<![\w.-])(?:\d[\d_]*(?:\.\d+)?|true|false|none|null)(?![\w-])|["'][^"'\s]+["']""", re.IGNORECASE
)
_PAIR = re.compile(r"""([\w.-]+)\s*(?::[^=,()]*)?=\s*("[^"]*"|'[^']*'|[^,()\s]+)""")
_PARAMETER = re.compile(r"\b([a-z_]\w*)\s*=(?!=)")
_MOST_NAMES = 400


class Change(NamedTuple):
    """What the sentence says, and what holds."""

    said: str
    now: str
    what: str
    """Of which name or parameter."""


def find(ground: Ground) -> Iterator[Finding]:
    if not ground.has_past:
        return
    mentions = list(_telling(ground))
    if len(mentions) > _MOST_NAMES:
        ground.deadline.say(f"{len(mentions) - _MOST_NAMES:,} sentences with values in them")
    told: set[tuple[str, str]] = set()
    for commit, same in by_commit(ground, mentions[:_MOST_NAMES]):
        seen = definitions(ground, commit.id, sorted({mention.name for mention in same}))
        for mention in same:
            places = {place.path for place in seen.get(mention.name, ())}
            if len(places) == 1 and (mention.page.path, mention.name) not in told:
                for found in _compared(ground, mention, commit, places.pop()):
                    told.add((mention.page.path, mention.name))
                    ground.told.add((mention.page.path, mention.line))
                    yield found


def _telling(ground: Ground) -> Iterator[Mention]:
    """Names in backticks whose line also has a value, or that are written as a call with parameters."""
    for page in ground.pages(history=False):
        for line, span in page.spans():
            name = span if _CONSTANT.fullmatch(span) else name_in(span)
            words = page.prose_lines[line - 1]
            if name and (_VALUE.search(words) or _PARAMETER.search(span)) and not about_the_past(words):
                yield Mention(page, line, name, span)


def _compared(ground: Ground, mention: Mention, commit: Commit, path: str) -> Iterator[Finding]:
    before, after = ground.past.text(commit.id, path), _now(ground, path)
    if before is None or after is None or before == after:
        return
    old, new = (_symbol(outline(path, data, ground.probe), mention) for data in (before, after))
    if old is None or new is None or old.shown == new.shown:
        return
    change = _change(mention, old, new)
    if change is not None:
        yield _finding(ground, mention, commit, (old, new), change)


def _now(ground: Ground, path: str) -> bytes | None:
    try:
        return ground.files.read(path)[0]
    except ReadFailed:
        return None


def _symbol(found: Outline, mention: Mention) -> Symbol | None:
    """The one symbol of that name; none when there are several, unless the document says whose it is."""
    named = [s for s in found.symbols if s.short == mention.name and s.kind != "parameter"]
    if len(named) > 1:
        full = mention.shown.partition("(")[0]
        named = [s for s in named if s.name == full or s.name.endswith(f".{full}")] if "." in full else []
    return named[0] if len(named) == 1 else None


def _change(mention: Mention, old: Symbol, new: Symbol) -> Change | None:
    words = mention.page.prose_lines[mention.line - 1]
    was, now = dict(_PAIR.findall(old.shown)), dict(_PAIR.findall(new.shown))
    for name, value in was.items():
        if name in now and now[name] != value and _says(words, name, value, now[name], mention):
            return Change(value, now[name], name)
    return _lost_parameter(mention, old, new)


def _says(words: str, name: str, value: str, today: str, mention: Mention) -> bool:
    """Whether the line gives the old value of this very name, and nowhere the new one."""
    plain = value.strip("\"'")
    if name not in (mention.name, mention.name.rpartition(".")[2]) and not re.search(rf"\b{re.escape(name)}\b", words):
        return False
    if not _VALUE.fullmatch(value) or plain in ("0", "1"):
        return False
    return _stands(plain, words) and not _stands(today.strip("\"'"), words)


def _stands(value: str, words: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(value)}(?![\w-]|\.\d)", words, re.IGNORECASE) is not None


def _lost_parameter(mention: Mention, old: Symbol, new: Symbol) -> Change | None:
    """A call in the document gives a parameter that the code took once and does not take now."""
    if "**" in new.shown or "(" not in mention.shown or new.kind not in ("function", "method"):
        return None
    for name in _PARAMETER.findall(mention.shown):
        had, has = (re.search(rf"\b{re.escape(name)}\b", symbol.shown) for symbol in (old, new))
        if had and not has:
            return Change(name, "", name)
    return None


def _finding(ground: Ground, mention: Mention, commit: Commit, symbols: Sequence[Symbol], change: Change) -> Finding:
    old, new = symbols
    by = ground.past.last_touch(change.said.strip("\"'"), commit.id, new.path)
    if change.now:
        of = "" if change.what == mention.name else f"{change.what} of "
        message = f"This says {change.said} of {of}`{mention.name}`; the code says {change.now}."
    else:
        message = f"This passes `{change.said}` to `{mention.name}`, which does not take it any more."
    because = f"when the line was written ({commit.short}, {commit.date}) the code was `{old.shown[:100]}`"
    because += f"; {by.short} ({by.date}, “{by.subject[:60]}”) changed it" if by else ""
    fix = f"Say {change.now}." if change.now else f"Show how it is called today: `{new.shown[:100]}`."
    evidence = (mention.page.evidence(mention.line), Evidence(new.path, new.line, new.shown[:160]))
    return Finding(KIND, message, evidence, because, fix, 0.95, 0.95)
