"""Puts the size of a graph into words, the same in every command."""

from collections.abc import Mapping


def size_of(counts: Mapping[str, int], kinds: str = "") -> str:
    """`83 documents, 531 links, 78 URLs cited`; `kinds` comes behind the documents, in brackets."""
    documents = _counted(counts["documents"], "document") + (f" ({kinds})" if kinds else "")
    urls = f", {_counted(counts['urls'], 'URL')} cited" if counts["urls"] else ""
    return f"{documents}, {_counted(counts['links'], 'link')}{urls}"


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
