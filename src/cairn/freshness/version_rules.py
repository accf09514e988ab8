"""The version of a corpus: how much it goes up for what was merged."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from cairn.errors import Refused, UsageError

Kind = Literal["major", "minor", "patch"]
LABEL: Final = "knowledge-freshness"
TITLE: Final = "chore(knowledge): bump "
"""How the commits of bumps start; they never bump themselves."""

_BREAKING: Final = re.compile(r"(?:\A|[\n\r\u2028\u2029])BREAKING CHANGE:")
_MINOR: Final = ("feat(knowledge):", "feat(knowledge-freshness):")
_PATCH: Final = ("chore(knowledge):", "chore(knowledge-freshness):", "fix(knowledge):", "fix(knowledge-freshness):")
_VERSION: Final = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})")
_OWN: Final = re.compile(re.escape(TITLE) + r".*\bto [0-9]+\.[0-9]+\.[0-9]+")
_LINE: Final = re.compile(r"[\n\r\u2028\u2029]")


class Version(NamedTuple):
    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    def bumped(self, kind: Kind, count: int = 1) -> "Version":
        """`count` is for several patches at once."""
        if kind == "major":
            return Version(self.major + 1, 0, 0)
        if kind == "minor":
            return Version(self.major, self.minor + 1, 0)
        return self._replace(patch=self.patch + count)


class Bump(NamedTuple):
    """One merged change, and what it does to the version."""

    title: str
    kind: Kind
    notice: str = ""
    """What a person may want to know, such as a title that says nothing about its kind."""


def read_version(text: str, *, file: str) -> Version:
    found = _VERSION.fullmatch(text.removeprefix("\ufeff").strip())
    if found is None:
        raise Refused(f"`{file}` holds no version; write one such as `1.4.2` into it.", file=file)
    return Version(int(found[1]), int(found[2]), int(found[3]))


def bump_of(title: str, body: str = "") -> Bump:
    """By the words of the title and a line `BREAKING CHANGE:`; one in the middle of a line is only talk."""
    title = title.strip()
    if "BREAKING CHANGE:" in title or _BREAKING.search(body):
        return Bump(title, "major")
    if title.startswith(_MINOR):
        return Bump(title, "minor")
    if title.startswith(_PATCH):
        return Bump(title, "patch")
    return Bump(
        title, "patch", f"the title starts with none of {', '.join((*_MINOR[:1], *_PATCH[:1]))} so it is a patch"
    )


def is_own(title: str) -> bool:
    """Whether a commit is the bump of another."""
    return _OWN.match(title) is not None


def replayed(messages: Iterable[str]) -> list[Bump]:
    """Of whole commit messages, oldest first."""
    found = []
    for message in messages:
        lines = _LINE.split(message.strip(), maxsplit=1)
        if lines[0] and not is_own(lines[0]):
            found.append(bump_of(lines[0], lines[1] if len(lines) > 1 else ""))
    return found


def split_messages(data: str) -> list[str]:
    """As `git log -z --reverse --format=%B` writes them."""
    return [message for message in data.split("\0") if message.strip()]


def folded(version: Version, bumps: Sequence[Bump]) -> Version:
    for bump in bumps:
        version = version.bumped(bump.kind)
    return version


def counted(bump: Bump, count: int) -> list[Bump]:
    """One patch so many times; a larger step can't be taken twice for one change."""
    if count > 1 and bump.kind != "patch":
        raise UsageError(f"--count is for patches, and this is a {bump.kind} change; leave it out.")
    return [bump] * count
