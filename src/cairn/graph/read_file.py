"""One file, from its bytes to the rows that are stored of it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from cairn.core.extension_points import Provider
from cairn.core.model.graph import Emitters, ProviderClaim, Signal, dump_signals
from cairn.core.model.issue import Issue, Severity
from cairn.core.ports.runtime import FoundFile
from cairn.core.registry import ExtensionFailure, LoadedExtension
from cairn.core.scope import Scope, scope_of
from cairn.graph.extraction import MAX_SIGNALS, Classification, Crew, ExtractionResult, Providers, classify_file
from cairn.graph.relink import Referee, pack
from cairn.graph.resolve import DOC_NAME, LABEL_NAME
from cairn.lib.document.document import Document, format_of
from cairn.lib.markdown.blocks import headings_text, seen_text
from cairn.lib.markdown.frontmatter import RECOVERED, ParsedFile, Problem, decode, parse, split
from cairn.lib.markdown.outline import first_heading
from cairn.lib.text.search_words import LEFT_OUT, searchable

_LEFT_TO_ANALYZER = ("name", "description")
"""A missing name or description is reported by the analyzer `schema-violation`, once."""


class Validators:
    """Compiled schemas by qualified kind. The checker is imported when the first file needs it: it costs 30 ms."""

    def __init__(self) -> None:
        self._compiled: dict[str, Any] = {}
        self._broken: dict[str, str] = {}
        """Qualified kinds whose schema is none, and why; their nodes are not checked."""

    def errors(self, kind: str, schema: Mapping[str, Any], value: Mapping[str, Any]) -> list[str]:
        """Sentences, one for each place that breaks the schema."""
        if kind not in self._compiled:
            self._compiled[kind] = self._compile(kind, schema)
        validator = self._compiled[kind]
        if validator is None or validator.is_valid(value):
            return []
        return [text for error in validator.iter_errors(value) if (text := _sentence(error))]

    def _compile(self, kind: str, schema: Mapping[str, Any]) -> Any:
        import jsonschema_rs

        try:
            return jsonschema_rs.validator_for(dict(schema))
        except (ValueError, TypeError, RecursionError, jsonschema_rs.ReferencingError) as error:
            self._broken[kind] = str(error).partition("\n")[0]
            return None

    def take_failures(self, providers: Sequence[LoadedExtension[Provider]]) -> list[ExtensionFailure]:
        """Of the providers whose schemas turned out to be none, since this was asked the last time."""
        if not self._broken:
            return []
        broken, self._broken = self._broken, {}
        return [
            ExtensionFailure(
                p.qualified, p.manifest.version, "", f"the schema of its kind `{kind}` is not valid: {why}"
            )
            for p in providers
            for kind in p.manifest.kinds
            if (why := broken.get(f"{p.id}/{kind}"))
        ]


def _sentence(error: Any) -> str:
    where = ".".join(str(part) for part in error.instance_path)
    message = str(error.message)
    if not where and any(f'"{name}" is a required property' in message for name in _LEFT_TO_ANALYZER):
        return ""
    return f"frontmatter `{where}`: {message}" if where else f"frontmatter: {message}"


FRONTMATTER_RULES = ("frontmatter-invalid", "frontmatter-malformed", "frontmatter-parse-error")
"""Rules that become errors under `scan.strict`."""

READING_RULES = (*FRONTMATTER_RULES, "file-encoding", "line-too-long", "references-limit")
"""Everything that reading a file may find; replaced whenever the file is read again."""


class FileReading(NamedTuple):
    """All that one file says by itself: plain values, since it may come from another process."""

    fact: FoundFile
    claims: str
    kind: str | None
    provider: str | None
    names: tuple[tuple[str, str], ...]
    """(name, origin)."""
    reserved: bool
    frontmatter: str
    """JSON."""
    title: str
    description: str
    body_hash: bytes
    frontmatter_hash: bytes
    bytes_frontmatter: int
    bytes_body: int
    tags: tuple[tuple[str, str], ...]
    text: tuple[str, str, str, str]
    """As full-text search takes it: name, title, summary, body."""
    signals: str
    """Packed."""
    links: bytes
    """Sketched and packed; empty when they are to be taken from the signals later."""
    rejections: str | None
    external: str | None
    external_count: int
    contributions: list[tuple[str, ...]]
    enrichments: list[tuple[str, str]]
    virtuals: list[tuple[str, ...]]
    extractors: tuple[str, ...]
    """Stamps of the extractors that ran to their end."""
    issues: tuple[Issue, ...]


class SkippedFile(NamedTuple):
    """A file that is no node, and why."""

    fact: FoundFile
    issue: Issue


class FileReader:
    """Turns bytes into readings; holds what is the same for all files of a scan."""

    def __init__(
        self, lens: Providers, crew: Crew, validators: Validators, *, strict: bool, emitters: Emitters | None = None
    ) -> None:
        self._lens = lens
        self._crew = crew
        self._validators = validators
        self._severity = Severity.ERROR if strict else Severity.WARN
        self.emitters = emitters or Emitters()
        self.referee: Referee | None = None
        """When there is one, links are sketched while a file is read."""

    def read(self, fact: FoundFile, data: bytes) -> FileReading | SkippedFile:
        # A scan that reads nothing does not pay for these.
        from hashlib import sha256

        from cairn.lib.yaml.write import frontmatter_hash

        text, problems, binary = decode(data)
        if binary:
            return SkippedFile(fact, _issue(fact.path, problems[0], Severity.WARN))
        parsed = self._parsed(fact.path, text)
        frontmatter = parsed.frontmatter
        claimed = self._lens.claims(fact.path, frontmatter)
        seen = classify_file(fact.path, frontmatter, claimed, self._lens)
        claims = claims_text(claimed)
        document = Document(fact.path, frontmatter, parsed.body, parsed.body_line, text)
        extracted, ran = self._crew.run(document, self._crew.applicable(claims))
        if extracted.cut:
            problems = (*problems, _TOO_MANY)
        body = parsed.body.encode()
        body_bytes = min(len(body), len(data))  # what stands for bytes that are no UTF-8 is longer than they were
        plain = document.format == "markdown"
        title = title_of(fact.path, parsed, "" if plain else document.outline.title)
        description = _text(frontmatter.get("description"))
        tags = tags_of(frontmatter)
        return FileReading(
            fact,
            claims,
            seen.kind,
            seen.provider,
            (*map(tuple, seen.names), *page_names(document)),  # type: ignore[arg-type]
            seen.reserved,
            frontmatter_json(frontmatter),
            title,
            description,
            sha256(body).digest(),
            frontmatter_hash({} if parsed.partial else frontmatter, parsed.raw),
            len(data) - body_bytes,
            body_bytes,
            tags,
            _search_text(fact.path, title, description, tags, parsed.body if plain else _readable(document)),
            dump_signals(extracted.signals, self.emitters),
            *self._links(seen, extracted.signals),
            [tuple(c) for c in extracted.contributions],
            extracted.enrichments,
            [tuple(v) for v in extracted.virtuals],
            tuple(ran),
            (*self._issues(fact.path, (*problems, *parsed.problems)), *self.invalid(fact.path, seen, frontmatter)),
        )

    def _links(self, seen: Classification, signals: list[Signal]) -> tuple[bytes, str | None, str | None, int]:
        if self.referee is None:
            return b"", None, None, 0
        links, rejections, external, count = self.referee.sketch(seen.provider, seen.kind, signals)
        return pack(links), rejections, external, count

    def take_failures(self) -> list[ExtensionFailure]:
        """What failed since this was asked the last time."""
        failures = [*self._lens.failures, *self._crew.failures]
        self._lens.failures.clear()
        self._crew.failures.clear()
        return failures + self._validators.take_failures(self._lens.providers)

    def again(self, path: str, data: bytes, stamps: frozenset[str]) -> tuple[ExtractionResult, list[str]]:
        """Only these extractors, over a file that is otherwise known."""
        text = decode(data).text
        parsed = self._parsed(path, text)
        return self._crew.run(Document(path, parsed.frontmatter, parsed.body, parsed.body_line, text), stamps)

    def _parsed(self, path: str, text: str) -> ParsedFile:
        """A page of `.rst` or plain text has no frontmatter: `---` is a line over its title."""
        if format_of(path) in ("rst", "text"):
            return ParsedFile({}, None, text, 1, ())
        return parse(text, self._lens.parser(path))

    def invalid(self, path: str, seen: Classification, frontmatter: Mapping[str, Any]) -> list[Issue]:
        """Where the frontmatter breaks the schema of its kind."""
        spec = self._lens.spec(seen.provider, seen.kind)
        if spec is None or spec.schema is None:
            return []
        return [
            Issue("frontmatter-invalid", self._severity, (path,), message, 1)
            for message in self._validators.errors(f"{seen.provider}/{seen.kind}", spec.schema, frontmatter)
        ]

    def _issues(self, path: str, problems: tuple[Problem, ...]) -> list[Issue]:
        return [_issue(path, problem, self._severity_of(problem)) for problem in problems]

    def _severity_of(self, problem: Problem) -> Severity:
        if problem.rule not in FRONTMATTER_RULES:
            return Severity.WARN
        forgiven = problem.hint == RECOVERED and self._severity is not Severity.ERROR
        return Severity.INFO if forgiven else self._severity


_TOO_MANY = Problem(
    "references-limit", f"This file has more than {MAX_SIGNALS:,} references of one kind; the rest is not read.", 1
)


def _issue(path: str, problem: Problem, severity: Severity) -> Issue:
    data = {"hint": problem.hint} if problem.hint else None
    return Issue(problem.rule, severity, (path,), problem.message, problem.line, data=data)


def _readable(document: Document) -> str:
    from cairn.lib.document.document import readable

    return split(readable(document.path, document.text, document.outline)).body


def page_names(document: Document) -> list[tuple[str, str]]:
    """Names by which Sphinx pages call this one: its labels, and its path from any folder that may hold `conf.py`."""
    if document.format != "rst":
        return []
    parts = document.path.rpartition(".")[0].split("/")
    paths = [f"{DOC_NAME}{'/'.join(parts[start:])}" for start in range(len(parts))]
    labels = [f"{LABEL_NAME}{target.name}" for target in document.outline.targets if not target.url]
    return [(name, "page") for name in dict.fromkeys((*paths, *labels))]


def title_of(path: str, parsed: ParsedFile, heading: str = "") -> str:
    """The title somebody gave it, else its first heading, else its name."""
    declared = _text(parsed.frontmatter.get("title")) or _text(parsed.frontmatter.get("name"))
    return declared or heading or first_heading(parsed.body) or path.rpartition("/")[2].rpartition(".")[0] or path


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def tags_of(frontmatter: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Tags and topics, each once, with where it was written."""
    found: dict[str, str] = {}
    for key, source in (("tags", "frontmatter"), ("topics", "topics")):
        value = frontmatter.get(key)
        listed = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else ()
        for tag in listed:
            if isinstance(tag, str) and tag.strip():
                found.setdefault(tag.strip(), source)
    return tuple(found.items())


