"""Links in prose whose file is gone, and links to a heading that its page does not have."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from posixpath import basename, dirname, normpath, relpath
from typing import NamedTuple
from urllib.parse import unquote

from cairn.app.trying.finding import Evidence, Finding
from cairn.app.trying.ground import Ground, Page
from cairn.kernel.places import is_history
from cairn.kernel.ports.files import WalkRequest
from cairn.kernel.ports.vcs import Commit
from cairn.kernel.text.headings import anchors, heading_texts, may_have_more
from cairn.kernel.text.markdown import markdown_links

KIND = "broken-reference"
_CLEAR = re.compile(
    r"[\w./ @+%-]+\.(?:md|markdown|rst|txt|png|jpe?g|gif|svg|webp|py|js|ts|go|rs|json|ya?ml|toml|sh|c|h)"
)
_UNCLEAR = ("{", "}", "<", "$", "*", "...", "path/to", "example")
_HTML = re.compile(r"""<(img|a)\b[^<>]*?\b(?:src|href)=["']([^"':#?/\\][^"':#?\\]*)["']""", re.IGNORECASE)
_HOPS = 4


class Loose(NamedTuple):
    """A link that leads nowhere."""

    page: Page
    line: int
    target: str
    """From the root."""
    image: bool


def find(ground: Ground) -> Iterator[Finding]:
    files: dict[str, list[Loose]] = defaultdict(list)
    headings: dict[tuple[str, str], list[Loose]] = defaultdict(list)
    for page in ground.pages():
        if is_history(page.path):
            continue
        for loose, anchor in _loose(ground, page):
            if anchor:
                headings[loose.target, anchor].append(loose)
            else:
                files[_missing_part(ground, loose.target)].append(loose)
    yield from (found for missing, places in files.items() if (found := _missing(ground, missing, places)))
    yield from (found for (target, anchor), places in headings.items() if (found := _heading(ground, anchor, places)))


def _loose(ground: Ground, page: Page) -> Iterator[tuple[Loose, str]]:
    """Each link that leads nowhere, with the heading that is missing, if it is only that."""
    folder = dirname(page.path)
    for start, destination, image in _destinations(page):
        written, _, anchor = destination.partition("#")
        target = normpath(f"{folder}/{unquote(written)}" if folder else unquote(written)) if written else page.path
        if target.startswith("..") or any(sign in destination for sign in _UNCLEAR):
            continue
        line = page.text.count("\n", 0, start) + 1
        loose = Loose(page, line, target, image)
        if not ground.files.exists(target):
            if _CLEAR.fullmatch(target):
                yield loose, ""
        elif anchor and target.endswith((".md", ".markdown")) and _lacks(ground, target, unquote(anchor)):
            yield loose, unquote(anchor)


def _destinations(page: Page) -> Iterator[tuple[int, str, bool]]:
    """(offset, destination, whether it is an image) of each link; on a page that a forge shows, also those in HTML."""
    for link in markdown_links(page.text):
        if not (link.auto or link.wiki) and link.target and link.target[0] not in "/\\" and ":" not in link.target:
            yield link.start, link.target, link.image
    if _prominent(page.path) and "<" in page.text:
        prose = "\n".join(page.prose_lines)
        yield from ((found.start(), found[2], found[1].lower() == "img") for found in _HTML.finditer(prose))


# --- files ------------------------------------------------------------------------------------------------------------


def _missing_part(ground: Ground, target: str) -> str:
    """The outermost folder that is not there, else the file: what is in it is gone for one reason."""
    parts = target.split("/")
    folders = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
    return next((f"{folder}/" for folder in folders if not ground.files.exists(folder)), target)


def _missing(ground: Ground, missing: str, places: list[Loose]) -> Finding | None:
    places = [loose for loose in places if not _made_by_a_build(ground, loose.target)]
    if not places:
        return None
    first = places[0]
    targets = {loose.target for loose in places}
    went = _went(ground, first.target)
    near = (went and went.to) or _nearest(ground, first.target, first.page.path)
    thing = "image" if first.image else "file"
    message = f"The {thing} `{first.target}` that this links to does not exist{_where(went, near)}."
    if len(targets) > 1:
        message = f"Links lead to {len(targets)} files in `{missing}`, which does not exist{_where(went, near)}."
    because = "nothing is at that path"
    if went:
        because = f"commit {went.by.short} ({went.by.date}, “{went.by.subject[:70]}”) took it away"
    fix = f"Link to `{relpath(near, dirname(first.page.path) or '.')}`." if near else _advice(went, first.target)
    certainty = 0.99 if went else 0.95 if near else 0.8
    harm = (0.55 if first.image else 0.8) + (0.1 if _prominent(first.page.path) else 0.0)
    return Finding(KIND, message, _places(places), because, fix, certainty, harm, more=max(0, len(places) - 3))


def _where(went: "Went | None", near: str | None) -> str:
    if went and went.to:
        return f"; it is `{went.to}` now"
    return f"; there is `{near}`" if near else ""


def _advice(went: "Went | None", target: str) -> str:
    return "Remove the link." if went else f"Correct the path, or add `{target}`."


class Went(NamedTuple):
    by: Commit
    to: str | None


def _went(ground: Ground, target: str) -> Went | None:
    """When the file was taken away, and where it lies today if it was moved."""
    if not ground.has_past or ground.deadline.over():
        return None
    first = ground.past.removal(target)
    if first is None:
        return None
    at: str | None = target
    commit: Commit | None = first
    for _ in range(_HOPS):
        at = ground.past.moved(commit.id, at) if commit and at else None
        if at is None or at in ground.paths:
            break
        commit = ground.past.removal(at)
    return Went(first, at if at in ground.paths else None)


def _nearest(ground: Ground, target: str, source: str) -> str | None:
    """A file of the same name elsewhere, if it is the only one, or one in the same folder with nearly that name."""
    same = [path for path in ground.by_name.get(basename(target), []) if path != source]
    if len(same) == 1 and basename(target).lower() not in ("readme.md", "index.md", "__init__.py"):
        return same[0]
    folder = dirname(target)
    beside = [path for path in ground.paths if dirname(path) == folder and path != source]
    close = get_close_matches(target, beside, 1, cutoff=0.9)
    return close[0] if close else None


def _made_by_a_build(ground: Ground, target: str) -> bool:
    """Whether it is ignored by git, as what a program makes is, or its source lies beside it."""
    stem = target.rpartition(".")[0]
    sources = [f"{stem}{suffix}" for suffix in (".rst", ".ipynb", ".mdx", ".html", ".md.jinja", ".adoc")]
    sources += [f"{target}{suffix}" for suffix in (".in", ".j2", ".jinja", ".tmpl", ".template")]
    return any(source in ground.paths for source in sources) or ground.files.ignored(target, WalkRequest())


def _prominent(path: str) -> bool:
    return "/" not in path or basename(path).lower() in ("readme.md", "index.md", "skill.md", "claude.md", "agents.md")


def _places(places: Iterable[Loose]) -> tuple[Evidence, ...]:
    seen = dict.fromkeys((loose.page.path, loose.line) for loose in places)
    pages = {loose.page.path: loose.page for loose in places}
    return tuple(pages[path].evidence(line) for path, line in list(seen)[:3])


# --- headings ---------------------------------------------------------------------------------------------------------

_LINE_ANCHOR = re.compile(r"L\d+(?:-L?\d+)?|:~:.*|user-content-.*|fn.*")


def _lacks(ground: Ground, target: str, anchor: str) -> bool:
    page = ground.page(target)
    if page is None or _LINE_ANCHOR.match(anchor) or may_have_more(page.text):
        return False
    known = anchors(page.text)
    return bool(known) and anchor.lower() not in known


def _heading(ground: Ground, anchor: str, places: list[Loose]) -> Finding | None:
    first = places[0]
    target = ground.page(first.target)
    if target is None:
        return None
    near = get_close_matches(anchor.lower(), sorted(anchors(target.text)), 1, cutoff=0.75)
    here = first.target == first.page.path
    owner = "This page" if here else f"`{first.target}`"
    message = f"{owner} has no heading `#{anchor}`, to which this links{f'; it has `#{near[0]}`' if near else ''}."
    fix = f"Link to `#{near[0]}`." if near else "Name a heading that is there, or drop what follows the `#`."
    because = f"none of its {len(heading_texts(target.text))} headings gives that anchor"
    certainty = 0.93 if near else 0.8
    return Finding(KIND, message, _places(places), because, fix, certainty, 0.45, more=max(0, len(places) - 3))
