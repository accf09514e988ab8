"""What a document may say something about: a function, a constant, a flag, a key, a file.

Two digests are kept of everything. The *interface* is what people write sentences about: a name, parameters and their
defaults, a flag, a value; the *content* is all of it. Neither minds comments, layout, the order of definitions, or what
local variables are called.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

Probe = Callable[[Callable[[], object]], bool]
"""Whether some work ends by itself, tried out where it can be ended. Parsers made by tree-sitter mend errors as they
go, can't be interrupted, and a stranger can write a file that keeps them at it for ever."""

SymbolKind = Literal["function", "class", "method", "constant", "attribute", "parameter", "flag", "key", "module"]


class Symbol(NamedTuple):
    """One named thing in a file of the repository."""

    path: str
    name: str
    """Dotted from the file's top: `Client.connect`, `project.version`, `--verbose`."""
    kind: SymbolKind
    line: int
    """First line of its definition, from 1."""
    end_line: int
    interface: str
    """Hex digest of what a caller or reader sees."""
    content: str
    """Hex digest of everything."""
    shown: str = ""
    """The interface for people, on one line: `connect(host, timeout=30)`, `TIMEOUT = 30`."""

    @property
    def short(self) -> str:
        """The last part: `connect` of `Client.connect`. Flags and keys keep theirs."""
        return self.name if self.kind in ("flag", "key", "module") else self.name.rpartition(".")[2]

    @property
    def reference(self) -> str:
        return f"{self.path}#{self.name}"


class Outline(NamedTuple):
    """Everything that one file defines."""

    path: str
    language: str
    """`python`, `json`, `toml`, `yaml`, `javascript`, …; `text` when no grammar knows it."""
    symbols: tuple[Symbol, ...]
    digest: str
    """Hex digest of the file in its normal form."""
    note: str = ""
    """Why it was read as text only, in words, when that was second best: no grammar installed, a syntax error."""
