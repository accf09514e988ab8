"""Doubts about names: a document writes a word as code that the code lacks now, or whose interface changed."""

import builtins
import posixpath
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cairn.core.repository.code import is_shaped
from cairn.freshness.diff.code_forms import arguments_in, call_of, code_before
from cairn.freshness.diff.composition import composed
from cairn.freshness.diff.definition import ChangedFile, Definition, bounded, dotted_text, dotted_texts
from cairn.freshness.diff.doubt import StaleReason, StaleSentence
from cairn.freshness.diff.literals import literals_of, table_of
from cairn.freshness.diff.pages import ScriptFolders, SurveyedPages
from cairn.freshness.diff.vanished import Grep, LostWord, LostWords, is_product, standing, vendored
from cairn.lib.code.definitions import is_type_named
from cairn.lib.code.model import Outline, Probe, Symbol

if TYPE_CHECKING:
    from cairn.freshness.diff.occurrence import WordOccurrence, WrittenPage

_ENVIRONMENT_FORM = re.compile(
    r"XDG_\w+|(?:HTTPS?|NO|ALL|FTP)_PROXY|NODE_(?:ENV|OPTIONS|PATH)|NO_COLOR|FORCE_COLOR|CLICOLOR\w*|SSH_AUTH_SOCK"
    r"|GITHUB_(?:TOKEN|ACTIONS?|SHA|REF|REPOSITORY|WORKSPACE|OUTPUT|ENV|PATH)|JAVA_(?:HOME|OPTS)|GO(?:PATH|ROOT|BIN|OS|ARCH)"
    r"|PYTHON(?:PATH|HOME|UNBUFFERED|DONTWRITEBYTECODE)|VIRTUAL_ENV|LD_LIBRARY_PATH|LC_\w+|RAILS_ENV|RACK_ENV|APP_ENV"
    r"|ASPNETCORE_\w+|DOTNET_\w+|AWS_(?:REGION|PROFILE|DEFAULT_REGION|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)"
    r"|DOCKER_(?:HOST|CONFIG)|KUBECONFIG|DATABASE_URL|CARGO_(?:HOME|TARGET_DIR)|RUST_(?:LOG|BACKTRACE)|RUSTFLAGS|LOCALAPPDATA"
)
"""Variables that many programs read: a document means the one of its reader."""


_PYTHON_2 = ("basestring", "iteritems", "iterkeys", "itervalues", "long", "raw_input", "unichr", "unicode", "xrange")


_PYTHON = frozenset((*dir(builtins), *_PYTHON_2))


_PLATFORM = re.compile(r"(?:NS|UI|CG)[A-Z][a-z]\w*")
"""Types of Apple's platforms."""


_HEADER = re.compile(r"[A-Z][a-z]+(?:-[A-Z][a-z]+)+")
"""Headers of HTTP such as `Content-Type`."""


_BUILD = re.compile(
    r"(?:.*/)?(?:Rakefile|Podfile|Gemfile|Dangerfile|Fastfile|Brewfile|Vagrantfile|Jenkinsfile|[Gg]ulpfile[\w.]*|[Gg]runtfile[\w.]*"
    r"|Jakefile[\w.]*|noxfile\.py|(?:docker-)?compose[\w.-]*\.ya?ml|fabfile\.py|tox\.ini|setup\.(?:py|cfg)|[\w.-]+\.(?:rake|cake|podspec|podspec\.json))"
)
"""Files that build a project: their strings and keys are those of other programs."""


def is_strong(vanished: "LostWord", one: "WordOccurrence") -> bool:
    """Whether a place of a document is false because the name is gone, if it is one of the product."""
    written = vanished.written
    if written.startswith("--") or one.passed or (vanished.successor and not vanished.in_place):
        return True
    if one.place == "prose" and vanished.definition.kind == "string" and _PRODUCT.fullmatch(written):
        return False
    if is_shaped(written) or "-" in written or _CAPITALS.fullmatch(written):
        return True
    return _is_a_name(vanished.definition, one)


def may_be_strong(vanished: "LostWord") -> bool:
    """Whether the name can be nothing but one of the product."""
    was = vanished.definition
    if vanished.written.startswith("--"):
        return True
    build = _BUILD.fullmatch(was.path) and was.kind != "flag"
    private = was.word.startswith("_") and not _PUBLIC.match(was.text)
    return not (is_foreign(vanished.written) or private or build)


