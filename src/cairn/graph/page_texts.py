"""The texts of the workspace's pages as they are now."""

from collections.abc import Callable

from cairn.core.ports.files import ReadFailed
from cairn.graph.ports import GraphPorts
from cairn.lib.document.as_markdown import readable
from cairn.lib.document.outline import format_of
from cairn.lib.markdown.frontmatter import decode, split


def body_reader(ports: GraphPorts) -> Callable[[str], str | None]:
    """Gives the text of a page without its frontmatter, None when it cannot be read."""

    def body(path: str) -> str | None:
        try:
            data, _ = ports.files.read(path)
        except ReadFailed:
            return None
        return split(readable(path, decode(data).text)).body if format_of(path) else None

    return body
