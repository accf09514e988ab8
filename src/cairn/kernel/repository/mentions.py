"""Names of code in a document: inline code and code blocks that use a name the code could define."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cairn.kernel.repository.definitions import defined_in
from cairn.kernel.text.outline import Block, PageOutline

_NAME = re.compile(r"\.?(?:[A-Za-z_]\w*(?:\.|::|#))*([A-Za-z_]\w{3,})(\(.*\))?[?!]?")
_FLAG = re.compile(r"(--[a-z][a-z0-9]+(?:-[a-z0-9]+)*)(?:[= ].*)?")
_SHAPED = re.compile(r"[a-z0-9]_[a-z0-9]|[A-Z0-9]_[A-Z0-9]|[a-z][A-Z]|[A-Z][a-z]+[A-Z]")
_WORD = re.compile(r"(?<![\w.-])(--[a-z][a-z0-9]+(?:-[a-z0-9]+)*)|([A-Za-z_]\w{4,})")
_IMPORT = re.compile(r"^\s*(?:from\s+\S+\s+import|import|use|using|require|include)\b|\bimport\b.*\bfrom\b|require\(")
_FILE = re.compile(r".*\.(?:md|rst|py|jsx?|tsx?|json|toml|ya?ml|txt|cfg|ini|sh|go|rs|html|css|lock|xml|mdx)", re.I)
_LONGEST_SPAN = 80
_OUTPUT = frozenset({"text", "txt", "output", "log", "diff", "console", "plain", "plaintext", "mermaid", "svg", "dot"})


class Mention(NamedTuple):
    line: int
    name: str
    """The word that code would have."""
    shown: str
    """As the document writes it."""


def mentions(page: PageOutline) -> Iterator[Mention]:
    """Names that the page defines in a code block of its own belong to its reader."""
    own = {name for block in page.blocks for line in block.lines for name in defined_in(line.encode())}
    for span in page.spans:
        if (name := name_in(span.text)) and name not in own:
            yield Mention(span.line, name, span.text)
    for block in page.blocks:
        yield from _in_block(block, own)


def name_in(span: str) -> str | None:
    """The name in a piece of inline code that has the shape of a name and of nothing else."""
    if len(span) > _LONGEST_SPAN:
        return None
    if flag := _FLAG.fullmatch(span):
        return flag[1]
    found = _NAME.fullmatch(span)
    if not found or _FILE.fullmatch(span):
        return None
    name, called = found[1], found[2]
    dotted = span.rstrip("?!") != name + (called or "")
    return name if called or dotted or _SHAPED.search(name) else None


def _in_block(block: Block, own: set[str]) -> Iterator[Mention]:
    """Names that a block imports belong to another package, or are used nowhere else in it."""
    if block.language in _OUTPUT:
        return
    own = own | {name for line in block.lines for name in _imported(line)}
    for number, line in enumerate(block.lines, block.line):
        for found in _WORD.finditer(line):
            name = found[1] or found[2]
            if name not in own and (found[1] or _SHAPED.search(name)):
                yield Mention(number, name, name)


def _imported(line: str) -> list[str]:
    return re.findall(r"\w+", line) if _IMPORT.search(line) else []
