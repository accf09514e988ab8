"""Which files of a repository are documents worth reading, and why another is none."""

import re
from typing import Final

from cairn.kernel.knowledge.layouts import DECISION_FOLDERS
from cairn.kernel.scope import Scope, scope_of

_I: Final = re.IGNORECASE
_NAMES: Final = (
    (re.compile(r"eula|terms|privacy", _I), "a licence"),
    (re.compile(r"updating", _I), "about the past"),
    (
        re.compile(r"authors|contributors|maintainers|credits|thanks|acknowledge?ments|sponsors|backers|owners", _I),
        "a list of people",
    ),
    (re.compile(r"code[-_ ]?of[-_ ]?conduct|cla|dco|funding|support", _I), "about people and not about the code"),
    (re.compile(r"pull[-_ ]?request[-_ ]?template|bug[-_ ]?report|feature[-_ ]?request", _I), "a form"),
    (re.compile(r"(?:.*[-_ ])?template", _I), "a form"),
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
_ELSEWHERE: Final = frozenset({"dist-packages", "static", "assets", "issue_template", "skeleton"})
_TRIED: Final = frozenset(
    {"testing", "unittests", "bench", "benches", "benchmark", "benchmarks", "eval", "evaluation", "fuzz"}
)
"""Their own README is about the project; whatever lies deeper is what is tried out on."""
_SHOWN: Final = frozenset(
    {"sample", "samples", "example", "examples", "demo", "demos", "playground", "playgrounds", "sandbox", "showcase"}
)
_DOCUMENTS: Final = frozenset({"docs", "doc", "documentation", "wiki", "handbook", "adr", "adrs"})
_ABOUT: Final = re.compile(r"readme|contributing|conventions|guidelines|architecture|design|testing", _I)


def left_alone(path: str, *, below: str = "", text: str = "") -> str:
    """Why a file is not read by itself; empty when it is. Whoever names it gets it read all the same, and whoever
    names the folder `below` wants that folder, whatever it is called. Generated pages are recognised by their text."""
    inside = path.removeprefix(f"{below}/" if below else "")
    *folders, name = inside.split("/")
    lower = [folder.lower() for folder in folders]
    if name in _GENERATED:
        return _SCOPES[Scope.GENERATED]
    if _is_of_agents(folders, name) or not _AGENT_FOLDERS.isdisjoint(lower):
        return "an agent's own; `cairn import memory` reads those"
    if not _ELSEWHERE.isdisjoint(lower):
        return "somebody else's, or a form"
    if _made_up(lower, name):
        return "made to be tried or shown, not about this project"
    stem = name.removesuffix(".md").removesuffix(".MD")
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


def _made_up(folders: list[str], name: str) -> bool:
    """`tests/pages/leave.md`, `src/app/demo/docs/guide.md`; but `docs/tests/rules.md` is a chapter about tests."""
    for depth, folder in enumerate(folders):
        if folder in _DOCUMENTS:
            return False
        if folder in _SHOWN:
            return True
        if folder in _TRIED:
            return depth + 1 < len(folders) or not _ABOUT.fullmatch(name.rpartition(".")[0])
    return False


def _first(stem: str) -> str:
    """`LICENSE-MIT` is one of them, `history-service` is not: only what is shouted counts by its beginning."""
    first = re.split(r"[-_.]", stem)[0]
    return first if first.isupper() else ""
