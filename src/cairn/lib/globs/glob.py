"""Patterns for paths, as git matches them: single ones, and the rules of ignore files."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

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


BOM = "\ufeff"


class IgnoreRule(NamedTuple):
    """One pattern. Exactly one of `name`, `ending`, `path`, `name_regex` and `path_regex` is not empty."""

    negated: bool
    folders_only: bool
    prefix: str
    """The folder that holds the pattern, with a slash behind it; it says nothing about what is elsewhere."""
    name: str = ""
    ending: str = ""
    path: str = ""
    name_regex: str = ""
    path_regex: str = ""

    def matches(self, path: str, name: str) -> bool:
        if not path.startswith(self.prefix):
            return False
        if self.name:
            return name == self.name
        if self.ending:
            return name.endswith(self.ending)
        if self.path:
            return path == self.path
        if self.name_regex:
            return re.fullmatch(self.name_regex, name) is not None
        return re.fullmatch(self.path_regex, path) is not None


def pattern_lines(text: str) -> tuple[str, ...]:
    """The patterns in an ignore file: no comments, no blank lines, no trailing spaces that nobody escaped."""
    lines = (line.removesuffix("\r") for line in text.removeprefix(BOM).split("\n"))
    return tuple(line for line in (_trimmed(line) for line in lines if not line.startswith("#")) if line)


def compile_rules(base: str, patterns: Iterable[str]) -> tuple[IgnoreRule, ...]:
    """Rules of patterns that stand in the folder `base` (empty for the root, no slash at the end)."""
    prefix = f"{base}/" if base else ""
    rules = (_rule(prefix, pattern) for pattern in patterns)
    return tuple(rule for rule in rules if rule is not None)


def _rule(prefix: str, pattern: str) -> IgnoreRule | None:
    """None for a pattern that can match nothing."""
    negated = pattern.startswith("!")
    body = pattern[1:] if negated else pattern
    folders_only = body.endswith("/")
    body = body[:-1] if folders_only else body
    if not body:
        return None
    if "/" in body:
        return _path_rule(negated, folders_only, prefix, body.removeprefix("/"))
    if literal_length(body) == len(body):
        return IgnoreRule(negated, folders_only, prefix, name=body)
    if body[0] == "*" and len(body) > 1 and literal_length(body[1:]) == len(body) - 1:
        return IgnoreRule(negated, folders_only, prefix, ending=body[1:])
    if (name := unescaped(body)) is not None:
        return IgnoreRule(negated, folders_only, prefix, name=name) if name else None
    regex = glob_regex(body, deep=False)
    return None if regex is None else IgnoreRule(negated, folders_only, prefix, name_regex=regex)


def _path_rule(negated: bool, folders_only: bool, prefix: str, body: str) -> IgnoreRule | None:
    if (path := unescaped(body)) is not None:
        return IgnoreRule(negated, folders_only, prefix, path=prefix + path) if path else None
    regex = glob_regex(body, deep=True)
    return None if regex is None else IgnoreRule(negated, folders_only, prefix, path_regex=re.escape(prefix) + regex)


def _trimmed(line: str) -> str:
    """Without the spaces at its end; a backslash keeps the space behind it."""
    bare = line.rstrip(" ")
    if bare == line:
        return line
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if backslashes % 2 else bare


class _Sieve:
    """Lets through what no rule can match, fast."""

    __slots__ = ("endings", "name_regex", "names", "only_names", "path_regex", "paths")

    def __init__(self, rules: Sequence[IgnoreRule]) -> None:
        self.names = frozenset(rule.name for rule in rules if rule.name)
        self.endings = tuple({rule.ending for rule in rules if rule.ending})
        self.paths = frozenset(rule.path for rule in rules if rule.path)
        self.name_regex = _any_of(rule.name_regex for rule in rules if rule.name_regex)
        self.path_regex = _any_of(rule.path_regex for rule in rules if rule.path_regex)
        self.only_names = not self.paths and self.name_regex is None and self.path_regex is None

    def hits(self, path: str, name: str) -> bool:
        return (
            name in self.names
            or name.endswith(self.endings)
            or path in self.paths
            or (self.name_regex is not None and self.name_regex.fullmatch(name) is not None)
            or (self.path_regex is not None and self.path_regex.fullmatch(path) is not None)
        )


def _any_of(regexes: Iterable[str]) -> re.Pattern[str] | None:
    unique = dict.fromkeys(regexes)
    return re.compile("|".join(f"(?:{regex})" for regex in unique)) if unique else None


class Ignore:
    """Rules in order; the last one that matches decides."""

    __slots__ = ("_files", "_folders", "_rules")

    def __init__(self, rules: Sequence[IgnoreRule]) -> None:
        self._rules = tuple(rules)
        self._files = _Sieve([rule for rule in rules if not (rule.folders_only or rule.negated)])
        self._folders = _Sieve([rule for rule in rules if not rule.negated])

    def file(self, path: str, name: str) -> bool:
        """Whether a file is ignored, given that the folder that holds it is not. `name` is the last part of `path`."""
        return self._files.hits(path, name) and self._decide(path, name, is_folder=False)

    def folder(self, path: str, name: str) -> bool:
        return self._folders.hits(path, name) and self._decide(path, name, is_folder=True)

    def kept_files(self, prefix: str, names: list[str]) -> list[str]:
        """Those of the files in one folder that are not ignored. `prefix` is its path with a slash behind it.

        The same as asking `file` for each of them, in a fraction of the time."""
        sieve = self._files
        if sieve.only_names:
            known, endings = sieve.names, sieve.endings
            hit = [name for name in names if name in known or name.endswith(endings)]
        else:
            hit = [name for name in names if sieve.hits(prefix + name, name)]
        if not hit:
            return names
        gone = {name for name in hit if self._decide(prefix + name, name, is_folder=False)}
        return [name for name in names if name not in gone]

    def ignored(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether a path is ignored by itself or because it lies in an ignored folder, which nothing can undo."""
        for end in (at for at, char in enumerate(path) if char == "/"):
            if self.folder(path[:end], path[path.rfind("/", 0, end) + 1 : end]):
                return True
        name = path.rpartition("/")[2]
        return self.folder(path, name) if is_folder else self.file(path, name)

    def _decide(self, path: str, name: str, *, is_folder: bool) -> bool:
        for rule in reversed(self._rules):
            if (is_folder or not rule.folders_only) and rule.matches(path, name):
                return not rule.negated
        return False
