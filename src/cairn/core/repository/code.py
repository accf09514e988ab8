"""The words of the code of a repository, and what documents say about names that the code could define."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from cairn.core.repository.tree import RepositoryTree
from cairn.lib.code.definitions import declared_in, defined_by_keyword
from cairn.lib.document.document import Block, PageOutline, format_of, is_prose

_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_SPACED = bytes(byte if byte in _LETTERS else 32 for byte in range(256))
"""Every byte that is part of no name becomes a space; splitting at spaces is faster than a pattern."""
_HYPHENATED = bytes(byte if byte in _LETTERS or byte == 45 else 32 for byte in range(256))
_TOKEN = re.compile(rb"(?:--)?[A-Za-z]\w*(?:-\w+)*")
_DIGITS = b"0123456789"
_FLAG = re.compile(rb"--[a-z][a-z0-9]+(?:-[a-z0-9]+)*")


def words_in(data: bytes) -> set[bytes]:
    """Names as code spells them, without digits in front of them, and flags with their dashes."""
    words = {word.lstrip(_DIGITS) for word in set(data.translate(_SPACED).split())}
    if b"--" in data:
        words.update(_FLAG.findall(data))
    return words


def tokens_in(data: bytes) -> set[bytes]:
    """Like `words_in`, and words with hyphens: `--dry-run`, `max-age`."""
    words = {word.lstrip(_DIGITS) for word in set(data.translate(_SPACED).split())}
    words.discard(b"")
    joined = {_without_dash(word) for word in set(data.translate(_HYPHENATED).split()) if b"-" in word}
    words.update(word for word in joined if _TOKEN.fullmatch(word))
    return words


def _without_dash(word: bytes) -> bytes:
    """Without hyphens at its end, and without the one that a flag may begin with: `-max-age`."""
    word = word.rstrip(b"-")
    return word[1:] if word[:1] == b"-" and word[1:2] != b"-" else word


def as_token(word: bytes) -> re.Pattern[bytes]:
    """Where a text has a word as one of its `tokens_in`: quicker than these if few words are looked for."""
    quoted = re.escape(word)
    if b"-" in word:
        return re.compile(rb"(?<!\w)(?<!\w-)(?<!--)" + quoted + rb"-*(?![\w-])") if _TOKEN.fullmatch(word) else _NOTHING
    return re.compile(rb"(?<!\w)[0-9]*" + quoted + rb"(?!\w)") if _NAME.fullmatch(word) else _NOTHING


_NAME = re.compile(rb"[A-Za-z_]\w*")
_NOTHING = re.compile(rb"(?!)")


def with_words(text: bytes, wanted: frozenset[bytes]) -> set[bytes]:
    """The lines of a text that have one of these words or flags, maybe as part of a longer word."""
    hits = wanted.intersection(text.translate(_SPACED).split())
    if b"--" in text:
        hits |= wanted.intersection(_FLAG.findall(text))
    found: set[bytes] = set()
    for word in hits:
        at = text.find(word)
        while at >= 0:
            end = text.find(b"\n", at)
            end = end if end >= 0 else len(text)
            found.add(text[text.rfind(b"\n", 0, at) + 1 : end])
            at = text.find(word, end)
    return found


LARGEST_FILE = 20_000_000
MOST_BYTES = 400_000_000
_STRING = re.compile(rb"""["']([a-z][a-z0-9]+(?:-[a-z0-9]+)*)["'|,= ]""")
_BUILDS = re.compile(
    r"(?:^|/)(?:Makefile|GNUmakefile|Rakefile|justfile|CMakeLists\.txt|package\.json|conf\.py|noxfile\.py|tasks\.py|tox\.ini"
    r"|setup\.py|pyproject\.toml|mkdocs\.ya?ml|\.readthedocs\.ya?ml|[\w.-]+\.(?:sh|bash|mk|gradle|kts))$"
    r"|(?:^|/)(?:scripts?|tools?|bin|build|hack|docs?|documentation|website|site|\.github|\.vitepress|\.vuepress)/"
    r"[^\n]*\.(?:py|[cm]?[jt]s|rb|sh|ya?ml|json|pl|php|go|rs|toml)$"
)
"""Files that say how documents are built."""
_SCRIPT_SIZE = 200_000
_PACKAGE_NAMES = (
    ("composer.json", re.compile(r'"name"\s*:\s*"([^"]+)"')),
    ("package.json", re.compile(r'"name"\s*:\s*"([^"]+)"')),
    ("pyproject.toml", re.compile(r"""^name\s*=\s*["']([^"']+)""", re.MULTILINE)),
    ("setup.cfg", re.compile(r"^name\s*=\s*(\S+)", re.MULTILINE)),
    ("Cargo.toml", re.compile(r"""^name\s*=\s*["']([^"']+)""", re.MULTILINE)),
    ("go.mod", re.compile(r"^module\s+(\S+)", re.MULTILINE)),
)

MANIFESTS = tuple(name for name, _ in _PACKAGE_NAMES)
"""Files that name the package that they are in."""


class Code:
    def __init__(self, tree: RepositoryTree) -> None:
        self._tree = tree
        self.incomplete = False
        """Whether there is more code than is read, so that nobody can say that a name is gone."""

    def has(self, name: str) -> bool:
        """Whether the name stands in the code; a flag of several words also if a parser would derive it from a name."""
        if self.spells(name) or not name.startswith("--"):
            return self.spells(name)
        bare = name[2:]
        if bare in self._quoted:
            return True
        camel = re.sub(r"-(\w)", lambda found: found[1].upper(), bare)
        return "-" in bare and (self.spells(bare.replace("-", "_")) or self.spells(camel))

    def spells(self, name: str) -> bool:
        """Whether the name or flag stands in the code, letter by letter."""
        return name.encode() in self._words

    def in_other_case(self, name: str) -> str:
        """The only word of the code that differs from the name in its letter case; empty if there is none."""
        wanted = name.lower().encode()
        same = [word for word in self._words if len(word) == len(wanted) and word.lower() == wanted]
        return same[0].decode() if len(same) == 1 else ""

    @cached_property
    def number_of_files(self) -> int:
        return sum(not is_prose(file.path) for file in self._tree.found)

    @cached_property
    def _words(self) -> frozenset[bytes]:
        """Every word and flag of every file that is not prose."""
        found: set[bytes] = set()
        for data in self._contents():
            found |= words_in(data)
        return frozenset(found)

    @cached_property
    def _quoted(self) -> frozenset[str]:
        """Words that are strings by themselves: many parsers declare a flag without its dashes."""
        found: set[bytes] = set()
        for data in self._contents():
            found.update(_STRING.findall(data))
        return frozenset(word.decode() for word in found)

    def _contents(self) -> Iterator[bytes]:
        left = MOST_BYTES
        for file in self._tree.found:
            if is_prose(file.path):
                continue
            left -= file.size
            if left < 0 or file.size > LARGEST_FILE:
                self.incomplete = self.incomplete or left < 0
                continue
            yield self._tree.read(file.path) or b""

    def program_that_names(self, name: str) -> str:
        """The first script or setting of the build that has this name of a file; empty if none has."""
        wanted = name.encode()
        return next((path for path, data in self._build_files if wanted in data), "")

    @cached_property
    def _build_files(self) -> list[tuple[str, bytes]]:
        paths = [file.path for file in self._tree.found if file.size <= _SCRIPT_SIZE and _BUILDS.search(file.path)]
        return [(path, self._tree.read(path) or b"") for path in sorted(paths) if not format_of(path)]

    @cached_property
    def stems(self) -> frozenset[str]:
        """How the names of packages begin that were split off this one: `guzzlehttp` of `guzzlehttp/guzzle`."""
        names = {name for file, pattern in _PACKAGE_NAMES for name in self._names(file, pattern)}
        parts = (re.split(r"[/_.-]", name.lower().removeprefix("@"))[0] for name in names)
        return frozenset(part for part in parts if len(part) > 3)

    def _names(self, file: str, pattern: re.Pattern[str]) -> list[str]:
        """The names in the manifests at the root."""
        return pattern.findall(self._tree.text(file) or "")[:1] if file in self._tree.paths else []

    def has_prefix(self, name: str) -> bool:
        """Whether the name begins like a package of this repository: `SHOP_DEBUG` of `shop` or `py-shop`."""
        first = name.lower().strip("_").partition("_")[0]
        return any(first in re.split(r"[/_.@-]", package) or package.startswith(first) for package in self.packages)

    @cached_property
    def script_packages(self) -> frozenset[str]:
        """Names of the packages of npm that the repository has."""
        return self._all_names("package.json")

    @cached_property
    def rust_crates(self) -> frozenset[str]:
        """Names of its crates, as code spells them."""
        return frozenset(name.replace("-", "_") for name in self._all_names("Cargo.toml"))

    def _all_names(self, file: str) -> frozenset[str]:
        """The first name in each manifest of this kind."""
        pattern = dict(_PACKAGE_NAMES)[file]
        texts = (self._tree.text(path) or "" for path in self._tree.by_name.get(file, ()))
        return frozenset(found[1] for text in texts if (found := pattern.search(text)))

    @cached_property
    def packages(self) -> frozenset[str]:
        """Names under which the code of this repository is imported: its packages, and its own folders."""
        return package_names(self._tree.paths, lambda path: self._tree.text(path) or "")


def package_names(paths: Collection[str], text: Callable[[str], str]) -> frozenset[str]:
    """The names of all manifests, of the folders at the root, of those right below `src` and `lib`, and of packages of
    Java and its relatives, with dots."""
    parts = [path.split("/") for path in paths]
    found = {part[0] for part in parts if len(part) > 1}
    found |= {part[1] for part in parts if len(part) > 2 and part[0] in ("src", "lib", "cmd", "bin", "exe")}
    found |= {match[1].replace("/", ".") for path in paths if (match := _OF_JAVA.search(path))}
    manifests = [path for path in paths if path.rpartition("/")[2] == "composer.json"]
    found |= {name.replace("\\\\", ".") for path in manifests for name in _OF_PHP.findall(text(path))}
    patterns = dict(_PACKAGE_NAMES)
    for path in paths:
        if pattern := patterns.get(path.rpartition("/")[2]):
            names = pattern.findall(text(path))
            found |= {*names, *(name.replace("-", "_") for name in names)}
    return frozenset(name.lower() for name in found)


_OF_JAVA = re.compile(r"(?:^|/)(?:java|kotlin|scala|groovy)/(\w+(?:/\w+)+)/[^/]+\.(?:java|kt|scala|groovy)$")
"""The folders below a root of sources are the parts of the package's name."""
_OF_PHP = re.compile(r'"(?=[\w\\]*\\)([A-Z]\w*(?:\\\\\w+)*)(?:\\\\)?"\s*:\s*[\["]')
"""A namespace that is loaded from a folder: `"App\\\\Web\\\\": "src/"`."""
_MENTIONS_NAME = re.compile(r"\.?(?:([A-Za-z_]\w*)(?:\.|::|#))*([A-Za-z_]\w{3,})(\(.*\))?[?!]?")
_MENTIONS_FLAG = re.compile(r"(--[a-z][a-z0-9]+(?:-[a-z0-9]+)*)(?:[= ].*)?")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]+")
_CAPITALS = re.compile(r"[A-Z][A-Z0-9]{4,}")
_SHAPED = re.compile(r"[a-z0-9]_[a-zA-Z0-9]|[A-Z0-9]_[A-Z0-9]|[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z][0-9]+[A-Z][a-z]")
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
    r"""|^\s*(?:import|use|using|require|include)\s++(?:static\s++)?(?!.*\bfrom\s*["'])["'<]?\\?(?P<other>[\w.@/\\-]+)"""
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
    if flag := _MENTIONS_FLAG.fullmatch(span):
        return flag[1]
    found = _MENTIONS_NAME.fullmatch(span)
    if not found or _FILE.fullmatch(span):
        return None
    name, called = found[2], found[3]
    dotted = span.rstrip("?!") != name + (called or "")
    return name if called or dotted or _SHAPED.search(name) or _CAPITALS.fullmatch(name) else None


def owner_in(span: str) -> str:
    """The type that a piece of inline code names before its last name, by the capital letter."""
    found = _MENTIONS_NAME.fullmatch(span)
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
    module = module.replace("\\", ".")
    parts = re.split(r"[./]|::", module)
    scoped = "/".join(parts[:2]) if module.startswith("@") else parts[0]
    dotted = module.split(".")
    outer = (".".join(dotted[:count]) for count in range(2, len(dotted)))
    known = scoped in packages or module in packages or any(name in packages for name in outer)
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
