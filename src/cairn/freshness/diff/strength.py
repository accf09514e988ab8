"""How much it proves that a name left the code: a weak one is a note, because a document may mean something else by it.

What a name looks like decides. `max_size` in a document is the one of the code; `host` may be anybody's. A plain word
counts where it can only be a name of the code: a flag, a function that is called, an entry of a reference.
"""

import builtins
import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from cairn.core.repository.mentions import is_shaped
from cairn.freshness.diff.definition import Definition, is_manifest

if TYPE_CHECKING:
    from cairn.freshness.diff.occurrence import Occurrence
    from cairn.freshness.diff.vanished import ChangedFile, Vanished

_ENVIRONMENT = re.compile(
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


def is_strong(vanished: "Vanished", one: "Occurrence") -> bool:
    """Whether a place of a document is false because the name is gone, if it is one of the product."""
    written = vanished.written
    if written.startswith("--") or one.passed or (vanished.successor and not vanished.in_place):
        return True
    if one.place == "prose" and vanished.definition.kind == "string" and _PRODUCT.fullmatch(written):
        return False
    if is_shaped(written) or "-" in written or _CAPITALS.fullmatch(written):
        return True
    return _is_a_name(vanished.definition, one)


def may_be_strong(vanished: "Vanished") -> bool:
    """Whether the name can be nothing but one of the product."""
    was = vanished.definition
    if vanished.written.startswith("--"):
        return True
    build = _BUILD.fullmatch(was.path) and was.kind != "flag"
    return not (is_foreign(vanished.written) or was.word.startswith("_") or build)


def is_foreign(word: str) -> bool:
    """Whether a name belongs to a language, a platform or the reader's environment."""
    return bool(_ENVIRONMENT.fullmatch(word) or word in _PYTHON or _PLATFORM.fullmatch(word) or _HEADER.fullmatch(word))


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


def _is_a_name(was: Definition, one: "Occurrence") -> bool:
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


class Departed:
    """Parts of a project that left it as a whole: they have a repository of their own, and are still to be had."""

    def __init__(self, files: "Iterable[ChangedFile]") -> None:
        every = list(files)
        self._files = [file for file in every if is_manifest(file.path)]
        self._gone = {file.path for file in every if file.new is None}

    def is_gone(self, path: str) -> bool:
        """Whether the change deleted a file."""
        return path in self._gone

    def has(self, path: str) -> bool:
        """Whether the part that a file belonged to was published by itself, or is a dependency now."""
        if path not in self._gone:
            return False
        folder, name = posixpath.split(path.lower())
        parts = {posixpath.basename(folder), posixpath.splitext(name)[0]}
        return any(path.startswith(folder) for folder in self._packages) or any(
            part in dependency for part in parts if len(part) >= _TELLING for dependency in self._gained
        )

    @cached_property
    def _packages(self) -> tuple[str, ...]:
        """Folders whose manifest is gone, with a slash at their end; the root is none. Where another manifest is new, a
        package may have moved."""
        if any(file.old is None for file in self._files):
            return ()
        gone = (file.path for file in self._files if file.new is None)
        return tuple(f"{folder}/" for path in gone if (folder := posixpath.dirname(path)))

    @cached_property
    def _gained(self) -> list[frozenset[str]]:
        """The words of each dependency that is new, without those that the manifest had before."""
        return [words for file in self._files if file.old and file.new for words in _new_names(file.old, file.new)]


_TELLING = 4
_RUN = re.compile(rb"[\w.@/-]++")
_TWO_WORDS = re.compile(rb"[a-z]\w{0,60}[-/.][\w.-]")


def _new_names(old: bytes, new: bytes) -> Iterator[frozenset[str]]:
    """Names of several words on the lines that are new; words that the old manifest has say nothing about a part."""
    known = set(old.split(b"\n"))
    had = set(re.findall(r"[a-z0-9]+", old.decode("utf-8", "replace").lower()))
    for line in new.split(b"\n"):
        if line not in known:
            for name in filter(_TWO_WORDS.search, _RUN.findall(line)):
                yield frozenset(re.findall(r"[a-z0-9]+", name.decode("utf-8", "replace").lower())) - had
