"""Which files of a repository are documents worth reading, and why another is none."""

import re
from typing import Final

_I: Final = re.IGNORECASE
_NAMES: Final = (
    (re.compile(r"(?:un)?licen[cs]es?\b|copying|notice|third[-_ ]?party|eula|terms|privacy", _I), "a licence"),
    (
        re.compile(r"change[-_ ]?log|changes|history|news|release(?:s|[-_ ]?notes)?|whats[-_ ]?new|updating", _I),
        "a history",
    ),
    (
        re.compile(r"authors|contributors|maintainers|credits|thanks|acknowledge?ments|sponsors|backers|owners", _I),
        "a list of people",
    ),
    (re.compile(r"code[-_ ]?of[-_ ]?conduct|cla|dco|funding|support", _I), "about people and not about the code"),
    (
        re.compile(r"pull[-_ ]?request[-_ ]?template|issue[-_ ]?template|bug[-_ ]?report|feature[-_ ]?request", _I),
        "a form",
    ),
)
_GENERATED: Final = frozenset({"INDEX.md", "GRAPH.md"})
_OF_AGENTS: Final = frozenset(
    {"claude.md", "claude.local.md", "agents.md", "agents.override.md", "gemini.md", "copilot-instructions.md"}
    | {"skill.md", "memory.md", "qwen.md", "codex.md", "conventions.local.md"}
)
_AGENT_FOLDERS: Final = frozenset(
    {".claude", ".cursor", ".codex", ".agents", ".agent", ".gemini", ".windsurf", ".opencode", ".continue", ".roo"}
    | {"skills", "prompts", ".clinerules", ".kiro", ".amazonq", ".junie", ".augment", ".ai"}
)
_ELSEWHERE: Final = frozenset(
    {"vendor", "vendored", "third_party", "third-party", "thirdparty", "external", "fixtures", "testdata", "test_data"}
    | {"i18n", "l10n", "locale", "locales", "translations"}
    | {"__snapshots__", "snapshots", "node_modules", "site-packages", "issue_template", "cassettes", "golden"}
)


def left_alone(path: str) -> str:
    """Why a file is not read by itself; empty when it is. Whoever names it gets it read all the same."""
    *folders, name = path.split("/")
    lower = [folder.lower() for folder in folders]
    if name in _GENERATED:
        return "made by a program"
    if name.lower() in _OF_AGENTS or not _AGENT_FOLDERS.isdisjoint(lower):
        return "an agent's own; `cairn import memory` reads those"
    if not _ELSEWHERE.isdisjoint(lower):
        return "somebody else's, a translation, or made for tests"
    stem = name.removesuffix(".md").removesuffix(".MD")
    return next((why for pattern, why in _NAMES if pattern.fullmatch(stem) or pattern.fullmatch(_first(stem))), "")


def _first(stem: str) -> str:
    """`LICENSE-MIT` is one of them, `history-service` is not: only what is shouted counts by its beginning."""
    first = re.split(r"[-_.]", stem)[0]
    return first if first.isupper() else ""
