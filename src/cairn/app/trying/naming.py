"""Names of code in documents: who wrote the line, and where the code defined the name back then."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cairn.adapters.vcs.past import Seen
from cairn.app.trying.ground import Ground, Page
from cairn.kernel.places import is_code_noise, is_hidden, is_test
from cairn.kernel.ports.vcs import Commit

_NAME = re.compile(r"(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w{3,})(\(.*\))?")
_FLAG = re.compile(r"(--[a-z][a-z0-9]+(?:-[a-z0-9]+)*)(?:[= ].*)?")
_MOST_COMMITS = 60
_AT_ONCE = 60


class Mention(NamedTuple):
    page: Page
    line: int
    name: str
    """The word that is looked for."""
    shown: str
    """As it is written."""


def name_in(span: str) -> str | None:
    """The word in a span that looks like the name of code and like nothing else."""
    if flag := _FLAG.fullmatch(span):
        return flag[1]
    found = _NAME.fullmatch(span)
    if not found or len(span) > 80:
        return None
    name, called = found[1], found[2]
    shaped = "_" in name.strip("_") or re.search(r"[a-z][A-Z]", name) or called or ("." in span and not _is_file(span))
    return name if shaped else None


def _is_file(span: str) -> bool:
    return span.rpartition(".")[2].lower() in {
        "md",
        "py",
        "js",
        "ts",
        "json",
        "toml",
        "yaml",
        "yml",
        "txt",
        "cfg",
        "ini",
    }


def by_commit(ground: Ground, mentions: Sequence[Mention]) -> Iterator[tuple[Commit, list[Mention]]]:
    """The mentions that one commit wrote, together; a bounded number of commits, those with most first."""
    commits: dict[Commit, list[Mention]] = defaultdict(list)
    for mention, commit in _written(ground, mentions):
        commits[commit].append(mention)
    for number, (commit, same) in enumerate(sorted(commits.items(), key=lambda item: (-len(item[1]), item[0].id))):
        if number >= _MOST_COMMITS or ground.deadline.over():
            ground.deadline.say("some older commits")
            return
        yield commit, same


def _written(ground: Ground, mentions: Iterable[Mention]) -> Iterator[tuple[Mention, Commit]]:
    pages: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        pages[mention.page.path].append(mention)
    for same in pages.values():
        if ground.deadline.over():
            ground.deadline.say("the history of some documents")
            return
        commits = written_by(ground, same[0].page, [mention.line for mention in same])
        yield from ((mention, commits[mention.line]) for mention in same if mention.line in commits)


def written_by(ground: Ground, page: Page, lines: Iterable[int]) -> dict[int, Commit]:
    """The commit that wrote each line. A line that is not committed as it stands has none."""
    data = ground.past.text("HEAD", page.path)
    if data is None:
        return {}
    committed = data.decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\ufeff").split("\n")
    places = {text: number for number, text in reversed(list(enumerate(committed, 1)))}
    there = {line: places[page.lines[line - 1]] for line in set(lines) if page.lines[line - 1] in places}
    found = ground.past.written(page.path, set(there.values()))
    return {line: found[at] for line, at in there.items() if at in found}


def definitions(ground: Ground, commit: str, names: Sequence[str]) -> dict[str, list[Seen]]:
    """The lines of code, tests left out, that defined each name at a commit."""
    found: dict[str, list[Seen]] = {}
    for start in range(0, len(names), _AT_ONCE):
        if ground.deadline.over():
            ground.deadline.say("some names in documents")
            break
        some = names[start : start + _AT_ONCE]
        shapes = {name: defines(name) for name in some}
        for seen in ground.past.words(commit, some):
            if is_code_noise(seen.path) or is_test(seen.path) or is_hidden(seen.path) or len(seen.text) > 400:
                continue
            for name in some:
                if name in seen.text and shapes[name].search(seen.text):
                    found.setdefault(name, []).append(seen)
    return found


def defines(name: str) -> re.Pattern[str]:
    """A line of code that brings a name into being, in any common language."""
    word = re.escape(name)
    if name.startswith("--"):
        return re.compile(rf"""["'`]{word}["'`=/, ]""")
    quoted = rf"""|["']{word}["']""" if name.isupper() else ""  # a variable of the environment
    words = "def|class|function|func|fn|const|let|var|val|type|struct|enum|interface|trait|module|macro|static|define"
    return re.compile(
        rf"""(?:\b(?:{words})\s+(?:\([^)]*\)\s*)?{word}\b|^\s*(?:export\s+|public\s+|self\.)?{word}\s*(?::[^=:]+)?=(?!=)|"""
        rf"""^\s*["']?{word}["']?\s*:\s{quoted})"""
    )
