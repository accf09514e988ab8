"""The version of a corpus, raised after merges. What has to be counted is worked out from the requests each time."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from cairn.changes.make_change import base_commit
from cairn.changes.ports import ChangesPorts
from cairn.core.model.change import ChangeRequest, ChangeSet, FileEdit, RequestState, Taint
from cairn.core.model.knowledge import Corpus, corpus_of
from cairn.errors import NotFound, Refused, UsageError

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


ORIGIN = "bump"
FILE = "VERSION"


class Plan(NamedTuple):
    file: str
    """From the root of the workspace."""
    current: Version
    bumps: tuple[Bump, ...]
    covers: tuple[str, ...] = ()
    """Requests that are counted, oldest first."""
    base: str = ""

    @property
    def next(self) -> Version:
        return folded(self.current, self.bumps)


# --- what is to be counted --------------------------------------------------------------------------------------------


def version_file(ports: ChangesPorts, given: str | None) -> str:
    """The one that was named, else the only one that a corpus has."""
    if given is not None:
        return given
    base = base_commit(ports)
    files = [file_of(corpus) for corpus in ports.corpora]
    there = [file for file, data in zip(files, _at(ports, base, files), strict=True) if data is not None]
    if not there:
        wanted = " or ".join(f"`{file}`" for file in files) or "`VERSION`"
        raise NotFound(f"No corpus has a version yet; commit one such as `0.1.0` as {wanted}.")
    if len(there) > 1:
        listed = ", ".join(f"`{file}`" for file in there)
        raise UsageError(f"Several corpora have a version ({listed}); say which with --file.")
    return there[0]


def file_of(corpus: Corpus) -> str:
    return f"{corpus.root}/{FILE}" if corpus.root else FILE


def plan(ports: ChangesPorts, file: str, bumps: Sequence[Bump] | None = None) -> Plan:
    """Against the base branch as it is now. Without bumps of somebody's own, what was merged and not counted yet."""
    base = base_commit(ports)
    [data] = _at(ports, base, [file])
    if data is None:
        raise NotFound(f"There is no `{file}` on the base branch; commit one that says `0.1.0`, or name another.")
    current = read_version(data.decode("utf-8", "replace"), file=file)
    if bumps is not None:
        return Plan(file, current, tuple(bumps), base=base)
    waiting = uncounted(ports.forge.requests(), file, ports.corpora)
    return Plan(file, current, tuple(bump_of(one.title, one.body) for one in waiting), _ids(waiting), base)


def uncounted(requests: Sequence[ChangeRequest], file: str, corpora: tuple[Corpus, ...]) -> list[ChangeRequest]:
    """Merged requests about the corpus of a version file that no merged bump has counted, oldest first."""
    counted = {
        id
        for request in requests
        if request.kind == ORIGIN and request.state is RequestState.MERGED
        for id in request.evidence.get("covers", ())
    }
    merged = [
        one for one in requests if one.state in (RequestState.MERGED, RequestState.REVERTED) and one.id not in counted
    ]
    return sorted((one for one in merged if _counts(one, file, corpora)), key=lambda one: (one.updated_at_ms, one.id))


def _counts(request: ChangeRequest, file: str, corpora: tuple[Corpus, ...]) -> bool:
    ours = request.branch.startswith(f"{LABEL}/") or any(label.name == LABEL for label in request.labels)
    if not ours or request.kind == ORIGIN:
        return False
    return any((corpus := corpus_of(path, corpora)) and file_of(corpus) == file for path in request.paths)


def _ids(requests: Sequence[ChangeRequest]) -> tuple[str, ...]:
    return tuple(request.id for request in requests)


def _at(ports: ChangesPorts, revision: str, paths: Sequence[str]) -> list[bytes | None]:
    return ports.vcs.show([(revision, path) for path in paths])


# --- the change -------------------------------------------------------------------------------------------------------


def change_of(planned: Plan) -> ChangeSet:
    titles = "\n".join(f"- {bump.kind}: {' '.join(bump.title.split())}" for bump in planned.bumps)
    return ChangeSet(
        origin=ORIGIN,
        subject=planned.file,
        base=planned.base,
        edits=(FileEdit(planned.file, f"{planned.next}\n".encode()),),
        title=f"{TITLE}{planned.file} to {planned.next}",
        body=f"From {planned.current}, for what was merged:\n\n{titles}",
        evidence={"covers": list(planned.covers), "from": str(planned.current), "to": str(planned.next)},
        taint=Taint.REPOSITORY,
        landing="auto",
        kind=ORIGIN,
    )


def plans_after_merge(ports: ChangesPorts, request: ChangeRequest) -> Iterator[Plan]:
    """Of every corpus that the request touched and that has a version, each as of the moment when it is asked for."""
    if request.kind == ORIGIN:
        return
    touched = {file_of(corpus) for path in request.paths if (corpus := corpus_of(path, ports.corpora))}
    base = base_commit(ports)
    for file in sorted(touched):
        if _counts(request, file, ports.corpora) and _at(ports, base, [file])[0] is not None:
            yield plan(ports, file)


def plan_json(planned: Plan) -> dict[str, Any]:
    return {
        "file": planned.file,
        "current": str(planned.current),
        "bumps": [{"title": bump.title, "kind": bump.kind, "notice": bump.notice} for bump in planned.bumps],
        "next": str(planned.next),
        "covers": list(planned.covers),
    }
