"""`cairn.lock`: what Cairn knows about the pages of somebody else's folder, where the pages themselves stay untouched.

One fact a line, and each line names its page. So no two pages have a line in common that git could take for the same
one, and two people who add pages get both, whichever way the file is merged. A blank line stands between pages, so that
changes of neighbours do not touch. Where two people looked at the same page, git may keep the lines of both, and the
later look counts.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from cairn.core.model.issue import Issue, Severity
from cairn.core.model.knowledge import Corpus, EntryStatus, Source, Volatility
from cairn.core.ports.runtime import Files, ReadFailed
from cairn.errors import ConfigError, EnvironmentProblem
from cairn.lib.text.parse_json import parse_json

NAME = "cairn.lock"
"""At the root of the corpus."""
VERSION = 1
ATTRIBUTES = f"{NAME} merge=union"
"""A line for `.gitattributes`: pages that two people add side by side are both kept without a question."""

_HEADER = (
    f"# cairn.lock {VERSION}: what Cairn knows about the pages of this folder. `cairn freshness stamp` writes it; "
    "commit it, don't edit it."
)


@dataclass(frozen=True, slots=True)
class PageRecord:
    last_reviewed: str | None = None
    status: EntryStatus | None = None
    volatility: Volatility | None = None
    sources: tuple[Source, ...] = ()
    extra: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Facts that this version does not know, as they are written: the word and what follows it."""
    source_extra: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By reference of a source: what stands in its line that this version does not know."""
    version: str | None = None
    """Of the page itself, written with its status."""

    @property
    def known(self) -> bool:
        """Whether it says anything."""
        return self != PageRecord()


@dataclass(frozen=True, slots=True)
class Lock:
    pages: Mapping[str, PageRecord] = field(default_factory=dict)
    """By path below the root of the corpus."""

    def with_page(self, path: str, record: PageRecord) -> "Lock":
        return Lock({**self.pages, path: record})


# --- writing --------------------------------------------------------------------------------------------------------


def render_lock(lock: Lock) -> str:
    blocks = ["\n".join(_page_lines(path, record)) for path, record in sorted(lock.pages.items()) if record.known]
    return "\n\n".join([_HEADER, *blocks]) + "\n"


def lock_value(lock: Lock) -> dict[str, Any]:
    """The same as data, as `schemas/lock.schema.json` describes it."""
    pages = {path: _page_value(record) for path, record in sorted(lock.pages.items())}
    return {"version": VERSION, "pages": pages}


def _page_value(record: PageRecord) -> dict[str, Any]:
    facts = dict(_facts(record))
    value: dict[str, Any] = {key: str(fact) for key, fact in facts.items() if fact is not None}
    value["sources"] = [dict(_source_facts(source)) for source in record.sources]
    return value


def _page_lines(path: str, record: PageRecord) -> Iterator[str]:
    for word, fact in _facts(record):
        if fact is not None:
            yield _line(path, word, [str(fact)])
    for source in sorted(record.sources, key=_order):
        unknown = record.source_extra.get(source.reference, ())
        yield _line(path, "source", [*_attributes(source), *unknown])
    for word, rest in sorted(record.extra):
        yield _line(path, word, rest)


def _facts(record: PageRecord) -> Iterator[tuple[str, Any]]:
    yield "reviewed", record.last_reviewed
    yield "status", record.status
    yield "version", record.version
    yield "volatility", record.volatility


def _order(source: Source) -> tuple[str, str, str]:
    return source.kind, source.target, source.anchor or ""


def _attributes(source: Source) -> list[str]:
    return [f"{key}={fact}" for key, fact in _source_facts(source)]


def _source_facts(source: Source) -> Iterator[tuple[str, Any]]:
    yield source.kind, source.target
    for key in _OF_A_SOURCE:
        fact = getattr(source, key)
        if fact is not None:
            yield key, fact


def _line(path: str, word: str, rest: Iterable[str]) -> str:
    return "  ".join(map(_token, (path, word, *rest)))


_BARE = re.compile(r'[^\s"#<>|=\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff][^\s"\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]*')


def _token(text: str) -> str:
    """As it is, or in quotes where a blank or something odd is in it."""
    return text if _BARE.fullmatch(text) else json.dumps(text)


# --- merging --------------------------------------------------------------------------------------------------------

_BOM = b"\xef\xbb\xbf"


def with_attribute(attributes: bytes) -> bytes:
    """A `.gitattributes` in which git is told how to merge lock files, unless it says something about that already. The
    line stands first: what the repository itself says further down overrules it, and it can be taken out again."""
    if any(_speaks_of_locks(line) for line in attributes.splitlines()):
        return attributes
    mark = _BOM if attributes.startswith(_BOM) else b""
    return mark + ATTRIBUTES.encode() + b"\n" + attributes.removeprefix(mark)


def _speaks_of_locks(line: bytes) -> bool:
    pattern, *attributes = line.removeprefix(_BOM).split() or [b""]
    return pattern.endswith(NAME.encode()) and any(b"merge" in attribute for attribute in attributes)


def without_attribute(attributes: bytes) -> bytes:
    """The same without that line."""
    mark = _BOM if attributes.startswith(_BOM) else b""
    lines = attributes.removeprefix(mark).splitlines(keepends=True)
    return mark + b"".join(line for line in lines if line.strip() != ATTRIBUTES.encode())


# --- reading --------------------------------------------------------------------------------------------------------

_OF_A_SOURCE = ("anchor", "hash", "raw", "canon", "retrieved", "drifted")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"(?=[ \t]|$)|[^\s"]\S*')
_HEADED = re.compile(r"#\s*cairn\.lock\s+(\d{1,9})\b")
_CONFLICT = re.compile(r"<{7}( |$)|={7}$|>{7}( |$)|\|{7}( |$)")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def parse_lock(text: str, file: str = NAME) -> Lock:
    """What a lock file says. What cannot be right is a ConfigError that names file and line; nothing else is raised."""
    try:
        return _parsed(text)
    except _Wrong as wrong:
        line, sentence = wrong.args
        said = f"this file {sentence}"
        raise ConfigError(f"{file}, line {line}: {said}", file=file, line=line, said=said) from None


def _parsed(text: str) -> Lock:
    facts: dict[str, dict[str, Any]] = {}
    lines = text.removeprefix("\ufeff").split("\n")
    for number, line in enumerate(lines, 1):
        line = line.removesuffix("\r")
        if _CONFLICT.match(line):
            _refuse(number, _MERGE)
        if line.startswith("#"):
            _check_version(number, line)
        elif line.strip():
            path, word, rest = _parts(number, line)
            _take(number, facts.setdefault(path, {}), path, word, rest)
    return Lock({path: _record(found) for path, found in sorted(facts.items())})


_MERGE = (
    "has a merge conflict; keep the lines of both sides and delete those with `<<<<<<<`, `|||||||`, `=======` and "
    f"`>>>>>>>`. With `{ATTRIBUTES}` in .gitattributes git does that by itself."
)


class _Wrong(Exception):
    """The line, and what is wrong with the file there."""


def _refuse(line: int, sentence: str) -> NoReturn:
    raise _Wrong(line, sentence)


def _check_version(number: int, line: str) -> None:
    found = _HEADED.match(line)
    if found and int(found[1]) > VERSION:
        _refuse(number, "was written by a newer Cairn; upgrade with `pip install -U cairn-kb`.")


def _parts(number: int, line: str) -> tuple[str, str, list[str]]:
    tokens = [_unquoted(token) for token in _TOKEN.findall(line)]
    if _TOKEN.sub("", line).strip() or len(tokens) < 3 or None in tokens:
        _refuse(number, "has a line that is no fact about a page; take the file from git again, or delete the line.")
    path, word, *rest = (token or "" for token in tokens)
    return path, word, rest


def _unquoted(token: str) -> str | None:
    if not token.startswith('"'):
        return token
    try:
        text = parse_json(token)
    except ValueError:
        return None
    return text if isinstance(text, str) else None


def _take(number: int, found: dict[str, Any], path: str, word: str, rest: Sequence[str]) -> None:
    if word == "source":
        source, unknown = _source(number, rest)
        sources = found.setdefault("sources", {})
        sources[source.reference] = max(
            sources.get(source.reference, (source, unknown)), (source, unknown), key=_looked
        )
    elif word == "reviewed" and len(rest) == 1:
        found[word] = max(found.get(word, ""), _date(number, rest[0]))
    elif word in _FACTS:
        if len(rest) != 1:
            _refuse(number, f"says more than one thing about `{word}` of `{path}`; keep one.")
        _once(number, found, path, word, _FACTS[word](number, rest[0]))
    else:
        extra = found.setdefault("extra", [])
        if (word, tuple(rest)) not in extra:
            extra.append((word, tuple(rest)))


def _looked(known: tuple[Source, tuple[str, ...]]) -> tuple[str, str, str, str]:
    """Of two records of a source the one of the later look. Of one day either will do: somebody found the page right
    with each, and a source that is like neither now is told anyway. A mark that it drifted stays."""
    source, _ = known
    return source.retrieved or "", source.hash or "", source.drifted or "", repr(known)


def _once(number: int, found: dict[str, Any], path: str, key: str, value: Any) -> None:
    """The same line twice comes of a merge and does no harm; two different ones need somebody to look."""
    if found.setdefault(key, value) != value:
        sentence = (
            f"says two things about `{key}` of `{path}`; delete the older line, or both and look at the page again."
        )
        _refuse(number, sentence)


def _source(number: int, attributes: Sequence[str]) -> tuple[Source, tuple[str, ...]]:
    pairs = [attribute.partition("=") for attribute in attributes]
    kind, _, target = pairs[0]
    if kind not in ("url", "path") or not target:
        _refuse(number, "has a source without `url=` or `path=`; take the file from git again, or delete the line.")
    known = {key: value for key, equals, value in pairs[1:] if equals and key in _OF_A_SOURCE}
    unknown = tuple(text for text, pair in zip(attributes[1:], pairs[1:], strict=True) if pair[0] not in _OF_A_SOURCE)
    canon = known.pop("canon", None)
    if canon is not None and not re.fullmatch(r"[1-9][0-9]{0,8}", canon):
        _refuse(number, f"has `canon={canon}`, which must be a whole number; delete the line.")
    version = int(canon) if canon else None
    source = Source("url" if kind == "url" else "path", target, canon=version, **known)
    return source, unknown


def _date(number: int, text: str) -> str:
    from datetime import date

    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    _refuse(number, f"has the date `{text}`, which must be a day such as 2026-06-05.")


def _status(number: int, text: str) -> EntryStatus:
    try:
        return EntryStatus(text)
    except ValueError:
        _refuse(number, f"has the status `{text}`; there are {', '.join(EntryStatus)}.")


def _version(number: int, text: str) -> str:
    if not _VERSION_NUMBER.fullmatch(text):
        _refuse(number, f"has the version `{text}`, which must be like 0.1.0; delete the line.")
    return text


def _volatility(number: int, text: str) -> Volatility:
    try:
        return Volatility(text)
    except ValueError:
        _refuse(number, f"has the volatility `{text}`; there are {', '.join(Volatility)}.")


_VERSION_NUMBER = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}")
_FACTS = {"reviewed": _date, "status": _status, "version": _version, "volatility": _volatility}


def _record(found: Mapping[str, Any]) -> PageRecord:
    sources = sorted(found.get("sources", {}).values(), key=lambda pair: _order(pair[0]))
    return PageRecord(
        last_reviewed=found.get("reviewed"),
        status=found.get("status"),
        volatility=found.get("volatility"),
        sources=tuple(source for source, _ in sources),
        extra=tuple(sorted(found.get("extra", ()))),
        source_extra={source.reference: unknown for source, unknown in sources if unknown},
        version=found.get("version"),
    )


def read_locks(files: Files, corpora: Iterable[Corpus]) -> tuple[dict[str, Lock], list[Issue]]:
    """By corpus; one that cannot be read is an issue of its own, and as good as empty."""
    locks: dict[str, Lock] = {}
    broken: list[Issue] = []
    for corpus in corpora:
        if corpus.layout == "plain":
            try:
                locks[corpus.name] = parse_lock(lock_text(files, corpus), lock_file(corpus))
            except ConfigError as error:
                locks[corpus.name] = Lock()
                said = str(error.details["said"])
                message = said[:1].upper() + said[1:]
                broken.append(
                    Issue("lock-invalid", Severity.ERROR, (lock_file(corpus),), message, error.details["line"])
                )
    return locks, broken


def lock_file(corpus: Corpus) -> str:
    return posixpath.join(corpus.root, NAME)


def lock_text(files: Files, corpus: Corpus) -> str:
    """Empty when there is none yet."""
    try:
        data = files.read(lock_file(corpus))[0]
    except ReadFailed as error:
        if error.rule != "file-vanished":
            raise EnvironmentProblem(str(error)) from None
        return ""
    return data.decode("utf-8", "replace")