_PUBLIC = re.compile(r"\s*(?:@\w+\s+)*(?:public|open|export|pub)\b")
"""A definition that is for everybody, whatever its name begins with."""


def is_foreign(word: str) -> bool:
    """Whether a name belongs to a language, a platform or the reader's environment."""
    return bool(
        _ENVIRONMENT_FORM.fullmatch(word) or word in _PYTHON or _PLATFORM.fullmatch(word) or _HEADER.fullmatch(word)
    )


_CAPITALS = re.compile(r"[A-Z][A-Z0-9]{5,}|[A-Z]{1,2}\d{2,}")
"""A name such as `BLUEPRINTS` or `E501`; shorter ones are mostly words of everybody."""


_PRODUCT = re.compile(r"[a-z]?[A-Z][A-Za-z0-9]+")
"""A string that may be the name of a product, such as `OpenLDAP` or `iTerm`."""


_KIND = (
    "option|setting|flag|switch|command|subcommand|parameter|argument|keyword|filter|function|method|helper|tag|block|rule"
    "|plugin|hook|event|callback|property|attribute|field|key|variable|extension|task|target|directive|reporter|formatter"
    "|driver|handler|adapter|template|macro|decorator|annotation|module|package|class|type|component|extra|feature"
)


_CALLED = rf"(?:`{{word}}`+|\*\*{{word}}\*\*)\s+(?:\w+\s+)?(?:{_KIND})s?\b|\b(?:{_KIND})s?:?\s+`+{{word}}`"
"""A line that says what a word is: "the `cycle` filter", "option `host`"."""


_USED = r"(?<![\w-]){word}(?:\(|\.\w|::)|\b(?:import|from|use|using|require|include)\b.*\b{word}\b"


def _is_a_name(was: Definition, one: "WordOccurrence") -> bool:
    """Whether a plain word is a name of the code here: a symbol that is called, imported or has an owner, or what an
    entry of a reference is about."""
    word = re.escape(one.word)
    if re.search(_CALLED.format(word=word), one.text):
        return True
    if was.kind == "symbol":
        return bool(one.base) or re.search(_USED.format(word=word), one.text) is not None
    if was.kind == "parameter":
        return False
    return re.match(rf"""[\s#|*+-]*`+["'.:$]?{word}["']?`+|[\s#|*+-]*\*\*{word}\*\*""", one.text) is not None


def name_doubts(lost: LostWords, pages: SurveyedPages, grep: Grep, homes: ScriptFolders) -> Iterator[StaleSentence]:
    """Those of which a document may mean something else by the same name are not certain."""
    having = pages.having(lost.by_written.keys())
    defined = {written: one for written in having if (one := lost.definition_of(written))}
    commented: set[str] = set()
    if many := len({path for written in defined for path in having[written]}) > _FEW_PAGES:
        defined = _gone(defined, lost, grep, commented)
    places = {
        written: [(path, found) for path, found in _current(pages, having[written], written) if _may_mean(one, found)]
        for written, one in defined.items()
    }
    written_as_code = {written: one for written, one in defined.items() if places[written]}
    gone = written_as_code if many else _gone(written_as_code, lost, grep, commented)
    made = composed(gone, grep) if gone else set()
    left = vendored([written for written, one in gone.items() if lost.departed.is_gone(one.path)], grep)
    for written, definition in gone.items():
        if written in made or _is_replaced_value(written, definition, lost):
            continue
        if written.startswith("--") and lost.is_declared(written, grep):
            continue
        vanished = lost.describe(written, definition)
        definers = lost.definers(written)
        stays = written in left or written in commented or lost.departed.has(definition.path)
        name = _LostName(vanished, OwnWord(vanished, pages, grep), _whole_of(definition, lost), stays)
        for path, place in places[written]:
            if _is_own_file(definition, place, definers):
                continue
            if not homes.concern(definers, path) or _is_of_the_block(place, lost.words_beside(definition)):
                continue
            if definition.kind == "parameter" and _is_passed_on(place, lost.words_beside(definition)):
                continue
            whole = name.is_whole(place, pages.page(path))
            if whole or name.ours.is_meant(path, place):
                certain = whole or (is_strong(vanished, place) and not _is_key_of_a_string(definition, place))
                certain = certain or pages.page(path).has_company(place, lost.words_beside(definition))
                ours = place.passed or may_be_strong(vanished)
                yield _doubt(path, place, name.shown, certain=certain and not stays and ours)


