"""Finds words that the code defined before a change and that stand nowhere in the code after it.

A few cheap sets come first: words that left a changed file, and are in no other changed file, and are in a document.
What is left is looked at closely, and only then is all of the code searched.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from cairn.core.repository.code import tokens_in, with_words
from cairn.core.repository.deletion_history import OldVersion
from cairn.core.scope import Scope, is_beside_the_product, is_code_noise, is_hidden, is_test, scope_of
from cairn.freshness.diff.definition import (
    ChangedFile,
    Definition,
    MovedOutParts,
    bounded,
    find_definition,
    is_distinct,
)
from cairn.freshness.states import RepositoryState
from cairn.lib.code.definitions import declares_flag, flags_in, is_comment, is_keyword
from cairn.lib.document.document import is_prose

Grep = Callable[[Sequence[str]], Iterable[tuple[str, str]]]
"""(path, line) of every line of the code after the change that has one of these words."""
_SHORTEST = 3
OWN = re.compile(r"\.cairn/(?!plugins/)")
"""Files that Cairn writes. Plugins are code like any other."""
_IMPORTED = (".py", ".pyi", ".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", ".rb", ".rs", ".ex", ".exs", ".lua")


class LostWord(NamedTuple):
    """A word that the code no longer has."""

    written: str
    """As documents write it: `--dry-run` also where the code has `dry_run`."""
    definition: Definition
    successor: str | None
    new_line: int | None
    new_text: str
    """Where the successor is, and the line that it is in."""
    in_place: bool
    """Whether only the place tells that this is the successor: the lines around it are the same."""
    owners: frozenset[str]
    """The types of the file that defined it, and the name of the file."""


@lru_cache(100_000)
def is_product(path: str) -> bool:
    """Whether a file is code that documents talk about: no test, example, document, or copy of other people's code."""
    if is_prose(path) or is_code_noise(path) or is_test(path) or is_beside_the_product(path) or _COPIED.search(path):
        return False
    return scope_of(_as_code(path)) not in (Scope.VENDORED, Scope.GENERATED, Scope.FIXTURE)


def _as_code(path: str) -> str:
    """Without what tells something about documents only: in code, `include/app.h`, `build/app.py`, `_client.py` and
    `template.go` are files like any other."""
    *folders, name = path.split("/")
    plain = name if _DATA_FILE.search(name) else "code" + posixpath.splitext(name)[1]
    return "/".join([*(one for one in folders if one not in _PARTS), plain])


_PARTS = frozenset(
    (
        "include",
        "includes",
        "_includes",
        "partials",
        "_partials",
        "fragments",
        "_fragments",
        "snippets",
        "_snippets",
        "build",
    )
) | {"carthage", "cookiecutter"}
"""The last two are programs whose own code is in a folder of their name."""
_COPIED = re.compile(r"(?:^|/)typings/(?:globals|modules)/|\.(?:storyboard|xib)$")
"""What the program `typings` copies, and what a designer of user interfaces writes: the names are those of others."""
_DATA_FILE = re.compile(r"(?i)fixture|snapshot|testdata|licen[cs]e|copying|notice|generated")


