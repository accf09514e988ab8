"""Documents that name code which is gone: there when the sentence was written, nowhere now."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cairn.adapters.vcs.past import Seen
from cairn.app.trying.finding import Evidence, Finding
from cairn.app.trying.ground import Ground, Page
from cairn.app.trying.naming import Mention, by_commit, definitions, name_in, written_by
from cairn.kernel.places import is_code_noise
from cairn.kernel.ports.vcs import Commit
from cairn.kernel.text.tense import about_the_past

KIND = "gone-code"
_PATH = re.compile(r"(?:[\w.-]+/)+[\w.-]+\.[a-z]{1,4}")
_ABROAD = re.compile(r"https?://|\bpip install|\bnpm |\bbrew |\bapt(?:-get)? |\bgit ")
_MOST_NAMES = 400
_MOST_ASKED = 30


class Proof(NamedTuple):
    mention: Mention
    written: Commit
    seen: Seen
    """Where the name was defined back then."""


def find(ground: Ground) -> Iterator[Finding]:
    if not ground.has_past:
        return
    missing = list(_missing(ground))
    if len(missing) > _MOST_NAMES:
        ground.deadline.say(f"{len(missing) - _MOST_NAMES:,} names in documents that the code may not have any more")
    proofs = list(_proofs(ground, missing[:_MOST_NAMES]))
    present = _present(ground, {proof.mention.name for proof in proofs})
    by_name: dict[str, list[Proof]] = defaultdict(list)
    for proof in proofs:
        if proof.mention.name not in present:
            by_name[proof.mention.name].append(proof)
    for number, same in enumerate(by_name.values()):
        ground.told.update((proof.mention.page.path, proof.mention.line) for proof in same)
        yield _finding(ground, same, asking=number < _MOST_ASKED)
    yield from _gone_paths(ground)


# --- names ------------------------------------------------------------------------------------------------------------


def _missing(ground: Ground) -> Iterator[Mention]:
    """Names in backticks that no code has."""
    for page in ground.pages(history=False):
        for line, span in page.spans():
            name = name_in(span)
            if name and not _known(ground, name) and not excused(page, line):
                yield Mention(page, line, name, span)


def _known(ground: Ground, name: str) -> bool:
    if name.startswith("--"):
        words = name[2:].split("-")
        return name[2:].replace("-", "_") in ground.code_words or (len(words) == 1 and words[0] in ground.code_words)
    return name in ground.code_words


def excused(page: Page, line: int) -> bool:
    around = " ".join(page.prose_lines[max(0, line - 2) : line + 1])
    return about_the_past(around) or _ABROAD.search(page.lines[line - 1]) is not None


def _proofs(ground: Ground, mentions: Sequence[Mention]) -> Iterator[Proof]:
    """Those that the code had when their sentence was written, with the line that defined them."""
    for commit, same in by_commit(ground, mentions):
        seen = definitions(ground, commit.id, sorted({mention.name for mention in same}))
        yield from (Proof(mention, commit, seen[mention.name][0]) for mention in same if mention.name in seen)


def _present(ground: Ground, names: set[str]) -> set[str]:
    """Which of the names the code still has, also where we did not read it."""
    if not names:
        return set()
    seen = ground.past.words("HEAD", sorted(names))
    return {name for name in names for line in seen if name in line.text and not is_code_noise(line.path)}


# --- what to say ------------------------------------------------------------------------------------------------------


def _finding(ground: Ground, proofs: list[Proof], *, asking: bool) -> Finding:
    """`asking`: whether git should also say who took it away, which costs time."""
    mention, written, seen = proofs[0]
    wanted = asking and not ground.deadline.over()
    removed = ground.past.last_touch(mention.name, written.id, seen.path) if wanted else None
    successor = _successor(ground, removed, seen, mention.name) if removed else None
    now = f"; `{successor}` took its place" if successor else ""
    message = f"This names `{mention.shown}`, which the code does not have any more{now}."
    because = f"it was at {seen.path}:{seen.line} when the line was written ({written.short}, {written.date})"
    if removed:
        because += f"; {removed.short} ({removed.date}, “{removed.subject[:60]}”) took it away"
    fix = (
        f"Say `{successor}`, if that is what it became." if successor else "Say what holds today, or drop the sentence."
    )
    places = [proof.mention.page.evidence(proof.mention.line) for proof in proofs]
    evidence = (*dict.fromkeys(places[:2]), Evidence(seen.path, seen.line, f"{seen.text.strip()[:160]}"))
    return Finding(KIND, message, evidence, because, fix, 0.93, 0.95, more=max(0, len(places) - 2))


def _successor(ground: Ground, removed: Commit, seen: Seen, name: str) -> str | None:
    """What stands where the name stood, when the line changed in nothing else."""
    lines = ground.past.change(removed.id, seen.path).split("\n")
    old = [line[1:] for line in lines if line.startswith("-") and not line.startswith("---") and name in line]
    new = [line[1:] for line in lines if line.startswith("+") and not line.startswith("+++")]
    for line in old[:20]:
        before, _, after = line.partition(name)
        for other in new:
            middle = other[len(before) : len(other) - len(after)] if after else other[len(before) :]
            if (
                other.startswith(before)
                and other.endswith(after)
                and re.fullmatch(r"(?:--)?[A-Za-z_][\w-]{2,}", middle)
                and _plausible(name, middle, before + after)
            ):
                return middle if middle != name else None
    return None


def _plausible(name: str, other: str, rest: str) -> bool:
    """Whether it is no accident that two lines differ in a name only: the names are alike, or the rest says enough."""
    said = [word for word in re.findall(r"[^\W\d_]\w+", rest) if word not in _KEYWORDS]
    parts, others = (set(re.findall(r"[a-z]+|[A-Z][a-z]*", text)) for text in (name, other))
    return len(said) > 1 or bool(parts & others)


_KEYWORDS = frozenset(
    {"def", "class", "self", "cls", "function", "func", "fn", "const", "let", "var", "async", "export"}
)


# --- files ------------------------------------------------------------------------------------------------------------


def _gone_paths(ground: Ground) -> Iterator[Finding]:
    """Paths in backticks that were tracked once."""
    told: set[str] = set()
    for page in ground.pages(history=False):
        for line, span in page.spans():
            path = span.removeprefix("./")
            if path in told or not _PATH.fullmatch(path) or excused(page, line) or ground.deadline.over():
                continue
            told.add(path)
            if not _on_disk(ground, page, path) and (found := _gone_path(ground, page, line, path)):
                ground.told.add((page.path, line))
                yield found


def _on_disk(ground: Ground, page: Page, path: str) -> bool:
    folder = page.path.rpartition("/")[0]
    return (
        ground.files.exists(path)
        or ground.files.exists(f"{folder}/{path}")
        or any(other.endswith(f"/{path}") for other in ground.by_name.get(path.rpartition("/")[2], ()))
    )


def _gone_path(ground: Ground, page: Page, line: int, path: str) -> Finding | None:
    removed = ground.past.removal(path)
    if removed is None:
        return None
    written = written_by(ground, page, [line]).get(line)
    if written is None or ground.past.text(written.id, path) is None:
        return None
    to = ground.past.moved(removed.id, path)
    to = to if to in ground.paths else None
    message = f"This names the file `{path}`, which is gone{f'; it is `{to}` now' if to else ''}."
    because = (
        f"it was there when the line was written ({written.short}, {written.date}); "
        f"{removed.short} ({removed.date}, “{removed.subject[:60]}”) took it away"
    )
    fix = f"Say `{to}`." if to else "Say what holds today, or drop the sentence."
    return Finding(KIND, message, (page.evidence(line),), because, fix, 0.97, 0.85)