class _LostName(NamedTuple):
    vanished: LostWord
    ours: "OwnWord"
    whole: str
    """The dotted name that it is a part of, or empty: a plain word within it is proven like a name of several words."""
    stays: bool

    def is_whole(self, one: "WordOccurrence", page: "WrittenPage") -> bool:
        """Whether the place has all of the dotted name, on its line or by the table of its block."""
        if not self.whole:
            return False
        table, _, key = self.whole.rpartition(".")
        in_table = key == one.word and page.table_of(one) == table
        return in_table or bounded(self.whole).search(one.text) is not None

    @property
    def shown(self) -> LostWord:
        """Under the dotted text, so that all of its parts have one cause."""
        if not self.whole or self.vanished.definition.kind != "string":
            return self.vanished
        new = [one for one in dotted_texts(self.vanished.new_text) if one != self.whole]
        return self.vanished._replace(
            written=self.whole, successor=new[0] if len(new) == 1 else self.vanished.successor
        )


def _whole_of(definition: Definition, lost: LostWords) -> str:
    """`http.max_size` for a part of that string, and for the key `max_size` of the table `http`."""
    whole = dotted_text(definition)
    if whole or definition.kind != "key":
        return whole
    file = lost.file_of(definition)
    lines = (file.old or b"").decode("utf-8", "replace").split("\n")
    table = table_of(lines, definition.line - 1, file.path.rpartition(".")[2])
    return f"{table}.{definition.word}" if table else ""


def _is_replaced_value(written: str, definition: Definition, lost: LostWords) -> bool:
    """Whether the code had a text only as a value that is another one now. That one may still be allowed."""
    if definition.kind != "string" or written.startswith("--"):
        return False
    file, word = lost.file_of(definition), bounded(definition.word)
    lines = [line for line in (file.old or b"").decode("utf-8", "replace").split("\n") if word.search(line)]
    return len(lines) == 1 and any(
        change.is_bare_value and change.old_line == definition.line for change in literals_of(file)
    )


def _is_own_file(definition: Definition, one: "WordOccurrence", definers: Iterable[str]) -> bool:
    """Whether it is only the name of a file that the repository never had: one that the reader creates."""
    word = re.escape(one.word)
    if re.search(rf"(?<!\w){word}(?!-?\w)(?!{_SUFFIX})", one.text) or definition.is_module:
        return False
    known = any(posixpath.basename(path).partition(".")[0] == one.word for path in definers)
    return not known and re.search(rf"(?<!\w){word}{_SUFFIX}", definition.text) is None


_SUFFIX = (
    r"\.(?:py|pyi|[cm]?[jt]s|[jt]sx|rb|rs|go|java|kts?|swift|php|cs|[ch](?:pp)?|exs?|lua|sh"
    r"|json|ya?ml|toml|md|txt|html|css)\b(?!\()"
)


def _is_of_the_block(one: "WordOccurrence", ours: Collection[str]) -> bool:
    """Whether it is a parameter of functions of the block, none of which is one of the code."""
    return bool(one.parameter_of) and not any(function in ours for function in one.parameter_of)


def _is_passed_on(one: "WordOccurrence", ours: Collection[str]) -> bool:
    """Whether a call in inline code only passes it by its place to something that is not ours: a variable of an
    example, whatever the parameter is called."""
    found = bounded(one.word).search(one.text) if one.place == "span" else None
    if found is None or not re.match(r"\s*[,)]", one.text[found.end() :]):
        return False
    before = code_before(found)
    last = re.search(r"(?<!\w)(\w++)[?!]?\(\Z", before[: before.rfind("(") + 1])
    return call_of(before) != "" and last is not None and last[1] not in ours


_FEW_PAGES = 8
"""Pages that are parsed sooner than all of the code is searched."""


def _gone(defined: Mapping[str, Definition], lost: LostWords, grep: Grep, commented: set[str]) -> dict[str, Definition]:
    """Those that no code has; `commented` collects those that a comment still names."""
    there = standing(defined, grep)
    commented.update(there.in_comments)
    return {word: one for word, one in defined.items() if word not in there.in_code and not lost.is_path_name(word)}


def _current(pages: SurveyedPages, paths: Iterable[str], word: str) -> "Iterator[tuple[str, WordOccurrence]]":
    for path in paths:
        page = pages.page(path)
        yield from ((path, one) for one in page.occurrences(word) if not page.is_about_the_past(one.line))


