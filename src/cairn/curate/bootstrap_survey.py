"""Before a bootstrap: which documents there are, which are due and why others are not, and what a model would cost."""

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from posixpath import splitext
from typing import Final, NamedTuple

from cairn.core.ports.files import FileWalk, FoundFile, ReadFailed
from cairn.core.scope import Scope, is_sample, scope_of
from cairn.curate.bootstrap_state import BootstrapFiles, BootstrapState
from cairn.curate.ports import CuratePorts
from cairn.errors import Refused, UsageError
from cairn.knowledge.layouts import DECISION_FOLDERS
from cairn.lib.document.as_markdown import readable
from cairn.lib.document.outline import DOCUMENTS
from cairn.lib.globs.gitignore import pattern_lines

_I: Final = re.IGNORECASE
_NAMES: Final = (
    (re.compile(r"eula|terms|privacy", _I), "a legal text"),
    (re.compile(r"updating", _I), "about the past"),
    (
        re.compile(r"authors|contributors|maintainers|credits|thanks|acknowledge?ments|sponsors|backers|owners", _I),
        "a list of people",
    ),
    (re.compile(r"code[-_ ]?of[-_ ]?conduct|cla|dco|funding|support", _I), "a document about the community"),
    (re.compile(r"(?:.*[-_ ])?template|bug[-_ ]?report|feature[-_ ]?request", _I), "a template"),
)
_SCOPES: Final = {
    Scope.PAST: "about the past",
    Scope.FIXTURE: "a fixture or a template",
    Scope.GENERATED: "generated",
    Scope.VENDORED: "a licence, or vendored",
    Scope.TRANSLATION: "a translation",
}
_GENERATED: Final = frozenset({"INDEX.md", "GRAPH.md"})
_OF_AGENTS: Final = frozenset(
    {"claude.md", "claude.local.md", "agents.md", "agent.md", "agents.override.md", "gemini.md", "codex.md"}
    | {"skill.md", "memory.md", "qwen.md", "conventions.local.md", "copilot-instructions.md"}
)
_AGENT_FOLDERS: Final = frozenset(
    {".claude", ".cursor", ".codex", ".agents", ".agent", ".gemini", ".windsurf", ".opencode", ".continue", ".roo"}
    | {"skills", "prompts", ".clinerules", ".kiro", ".amazonq", ".junie", ".augment", ".ai"}
)


def left_alone(path: str, *, below: str = "", text: str = "") -> str:
    """Why a file is left out unless somebody names it; empty when it is read. In the folder `below`, which somebody
    named, only what is inside counts. Generated pages are recognised by their text."""
    inside = path.removeprefix(f"{below}/" if below else "")
    *folders, name = inside.split("/")
    if name in _GENERATED:
        return _SCOPES[Scope.GENERATED]
    if _is_of_agents(folders, name) or not _AGENT_FOLDERS.isdisjoint(folder.lower() for folder in folders):
        return "a file for agents; `cairn import memory` reads memory files"
    if is_sample(inside):
        return "an example or a benchmark"
    stem = splitext(name)[0]
    if named := next(
        (why for pattern, why in _NAMES if pattern.fullmatch(stem) or pattern.fullmatch(_first(stem))), ""
    ):
        return named
    scope = scope_of(path, text)
    if below and scope is scope_of(f"{below}/page.md"):
        scope = scope_of(inside, text)
    return "" if scope is Scope.PAST and _is_decision(path) else _SCOPES.get(scope, "")


def _is_decision(path: str) -> bool:
    """Decision records are imported: the reasons that they give still apply."""
    return not DECISION_FOLDERS.isdisjoint(path.lower().split("/")[:-1])


def _is_of_agents(folders: list[str], name: str) -> bool:
    """`docs/agents.md` and `docs/memory.md` are about them."""
    if folders and not name.partition(".")[0].isupper() and name != "copilot-instructions.md":
        return False
    return name.lower() in _OF_AGENTS


def _first(stem: str) -> str:
    """The first word of a name in capitals: `CODE-OF-CONDUCT.de` is one of them, `support-service` is not."""
    first = re.split(r"[-_.]", stem)[0]
    return first if first.isupper() else ""


RULES: Final = "rules"
"""No reader: documents that have the form of knowledge are imported word for word."""
LARGEST: Final = 512 * 1024
"""Bytes of a document. Nobody writes more by hand."""
KBIGNORE: Final = ".kbignore"
A_PAGE: Final = "a page of knowledge already"
_PAGES: Final = ("entries", "nodes", "artefacts")
_HEAD: Final = 4096
"""Bytes at the beginning of a document that show whether it is generated."""
_ANSWER: Final = 800
"""Tokens that a model writes about a document, more or less."""


class BootstrapOptions(NamedTuple):
    paths: tuple[str, ...] = ()
    incremental: bool = False
    """Only documents that are new or changed."""
    dry_run: bool = False
    here: bool = False
    """Edit the work tree instead of asking for a change."""
    provider: str = RULES
    budget: str | None = None
    timeout_seconds: float = 120.0
    most: int | None = None

    @property
    def everything(self) -> bool:
        return not self.paths and self.most is None


class Due(NamedTuple):
    path: str
    sha256: str
    changed: bool
    """Since it was last read; also when it never was."""


