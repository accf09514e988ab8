"""Splits directives into arguments, options and content, and tells how each kind is read."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from cairn.lib.rst.lines import RstLine, dedented, trimmed
from cairn.lib.rst.names import words

FIELD = re.compile(r":(?![: ])((?:[^:\\]|\\.|:(?![ `]|$))*)(?<! ):( +|$)")

CODE: Mapping[str, str] = {
    "code-block": "",
    "code": "",
    "sourcecode": "",
    "parsed-literal": "",
    "doctest": "pycon",
    "testcode": "python",
    "testoutput": "output",
    "testsetup": "python",
    "testcleanup": "python",
    "prompt": "shell",
    "ipython": "ipython",
    "productionlist": "bnf",
    "console": "console",
}
"""Directives whose content is code, with its language if they fix one; the others name it."""
WITH_LANGUAGE = frozenset(("code-block", "code", "sourcecode"))
UNREAD = words(
    "raw math index highlight highlightlang graphviz digraph graph inheritance-diagram uml plantuml mermaid "
    "blockdiag contents meta sectnum section-numbering header footer tabularcolumns currentmodule "
    "py:currentmodule sectionauthor moduleauthor codeauthor autosummary bibliography jinja date unicode "
    "default-role title program plot command-output program-output literalinclude include image toctree role "
    "target-notes rst-class"
)
"""Directives whose content is nothing to read here."""
ADMONITIONS = words(
    "note tip warning hint important danger error attention caution seealso todo compound epigraph highlights "
    "pull-quote hlist glossary centered tab-set tabs acks"
)
"""Directives that have no argument: what stands on their first line is content."""
TITLED = words(
    "rubric centered admonition topic sidebar table list-table csv-table versionadded versionchanged "
    "deprecated versionremoved replace"
)
"""Directives whose argument is text to be read."""
VERSIONS = frozenset(("versionadded", "versionchanged", "deprecated", "versionremoved"))
INCLUDES = frozenset(("include", "literalinclude"))
WITH_FILE = frozenset(("csv-table", "raw"))
"""Directives whose option `file` names a file with their content."""
NESTED_SECTIONS = frozenset(("only", "ifconfig"))


class Directive(NamedTuple):
    name: str
    line: RstLine
    argument: list[RstLine]
    options: dict[str, RstLine]
    content: list[RstLine]


def split_directive(name: str, line: RstLine, block: list[RstLine]) -> Directive:
    """`block` starts with what follows `::` on the first line."""
    end = next((i for i, each in enumerate(block) if not each.text), len(block))
    head, content = block[:end], dedented(_unled(block[end:]))
    if not block[0].text and len(block) > 1 and block[1].text:
        end = next((i for i, each in enumerate(block) if i and not each.text), len(block))
        head, content = block[1:end], dedented(_unled(block[end:]))
    argument, options = _options(head)
    if name in CODE and len(argument) > 1:
        argument, content = argument[:1], [*argument[1:], *content]
    return Directive(name, line, argument, options, trimmed(content))


def _unled(lines: list[RstLine]) -> list[RstLine]:
    start = 0
    while start < len(lines) and not lines[start].text:
        start += 1
    return lines[start:]


def _options(head: list[RstLine]) -> tuple[list[RstLine], dict[str, RstLine]]:
    at = next((i for i, line in enumerate(head) if FIELD.match(line.text)), len(head))
    options: dict[str, RstLine] = {}
    for line in head[at:]:
        if found := FIELD.match(line.text):
            options[found[1].lower()] = line.cut(found.end())
    return [line for line in head[:at] if line.text], options
