"""Knowledge: the pages of the workspace's corpora, what they are related to, where they have it from, what is wrong."""

from cairn.plugin import Plugin

PLUGIN = Plugin.of(
    "knowledge",
    __name__,
    "1.0.0",
    "Pages of knowledge, their relations and sources, and the checks that only they need.",
    (
        "provider/knowledge",
        "extractor/entry",
        "extractor/relations",
        "extractor/sources",
        "extractor/routes",
        "analyzer/entry-invalid",
        "analyzer/name-mismatch",
        "analyzer/name-duplicate",
        "analyzer/relation-unknown",
        "analyzer/derived-from-dangling",
        "analyzer/depends-cycle",
        "analyzer/fast-moving-unsourced",
        "analyzer/url-fragment",
        "analyzer/source-off-allowlist",
        "analyzer/section-missing",
        "analyzer/description-long",
        "analyzer/near-duplicate",
    ),
)
