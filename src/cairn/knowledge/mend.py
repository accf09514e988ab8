"""Slips that can be mended without asking anybody: what is written stays, and is put where it belongs."""

from typing import Any

from cairn.knowledge.edit import Path, set_values
from cairn.lib.markdown.frontmatter import parse


def mended(text: str) -> str:
    """The page without the slips that can be mended; character for character the same where there is none."""
    changes = _anchors(parse(text).frontmatter)
    return set_values(text, changes) if changes else text


def _anchors(frontmatter: dict[str, Any]) -> dict[Path, Any]:
    """What follows a `#` in the address of a source goes to its anchor."""
    sources = frontmatter.get("sources")
    changes: dict[Path, Any] = {}
    for place, item in enumerate(sources if isinstance(sources, list) else ()):
        if isinstance(item, dict) and (parts := fragment_of(item)):
            address, fragment = parts
            changes["sources", place, "url"] = address
            if fragment:
                changes["sources", place, "anchor"] = fragment
    return changes


def fragment_of(source: dict[str, Any]) -> tuple[str, str] | None:
    """Address and fragment, with its `#`, of a source whose `url` has both; the fragment is empty where it is only the
    `#`. None when there is nothing to move, or when the source has another anchor already."""
    url, anchor = source.get("url"), source.get("anchor")
    if not isinstance(url, str) or "#" not in url:
        return None
    address, _, fragment = url.strip().partition("#")
    fragment = f"#{fragment}" if fragment else ""
    if anchor is not None and fragment and anchor != fragment:
        return None
    return address, fragment
