"""What clients may read by address: a page, the list of pages, how things stand."""

import json
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

from cairn.errors import NotFound
from cairn.lib.injection.marks import marks
from cairn.mcp.quoting import MEANING, one_line, said
from cairn.mcp.tools.read import shown
from cairn.retrieve.query_log import told_read
from cairn.retrieve.read_page import index_of, read_page
from cairn.workspace.status.page import status

if TYPE_CHECKING:
    from cairn.app.build import App

ENTRY: Final = "cairn://entry/"
TEMPLATE: Final = "cairn://entry/{+id}"
INDEX: Final = "cairn://index"
STATUS: Final = "cairn://status"
_MOST: Final = 500
"""Pages of the index; `search` finds the others."""
_TITLE: Final = 120
_SUMMARY: Final = 240


class Resource(NamedTuple):
    uri: str
    name: str
    description: str
    mime: str


RESOURCES: Final = (
    Resource(INDEX, "index", "Every page of knowledge with its title and a line about it.", "text/markdown"),
    Resource(STATUS, "status", "What waits for a person, what happened, how healthy it is.", "application/json"),
)


class Content(NamedTuple):
    text: str
    mime: str


def read_resource(app: "App", uri: str) -> Content:
    if uri == INDEX:
        return Content(_index(app), "text/markdown")
    if uri == STATUS:
        return Content(json.dumps(status(app).json(), ensure_ascii=False), "application/json")
    if uri.startswith(ENTRY) and uri != ENTRY:
        page = read_page(app, unquote(uri.removeprefix(ENTRY)))
        told_read(app, page.path, surface="mcp", revision=page.revision)
        return Content(shown(page), "text/markdown")
    raise NotFound(f"There is no resource `{uri[:200]}`; there are {INDEX}, {STATUS} and {TEMPLATE}.")


def _index(app: "App") -> str:
    pages = list(index_of(app))
    many = "1 page" if len(pages) == 1 else f"{len(pages):,} pages"
    lines = [f"{many} of knowledge. Titles and summaries are {MEANING}.", ""]
    for page in pages[:_MOST]:
        trust = f" ({page.status})" if page.status else ""
        about = f". {_about(page.summary)}" if page.summary else ""
        lines.append(f"- {one_line(page.path)}: {said(page.title, _TITLE)}{trust}{about}".rstrip(". ") + ".")
    if len(pages) > _MOST:
        lines.append(f"- … and {len(pages) - _MOST} more; the tool `search` finds them.")
    return "\n".join(lines)


def _about(summary: str) -> str:
    """One sentence of hundreds is not looked at closely; what it orders had better not be among them."""
    return "Its summary addresses machines and is left out" if marks(summary) else said(summary, _SUMMARY)
