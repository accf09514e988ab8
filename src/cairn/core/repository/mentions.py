"""What documents say about code: names that the code could define, and texts about something that is gone."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from cairn.lib.code.definitions import declared_in, defined_by_keyword
from cairn.lib.document.outline import Block, PageOutline

_NAME = re.compile(r"\.?(?:([A-Za-z_]\w*)(?:\.|::|#))*([A-Za-z_]\w{3,})(\(.*\))?[?!]?")
_FLAG = re.compile(r"(--[a-z][a-z0-9]+(?:-[a-z0-9]+)*)(?:[= ].*)?")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]+")
_CAPITALS = re.compile(r"[A-Z][A-Z0-9]{4,}")
_SHAPED = re.compile(r"[a-z0-9]_[a-zA-Z0-9]|[A-Z0-9]_[A-Z0-9]|[a-z][A-Z]|[A-Z]{2}[a-z]")
_WORD = re.compile(
    r"(?<![\w.-])(?P<flag>--[a-z][a-z0-9]+(?:-[a-z0-9]+)*)"
    r"|(?:(?<!\w)(?P<base>\$?\w+)(?:\.|::|->|#))?(?<![\w$])(?<!\$\{)(?P<name>[A-Za-z_]\w{4,})"
)
"""A flag, or a name with what it belongs to. A name behind `$` is a variable of the reader's shell."""
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")
_TELLING = 3
"""Names of fewer words (`add_item`, `fromUrl`) are common; something else may have the same."""
_QUALIFIED = re.compile(r"""["']([a-z]\w*)(?:\.\w+)*\.(\w+)["']""")
_PROMPT = re.compile(r"\s*(?:>>>|\.\.\.|[$%])\s")
_IMPORT = re.compile(
    r"""^\s*from\s+(?P<python>[\w.]+)\s+import\b|\b(?:from|import|require\()\s*["'](?P<quoted>[^"']+)["']"""
    r"""|^\s*(?:import|use|using|require|include)\s++(?!.*\bfrom\s*["'])["'<]?(?P<other>[\w.@/-]+)"""
)
_FILE = re.compile(r".*\.(?:md|rst|py|jsx?|tsx?|json|toml|ya?ml|txt|cfg|ini|sh|go|rs|html|css|lock|xml|mdx)", re.I)
_LONGEST_SPAN = 80
SHELL = frozenset({"sh", "bash", "shell", "console", "zsh", "fish", "powershell", "ps1", "cmd", "shell-session"})
_OUTPUT = frozenset({"text", "txt", "output", "log", "diff", "console", "plain", "plaintext", "mermaid", "svg", "dot"})


class Mention(NamedTuple):
    line: int
    name: str
    """The word that code would have."""
    in_block: bool = False
    """In a block of code, whose fields and arguments may belong to anything; see `NameRemoval.alone`."""
    sure: bool = True
    """Whether the name can only be this repository's. If not, it counts where the page also has a mention that is."""
    owner: str = ""
    """The type before the name, if there is one: `Query` in `Query::getResult()`."""


def mentions(page: PageOutline, packages: Collection[str] = ()) -> Iterator[Mention]:
    """Names that the page defines in a code block of its own belong to its reader. `packages` are the names under which
    this repository is imported."""
    own = own_names([line for block in page.blocks for line in block.lines], packages)
    for span in page.spans:
        if (name := name_in(span.text)) and name not in own:
            yield Mention(span.line, name, owner=owner_in(span.text))
    for block in page.blocks:
        yield from _in_block(block, own, packages)


def own_names(lines: Iterable[str], packages: Collection[str], *, assigned: bool = True) -> set[str]:
    """Names that lines of code define, or have from another package; without `assigned`, what is only set to a value is
    left out, because it may be a setting."""
    own: set[str] = set()
    defined = defined_by_keyword if assigned else declared_in
    for line in lines:
        own.update(defined(line.encode()))
        own.update(_of_others(line, packages))
    return own


