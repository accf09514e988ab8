"""Text of anybody as plain text in Markdown."""

import re

_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+!|~@&:])")


def escape_markdown(text: str) -> str:
    """On one line, and without a meaning to Markdown or GitHub: nobody is mentioned, nothing is linked."""
    return _MARKUP.sub(_entity, " ".join(text.split()))


def _entity(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"