TEXTS = 2
"""Which words of a page the full-text index has; another number than the stored one makes it anew."""


def _search_text(
    path: str, title: str, description: str, tags: Iterable[tuple[str, str]], body: str
) -> tuple[str, str, str, str]:
    """Headings stand beside the summary, where a word weighs more than in the body. What is left out by scope is
    marked, so that fixtures and old versions don't count when words are weighed."""
    name = path.replace("/", " ").replace("-", " ").replace("_", " ")
    if scope_of(path, body) is not Scope.CURRENT:
        name = f"{name} {LEFT_OUT}"
    shown = seen_text(body)
    summary = " ".join((description, *(tag for tag, _ in tags), headings_text(shown)))
    return searchable(name), searchable(title), searchable(summary), searchable(shown)


def claims_text(claims: Iterable[ProviderClaim]) -> str:
    """Claims as they are stored."""
    return " ".join([f"{claim.provider}/{claim.kind}" for claim in claims])


# `json.dumps` with options makes an encoder for every call; this one is made once.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def frontmatter_json(frontmatter: Mapping[str, Any]) -> str:
    """Infinity and not-a-number become null, as in JavaScript."""
    if not frontmatter:
        return "{}"
    try:
        return _encode(frontmatter)
    except ValueError:
        return _encode(_finite(frontmatter))


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value