def is_shaped(name: str) -> bool:
    """Whether a name looks like code wherever it stands: `max_size`, `maxSize`, `MaxSize`, `HTTP_PROXY`."""
    return _SHAPED.search(name) is not None


def name_in(span: str) -> str | None:
    """The name in a piece of inline code that has the shape of a name and of nothing else."""
    if len(span) > _LONGEST_SPAN:
        return None
    if flag := _FLAG.fullmatch(span):
        return flag[1]
    found = _NAME.fullmatch(span)
    if not found or _FILE.fullmatch(span):
        return None
    name, called = found[2], found[3]
    dotted = span.rstrip("?!") != name + (called or "")
    return name if called or dotted or _SHAPED.search(name) or _CAPITALS.fullmatch(name) else None


def owner_in(span: str) -> str:
    """The type that a piece of inline code names before its last name, by the capital letter."""
    found = _NAME.fullmatch(span)
    owner = found[1] or "" if found else ""
    return owner if owner[:1].isupper() else ""


def _in_block(block: Block, own: set[str], packages: Collection[str]) -> Iterator[Mention]:
    """Names that a block imports from another package belong to that."""
    if block.language in _OUTPUT:
        return
    own = own | {name for line in block.lines for name in foreign_names(line, packages)}
    ours = any(_imports_us(line, packages) for line in block.lines)
    prompts = any(_PROMPT.match(line) for line in block.lines)
    for number, line in enumerate(block.lines, block.line):
        if prompts and not _PROMPT.match(line):
            continue  # the output of a program
        for found in _WORD.finditer(line):
            name, base = found["flag"] or found["name"], found["base"]
            if name in own or base in own or not (found["flag"] or _SHAPED.search(name)):
                continue
            if block.language in SHELL and not found["flag"] and not _CONSTANT.fullmatch(name):
                continue
            sure = runs_this(line, packages) if found["flag"] else _is_ours(name, base, block, packages, ours=ours)
            if sure or not found["flag"]:
                yield Mention(number, name, in_block=True, sure=sure)


def _is_ours(name: str, base: str | None, block: Block, packages: Collection[str], *, ours: bool) -> bool:
    """Whether a name of a block is this repository's, as far as the block tells: it belongs to a package of ours, the
    block imports one, or the name is so long that nothing else has it by chance."""
    if ours or (base and base.lower() in packages):
        return True
    return bool(block.language) and is_telling(name)


def is_telling(name: str) -> bool:
    """Whether a name has so many words that nothing else has it by chance."""
    return len(_PART.findall(name)) >= _TELLING


def _of_others(line: str, packages: Collection[str]) -> list[str]:
    """Names that a block imports from another package, or writes with the module of one in a string."""
    imported = foreign_names(line, packages)
    written = [found[2] for found in _QUALIFIED.finditer(line) if found[1].lower() not in packages]
    return [*(name for name in imported if _SHAPED.search(name)), *written]


def _imports_us(line: str, packages: Collection[str]) -> bool:
    return _IMPORT.search(line) is not None and not foreign_names(line, packages)


def runs_this(line: str, packages: Collection[str]) -> bool:
    """Whether a line of a shell runs a program of this repository, or goes on from the line above."""
    if line.lstrip().startswith("-"):
        return True
    words = [word for word in line.split() if word not in _RUNNERS and "=" not in word]
    if not words or words[0].startswith("-"):
        return True
    return "/" in words[0] or is_program(words[0], packages) or is_program("-".join(words[:2]), packages)


def is_program(word: str, packages: Collection[str]) -> bool:
    """Whether a word of a command is a program of this repository: `app`, `./bin/app`, `app.phar`."""
    name = word.lower().rpartition("/")[2]
    return any(one in packages for one in (name, name.replace("-", "_"), _SUFFIX.sub("", name)))