class LostWords:
    """The words that left the changed files. `by_written` has them as documents may write them."""

    def __init__(
        self,
        files: Iterable[ChangedFile],
        paths: Callable[[], Iterable[str]],
        moved: Mapping[str, str] = MappingProxyType({}),
        read: Callable[[Sequence[str]], Mapping[str, bytes]] = lambda _: MappingProxyType({}),
    ) -> None:
        self._moved = moved
        self._read = read
        self._files = [file for file in files if is_product(file.path)]
        self._paths = paths
        self.departed = MovedOutParts(self._files, moved)
        self._versions: dict[str, tuple[OldVersion, OldVersion]] = {}
        self._words: dict[str, frozenset[str]] = {}
        self.by_written = self._find()

    def _find(self) -> dict[str, tuple[str, tuple[ChangedFile, ...]]]:
        """By the written form: the word of the code, and the files that lost it."""
        kept = _words(_COMMENTED.sub(b"", b"\n".join(file.new for file in self._files if file.new)))
        lost: dict[bytes, list[ChangedFile]] = defaultdict(list)
        flags: dict[bytes, list[ChangedFile]] = defaultdict(list)
        for file in self._files:
            if file.old and not is_hidden(file.path):
                removed = _removed(file.old, file.new or b"")
                for word in _words(removed) - kept:
                    lost[word].append(file)
                for flag in flags_declared(file.old) if _MAY_DECLARE.search(removed) else ():
                    flags[flag].append(file)
        derived = set[bytes]().union(*(_fields(file) for file in self._files if file.new))
        if flags:
            kept = kept.union(derived, *(flags_declared(file.new) for file in self._files if file.new))
            lost.update({flag: files for flag, files in flags.items() if flag not in kept})
        for word in [word for word in lost if b"-" in word and b"--" + word in derived]:
            del lost[word]
        for name, file in self._modules.items():
            if (word := name.encode()) not in kept:
                lost[word].append(file)
        return dict(_written_forms({word: tuple(files) for word, files in lost.items()}))

    def definition_of(self, written: str) -> Definition | None:
        """How the code defined it; None for a word that it only used. A name that it sets counts if nothing else can be
        called so. A flag that only messages write with its dashes may be defined by its name."""
        bare = written.removeprefix("--")
        found = self._definition_of(written)
        return self._definition_of(bare) if found is None and bare != written and bare in self.by_written else found

    def _definition_of(self, written: str) -> Definition | None:
        word, files = self.by_written[written]
        module = self._modules.get(word)
        found = [find_definition(word, file.path, self._version(file)[0]) for file in files]
        named = Definition(word, "symbol", module.path, 1, module.path, alone=True) if module else None
        best = min([one for one in (named, *found) if one], key=lambda one: one.rank, default=None)
        if best is None or best.kind in ("local", "use") or (best.kind == "member" and not is_distinct(best)):
            return None
        return best

    def is_declared(self, flag: str, grep: Grep) -> bool:
        """Whether a file still declares a flag in several lines, or by a field that a parser derives it from: one line
        alone does not show that."""
        bare = flag.removeprefix("--")
        paths = {path for path, _ in grep(sorted({bare, bare.replace("-", "_")})) if is_product(path)}
        return any(flag.encode() in flags_declared(data) for data in self._read(sorted(paths)[:_FILES]).values())

    @cached_property
    def _modules(self) -> Mapping[str, ChangedFile]:
        """By name: modules and packages that are gone, each with a file of it."""
        gone = [file for file in self._files if file.new is None and file.path.endswith(_IMPORTED)]
        names = {name: file for file in gone for name in _module_names(file.path)}
        return {name: file for name, file in names.items() if not self.is_path_name(name)}

    def is_path_name(self, name: str) -> bool:
        """Whether a folder or file of the code has this name, apart from its suffix."""
        return any(is_product(path) for path in self._by_name.get(name, ()))

    @cached_property
    def _by_name(self) -> Mapping[str, list[str]]:
        """By the names of its folders and its own: the paths that there are."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in self._paths():
            for name in _module_names(path):
                found[name].append(path)
        return found

    def describe(self, written: str, definition: Definition) -> LostWord:
        owners = self._owners(written)
        if definition.is_module:
            successor = self._renamed_part(definition)
            return LostWord(written, definition, successor, None, self._moved.get(definition.path, ""), False, owners)
        old, new = self._version(self.file_of(definition))
        word = written_in(definition)
        by_line = new.successors(old).of(word, definition.text)
        successor = by_line or new.in_place_of(old, definition.line - 1, word)
        if successor is not None and old.has(successor):
            successor = None
        lines = (at for at, text in enumerate(new.lines, 1) if successor and successor.encode() in text)
        line = next(lines, None)
        text = new.lines[line - 1].decode("utf-8", "replace").strip() if line else ""
        return LostWord(written, definition, _as_written(successor, written), line, text, by_line is None, owners)

    def _renamed_part(self, module: Definition) -> str | None:
        """What stands in the place of a folder or file in the path that a module has now."""
        old, new = (path.partition(".")[0].split("/") for path in (module.path, self._moved.get(module.path, "")))
        pairs = [(one, other) for one, other in zip(old, new, strict=False) if one != other]
        return pairs[0][1] if len(old) == len(new) and len(pairs) == 1 and pairs[0][0] == module.word else None

    def definers(self, written: str) -> list[str]:
        """The files that lost it."""
        return [file.path for file in self.by_written[written][1]]

    def file_of(self, definition: Definition) -> ChangedFile:
        return next(file for file in self._files if file.path == definition.path)

    def words_beside(self, definition: Definition) -> frozenset[str]:
        """The words of the file that had a definition."""
        file = self.file_of(definition)
        if file.path not in self._words:
            self._words[file.path] = frozenset(word.decode("ascii", "replace") for word in tokens_in(file.old or b""))
        return self._words[file.path]

    def _owners(self, written: str) -> frozenset[str]:
        """The types and names of all files that had the word."""
        files = self.by_written[written][1]
        types = (self._version(file)[0].types | {_module_names(file.path)[-1]} for file in files)
        return frozenset().union(*types)

    def _version(self, file: ChangedFile) -> tuple[OldVersion, OldVersion]:
        if file.path not in self._versions:
            self._versions[file.path] = OldVersion(file.old or b""), OldVersion(file.new or b"")
        return self._versions[file.path]


def written_in(definition: Definition) -> str:
    """The word as its line has it: a flag may stand there without its dashes."""
    bare = definition.word.removeprefix("--")
    forms = (definition.word, bare, bare.replace("-", "_"))
    return next((form for form in forms if form in definition.text), definition.word)


def _as_written(successor: str | None, written: str) -> str | None:
    """With dashes where the document has them."""
    if successor is None or not written.startswith("--") or successor.startswith("--"):
        return successor
    forms = list(flags_of(successor)) or [f"--{successor}"]
    return forms[0] if written.islower() else forms[-1]


def _module_names(path: str) -> list[str]:
    *folders, name = path.split("/")
    return [*folders, name.partition(".")[0]]


_MAY_DECLARE = re.compile(rb"""--[a-z]|["'`:][a-z]|^[ \t]*+(?:pub\s+)?\w+\s*:|long""", re.MULTILINE)


