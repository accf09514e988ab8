"""Owners of files, by the CODEOWNERS of the repository."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cairn.core.model.graph import issue_json
from cairn.core.model.issue import Issue
from cairn.core.ports.runtime import Files, ReadFailed
from cairn.errors import NotFound
from cairn.lib.globs.glob import glob_regex, literal_length
from cairn.lib.text.names import hint
from cairn.workspace.ports import WorkspacePorts

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Where it is looked for; the first that is there counts."""
MAX_BYTES = 3 * 1024 * 1024
"""What GitHub takes."""
MAX_RULES = 10_000

_OWNER = re.compile(r"@@?[\w.-]+(?:/[\w.-]+)*|[^@\s]++@(?=[^@\s]++\Z)[^@\s]+\.[^@\s]+")
_SECTION = re.compile(r"\^?\[([^\]\n]+)\](?:\[\d+\])?(?:\s+(.*))?")
_WORD = re.compile(r"(?:\\.|\\$|[^\s\\])+")


class OwnerRule:
    """A line. Its expression is compiled when it is first needed, which for most is never."""

    __slots__ = ("_compiled", "_regex", "_start", "owners", "section")

    def __init__(self, section: str, start: str, regex: str, owners: tuple[str, ...]) -> None:
        self.section = section
        self.owners = owners
        self._start = start
        self._regex = regex
        self._compiled: re.Pattern[str] | None = None

    def fits(self, path: str) -> bool:
        if not path.startswith(self._start):
            return False
        if self._compiled is None:
            self._compiled = re.compile(self._regex)
        return self._compiled.fullmatch(path) is not None


class SkippedLine(NamedTuple):
    """A line that was passed over, and why."""

    line: int
    reason: str


class Owners:
    """What a CODEOWNERS file says."""

    def __init__(
        self, rules: Iterable[OwnerRule] = (), notes: Iterable[SkippedLine] = (), *, name: str = "", base: str = ""
    ) -> None:
        self.notes = tuple(notes)
        self.name = name
        """Of the file, from the root of the repository; empty when there is none."""
        self._base = base
        self._sections: dict[str, list[OwnerRule]] = {}
        for rule in reversed(tuple(rules)):
            self._sections.setdefault(rule.section, []).append(rule)
        self._known: dict[str, tuple[str, ...]] = {}

    def __bool__(self) -> bool:
        return bool(self._sections)

    def of(self, path: str) -> tuple[str, ...]:
        """Each owner once; a path is asked for as it is in the workspace."""
        found = self._known.get(path)
        if found is None:
            full = self._base + path
            named = (owner for rules in self._sections.values() for owner in _last_fit(rules, full))
            found = self._known[path] = tuple(dict.fromkeys(named))
        return found

    def everybody(self) -> tuple[str, ...]:
        return tuple(sorted({owner for rules in self._sections.values() for rule in rules for owner in rule.owners}))


def _last_fit(rules: list[OwnerRule], path: str) -> tuple[str, ...]:
    return next((rule.owners for rule in rules if rule.fits(path)), ())


# --- reading --------------------------------------------------------------------------------------------------------


def parse_owners(text: str, *, name: str = "CODEOWNERS", base: str = "") -> Owners:
    """`base` is the folder of the workspace within the repository, with a slash behind it; mostly there is none."""
    rules: list[OwnerRule] = []
    notes: list[SkippedLine] = []
    section = ""
    default: tuple[str, ...] = ()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        words = _words(line)
        if not words:
            continue
        opened = _section(line.strip())
        if opened is not None:
            section, default = opened
            continue
        rule = _rule(section, words, default) if len(rules) < MAX_RULES else f"only {MAX_RULES:,} lines are read"
        if isinstance(rule, str):
            notes.append(SkippedLine(number, rule))
        else:
            rules.append(rule)
    return Owners(rules, notes, name=name, base=base)


def _words(line: str) -> list[str]:
    """Without what follows a `#`; a backslash keeps the space behind it in the word."""
    words: list[str] = []
    for word in _WORD.findall(line):
        if word.startswith("#"):
            break
        words.append(word)
    return words


def _section(line: str) -> tuple[str, tuple[str, ...]] | None:
    """`[Name][2] @owner` of GitLab opens a section, with owners for the lines that name none."""
    found = _SECTION.fullmatch(line)
    if found is None:
        return None
    owners = tuple(_words(found[2] or ""))
    return (found[1].strip().lower(), owners) if all(map(_OWNER.fullmatch, owners)) else None


