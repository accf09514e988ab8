"""A rule: what something that must not leave looks like. Rules are data, so that a locale can bring its own."""

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

Category = Literal["direct", "indirect"]
"""`direct`: a secret, or it names one person; it must not get through. `indirect`: a hint, worth a look."""

Check = Callable[["re.Match[str]"], Category | None]
"""What a match is worth once its checksum, entropy or surroundings were looked at; None when it was no hit."""


NUMBER_START = r"(?<![A-Za-z0-9])(?<!(?<!_)_)(?<!\d\.)(?<![A-Za-z0-9]-)"
"""How the patterns of numbers begin."""


TOKEN_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
"""How those of tokens begin: also behind `\\n` in a quoted text, and behind `%3D`."""


class Column(NamedTuple):
    head: str
    """Pattern of the head of a column, without what may stand around it."""
    judge: Callable[[str], Category | None]
    """What a cell below it is worth."""


class ScrubRule(NamedTuple):
    name: str
    """In lower case with hyphens; stands in the text instead of what was there."""
    pattern: str
    """Regular expression that is linear in what it looks at: every repetition has an upper limit or is possessive. A
    group `secret`, or else `plain`, says which part is meant; without one it is all of it."""
    category: Category = "direct"
    literals: tuple[str, ...] = ()
    """One of these is inside of every match, in lower case; only places that have one are looked at."""
    shapes: tuple[str, ...] = ()
    """The same for what has no fixed letters: `0` is a digit, `A` a capital, `a` any other letter."""
    words: tuple[str, ...] = ()
    """The same for long words (`find.LONG`), which start with one of these in exactly this case; `*` is any beginning."""
    digits: int = 0
    """The same for numbers: so many digits stand in every match, with at most one blank, dot, hyphen or slash between
    two of them. Letters may stand around them."""
    near: tuple[str, ...] = ()
    """Only for `digits`: words of which one has to stand near the number; none when its form tells enough, `*` when
    `check` looks at them itself. A word that ends with `*` stands for all that begin so; one that ends with `!`
    counts right before the number only; `:` stands for one letter and a colon. Two words that follow each other count as one, without a blank."""
    before: int = 0
    """How many characters a match may start before what was found of it, as long as they are of `back`; `*` stands
    for all characters of the line."""
    back: str = ""
    behind: str = ""
    """A pattern that stands in the last `plan.BEHIND` characters before what was found; it spares a longer look."""
    reach: int = 400
    """How many it may go on after it."""
    column: Column | None = None
    """Set when its literals may head a column of a table, so that the cells below are looked at, too."""
    flags: int = 0
    check: Check | None = None
    replacement: str | None = None
    """What to write instead; `[REDACTED:<name>]` when it is left open."""

    @property
    def mark(self) -> str:
        return f"[REDACTED:{self.name}]" if self.replacement is None else self.replacement