_COMMENTED = re.compile(rb"^[ \t]*+(?:#|//)[ \t].*|[ \t](?:#|//)[ \t][^\"'`\n]*$", re.MULTILINE)
_TRAILING = re.compile(r"(?:^|\s)(?:#|//)\s[^\"'`]*$")


def without_comment(line: str) -> str:
    """The code of a line. What is between quotes is no comment."""
    return "" if is_comment(line.encode()) else _TRAILING.sub("", line)


def _removed(old: bytes, new: bytes) -> bytes:
    """The lines that only the old content has."""
    kept = set(new.split(b"\n"))
    return b"\n".join([line for line in old.split(b"\n") if line not in kept])


def _words(data: bytes) -> set[bytes]:
    return {word for word in tokens_in(data) if not word.startswith(b"--")}


def flags_declared(data: bytes) -> set[bytes]:
    """Flags count where a string or a line begins with them: a message that mentions one does not declare it."""
    return (set(_DASHED.findall(data)) if b"--" in data else set()) | flags_in(data)


def _fields(file: ChangedFile) -> set[bytes]:
    """Flags that may come from a field that is new: `dry_run = BoolParameter()`, `dryRun: {`."""
    known = set((file.old or b"").split(b"\n"))
    added = b"\n".join([line for line in (file.new or b"").split(b"\n") if line not in known])
    names = _FIELD.findall(added)
    if _WRAPPER.search(file.new or b""):
        names += _VARIABLE.findall(added)
    return {flag.encode() for name in names for flag in flags_of(name.decode("ascii", "replace"))}


