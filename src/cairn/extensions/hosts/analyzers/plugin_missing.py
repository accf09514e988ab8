"""Marketplaces that list a plugin whose folder does not exist."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cairn.extensions.hosts.plugin_folders import ListedPlugin, listed_plugins
from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import Repository


class PluginMissing:
    """A marketplace that lists a plugin whose folder does not exist.

    What it finds
        Entries of `.claude-plugin/marketplace.json` and the like whose `source` is a path of this repository, such as
        `./plugins/review`, where there is no folder. Sources in other repositories are not judged.

    Why it matters
        Who installs the plugin gets an error.

    Example
        `"source": "./plugins/review"`, after the folder was renamed to `plugins/code-review`.

    Fix
        Correct the path, or remove the entry.
    """

    manifest = AnalyzerManifest(
        version="1.0.0",
        description="A marketplace that lists a plugin whose folder does not exist.",
        phase="read",
        reach="graph",
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        for listed in listed_plugins(ctx.tree.paths.__contains__, lambda path: ctx.tree.text(path) or ""):
            if _is_here(listed) and not ctx.tree.exists(listed.root):
                yield _issue(ctx, listed)


def _is_here(listed: ListedPlugin) -> bool:
    """Whether the source is certainly a folder: `owner/name` may be a repository on a forge."""
    return listed.root != "" and (listed.source.startswith("./") or listed.root != listed.source)


def _issue(ctx: "Repository", listed: ListedPlugin) -> Issue:
    from cairn.plugin import Proof, proven

    lines = (ctx.tree.text(listed.marketplace) or "").split("\n")
    line = next((number for number, text in enumerate(lines, 1) if f'"{listed.source}"' in text), 1)
    message = f"The marketplace lists a plugin in `{listed.root}/`, which does not exist."
    proofs = [Proof(f"`{listed.root}/` is not in the repository")]
    places = [ctx.place(listed.marketplace, line)]
    fix = "Correct the path, or remove the entry."
    return proven("plugin-missing", Severity.ERROR, listed.root, message, places, proofs, fix)


extension = PluginMissing()
