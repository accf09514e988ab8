"""Shell patterns as regular expressions, with git's rules for `*`, `**`, `?`, classes and backslashes.

A hostile pattern such as `*a*a*a*a*b` makes a naive translation try every way to spread the stars. Between two stars
every element is one character wide, so the leftmost fit is always as good as any other: those parts are atomic groups,
which never try again.
"""

import re

SPECIAL = re.compile(r"[*?\[\\]")

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t-\\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}

STAR, SLASH, DEEP = "*", "/", "**"
"""Tokens with a meaning of their own; every other token is a regular expression for one character."""


class _Malformed(Exception):
    """The pattern can match nothing."""


def literal_length(pattern: str) -> int:
    """How many characters stand before the first special one."""
    found = SPECIAL.search(pattern)
    return len(pattern) if found is None else found.start()


def unescaped(pattern: str) -> str | None:
    """The one text that a pattern without wildcards means, None when it has wildcards or ends in a backslash."""
    plain = re.sub(r"\\(.)", "", pattern, flags=re.DOTALL)
    if SPECIAL.search(plain):
        return None
    return re.sub(r"\\(.)", r"\1", pattern, flags=re.DOTALL)


def glob_regex(pattern: str, *, deep: bool) -> str | None:
    """A regular expression to `fullmatch` with, None when the pattern can match nothing. With `deep`, a `**` between
    slashes stands for any number of folders; without, stars are stars."""
    try:
        tokens = _tokens(pattern, deep)
    except _Malformed:
        return None
    pieces = _split(tokens, DEEP)
    out = [_piece(pieces[0])]
    for index, piece in enumerate(pieces[1:], start=1):
        out.append(_after_deep(piece, last=index == len(pieces) - 1))
    return "".join(out)


def _after_deep(piece: list[str], *, last: bool) -> str:
    """What follows a `**`. Folders are passed over lazily, all but the last time: the leftmost fit is good enough."""
    if not piece:
        return r"(?s:.*)"
    if piece[0] == SLASH:
        folders = r"(?s:.*/)?" if last else r"(?s:.*?/)??"
        inner = folders + _piece(piece[1:])
    else:
        inner = (r"(?s:.*)" if last else r"(?s:.*?)") + _piece(piece)
    return inner if last else f"(?>{inner})"


def _piece(tokens: list[str]) -> str:
    """Parts of a path in which stars stay between two slashes."""
    return "/".join(_component(part) for part in _split(tokens, SLASH))


def _component(tokens: list[str]) -> str:
    first, *others = ("".join(part) for part in _split(tokens, STAR))
    if not others:
        return first
    *inner, last = others
    return first + "".join(f"(?>[^/]*?{part})" for part in inner if part) + f"[^/]*{last}"


def _split(tokens: list[str], at: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == at:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _tokens(pattern: str, deep: bool) -> list[str]:
    tokens: list[str] = []
    start = literal_length(pattern)  # git compares this much as text, then starts afresh: `a**/b` is `a` and `**/b`
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "*":
            token, at = _stars(pattern, at, deep, start)
        elif char == "[":
            token, at = _char_class(pattern, at)
        elif char == "\\":
            token, at = _escaped(pattern, at)
        else:
            token, at = ("[^/]" if char == "?" else SLASH if char == "/" else re.escape(char)), at + 1
        tokens.append(token)
    return tokens


def _stars(pattern: str, at: int, deep: bool, start: int) -> tuple[str, int]:
    end = at
    while end < len(pattern) and pattern[end] == "*":
        end += 1
    opens = at == start or pattern[at - 1] == "/"
    closes = end == len(pattern) or pattern.startswith(("/", "\\/"), end)
    return (DEEP if deep and end - at > 1 and opens and closes else STAR), end


def _escaped(pattern: str, at: int) -> tuple[str, int]:
    if at + 1 == len(pattern):
        raise _Malformed
    char = pattern[at + 1]
    # An escaped slash is a slash, but `**` before it does not vanish with it.
    return ("(?:/)" if char == "/" else re.escape(char)), at + 2


def _char_class(pattern: str, at: int) -> tuple[str, int]:
    """A class in brackets, from its `[`. Git lets no class match a slash."""
    at += 1
    negated = pattern[at : at + 1] in ("!", "^")
    at += negated
    members: list[str] = []
    previous = ""
    first = True
    while first or pattern[at : at + 1] != "]":
        first = False
        member, previous, at = _class_member(pattern, at, previous)
        members.append(member)
    body = "".join(members)
    return f"(?!/)[{'^' if negated else ''}{body}]", at + 1


def _class_member(pattern: str, at: int, previous: str) -> tuple[str, str, int]:
    """The next member as it stands in a regular expression, the character that may open a range, and where to go on."""
    char = _char_at(pattern, at)
    if char == "\\":
        char = _char_at(pattern, at + 1)
        return re.escape(char), char, at + 2
    if char == "-" and previous and pattern[at + 1 : at + 2] not in ("", "]"):
        at += 2 if pattern[at + 1] == "\\" else 1
        last = _char_at(pattern, at)
        return (f"{re.escape(previous)}-{re.escape(last)}" if previous <= last else ""), "", at + 1
    if char == "[" and pattern[at + 1 : at + 2] == ":":
        return _named_class(pattern, at)
    return re.escape(char), char, at + 1


def _named_class(pattern: str, at: int) -> tuple[str, str, int]:
    end = pattern.find("]", at + 2)
    if end < 0:
        raise _Malformed
    if end == at + 2 or pattern[end - 1] != ":":
        return re.escape("["), "[", at + 1
    name = pattern[at + 2 : end - 1]
    if name not in _CLASSES:
        raise _Malformed
    return _CLASSES[name], "", end + 1


def _char_at(pattern: str, at: int) -> str:
    if at >= len(pattern):
        raise _Malformed
    return pattern[at]
