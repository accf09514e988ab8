"""Splits lines of code and of documents into the tokens that the miner counts."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,59}")
KEBAB = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)+")
FLAG = re.compile(r"(?<![\w/-])--([A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*)")
PATH = re.compile(
    r"(?<![\w:/@.{<*$-])(?:\.{0,2}/)*((?:[\w@.-]+/)+[\w@.-]*\w|[\w@.-]*\w\.[A-Za-z]\w{0,9})(?![\w/*{}(-])"
)
URL = re.compile(r"\b(?:https?|ftp|git|ssh|mailto):\S+")
SPAN = re.compile(r"(`{1,3})(.+?)\1")
DISTINCT = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_+[A-Za-z0-9]")
FENCE = re.compile(r"^\s*(?:[>*-]\s*|\d+\.\s+)?(`{3,}|~{3,})")
LITERAL_OPENS = re.compile(r"::\s*$|^\s*\.\. (?:code|code-block|sourcecode|highlight|prompt|console|parsed-literal)\b")
DIRECTIVE = re.compile(r"^\s*\.\. [\w:-]+::")
MOST_COMPONENTS = 4


class DocumentToken(NamedTuple):
    """A token that a document line writes as code, and the keys under which code may count it."""

    written: str
    shape: str
    """`word`, `flag`, `key` (a name with hyphens) or `path`."""
    keys: tuple[str, ...]


def words_of_code(line: str) -> list[str]:
    """Every word, and every name with hyphens as a whole."""
    found = WORD.findall(line)
    if "-" in line:
        found += KEBAB.findall(line)
    return found


def words_of_document(line: str) -> set[str]:
    """The keys under which tokens of this line could be counted in code."""
    return {key for token in tokens(line, True) for key in token.keys}


def path_keys(path: str) -> list[str]:
    """Keys of a tracked path: its last one to four components, and the whole."""
    parts = path.split("/")
    ends = {"/".join(parts[-count:]) for count in range(1, min(MOST_COMPONENTS, len(parts)) + 1)}
    return [f"path:{end}" for end in ends | {path}]


def tokens(line: str, in_code_block: bool) -> list[DocumentToken]:
    """Tokens that the line writes as code: in spans or blocks, or in a shape that prose does not have."""
    text = URL.sub(" ", line)
    spans = [text] if in_code_block else [match[2] for match in SPAN.finditer(text)]
    found = [DocumentToken(f"--{name}", "flag", spellings(name)) for name in FLAG.findall(text)]
    inside = "\n".join(spans)
    found += [DocumentToken(word, "word", (word,)) for word in WORD.findall(inside)]
    found += [DocumentToken(name, "key", spellings(name)) for name in KEBAB.findall(FLAG.sub(" ", inside))]
    found += [DocumentToken(word, "word", (word,)) for word in WORD.findall(text) if DISTINCT.search(word)]
    found += [DocumentToken(path, "path", (f"path:{posixpath.normpath(path)}",)) for path in PATH.findall(text)]
    return list(dict.fromkeys(found))


def spellings(name: str) -> tuple[str, ...]:
    """A name with hyphens as code may write it: with hyphens, with underscores, in camel case."""
    parts = name.split("-")
    camel = parts[0] + "".join(part[:1].upper() + part[1:] for part in parts[1:])
    pascal = camel[:1].upper() + camel[1:]
    return tuple(dict.fromkeys((name, "_".join(parts), camel, pascal)))


def code_lines(lines: Sequence[str], is_rst: bool) -> list[bool]:
    """Marks lines that stand in a code block or in frontmatter."""
    return list(literal_blocks(lines) if is_rst else fenced_blocks(lines))


def fenced_blocks(lines: Sequence[str]) -> Iterator[bool]:
    fence = ""
    front = bool(lines) and lines[0].strip() == "---"
    for number, line in enumerate(lines):
        if front:
            front = not (number and line.strip() == "---")
            yield True
            continue
        match = FENCE.match(line)
        if match and not fence:
            fence = match[1]
            yield False
        elif match and fence and match[1].startswith(fence) and not line.strip().strip("`~> "):
            fence = ""
            yield False
        else:
            yield bool(fence)


def literal_blocks(lines: Sequence[str]) -> Iterator[bool]:
    depth: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if depth is not None and line.strip() and indent <= depth:
            depth = None
        if DIRECTIVE.match(line):
            depth = None
        yield depth is not None
        if depth is None and LITERAL_OPENS.search(line):
            depth = indent
