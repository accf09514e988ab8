"""Knowledge: the pages of the workspace's corpora, what they are related to, where they have it from, what is wrong."""

from cairn.plugin import Plugin

_ALL = ("entries", "nodes", "artefacts", "plain")
_STRICT = ("entries", "nodes", "artefacts")
"""Layouts that ask something of their pages."""

PLUGIN = Plugin.of(
    "knowledge",
    __name__,
    "1.0.0",
    "Pages of knowledge, their relations and sources, and the checks that only they need.",
    {
        "provider/knowledge": _ALL,
        "extractor/entry": _STRICT,
        "extractor/relations": _ALL,
        "extractor/sources": _ALL,
        "extractor/routes": ("artefacts",),
        "analyzer/entry-invalid": _STRICT,
        "analyzer/name-mismatch": _STRICT,
        "analyzer/name-duplicate": _STRICT,
        "analyzer/relation-unknown": _ALL,
        "analyzer/derived-from-dangling": _ALL,
        "analyzer/depends-cycle": _ALL,
        "analyzer/fast-moving-unsourced": _STRICT,
        "analyzer/url-fragment": _STRICT,
        "analyzer/source-off-allowlist": _STRICT,
        "analyzer/section-missing": _STRICT,
        "analyzer/description-long": ("entries",),
        "analyzer/near-duplicate": _STRICT,
    },
)
