"""Which files are pages of knowledge: what the layouts of the workspace's corpora say."""

from collections.abc import Mapping
from typing import Any, Literal

from cairn.plugin import KindSpec, KnowledgeBase, Presentation, ProviderManifest

_NAMES: tuple[Literal["knowledge"]] = ("knowledge",)
_MANIFEST = ProviderManifest(
    version="1.0.0",
    description="Pages of knowledge, in the folders that the settings or the files themselves name.",
    presentation=Presentation(label="Knowledge", color="#0ea5e9", emoji="🪨"),
    kinds={
        "entry": KindSpec(label="Entry", color="#0e7490", emoji="📘", identifiers=_NAMES),
        "practice": KindSpec(label="Practice", color="#65a30d", emoji="🧭", identifiers=_NAMES),
        "map": KindSpec(label="Map", color="#4338ca", emoji="🗺️", identifiers=_NAMES),
        "procedure": KindSpec(label="Procedure", color="#d97706", emoji="🪜", identifiers=_NAMES),
        "decision": KindSpec(label="Decision", color="#9a3412", emoji="⚖️", identifiers=_NAMES),
        "routes": KindSpec(label="List of routes", color="#a16207", emoji="🧾"),
        "route": KindSpec(label="Route", color="#ca8a04", emoji="🛤️", virtual=True),
        "source": KindSpec(label="Cited URL", color="#b3a898", emoji="🔗", virtual=True),
    },
)


class KnowledgeProvider:
    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base
        self.manifest = _MANIFEST.but(roots=base.folders(), extensions=base.suffixes() or (".md",))

    def within(self, knowledge: KnowledgeBase) -> "KnowledgeProvider":
        return KnowledgeProvider(knowledge)

    def classify(self, path: str, frontmatter: Mapping[str, Any]) -> str | None:
        return self._base.kind(path)


extension = KnowledgeProvider(KnowledgeBase())