_WRAPPER = re.compile(rb"@(?:Option|Flag|Parameter)\b")
_VARIABLE = re.compile(rb"\bva[rl] (\w+)")
"""What Swift's and Kotlin's parsers make flags of: `@Option var config: Path`."""
_FIELD = re.compile(rb"^[ \t]+([a-z]\w+)[ \t]*(?:(?::[^=\n]{1,80})?=[ \t]*[\w.]+\(|:[ \t]*\{[ \t]*$)", re.MULTILINE)
_DASHED = re.compile(rb"""(?:["'`](?:-\w\b[,/|\s]{0,9})?|^[ \t]*+|[/,|]\s{0,40}+)(--[A-Za-z][\w-]*\w)""", re.MULTILINE)


def _written_forms(
    lost: Mapping[bytes, tuple[ChangedFile, ...]],
) -> Iterable[tuple[str, tuple[str, tuple[ChangedFile, ...]]]]:
    """Each word, and the flag that a parser derives from a name."""
    for data, files in lost.items():
        if len(data) >= _SHORTEST and not is_keyword(data):
            word = data.decode("ascii", "replace")
            for flag in flags_of(word):
                if flag.encode() not in lost and flag not in _EVERY_PROGRAM:
                    yield flag, (word, files)
            if word not in _EVERY_PROGRAM:
                yield word, (word, files)


_EVERY_PROGRAM = frozenset(("--help", "--version"))
"""Flags that parsers add by themselves."""


def flags_of(word: str) -> Iterator[str]:
    """`--dry-run` for `dry_run` and `dry-run`; `--dry-run` and `--dryRun` for `dryRun`."""
    if _NAME.fullmatch(word):
        dashed = word if word.islower() else _HUMP.sub(r"-\1", word)
        yield "--" + dashed.rstrip("_").replace("_", "-").lower()
        if not word.islower() and "_" not in word:
            yield f"--{word}"
    elif _KEBAB.fullmatch(word):
        yield f"--{word}"


_NAME = re.compile(r"[a-z][A-Za-z0-9_]*")
_KEBAB = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")


def bounded_grep(grep: Grep, code: RepositoryState) -> Grep:
    """Git compares every line with every word, so many words are looked up in sets."""

    def lines(words: Sequence[str]) -> Iterable[tuple[str, str]]:
        return grep(words) if len(words) <= _FEW else _lines_with(frozenset(word.encode() for word in words), code)

    return lines


_FILES = 50
"""That are read to see whether they declare a flag."""
_FEW = 300
_BATCH = 400


def _lines_with(words: frozenset[bytes], code: RepositoryState) -> Iterator[tuple[str, str]]:
    paths = [path for path in code.facts() if not is_prose(path)]
    for start in range(0, len(paths), _BATCH):
        for path, data in code.read(paths[start : start + _BATCH]).items():
            hits = words & tokens_in(data)
            for line in with_words(data, hits) if hits else ():
                yield path, line.decode("utf-8", "replace")


class StandingWords(NamedTuple):
    """Of some words, by the form that documents write, those that the code still has."""

    in_code: Collection[str]
    in_comments: Collection[str]
    """Those that only comments have."""


def standing(definitions: Mapping[str, Definition], grep: Grep) -> StandingWords:
    if not definitions:
        return StandingWords((), ())
    forms = {written: _spellings(written, definition) for written, definition in definitions.items()}
    left = {
        written: declares(written) if _is_flag(written, definition) else _stands(forms[written])
        for written, definition in definitions.items()
    }
    done, said = False, set[str]()
    while left and not done:
        left, done = _narrowed(left, forms, grep, said)
    return StandingWords(definitions.keys() - left.keys(), said & left.keys())


def _is_flag(written: str, definition: Definition) -> bool:
    """A name that a flag is declared with is a name like any other, until somebody writes its dashes."""
    return definition.kind == "flag" and written.startswith("--")


_MANY = 20_000
"""Lines after which a search begins anew, if half of its words were found."""
IsIn = Callable[[str], bool]


