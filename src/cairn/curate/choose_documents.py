"""Decides which documents of a repository a bootstrap reads, and gives the reason for leaving out a file."""

import re
from posixpath import splitext
from typing import Final

from cairn.core.scope import Scope, is_sample, scope_of
from cairn.knowledge.layouts import DECISION_FOLDERS

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