def _may_mean(definition: Definition, one: "WordOccurrence") -> bool:
    """Whether this place of a document can name what the code defined, as far as the two alone show."""
    if one.program or (one.declared and definition.kind != "symbol"):
        return False
    if definition.kind == "member" and not _is_member(one):
        return False
    if _is_key_of_a_string(definition, one) and not is_shaped(one.word):
        return False
    if definition.kind == "parameter" and _is_variable(one):
        return False
    if one.word.isupper() and _is_expanded(one):
        return False
    return not one.quoted or is_shaped(one.word) or "-" in one.word or definition.kind == "key" or one.in_data


def _is_key_of_a_string(definition: Definition, one: "WordOccurrence") -> bool:
    """Whether the key of a literal in a program of the reader was only a string of ours."""
    return one.is_key and definition.kind == "string" and not one.in_data


def _is_expanded(one: "WordOccurrence") -> bool:
    """Whether a line of a shell only takes it from the environment: that proves nothing about who reads it."""
    word = re.escape(one.word)
    return re.search(rf"\$\{{?{word}\b", one.text) is not None and not re.search(rf"(?<![\w${{]){word}\b", one.text)


def _is_variable(one: "WordOccurrence") -> bool:
    """Whether a program in a block only passes it by its place: then it is a variable there, whatever the parameter is
    called."""
    if one.place != "block" or one.in_data or one.declared or one.parameter_of:
        return False
    word = re.escape(one.word)
    passed = re.search(rf"\((?:[^()\[\]{{}}]*,)?\s*{word}\s*[,)]", one.text)
    return passed is not None and re.search(rf"(?<!\w){word}\s*[=:]", one.text) is None


def _is_member(one: "WordOccurrence") -> bool:
    """Whether a name that the code only set is a name here, not a variable of an example or a word of prose."""
    if one.place == "block" and not one.in_data:
        return bool(one.base) or one.word.isupper()
    return one.place != "prose" or "_" in one.word


_ITSELF = frozenset(("self", "Self", "this", "cls"))


class OwnWord:
    """Whether a word in a document is the one of the code, not that of something else with the same name."""

    def __init__(self, vanished: LostWord, pages: SurveyedPages, grep: Grep) -> None:
        self._vanished = vanished
        self._pages = pages
        self._grep = grep
        self._types: dict[str, bool] = {}

    def is_meant(self, path: str, one: "WordOccurrence") -> bool:
        part = one.base or self._vanished.definition.kind in ("parameter", "attribute", "member")
        if part and self._pages.page(path).is_about_others:
            return False
        if one.base in _ITSELF:
            return True
        if one.base and self._is_of_a_package and not one.base[:1].isupper():
            return one.base in self._vanished.definition.path.split("/") or one.base in self._pages.packages
        if one.base[:1].isupper():
            return one.base in self._vanished.owners or self._is_our_type(one.base)
        return not one.base or is_shaped(one.word) or "-" in one.word or self._is_our_object(path, one.base)

    @cached_property
    def _is_of_a_package(self) -> bool:
        """A type of Go, before which documents write the name of its package, which is that of its folder."""
        was = self._vanished.definition
        return was.path.endswith(".go") and is_type_named(was.word, was.text)

    def _is_our_type(self, base: str) -> bool:
        """A member of a type that the code defines cannot be anything else's."""
        if base not in self._types:
            self._types[base] = any(is_product(path) and is_type_named(base, line) for path, line in self._grep([base]))
        return self._types[base]

    def _is_our_object(self, path: str, base: str) -> bool:
        """Whether a variable may hold something of ours: by its name, or because the page names the type."""
        if base.lower() in self._pages.packages:
            return True
        if base in sys.stdlib_module_names:
            return False
        owners = [owner for owner in self._vanished.owners if len(owner) > 1]
        if any(base.lower() in owner.lower() or owner.lower() in base.lower() for owner in owners):
            return True
        return any(owner in self._pages.page(path).text for owner in owners)


def _doubt(path: str, one: "WordOccurrence", vanished: LostWord, *, certain: bool) -> StaleSentence:
    was = vanished.definition
    new = vanished.successor
    reason = StaleReason.CHANGED if not certain else StaleReason.RENAMED if new else StaleReason.REMOVED
    did = f"renamed to `{new}`" if new else f"removed from {was.path}"
    message = f"`{vanished.written}` no longer exists: {did}."
    fix = f"Write `{new}`." if new else "Update or remove this sentence."
    fix = fix if certain else "Read the sentence: it may mean something else by this name."
    line, text = (vanished.new_line, vanished.new_text) if new or was.is_module else (None, "")
    return StaleSentence(
        path,
        one.line,
        one.text,
        vanished.written if vanished.written in one.text else one.word,
        reason,
        message,
        was.path,
        line,
        was.text,
        text,
        certain,
        0 if was.is_module else was.line,
        fix,
    )