class SkippedDocument(NamedTuple):
    path: str
    why: str
    loud: bool = False
    """Somebody may not expect it."""


class Estimate(NamedTuple):
    tokens_in: int
    tokens_out: int
    dollars: float | None


class BootstrapSurvey(NamedTuple):
    due: tuple[Due, ...]
    unchanged: int = 0
    later: int = 0
    """Due, but more than were asked for."""
    skipped: tuple[SkippedDocument, ...] = ()
    deleted: tuple[str, ...] = ()
    """Documents that pages were made of and that are not there any more."""
    problem: str = ""
    estimate: Estimate | None = None


def survey(ports: CuratePorts, wanted: BootstrapOptions) -> BootstrapSurvey:
    _must_be_known(wanted.provider)
    state, problem = BootstrapFiles(ports).state()
    walk = _walk(ports, wanted)
    skipped = [SkippedDocument(one.path, one.message, True) for one in walk.problems if one.rule != "name-case-twin"]
    due: list[Due] = []
    unchanged = 0
    for file in walk.files:
        found = _look(ports, file, state, wanted.paths)
        if isinstance(found, SkippedDocument):
            skipped.append(found)
        elif wanted.incremental and not found.changed:
            unchanged += 1
        else:
            due.append(found)
    taken = due if wanted.most is None else due[: wanted.most]
    deleted = () if wanted.paths else tuple(_deleted(ports, state))
    estimate = None if wanted.provider == RULES else cost_of_reading(ports, [one.path for one in taken])
    return BootstrapSurvey(tuple(taken), unchanged, len(due) - len(taken), tuple(skipped), deleted, problem, estimate)


def _must_be_known(provider: str) -> None:
    """Before anybody is asked anything."""
    if provider == RULES:
        return
    from cairn.core.ports.runner import MODEL_PROVIDERS

    if provider not in ("auto", *MODEL_PROVIDERS):
        known = ", ".join((RULES, "auto", *MODEL_PROVIDERS))
        raise UsageError(f"There is no provider `{provider}`; --provider is one of {known}.")


def _walk(ports: CuratePorts, wanted: BootstrapOptions) -> FileWalk:
    request = ports.scan_request().walk(DOCUMENTS)
    own = _kbignore(ports)
    return ports.files.walk(request._replace(roots=wanted.paths or request.roots, ignore=(*request.ignore, *own)))


def _kbignore(ports: CuratePorts) -> tuple[str, ...]:
    """What an older base says should not be read."""
    try:
        return pattern_lines(ports.files.read(KBIGNORE)[0].decode("utf-8", "replace"))
    except ReadFailed:
        return ()


def _look(ports: CuratePorts, file: FoundFile, state: BootstrapState, wanted: Sequence[str]) -> Due | SkippedDocument:
    named = file.path in wanted
    below = max((folder for folder in wanted if file.path.startswith(f"{folder}/")), key=len, default="")
    if ports.knowledge.layout(file.path) in _PAGES:
        return SkippedDocument(file.path, A_PAGE, named)
    if not named and (why := left_alone(file.path, below=below)):
        return SkippedDocument(file.path, why)
    if file.size > LARGEST:
        return SkippedDocument(
            file.path, f"larger than {LARGEST // 1024} KiB; split it, or name what matters elsewhere", True
        )
    try:
        data, _ = ports.files.read(file.path)
    except ReadFailed as failed:
        return SkippedDocument(file.path, str(failed), True)
    if b"\0" in data:
        return SkippedDocument(file.path, "not a text", True)
    if not named and (why := left_alone(file.path, below=below, text=data[:_HEAD].decode("utf-8", "replace"))):
        return SkippedDocument(file.path, why)
    digest = sha256(data).hexdigest()
    return Due(file.path, digest, not state.knows(file.path, digest))


def _deleted(ports: CuratePorts, state: BootstrapState) -> Iterator[str]:
    return (path for path in sorted(state.docs) if not ports.files.exists(path))


def cost_of_reading(ports: CuratePorts, paths: Sequence[str]) -> Estimate:
    """What a model would read and write about these documents."""
    return estimate(ports, tokens_to_read(ports, paths))


def tokens_to_read(ports: CuratePorts, paths: Sequence[str]) -> dict[str, list[int]]:
    """By document, of each question about it."""
    from cairn.core.model_budget import tokens_of
    from cairn.curate.proposal_prompt import document_questions

    return {
        path: [tokens_of(asked) for asked, _ in document_questions(text_of(ports, path), path=path)] for path in paths
    }


def estimate(ports: CuratePorts, tokens: Mapping[str, Sequence[int]]) -> Estimate:
    from cairn.core.model_budget import parse_price

    price = ports.env.get("CAIRN_FRESHNESS_PRICE", "").strip()
    reading, writing = sum(map(sum, tokens.values())), _ANSWER * sum(map(len, tokens.values()))
    return Estimate(reading, writing, parse_price(price).of(reading, writing) if price else None)


def text_of(ports: CuratePorts, path: str) -> str:
    """Raises a sentence when it went away meanwhile: that it is gone is not that it says nothing."""
    try:
        return readable(path, ports.files.read(path)[0].decode("utf-8", "replace"))
    except ReadFailed as failed:
        raise Refused(str(failed)) from failed