_SUFFIX = re.compile(r"\.(?:phar|py|[cm]?js|rb|exe|sh|php|jar)$")
_RUNNERS = frozenset(
    ("$", ">", "sudo", "uv", "uvx", "run", "npx", "pnpm", "yarn", "bunx", "bun", "python", "python3", "-m", "poetry")
) | {"pipx", "bundle", "exec", "php", "node", "ruby", "mix", "dotnet", "mint", "swift", "java", "-jar", "docker"}


def foreign_names(line: str, packages: Collection[str]) -> list[str]:
    """The words of a line that imports from a package of somebody else, or from a file of the reader."""
    found = _IMPORT.search(line)
    if found is None:
        return []
    module = (found["python"] or found["quoted"] or found["other"] or "").lower()
    parts = re.split(r"[./]|::", module)
    scoped = "/".join(parts[:2]) if module.startswith("@") else parts[0]
    known = scoped in packages or module in packages
    return [] if known else re.findall(r"\w+", line)


_GONE = re.compile(
    r"\b(?:deprecat\w*|removed|removal|deleted|renam(?:ed|ing)|replac(?:ed|es|ing)|formerly|previously|used to|"
    r"no longer|any ?more|legacy|obsolete|dropp(?:ed|ing)|migrat\w+|upgrad\w+|breaking|changed in|versionchanged|"
    r"superseded|in favou?r of|"
    r"the old|prior to|before v?\d|until v?\d|instead of|was called|old name|planned|not yet|propos\w+|historical\w*|"
    r"(?:is|are) now|was\b[^.\n]{0,80}\bnow|there is no|(?:does not|doesn't) exist|does not have|"
    r"(?:release|version|in|since|for|of|from)[- ]v?\d+\.\d[\w.]*)\b|~~",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:change ?log|release notes?|what.?s new|history|upgrad\w+|migrat\w+|breaking changes?|removed|"
    r"roadmap|future|ideas)\b|^(?:v\d+\.\d|\d+\.\d[\w.]*\s*(?:$|[(\[/:–—-]|\d))",
    re.IGNORECASE,
)
_DEPRECATED = re.compile(r"\bdeprecat", re.IGNORECASE)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_RECORD = re.compile(
    r"\s*+(?:(?:[-*+]|\d++\.)\s*+)?[*_\[(`]{0,4}(?:v?\d++\.\d[\w.]*+[*_\])`]{0,4}(?:[:\s–—-]|\(|$)"
    rf"|(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])\b|{_MONTH}\.? (?:\d{{1,2}}, )?(?:19|20)\d\d)"
)
"""A line of a list of news: it begins with a version or a date."""
_VERSIONED = re.compile(r"\s*\.\. (?:version(?:added|changed|removed)|deprecated)::")
_CODE = re.compile(r"`[^`]*`")


def announces_a_change(text: str) -> bool:
    """Whether the words of a text, its code left out, talk about something that was or is to come."""
    return _GONE.search(_CODE.sub(" ", text)) is not None


def is_record(line: str) -> bool:
    """Whether a line tells what happened in a release or on a day."""
    return _RECORD.match(line) is not None


def is_about_the_past(headings: Iterable[str]) -> bool:
    """Whether a section, by its heading or one above it, tells what was or is to come."""
    return any(_PAST.search(heading) or _DEPRECATED.search(heading) for heading in headings)


def is_about_other_versions(headings: Iterable[str]) -> bool:
    """The same, without sections about what is deprecated: that is still there, until a change removes it."""
    return any(_PAST.search(heading) for heading in headings)


def is_versioned(lines: Sequence[str], line: int) -> bool:
    """Whether a line of `.rst` belongs to a directive such as `.. versionadded::`."""
    indent = _indent(lines[line - 1]) if line <= len(lines) else 0
    for above in reversed(lines[: line - 1]):
        if above.strip() and _indent(above) < indent:
            if _VERSIONED.match(above):
                return True
            indent = _indent(above)
        if not indent:
            return False
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
