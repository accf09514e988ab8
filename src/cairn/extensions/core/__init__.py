"""The core: plain Markdown, its links, the checks that every workspace wants, and the pictures of the graph."""

from cairn.plugin import Plugin

PLUGIN = Plugin.of(
    "core",
    __name__,
    "1.0.0",
    "Markdown pages, their links, the standard checks and the output formats.",
    (
        "provider/markdown",
        "extractor/markdown-link",
        "extractor/rst-link",
        "extractor/backtick-path",
        "extractor/external-url-counter",
        "extractor/mcp-tools",
        "analyzer/reference-broken",
        "analyzer/name-reserved",
        "analyzer/extractor-collision",
        "analyzer/kind-mismatch",
        "analyzer/link-counter",
        "analyzer/link-kind-conflict",
        "analyzer/link-self-loop",
        "analyzer/name-collision",
        "analyzer/node-stability",
        "analyzer/reference-redundant",
        "analyzer/schema-violation",
        "analyzer/issue-counter",
        "formatter/ascii",
        "formatter/json",
        "formatter/mermaid",
        "formatter/dot",
        "formatter/html",
    ),
)
