"""Reads the ids that authors write into a heading: `## Title {#id}` in the syntax of each renderer."""

import re
from collections.abc import Callable

Attributes = Callable[[str], tuple[str, str | None]]
"""From the Markdown of a heading to the Markdown without its attributes, and the id."""


def none(heading: str) -> tuple[str, str | None]:
    """For renderers that show attributes as text."""
    return heading, None


def _split(pattern: str) -> Attributes:
    found_at_end = re.compile(pattern)

    def split(heading: str) -> tuple[str, str | None]:
        found = found_at_end.search(heading)
        if not found:
            return heading, None
        return heading[: found.start()].rstrip(" \t"), _id_among(found[1])

    return split


def _id_among(written: str) -> str | None:
    """The id in `#id .class key=value`."""
    ids = re.findall(r"""(?:^|\s)(?:#|id=["']?)([^\s"'}]+)""", written)
    return ids[-1] if ids else None


pulldown = _split(r"(?:(?<![ \t])[ \t]++)?\{((?:[ \t]*+(?:[#.][^\s{}#.]|[\w-]++=)[^{}]*+))\}[ \t]*+$")
"""`{#id .class key=value}` in mdBook and Hugo."""
markdown_it = _split(r"(?:(?<![ \t])[ \t]++)?\{([^{}]*+)\}[ \t]*+$")
"""Anything in braces at the end, in VitePress."""
kramdown = _split(r"[ \t]\{(#[A-Za-z_:À-\U000effff][\w:.·-]*)\}[ \t]*$")
"""`{#id}` only; other attributes are on a line of their own."""


def python_markdown(heading: str) -> tuple[str, str | None]:
    """`{: #id}` or `{#id}`, after the first space and brace. Drops tags, of which Python-Markdown knows more."""
    inside = heading.rstrip(" ").removesuffix("}")
    found = _PYTHON_MARKDOWN.search(inside) if len(inside) < len(heading.rstrip(" ")) else None
    if not found or "}" in inside[found.end() :]:
        return _LIKE_A_TAG.sub(lambda tag: tag[0] if tag[1] else "", heading), None
    return heading[: found.start()], _id_among(inside[found.end() :].rstrip(" "))


_PYTHON_MARKDOWN = re.compile(r"(?<![ ])[ ]++\{:?[ ]*+(?=[^}\n ])")
_LIKE_A_TAG = re.compile(
    r"(?<!`)(`++).*?(?<!`)\1(?!`)|<(?!(?:https?|ftp)://)/?[a-zA-Z][^<>@ ]*(?: [^<>]*)?(?<!\\)>",
)
"""Code, which stays, or a tag. `\\<` does not escape a tag there."""


def docusaurus(heading: str) -> tuple[str, str | None]:
    """`{#id}`, or a comment: `{/* #id */}` in MDX, `<!-- #id -->` in Markdown."""
    found = _DOCUSAURUS.search(heading)
    if not found:
        return heading, None
    return heading[: found.start()], (found[1] or found[2] or found[3]).strip()


_DOCUSAURUS = re.compile(
    r"(?:(?<!\s)\s++)?(?:\\?\{#((?:.(?!\{#|\}))*.)\}|\{/\*\s*#([^\s{]+)(?:\s[^*{]*)?\*/\}|<!--\s*#([^\s<]+?)(?:\s[^<>]*)?-->)$"
)