def _narrowed(
    left: dict[str, IsIn], forms: Mapping[str, set[str]], grep: Grep, said: set[str]
) -> tuple[dict[str, IsIn], bool]:
    """The words that no line has so far, and whether all lines were read. Common words stand in one of the first files,
    and without them git finds much less. `said` collects what comments have."""
    asked = {word for written in left for form in forms[written] for word in (form, form.removeprefix("--"))}
    most = len(left) // 2
    for count, (path, line) in enumerate(grep(sorted(asked))):
        line = _owned(path, line)
        if counts_as_code(path, line) and (found := [written for written, has in left.items() if has(line)]):
            code = without_comment(line)
            said.update(found)
            left = {written: has for written, has in left.items() if written not in found or not has(code)}
        if not left or (count > _MANY and len(left) <= most):
            return left, False
    return left, True


def vendored(words: Iterable[str], grep: Grep) -> set[str]:
    """Of these words, those that copies of other people's code have."""
    left = {word: bounded(word.removeprefix("--")) for word in words}
    asked = sorted({word.removeprefix("--") for word in left})
    lines = [line for path, line in (grep(asked) if asked else ()) if scope_of(path) is Scope.VENDORED]
    return {word for word, pattern in left.items() if any(pattern.search(line) for line in lines)}


def declares(flag: str) -> IsIn:
    """Whether a line shows that a program still takes a flag: some string begins with it, or the line declares flags
    and has its name. A message or a comment that mentions the flag does not make it one."""
    name = re.escape(flag)
    bare = flag.removeprefix("--")
    dashed = re.compile(rf"""(?:["'`](?:-\w\b[,/|\s]*)?|[/,|]\s*){name}(?![\w-])|(?:^|[\s|]){name}(?:=\*)?[)|]""")
    quoted = re.compile(rf"""["'`]{re.escape(bare)}["'`]""")

    def has(line: str) -> bool:
        data = line.encode()
        if (bare in line or bare.replace("-", "_") in line) and flag.encode() in flags_in(data):
            return True
        if bare not in line or is_comment(data):
            return False
        return bool(dashed.search(line) or (quoted.search(line) and declares_flag([data], 0)))

    return has


_RESOURCES = re.compile(r"(?:^|/)(?:resources|assets)/")


def counts_as_code(path: str, line: str) -> bool:
    """Code counts, and so do resources, and settings of tools apart from their comments."""
    if OWN.match(path):
        return False
    if _RESOURCES.search(path) and not is_prose(path) and not is_test(path):
        return True
    if is_product(path):
        return True
    return is_hidden(path) and not (is_prose(path) or is_beside_the_product(path) or line.lstrip().startswith("#"))


_WORKFLOW = re.compile(r"(?:^|/)\.github/workflows/")
_OF_A_WORKFLOW = re.compile(
    r"""^\s*(?:-\s+)?["']?[\w.-]+["']?\s*:(?=\s|$)|\$\{\{(?:[^}\n$]|\$(?!\{\{))*+\}\}|\b[A-Z][A-Z0-9_]+\b"""
)


def _owned(path: str, line: str) -> str:
    """The part of a line that may have names of its own: of a workflow its keys, inputs and variables, not the commands
    that it runs."""
    return " ".join(_OF_A_WORKFLOW.findall(line)) if _WORKFLOW.search(path) else line


def _spellings(written: str, definition: Definition) -> set[str]:
    """A string without capitals may be derived from a name that has one: Go reads the key `status` into `Status`."""
    word = definition.word
    derived = definition.kind in ("key", "string") and word.isalpha() and word.islower()
    return {written, word, *({word.capitalize()} if derived else ())}


def _stands(forms: Iterable[str]) -> IsIn:
    """Whether a line has one of these words."""
    patterns = [bounded(form).pattern for form in forms]
    patterns += [rf"""["'`]{re.escape(form.removeprefix("--"))}["'`|,= ]""" for form in forms if form.startswith("--")]
    found = re.compile("|".join(patterns))
    return lambda line: found.search(line) is not None
