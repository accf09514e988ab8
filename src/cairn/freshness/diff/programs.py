"""Finds the names of the programs of a repository in its code, as parsers of command lines are told them."""

import posixpath
import re
from collections.abc import Iterable, Iterator

from cairn.freshness.diff.vanished import Grep, is_product

_NAME = r"""["'`]([A-Za-z][\w.-]*)["'`\s]"""
_DECLARED = re.compile(
    rf"""\bprog(?:_name)?\s*=\s*{_NAME}|\bscriptName\(\s*{_NAME}|\bprogram\s*\.name\(\s*{_NAME}|^\s*\.name\(\s*{_NAME}"""
    rf"""|#\[(?:command|clap)\([^\]\n#]*?\bname\s*=\s*{_NAME}"""
)
_ROOT = re.compile(rf"\bUse:\s*{_NAME}|\b(?:Command|App)::new\(\s*{_NAME}")
"""Subcommands are declared in the same way; the program is what its main file declares first."""
_MAIN = re.compile(r"(?:main|root|cli|args|app|cmd|opts?)\.(?:go|rs)")
_WORDS = ("prog", "prog_name", "scriptName", "name", "Use", "Command", "App", "command", "clap")


def declared_programs(grep: Grep) -> frozenset[str]:
    """`kite` for `Use: "kite"` in `main.go`, `prog="kite"`, `#[command(name = "kite")]`."""
    return frozenset(name.lower() for name in _declared(grep(_WORDS)))


def _declared(lines: Iterable[tuple[str, str]]) -> Iterator[str]:
    seen: set[str] = set()
    for path, line in lines:
        if ('"' in line or "'" in line or "`" in line) and is_product(path):
            yield from filter(None, (name for found in _DECLARED.finditer(line) for name in found.groups()))
            if path not in seen and _MAIN.fullmatch(posixpath.basename(path)) and (root := _ROOT.search(line)):
                seen.add(path)
                yield root[1] or root[2]