def _rule(section: str, words: list[str], default: tuple[str, ...]) -> OwnerRule | str:
    """The rule of a line, or why it is none."""
    pattern, *owners = words
    if pattern.startswith("!"):
        return "a pattern cannot start with `!` here; name an owner in a later line instead"
    if bad := next((owner for owner in owners if not _OWNER.fullmatch(owner)), None):
        return f"`{bad[:60]}` is no owner; write @user, @organisation/team or an e-mail address"
    regex = path_regex(pattern)
    if regex is None:
        return f"`{pattern[:60]}` is no pattern that can match a file; write it as in .gitignore, without brackets"
    return OwnerRule(section, _start_of(pattern), regex, tuple(owners) or default)


def path_regex(pattern: str) -> str | None:
    """Like a line of a .gitignore, but `folder/*` does not reach further down."""
    body = pattern.strip("/") if pattern.endswith("/") else pattern.removeprefix("/")
    if not body or "[" in body:
        return None
    regex = glob_regex(body, deep=True)
    if regex is None:
        return None
    anchored = "/" in pattern.removesuffix("/")
    below = "/.*" if pattern.endswith("/") else "" if pattern.endswith("/*") else "(?:/.*)?"
    return f"(?s:{'' if anchored else '(?:.*/)?'}{regex}{below})"


def _start_of(pattern: str) -> str:
    """What a path has to start with to be worth a closer look."""
    if "/" not in pattern.removesuffix("/"):
        return ""
    return pattern[: literal_length(pattern)].strip("/")


# --- asking ---------------------------------------------------------------------------------------------------------


def find_owners(read: Callable[[str], bytes | None], *, base: str = "") -> Owners:
    """From the first file there is; `read` gives the bytes of a file of the repository, None when it isn't there."""
    for place in PLACES:
        data = read(place)
        if data is None:
            continue
        if len(data) > MAX_BYTES:
            return Owners(notes=[SkippedLine(1, "it is larger than 3 MB; GitHub does not read it either")], name=place)
        return parse_owners(data.decode("utf-8", "replace"), name=place, base=base)
    return Owners()


def owned_by(owners: Owners, wanted: str) -> Callable[[str], bool]:
    """Whether a path belongs to somebody; @ and case don't matter."""
    name = _plain(wanted)
    everybody = owners.everybody()
    if not owners.name:
        raise NotFound("There is no CODEOWNERS file; write one in .github/, in the root of the repository or in docs/.")
    if name not in map(_plain, everybody):
        some = f"there are {', '.join(everybody[:5]) or 'no owners'}."
        raise NotFound(f"`{owners.name}` knows no owner `{wanted}`; {hint(wanted, everybody, some)}")
    return lambda path: name in map(_plain, owners.of(path))


def _plain(owner: str) -> str:
    return owner.lstrip("@").lower()


def owned_issues(issues: Iterable[Issue], owners: Owners, wanted: str | None) -> list[Issue]:
    """All issues, or those that have a place in a file of this owner, at these places."""
    if wanted is None:
        return list(issues)
    from cairn.core.model.issue import narrowed

    fits = owned_by(owners, wanted)
    return [part for issue in issues if (part := narrowed(issue, lambda place: fits(place.path)))]


def issue_with_owners(issue: Issue, owners: Owners) -> dict[str, Any]:
    """As JSON, with `owners` when the file has any."""
    named = owners.of(issue.path)
    return {**issue_json(issue), **({"owners": list(named)} if named else {})}


def broken_lines(owners: Owners) -> Iterator[str]:
    """One sentence for all that was passed over, if anything was."""
    if owners.notes:
        line, reason = owners.notes[0]
        more = f", and {len(owners.notes) - 1} more lines like it" if len(owners.notes) > 1 else ""
        yield f"{owners.name}:{line}: {reason}{more}"


def owners_here(ports: WorkspacePorts) -> Owners:
    home = ports.root.resolve()
    repository = _repository(home)
    files = ports.files if repository == home else ports.files_at(repository)
    base = "" if repository == home else f"{home.relative_to(repository).as_posix()}/"
    return find_owners(lambda path: _data(files, path), base=base)


def _repository(home: Path) -> Path:
    """The nearest folder upwards that git knows, or the workspace itself."""
    return next((folder for folder in (home, *home.parents) if (folder / ".git").exists()), home)


def _data(files: Files, path: str) -> bytes | None:
    try:
        return files.read(path)[0] if files.exists(path) else None
    except ReadFailed:
        return None
