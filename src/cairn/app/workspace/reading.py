"""The texts of the workspace's pages as they are now."""

from collections.abc import Callable

from cairn.app.build import App
from cairn.kernel.ports.files import ReadFailed
from cairn.kernel.text.frontmatter import decode, split
from cairn.kernel.text.outline import format_of
from cairn.kernel.text.readable import readable


def body_reader(app: App) -> Callable[[str], str | None]:
    """Gives the text of a page without its frontmatter, None when it cannot be read."""

    def body(path: str) -> str | None:
        try:
            data, _ = app.files.read(path)
        except ReadFailed:
            return None
        return split(readable(path, decode(data).text)).body if format_of(path) else None

    return body