class _SymbolChange(NamedTuple):
    old: Symbol
    new: Symbol

    @property
    def moved(self) -> bool:
        return self.old.path != self.new.path


def symbol_notes(files: Sequence[ChangedFile], pages: SurveyedPages, probe: Probe | None) -> Iterator[StaleSentence]:
    """Every line that names a symbol which is defined elsewhere now, or in another way."""
    changed = {one.old.short: one for one in _changes(files, probe)}
    for name, documents in pages.having(changed.keys()).items():
        for path in documents:
            page = pages.page(path)
            for found in page.occurrences(name):
                if found.place == "span" and not page.is_about_the_past(found.line):
                    yield _note(path, found.line, found.text, changed[name])


def _changes(files: Sequence[ChangedFile], probe: Probe | None) -> Iterator[_SymbolChange]:
    code = [file for file in files if is_product(file.path)]
    old = [symbol for file in code for symbol in _symbols(file.path, file.old, probe)]
    new = [symbol for file in code for symbol in _symbols(file.path, file.new, probe)]
    there = {symbol.reference: symbol for symbol in new}
    by_name = {symbol.name: symbol for symbol in new}
    for symbol in old:
        now = there.get(symbol.reference) or by_name.get(symbol.name)
        if now is None:
            continue
        if now.shown != symbol.shown or now.path != symbol.path:
            yield _SymbolChange(symbol, now)


def _symbols(path: str, data: bytes | None, probe: Probe | None) -> Sequence[Symbol]:
    from cairn.lib.code.read import outline

    found: Outline | None = outline(path, data, probe) if data else None
    return found.symbols if found else ()


def difference(old: str, new: str) -> str:
    """What changed from one signature or value to the other."""
    table = _TABLE.fullmatch(old), _TABLE.fullmatch(new)
    noun = "key" if all(table) else "parameter"
    before, after = (_keys(one[1]) for one in table if one) if all(table) else (_parameters(old), _parameters(new))
    if _BASES.match(old) or _BASES.match(new):
        before, after = {}, {}
    gained, lost = [name for name in after if name not in before], [name for name in before if name not in after]
    other = [name for name in after if name in before and before[name] != after[name]]
    said = [f"gained the {noun} `{name}`" for name in gained] + [f"lost the {noun} `{name}`" for name in lost]
    said += [f"has `{after[name]}` instead of `{before[name]}`" for name in other]
    if said and len(said) <= _FEW:
        return " and ".join(said)
    return f"changed from `{_short(old)}` to `{_short(new)}`"


_FEW = 2
_TABLE = re.compile(r"[^=({]*=\s*\{([\w.\-, ]*)\}")
"""How the keys of a table of TOML, YAML or JSON are shown."""
_BASES = re.compile(r"class \w+\([\w., \[\]=]*\)(?::|$)")
"""A class of Python with its bases, which are no parameters; those of other languages have types."""
_WIDTH = 60


def _keys(inside: str) -> dict[str, str]:
    return {key: key for key in re.split(r",\s*", inside.strip()) if key}


def _short(shown: str) -> str:
    return shown if len(shown) <= _WIDTH else f"{shown[: _WIDTH - 1]}…"


def _parameters(shown: str) -> dict[str, str]:
    """By name: each parameter as the signature has it."""
    parts = arguments_in(shown.partition("(")[2])
    return {found[0]: part.strip() for part in parts if (found := re.search(r"\w+", part))}


def _note(path: str, line: int, text: str, change: _SymbolChange) -> StaleSentence:
    old, new = change.old, change.new
    reason = StaleReason.MOVED if change.moved else StaleReason.CHANGED
    did = f"moved from {old.path} to {new.path}" if change.moved else difference(old.shown, new.shown)
    return StaleSentence(
        path, line, text, old.short, reason, f"`{old.name}` {did}.", new.path, new.line, old.shown, new.shown,
        False, old.line, "Read the sentence; update it if it is no longer true.",
    )  # fmt: skip
